from __future__ import annotations

from itertools import combinations

import networkx
import numpy as np

from arcwise.graph.adjacency import d_connected, d_separated, markov_blanket, moral
from tests.oracle.graphs import all_dags, random_dag, separated_by_paths


def test_every_question_about_every_four_node_dag() -> None:
    for k, adj in enumerate(all_dags(4)):
        if k % 5:
            continue
        for x, y in combinations(range(4), 2):
            others = [i for i in range(4) if i not in {x, y}]
            for given in ([], *([i] for i in others), others):
                assert d_separated(adj, [x], [y], given) == separated_by_paths(adj, x, y, set(given))


def test_sets_agree_with_networkx() -> None:
    rng = np.random.default_rng(8)
    outcomes = set()
    for _ in range(150):
        adj = random_dag(rng, 9, 0.25)
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(9))
        graph.add_edges_from(np.argwhere(adj).tolist())
        mixed = rng.permutation(9).tolist()
        x, y, given = set(mixed[:2]), set(mixed[2:4]), set(mixed[4 : 4 + int(rng.integers(0, 4))])
        found = d_separated(adj, x, y, given)
        assert found == networkx.is_d_separator(graph, x, y, given)
        outcomes.add(found)
    assert outcomes == {True, False}


def test_the_markov_blanket_separates_from_all_others_and_no_smaller_set_does() -> None:
    rng = np.random.default_rng(9)
    for _ in range(30):
        adj = random_dag(rng, 8, 0.3)
        for node in range(8):
            blanket = markov_blanket(adj, node)
            rest = set(range(8)) - set(blanket) - {node}
            assert d_separated(adj, [node], rest, blanket)
            for dropped in blanket:
                smaller = set(blanket) - {dropped}
                assert not d_separated(adj, [node], rest | {dropped}, smaller)


def test_moral_neighbours_are_the_markov_blanket() -> None:
    adj = random_dag(np.random.default_rng(10), 20, 0.15)
    joined = moral(adj)
    assert np.array_equal(joined, joined.T)
    for node in range(20):
        assert np.flatnonzero(joined[node]).tolist() == markov_blanket(adj, node)


def test_connected_nodes_leave_out_the_observed_ones() -> None:
    parents, children = [[], [0, 2], [], [1]], [[1], [3], [1], []]
    assert d_connected(parents, children, [0], []) == {0, 1, 3}
    assert d_connected(parents, children, [0], [3]) == {0, 1, 2}
    assert d_connected(parents, children, [0], [1]) == {0, 2}
