"""Hartemink's descent against its slow twin, and what no data may break."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize.hartemink.hartemink import Hartemink
from arcwise.discretize.hartemink.merge_levels import Levels
from tests.oracle import hartemink as slow


@st.composite
def tables(draw):
    """Up to four columns, some of them discrete; few distinct values or none twice; some columns follow others."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.integers(1, 24))
    kinds = draw(st.lists(st.sampled_from("cctd"), min_size=1, max_size=4))
    columns = []
    for name, kind in zip(rng.permutation(list("wxyz")), kinds, strict=False):
        source = columns[0].values.astype(float) if columns and draw(st.booleans()) else np.zeros(n_rows)
        if kind == "d":
            codes = np.unique((source + rng.integers(0, 3, n_rows)).astype(int), return_inverse=True)[1]
            levels = tuple(str(k) for k in range(codes.max() + 2))  # the last one is never seen
            columns.append(Column(name, Kind.DISCRETE, codes.astype(np.uint8), levels))
        else:
            noise = rng.standard_normal(n_rows) if kind == "c" else rng.integers(0, draw(st.integers(1, 8)), n_rows)
            columns.append(Column(name, Kind.CONTINUOUS, source + noise))
    return Dataset(tuple(columns))


def labels(data, cuts):
    """Levels of the continuous columns and of the discrete ones, by name."""
    cut = cuts.apply(data)
    continuous = {c.name: cut.column(c.name).values.tolist() for c in data.columns if c.kind is Kind.CONTINUOUS}
    return continuous, {c.name: c.values.tolist() for c in data.columns if c.kind is Kind.DISCRETE}


def assert_same(data, part):
    path = part.descend(data)
    start = path.at(65_536)
    tmi, gone = slow.descend(*labels(data, start))
    assert path.levels.tolist() == sorted(tmi)
    assert path.tmi == pytest.approx([tmi[k] for k in sorted(tmi)], abs=1e-9)
    for name, thresholds in path.merged.items():
        above = np.searchsorted(start.thresholds[name], thresholds) + 1  # the level above each threshold
        assert above.tolist() == gone[name], name


@settings(max_examples=100, deadline=None)
@given(tables(), st.none() | st.integers(1, 9))
def test_equal_to_the_twin(data, initial_bins):
    assert_same(data, Hartemink(initial_bins=initial_bins))


@pytest.mark.parametrize("few", [True, False])
def test_by_tables_alone_and_by_rows_alone(few, monkeypatch):
    monkeypatch.setattr(Levels, "few", lambda self: few)

    @settings(max_examples=40, deadline=None)
    @given(tables())
    def check(data):
        assert_same(data, Hartemink(initial_bins=None))

    check()


@settings(max_examples=100, deadline=None)
@given(tables(), st.none() | st.integers(1, 9), st.randoms(use_true_random=False))
def test_order_of_rows_and_columns_is_immaterial(data, initial_bins, random):
    rows = np.array(random.sample(range(data.n_rows), data.n_rows))
    moved = Dataset(
        tuple(Column(c.name, c.kind, c.values[rows], c.levels) for c in random.sample(data.columns, data.n_columns))
    )
    here, there = (Hartemink(initial_bins=initial_bins).descend(table) for table in (data, moved))
    assert np.array_equal(here.tmi, there.tmi)
    assert all(np.array_equal(cuts, there.merged[name]) for name, cuts in here.merged.items())


@settings(max_examples=100, deadline=None)
@given(tables(), st.none() | st.integers(1, 9), st.integers(1, 12))
def test_laws(data, initial_bins, bins):
    path = Hartemink(initial_bins=initial_bins).descend(data)
    assert np.all(np.diff(path.tmi) >= 0)
    if all(column.kind is Kind.CONTINUOUS for column in data.columns):
        assert path.tmi[0] == 0
    start, cut = path.at(65_536), path.at(bins)
    for name, thresholds in cut.thresholds.items():
        assert len(thresholds) + 1 == min(bins, len(start.thresholds[name]) + 1)
        values = cut.apply(data).column(name)
        assert set(values.values.tolist()) == set(range(values.cardinality))
    assert min(2, path.levels[-1]) <= path.knee <= path.levels[-1]
    assert path.knee <= 20
