"""Features of kernels: against dense matrices, and the same for any order of rows and number of threads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise._kernels.features import incomplete_cholesky as kernels
from arcwise._kernels.gaussian.products import add_products
from arcwise.data.dataset import Dataset
from arcwise.errors import DataError
from arcwise.stats import features
from arcwise.stats.features import Kernel
from tests.contract.parts import mixed_data, reorder_rows
from tests.oracle import kgv as oracle
from tests.oracle.kgv import levels, numbers

KERNEL = Kernel(1.0, 0.01, 0.01, 100)
EXACT = Kernel(1.0, 0.01, 1e-9, 200)


@pytest.mark.parametrize("seed", range(4))
def test_incomplete_cholesky_against_its_twin(seed):
    x = np.random.default_rng(seed).normal(size=120)
    pivots, triangle, mean, scatter, left = kernels.incomplete_cholesky(x, -0.5, 1e-4 * x.size, 50)
    twin, g = oracle.incomplete_cholesky(x, -0.5, 1e-4 * x.size, 50)
    assert pivots == pytest.approx(twin)
    assert left == pytest.approx(x.size - np.sum(g**2), abs=1e-9)
    assert left <= 1e-4 * x.size
    assert triangle @ triangle.T == pytest.approx(np.exp(-0.5 * (pivots[:, None] - pivots) ** 2))
    assert mean == pytest.approx(g.mean(axis=0))
    assert scatter == pytest.approx((g - g.mean(axis=0)).T @ (g - g.mean(axis=0)), abs=1e-9)


def test_tied_residuals_take_the_value_nearest_to_zero_then_the_smaller():
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]):
        x = np.array([-1.0, 1.0, 0.0, 0.0])[order]
        assert kernels.incomplete_cholesky(x, -0.5, 0.0, 10)[0].tolist() == [0.0, -1.0, 1.0]


def test_features_of_a_block_against_their_formula():
    rng = np.random.default_rng(1)
    x, pivots, weights, shift = rng.normal(size=1300), rng.normal(size=5), rng.normal(size=(5, 3)), rng.normal(size=3)
    out = np.full((3, x.size), np.nan)
    kernels.gaussian_features(x, -0.7, pivots, weights, shift, out)
    assert out == pytest.approx((np.exp(-0.7 * (x[:, None] - pivots) ** 2) @ weights - shift).T)


def test_products_against_matrix_multiplication():
    a = np.random.default_rng(2).normal(size=(12, 1300))
    whole, parts = np.zeros((12, 12)), np.zeros((12, 12))
    add_products(a, a, 0, 12, whole)
    for first in (8, 0, 4):
        add_products(a, a, first, first + 4, parts)
    assert np.tril(whole) == pytest.approx(np.tril(a @ a.T))
    assert np.array_equal(whole, parts)


@pytest.mark.parametrize("column", [mixed_data(80).columns[0], mixed_data(80).columns[1]], ids=["levels", "numbers"])
def test_features_span_the_soft_projection(column):
    data = Dataset((column,))
    (part,) = features.feature_maps(data, EXACT)
    a = np.empty((part.rank, data.n_rows))
    features._features(part, EXACT, slice(0, data.n_rows), a)
    a = a.T[np.argsort(features.row_order(data))]
    projection = oracle.soft_projection(column, 1.0, 0.01)
    assert a @ a.T == pytest.approx(projection @ projection, abs=1e-7)
    assert part.dimension == pytest.approx(np.trace(projection), abs=1e-6)


def test_a_tolerance_costs_features_but_hardly_dimension():
    data = numbers(np.random.default_rng(3).normal(size=2000))
    (rough,), (fine,) = features.feature_maps(data, KERNEL), features.feature_maps(data, EXACT)
    assert rough.rank < 12 < fine.rank
    assert rough.dimension == pytest.approx(fine.dimension, abs=3e-3)
    assert rough.lost <= KERNEL.residual


@settings(max_examples=40)
@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_order_of_rows_is_immaterial_to_the_last_bit(n_rows, seed):
    rng = np.random.default_rng(seed)
    some = rng.integers(-2, 3, n_rows) * rng.choice([1.0, 0.5])  # many equal values and zeros of either sign
    data = Dataset((*numbers(some, rng.normal(size=n_rows)).columns, *levels(rng.integers(0, 3, n_rows)).columns))
    shuffled = reorder_rows(data, rng.permutation(n_rows))
    (r, starts), (s, ends) = (features.correlations(features.feature_maps(d, KERNEL), KERNEL) for d in (data, shuffled))
    assert np.array_equal(starts, ends)
    assert np.array_equal(r, s)


def test_threads_change_nothing(monkeypatch):
    data = mixed_data(3000)
    answers = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("ARCWISE_THREADS", threads)
        answers.append(features.correlations(features.feature_maps(data, KERNEL), KERNEL)[0])
    assert np.array_equal(answers[0], answers[1])
    assert np.array_equal(answers[0], answers[2])


def test_blocks_of_rows_add_up(monkeypatch):
    maps = features.feature_maps(mixed_data(3000), KERNEL)
    whole, _ = features.correlations(maps, KERNEL)
    monkeypatch.setattr(features, "BLOCK_CELLS", 1)
    assert features.correlations(maps, KERNEL)[0] == pytest.approx(whole, abs=1e-13)


def test_correlations_are_symmetric_with_a_unit_block_for_each_column():
    maps = features.feature_maps(mixed_data(500), KERNEL)
    r, starts = features.correlations(maps, KERNEL)
    assert np.array_equal(r, r.T)
    assert np.linalg.eigvalsh(r).min() > 0
    for a, b in pairwise(starts):
        assert np.array_equal(r[a:b, a:b], np.eye(b - a))


@pytest.mark.parametrize(
    "values",
    [
        [1e300, 1.0, 2.0, 3.0],
        [-1.7e308, 1.7e308, 0.0, 1.0],
        [5e-324, 0.0, 0.0, 5e-324],
        [1e16, 1e16 + 2, 1e16 + 4, 1e16],
    ],
)
def test_standardizing_survives_any_finite_values(values):
    z = features.standardized(np.array(values))
    assert z.mean() == pytest.approx(0, abs=1e-12)
    assert z.std() == pytest.approx(1)
    assert np.all(np.diff(z[np.argsort(values)]) >= 0)


def test_a_constant_column_has_no_features():
    maps = features.feature_maps(Dataset((*numbers([2.5] * 6).columns, *levels([0] * 6).columns)), KERNEL)
    assert [(part.rank, part.dimension) for part in maps] == [(0, 0.0), (0, 0.0)]
    assert features.correlations(maps, KERNEL)[0].shape == (0, 0)


def test_what_max_rank_cuts_off_still_counts_as_dimension():
    data = levels(np.arange(1000))
    (part,) = features.feature_maps(data, KERNEL)
    assert part.rank <= KERNEL.max_rank
    assert part.lost == pytest.approx(0.9)
    (whole,) = features.feature_maps(data, Kernel(1.0, 0.01, 0.01, 1000))
    assert part.dimension == pytest.approx(whole.dimension, rel=0.2)


def test_empty_and_rare_levels():
    data = levels([0] * 50 + [3] * 30 + [5])
    (part,) = features.feature_maps(data, EXACT)
    assert part.rank == 2
    assert part.lost == pytest.approx(0, abs=1e-15)


def test_too_many_features_are_refused(monkeypatch):
    monkeypatch.setattr(features, "MOST_FEATURES", 10)
    maps = features.feature_maps(mixed_data(100), KERNEL)
    with pytest.raises(DataError, match=r"6 columns have .* kernel features"):
        features.correlations(maps, KERNEL)
