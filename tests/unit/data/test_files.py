"""Reading files: every format and delimiter, and every way in which a file can be bad."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.missing import MISSING_MARKERS
from arcwise.data.reading.door import read
from arcwise.data.reading.files import ARROW_SUFFIXES, PARQUET_SUFFIXES, TEXT_SUFFIXES
from arcwise.errors import ArcwiseError, DataError, FileError

HEADER = ("grade", "weight", "colour")
ROWS = [(str(i % 3), f"{i * 0.37 + 0.5:.2f}", ("red", "blue")[i % 2]) for i in range(12)]


def table_text(delimiter: str = ",", rows: list[tuple[str, ...]] = ROWS, header: tuple[str, ...] = HEADER) -> str:
    return "".join(delimiter.join(cells) + "\n" for cells in [header, *rows])


def write(folder: Path, content: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def error_of(path: Path, kind: type[ArcwiseError], **options: object) -> str:
    with pytest.raises(kind) as caught:
        read(path, **options)  # type: ignore[arg-type]
    message = str(caught.value)
    assert "\n" not in message
    return message


def assert_is_the_table(data: Dataset) -> None:
    assert data.names == HEADER
    assert data.kinds == (Kind.DISCRETE, Kind.CONTINUOUS, Kind.DISCRETE)
    assert data.column("grade").levels == ("0", "1", "2")
    assert data.column("colour").levels == ("blue", "red")
    np.testing.assert_array_equal(data.column("weight").values, [float(row[1]) for row in ROWS])
    np.testing.assert_array_equal(data.column("grade").values, [int(row[0]) for row in ROWS])
    np.testing.assert_array_equal(data.column("colour").values, [int(row[2] == "red") for row in ROWS])


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("suffix", TEXT_SUFFIXES)
def test_every_delimiter_under_every_text_suffix(tmp_path: Path, delimiter: str, suffix: str) -> None:
    content = table_text(delimiter).encode()
    path = write(tmp_path, gzip.compress(content, mtime=0) if suffix.endswith(".gz") else content, f"table{suffix}")
    assert_is_the_table(read(path))
    assert_is_the_table(read(str(path)))


@pytest.mark.parametrize("suffix", [*PARQUET_SUFFIXES, *ARROW_SUFFIXES])
def test_binary_formats(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame(
        {"grade": [int(r[0]) for r in ROWS], "weight": [float(r[1]) for r in ROWS], "colour": [r[2] for r in ROWS]}
    )
    path = tmp_path / f"TABLE{suffix.upper()}"
    frame.write_parquet(path) if suffix in PARQUET_SUFFIXES else frame.write_ipc(path)
    assert_is_the_table(read(path))
    assert read(path, drop=["weight"]).names == ("grade", "colour")


def test_arrow_stream(tmp_path: Path) -> None:
    path = tmp_path / "table.arrow"
    pl.DataFrame({"a": [0, 1, 0, 1], "b": ["x", "y", "y", "x"]}).write_ipc_stream(path)
    assert read(path).names == ("a", "b")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\n\n" + text + "\n\n",
        lambda text: text.replace("\n", "\n\n").replace("grade,weight,colour\n\n", "grade,weight,colour\n"),
        lambda text: text.replace(",", " ,  ").replace("\n", " \n"),
        lambda text: text.replace("red", '"red"').replace("colour", '"colour"'),
        lambda text: text.replace(",red", ', "red"'),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("2,", "2 , ", 1) + "   \n",
    ],
    ids=["bom", "crlf", "cr", "blank ends", "blank lines", "padded", "quoted", "space quote", "no end", "space line"],
)
def test_harmless_variations_do_not_matter(tmp_path: Path, change: object) -> None:
    assert_is_the_table(read(write(tmp_path, change(table_text()))))  # type: ignore[operator]


def test_quoted_cells_may_hold_delimiters_quotes_and_line_ends(tmp_path: Path) -> None:
    cells = ['"a,b"', '"say ""hi"""', '"two\nlines"']
    text = '"the, name",k\n' + "".join(f"{cells[i % 3]},{i % 2}\n" for i in range(12))
    data = read(write(tmp_path, text))
    assert data.names == ("the, name", "k")
    assert data.columns[0].levels == ("a,b", 'say "hi"', "two\nlines")


