"""Ordered levels as numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.ordinal import as_numbers
from arcwise.errors import DataError


@pytest.fixture
def data():
    sizes = pd.Categorical(["small", "large", "medium", "small"], ["small", "medium", "large"], ordered=True)
    return Dataset.from_frame(
        pd.DataFrame({"size": sizes, "colour": ["red", "blue", "red", "green"], "length": [1.5, 2.5, 3.5, 4.25]}),
        continuous=["length"],
    )


def test_every_ordered_column_becomes_a_continuous_one(data):
    numbers = as_numbers(data)
    assert numbers.kinds == (Kind.CONTINUOUS, Kind.DISCRETE, Kind.CONTINUOUS)
    assert numbers.column("size").values.tolist() == [0.0, 2.0, 1.0, 0.0]
    assert numbers.column("size").values.dtype == np.float64
    assert numbers.column("length") is data.column("length")
    assert data.kinds[0] is Kind.DISCRETE


def test_the_decision_is_logged(data):
    decisions = {d.column: d for d in as_numbers(data, ["size", "colour"]).decisions}
    assert decisions["size"].reason == "levels numbered from 0 in this order: small, medium, large"
    assert decisions["size"].kind is Kind.CONTINUOUS
    assert not decisions["size"].doubtful
    assert decisions["colour"].reason == "levels numbered from 0 in this order: blue, green, red"
    assert decisions["colour"].doubtful
    assert decisions["length"] in data.decisions


def test_a_named_column_is_taken_to_be_in_order(data):
    assert as_numbers(data, ["colour"]).column("colour").values.tolist() == [2.0, 0.0, 2.0, 1.0]
    assert as_numbers(data, ["colour"]).column("size").kind is Kind.DISCRETE
    assert as_numbers(data, "colour").names == data.names


def test_levels_keep_their_numbers_when_some_are_not_seen():
    column = Column("x", Kind.DISCRETE, np.array([0, 3], dtype=np.uint8), ("a", "b", "c", "d"), ordered=True)
    assert as_numbers(Dataset((column,))).columns[0].values.tolist() == [0.0, 3.0]


def test_wrong_names_are_refused(data):
    with pytest.raises(DataError, match=r"unknown column 'sise'; did you mean 'size'\?"):
        as_numbers(data, ["sise"])
    with pytest.raises(DataError, match="'length' is continuous already"):
        as_numbers(data, ["size", "length"])


def test_nothing_to_do_changes_nothing(data):
    assert as_numbers(data, []).columns == data.columns
    assert as_numbers(as_numbers(data)).kinds == as_numbers(data).kinds
