"""Chen, Wheeler and Kochenderfer's objective: the authors' example, every partition, and the loop around it."""

from __future__ import annotations

from importlib.resources import files
from math import exp, lgamma, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arcwise
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize import EqualWidth, refine
from arcwise.discretize.bins.cuts import midpoints
from arcwise.discretize.loop.learn_policy import WorkingTable
from arcwise.discretize.policies.chen import REPEATS, Chen
from arcwise.discretize.thresholds.neighbourhood import Family, neighbourhood
from arcwise.graph.dag import Dag
from arcwise.learners import Integrated
from arcwise.parts.protocols import Partition, tolerance
from arcwise.scores import K2, BDeu, total
from tests.contract.parts import mixed_data
from tests.oracle.partitions import best_of_all, chen_cost

MPG_ARCS = [
    ("cylinders", "displacement"),
    ("displacement", "weight"),
    ("weight", "mpg"),
    ("mpg", "model_year"),
    ("weight", "model_year"),
    ("displacement", "model_year"),
    ("displacement", "horsepower"),
    ("horsepower", "acceleration"),
]
MPG_CUTS = {
    "mpg": [15.25, 17.65, 20.9, 25.65, 28.9],
    "displacement": [70.5, 93.5, 109, 159.5, 259, 284.5],
    "horsepower": [71.5, 99, 127],
    "weight": [2115, 2480.5, 2959.5, 3657.5],
    "acceleration": [12.35, 13.75, 16.05, 22.85],
}


def auto_mpg():
    """392 rows, the model year with its 13 states a discrete column."""
    path = files("arcwise.datasets") / "files" / "cars1.csv"
    return arcwise.read(path, discrete=("cylinders", "origin", "model_year"), continuous=tuple(MPG_CUTS))


def test_the_thresholds_of_auto_mpg():
    """The fixed-graph example of the authors: their order of columns, until a round changes nothing."""
    data = auto_mpg()
    assert data.n_rows == 392
    table = WorkingTable(data, EqualWidth(bins=13).fit(data))
    position = {name: i for i, name in enumerate(data.names)}
    parents = {name: [position[a] for a, b in MPG_ARCS if b == name] for name in data.names}
    search, rounds, changed = Chen().searcher(BDeu(), data.n_rows), 0, True
    while changed:
        rounds, changed = rounds + 1, False
        for name in ("acceleration", "horsepower", "mpg", "weight", "displacement"):
            i = position[name]
            children = [b for a, b in MPG_ARCS if a == name]
            families = [Family(position[c], tuple(p for p in parents[c] if p != i)) for c in children]
            found, _ = search.find(table.around(i, parents[name], families))
            if not np.array_equal(found.starts, table.starts[i]):
                table.cut(i, found.starts)
                changed = True
    assert rounds == 6
    for name, cuts in MPG_CUTS.items():
        assert table.thresholds(position[name]).tolist() == pytest.approx(cuts)


def make(seed, n_rows, n_distinct, with_parent, with_child):
    rng = np.random.default_rng(seed)
    values = rng.choice(rng.normal(size=n_distinct), n_rows)
    codes = np.zeros((4, n_rows), dtype=np.uint8)
    codes[1:] = [values + rng.normal(0, 0.5, n_rows) > 0, rng.integers(0, 3, n_rows), rng.integers(0, 2, n_rows)]
    codes[2] = np.where(values > 0.5, 2, codes[2])
    cards, order = np.array([2, 2, 3, 2]), np.argsort(values, kind="stable")
    families = [Family(2, (3,))] if with_child else []
    around = neighbourhood(values[order], order, codes, cards, [1] if with_parent else [], families)
    parents = (codes[1].tolist(), 2) if with_parent else ([0] * n_rows, 1)
    children = [(codes[2].tolist(), codes[3].tolist(), 3)] if with_child else []
    return around, lambda cuts: -chen_cost(values.tolist(), parents, children, 3, cuts)


