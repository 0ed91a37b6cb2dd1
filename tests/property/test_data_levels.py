"""Level coding: labels round-trip, and nothing depends on the order of rows or on the library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.levels import distinct_values, encode, few_distinct, number_label
from arcwise.data.reading.door import as_dataset as from_frame

TEXTS = st.lists(st.text(max_size=4), min_size=2, max_size=40)
WHOLE = st.lists(st.integers(-(2**53) + 1, 2**53 - 1) | st.integers(-5, 5), min_size=2, max_size=40)
FLOATS = st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), min_size=2, max_size=40)


def labels_of(data: Dataset, name: str) -> list[str]:
    column = data.column(name)
    return [column.levels[code] for code in column.values]


def coded(values: list[Any]) -> Dataset:
    return from_frame({"c": values, "k": [0, 1] * (len(values) // 2) + [0] * (len(values) % 2)}, discrete=["c", "k"])


@settings(deadline=None, max_examples=80)
@given(values=TEXTS | WHOLE | FLOATS | st.lists(st.booleans(), min_size=2, max_size=40), data=st.data())
def test_row_order_does_not_change_the_coding(values: list[Any], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(values))))
    one, other = coded(values), coded([values[i] for i in order])
    assert one.column("c").levels == other.column("c").levels
    np.testing.assert_array_equal(one.column("c").values[list(order)], other.column("c").values)


@settings(deadline=None, max_examples=80)
@given(values=TEXTS)
def test_text_labels_round_trip(values: list[str]) -> None:
    data = coded(values)
    assert labels_of(data, "c") == values
    assert set(data.column("c").levels) == set(values)


@settings(deadline=None, max_examples=80)
@given(values=WHOLE | FLOATS)
def test_number_labels_round_trip_in_order(values: list[float]) -> None:
    data = coded(values)
    assert [float(label) for label in labels_of(data, "c")] == [float(value) for value in values]
    numbers = [float(label) for label in data.column("c").levels]
    assert numbers == sorted(set(numbers))


@settings(deadline=None, max_examples=40)
@given(values=st.lists(st.none() | st.text(max_size=3), min_size=3, max_size=30).filter(any))
def test_libraries_agree_on_text_with_gaps(values: list[str | None]) -> None:
    frames = (
        pd.DataFrame({"c": pd.Series(values, dtype="str")}),
        pd.DataFrame({"c": pd.Series(values, dtype=object)}),
        pl.DataFrame({"c": pl.Series(values, dtype=pl.String)}),
        pl.DataFrame({"c": pl.Series(values, dtype=pl.Categorical)}),
        pa.table({"c": pa.array(values, type=pa.string())}),
        {"c": values},
        np.array(values, dtype=object)[:, None],
    )
    results = [from_frame(f, missing="state", discrete=["x0" if isinstance(f, np.ndarray) else "c"]) for f in frames]
    for result in results[1:]:
        assert result.columns[0].levels == results[0].columns[0].levels
        np.testing.assert_array_equal(result.columns[0].values, results[0].columns[0].values)


@settings(deadline=None, max_examples=100)
@given(
    values=st.lists(st.integers(-128, 127), min_size=1, max_size=60),
    dtype=st.sampled_from([np.int8, np.int16, np.int64]),
    limit=st.integers(1, 30),
)
def test_distinct_values_are_those_of_a_set(values: list[int], dtype: Any, limit: int) -> None:
    array = np.array(values, dtype=dtype)
    distinct = distinct_values(array)
    assert distinct.tolist() == sorted(set(values))
    few = few_distinct(array, limit)
    assert (few is None) == (len(set(values)) > limit)
    codes = encode(array, distinct)
    assert [int(distinct[code]) for code in codes] == values


@given(value=st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**70), 2**70))
def test_number_labels_read_back(value: float) -> None:
    assert float(number_label(value)) == float(value)


@settings(deadline=None, max_examples=40)
@given(values=st.lists(st.integers(0, 30), min_size=2, max_size=60), data=st.data())
def test_kinds_do_not_depend_on_row_order(values: list[int], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(values))
    one, other = (from_frame({"c": np.array(v)}).decisions for v in (values, shuffled))
    assert one == other
    assert one[0].kind in (Kind.CONTINUOUS, Kind.DISCRETE)
