"""The discretizers against their slow twins."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize import EqualFrequency, EqualWidth, FreedmanDiaconis, Scott, Sturges
from tests.oracle import discretize as slow

quarters = st.integers(-40, 40).map(lambda i: i / 4)
columns = st.lists(quarters, min_size=1, max_size=60) | st.lists(st.integers(0, 3), min_size=1, max_size=40)
spread = st.lists(quarters, min_size=2, max_size=80).filter(lambda values: len(set(values)) > 1)


def labels(part: Any, values: list[float]) -> list[int]:
    data = Dataset((Column("x", Kind.CONTINUOUS, np.array(values, dtype=np.float64)),))
    return part.fit(data).apply(data).columns[0].values.tolist()


@settings(max_examples=400, deadline=None)
@given(columns, st.integers(1, 15))
def test_equal_frequency(values: list[float], bins: int) -> None:
    assert labels(EqualFrequency(bins=bins), values) == slow.equal_frequency_labels(values, bins)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.integers(13, 40))
def test_fewer_cases_than_bins_give_one_level_a_value(values: list[float], bins: int) -> None:
    assert labels(EqualFrequency(bins=bins), values) == slow.without_gaps(values)


@settings(max_examples=300, deadline=None)
@given(columns, st.integers(1, 15))
def test_equal_width(values: list[float], bins: int) -> None:
    assert labels(EqualWidth(bins=bins), values) == slow.equal_width_labels(values, bins)


@settings(max_examples=300, deadline=None)
@given(spread, st.integers(1, 4))
def test_width_rules(values: list[float], dimension: int) -> None:
    for part, bins in (
        (Sturges(), slow.sturges_bins(values)),
        (Scott(dimension=dimension), slow.scott_bins(values, dimension)),
        (FreedmanDiaconis(dimension=dimension), slow.freedman_diaconis_bins(values, dimension)),
    ):
        assert labels(part, values) == slow.equal_width_labels(values, bins), part.kind
