"""What is doubtful about the data is told by every command that reads some, whatever the form of its output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Program

LOST = "dropped 150 of 300 rows with missing values in 'gap' (150)"
READ = ["--missing", "drop"]


@pytest.fixture
def holes(weather: Path) -> Path:
    """Half the rows have no value in a column that nothing else depends on."""
    head, *rows = weather.read_text(encoding="utf-8").splitlines()
    filled = [f"{row},{'' if i % 2 else 'ab'[i % 3 % 2]}" for i, row in enumerate(rows)]
    path = Path("holes.csv")
    path.write_text("\n".join([f"{head},gap", *filled]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def saved(arcwise: Program, holes: Path) -> Path:
    assert arcwise("learn", holes, *READ, "--out", "r.json", "--quiet").code == 0
    return Path("r.json")


@pytest.mark.parametrize("form", [[], ["--json"], ["--quiet"], ["--json", "--quiet"]])
def test_learn(arcwise: Program, holes: Path, form: list[str]) -> None:
    run = arcwise("learn", holes, *READ, "--method", "hill-climb", "--drop", "warm", *form)
    assert LOST in run.out + run.err
    if form:
        assert f"warning: {LOST}\n" in run.err
    if "--json" in form:
        assert LOST in json.loads(run.out)["warnings"]
    elif form:
        assert run.out == ""


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize(
    "command",
    [
        ["score", "holes.csv", "r.json"],
        ["fit", "holes.csv", "r.json"],
        ["discretize", "holes.csv"],
        ["discretize", "holes.csv", "--method", "steck"],
        ["test", "holes.csv", "rain", "wet"],
        ["test", "holes.csv", "rain", "wet", "--test", "g-squared"],
    ],
)
def test_other_commands(arcwise: Program, saved: Path, command: list[str], form: list[str]) -> None:
    run = arcwise(*command, *READ, *form)
    assert run.code == 0
    assert run.err.count(f"warning: {LOST}\n") == 1
    if form:
        assert LOST in json.loads(run.out)["warnings"]


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_the_rows_that_a_fit_is_judged_on(arcwise: Program, weather: Path, holes: Path, form: list[str]) -> None:
    assert arcwise("learn", weather, "--method", "steck", "--out", "r.json", "--quiet").code == 0
    text = weather.read_text(encoding="utf-8").splitlines()
    gaps = [f",{row.split(',', 1)[1]}" if i % 2 else row for i, row in enumerate(text)]
    Path("new.csv").write_text("\n".join(gaps) + "\n", encoding="utf-8")
    run = arcwise("fit", weather, "r.json", "--test", "new.csv", *READ, *form)
    assert run.code == 0
    told = "new.csv: dropped 150 of 300 rows with missing values in 'rain' (150)"
    assert f"warning: {told}\n" in run.err
    if form:
        assert told in json.loads(run.out)["warnings"]


def test_in_python(holes: Path) -> None:
    import arcwise

    table = arcwise.read(holes, missing="drop")
    result = arcwise.learn(table, "hill-climb", drop=["warm"])
    assert LOST in result.warnings
    assert LOST in result.fit(table).warnings


def test_columns_that_take_no_part_in_a_test_are_not_told_of(arcwise: Program) -> None:
    rows = "".join(f"{i % 2},{i % 3},1\n" for i in range(60))
    Path("t.csv").write_text(f"a,b,fixed\n{rows}", encoding="utf-8")
    assert arcwise("test", "t.csv", "a", "b").err == ""
    assert "constant column 'fixed'" in arcwise("test", "t.csv", "a", "fixed").err


def test_fit_judges_on_a_table_with_quotes_in_its_names(arcwise: Program) -> None:
    import csv

    names = ['height "cm"', "it's", 'say "hi", you']
    for file, n in (("a.csv", 60), ("b.csv", 30)):
        with Path(file).open("w", newline="", encoding="utf-8") as out:
            lines = [[i % 7 + 0.5, i % 5 + 0.25, '6"' if i % 2 else "it's"] for i in range(n)]
            csv.writer(out).writerows([names, *lines])
    assert arcwise("learn", "a.csv", "--out", "r.json", "--quiet", "--method", "hill-climb").code == 0
    run = arcwise("fit", "a.csv", "r.json", "--test", "b.csv", "--json")
    assert run.code == 0, run.err
    assert sorted(json.loads(run.out)["nodes"]) == sorted(names)


def test_names_with_line_breaks_can_be_typed(arcwise: Program) -> None:
    rows = "".join(f"{i % 2},{i % 3}\n" for i in range(60))
    Path("t.csv").write_text(f'"two\nlines",b\n{rows}', encoding="utf-8")
    run = arcwise("discretize", "t.csv", "--drop", "two\nlines", "--json")
    assert [column["name"] for column in json.loads(run.out)["columns"]] == ["b"]
    run = arcwise("learn", "t.csv", "--method", "steck", "--drop", "none\r\nsuch")
    known = "known: 'two\\nlines', b (named in drop)"
    assert (run.code, run.err) == (2, f"error: unknown column 'none\\r\\nsuch'; {known}\n")
