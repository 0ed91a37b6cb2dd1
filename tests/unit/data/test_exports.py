"""Tables as spreadsheets, laboratories, surveys and sensors export them: what is found, proposed and read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import arcwise
from arcwise.data.findings import Finding, Report
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
    with pytest.raises(DataError, match="column 1 of index.csv has no name"):
        arcwise.read(file)
    report = arcwise.check(file)
    assert report.codes["unnamed"] == report.codes["row-number"] == ["column 1"]
    assert report.codes["repeated-name"] == ["x (3)"]
    assert not report.options()  # no option gives a name
    data = by_recipe(file, report)
    assert data.names == ("x", "x (3)", "group")
    assert data.column("x").values.tolist() == NUMBERS.tolist()
    assert data.column("x (3)").values.tolist() == NUMBERS[::-1].tolist()
