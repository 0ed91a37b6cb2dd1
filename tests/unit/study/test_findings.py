"""What was found, held against tables."""

from __future__ import annotations

import pytest

from arcwise.errors import OptionError
from arcwise.study.findings import findings_of
from arcwise.study.tables.table import Entry, Table

NUMBERS = {"a": 1.0, "b": 2.0, "c, d": 3.0, "e": None}
TABLE = Table("t", "", tuple(NUMBERS), ("x", "y, z"), {(row, "x"): Entry(ours=n) for row, n in NUMBERS.items()})
OTHER = Table("u", "", ("a",), ("x",), {("a", "x"): Entry(ours=2.5)})


def verdict(*checks: str) -> str:
    return findings_of({"f": {"statement": "so", "checks": list(checks)}}, [TABLE, OTHER])[0].verdict


def words(check: str) -> str:
    return findings_of({"f": {"checks": [check]}}, [TABLE, OTHER])[0].comparisons[0].words


@pytest.mark.parametrize(
    ("check", "wanted"),
    [
        ("t: a @ x < 1.5", "confirmed"),
        ("t: a @ x > 1.5", "refuted"),
        ("t: a @ x < b @ x", "confirmed"),
        ("t: b @ x <= b @ x", "confirmed"),
        ("t: c, d @ x > u: a @ x", "confirmed"),
        ("t: a @ x < others @ x", "confirmed"),
        ("t: b @ x < others @ x", "refuted"),
        ("t: b @ x < others except a @ x", "confirmed"),
        ("t: c, d @ x > others @ x", "confirmed"),
        ("t: a @ x < each of b, e @ x", "confirmed"),
        ("t: b @ x > each of a, b @ x", "refuted"),
        ("t: e @ x < 1", "not decided: numbers are missing"),
        ("t: a @ x < e @ x", "not decided: numbers are missing"),
        ("t: a @ y, z < 1", "not decided: numbers are missing"),
    ],
)
def test_comparisons(check, wanted):
    assert verdict(check) == wanted


def test_several():
    assert verdict("t: a @ x < 2", "t: b @ x < 1", "t: b @ x > 1") == "holds in 2 of 3 comparisons"


def test_words():
    assert words("t: a @ x < 1.5") == "t: a @ x: 1.00 < 1.5"
    assert words("t: a @ x < b @ x") == "t: a @ x: 1.00 < 2.00 (b)"
    assert words("t: a @ x < u: a @ x") == "t: a @ x: 1.00 < 2.50 (u: a)"
    assert words("t: a @ x < b @ y, z") == "t: a @ x: 1.00 < – (b @ y, z)"
    assert words("t: a @ x < others @ x") == "t: a @ x: 1.00 < 2.00 (b, of 2)"


@pytest.mark.parametrize(
    ("check", "told"),
    [
        ("t: a @ x", "is no comparison"),
        ("a @ x < 1", "must begin with a table"),
        ("v: a @ x < 1", "unknown table 'v'"),
        ("t: z @ x < 1", "row of table 't': 'z'"),
        ("t: a @ w < 1", "column of table 't': 'w'"),
        ("t: a @ x < one", "neither a number nor a row @ column"),
        ("t: a @ x < each of b, z @ x", "row of table 't': 'z'"),
        ("t: a @ x < others except z @ x", "row of table 't': 'z'"),
    ],
)
def test_what_is_wrong_is_named(check, told):
    with pytest.raises(OptionError, match=told):
        verdict(check)
