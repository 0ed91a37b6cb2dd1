"""The conditional Gaussian BIC: its slow twin, bnlearn's numbers, arcs that have no place, and awkward data."""

from __future__ import annotations

from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arcwise
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.reading.door import as_dataset
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.graph.equivalence import covered_edges
from arcwise.parts.knowledge import Knowledge
from arcwise.scores import BIC, ConditionalGaussian, GaussianBIC
from arcwise.scores.total import total
from arcwise.search import GES, Best, Boss, Exhaustive, HillClimb, K2Search, OptimalReinsertion, SparseCandidate, Tabu
from tests.contract.parts import continuous_data, discrete_data, mixed_data, reorder_rows, snapshot
from tests.oracle import conditional_gaussian as oracle

REFERENCE = Path(__file__).parents[2] / "reference" / "bic_cg.csv"
MIXED = mixed_data(300)
LEVELS, NUMBERS = [0, 2, 4], [1, 3, 5]  # of MIXED
SEARCHES = [
    HillClimb, Tabu, Boss, GES, Exhaustive, OptimalReinsertion,
    lambda score: SparseCandidate(search=Tabu(score=score)),
    lambda score: K2Search(score=score, first=HillClimb(score=score)),
    lambda score: Best(of=(Boss(score=score), GES(score=score))),
]  # fmt: skip


def table(**columns):
    """Arrays of whole numbers are levels."""
    made = []
    for name, values in columns.items():
        own = np.asarray(values)
        if own.dtype.kind == "i":
            levels = tuple(f"l{v}" for v in range(int(own.max()) + 1))
            made.append(Column(name, Kind.DISCRETE, own.astype(np.uint8), levels))
        else:
            made.append(Column(name, Kind.CONTINUOUS, own.astype(np.float64)))
    return Dataset(tuple(made))


def by_levels(n=400, seed=0):
    """y has another slope in each level of g, x none at all; h depends on g."""
    rng = np.random.default_rng(seed)
    g = rng.integers(0, 2, n)
    x = rng.standard_normal(n)
    y = np.where(g == 0, 1.5, -1.5) * x + np.where(g == 0, 0.3, 2.0) * rng.standard_normal(n)
    h = (rng.random(n) < np.where(g == 0, 0.1, 0.8)).astype(int)
    return table(g=g, h=h, x=x, y=y)


def test_the_numbers_of_bnlearn():
    """score(net, data, type = "bic-cg", by.node = TRUE) of bnlearn 4.9, whose variances are divided by N - k - 1."""
    data = as_dataset(REFERENCE)
    bound, price = ConditionalGaussian().bind(data), log(300) / 2
    theirs = {
        (0, ()): -208.6308313130,
        (1, ()): -431.386177626,
        (5, (0,)): -131.621034937,
        (5, (0, 3)): -146.4006485022,
        (1, (2, 3)): -437.2393802610,
        (2, (0,)): -47.6081939206,
        (4, (0, 5)): 162.496773756,
        (4, (1, 2, 5)): 165.2278791308,
    }
    for (child, parents), bic in theirs.items():
        if data.kinds[child] is Kind.DISCRETE:
            assert bound.local_score(child, parents) == pytest.approx(bic, abs=1e-6)
            continue
        likelihood, count = oracle.log_likelihood(data, child, parents, unbiased=True)
        assert likelihood - price * count == pytest.approx(bic, abs=1e-6)
        ours = oracle.log_likelihood(data, child, parents)[0] - likelihood
        assert bound.local_score(child, parents) == pytest.approx(bic + ours, abs=1e-6)


@settings(max_examples=60)
@given(st.data())
def test_kernel_against_its_twin_and_batch_against_single(draw):
    least = draw.draw(st.sampled_from([1, 8, 40, 1000]))
    bound = ConditionalGaussian(least_rows=least).bind(MIXED)
    child = draw.draw(st.integers(0, 5))
    others = [v for v in (range(6) if child in NUMBERS else LEVELS) if v != child]
    sets = draw.draw(st.lists(st.lists(st.sampled_from(others), unique=True), min_size=1, max_size=8))
    padded = np.full((len(sets), 6), -1, dtype=np.intp)
    for row, parents in zip(padded, sets, strict=True):
        row[: len(parents)] = parents
    scores = bound.local_scores(child, padded)
    for score, parents in zip(scores, sets, strict=True):
        assert score == pytest.approx(bound.local_score(child, parents), rel=1e-12)
        slow = oracle.bic(MIXED, child, sorted(parents), least_rows=least)
        if np.isfinite(slow):
            assert score == pytest.approx(slow, rel=1e-9, abs=1e-7)
        else:
            assert score < -1e4


