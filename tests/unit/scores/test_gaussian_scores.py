"""Gaussian scores against slow twins, and what they promise."""

from __future__ import annotations

from itertools import permutations
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.equivalence import covered_edges
from arcwise.scores import total
from arcwise.scores.gaussian import BGe, DegenerateGaussian, GaussianBIC
from tests.oracle import gaussian as twin
from tests.oracle.counting import discrete_table

SEEDS = st.integers(0, 10**6)


def random_values(seed, n_rows=40, n=6):
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.normal(0, 1, (n, n)), 1)
    values = rng.standard_normal((n_rows, n)) @ np.linalg.inv(np.eye(n) - weights)
    return (values + rng.normal(0, 2, n))[:, rng.permutation(n)]


def mixed_table(seed, n_rows=150):
    """Columns 0, 2 and 4 discrete with 2, 3 and 4 levels, 1, 3 and 5 continuous, all leaning on each other."""
    rng = np.random.default_rng(seed)
    discrete = discrete_table(rng, [2, 3, 3, 2, 4, 3], n_rows)
    return Dataset(
        tuple(
            Column(c.name, Kind.CONTINUOUS, c.values + rng.normal(0, 0.5, n_rows)) if j % 2 else c
            for j, c in enumerate(discrete.columns)
        )
    )


def random_family(seed, n=6):
    rng = np.random.default_rng(seed)
    child, *others = rng.permutation(n).tolist()
    return child, others[: rng.integers(0, n)]


@given(SEEDS)
def test_gaussian_bic_is_that_of_a_regression(seed):
    values = random_values(seed)
    child, parents = random_family(seed)
    found = GaussianBIC().bind(twin.continuous_table(values)).local_score(child, parents)
    assert found == pytest.approx(twin.gaussian_bic(values, child, parents), rel=1e-9)


@given(SEEDS, st.floats(0.1, 10), st.floats(0.01, 10), st.none() | st.floats(-3, 3))
def test_bge_is_a_ratio_of_marginal_likelihoods(seed, a_mu, more, nu):
    values = random_values(seed)
    child, parents = random_family(seed)
    score = BGe(a_mu=a_mu, a_w=7 + more, nu=nu)
    found = score.bind(twin.continuous_table(values)).local_score(child, parents)
    assert found == pytest.approx(twin.bge(values, child, parents, a_mu, 7 + more, nu), rel=1e-9)


def test_the_marginal_likelihood_is_the_product_of_predictive_densities():
    values, nu = random_values(3), np.linspace(-1, 1, 6)
    for members in ([2], [0, 3], [1, 2, 4, 5], [0, 1, 2, 3, 4, 5]):
        by_rows = twin.log_marginal_by_rows(values, members, 0.7, 9.5, nu)
        assert twin.log_marginal(values, members, 0.7, 9.5, nu) == pytest.approx(by_rows, rel=1e-11)
    bound = BGe(a_mu=0.7, a_w=9.5, nu=0.25).bind(twin.continuous_table(values))
    rows = [twin.log_marginal_by_rows(values, members, 0.7, 9.5, np.full(6, 0.25)) for members in ([1, 4, 2], [1, 4])]
    assert bound.local_score(2, [1, 4]) == pytest.approx(rows[0] - rows[1], rel=1e-11)


def test_standardized_bge_is_bge_of_standardized_columns_in_the_units_of_the_data():
    values = random_values(4) * [1, 1e6, 1e-6, 30, 0.1, 2]
    scaled = twin.continuous_table((values - values.mean(axis=0)) / values.std(axis=0))
    found = BGe(standardize=True).bind(twin.continuous_table(values)).local_score(1, [0, 2, 5])
    assert found == pytest.approx(BGe().bind(scaled).local_score(1, [0, 2, 5]) - 40 * log(values[:, 1].std()), rel=1e-9)


@given(SEEDS)
def test_degenerate_gaussian_is_a_regression_of_indicators(seed):
    data = mixed_table(seed)
    child, parents = random_family(seed)
    found = DegenerateGaussian().bind(data).local_score(child, parents)
    assert found == pytest.approx(twin.degenerate_gaussian(data, child, parents), rel=1e-8)


def test_degenerate_gaussian_on_continuous_data_is_gaussian_bic_and_on_discrete_data_works():
    continuous = twin.continuous_table(random_values(6))
    one, other = DegenerateGaussian().bind(continuous), GaussianBIC().bind(continuous)
    for child, parents in (random_family(seed) for seed in range(20)):
        assert one.local_score(child, parents) == other.local_score(child, parents)
    discrete = discrete_table(np.random.default_rng(7), [3, 2, 4, 5], 300)
    for child, parents in ((0, []), (1, [0]), (2, [0, 1, 3]), (3, [2])):
        found = DegenerateGaussian().bind(discrete).local_score(child, parents)
        assert found == pytest.approx(twin.degenerate_gaussian(discrete, child, parents), rel=1e-9)


