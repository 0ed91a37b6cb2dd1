"""Laws of equivalence classes, separation and distances on random graphs."""

from __future__ import annotations

import networkx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.graph import Dag, Pdag
from arcwise.graph.adjacency import d_separated, find_cycle
from arcwise.graph.equivalence import covered_edges, cpdag, equivalent, meek, v_structures
from arcwise.graph.pdag import chosen_directions, chosen_words
from arcwise.metrics import shd
from tests.oracle.graphs import pattern_by_rules, random_dag, separated_by_paths

SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.integers(2, 9)
DENSITIES = st.floats(0.05, 0.95)


def named(adj: np.ndarray) -> Dag:
    return Dag.from_adjacency([f"v{i}" for i in range(len(adj))], adj)


@settings(deadline=None, max_examples=60)
@given(SEEDS, SIZES, DENSITIES)
def test_cpdag_and_its_extension(seed: int, n: int, density: float) -> None:
    adj = random_dag(np.random.default_rng(seed), n, density)
    directed, undirected = cpdag(adj)
    for found, expected in zip((directed, undirected), pattern_by_rules(adj), strict=True):
        assert np.array_equal(found, expected)
    for found, same in zip(meek(directed, undirected), (directed, undirected), strict=True):
        assert np.array_equal(found, same)
    pattern = named(adj).cpdag()
    assert equivalent(pattern.extension().adjacency, adj)
    assert pattern.cpdag() == pattern


@settings(deadline=None, max_examples=60)
@given(SEEDS, SIZES, DENSITIES)
def test_walking_over_covered_edges_stays_in_the_class(seed: int, n: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    adj = random_dag(rng, n, density)
    walked = adj.copy()
    for _ in range(5):
        edges = covered_edges(walked)
        if edges:
            i, j = edges[rng.integers(len(edges))]
            walked[i, j], walked[j, i] = False, True
            assert find_cycle(walked) is None
            assert v_structures(walked) == v_structures(adj)
            assert named(walked).cpdag() == named(adj).cpdag()
            assert shd(named(walked), named(adj)) == shd(named(walked), named(adj), convention="fu") == 0


@settings(deadline=None, max_examples=80)
@given(SEEDS, st.integers(3, 7), DENSITIES)
def test_d_separation_against_paths_and_networkx(seed: int, n: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    adj = random_dag(rng, n, density)
    x, y, *rest = rng.permutation(n).tolist()
    given_set = set(rest[: int(rng.integers(0, n - 1))])
    found = d_separated(adj, [x], [y], given_set)
    assert found == separated_by_paths(adj, x, y, given_set)
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(np.argwhere(adj).tolist())
    assert found == networkx.is_d_separator(graph, {x}, {y}, given_set)
    assert found == d_separated(adj, [y], [x], given_set)


@settings(deadline=None, max_examples=80)
@given(SEEDS, st.integers(2, 5), DENSITIES)
def test_distance_is_symmetric_and_zero_only_within_a_class(seed: int, n: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    one, other, third = (named(random_dag(rng, n, density)) for _ in range(3))
    for convention in ("tsamardinos", "fu"):
        distance = shd(one, other, convention=convention)
        assert distance == shd(other, one, convention=convention)
        assert (distance == 0) == equivalent(one.adjacency, other.adjacency)
    assert shd(one, third) <= shd(one, other) + shd(other, third)


def any_pattern(seed: int, n: int, kinds: int = 5) -> Pdag:
    """Edges of every kind in any combination: none, undirected, arrows either way, bidirected."""
    states = np.triu(np.random.default_rng(seed).integers(0, kinds, (n, n)), k=1)
    lines, conflicts = states == 1, states == 4
    return Pdag.from_matrices(
        [f"v{i}" for i in range(n)], (states == 2) | (states == 3).T, lines | lines.T, conflicts | conflicts.T
    )


@settings(deadline=None, max_examples=150)
@given(SEEDS, st.integers(2, 8), st.integers(3, 5))
def test_every_pattern_has_a_dag_that_keeps_what_can_be_kept(seed: int, n: int, kinds: int) -> None:
    pdag = any_pattern(seed, n, kinds)
    dag, consistent = pdag.best_effort_extension()  # a Dag has no cycle, or it could not be made
    assert Pdag.from_dag(dag).skeleton == pdag.skeleton
    arrows = networkx.DiGraph(pdag.directed)
    round_trips = [set(nodes) for nodes in networkx.strongly_connected_components(arrows)]
    for a, b in pdag.directed:
        on_a_cycle = any({a, b} <= nodes for nodes in round_trips)
        assert ((a, b) in dag.edges) or on_a_cycle
    if consistent:
        assert pdag.extension() == dag
        assert set(pdag.directed) <= set(dag.edges)
    chosen = chosen_directions(pdag, dag)
    assert set(chosen) | set(pdag.directed) >= set(dag.edges)
    turned = [(a, b) for a, b in pdag.directed if (b, a) in dag.edges]
    assert len(chosen) == len(pdag.undirected) + len(pdag.bidirected) + len(turned)
    assert bool(chosen_words(pdag, dag)) == bool(chosen)


@settings(deadline=None, max_examples=60)
@given(SEEDS, st.integers(2, 8))
def test_the_dag_of_a_pattern_does_not_depend_on_the_order_of_the_columns(seed: int, n: int) -> None:
    pdag = any_pattern(seed, n)
    shuffled = pdag.reordered(np.random.default_rng(seed).permutation(pdag.names).tolist())
    assert shuffled.best_effort_extension() == pdag.best_effort_extension()


@settings(deadline=None, max_examples=60)
@given(SEEDS, SIZES, DENSITIES)
def test_the_dag_of_a_class_is_in_the_class(seed: int, n: int, density: float) -> None:
    pattern = named(random_dag(np.random.default_rng(seed), n, density)).cpdag()
    dag, consistent = pattern.best_effort_extension()
    assert consistent
    assert dag.cpdag() == pattern
    assert {tuple(sorted(edge)) for edge in chosen_directions(pattern, dag)} == set(pattern.undirected)
