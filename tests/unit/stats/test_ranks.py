"""Columns by their ranks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, rankdata

from arcwise.data import dataset
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError
from arcwise.networks.table_kinds import simulate
from arcwise.stats import group_sums, ranks
from arcwise.stats.moments import Moments
from arcwise.stats.ranks import Cells, cells_of, is_ordered, rank_features
from arcwise.stats.threads import at_most
from tests.unit.running.in_parts import in_parts


def table(*columns):
    return Dataset(tuple(Column(f"x{j}", Kind.CONTINUOUS, np.asarray(v, dtype=float)) for j, v in enumerate(columns)))


def test_cells_and_normal_scores_by_hand():
    (cells,) = cells_of(table([3.0, 1.0, 3.0, 3.0, 7.0]))
    assert cells.cuts.tolist() == [1.0, 3.0, 7.0]
    assert cells.rows.tolist() == [1, 3, 1]
    assert cells.quantiles == pytest.approx([0.1, 0.5, 0.9])
    assert cells.normal_scores == pytest.approx(norm.ppf([0.1, 0.5, 0.9]))
    assert cells.places(np.array([3.0, 1.0, 0.0, 5.0, 9.0])).tolist() == [1, 0, 0, 1, 2]
    assert cells.n_values == 3


def test_both_zeros_are_one_value():
    (cells,) = cells_of(table([0.0, -0.0, 1.0, -1.0]))
    assert cells.rows.tolist() == [1, 2, 1]


def test_first_features_are_normal_scores_and_all_are_orthonormal():
    data, _ = simulate("counts", nodes=3, edges=2, rows=300, seed=1)
    features = rank_features(data, 5)
    for column, of_column in zip(data.columns, features, strict=True):
        places = of_column[0].cells.places(column.values)
        rows = np.column_stack([feature.heights[places] for feature in of_column])
        assert rows.T @ rows / 300 == pytest.approx(np.eye(5), abs=1e-4)
        scores = norm.ppf((rankdata(column.values) - 0.5) / 300)
        assert np.corrcoef(rows[:, 0], scores)[0, 1] == pytest.approx(1.0)


def test_a_column_of_m_values_has_m_less_one_features():
    features = rank_features(table([1, 1, 2, 2, 3, 3], [1, 2, 3, 4, 5, 6], [7, 7, 7, 7, 7, 7]), 4)
    assert list(map(len, features)) == [2, 4, 0]


def test_levels_have_contrasts_or_ranks():
    codes = np.array([0, 1, 2, 2, 1, 2], dtype=np.uint8)
    plain = Column("a", Kind.DISCRETE, codes, ("x", "y", "z"))
    in_order = Column("b", Kind.DISCRETE, codes, ("x", "y", "z"), ordered=True)
    assert (is_ordered(plain), is_ordered(in_order)) == (False, True)
    data = Dataset((plain, in_order))
    assert list(map(len, rank_features(data, 1))) == [2, 1]
    assert list(map(len, rank_features(data, 1, by_codes=True))) == [1, 1]


AWKWARD = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, -0.0, 5e-324, 1e308, -1e308, 1.0])


@given(st.lists(AWKWARD, min_size=1, max_size=200), st.lists(AWKWARD, min_size=1, max_size=60))
def test_places_by_a_guide_are_those_of_a_search(cuts, values):
    cuts = np.unique(np.array(cuts) + 0.0)
    cells = Cells("x", cuts, np.ones(len(cuts), dtype=np.int64))
    with np.errstate(over="ignore"):
        values = np.array([*values, *cuts, *np.nextafter(cuts, -np.inf)])
    values = values[np.isfinite(values)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranks, "GUIDED_CELLS", 0)
        found = cells.places(values)
    assert np.array_equal(found, np.maximum(np.searchsorted(cuts, values, side="right") - 1, 0))


@pytest.mark.parametrize(
    "draw", [np.random.Generator.standard_normal, np.random.Generator.standard_cauchy, np.random.Generator.random]
)
@pytest.mark.parametrize("power", [1, 9])
def test_places_of_many_cells(draw, power):
    values = draw(np.random.default_rng(1), 20_000) ** power
    (cells,) = cells_of(table(values))
    found = cells.places(values)
    assert np.array_equal(found, rankdata(values, method="dense") - 1)


def test_cells_are_the_same_by_sorting_by_counting_and_elsewhere(monkeypatch):
    rng = np.random.default_rng(2)
    data = table(rng.standard_normal(900), np.round(rng.standard_normal(900), 1), rng.integers(0, 3, 900))
    data = data.weighted(rng.integers(0, 3, 900))
    for most in (1 << 16, 100):
        monkeypatch.setattr(ranks, "MOST_CELLS", most)
        sorted_ones = cells_of(Dataset(data.columns, weights=data.weights))
        with monkeypatch.context() as patch:
            patch.setattr(dataset, "MANY_ROWS", 10)
            counted_ones = cells_of(Dataset(data.columns, weights=data.weights))
        far, _ = in_parts(data, [200, 512])
        for one, counted, there in zip(sorted_ones, counted_ones, cells_of(far), strict=True):
            assert np.array_equal(one.cuts, counted.cuts)
            assert np.array_equal(one.rows, counted.rows)
            assert np.array_equal(one.cuts, there.cuts)
            assert np.array_equal(one.rows, there.rows)
        assert sorted_ones[0].rows.sum() == data.n_rows
        assert len(sorted_ones[0].cuts) <= most


def test_threads_and_where_rows_are_change_no_bit(monkeypatch):
    monkeypatch.setattr(group_sums, "GROUP_ROWS", 32)
    data, _ = simulate("half-zeros", nodes=5, edges=6, rows=700, seed=3)
    wanted = Moments.of(data, ranks=4)
    with at_most(1):
        alone = Moments.of(Dataset(data.columns), ranks=4)
    far, _ = in_parts(data, [320])
    for other in (alone, Moments.of(far, ranks=4)):
        assert np.array_equal(other.correlations, wanted.correlations)


def test_missing_cells_are_refused():
    gap = Column("age", Kind.CONTINUOUS, np.array([1.0, np.nan]), missing=np.array([False, True]))
    with pytest.raises(DataError, match="'age'"):
        cells_of(Dataset((gap,)))
