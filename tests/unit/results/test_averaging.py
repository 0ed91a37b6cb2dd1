"""The averaged network: which edges count, how they point, cycles, knowledge."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise import Dag, Knowledge, Pdag, Strengths
from arcwise.errors import GraphError, OptionError
from arcwise.results.averaging import inclusion_threshold
from arcwise.results.strengths import Origin
from tests.oracle import averaging as oracle


def strengths(names, edges, knowledge=None):
    """edges: {(a, b): (share, forward, backward)}."""
    place = {name: i for i, name in enumerate(names)}
    adjacent, directed = np.zeros((2, len(names), len(names)))
    for (a, b), (share, forward, backward) in edges.items():
        i, j = place[a], place[b]
        adjacent[i, j] = adjacent[j, i] = share
        directed[i, j], directed[j, i] = forward, backward
    origin = None if knowledge is None else Origin("k2", {"kind": "k2"}, "rows", 0, 10, 100, knowledge=knowledge)
    return Strengths(tuple(names), 100, adjacent, directed, origin)


class TestThreshold:
    @pytest.mark.parametrize("seed", range(20))
    def test_it_is_the_nearest_of_all_step_functions(self, seed):
        rng = np.random.default_rng(seed)
        shares = rng.beta(0.3, 0.4, rng.integers(1, 40)).round(3)
        assert inclusion_threshold(shares) == pytest.approx(oracle.inclusion_threshold(shares))

    @pytest.mark.parametrize(
        ("shares", "least"),
        [([0.0, 0.2, 0.51, 0.9], 0.51), ([0.49, 0.1], 1.0), ([], 1.0), ([0.5], 0.5), ([0.0, 0.0], 1.0), ([1.0], 1.0)],
    )
    def test_known_answers(self, shares, least):
        assert inclusion_threshold(np.array(shares)) == least

    def test_a_given_threshold_is_a_share(self):
        found = strengths("ab", {("a", "b"): (0.6, 0.6, 0.0)})
        assert found.network(0.6).edges == (("a", "b"),)
        assert found.network(0.61).edges == ()
        for wrong in (0.0, -1.0, 1.5, float("nan")):
            with pytest.raises(OptionError, match="threshold"):
                found.network(wrong)


class TestNetwork:
    def test_weak_pairs_are_left_out_and_directions_are_those_of_most_classes(self):
        found = strengths(
            "abcd", {("a", "b"): (0.9, 0.1, 0.8), ("b", "c"): (0.4, 0.4, 0.0), ("c", "d"): (0.7, 0.6, 0.1)}
        )
        assert found.network().edges == (("b", "a"), ("c", "d"))

    def test_the_weakest_edge_of_a_cycle_is_turned(self):
        found = strengths(
            "abc", {("a", "b"): (1.0, 0.9, 0.0), ("b", "c"): (1.0, 0.8, 0.0), ("c", "a"): (1.0, 0.7, 0.1)}
        )
        assert found.network().edges == (("a", "b"), ("a", "c"), ("b", "c"))

    def test_it_is_left_out_where_it_may_not_be_turned(self):
        known = Knowledge(forbidden=[("a", "c")])
        found = strengths(
            "abc", {("a", "b"): (1.0, 0.9, 0.0), ("b", "c"): (1.0, 0.8, 0.0), ("c", "a"): (1.0, 0.7, 0.1)}, known
        )
        assert found.network().edges == (("a", "b"), ("b", "c"))

    def test_ties_are_broken_by_name_whatever_the_order_of_the_columns(self):
        ring = {("a", "b"): (1.0, 0.8, 0.1), ("b", "c"): (1.0, 0.8, 0.1), ("c", "a"): (1.0, 0.8, 0.1)}
        found = [strengths(names, ring).network().edges for names in ("abc", "cab", "bca")]
        assert found == [(("a", "b"), ("a", "c"), ("b", "c"))] * 3

    def test_classes_that_leave_an_edge_open_say_nothing_about_its_direction(self):
        found = strengths("ab", {("a", "b"): (1.0, 0.1, 0.2)})
        assert found.network().edges == (("b", "a"),)
        assert strengths("ab", {("a", "b"): (1.0, 0.1, 0.19)}).network().edges == (("a", "b"),)  # too little to tell

    def test_what_classes_leave_open_makes_no_collider(self):
        found = strengths("abc", {("a", "b"): (1.0, 0.0, 0.0), ("b", "c"): (1.0, 0.0, 0.0)})
        assert found.consensus() == Pdag("abc", [], [("a", "b"), ("b", "c")])

    def test_required_edges_are_in_it_and_forbidden_ones_are_not(self):
        known = Knowledge(required=[("a", "b")], forbidden=[("c", "d"), ("d", "c")], tiers=[["e"], ["a"]])
        shares = {("a", "b"): (0.1, 0.0, 0.1), ("c", "d"): (1.0, 1.0, 0.0), ("a", "e"): (0.9, 0.8, 0.0)}
        found = strengths("abcde", shares, known)
        assert found.network().edges == (("a", "b"), ("e", "a"))
        assert set(found.consensus().directed) >= {("a", "b"), ("e", "a")}

    def test_a_required_edge_breaks_a_cycle_of_stronger_ones(self):
        shares = {("a", "b"): (1.0, 1.0, 0.0), ("b", "c"): (1.0, 1.0, 0.0)}
        found = strengths("abc", shares, Knowledge(required=[("c", "a")]))
        assert ("c", "a") in found.network().edges

    @pytest.mark.parametrize("seed", range(10))
    def test_it_is_a_dag_with_all_edges_that_count(self, seed):
        rng, names = np.random.default_rng(seed), "abcdefg"
        pairs = {(a, b): rng.dirichlet([1, 1, 1, 1])[:3] for a in names for b in names if a < b}
        found = strengths(names, {pair: (sum(p), p[0], p[1]) for pair, p in pairs.items()})
        for least in (0.3, 0.5, 0.9):
            dag = found.network(least)
            edges = set(dag.edges)
            assert not any(oracle.reaches(edges - {(a, b)}, b, a) for a, b in edges)
            assert {frozenset(edge) for edge in edges} == {frozenset((s.a, s.b)) for s in found.edges(least)}
            assert found.consensus(least) == dag.cpdag()

    def test_no_graph_no_edge(self):
        assert strengths("abc", {}).network() == Dag("abc", [])
        assert strengths("", {}).network() == Dag("", [])


def test_weights_of_edges():
    found = strengths("abc", {("a", "b"): (0.9, 0.1, 0.8)})
    assert found.weights(Dag("abc", [("b", "a"), ("b", "c")])) == {("b", "a"): 0.9, ("b", "c"): 0.0}
    with pytest.raises(GraphError, match="unknown node"):
        found.weights(Dag("xy", [("x", "y")]))
