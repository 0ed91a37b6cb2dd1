"""Every line of the table of bad inputs ends as it says there, without a traceback or an internal error."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from arcwise.cli.main import main
from tests.fuzz.bad_files import files
from tests.fuzz.bad_inputs import ANSWERED, REFUSED, USAGE

WRONG_INPUT = 2


Program = Callable[[str], tuple[int, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all the files of the table."""
    path = tmp_path_factory.mktemp("bad")
    for name, content in files().items():
        (path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    (path / "folder.csv").mkdir()
    (path / "folder.json").mkdir()
    return path


@pytest.fixture
def arcwise(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    """Runs a command line: (exit code, what stood on stderr); nothing may be written."""
    monkeypatch.chdir(folder)

    def run(line: str) -> tuple[int, str]:
        before = sorted(os.listdir())
        code = main(shlex.split(line))
        err = capsys.readouterr().err
        assert "Traceback" not in err
        assert "internal error" not in err
        assert sorted(os.listdir()) == before
        return code, err

    return run


@pytest.mark.parametrize(("line", "word"), REFUSED, ids=[line for line, _ in REFUSED])
def test_refused(arcwise: Program, line: str, word: str) -> None:
    code, err = arcwise(line)
    assert code == WRONG_INPUT
    *notes, last = err.splitlines()  # what was noticed in a table before the error, on lines of its own
    assert all(note.startswith(("warning: ", "note: ")) for note in notes), err
    assert last.startswith("error: ")
    assert word in last


@pytest.mark.parametrize(("line", "word"), USAGE, ids=[line for line, _ in USAGE])
def test_usage(arcwise: Program, line: str, word: str) -> None:
    code, err = arcwise(line)
    assert code == WRONG_INPUT
    assert err.count("\n") == 1
    assert err.startswith("error: ")
    assert err.endswith(" --help\n")
    assert word in err


@pytest.mark.parametrize("line", ANSWERED)
def test_answered(arcwise: Program, line: str) -> None:
    assert arcwise(line)[0] == 0


def test_the_table_is_long_and_has_nothing_twice() -> None:
    lines = [*(line for line, _ in (*REFUSED, *USAGE)), *ANSWERED]
    assert len(lines) >= 300
    assert len(set(lines)) == len(lines)
