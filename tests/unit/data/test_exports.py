"""Tables as spreadsheets, laboratories, surveys and sensors export them: what is found, proposed and read."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import arcwise
from arcwise.data.findings import Finding, Report, Severity
from arcwise.data.sentinels import apart
from arcwise.errors import DataError

N = 120
RNG = np.random.default_rng(11)
NUMBERS = RNG.normal(50, 10, N).round(2)
GROUPS = RNG.choice(["a", "b", "c"], N)


def written(path: Path, columns: dict[str, object], *, sep: str = ",", end: str = "") -> Path:
    """A text file with these columns, and a column of numbers and one of groups beside them."""
    table = {**columns, "other": NUMBERS, "group": GROUPS}
    lines = [sep.join(table), *(sep.join(map(str, row)) for row in zip(*table.values(), strict=True))]
    file = path / "export.csv"
    file.write_text("\n".join(lines) + "\n" + end, "utf-8")
    return file


def found(report: Report, column: str) -> dict[str, Finding]:
    return {finding.code: finding for finding in report.findings if finding.column == column}


def by_recipe(file: Path, report: Report) -> arcwise.Dataset:
    report.save_recipe(file.with_suffix(".toml"))
    return arcwise.read(file, recipe=file.with_suffix(".toml"))


def test_a_recipe_names_columns_without_a_name_and_those_of_one_name(tmp_path):
    file = tmp_path / "index.csv"
    rows = [f"{i},{x},{y},{g}" for i, x, y, g in zip(range(N), NUMBERS, NUMBERS[::-1], GROUPS, strict=True)]
    file.write_text("\n".join([",x,x,group", *rows]), "utf-8")
    with pytest.raises(DataError, match=r"column 1 of index\.csv has no name"):
        arcwise.read(file)
    report = arcwise.check(file)
    assert report.codes["unnamed"] == report.codes["row-number"] == ["column 1"]
    assert report.codes["repeated-name"] == ["x (3)"]
    assert not report.options()  # no option gives a name
    data = by_recipe(file, report)
    assert data.names == ("x", "x (3)", "group")
    assert data.column("x").values.tolist() == NUMBERS.tolist()
    assert data.column("x (3)").values.tolist() == NUMBERS[::-1].tolist()


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([1, 2, 3, 4, 5, -9, -8, -7], ("-9", "-8", "-7")),
        ([0, 10000, 25000, 50000, -8], ("-8",)),
        ([1, 2, 3, 4, 5, 77, 88, 99], ("99", "88", "77")),
        ([1, 2, 3, 4, 5, 99], ("99",)),
        ([0, 5, 40, 95, -9, -99], ("-99", "-9")),
        ([1.9, 2.5, 4.4, 3.1, 999.9], ("999.9",)),
        ([0.5, 12.5, 30.25, -9.0, -9.0], ("-9",)),
        ([0.5, 12.5, 30.25, -9.0], ()),  # one cold day
        ([-15, -9, 3, 20], ()),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9], ()),
        ([1, 2, 3, 4, 5, 7, 8, 9], ()),
        ([1003.5, 999.9, 1012.25, 1020.0], ()),
        ([-1, 0, 1], ()),
        ([3, 8, 7, 5], ()),
    ],
)
def test_codes_for_missing_are_told_from_values(values, codes):
    assert sorted(apart(np.array(values, dtype=float))[1]) == sorted(map(float, codes))


def test_the_codes_of_a_survey_are_found_and_the_rest_is_kept(tmp_path):
    answers = np.tile([1, 2, 3, 4, 5, -9, -8, -7, 1, 2], N // 10)
    file = written(tmp_path, {"q1": answers})
    report = arcwise.check(file)
    assert found(report, "q1")["sentinel"].change == {"na": ("-9", "-8", "-7")}
    data = by_recipe(file, report)
    assert data.column("q1").levels == ("1", "2", "3", "4", "5")
    assert int(data.column("q1").missing.sum()) == 3 * N // 10


def test_the_same_codes_in_many_columns_are_one_warning(tmp_path):
    answers = np.tile([1, 2, 3, -9], N // 4)
    data = arcwise.read(written(tmp_path, {f"q{i}": RNG.permutation(answers) for i in range(1, 5)}))
    (warning,) = [text for text in data.warnings if "-9" in text]
    assert warning.startswith("columns 'q1', 'q2', 'q3', 'q4' have -9, apart from their other values")


@pytest.mark.parametrize(
    ("cells", "levels"),
    [
        (["yes", "yes", "Y", "1", "TRUE", "no", "no", "N", "0", "false"], ("no", "yes")),
        (["José", "José", "Jose", "Ana", "Ana"], ("Ana", "José")),
        (["Female", "F", "f", "Male", "Male", "M"], ("Female", "Male")),
        (["yes", "no"], ("no", "yes")),
        (["1", "2", "yes", "no"], ("1", "2", "no", "yes")),  # more than yes and no
    ],
)
def test_levels_that_mean_the_same_are_made_one_and_the_warning_says_how(tmp_path, cells, levels):
    file = written(tmp_path, {"v": np.tile(cells, N // len(cells) + 1)[:N]})
    report = arcwise.check(file)
    assert by_recipe(file, report).column("v").levels == levels
    (warning,) = [text for text in arcwise.read(file).warnings if "'v'" in text] or [""]
    assert bool(warning) == ("spelling" in found(report, "v"))
    if warning:
        typed = re.search(r"(--merge .*?) \(merge=(.*?)\), or leave", warning)
        merge = json.loads(typed[2])
        assert len(arcwise.read(file, merge=merge).column("v").levels) == len(levels)
        words = shlex.split(typed[1])[1::2]
        assert len(arcwise.read(file, merge=words).column("v").levels) == len(levels)


def test_points_may_mark_thousands_where_other_columns_have_decimal_commas(tmp_path):
    amounts = [f"{1 + i % 9}.{100 + 7 * i}" for i in range(N)]
    share = [f"{i % 17},{i % 10}" for i in range(N)]
    file = written(tmp_path, {"amount": amounts, "share": share}, sep=";")
    (warning,) = [text for text in arcwise.read(file).warnings if "'amount'" in text]
    assert "--thousands amount=point" in warning
    report = arcwise.check(file)
    assert found(report, "amount")["thousands"].severity is Severity.SETTLE
    assert by_recipe(file, report).column("amount").values[:2].tolist() == [1100.0, 2107.0]
    assert not arcwise.read(file, decimal={"amount": "point"}).warnings


def test_points_are_decimals_where_no_column_has_decimal_commas(tmp_path):
    file = written(tmp_path, {"amount": [f"{1 + i % 9}.{100 + 7 * i}" for i in range(N)]}, sep=";")
    assert not arcwise.read(file).warnings
    assert not arcwise.check(file).findings