def test_decimal_comma_in_a_semicolon_file(tmp_path: Path) -> None:
    assert_is_the_table(read(write(tmp_path, table_text(";").replace(".", ","))))


def test_decimal_comma_keeps_dirt_visible(tmp_path: Path) -> None:
    text = table_text(";").replace(".", ",") + "1;12,5 kg;red\n"
    message = error_of(write(tmp_path, text), DataError)
    assert "'weight'" in message
    assert "row 13" in message
    assert "kg" in message


def test_a_comma_for_thousands_is_not_guessed(tmp_path: Path) -> None:
    rows = [(str(i % 3), f'"{i + 1},{i + 200}"', "ab"[i % 2]) for i in range(12)]
    message = error_of(write(tmp_path, table_text(rows=rows)), DataError)
    assert "'weight'" in message
    assert "'1,200'" in message
    assert "--thousands weight=comma" in message
    assert "--decimal weight=comma" in message


@pytest.mark.parametrize("marker", sorted(MISSING_MARKERS))
@pytest.mark.parametrize("column", [0, 1, 2])
def test_missing_markers_in_any_column(tmp_path: Path, marker: str, column: int) -> None:
    cells = list(ROWS[3])
    cells[column] = marker
    rows = [*ROWS, tuple(cells)]
    path = write(tmp_path, table_text(rows=rows))
    kept = read(path)
    assert kept.missing_counts() == {HEADER[column]: 1}
    missing = kept.columns[column].missing
    assert missing is not None
    assert np.flatnonzero(missing).tolist() == [12]
    assert_is_the_table(kept.complete_rows())
    assert not any("missing" in warning for warning in kept.warnings)
    message = error_of(path, DataError, missing="error")
    assert f"'{HEADER[column]}' (1)" in message
    for remedy in ("--missing drop", "--missing state", "--missing learn", "fill"):
        assert remedy in message
    dropped = read(path, missing="drop")
    assert_is_the_table(dropped)
    assert any("dropped 1 of 13 rows" in warning for warning in dropped.warnings)


def test_kinds_can_be_declared_and_columns_dropped(tmp_path: Path) -> None:
    path = write(tmp_path, table_text())
    data = read(path, continuous=["grade"], discrete=["weight"], drop=["colour"])
    assert data.kinds == (Kind.CONTINUOUS, Kind.DISCRETE)
    assert data.column("weight").cardinality == 12
    assert {d.reason for d in data.decisions} == {"declared"}