def test_tables_of_one_kind_have_the_scores_of_these():
    for data, other in ((continuous_data(), GaussianBIC()), (discrete_data(), BIC())):
        own, theirs = ConditionalGaussian().bind(data), other.bind(data)
        for child, parents in ((0, []), (1, [0, 3]), (4, [2])):
            assert own.local_score(child, parents) == theirs.local_score(child, parents)


def test_families_of_numbers_and_of_levels_in_a_mixed_table():
    own = ConditionalGaussian().bind(MIXED)
    numbers = GaussianBIC().bind(MIXED.select([MIXED.names[j] for j in NUMBERS]))
    levels = BIC().bind(MIXED.select([MIXED.names[j] for j in LEVELS]))
    assert own.local_score(3, [1, 5]) == numbers.local_score(1, [0, 2])
    assert own.local_score(2, [0]) == levels.local_score(1, [0])


def test_equivalent_networks_have_one_score():
    rng, changes = np.random.default_rng(1), []
    permitted = ConditionalGaussian().permitted(MIXED)
    for _ in range(40):
        order = [*rng.permutation(LEVELS), *rng.permutation(NUMBERS)]
        adj = np.zeros((6, 6), dtype=bool)
        adj[np.ix_(order, order)] = np.triu(rng.random((6, 6)) < 0.5, 1)
        before = total(ConditionalGaussian(least_rows=20), Dag.from_adjacency(MIXED.names, adj), MIXED)
        for u, v in covered_edges(adj):
            if permitted[v, u]:
                turned = adj.copy()
                turned[u, v], turned[v, u] = False, True
                dag = Dag.from_adjacency(MIXED.names, turned)
                changes.append(total(ConditionalGaussian(least_rows=20), dag, MIXED) - before)
    assert len(changes) > 20
    assert np.max(np.abs(changes)) < 1e-8


def test_weights_are_rows_repeated_and_units_only_shift():
    weights = np.random.default_rng(3).integers(1, 4, MIXED.n_stored)
    heavy, repeated = MIXED.weighted(weights), MIXED.weighted(weights).repeated()
    scaled = Dataset(
        tuple(
            Column(c.name, c.kind, c.values * 1e-150 + 1e-140, c.levels) if c.kind is Kind.CONTINUOUS else c
            for c in MIXED.columns
        )
    )
    for child, parents in ((1, [0]), (1, [0, 2, 3]), (3, [1, 4, 5])):
        once = ConditionalGaussian().bind(repeated).local_score(child, parents)
        assert ConditionalGaussian().bind(heavy).local_score(child, parents) == pytest.approx(once, rel=1e-12)
    plain, other = ConditionalGaussian().bind(MIXED), ConditionalGaussian().bind(scaled)
    shift = other.local_score(3, []) - plain.local_score(3, [])
    assert other.local_score(3, [1, 4]) - plain.local_score(3, [1, 4]) == pytest.approx(shift, rel=1e-4)


def test_order_of_rows_and_columns():
    shuffled = reorder_rows(MIXED, np.random.default_rng(0).permutation(MIXED.n_rows))
    before = snapshot(MIXED)
    first, second = ConditionalGaussian().bind(MIXED), ConditionalGaussian().bind(shuffled)
    assert second.local_score(1, [0, 3]) == pytest.approx(first.local_score(1, [0, 3]), rel=1e-12)
    assert first.local_score(1, [0, 2, 3]) == first.local_score(1, [3, 2, 0])
    assert snapshot(MIXED) == before


@pytest.mark.parametrize("search", SEARCHES)
def test_no_search_draws_an_arc_from_a_number_to_levels(search):
    data = by_levels()
    result = arcwise.learn(data, search(score=ConditionalGaussian()))
    assert result.graph is not None
    assert set(result.graph.edges) >= {("g", "y"), ("x", "y")}
    assert not {(a, b) for a, b in result.graph.edges if a in "xy" and b in "gh"}
    # The pattern: g -> y and x -> y meet there; g - h may point either way.
    assert ("g", "y") in result.cpdag.directed
    assert frozenset({"g", "h"}) in {frozenset(edge) for edge in result.cpdag.undirected}


def test_an_edge_that_only_one_direction_has_a_place_for_is_directed():
    rng = np.random.default_rng(5)
    g = rng.integers(0, 3, 300)
    data = table(g=g, x=g + 0.5 * rng.standard_normal(300))
    result = arcwise.learn(data, Boss(score=ConditionalGaussian()))
    assert result.cpdag.directed == (("g", "x"),)


