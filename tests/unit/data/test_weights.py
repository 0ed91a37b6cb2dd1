"""Rows that count several times, and some of the rows."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.errors import DataError
from arcwise.results.columns import describe


@pytest.fixture
def table():
    return arcwise.Dataset.from_frame({"x": [0.5, 1.5, 2.5, 3.5], "letter": ["a", "b", "a", "c"]})


def test_taken_rows_come_in_the_order_asked_for(table):
    taken = table.take([3, 0, 0])
    assert taken.column("x").values.tolist() == [3.5, 0.5, 0.5]
    assert taken.column("letter").levels == ("a", "b", "c")  # also those that do not occur any more
    assert table.take(np.array([True, False, True, False])).column("x").values.tolist() == [0.5, 2.5]
    assert table.take([]).n_rows == 0


def test_a_weighted_table_stands_for_one_with_repeated_rows(table):
    weighted = table.weighted([2, 0, 1, 3])
    assert (weighted.n_rows, weighted.n_stored) == (6, 3)
    repeated = weighted.repeated()
    assert repeated.weights is None
    assert repeated.column("x").values.tolist() == [0.5, 0.5, 2.5, 3.5, 3.5, 3.5]
    assert weighted.select(["x"]).n_rows == weighted.by_name().n_rows == 6


def test_weights_of_weights_multiply(table):
    assert table.weighted([2, 0, 1, 3]).weighted([1, 2, 2]).weights.tolist() == [2, 2, 6]
    assert table.weighted([1, 1, 1, 1]).weights is None
    assert table.weighted([2, 1, 1, 1]).take([1, 0]).weights.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1, 2], "must be 4 numbers"),
        ([1, 2, 3, -1], "whole numbers from 0"),
        ([1, 2, 3, 0.5], "whole numbers from 0"),
        ([1, 2, 3, np.nan], "whole numbers from 0"),
        (["a", "b", "c", "d"], "must be 4 numbers"),
        ([2**31, 1, 1, 1], "add up to"),
        ([0, 0, 0, 0], "no row would be left"),
    ],
)
def test_wrong_weights_are_refused(table, weights, said):
    with pytest.raises(DataError, match=said):
        table.weighted(weights)


@pytest.mark.parametrize("rows", [[4], [-5], [0.5], [[0, 1]], ["x"]])
def test_rows_that_are_not_there_are_refused(table, rows):
    with pytest.raises(DataError, match="row"):
        table.take(rows)


def test_columns_are_described_with_their_weights(table):
    weighted = table.weighted([2, 0, 1, 3])
    numbers, letters = describe(weighted)
    assert (numbers, letters) == tuple(describe(weighted.repeated()))
    assert (numbers.median, letters.counts) == (3.0, (3, 0, 3))


def test_a_column_can_weight_the_rows(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,letter,times\n0.5,a,2\n1.5,b,0\n2.5,a,1\n3.5,c,3\n", encoding="utf-8")
    table = arcwise.read(path, weights="times")
    assert table.names == ("x", "letter")
    assert table.weights.tolist() == [2, 1, 3]
    assert table.column("x").values.tolist() == [0.5, 2.5, 3.5]
    plain = arcwise.read(path)
    assert arcwise.Dataset.from_frame(plain, weights="times").weights.tolist() == [2, 1, 3]


@pytest.mark.parametrize(
    ("reading", "said"),
    [
        ({"weights": "time"}, "column for the weights: 'time'.*'times'"),
        ({"weights": "letter"}, "letter"),
        ({"weights": "x"}, "column 'x' cannot weight the rows: weights must be whole numbers"),
        ({"weights": "times", "drop": ["times"]}, "do not also drop it"),
        ({"weights": "times", "discrete": ["times"]}, "declare its kind"),
    ],
)
def test_a_column_that_cannot_weight_is_named(reading, said):
    frame = {"x": [0.5, 1.5, 2.5, 3.5], "letter": ["a", "b", "a", "c"], "times": [2, 0, 1, 3]}
    with pytest.raises(DataError, match=said):
        arcwise.Dataset.from_frame(frame, **reading)


def test_reading_a_weighted_table_anew_keeps_what_it_stands_for(table):
    weighted = table.weighted([2, 0, 1, 3])
    assert arcwise.Dataset.from_frame(weighted, drop=["letter"]).n_rows == 6
    again = arcwise.Dataset.from_frame(weighted, discrete=["x"])
    assert again.n_rows == 6
    assert again.column("x").kind == "discrete"


@pytest.mark.parametrize("rows", [[], [2]])
def test_too_few_rows_to_learn_from_are_refused(table, rows):
    with pytest.raises(DataError, match="learning needs at least 2 rows"):
        arcwise.learn(table.take(rows), "hill-climb")