@given(st.integers(0, 2**32 - 1), st.integers(5, 30), st.integers(3, 7), st.sampled_from([(1, 0), (0, 1), (1, 1)]))
@settings(max_examples=30)
def test_it_is_the_best_of_all_partitions(seed, n_rows, n_distinct, neighbours):
    around, twin = make(seed, n_rows, n_distinct, *neighbours)
    distinct = np.unique(around.values)
    if len(distinct) > 1:
        found, _ = Chen().searcher(BDeu(), n_rows).find(around)
        _, best = best_of_all(twin, midpoints(distinct[:-1], distinct[1:]).tolist(), tolerance(found.score))
        assert found.score == pytest.approx(best, abs=1e-7)
        inner = found.starts[1:-1]
        assert twin(midpoints(around.values[inner - 1], around.values[inner]).tolist()) == pytest.approx(best, abs=1e-7)


def test_a_column_without_neighbours_gets_bins_of_equal_width():
    values = np.sort(np.random.default_rng(1).normal(size=50))
    around = neighbourhood(values, np.arange(50), np.zeros((2, 50), np.uint8), np.array([1, 4]), [], [])
    search = Chen().searcher(BDeu(), 50)
    found, _ = search.find(around)
    expected = EqualWidth(bins=4).fit(Dataset((Column("x", Kind.CONTINUOUS, values),))).thresholds["x"]
    assert found.starts[1:-1].tolist() == np.searchsorted(values, expected).tolist()
    assert search.accepts(around, found, np.array([0, 50]))
    assert not search.accepts(around, found, found.starts)


def test_surroundings_that_come_back_too_often_change_nothing():
    around, _ = make(2, 60, 1000, 1, 1)
    search = Chen().searcher(BDeu(), 60)
    best, _ = search.find(around)
    assert best.n_levels > 1
    one = np.array([0, 60])
    assert [search.accepts(around, best, one) for _ in range(REPEATS + 2)] == [True] * REPEATS + [False] * 2
    assert not search.accepts(around, search.evaluate(around, one), best.starts)
    other, _ = make(3, 60, 1000, 1, 1)
    assert search.accepts(other, search.find(other)[0], one)


def test_a_column_without_parents_counts_for_its_prior_alone():
    data = Dataset((Column("x", Kind.CONTINUOUS, np.array([0.0, 1.0, 2.0, 3.0, 7.0, 8.0])),))
    table = WorkingTable(data, EqualWidth(bins=2).fit(data))
    network = total(Chen().network_score(BDeu()), Dag(["x"], []), table.dataset())
    prior = log(1 - exp(-2 * 4 / 8)) - 2 * 3 / 8 - 2 * 1 / 8
    assert network + Chen().column_term(table.values[0], table.starts[0]) == pytest.approx(prior)
    assert Chen().column_term(np.zeros(4), np.array([0, 4])) == 0.0
    assert network == pytest.approx(lgamma(2) - lgamma(8) + lgamma(5) + lgamma(3))


def test_the_arc_prior_of_the_search_stays():
    assert Chen().network_score(BDeu(ess=3.0, arc_prior=0.5)) == K2(arc_prior=0.5)


def test_it_is_invariant_to_scale_and_shift_even_near_the_largest_float():
    around, _ = make(5, 60, 1000, 1, 1)
    found, _ = Chen().searcher(BDeu(), 60).find(around)
    order = np.arange(60)
    for values in (3 * around.values + 10, around.values / np.max(np.abs(around.values)) * 1.7e308):
        codes = np.array([np.zeros(60), around.codes[0], around.codes[1] % 3, around.codes[2]], dtype=np.uint8)
        other = neighbourhood(values, order, codes, np.array([2, 2, 3, 2]), [1], [Family(2, (3,))])
        again, _ = Chen().searcher(BDeu(), 60).find(other)
        assert again.starts.tolist() == found.starts.tolist()
        assert np.isfinite(again.score)


def test_thresholds_of_a_known_network_and_the_loop():
    data = mixed_data(300)
    dag = Dag(data.names, [("alpha", "bravo"), ("bravo", "charlie"), ("delta", "bravo")])
    cuts = refine(Chen(), data, dag)
    assert any(len(thresholds) for thresholds in cuts.thresholds.values())
    result = Integrated(policy=Chen()).learn(data, rng=np.random.default_rng(0))
    assert result.discretization is not None
    assert result.cpdag.n_edges > 0
    assert isinstance(Chen().searcher(BDeu(), 10).evaluate(make(1, 10, 5, 1, 0)[0], np.array([0, 10])), Partition)
