"""Columns named by patterns, in every option that names columns."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.reading.door import as_dataset
from arcwise.errors import DataError

TABLE = {
    "lab_a": [1.5, -99.0, 2.5, 3.5, 4.25],
    "lab_b": [-99.0, 1.5, 2.5, 3.75, 4.5],
    "age": [-99.0, 1.25, 2.5, 3.5, 4.5],
}


@pytest.mark.parametrize("na", [{"lab_*": -99}, "lab_*=-99", ["lab_?=-99"], {"lab_[ab]": ["-99"]}])
def test_words_for_missing_are_given_to_columns_by_a_pattern(na):
    data = as_dataset(TABLE, na=na)
    assert {name: int(np.isnan(data.column(name).values).sum()) for name in data.names} == {
        "lab_a": 1,
        "lab_b": 1,
        "age": 0,
    }


def test_words_of_a_pattern_and_of_a_name_add_up():
    data = as_dataset(TABLE, na={"lab_a": 1.5, "lab_*": -99})
    assert int(np.isnan(data.column("lab_a").values).sum()) == 2


@pytest.mark.parametrize("na", ["lba_*=-99", {"lba_*": -99}])
def test_a_pattern_that_fits_no_column_is_told(na):
    with pytest.raises(DataError, match=r"no column fits the pattern 'lba_\*' \(named in na\)"):
        as_dataset(TABLE, na=na)


def test_a_misspelt_column_is_no_word_for_missing():
    with pytest.raises(DataError, match=r"'agee'.*'age'.*\(named in na\)"):
        as_dataset(TABLE, na="agee=-99")


def test_a_word_that_begins_with_an_equals_sign_is_a_word():
    data = as_dataset({"a": ["=NA()", "x", "y", "x"], "b": ["u", "u", "v", "v"]}, na="=NA()")
    assert data.column("a").levels == ("x", "y")


@pytest.mark.parametrize("order", [1, -1])
def test_what_is_said_by_name_comes_before_a_pattern_in_any_order(order):
    table = {"price": ["1.5", "2.25", "3.5"], "cost": ["1,5", "2,25", "3,5"]}
    marks = dict([("price", "point"), ("*", "comma")][::order])
    for decimal in (marks, [f"{name}={mark}" for name, mark in marks.items()]):
        data = as_dataset(table, decimal=decimal, continuous="*")
        assert data.column("price").values.tolist() == data.column("cost").values.tolist() == [1.5, 2.25, 3.5]
