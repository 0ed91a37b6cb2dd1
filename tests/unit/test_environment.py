"""Nonsense in the environment: one sentence that names the variable, or it does not matter."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = "from arcwise.cli.main import run; run()"


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("environment") / "table.csv"
    path.write_text("a,b\n" + "".join(f"{i * 7 % 11}.5,{i * 7 % 11 + i % 3}.5\n" for i in range(60)), encoding="utf-8")
    return str(path)


def run(*arguments: str, code: str = PROGRAM, **variables: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-c", code, *arguments]
    return subprocess.run(
        call, env={**os.environ, **variables}, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("ARCWISE_THREADS", "abc"),
        ("NUMBA_NUM_THREADS", "0"),
        ("NUMBA_NUM_THREADS", "abc"),
        ("POLARS_MAX_THREADS", "0"),
        ("POLARS_MAX_THREADS", "99999999999"),
    ],
)
def test_numbers_of_threads(table, variable, text):
    end = run("learn", table, "--method", "k2", **{variable: text})
    assert end.returncode == 2
    assert end.stderr == (
        f"error: the environment variable {variable} must be a whole number from 1 to 1024, not {text!r}; "
        "set it to one, or unset it\n"
    )


def test_writing_with_polars_tells_it_too(tmp_path):
    end = run("simulate", "child", "--rows", "5", "--out", str(tmp_path / "rows.csv"), POLARS_MAX_THREADS="0")
    assert end.returncode == 2
    assert end.stderr.startswith("error: the environment variable POLARS_MAX_THREADS must be")
    assert end.stderr.count("\n") == 1


def test_pictures_are_drawn_whatever_the_backend(table, tmp_path):
    picture = tmp_path / "picture.png"
    end = run("discretize", table, "--method", "equal-width", "--draw", str(picture), MPLBACKEND="no such thing")
    assert end.returncode == 0, end.stderr
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("named", "used"), [("nonsense", False), ("svg", True)])
def test_the_backend_stays_in_the_environment_and_is_taken_if_there_is_one(named, used):
    code = (
        "import os; from arcwise import machine; machine.import_matplotlib(); import matplotlib; "
        "named = os.environ['MPLBACKEND']; print(named, dict.__getitem__(matplotlib.rcParams, 'backend') == named)"
    )
    assert run(code=code, MPLBACKEND=named).stdout == f"{named} {used}\n"