SCORES = {
    "gaussian-bic": GaussianBIC(),
    "bge": BGe(),
    "bge-nu": BGe(nu=0.3),
    "degenerate-gaussian": DegenerateGaussian(),
}


def data_for(score, seed):
    return mixed_table(seed) if Kind.DISCRETE in score.accepts else twin.continuous_table(random_values(seed))


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
def test_batches_of_any_sets_equal_single_scores(score):
    """Toggle rows share all parents but one; deletions share none; others are mixed and padded anywhere."""
    bound = score.bind(data_for(score, 8))
    batches = [
        [[1, 4, 2], [1, 4, 3], [1, 4, 5], [4, 1, -1]],
        [[2, 3], [1, 3], [1, 2]],
        [[5, -1, 4, 3, 1], [-1, -1, -1, -1, -1], [2, 1, -1, -1, -1], [1, 2, 3, 4, 5]],
        [[1]],
    ]
    for batch in batches:
        single = [bound.local_score(0, [u for u in row if u >= 0]) for row in batch]
        assert bound.local_scores(0, np.array(batch)) == pytest.approx(single, rel=1e-12)
    assert bound.local_scores(0, np.empty((0, 2), dtype=np.intp)).shape == (0,)
    assert bound.local_scores(0, np.empty((1, 0), dtype=np.intp)) == pytest.approx([bound.local_score(0, [])])


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
def test_order_of_parents_is_immaterial(score):
    bound = score.bind(data_for(score, 9))
    assert len({bound.local_score(2, order) for order in permutations((0, 4, 5, 1))}) == 1


def test_a_batch_too_large_for_one_call_is_divided(monkeypatch):
    bound = DegenerateGaussian().bind(mixed_table(10))
    sets = np.array([[1, 2], [1, 3], [2, 5], [4, 5], [3, 4]])
    whole = bound.local_scores(0, sets)
    monkeypatch.setattr("arcwise.scores.factored.MOST_WORK", 100)
    assert bound.local_scores(0, sets) == pytest.approx(whole, rel=1e-13)


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
def test_markov_equivalent_graphs_score_alike(score):
    """f(child and parents) - f(parents) with f a function of the set: covered reversals cancel."""
    rng = np.random.default_rng(11)
    changes = []
    for seed in range(12):
        data = data_for(score, seed)
        order = rng.permutation(6)
        adj = np.zeros((6, 6), dtype=bool)
        adj[np.ix_(order, order)] = np.triu(rng.random((6, 6)) < 0.5, 1)
        dag = Dag.from_adjacency(data.names, adj)
        before = total(score, dag, data)
        for u, v in covered_edges(adj):
            turned = adj.copy()
            turned[u, v], turned[v, u] = False, True
            changes.append(total(score, Dag.from_adjacency(data.names, turned), data) / before - 1)
    assert len(changes) > 20
    assert np.max(np.abs(changes)) < 1e-11


def test_arc_prior_costs_its_logarithm_for_each_arc():
    data = twin.continuous_table(random_values(12))
    for kind in (GaussianBIC, BGe, DegenerateGaussian):
        plain, dear = kind().bind(data), kind(arc_prior=1 / 11).bind(data)
        assert dear.local_score(0, [1, 2, 3]) == pytest.approx(plain.local_score(0, [1, 2, 3]) - 3 * log(11))


def test_units_do_not_change_what_an_arc_gains():
    values = random_values(13)
    units = np.array([1e200, 1e-200, 1, 7, 1e9, 1e-9])
    for score in (GaussianBIC(), BGe(standardize=True)):
        plain, scaled = (score.bind(twin.continuous_table(x)) for x in (values, values * units))
        for child, parents in ((0, [1]), (1, [0, 2, 3]), (4, [5, 0])):
            gains = [b.local_score(child, parents) - b.local_score(child, []) for b in (plain, scaled)]
            assert gains[0] == pytest.approx(gains[1], rel=1e-8)


def test_discrete_columns_are_refused_with_a_remedy():
    data = mixed_table(14)
    for score in (GaussianBIC(), BGe()):
        with pytest.raises(DataError, match=r"'x00' is discrete.*'degenerate-gaussian'"):
            score.bind(data)


@pytest.mark.parametrize("options", [{"a_mu": 0.0}, {"a_w": -1.0}, {"nu": float("inf")}, {"arc_prior": 0.0}])
def test_options_out_of_range_are_refused(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        BGe(**options)


def test_a_w_must_exceed_the_number_of_columns_plus_one():
    with pytest.raises(OptionError, match=r"above 7, not 7"):
        BGe(a_w=7).bind(twin.continuous_table(random_values(15)))
