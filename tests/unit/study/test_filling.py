"""Numbers in text come from the tables."""

from __future__ import annotations

import pytest

from arcwise.errors import OptionError
from arcwise.study.filling import filled
from arcwise.study.tables.table import Entry, Table

ROWS = ("a", "b", "c", "d", "e")
TABLE = Table(
    "V-4",
    "Distances",
    ROWS,
    ("500", "alarm, extra"),
    {(row, "500"): Entry(ours=k**2 + 0.123, published=float(k)) for k, row in enumerate(ROWS)}
    | {("a", "alarm, extra"): Entry(ours=2.5)},
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{{V-4: c @ 500}} of {{published V-4: c @ 500}}", "4.12 of 2.00"),
        ("{{V-4: a @ alarm, extra}}, {{ published V-4: a @ alarm, extra }}", "2.50, –"),
        ("{{rank V-4: 500}}", "1.00"),
        ("no place { here }", "no place { here }"),
    ],
)
def test_places(text, wanted):
    assert filled(text, [TABLE]) == wanted


def test_ranks_without_some_rows():
    away = {**TABLE.entries, ("e", "500"): Entry(ours=-1.0, published=9.0)}
    odd = Table("V-4", "", ROWS, TABLE.columns, away)
    assert filled("{{rank V-4: 500}}", [odd]) == "0.00"
    assert filled("{{rank V-4: 500, without e}}", [odd]) == "1.00"
    assert filled("{{rank V-4: 500, without d, e}}", [odd]) == "–"  # three are too few


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{{V-5: a @ 500}}", "unknown table 'V-5'; did you mean 'V-4'"),
        ("{{V-4: x @ 500}}", "unknown row 'x'"),
        ("{{V-4: a @ 5000}}", "unknown column '5000'; did you mean '500'"),
        ("{{V-4: a}}", "must name a table, a row and a column"),
        ("{{rank V-4: 500, without x}}", "unknown row 'x'"),
    ],
)
def test_what_is_not_there_is_named(text, words):
    with pytest.raises(OptionError, match=words):
        filled(text, [TABLE])
