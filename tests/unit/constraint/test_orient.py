"""Colliders, conflicts between them, and knowledge."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.constraint.orient import colliders, orient
from arcwise.constraint.separate import Separation
from arcwise.parts.knowledge import Knowledge

# a - b - c - d, a cut from c and b from d by the empty set: b and c are both colliders, and b - c is in dispute.
PATH = [(0, 1), (1, 2), (2, 3)]


def graph(n, edges):
    adjacent = np.zeros((n, n), dtype=bool)
    for i, j in edges:
        adjacent[i, j] = adjacent[j, i] = True
    return adjacent


def pairs(matrix):
    return [tuple(pair) for pair in np.argwhere(matrix).tolist()]


def path_pattern(conflicts, values=(0.5, 0.5), **knowledge):
    separations = {(0, 2): Separation((), values[0]), (1, 3): Separation((), values[1])}
    return orient(graph(4, PATH), separations, Knowledge(**knowledge).bind("abcd"), conflicts)


def test_colliders_are_unshielded_and_outside_the_separating_set():
    adjacent = graph(4, [(0, 1), (1, 2), (1, 3), (2, 3)])
    found = colliders(adjacent, {(0, 2): Separation((1,), 0.6), (0, 3): Separation((), 0.7)})
    assert [(c.x, c.y, c.z, c.value) for c in found] == [(0, 1, 3, 0.7)]


def test_nothing_follows_from_a_pair_without_a_separating_set():
    assert colliders(graph(3, [(0, 1), (1, 2)]), {}) == []


def test_a_conflict_is_shown_as_a_bidirected_edge():
    pattern = path_pattern("bidirected")
    assert pairs(pattern.directed) == [(0, 1), (3, 2)]
    assert pairs(np.triu(pattern.bidirected)) == [(1, 2)]
    assert not pattern.undirected.any()
    assert pattern.refused == ()


def test_the_first_collider_by_name_wins():
    pattern = path_pattern("first", values=(0.2, 0.9))
    assert pairs(pattern.directed) == [(0, 1), (2, 1)]
    assert pairs(np.triu(pattern.undirected)) == [(2, 3)], "the loser is left out as a whole"
    assert [(c.x, c.y, c.z) for c in pattern.refused] == [(1, 2, 3)]


@pytest.mark.parametrize(("values", "winner"), [((0.2, 0.9), 2), ((0.9, 0.2), 1), ((0.9, 0.9 + 1e-13), 1)])
def test_the_collider_whose_pair_is_separated_most_surely_wins(values, winner):
    pattern = path_pattern("priority", values=values)
    assert {head for _, head in pairs(pattern.directed)} == {winner}


@pytest.mark.parametrize("conflicts", ["bidirected", "first", "priority"])
def test_knowledge_settles_a_conflict(conflicts):
    pattern = path_pattern(conflicts, required=[("b", "c")])
    assert pairs(pattern.directed) == [(1, 2), (3, 2)]
    assert not pattern.bidirected.any()
    assert [(c.x, c.y, c.z) for c in pattern.refused] == [(0, 1, 2)]


def test_a_forbidden_direction_points_the_edge_the_other_way_and_meek_goes_on():
    separations = {(0, 2): Separation((1,), 0.5), (1, 3): Separation((2,), 0.5), (0, 3): Separation((1,), 0.5)}
    pattern = orient(graph(4, PATH), separations, Knowledge(forbidden=[("b", "a")]).bind("abcd"), "bidirected")
    assert pairs(pattern.directed) == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("conflicts", ["first", "priority"])
def test_no_collider_closes_a_cycle(conflicts):
    """A ring 0 1 2 with a tail at each node; the tails make every node of the ring a collider with the one before."""
    ring = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 4), (2, 5)]
    separations = {(0, 4): Separation((), 0.5), (1, 5): Separation((), 0.5), (2, 3): Separation((), 0.5)}
    pattern = orient(graph(6, ring), separations, Knowledge().bind("abcdef"), conflicts)
    assert len(pattern.refused) == 1
    reach = np.linalg.matrix_power(np.eye(6) + pattern.directed, 6) > 0
    assert not (reach & reach.T & ~np.eye(6, dtype=bool)).any()
