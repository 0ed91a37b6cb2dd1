"""Codes and large integers: a column declared discrete keeps its text, and what becomes one value is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import as_dataset, read, read_alike
from arcwise.errors import DataError

CODES = ("01234", "1234", "1234.0", "+1234")
LARGE = ("9007199254740992", "9007199254740993", "9007199254740994")
N = 60


def table(folder: Path, cells: tuple[str, ...], delimiter: str = ",") -> Path:
    path = folder / "t.csv"
    rows = [f"{cells[i % len(cells)]}{delimiter}{(i // len(cells)) % 2}\n" for i in range(N)]
    path.write_text(f"v{delimiter}k\n" + "".join(rows))
    return path


def cells_of(data: Dataset) -> list[str]:
    column = data.column("v")
    return [column.levels[code] for code in column.values]


@pytest.mark.parametrize(
    "cells", [CODES, LARGE, (*LARGE, "-1"), tuple(str(10**30 + i) for i in range(3)), ("1e3", "1000")]
)
def test_a_column_declared_discrete_keeps_its_text(tmp_path: Path, cells: tuple[str, ...]) -> None:
    data = read(table(tmp_path, cells), discrete=["v"])
    assert cells_of(data) == [cells[i % len(cells)] for i in range(N)]
    assert data.warnings == ()


def test_words_that_mean_missing_are_found_in_kept_text_as_numbers_too(tmp_path: Path) -> None:
    path = table(tmp_path, ("-99", "-99.00", "5", "6", "NA"))
    data = read(path, discrete="v", na=-99, missing="drop")
    assert data.column("v").levels == ("5", "6")
    assert data.n_rows == 24


@pytest.mark.parametrize(
    ("cells", "levels"), [(("1", "2", "3"), ("1", "2", "3")), (("1.0", "2.0"), ("1", "2")), (LARGE, LARGE)]
)
def test_numbers_that_are_not_declared_are_levels_as_before(
    tmp_path: Path, cells: tuple[str, ...], levels: tuple[str, ...]
) -> None:
    data = read(table(tmp_path, cells))
    assert data.column("v").levels == levels
    assert data.warnings == ()


def test_spellings_that_become_one_level_are_told(tmp_path: Path) -> None:
    data = read(table(tmp_path, ("1234", "1234.0", "+1234", "7")))
    assert data.column("v").levels == ("7", "1234")
    (sentence,) = data.warnings
    assert (
        "'v' writes the same number in different ways (such as '+1234' and '1234'), which became one level" in sentence
    )
    assert '--discrete v (discrete=["v"])' in sentence
    assert read(table(tmp_path, ("1234", "NA", "7")), missing="drop").warnings[1:] == ()


def test_levels_that_are_one_number_are_told(tmp_path: Path) -> None:
    data = read(table(tmp_path, CODES))
    assert set(data.column("v").levels) == set(CODES)
    assert "levels that are one number (such as '+1234' and '01234')" in data.warnings[0]
    frame = as_dataset({"v": ["1", "1.0", "2"] * 20, "k": [0, 0, 1, 1, 1] * 12})
    assert "'1' and '1.0'" in frame.warnings[0]


@pytest.mark.parametrize("first", [2**53, 2**63, 10**30])
def test_integers_that_no_float_tells_apart_are_told(tmp_path: Path, first: int) -> None:
    path = table(tmp_path, tuple(str(first + i) for i in range(30)))
    sentence = next(warning for warning in read(path).warnings if "2^53" in warning)
    assert f"(such as {first} and {first + 1})" in sentence
    assert "--discrete v" in sentence
    assert read(path).column("v").kind is Kind.CONTINUOUS
    assert not any("2^53" in warning for warning in read(path, continuous=["v"]).warnings)
    objects = pd.DataFrame({"v": pd.Series([first + i // 2 for i in range(N)], dtype=object), "k": [0, 1] * 30})
    if first < 10**30:
        assert any("2^53" in warning for warning in as_dataset(objects).warnings)
        assert len(set(as_dataset(objects, discrete=["v"]).column("v").levels)) == 30


def test_large_measurements_are_no_integers(tmp_path: Path) -> None:
    assert read(table(tmp_path, tuple(f"{1.5 + i}e20" for i in range(30)))).warnings == ()


def test_known_levels_are_found_in_text_as_numbers(tmp_path: Path) -> None:
    data = read_alike(table(tmp_path, ("1.0", "2", "+1")), {"v": ("1", "2"), "k": ("0", "1")})
    np.testing.assert_array_equal(data.column("v").values[:3], [0, 1, 0])
    exact = read_alike(table(tmp_path, CODES), {"v": CODES, "k": ("0", "1")})
    np.testing.assert_array_equal(exact.column("v").values[:4], [0, 1, 2, 3])


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (("999,0", "1.000"), "'999,0' in line 2 and '1.000' in line 3"),
        (("1.5", "2.5", "2,5"), "'1.5' in line 2 and '2,5' in line 4"),
        (("999.5", "1,000"), "'999.5' in line 2 and '1,000' in line 3"),
        (("12.345", "7", "0,5", "3"), "'12.345' in line 2 and '0,5' in line 4"),
        (("1 000,5", "1 000.5"), "'1 000,5' in line 2 and '1 000.5' in line 3"),
    ],
)
def test_commas_and_points_in_one_column_are_refused_with_both_lines(
    tmp_path: Path, cells: tuple[str, ...], found: str
) -> None:
    with pytest.raises(DataError) as caught:
        read(table(tmp_path, cells, ";"))
    assert f"'v' has both commas and points as marks in its numbers ({found})" in str(caught.value)
    assert read(table(tmp_path, cells, ";"), discrete=["v"]).column("v").cardinality == len(cells)
    rows = found.replace("line 2", "row 1").replace("line 3", "row 2").replace("line 4", "row 3")
    with pytest.raises(DataError) as caught:
        as_dataset({"v": [cells[i % len(cells)] for i in range(N)], "k": [0, 1] * 30})
    assert rows in str(caught.value)


def test_lines_are_counted_over_blank_lines_and_cells_of_several(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('\nv;k\n\n"1,5";a\n7;"two\nlines"\n1.5;a\n')
    with pytest.raises(DataError, match=r"'1,5' in line 4 and '1\.5' in line 7"):
        read(path)


@pytest.mark.parametrize(
    ("cells", "value"),
    [
        (("999,0", "1.000", "1.000,5"), 1000.0),
        (("999.5", "1,000", "1,000.5"), 1000.0),
        (("0,5", "1.000", "1.000.000"), 1000.0),
    ],
)
def test_a_cell_that_proves_what_marks_thousands_settles_it(
    tmp_path: Path, cells: tuple[str, ...], value: float
) -> None:
    data = read(table(tmp_path, cells, "\t"))
    assert data.column("v").values[1] == value
    assert data.decisions[0].reason.endswith("thousands marks left out")