@pytest.mark.parametrize(
    ("name", "content", "kind", "parts"),
    [
        ("t.csv", "", DataError, ["t.csv", "empty"]),
        ("t.csv", " \n\n ", DataError, ["t.csv", "empty"]),
        ("t.csv", "a,b\n", DataError, ["t.csv", "no rows"]),
        ("t.csv", "a,b\n1,2\n", DataError, ["t.csv", "only one row"]),
        ("t.csv", "a,b,a\n1,2,3\n4,5,6\n", DataError, ["'a'", "columns 1 and 3", "rename"]),
        ("t.csv", "a, ,c\n1,2,3\n4,5,6\n", DataError, ["column 2", "no name"]),
        ("t.csv", "1,2\n3,4\n5,6\n", DataError, ["first line of t.csv looks like data", "header"]),
        ("t.csv", "M,0.45,0.3\nF,0.5,0.2\n", DataError, ["first line of t.csv looks like data", "'0.45'"]),
        ("t.csv", "a,b\n1,2\n3\n", FileError, ["line 3 of t.csv", "1 cell ", "header has 2"]),
        ("t.csv", "a,b\n1,2\n3,4,5\n", FileError, ["line 3 of t.csv", "3 cells"]),
        ("t.csv", 'a,b\n"x,y",2\n3\n', FileError, ["line 3 of t.csv"]),
        ("t.csv", "a,b\n1,2,3\n2,4,5\n", FileError, ["line 2 of t.csv", "numbers the rows"]),
        ("t.csv", 'a,b\n1,2\n3,"4\n5,6\n', FileError, ["line 3 of t.csv", "quote"]),
        ("t.csv", "a|b\n1|2\n3|4\n", FileError, ["vertical bars", "commas"]),
        ("t.txt", "a  b\n1  2\n3  4\n", FileError, ["spaces", "commas"]),
        ("t.csv", "a,b\n1,é\n".encode("latin-1"), FileError, ["t.csv", "UTF-8", "line 2"]),
        ("t.csv", "a,b\n1,2\n".encode("utf-16"), FileError, ["t.csv", "UTF-8"]),
        ("t.csv.gz", b"not gzip", FileError, ["t.csv.gz", "gzip"]),
        ("t.csv.gz", gzip.compress(b"a,b\n1,2\n3,4\n" * 50, mtime=0)[:-12], FileError, ["t.csv.gz", "gzip"]),
        ("t.xlsx", b"PK", FileError, ["t.xlsx", ".csv", ".parquet", ".feather"]),
        ("t.parquet", b"abc", FileError, ["t.parquet", "Parquet"]),
        ("t.arrow", b"abc", FileError, ["t.arrow", "Arrow"]),
    ],
)
def test_bad_files(tmp_path: Path, name: str, content: str | bytes, kind: type[ArcwiseError], parts: list[str]) -> None:
    message = error_of(write(tmp_path, content, name), kind)
    for part in parts:
        assert part in message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, table_text(), "patients.csv")
    assert "did you mean" in error_of(tmp_path / "patient.csv", FileError)
    assert "does not exist" in error_of(tmp_path / "nowhere" / "zz.csv", FileError)
    assert error_of(tmp_path / "quite-another.csv", FileError).endswith("check the path")


def test_a_folder(tmp_path: Path) -> None:
    assert "is a folder" in error_of(tmp_path, FileError)


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, table_text())

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("arcwise.data.reading.files.os.open", refuse)
    message = error_of(path, FileError)
    assert "table.csv" in message
    assert "Permission denied" in message


def test_text_tables_and_frames_agree(tmp_path: Path) -> None:
    frame = pl.DataFrame({"i": [3, 1, 2] * 5, "x": [0.1 * i for i in range(15)], "t": ["b", "a", "ü"] * 5})
    frame.write_csv(tmp_path / "t.csv")
    from_file, from_memory = read(tmp_path / "t.csv"), Dataset.from_frame(frame)
    for one, other in zip(from_file.columns, from_memory.columns, strict=True):
        assert (one.name, one.kind, one.levels) == (other.name, other.kind, other.levels)
        np.testing.assert_array_equal(one.values, other.values)


def test_one_column_keeps_blank_lines_as_missing_cells(tmp_path: Path) -> None:
    path = write(tmp_path, "k\n1\n\n2\n1\n2\n1\n")
    assert "'k' (1)" in error_of(path, DataError, missing="error")
    kept = read(path)
    assert kept.column("k").missing.tolist() == [False, True, False, False, False, False]  # type: ignore[union-attr]
    assert kept.warnings[-1] == "1 row has no recorded cell and says nothing"
    assert read(path, missing="drop").n_rows == 5


@pytest.mark.slow
def test_thousands_of_columns_at_full_precision(tmp_path: Path) -> None:
    """The first lines have more than 128 KiB each, which is more than the csv module takes for a cell."""
    values = np.random.default_rng(0).normal(size=(5, 8000))
    lines = [",".join(f"{value:.17g}" for value in row) for row in values]
    assert min(map(len, lines)) > 2**17
    names = [f"expression of gene {i}" for i in range(8000)]
    for header in (",".join(names), ",".join(f'"{name}"' for name in names)):
        data = read(write(tmp_path, "\n".join([header, *lines])))
        assert data.names == tuple(names)
        np.testing.assert_array_equal([column.values for column in data.columns], values.T)


