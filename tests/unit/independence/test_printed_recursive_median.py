"""The recursive-median test as it is printed, which a reference run uses, against its slow twin."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from arcwise.networks import lambda_network, meander
from tests.oracle.median import recursive_median as slow
from tests.reference.run_margaritis_literal import Printed, recursive_median


@pytest.mark.parametrize("weights", ["rows", "range"])
@pytest.mark.parametrize("ties", [False, True])
def test_is_the_slow_one(weights, ties):
    rng = np.random.default_rng(3)
    columns = [column.values for column in lambda_network(1, 2, 150, seed=4).columns]
    columns.append(rng.normal(size=150))
    if ties:
        columns = [np.round(2 * values) for values in columns]
    level = rng.integers(0, 3, 150)
    for z, kinds in (([columns[2]], [False]), (columns[2:], [False, False]), ([columns[2], level], [False, True])):
        discrete = [False, False, *kinds]
        lists = [values.tolist() for values in (*columns[:2], *z)]
        wanted = slow(lists[0], lists[1], lists[2:], discrete, slice_weights=weights, literal=True)
        found = recursive_median(columns[0], columns[1], z, discrete, weights == "range")
        assert found == pytest.approx(wanted, rel=1e-8)


def test_without_ties_it_is_the_mended_one():
    from arcwise.independence import RecursiveMedian

    data = meander(400, seed=1)
    for by_range, weights in ((False, "rows"), (True, "range")):
        mended = RecursiveMedian(slice_weights=weights).bind(data).test(0, 1, [2]).value
        assert Printed(by_range=by_range).bind(data).test(0, 1, [2]).value == pytest.approx(mended, rel=1e-8)


def test_where_z_is_constant_it_cannot_be_sure_of_dependence():
    """U = P there, so that I is at least P (1 - P): the reason to mend it. Here X is Y within each level of Z."""
    rng = np.random.default_rng(0)
    x, level = rng.normal(size=300), np.repeat([0, 1], 150)
    log_i, log_u = recursive_median(x, x * (1 - 2 * level), [level], [False, False, True], by_range=False)
    assert exp(log_u) == pytest.approx(0.5)
    assert exp(log_i) == pytest.approx(0.25)
