"""Graphs of more nodes than a page holds: communities, and what the picture says about them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arcwise.drawing.communities import communities
from arcwise.drawing.graphs import MOST_NODES, scene
from arcwise.drawing.overview import overview_of
from arcwise.drawing.subject import subject_of
from arcwise.graph import Dag, Pdag


def cliques(sizes: list[int]) -> Pdag:
    """Nodes that are all joined to each other, clique by clique, each clique to the next by one edge."""
    names, pairs, last = [], [], None
    for k, size in enumerate(sizes):
        own = [f"c{k} n{i}" for i in range(size)]
        pairs += list(combinations(own, 2))
        pairs += [(last, own[0])] if last else []
        names += own
        last = own[-1]
    return Pdag(names, undirected=pairs)


def test_cliques_are_communities() -> None:
    pairs = [*combinations(range(4), 2), *combinations(range(4, 10), 2), (3, 4)]
    assert communities(11, pairs) == [[4, 5, 6, 7, 8, 9], [0, 1, 2, 3], [10]]
    assert communities(3, []) == [[0], [1], [2]]


@pytest.mark.parametrize("seed", range(4))
def test_modularity_is_as_good_as_another_program_s(seed: int) -> None:
    import networkx as nx

    rng = np.random.default_rng(seed)
    graph = nx.Graph()
    graph.add_nodes_from(range(60))
    for i, j in combinations(range(60), 2):
        if rng.random() < (0.35 if i % 4 == j % 4 else 0.03):
            graph.add_edge(i, j)
    ours = communities(60, sorted(graph.edges))
    assert sorted(node for group in ours for node in group) == list(range(60))
    theirs = nx.community.greedy_modularity_communities(graph)
    assert nx.community.modularity(graph, ours) >= nx.community.modularity(graph, theirs) - 0.02


def test_an_overview_has_a_box_for_each_community() -> None:
    graph = cliques([9, 8, 7, 12, 10, 16, 5])
    assert graph.n_nodes > MOST_NODES
    shapes = scene(graph, "many")
    boxes = [group for group in shapes.groups if group.marks == "community"]
    assert len(boxes) == 7
    members = sorted(int(node) for group in boxes for node in group.data[0][1].split())
    assert members == list(range(graph.n_nodes))
    texts = [letters.text for group in boxes for letters in group.letters]
    assert "+ 13 more, 120 edges" in texts
    links = [group for group in shapes.groups if group.marks == "link"]
    assert [link.letters[0].text for link in links] == ["1"] * 6
    notes = [letters.text for letters in shapes.letters]
    assert notes[0] == "many"
    assert notes[1].startswith("67 nodes, 332 edges: too many for one page")
    assert "around='c5 n0'" in notes[2]
    assert [group.marks for group in scene(graph, whole=True).groups].count("node") == 67


def test_nodes_without_edges_and_very_small_groups_are_one_box_each() -> None:
    names = [f"n{i:03}" for i in range(130)]
    graph = Dag(names, [(names[i], names[i + 1]) for i in range(0, 100, 2)])
    found = overview_of(subject_of(graph, None, {}, None))
    assert [group.rest for group in found.groups][-2:] == ["10 small groups", "without edges"]
    assert len(found.groups) == 42
    assert len(found.groups[-1].nodes) == 30
    assert sum(group.inside for group in found.groups) == 50


def test_many_nodes_without_any_edge_are_just_drawn() -> None:
    assert [group.marks for group in scene(Dag([f"n{i}" for i in range(80)])).groups] == ["node"] * 80


def test_an_overview_marks_the_target_and_counts_differences() -> None:
    graph = cliques([30, 33])
    other = Pdag(graph.names, undirected=graph.undirected[1:])
    shapes = scene(graph, target="c1 n3", against=other)
    (marked,) = (group for group in shapes.groups if group.marks == "community" and group.boxes[0].color == "#ffd166")
    assert str(graph.index("c1 n3")) in marked.data[0][1].split()
    assert "the group of c1 n3" in [letters.text for group in shapes.groups for letters in group.letters]
    assert "edges: 963 in both, 1 only here" in [letters.text for letters in shapes.letters]


def test_the_order_of_names_does_not_matter() -> None:
    graph = cliques([20, 25, 18])
    shuffled = graph.reordered(np.random.default_rng(1).permutation(graph.names).tolist())
    one, other = (scene(some) for some in (graph, shuffled))
    assert [group.boxes for group in one.groups] == [group.boxes for group in other.groups]
    assert [group.tooltip for group in one.groups] == [group.tooltip for group in other.groups]
