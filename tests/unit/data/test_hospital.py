"""The hospital's table: every fault named by one check, and read in one run by the recipe, as it was meant."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import arcwise
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.findings import Report, Severity
from arcwise.data.recipe import Recipe
from arcwise.errors import DataError, OptionError

PLANTED = {
    "row-number": ["row"],
    "identifier": ["patient_id"],
    "hashed-id": ["record_key"],
    "date": ["admitted"],
    "time": ["admitted_at"],
    "constant": ["hospital"],
    "leading-zeros": ["ward"],
    "rare-levels": ["diagnosis"],
    "sentinel": ["age", "diastolic", "glucose"],
    "spelling": ["sex"],
    "copy": ["sex_code"],
    "missing-word": ["smoker"],
    "unit": ["weight", "temperature"],
    "near-copy": ["temperature_f"],
    "heaping": ["systolic"],
    "censored": ["crp"],
    "mixed-cells": ["lactate"],
    "zero-spike": ["insulin"],
    "decimal-comma": ["creatinine"],
    "mixed-notation": ["albumin"],
    "percent": ["oxygen", "ejection"],
    "thousands": ["charges", "deposit"],
    "free-text": ["note"],
    "empty": ["reserved"],
}
Checked = tuple[Path, Dataset, Report]


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    path = tmp_path_factory.mktemp("hospital") / "hospital.csv"
    clean = arcwise.datasets.hospital(path)
    return path, clean, arcwise.check(path)


def test_every_fault_is_named_by_its_code_and_column(checked: Checked) -> None:
    _, _, report = checked
    assert (report.n_rows, report.n_columns) == (3000, 30)
    found = report.codes
    assert set(found.pop("heavy-tail")) >= {"charges", "deposit"}
    assert found == PLANTED
    assert {finding.column for finding in report.of(Severity.SETTLE)} == {
        "weight", "crp", "lactate", "albumin", "ejection", "deposit",
    }  # fmt: skip


def test_without_the_recipe_one_error_names_the_columns(checked: Checked) -> None:
    path, _, _ = checked
    with pytest.raises(DataError, match=r"5 columns of hospital.csv cannot be read as they are: 'crp' \(") as caught:
        arcwise.read(path)
    assert str(caught.value).endswith(f"with: arcwise check {path}")
    assert "\n" not in str(caught.value)


def test_with_the_recipe_one_run_reads_what_was_meant(checked: Checked, tmp_path: Path) -> None:
    path, clean, report = checked
    report.save_recipe(tmp_path / "clean.toml")
    data = arcwise.read(path, recipe=tmp_path / "clean.toml")
    assert data.warnings == ()
    assert data.n_rows == 3000
    assert data.names == clean.names
    assert data.kinds == clean.kinds
    assert data.missing_counts() == clean.missing_counts()
    for mine, true in zip(data.columns, clean.columns, strict=True):
        assert mine.levels == true.levels
        if mine.kind is Kind.CONTINUOUS:
            np.testing.assert_allclose(mine.values, true.values, rtol=1e-9, err_msg=mine.name)
        else:
            np.testing.assert_array_equal(mine.values, true.values, err_msg=mine.name)


def test_the_options_of_the_report_say_the_same_as_its_recipe(checked: Checked) -> None:
    path, clean, report = checked
    reading: dict[str, list[str]] = {}
    for finding in report.findings:
        for flag, text in finding.options():
            reading.setdefault(flag, []).append(text)
    data = arcwise.read(path, **reading)  # type: ignore[arg-type]
    assert data.names == clean.names
    assert data.missing_counts() == clean.missing_counts()
    assert data.kinds == clean.kinds


def test_next_month_is_read_the_same_way(checked: Checked, tmp_path: Path) -> None:
    _, clean, report = checked
    later = tmp_path / "later.csv"
    arcwise.datasets.hospital(later, rows=400, seed=1)
    lines = later.read_text("utf-8").splitlines()
    header = lines[0].split(",")
    day, ill = header.index("admitted"), header.index("diagnosis")
    kept = [line for line in lines[1:] if line.split(",")[day][3:5] >= "03"]  # no day of the first two months
    assert all(line.split(",")[ill] for line in kept)
    later.write_text("\n".join([lines[0], *kept]) + "\n", "utf-8")
    data = arcwise.read(later, recipe=report.recipe)
    assert data.names == clean.names
    assert data.kinds == clean.kinds
    assert [column.levels for column in data.columns] == [column.levels for column in clean.columns]
    assert data.column("admitted").values.min() >= 59  # since the second of January, as in the first table


def test_the_recipe_can_be_written_and_read_back(checked: Checked, tmp_path: Path) -> None:
    _, _, report = checked
    report.save_recipe(tmp_path / "clean.toml")
    assert Recipe.load(tmp_path / "clean.toml") == report.recipe
    assert Recipe.from_dict(report.recipe.to_dict()) == report.recipe
    text = (tmp_path / "clean.toml").read_text("utf-8")
    assert '"patient_id",     # identifier: a different value in every row' in text
    assert "units = {kg = 1.0, lb = 0.45359237}" in text


def test_what_is_learned_makes_sense(checked: Checked) -> None:
    path, _, report = checked
    result = arcwise.learn(path, "equal-frequency", recipe=report.recipe, missing="drop")
    pairs = {frozenset(pair) for pair in (*result.cpdag.directed, *result.cpdag.undirected)}
    for pair in (("systolic", "diastolic"), ("crp", "lactate"), ("glucose", "insulin"), ("charges", "deposit")):
        assert frozenset(pair) in pairs


def test_a_hospital_needs_rows(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="at least 300 rows"):
        arcwise.datasets.hospital(tmp_path / "small.csv", rows=20)
