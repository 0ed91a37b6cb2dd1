"""Means and differences of densities: against the definitions, and with rows that a method excludes."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from arcwise.judging.paired import Estimate, difference, estimate, worse
from tests.oracle import paired


def test_they_are_as_defined():
    rng = np.random.default_rng(1)
    for n in (2, 3, 50):
        one, other = rng.normal(size=n), rng.normal(size=n)
        assert estimate(one) == pytest.approx(paired.estimate(one.tolist()), rel=1e-12)
        assert difference(one, other) == pytest.approx(paired.difference(one.tolist(), other.tolist()), rel=1e-12)


def test_what_rows_share_cancels():
    luck = 100 * np.random.default_rng(2).normal(size=40)
    assert estimate(luck + 0.5).error > 10
    assert difference(luck + 0.5, luck) == pytest.approx((0.5, 0.0))


def test_one_row_has_no_error_and_none_no_mean():
    assert estimate(np.array([3.0])) == (3.0, inf)
    assert estimate(np.empty(0)) == (-inf, inf)


def test_rows_without_a_chance_count():
    good, bad, both = np.array([-1.0, -2.0, -3.0]), np.array([-1.0, -inf, -3.0]), np.array([-inf, -2.0, -3.0])
    assert estimate(bad).mean == -inf
    assert difference(bad, good).mean == -inf
    assert difference(good, bad).mean == inf
    assert difference(bad, both) == (0.0, inf)  # each excludes what the other does not
    assert difference(bad, bad - 1.0) == pytest.approx(paired.estimate([1.0, 0.0, 1.0]))
    assert worse(difference(bad, good), 3.0)
    assert not worse(difference(good, bad), 3.0)
    assert not worse(difference(bad, both), 3.0)


def test_worse_takes_errors():
    assert worse(Estimate(-1.0, 0.4), 2.0)
    assert not worse(Estimate(-1.0, 0.6), 2.0)
    assert not worse(Estimate(0.0, 0.0), 2.0)


def test_rounding_makes_none_worse():
    rows = np.full(10, -1.0)
    assert not worse(difference(rows - 1e-15, rows), 3.0)
    assert worse(difference(rows - 1e-6, rows), 3.0)