def test_a_cell_of_more_than_128_kib(tmp_path: Path) -> None:
    text = "a,b\n" + "".join(f'"{"long, " * 30_000}{i}",{i % 2}\n' for i in range(4))
    assert read(write(tmp_path, text), drop=["a"]).n_rows == 4


def test_every_line_ends_in_a_delimiter(tmp_path: Path) -> None:
    for end in (",", ",,", ", ,"):
        data = read(write(tmp_path, table_text().replace("\n", end + "\n")))
        assert_is_the_table(data)
        (note,) = data.warnings
        assert "of table.csv" in note
        assert "neither a name nor a cell, since every line ends in a comma; left out" in note
    values = table_text().replace("\n", ",1\n").replace("colour,1", "colour,")
    assert "column 4 of table.csv has no name" in error_of(write(tmp_path, values), DataError)


@pytest.mark.parametrize(
    ("name", "content", "parts"),
    [
        ("t.csv", "a,b\n1,2\n3,4,", ["line 3 of t.csv has 3 cells", "ends in a delimiter that the header has not"]),
        ("t.csv", "a,b\n1,2,\n3,4,\n", ["line 2 of t.csv has 3 cells", "ends in a delimiter that the header has not"]),
        ("t.csv", 'a,b\n"1",2\n3,4,\n', ["line 3 of t.csv has 3 cells", "ends in a delimiter"]),
        ("t.tsv", "a\tb\tc\n1\t2\t3\n\t\n2\t3\t4\n", ["line 3 of t.tsv has 2 cells where the header has 3"]),
        ("t.csv", "\n  \n\na,b\n1,2\n3\n", ["line 6 of t.csv has 1 cell "]),
        ("t.csv", b"\n\na,b\n1,2\n3,\xe9\n", ["(line 5)"]),
    ],
)
def test_delimiters_and_blank_lines_in_odd_places(
    tmp_path: Path, name: str, content: str | bytes, parts: list[str]
) -> None:
    message = error_of(write(tmp_path, content, name), ArcwiseError)
    for part in parts:
        assert part in message


def test_a_line_of_nothing_but_delimiters(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b\n1,2\n3,4\n,")
    assert "missing values in 'a' (1), 'b' (1)" in error_of(path, DataError, missing="error")
    kept = read(path)
    assert kept.missing_counts() == {"a": 1, "b": 1}
    assert "1 row has no recorded cell and says nothing" in kept.warnings


def test_a_blank_line_of_a_tab_table(tmp_path: Path) -> None:
    data = read(write(tmp_path, "a\tb\n1\t2\n \n\n2\t1\n1\t1\n2\t2\n", "t.tsv"))
    assert data.n_rows == 4


def test_names_of_300_characters(tmp_path: Path) -> None:
    names = tuple(letter * 300 for letter in "ab")
    data = read(write(tmp_path, table_text(header=(*names, "c"))), drop=names[0])
    assert data.names == (names[1], "c")


def test_white_space_around_cells_does_not_depend_on_other_cells(tmp_path: Path) -> None:
    for blank in ("\u00a0", "\f", "\u2003"):
        assert_is_the_table(read(write(tmp_path, table_text().replace(",red", f",{blank}red"))))


def test_the_suffix_settles_a_choice_between_delimiters(tmp_path: Path) -> None:
    text = "x,y\tz\n" + "1,5\t2\n3,5\t4\n" * 6
    assert read(write(tmp_path, text, "t.tsv")).names == ("x,y", "z")
    assert read(write(tmp_path, text, "t.csv"), discrete=["y\tz"]).names == ("x", "y\tz")
