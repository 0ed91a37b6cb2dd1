"""Where compiled kernels are kept, and what is said where that is nowhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arcwise import compiling
from arcwise._kernels import places
from arcwise.cli.main import main


@pytest.fixture
def world(tmp_path, monkeypatch):
    """Three folders, of which none exists yet; those that are named in `locked` cannot be made."""
    monkeypatch.setattr(compiling, "_record", compiling._Record())
    monkeypatch.setattr(places, "_full", [])
    monkeypatch.delenv(compiling.QUIET, raising=False)
    (tmp_path / "file").write_text("", encoding="utf-8")
    for function in (places.to_read, places._first):
        function.cache_clear()

    def make(given: str, locked: str) -> list[Path]:
        homes = {
            name: tmp_path / ("file" if name in locked else "open") / name for name in ("given", "install", "home")
        }
        monkeypatch.setattr(places.config, "CACHE_DIR", str(homes["given"]) if given else "")
        monkeypatch.setattr(places, "HERE", homes["install"])
        monkeypatch.setenv("HOME", str(homes["home"]))
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        return list(homes.values())

    yield make
    for function in (places.to_read, places._first):
        function.cache_clear()


@pytest.mark.parametrize(
    ("given", "locked", "place"),
    [
        ("given", "", 0),
        ("given", "given", 1),
        ("", "", 1),
        ("", "install", 2),
        ("given", "given install", 2),
    ],
)
def test_the_first_that_can_be_written_is(world, given, locked, place, capsys):
    homes = world(given, locked)
    folder = places.to_write()
    assert folder is not None
    assert folder.is_relative_to(homes[place])
    assert folder.is_dir()
    assert len(places.to_read()) == (1 if place == 0 else 2 + bool(given))
    places.tell()
    places.tell()
    said = capsys.readouterr().err
    assert said.count("NUMBA_CACHE_DIR") == said.count("\n") == int("given" in locked)


def test_nowhere_to_write_is_told_in_one_line(world, capsys):
    world("given", "given install home")
    assert places.to_write() is None
    assert len(places.to_read()) == 3  # they may be read all the same
    places.tell()
    compiling.begin()
    compiling.end()
    places.tell()
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "Not a directory" in said
    assert said.endswith("set NUMBA_CACHE_DIR to one that can\n")


def test_a_user_without_a_home_gets_no_folder_called_tilde(world, monkeypatch, tmp_path):
    world("", "install")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # what it gives for a user who is not listed
    monkeypatch.chdir(tmp_path)
    assert places.to_write() is None
    assert not (tmp_path / "~").exists()


def test_warm_says_that_it_would_be_in_vain(world, capsys):
    world("", "install home")
    assert main(["warm", "k2"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: compiled kernels cannot be kept")
    assert said.count("\n") == 1


CODE = """
import sys
from pathlib import Path
from arcwise._kernels import places

places.HERE = Path("/dev/null")  # an installation that nobody can write to
from arcwise.cli.main import main

sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="needs /dev/null")
def test_a_machine_that_cannot_be_written_to_learns(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("a,b\n" + "".join(f"{i * 7 % 11}.5,{i * 7 % 11 + i % 3}.5\n" for i in range(60)), encoding="utf-8")
    environment = {**os.environ, "HOME": "/dev/null", "NUMBA_CACHE_DIR": "/dev/null"}
    environment.pop("XDG_CACHE_HOME", None)
    call = [sys.executable, "-c", CODE, "learn", str(table), "--method", "tpda"]
    run = subprocess.run(call, env=environment, capture_output=True, text=True, check=True)
    assert "a — b" in run.stdout
    assert run.stderr.count("\n") == 1
    assert "NUMBA_CACHE_DIR" in run.stderr
