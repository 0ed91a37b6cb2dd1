"""Which rows are copies of others: as defined, and told from rows that agree by chance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.independence.ranked import RankedColumns
from tests.oracle.median import without_copies

RNG = np.random.default_rng(0)


def dataset(columns, discrete):
    made = []
    for k, (values, is_discrete) in enumerate(zip(columns, discrete, strict=True)):
        if is_discrete:
            made.append(Column(f"c{k}", Kind.DISCRETE, np.array(values, dtype=np.uint16), ("a", "b", "c", "d")))
        else:
            made.append(Column(f"c{k}", Kind.CONTINUOUS, np.array(values, dtype=float)))
    return Dataset(tuple(made))


def copies(*columns, discrete=None):
    discrete = discrete or [False] * len(columns)
    return RankedColumns.of(dataset(columns, discrete)).copies


@given(st.integers(0, 10**6), st.integers(1, 60), st.sampled_from([1, 2, 3]), st.integers(2, 4))
@settings(max_examples=80)
def test_is_the_definition(seed, n, times, size):
    rng = np.random.default_rng(seed)
    discrete = rng.random(size) < 0.3
    columns = [rng.integers(0, 4, n) if d else np.round(rng.normal(size=n), rng.integers(0, 3)) for d in discrete]
    columns = [[*v.tolist(), *np.repeat(v[: n // 2], times - 1).tolist()] for v in columns]
    left = without_copies(columns, discrete.tolist())
    ranked = RankedColumns.of(dataset(columns, discrete))
    assert ranked.n_rows == len(left[0])
    assert ranked.copies == len(columns[0]) - len(left[0])
    assert sorted(ranked.ranks.T.tolist()) == sorted(RankedColumns.of(dataset(left, discrete)).ranks.T.tolist())


def test_rows_written_again_are_copies_also_beside_levels_and_ties():
    x, y = RNG.normal(size=(2, 200))
    level = RNG.integers(0, 2, 200)
    assert copies(np.repeat(x, 2), np.repeat(y, 2)) == 200
    assert copies(np.repeat(x, 3), np.repeat(level, 3), discrete=[False, True]) == 400
    assert copies(np.repeat(np.where(level, x, 0.0), 2), np.repeat(y, 2)) == 200, "many zeros"
    some = np.r_[np.arange(200), np.arange(20)]
    assert copies(x[some], y[some]) == 20
    assert copies(np.repeat(x, level + 1), np.repeat(y, level + 1)) == level.sum()


@pytest.mark.parametrize("times", [2, 3])
def test_a_table_written_more_than_once_is_seen_whatever_its_ties(times):
    length, rings = np.round(RNG.normal(size=(2, 300)), 1)
    level = RNG.integers(0, 3, 300)
    assert copies(length, rings, level, discrete=[False, False, True]) == 0
    again = [np.tile(v, times) for v in (length, rings, level)]
    assert copies(*again, discrete=[False, False, True]) == (times - 1) * 300
    assert copies(*(v[1:] for v in again), discrete=[False, False, True]) == 0, "but for one row"
    few = np.tile([0, 0, 1, 2], 100 * times)
    assert copies(few, few, discrete=[True, True]) == 0, "three distinct rows can have a common divisor by chance"


@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_rounded_numbers_and_levels_agree_by_chance(decimals):
    x, y = np.round(RNG.normal(size=(2, 1000)), decimals)
    rare, seldom = (RNG.random((2, 1000)) < 0.03).astype(int)
    assert copies(x, rare, seldom, discrete=[False, True, True]) == 0
    assert copies(np.where(rare, x, 0.0), np.where(seldom, y, 0.0)) == 0, "mostly zeros"
    assert copies(rare, seldom, discrete=[True, True]) == 0, "levels repeat, that is what they are for"
    assert copies(x, y) == 0
    assert copies(x) == copies(x, np.zeros(1000)) == 0, "nothing else could come back"
    assert copies(x, np.where(x == x.max(), 1.0, 0.0)) == 0, "or hardly anything"
