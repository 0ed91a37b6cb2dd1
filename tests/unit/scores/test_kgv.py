"""The kernel generalized variance: closed forms, dense matrices, equivalence, and awkward data."""

from __future__ import annotations

from itertools import combinations
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.equivalence import covered_edges
from arcwise.scores.kgv import KGV
from arcwise.scores.total import total
from arcwise.search import HillClimb
from arcwise.stats.features import Kernel, correlations, feature_maps
from tests.contract.parts import mixed_data, reorder_rows
from tests.oracle import kgv as oracle
from tests.oracle.kgv import levels, numbers

EXACT = KGV(tolerance=1e-9)
MIXED = mixed_data(200)


def learn(data):
    return HillClimb(score=KGV()).learn(data, rng=np.random.default_rng(0))


def information(bound, n_rows, child, parents):
    penalty = 0.5 * log(n_rows) * bound.dimensions[child] * sum(bound.dimensions[p] for p in parents)
    return (bound.local_score(child, parents) + penalty) / n_rows


@pytest.mark.parametrize("n_rows", [8, 400])
def test_balanced_binaries_by_hand(n_rows):
    half, alternating = np.repeat([0, 1], n_rows // 2), np.tile([0, 1], n_rows // 2)
    bound = KGV().bind(levels(half, half, alternating))
    assert bound.dimensions == pytest.approx([1 / 1.01] * 3)
    assert information(bound, n_rows, 0, [1]) == pytest.approx(-0.5 * log(1 - 1.01**-4))
    assert information(bound, n_rows, 0, [1]) == pytest.approx(1.621845, abs=5e-7)
    assert information(bound, n_rows, 0, [2]) == pytest.approx(0, abs=1e-14)
    assert information(bound, n_rows, 2, [0, 1]) == pytest.approx(0, abs=1e-14)


def test_without_parents_the_score_is_zero():
    bound = KGV().bind(mixed_data(100))
    assert [bound.local_score(v, []) for v in range(6)] == [0.0] * 6


@pytest.mark.parametrize(
    ("n_rows", "sigma", "kappa"), [(40, 1.0, 0.01), (150, 1.0, 0.01), (60, 0.5, 0.1), (60, 1.5, 0.003)]
)
def test_against_dense_kernel_matrices(n_rows, sigma, kappa):
    data = mixed_data(n_rows)
    bound = KGV(sigma=sigma, kappa=kappa, tolerance=1e-9).bind(data)
    for child, parents in [(0, [1]), (1, [3]), (2, [4]), (5, [0, 3]), (3, [2, 1, 4])]:
        dense = oracle.dense_score(data, child, parents, sigma, kappa)
        assert bound.local_score(child, parents) == pytest.approx(dense, abs=1e-6)


def test_the_default_tolerance_hardly_moves_the_score():
    data = mixed_data(1000)
    rough, fine = KGV().bind(data), EXACT.bind(data)
    moves = [rough.local_score(v, [u]) - fine.local_score(v, [u]) for u, v in combinations(range(6), 2)]
    assert 0 < np.max(np.abs(moves)) < 0.1


@settings(max_examples=60)
@given(st.data())
def test_kernel_against_its_twin_and_batch_against_single(draw):
    bound = KGV().bind(MIXED)
    child = draw.draw(st.integers(0, 5))
    others = [v for v in range(6) if v != child]
    sets = draw.draw(st.lists(st.lists(st.sampled_from(others), unique=True), min_size=1, max_size=8))
    padded = np.full((len(sets), 7), -1, dtype=np.intp)
    for row, parents in zip(padded, sets, strict=True):
        row[: len(parents)] = parents
    batch = bound.local_scores(child, padded)
    assert batch == pytest.approx([bound.local_score(child, parents) for parents in sets], abs=1e-10)
    kernel = Kernel(KGV().sigma, KGV().kappa, KGV().tolerance, KGV().max_rank)
    r, starts = correlations(feature_maps(MIXED, kernel), kernel)
    twin = [oracle.family_score(r, starts, bound.dimensions, 200, child, parents) for parents in sets]
    assert batch == pytest.approx(twin, abs=1e-9)


def test_equivalent_graphs_score_alike():
    data, rng = mixed_data(400), np.random.default_rng(1)
    changes = []
    for _ in range(30):
        adj = np.triu(rng.random((6, 6)) < 0.5, 1)
        for u, v in covered_edges(adj):
            turned = adj.copy()
            turned[u, v], turned[v, u] = False, True
            pair = [Dag.from_adjacency(data.names, a) for a in (adj, turned)]
            changes.append(total(KGV(), pair[0], data) - total(KGV(), pair[1], data))
    assert len(changes) > 20
    assert np.max(np.abs(changes)) < 1e-9


def test_order_of_rows_and_columns_is_immaterial():
    data, rng = mixed_data(500), np.random.default_rng(2)
    first = learn(data)
    for _ in range(3):
        shuffled = reorder_rows(data, rng.permutation(500)).select(rng.permutation(data.names))
        other = learn(shuffled)
        assert (other.graph, other.score) == (first.graph, first.score)


def test_threads_change_nothing(monkeypatch):
    data = mixed_data(2000)
    first = learn(data)
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    assert learn(data).score == first.score


def test_a_dependence_without_correlation_is_found():
    rng = np.random.default_rng(3)
    x, z = rng.normal(size=(2, 500))
    data = numbers(x, x**2 + 0.3 * rng.normal(size=500), z)
    assert learn(data).cpdag.adjacent("x0", "x1")
    assert learn(data).cpdag.n_edges == 1


def test_constant_columns_stay_alone():
    data = Dataset((*numbers([1.5] * 60, np.arange(60.0)).columns, *levels([0] * 60, [0, 1] * 30).columns))
    bound = KGV().bind(data)
    assert bound.local_score(0, [1, 2]) == 0.0
    assert bound.local_score(1, [0, 2]) == 0.0
    assert bound.local_score(1, [3, 0]) == bound.local_score(1, [3])
    assert bound.local_score(2, [0]) == 0.0
    assert not learn(data).cpdag.n_edges


def test_copies_and_collinear_columns_are_no_trouble():
    x = np.random.default_rng(4).normal(size=300)
    data = numbers(x, x, -x, 3 * x + 1, x)
    bound = KGV(kappa=1e-6, tolerance=1e-6).bind(data)
    scores = [bound.local_score(0, list(parents)) for k in range(1, 5) for parents in combinations(range(1, 5), k)]
    assert np.all(np.isfinite(scores))
    assert learn(data).cpdag.n_edges >= 4


def awkward(rng, n_rows):
    return {
        "outlier": np.append(rng.normal(size=n_rows - 1), 1e300),
        "both ends": np.append(rng.normal(size=n_rows - 2), [-1.7e308, 1.7e308]),
        "cauchy": rng.standard_cauchy(n_rows),
        "whole": rng.integers(0, 3, n_rows).astype(float),
        "two": np.repeat([0.0, 1e-300], [1, n_rows - 1]),
        "tiny": rng.normal(size=n_rows) * 1e-310,
        "far": 1e15 + rng.normal(size=n_rows),
        "constant": np.full(n_rows, 7.0),
    }


@pytest.mark.parametrize("n_rows", [2, 5, 7, 300])
def test_awkward_columns_give_finite_scores(n_rows):
    table = awkward(np.random.default_rng(5), n_rows)
    data = Dataset(tuple(Column(name, Kind.CONTINUOUS, values) for name, values in table.items()))
    for score in (
        KGV(),
        EXACT,
        KGV(sigma=0.01, max_rank=20),
        KGV(kappa=1e-6),
        KGV(sigma=1e-3),
        KGV(sigma=1e200, kappa=1e300),
    ):
        bound = score.bind(data)
        everything = [v for v in range(8) if v != 3]
        assert np.all(np.isfinite(bound.local_scores(3, np.array([everything, [0, -1, -1, -1, -1, -1, -1]]))))
        assert np.all(np.isfinite(bound.dimensions))
    assert np.isfinite(learn(data).score)


def test_one_row_and_more_columns_than_rows():
    assert KGV().bind(numbers([1.0], [2.0])).local_score(0, [1]) == 0.0
    data = numbers(*np.random.default_rng(6).normal(size=(30, 12)))
    assert np.isfinite(learn(data).score)


def test_doubtful_columns_are_named():
    rng = np.random.default_rng(7)
    data = Dataset(
        (*numbers(rng.standard_cauchy(2000), rng.normal(size=2000)).columns, *levels(np.arange(2000)).columns)
    )
    crowded, capped = sorted(KGV().bind(data).warnings)
    assert "'x0'" in crowded
    assert "'x1'" not in crowded + capped
    assert "'c0'" in capped
    assert "max_rank = 100" in capped
    assert KGV().bind(mixed_data()).warnings == KGV(tolerance=1e-14).bind(mixed_data()).warnings == ()
    (spoiled,) = KGV().bind(numbers(np.append(rng.normal(size=4999), 1e300), rng.poisson(0.1, 5000))).warnings
    assert "'x0'" in spoiled
    assert "'x1'" not in spoiled
    (few,) = KGV().bind(mixed_data(9)).warnings
    assert "fewer than 10 rows" in few


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"sigma": 0.0}, "'sigma'"),
        ({"sigma": 1e-200}, "'sigma' must be at least 0.001"),
        ({"kappa": -1.0}, "'kappa'"),
        ({"kappa": 1e-9}, "'kappa' must be at least 1e-06"),
        ({"tolerance": float("nan")}, "'tolerance'"),
        ({"tolerance": 1.5}, "'tolerance'"),
        ({"max_rank": 0}, "'max_rank'"),
    ],
)
def test_options_out_of_range(options, named):
    with pytest.raises(OptionError, match=named):
        KGV(**options)
