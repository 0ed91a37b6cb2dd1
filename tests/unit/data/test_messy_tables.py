"""Cells as people write them: read as they are meant, or named with the way out, never misread in silence."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.missing import MISSING_MARKERS
from arcwise.data.reading.delimited import MARKS
from arcwise.data.reading.door import as_dataset, read
from arcwise.data.sentinels import apart
from arcwise.errors import DataError

N = 60
RNG = np.random.default_rng(3)
AMOUNTS = RNG.uniform(800, 90_000, N).round(2)
SHARES = RNG.integers(0, 33, N) / 10


def table(folder: Path, cells: Sequence[Any], *, quoted: bool = False, delimiter: str = ",") -> Path:
    """A file with a column `v` of these cells and a column `k` of 0 and 1."""
    path = folder / "t.csv"
    with path.open("w", newline="") as file:
        file.write(f"v{delimiter}k\n")
        for i, cell in enumerate(cells):
            file.write(f'"{cell}"{delimiter}{i % 2}\n' if quoted else f"{cell}{delimiter}{i % 2}\n")
    return path


def both(folder: Path, cells: Sequence[Any]) -> list[Dataset]:
    """The same cells from a file, in quotes, and from a data frame of text."""
    frame = pd.DataFrame({"v": list(cells), "k": [i % 2 for i in range(len(cells))]})
    return [read(table(folder, cells, quoted=True)), as_dataset(frame), as_dataset(pl.from_pandas(frame))]


def warning_about(data: Dataset, *parts: str) -> str:
    found = [warning for warning in data.warnings if all(part in warning for part in parts)]
    assert len(found) == 1, data.warnings
    return found[0]


@pytest.mark.parametrize(
    ("write", "note"),
    [
        (lambda x: f"{x:,.2f}", "thousands marks left out"),
        (lambda x: f"${x:,.2f}", "the sign $ left out, thousands marks left out"),
        (lambda x: f"{x:,.2f}".translate(str.maketrans(",.", ".,")) + " €", "the sign € left out, thousands marks"),
        (lambda x: f"{x:,.2f}".replace(",", " "), "thousands marks left out"),
        (lambda x: f"{x:,.2f}".replace(",", "'"), "thousands marks left out"),
        (lambda x: f"-{x:,.2f}", "thousands marks left out"),
        (lambda x: f"{x:.2f} %", "percent signs left out"),
        (lambda x: f"{x:.2f} kg", "the unit kg left out"),
        (lambda x: f"{x:.2f}°C", "the unit °C left out"),
        (lambda x: f"{x:.2f}".replace(".", ","), "decimal commas"),
    ],
    ids=[
        "commas",
        "dollars",
        "euros",
        "blanks",
        "apostrophes",
        "negative",
        "percent",
        "unit",
        "degrees",
        "decimal commas",
    ],
)
def test_marks_in_numbers_are_understood_and_logged(tmp_path: Path, write: Any, note: str) -> None:
    cells = [write(x) for x in AMOUNTS]
    sign = -1 if cells[0].startswith("-") else 1
    for data in both(tmp_path, cells):
        assert data.column("v").kind is Kind.CONTINUOUS
        np.testing.assert_array_equal(data.column("v").values, sign * AMOUNTS)
        assert data.decisions[0].reason.startswith("numbers with fractions, " + note)
        assert data.warnings == ()


def test_percent_with_few_values_is_no_column_of_levels(tmp_path: Path) -> None:
    for data in both(tmp_path, [f"{x:.1f}%" for x in SHARES]):
        assert data.column("v").kind is Kind.CONTINUOUS
        assert data.decisions[0].reason == "numbers with fractions, percent signs left out"


def test_whole_numbers_with_thousands_marks(tmp_path: Path) -> None:
    for data in both(tmp_path, [f"{int(1000 * x):,}" for x in AMOUNTS]):
        np.testing.assert_array_equal(data.column("v").values, (1000 * AMOUNTS).astype(int))


def test_one_comma_may_mean_two_things(tmp_path: Path) -> None:
    cells = [f"{int(x) + 1000:,}" for x in AMOUNTS]
    path = table(tmp_path, cells, quoted=True)
    for source in (path, {"v": cells, "k": [0, 1] * 30}):
        with pytest.raises(DataError, match=r"'v' has cells such as '.*,\d\d\d' whose comma may mark decimals or"):
            as_dataset(source)
        assert as_dataset(source, discrete=["v"]).column("v").levels[0] == min(cells)
    decimals = read(table(tmp_path, cells, delimiter=";"))
    assert decimals.column("v").values.max() < 1000


def test_different_ways_of_writing_are_an_error_that_shows_both(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"'v' holds numbers that are written in different ways \(such as '0.0' and"):
        read(table(tmp_path, [f"{x}%" if x else f"{x}" for x in [0.0, *SHARES]]))


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([f"({x:,.2f})" for x in AMOUNTS], "numbers with something beside them"),
        ([f"{x} puffs" for x in AMOUNTS], "numbers with something beside them"),
    ],
)
def test_what_cannot_be_read_is_not_called_an_identifier(tmp_path: Path, cells: list[str], words: str) -> None:
    with pytest.raises(DataError, match=words) as caught:
        read(table(tmp_path, cells, quoted=True))
    assert "identifier" not in str(caught.value)
    few = read(table(tmp_path, [cells[i % 15] for i in range(N)], quoted=True))
    assert "15 levels" in warning_about(few, words, "--drop v")


def test_dates_are_left_out_unless_they_are_asked_for(tmp_path: Path) -> None:
    cells = [f"2021-{1 + i % 12:02d}-{1 + i // 12:02d}" for i in range(N)]
    path = table(tmp_path, cells)
    data = read(path)
    assert data.names == ("k",)
    assert warning_about(data, "'v'", "dates or times", "left out", "--dates v")
    few = read(table(tmp_path, [cells[i % 15] for i in range(N)]))
    assert "15 levels" in warning_about(few, "dates or times", "--drop v")


def test_leading_zeros_make_codes(tmp_path: Path) -> None:
    codes = ["01234", "00501", "20095"] * 20
    data = read(table(tmp_path, codes))
    assert data.column("v").levels == ("00501", "01234", "20095")
    assert data.decisions[0].reason == "codes with leading zeros, 3 distinct values"
    numbers = read(table(tmp_path, codes), continuous=["v"])
    assert numbers.column("v").values[0] == 1234
    many = read(table(tmp_path, [f"{i % 15:03d}" for i in range(N)]))
    assert warning_about(many, "'v' holds codes with leading zeros (such as '000')", "15 levels", "--continuous v")
    assert many.decisions[0].doubtful
    path = table(tmp_path, [f"{i:05d}" for i in range(N)])
    words = "60 distinct text values in 60 rows that are all numbers with leading zeros, left out"
    assert warning_about(read(path), words, "--continuous v", "--discrete v")
    assert read(path, discrete="v").column("v").levels[1] == "00001"


@pytest.mark.parametrize("cells", [["0", "1"] * 30, ["0.0", "1.0"] * 30, ["0.5", "05.5"] * 30, ["-0", "10"] * 30])
def test_other_zeros_are_numbers(tmp_path: Path, cells: list[str]) -> None:
    assert set(read(table(tmp_path, cells)).column("v").levels) <= {"0", "1", "10"}


@pytest.mark.parametrize("start", [1001, 5])
def test_a_counter_looks_like_an_identifier(start: int) -> None:
    data = as_dataset({"v": RNG.permutation(N) + start, "k": [0, 1] * 30})
    sentence = warning_about(data, "'v'", "looks like an identifier")
    assert f"each of {N} rows ({start} to {start + N - 1})" in sentence
    assert '--drop v (drop=["v"])' in sentence
    assert as_dataset({"v": np.arange(N) + start, "k": [0, 1] * 30}, continuous=["v"]).warnings == ()


def test_whole_numbers_in_a_wide_range_are_measurements_unless_they_are_called_an_identifier() -> None:
    values = RNG.choice(10**6, N, replace=False)
    assert as_dataset({"income": values, "k": [0, 1] * 30}).warnings == ()
    for name in ("id", "patient_id", "Patient ID", "key", "Unnamed: 0"):
        data = as_dataset({name: values, "k": [0, 1] * 30})
        assert data.names == ("k",)
        assert warning_about(data, repr(name), "identifier, left out", "--continuous")
    for name in ("paid", "humid", "monkey"):
        assert as_dataset({name: values, "k": [0, 1] * 30}).warnings == ()


@pytest.mark.parametrize("word", ["#N/A", "#DIV/0!", "<NA>", "n/a", "Null", "-nan"])
def test_what_spreadsheets_and_programs_write_for_nothing(tmp_path: Path, word: str) -> None:
    for cells in (["1.5", "2.5", word] * 20, ["a", "b", word] * 20):
        path = table(tmp_path, cells)
        assert read(path).missing_counts() == {"v": 20}
        with pytest.raises(DataError, match=r"missing values in 'v' \(20\)"):
            read(path, missing="error")


@pytest.mark.parametrize(
    ("values", "codes", "rest"),
    [
        ([3.5, 7.25, -99.0, 12.0], [-99.0], (3.5, 12.0)),
        ([0.0, 400.0, -9.0], [-9.0], (0.0, 400.0)),
        ([20.0, 71.0, 999.0], [999.0], (20.0, 71.0)),
        ([1.0, 5.0, 9.0], [9.0], (1.0, 5.0)),
        ([0.0, 5.0, -9.0, -99.0], [-99.0, -9.0], (0.0, 5.0)),
        ([1.0, 5.0, 99.0, 9999.0], [9999.0, 99.0], (1.0, 5.0)),
        ([-1.5, 0.5, -99.0], [-99.0], (-1.5, 0.5)),
        ([20.0, 95.0, 99.0], [], None),
        ([-12.0, -9.0, 5.0], [], None),
        ([-20.0, 30.0, -9.0], [], None),
        ([1.0, 8.0, 9.0], [], None),
        ([5.0, 9.0], [], None),
        ([9.0, 9.0], [], None),
        ([np.nan, -9.0], [-9.0], None),
        ([np.nan, -9.0, 4.0], [], None),
        ([np.nan], [], None),
        ([], [], None),
    ],
)
def test_numbers_that_stand_apart(values: list[float], codes: list[float], rest: tuple[float, float] | None) -> None:
    assert apart(np.array(values)) == (rest, codes)


def test_sentinels_are_flagged_with_their_rows_and_not_removed(tmp_path: Path) -> None:
    ages = [18 + (7 * i) % 71 for i in range(N)]
    ages[4] = ages[9] = -99
    path = table(tmp_path, ages)
    data = read(path)
    assert data.n_rows == N
    assert warning_about(data, "'v'", "-99 in 2 rows", "(18 to ") == (
        f"column 'v' has -99 in 2 rows, apart from its other values (18 to {max(ages)}); if that means missing, say so "
        'with --na v=-99 (na={"v": ["-99"]})'
    )
    for na in (["-99"], -99, ["v=-99"], {"v": [-99]}, {"v": "-99"}, [-99.0]):
        with pytest.raises(DataError, match=r"missing values in 'v' \(2\)"):
            read(path, na=na, missing="error")
        kept = read(path, na=na)
        assert kept.missing_counts() == {"v": 2}
        assert np.flatnonzero(np.isnan(kept.column("v").values)).tolist() == [4, 9]
        assert not any("-99" in warning for warning in kept.warnings)
        dropped = read(path, na=na, missing="drop")
        assert dropped.n_rows == N - 2
        assert not any("-99" in warning for warning in dropped.warnings)
    with pytest.raises(DataError, match="named in na"):
        read(path, na={"w": [-99]})


def test_sentinels_among_levels(tmp_path: Path) -> None:
    assert warning_about(read(table(tmp_path, [0, 1, 2, -9] * 15)), "'v' has -9 in 15 rows", "(0 to 2)")
    assert warning_about(read(table(tmp_path, ["F", "M", "-9"] * 20)), "'v' has -9 in 20 rows", "its other levels")
    categories = as_dataset({"v": pd.Categorical(["a", "?", "b"] * 20), "k": [0, 1] * 30}, na="?", missing="drop")
    assert categories.column("v").levels == ("a", "b")


def test_levels_that_differ_in_spelling_only(tmp_path: Path) -> None:
    sexes = read(table(tmp_path, ["F", "Female", "f", "M"] * 15))
    sentence = warning_about(sexes, "'v'", "'F' and 'f'", "'F' for 'Female'", "--drop v")
    assert "differ in case or spaces only" in sentence
    assert warning_about(read(table(tmp_path, ["Public", "public", "Private"] * 20)), "'Public' and 'public'")
    spaced = as_dataset({"v": ["self-employed", "self employed", "self employed "] * 20, "k": [0, 1] * 30})
    assert warning_about(spaced, "'self employed' and 'self employed ' and 'self-employed'")
    many = as_dataset({"v": [f"{c}{i}" for i in range(5) for c in "abAB" for _ in range(3)], "k": [0, 1] * 30})
    assert "and 7 more" in warning_about(many, "'v'")


@pytest.mark.parametrize("levels", [["A", "B", "AB", "O"], ["1", "1.5", "2"], ["low", "high", "mid"], ["N", "NEN"]])
def test_levels_that_are_different(tmp_path: Path, levels: list[str]) -> None:
    assert as_dataset({"v": (levels * 30)[:N], "k": [0, 0, 1, 1, 1] * 12}).warnings == ()


def test_quotes_make_text_of_missing_words(tmp_path: Path) -> None:
    """As R writes a factor with a level "None" and a value that is not there: the one in quotes, the other not."""
    path = tmp_path / "r.csv"
    rows = ['"None",1.5,"x"', '"Mild",NA,"NA"', 'NA,2.5,"y"', '"Mild",0.5,NA']
    path.write_text('"accident","cost","NA"\n' + "\n".join(rows * 15) + "\n")
    with pytest.raises(DataError, match=r"missing values in 'accident' \(15\), 'cost' \(15\), 'NA' \(15\)"):
        read(path, missing="error")
    kept = read(path)
    assert kept.missing_counts() == {"accident": 15, "cost": 15, "NA": 15}
    assert kept.column("NA").levels == ("NA", "x", "y")
    data = read(path, missing="drop")
    assert data.names == ("accident", "cost", "NA")
    assert data.n_rows == 15
    states = read(path, missing="state", drop=["cost"])
    assert states.column("accident").levels == ("Mild", "None", "missing")
    assert states.column("NA").levels == ("NA", "x", "y", "missing")
    assert np.bincount(states.column("NA").values).tolist() == [15, 15, 15, 15]
    assert warning_about(states, "'accident' has 'None' in 15 rows, read as text", "--na accident=None")
    with pytest.raises(DataError, match=r"'accident' \(30\)"):
        read(path, na="None", missing="error")
    assert read(path, na="None").missing_counts()["accident"] == 30


@pytest.mark.parametrize("marker", sorted(MISSING_MARKERS - {""}))
def test_every_missing_word_can_be_a_level(tmp_path: Path, marker: str) -> None:
    data = read(table(tmp_path, [marker, "a", "b"] * 20, quoted=True))
    assert set(data.column("v").levels) == {marker, "a", "b"}
    assert warning_about(data, "'v' has", f"{marker!r} in 20 rows")
    alone = read(table(tmp_path, [marker] * N, quoted=True))
    assert alone.column("v").levels == (marker,)


def test_quotes_say_nothing_in_a_column_of_numbers(tmp_path: Path) -> None:
    for cells in (["1.5", "NA", "2.5"], ["1,234.5", "NA", "999.25"]):
        with pytest.raises(DataError, match=r"missing values in 'v' \(20\)"):
            read(table(tmp_path, cells * 20, quoted=True), missing="error")
        kept = read(table(tmp_path, cells * 20, quoted=True))
        assert kept.column("v").kind is Kind.CONTINUOUS
        assert kept.missing_counts() == {"v": 20}


def test_an_empty_cell_is_missing_with_quotes_or_without(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"missing values in 'v' \(20\)"):
        read(table(tmp_path, ["", "a", "b"] * 20, quoted=True), missing="error")
    assert read(table(tmp_path, ["", "a", "b"] * 20, quoted=True)).missing_counts() == {"v": 20}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_quoted_words_beside_awkward_cells(tmp_path: Path, delimiter: str) -> None:
    """Quotes, delimiters and line ends inside cells do not shift what counts as quoted."""
    cells = ["None", f'a{delimiter}"None"{delimiter}b', "two\nlines", 'None"', "None of it", MARKS[0] + "x"]
    path = tmp_path / "t.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        writer.writerow(["v", "w", "k"])
        writer.writerows([[cell, cells[-1 - i % 6], i % 2] for i, cell in enumerate(cells * 10)])
    data = read(path)
    assert set(data.column("v").levels) == set(cells)
    assert [data.column("v").levels[code] for code in data.column("v").values] == cells * 10
    spaced = tmp_path / "s.csv"
    spaced.write_text("v, w\n" + '"a", "None"\n"b", "c"\n' * 10)
    assert read(spaced).column("w").levels == ("None", "c")


def test_text_of_a_data_frame_is_text(tmp_path: Path) -> None:
    frame = pl.DataFrame({"v": ["NA", "a", "-"] * 20, "w": ["NA", "b", "-"] * 20, "k": [0, 1] * 30})
    frame.write_parquet(tmp_path / "t.parquet")
    for data in (as_dataset(frame), read(tmp_path / "t.parquet")):
        assert data.column("v").levels == ("-", "NA", "a")
        sentence = warning_about(data, "columns 'v' (40 rows), 'w' (40 rows) have '-' and 'NA', read as text")
        assert '--na - --na NA (na=["-", "NA"])' in sentence
    assert as_dataset(frame, na=["-", "NA"], missing="drop").n_rows == 20


def test_words_in_a_column_of_numbers_can_be_called_missing(tmp_path: Path) -> None:
    cells = [f"{x}" if i % 2 else "-" for i, x in enumerate(AMOUNTS)]
    path = table(tmp_path, cells)
    with pytest.raises(
        DataError, match=r"'v' holds numbers except in 30 of 60 cells .*--na v=- \(na=\{\"v\": \[\"-\"\]\}"
    ):
        read(path)
    data = read(path, na="-", missing="drop")
    assert data.column("v").kind is Kind.CONTINUOUS
    assert data.n_rows == 30


def test_a_dataset_can_be_read_anew() -> None:
    data = as_dataset({"v": [1, 2, 3, -9] * 15, "x": AMOUNTS, "id": RNG.permutation(N), "k": ["a", "b"] * 30},
                      continuous="id")  # fmt: skip
    assert len(data.warnings) == 1
    again = as_dataset(data, continuous=["v"], drop=["id"])
    assert again.names == ("v", "x", "k")
    assert again.column("v").kind is Kind.CONTINUOUS
    assert not any("'id'" in warning for warning in again.warnings)
    assert as_dataset(data, na={"v": [-9]}, missing="drop").n_rows == 45
    assert as_dataset(data, na={"v": [-9]}, missing="drop").column("v").levels == ("1", "2", "3")
    assert as_dataset(data, missing="drop") is data
