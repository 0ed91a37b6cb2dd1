"""Quotes in text tables: rows are counted without the parser, and none is lost in silence."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from arcwise.data.reading import delimited
from arcwise.data.reading.delimited import parse
from arcwise.data.reading.door import read
from arcwise.data.reading.records import find_quotes
from arcwise.errors import FileError

ROWS = [f"{i % 7},{i * 0.25},{'ab'[i % 2]}" for i in range(191)]


def with_rows(header: str, **changed: str) -> bytes:
    """The table with some of its lines changed; line2 is the first row."""
    rows = list(ROWS)
    for line, row in changed.items():
        rows[int(line.removeprefix("line")) - 2] = row
    return ("\n".join([header, *rows]) + "\n").encode()


def error_of(content: bytes) -> str:
    with pytest.raises(FileError) as caught:
        parse(content, "t.csv")
    return str(caught.value)


def test_a_quote_in_the_header_and_one_in_the_data_lose_no_row(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(with_rows('a,b,height 6"', line152='3,0.5,height 6"'))
    data = read(path)
    assert data.n_rows == 191
    assert data.names == ("a", "b", 'height 6"')
    assert data.columns[2].levels == ("a", "b", 'height 6"')


@pytest.mark.parametrize("header", ['a,b,height 6"', "a,b,height"])
def test_a_quote_that_may_join_lines_is_an_error_that_names_them(header: str) -> None:
    bare = {} if '"' in header else {"line152": '3,0.5,6"'}
    message = error_of(with_rows(header, line22='3,0.5,"tall', line32='3,0.5,short"', **bare))
    assert "line 22 of t.csv opens a quoted cell that ends in line 32" in message
    assert f"line {152 if bare else 1} has a quote inside a cell without quotes" in message
    assert "double" in message


def test_lines_that_a_quoted_cell_joins_are_told_if_they_look_like_rows() -> None:
    table = parse(
        with_rows("a,b,c", line22='3,0.5,"tall', line32='3,0.5,short"', line50='3,0.5,"x', line51='0,1,y"'), "t"
    )
    assert table.cells.height == 191 - 10 - 1
    (note,) = table.notes
    assert "lines 22 to 32 of t are read as one row" in note
    assert "1 other quoted cell" in note
    assert table.line(20) == 22
    assert table.line(21) == 33
    assert parse(b'a,b\n1,"two\nlines"\n2,"x\ny\nz"\n', "t").notes == ()


@pytest.mark.parametrize(
    ("line", "content"),
    [
        (3, b'a,b\n1,x\n2,"y\n3,z\n'),
        (2, b'a,b\n1,"x"y\n2,z\n'),
        (4, b'\n\na,b\n1,"x""\n2,z\n'),
        (3, b'a,b\n1,say "hi"\n2,"x" y\n'),
        (2, b'a,b\n1,"say \\"hi\\""\n2,x\n'),
    ],
)
def test_quotes_that_do_not_pair_up_are_named_by_line(line: int, content: bytes) -> None:
    assert f"line {line} of t.csv has a quoted cell that is not closed or is followed by text" in error_of(content)


@pytest.mark.parametrize(
    "content",
    [
        b' "x",b\n "y",1\n "z", "w"\n',
        b'a,b\n "x",1\n "y",2\n',
        b'"a" , "b" \n"x" ,1\n   "y, ""z"""   ,2\n',
        b'a,b\n5" 4,"6"\n"5"" 4",6"\n',
        b'a,b\n"","""",\n"""","a"""\n'.replace(b'""",\n', b'"""\n'),
        b'a\n"x"\n""\n"y"\n',
        b'a,b\n"1\n2","\n"\n3,"4,\n5"\n',
    ],
)
def test_spaces_doubled_and_bare_quotes_are_read_as_the_csv_module_reads_them(content: bytes) -> None:
    table = parse(content, "t.csv")
    records = list(csv.reader(io.StringIO(content.decode(), newline=""), skipinitialspace=True))
    rows = zip(*(column.to_list() for column in table.cells.get_columns()), strict=True)
    ours = [table.names, *(tuple(cell or "" for cell in row) for row in rows)]
    assert ours == [tuple(cell.strip() for cell in record) for record in records]


def test_every_quote_is_found_in_one_sweep_or_one_by_one() -> None:
    text = b'a,"b ""c"" d"\n"x","",6"\n'
    quotes = find_quotes(np.frombuffer(text, dtype=np.uint8), ord(","))
    assert quotes.opens.tolist() == [2, 14, 18]
    assert quotes.closes.tolist() == [12, 16, 19]
    assert quotes.bare.tolist() == [22]
    regular = find_quotes(np.frombuffer(text[:20], dtype=np.uint8), ord(","))
    assert (regular.opens.tolist(), regular.closes.tolist()) == ([2, 14, 18], [12, 16, 19])
    assert regular.outside(np.array([0, 5, 13, 17])).tolist() == [0, 13, 17]


def test_a_parser_that_finds_other_rows_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever polars makes of a file, the number of its rows is counted without it."""
    monkeypatch.setattr(delimited, "_parsed", lambda text: pl.DataFrame({"a": ["1"], "b": ["2"]}))
    for content in (b'a,b\n1,2\n"3",4\n', b"a,b\n1,2\n3,4\n"):
        assert "has 2 rows but was parsed as 1 row" in error_of(content)


def test_as_many_control_characters_as_there_are_leave_no_stand_in_for_a_bare_quote() -> None:
    controls = bytes(code for code in range(1, 32) if code not in b"\t\n\r")
    assert "line 3 of t.csv has a quote inside a cell" in error_of(b"a,b\n1," + controls + b'\n2,6"\n')
