"""`arcwise check`, recipes and tables from standard input, on the command line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import arcwise as library
from tests.unit.cli.conftest import Program

ROWS = [
    f'{i + 1},"{1000 + 13 * i:,}",{["yes", "Yes", "no"][i % 3]},{"<0.5" if i % 9 == 0 else f"{(i * 7) % 11 + 0.25}"}'
    for i in range(90)
]
TEXT = "row,price,fit,crp\n" + "\n".join(ROWS) + "\n"


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "messy.csv"
    path.write_text(TEXT)
    return path


def test_check_recipe_learn(arcwise: Program, messy: Path, tmp_path: Path) -> None:
    refused = arcwise("discretize", messy)
    assert refused.code == 2
    assert "2 columns of messy.csv cannot be read" in refused.err
    assert f"arcwise check {messy}" in refused.err
    recipe = tmp_path / "clean.toml"
    done = arcwise("check", messy, "--recipe", recipe)
    assert done.code == 0
    assert "2 to settle, 1 may change the answer, 1 worth knowing" in done.out
    assert f"arcwise learn {messy} --recipe {recipe}" in done.out
    by_options = done.out.split("or by options:\n")[1].strip().split()
    assert by_options[:3] == ["arcwise", "learn", str(messy)]
    for words in (["--recipe", str(recipe)], by_options[3:]):
        read = arcwise("discretize", messy, *words)
        assert read.code == 0, read.err
        assert read.err == ""
        assert "price" in read.out
        assert "row" not in read.out.split()


def test_a_recipe_that_is_there_is_used_and_kept(arcwise: Program, messy: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "clean.toml"
    arcwise("check", messy, "--recipe", recipe)
    kept = recipe.read_text()
    messy.write_text(TEXT.replace("crp", "CRP"))
    done = arcwise("check", messy, "--recipe", recipe)
    assert done.code == 0
    assert recipe.read_text() == kept
    assert "lost-column  crp" in done.out
    assert "new-column  CRP" in done.out
    refused = arcwise("discretize", messy, "--recipe", recipe)
    assert refused.code == 2
    assert "knows the column 'crp', which the table has not" in refused.err


def test_json_and_exit_codes(arcwise: Program, messy: Path) -> None:
    done = arcwise("check", messy, "--json")
    found = json.loads(done.out)
    assert done.code == 0
    assert {finding["code"]: finding["column"] for finding in found["findings"]} == {
        "row-number": "row", "thousands": "price", "spelling": "fit", "censored": "crp",
    }  # fmt: skip
    assert library.data.recipe.Recipe.from_dict(found["recipe"]).drop == ("row",)
    assert arcwise("check", messy, "--strict").code == 1
    assert arcwise("check", "@abalone", "--strict").code == 0
    assert arcwise("check", messy, "--recipe", "clean.txt").code == 2
    assert arcwise("check", "nowhere.csv").code == 2


def test_a_clean_table_is_two_lines(arcwise: Program) -> None:
    done = arcwise("check", "@abalone")
    assert done.out == "@abalone: 4,177 rows, 9 columns\nnothing to settle, and nothing odd\n"


def test_tables_come_through_standard_input(arcwise: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def send(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    send(TEXT)
    assert arcwise("check", "-").out.startswith("standard input: 90 rows, 4 columns\n")
    send(TEXT)
    done = arcwise("discretize", "-", "--thousands", "price=comma", "--censored", "crp", "--merge", "fit")
    assert done.code == 0
    send("")
    assert "standard input is empty" in arcwise("check", "-").err
    send("a,b\n1,2\n3\n")
    assert "line 3 of standard input has 1 cell" in arcwise("discretize", "-").err


def test_nobody_waits_for_a_terminal(arcwise: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal())
    assert "nothing is sent to standard input" in arcwise("check", "-").err


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--drop", "r*,f?t"], ""),
        (["--drop", "z*"], "no column fits the pattern 'z*'"),
        (["--discrete", "row", "--dates", "crp"], "column 'crp': a column is read as dates or as numbers"),
        (["--recipe", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_options_on_the_command_line(arcwise: Program, messy: Path, words: list[str], part: str) -> None:
    done = arcwise("discretize", messy, "--thousands", "price=comma", "--censored", "crp=missing", *words)
    assert done.code == (2 if part else 0), done.err
    assert part in done.err
