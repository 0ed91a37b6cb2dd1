"""Moments of numbers within levels: NumPy's, in strata far apart and in tables of several groups of rows."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.rows.elsewhere import GROUP_ROWS
from arcwise.stats.strata import StrataMoments


def table(n, seed=0, far=0.0):
    """g and h with 3 and 2 levels, x and y that depend on them, and a constant c."""
    rng = np.random.default_rng(seed)
    g, h = rng.integers(0, 3, n), rng.integers(0, 2, n)
    x = far * g + rng.standard_normal(n)
    y = h * x + 0.1 * rng.standard_normal(n)
    discrete = [Column(name, Kind.DISCRETE, v.astype(np.uint8), ("a", "b", "c")) for name, v in (("g", g), ("h", h))]
    numbers = [Column(name, Kind.CONTINUOUS, v) for name, v in (("c", np.full(n, 2.5)), ("x", x), ("y", y))]
    return Dataset((numbers[0], *discrete, *numbers[1:]))  # c, g, h, x, y


def check(data, levels, rel):
    moments = StrataMoments(data)
    found = moments.of(levels)
    assert moments.numbers == [3, 4]
    codes = sum(data.columns[j].values.astype(int) * 10**-k for k, j in enumerate(levels))
    weights = np.ones(data.n_stored) if data.weights is None else data.weights
    for c, code in enumerate(np.unique(codes)):
        rows = codes == code
        assert found.rows[c] == weights[rows].sum()
        both = np.repeat(
            [data.columns[3].values[rows], data.columns[4].values[rows]], weights[rows].astype(int), axis=1
        )
        assert np.exp(found.log_variances[c]) == pytest.approx(both.var(axis=1), rel=rel)
        assert found.correlations[c] == pytest.approx(np.corrcoef(both), rel=rel, abs=rel)
    assert moments.of(levels) is found
    return found


def test_against_numpy():
    found = check(table(500), (1, 2), 1e-12)
    assert found.possible == 9  # h has a third level that does not occur
    assert len(found.rows) == 6
    assert found.fewest == found.rows.min()
    check(table(500).weighted(np.random.default_rng(1).integers(1, 5, 500)), (1,), 1e-12)


def test_strata_far_apart_keep_their_digits():
    """Spread 1 around means 1e4 apart: sums of plain squares would lose eight digits, and y more."""
    check(table(2000, far=1e4), (1, 2), 1e-9)


def test_several_groups_of_rows():
    n = GROUP_ROWS + 1000
    check(table(n), (1, 2), 1e-9)


def test_few_rows_share_a_stratum_with_the_next_larger_ones_if_they_need_to():
    g = np.repeat([0, 1, 2, 3], [40, 6, 9, 3])
    column = Column("g", Kind.DISCRETE, g.astype(np.uint8), ("a", "b", "c", "d"))
    data = Dataset((column, Column("x", Kind.CONTINUOUS, np.random.default_rng(0).standard_normal(58))))
    rows = {least: sorted(StrataMoments(data, least).of((0,)).rows.tolist()) for least in (1, 4, 7, 10, 19, 100)}
    assert rows == {
        1: [3, 6, 9, 40], 4: [9, 9, 40], 7: [9, 9, 40], 10: [18, 40], 19: [58], 100: [58],
    }  # fmt: skip