def test_knowledge_and_starts_that_have_no_place_are_refused():
    data = by_levels()
    learner = HillClimb(score=ConditionalGaussian())
    with pytest.raises(GraphError, match=r"the edge x -> g is required, but .* turn it round"):
        arcwise.learn(data, learner, knowledge=Knowledge(required=["x -> g"]))
    with pytest.raises(GraphError, match=r"the edge y -> h is in the start graph, but"):
        arcwise.learn(data, learner, start=Dag(data.names, [("y", "h")]))
    kept = arcwise.learn(data, learner, start=Dag(data.names, [("h", "x")]), knowledge=Knowledge(required=["h -> x"]))
    assert ("h", "x") in kept.graph.edges


def test_few_rows_and_levels_that_determine_a_number():
    rng = np.random.default_rng(2)
    g = np.repeat([0, 1, 2], [99, 100, 1])
    x = np.where(g == 1, 0.0, rng.standard_normal(200))
    data = table(f=np.tile([0, 1], 100), g=g, x=x, y=rng.standard_normal(200))
    bound = ConditionalGaussian().bind(data)
    assert len(bound.warnings) == 1
    assert "g: some level has a single row" in bound.warnings[0]
    assert bound.local_score(3, [1]) < bound.local_score(3, []) - 1e4
    pooled = ConditionalGaussian(least_rows=5).bind(data)
    assert any("x in g" in warning for warning in pooled.warnings)
    assert np.isfinite(pooled.local_score(3, [1]))
    assert pooled.local_score(3, [1]) == pytest.approx(oracle.bic(data, 3, [1], least_rows=5))
    assert pooled.local_score(2, [1]) < pooled.local_score(2, []) - 1e4
    result = arcwise.learn(data, Boss(score=ConditionalGaussian()), start=Dag(data.names, [("g", "y")]))
    assert result.graph.n_edges == 0  # found its way out of what has no density


def test_constant_columns_copies_and_tiny_tables_are_no_trouble():
    rng = np.random.default_rng(4)
    g, x = rng.integers(0, 2, 60), rng.standard_normal(60)
    data = table(c=np.full(60, 3.0), g=g, k=np.zeros(60, dtype=int), x=x, y=2 * x + 1)
    bound = ConditionalGaussian().bind(data)
    for child in range(5):
        alone = bound.local_score(child, [])
        for u in range(5):
            if u != child:
                assert np.isfinite(bound.local_score(child, [u]))
                if {u, child} & {0, 2}:
                    assert bound.local_score(child, [u]) <= alone
    assert bound.local_score(0, []) == 0.0
    assert arcwise.learn(data, Boss(score=ConditionalGaussian())).graph.n_edges == 1
    for n in (2, 3):
        small = table(g=np.arange(n) % 2, x=np.arange(n) * 1.5, y=np.ones(n))
        result = arcwise.learn(small, Boss(score=ConditionalGaussian()))
        assert np.isfinite(result.score)


def test_the_cause_of_a_different_slope_in_each_level_is_found_where_one_line_shows_nothing():
    data = by_levels(400)
    own = arcwise.learn(data, "conditional-gaussian").graph
    assert {("g", "y"), ("x", "y")} <= set(own.edges)
    linear = arcwise.learn(data, "gaussian").cpdag
    assert not linear.adjacent("x", "y")


def test_a_graph_with_an_arc_that_has_no_place_has_no_score():
    data = by_levels()
    with pytest.raises(GraphError, match=r"the edge x -> h is in the graph, but .* from a continuous to a discrete"):
        total(ConditionalGaussian(), Dag(data.names, [("x", "h")]), data)
    assert np.isfinite(total(ConditionalGaussian(), Dag(data.names, [("h", "x"), ("g", "h")]), data))


def test_the_moments_of_very_many_levels_are_not_made(monkeypatch):
    monkeypatch.setattr("arcwise.stats.strata.MOST_NUMBERS", 7)
    data = by_levels()
    bound = ConditionalGaussian().bind(data)  # two numbers, two levels: 8 numbers
    assert any("too many levels" in warning for warning in bound.warnings)
    assert bound.local_score(2, [0]) < bound.local_score(2, []) - 1e4


def test_inside_other_methods():
    data = by_levels()
    mixed = arcwise.learn(data, "gaussian", mixed=ConditionalGaussian())
    assert {("g", "y"), ("x", "y")} <= set(mixed.graph.edges)
    hybrid = arcwise.learn(data, "mmhc", score="conditional-gaussian", test="by-kind")
    assert not {(a, b) for a, b in hybrid.cpdag.directed if a in "xy" and b in "gh"}
    shares = arcwise.bootstrap(data, "conditional-gaussian", 5)
    assert shares.between("g", "y").share == 1.0
