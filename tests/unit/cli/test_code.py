"""`arcwise code`, and stores, folders and patterns wherever a command takes a table."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from arcwise.networks import load


@pytest.fixture
def parts(arcwise) -> Path:
    """Three files of 1,000 rows in the folder that the command runs in."""
    folder = Path("parts")
    folder.mkdir()
    for k, n in enumerate((500, 0, 500)):
        load("child").sample(n or 2, seed=k + 1).to_polars()[:n].cast(pl.String).write_parquet(folder / f"{k}.parquet")
    return folder


def test_a_folder_becomes_a_store_that_learns_the_same(arcwise, parts):
    run = arcwise("code", parts, "--out", "t.arcwise")
    assert run.code == 0
    assert run.out.startswith("t.arcwise: 1,000 rows, 20 columns (5 ordered, 15 discrete), ")
    assert "learn from it: arcwise learn t.arcwise" in run.err
    learned = [
        arcwise("learn", table, "--method", "hill-climb", "--json") for table in ("t.arcwise", parts, "parts/*.parquet")
    ]
    assert all(one.code == 0 for one in learned)
    edges = [one.out[one.out.index('"edges"') : one.out.index('"edges"') + 500] for one in learned]
    assert len(set(edges)) == 1


def test_quartiles_of_numbers_are_shown_with_what_they_may_be_off(arcwise):
    Path("parts").mkdir()
    for k in range(2):
        numbers = [(7919 * i) % 10_000 + 0.5 for i in range(k, 10_000, 2)]
        pl.DataFrame({"x": numbers, "g": ["a", "b"] * 2_500}).write_parquet(f"parts/{k}.parquet")
    run = arcwise("code", "parts", "--out", "t.arcwise")
    assert run.code == 0
    column = next(line for line in run.out.splitlines() if line.startswith("x ")).split()
    assert column[1] == "0.5"
    assert column[-1] == "1e+04"
    assert abs(float(column[3]) - 5_000) < 100
    assert "quartiles are right to within" in run.out


def test_a_store_is_verified(arcwise, parts):
    assert arcwise("code", parts, "--out", "t.arcwise", "--quiet").out == ""
    run = arcwise("code", "t.arcwise", "--verify")
    assert run.out == "t.arcwise: 1,000 rows of 20 columns, every cell is sound\n"
    with Path("t.arcwise/codes").open("r+b") as file:
        file.seek(5000)
        file.write(b"\x01\x00\x01\x01")
    for command in (("code", "t.arcwise", "--verify"), ("learn", "t.arcwise"), ("check", "t.arcwise")):
        run = arcwise(*command)
        assert run.code == 2
        assert "t.arcwise is damaged: cells of 'ChestXray' are not what was written" in run.err


def test_a_store_is_not_replaced_unless_told(arcwise, parts):
    assert arcwise("code", parts, "--out", "t.arcwise").code == 0
    run = arcwise("code", parts, "--out", "t.arcwise", "--drop", "Age")
    assert run.code == 2
    assert "t.arcwise is there already; choose another name, or replace it with --replace" in run.err
    assert arcwise("code", parts, "--out", "t.arcwise", "--drop", "Age", "--replace").out.startswith(
        "t.arcwise: 1,000 rows, 19 columns"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("code", "parts"), "code needs a name for the store: --out table.arcwise"),
        (("code", "parts", "--out", "t"), "the name of a coded store must end in .arcwise"),
        (("code", "part", "--out", "t.arcwise"), "part does not exist"),
        (("code", "*.csv", "--out", "t.arcwise"), "*.csv fits no file"),
        (("code", "parts", "--verify"), "--verify needs a coded store"),
        (("learn", "t.arcwise"), "t.arcwise does not exist"),
        (("code", "parts", "--out", "no/t.arcwise"), "there is no folder no; make it first"),
    ],
)
def test_what_cannot_be(arcwise, parts, arguments, words):
    run = arcwise(*arguments)
    assert run.code == 2
    assert words in run.err
    assert not Path("t.arcwise").exists()


def test_options_on_a_store(arcwise, parts, monkeypatch):
    assert arcwise("code", parts, "--out", "t.arcwise").code == 0
    assert "19 columns" in arcwise("learn", "t.arcwise", "--method", "hill-climb", "--drop", "Age").out
    assert arcwise("learn", "t.arcwise", "--method", "hill-climb", "--na", "Age=0-3_days").code == 0
    from arcwise import machine

    monkeypatch.setattr(machine, "free_memory", lambda: 1000)
    assert "19 columns" in arcwise("learn", "t.arcwise", "--method", "hill-climb", "--drop", "Age").out
    run = arcwise("learn", "t.arcwise", "--method", "hill-climb", "--na", "Age=0-3_days")
    assert run.code == 2
    assert "the option na would read the store anew" in run.err
    assert "give these options to 'arcwise code', and code it again" in run.err


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_is_done(tmp_path, heeded_signals):
    for k in range(6):
        load("child").sample(2000, seed=k).to_polars().cast(pl.String).write_csv(tmp_path / f"part-{k}.csv")
    script = (
        "import sys, time\n"
        "from arcwise.data.rows import coding\n"
        "inner = coding.write_part\n"
        "def slow(*given):\n"
        "    print('writing', file=sys.stderr, flush=True)\n"
        "    line = inner(*given)\n"
        "    time.sleep(0.3)\n"
        "    return line\n"
        "coding.write_part = slow\n"
        "from arcwise.cli.main import run\n"
        "sys.argv[0] = 'arcwise'\n"
        "run()\n"
    )
    command = [sys.executable, "-c", script, "code", "part-*.csv", "--out", "t.arcwise"]
    environment = {**os.environ, "ARCWISE_THREADS": "1"}
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, env=environment) as run:
        assert run.stderr is not None
        assert [run.stderr.readline() for _ in range(3)] == [b"writing\n"] * 3
        time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        words = run.stderr.read().decode()
    assert run.returncode == 130
    assert "what is done is kept; the same command goes on with it" in words
    assert not (tmp_path / "t.arcwise").exists()
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, env=environment)
    assert again.stderr.count("writing") in (3, 4)
    assert again.stdout.startswith("t.arcwise: 12,000 rows, 20 columns")
