from __future__ import annotations

import time
from collections import Counter
from itertools import product

import numpy as np
import pytest

from arcwise.graph.adjacency import find_cycle
from arcwise.graph.equivalence import (
    best_effort_extension,
    covered_edges,
    cpdag,
    equivalent,
    meek,
    v_structures,
)
from tests.oracle import graphs as slow


@pytest.mark.parametrize(("n", "n_dags", "n_classes"), [(1, 1, 1), (2, 3, 2), (3, 25, 11), (4, 543, 185)])
def test_number_of_dags_and_classes(n: int, n_dags: int, n_classes: int) -> None:
    patterns = Counter(tuple(part.tobytes() for part in cpdag(adj)) for adj in slow.all_dags(n))
    assert sum(patterns.values()) == n_dags
    assert len(patterns) == n_classes


def test_sizes_of_the_classes_on_three_nodes() -> None:
    patterns = Counter(tuple(part.tobytes() for part in cpdag(adj)) for adj in slow.all_dags(3))
    assert sorted(patterns.values()) == sorted([1, 2, 2, 2, 3, 3, 1, 1, 3, 1, 6])


@pytest.mark.parametrize("n", [3, 4])
def test_cpdag_directs_exactly_what_all_members_share(n: int) -> None:
    for members in slow.classes(n):
        directed, undirected = slow.common_pattern(members)
        for adj in members:
            found = cpdag(adj)
            assert np.array_equal(found[0], directed)
            assert np.array_equal(found[1], undirected)


def test_cpdag_equals_v_structures_and_meek_on_larger_graphs() -> None:
    rng = np.random.default_rng(1)
    for density in (0.15, 0.3, 0.5, 0.8):
        for _ in range(5):
            adj = slow.random_dag(rng, 9, density)
            for found, expected in zip(cpdag(adj), slow.pattern_by_rules(adj), strict=True):
                assert np.array_equal(found, expected)


def test_extension_of_every_cpdag_is_in_the_class() -> None:
    for members in slow.classes(4):
        extension = best_effort_extension(*cpdag(members[0]))
        assert extension.consistent
        assert any(np.array_equal(extension.adjacency, member) for member in members)


def test_equivalent_and_v_structures_agree_with_the_definition() -> None:
    rng = np.random.default_rng(2)
    dags = list(slow.all_dags(4))
    outcomes: Counter[bool] = Counter()
    for one in (dags[i] for i in rng.choice(len(dags), 20, replace=False)):
        assert frozenset(v_structures(one)) == slow.colliders(one)
        for other in dags:
            same = slow.class_key(one) == slow.class_key(other)
            assert equivalent(one, other) == same
            outcomes[same] += 1
    assert outcomes[True] > 20
    assert outcomes[False] > 40


def test_reversing_an_edge_stays_in_the_class_iff_it_is_covered() -> None:
    for adj in slow.all_dags(4):
        covered = covered_edges(adj)
        for i, j in np.argwhere(adj).tolist():
            turned = adj.copy()
            turned[i, j], turned[j, i] = False, True
            stays = slow.acyclic(turned) and slow.class_key(turned) == slow.class_key(adj)
            assert ((i, j) in covered) == stays


def test_meek_is_complete_with_background_knowledge() -> None:
    """Orient one free edge of a CPDAG: the closure shows exactly what the remaining members share (needs R4)."""
    checked = 0
    for members in slow.classes(4):
        directed, undirected = slow.common_pattern(members)
        for i, j in np.argwhere(undirected).tolist():
            known, free = directed.copy(), undirected.copy()
            known[i, j], free[i, j], free[j, i] = True, False, False
            expected = slow.common_pattern(tuple(member for member in members if member[i, j]))
            for found, want in zip(meek(known, free), expected, strict=True):
                assert np.array_equal(found, want)
            checked += 1
    assert checked > 300


@pytest.mark.parametrize(
    ("directed", "undirected", "expected"),
    [
        ([(0, 1)], [(1, 2)], (1, 2)),  # R1
        ([(0, 1), (1, 2)], [(0, 2)], (0, 2)),  # R2
        ([(2, 1), (3, 1)], [(0, 1), (0, 2), (0, 3)], (0, 1)),  # R3
        ([(3, 2), (2, 1)], [(0, 1), (0, 2), (0, 3)], (0, 1)),  # R4
    ],
)
def test_each_rule_of_meek(
    directed: list[tuple[int, int]], undirected: list[tuple[int, int]], expected: tuple[int, int]
) -> None:
    arrows, lines = np.zeros((4, 4), dtype=np.bool_), np.zeros((4, 4), dtype=np.bool_)
    for i, j in directed:
        arrows[i, j] = True
    for i, j in undirected:
        lines[i, j] = lines[j, i] = True
    found, _ = meek(arrows, lines)
    assert found[expected]
    assert not found[expected[::-1]]


def test_bidirected_edges_shield_in_meek() -> None:
    arrows, lines, conflict = (np.zeros((3, 3), dtype=np.bool_) for _ in range(3))
    arrows[0, 1] = lines[1, 2] = lines[2, 1] = conflict[0, 2] = conflict[2, 0] = True
    assert meek(arrows, lines)[0][1, 2]
    assert not meek(arrows, lines, conflict)[0][1, 2]


def test_meek_never_closes_a_cycle_even_on_contradictory_input() -> None:
    rng = np.random.default_rng(4)
    blocked = 0
    for _ in range(300):
        arrows = slow.random_dag(rng, 6, 0.3)
        lines = np.triu(rng.random((6, 6)) < 0.5, k=1)
        lines = (lines | lines.T) & ~arrows & ~arrows.T
        directed, undirected = meek(arrows, lines)
        assert find_cycle(directed) is None
        assert (directed >= arrows).all()
        assert np.array_equal(directed | directed.T | undirected, arrows | arrows.T | lines)
        blocked += find_cycle(slow.meek_by_sweeps(arrows, lines)[0]) is not None
    assert blocked > 0


def test_extension_exists_exactly_when_some_orientation_works() -> None:
    rng = np.random.default_rng(6)
    outcomes: Counter[bool] = Counter()
    for states in rng.permutation(list(product(range(4), repeat=6)))[:500].tolist():
        directed, undirected = np.zeros((4, 4), dtype=np.bool_), np.zeros((4, 4), dtype=np.bool_)
        for (i, j), state in zip([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], states, strict=True):
            undirected[i, j] = undirected[j, i] = state == 1
            directed[i, j], directed[j, i] = state == 2, state == 3
        possible = slow.extensions(directed, undirected)
        found = best_effort_extension(directed, undirected)
        assert find_cycle(found.adjacency) is None
        assert np.array_equal(found.adjacency | found.adjacency.T, directed | directed.T | undirected)
        assert found.consistent == bool(possible)
        assert bool(found.stuck) != found.consistent
        if possible:
            assert any(np.array_equal(found.adjacency, adj) for adj in possible)
        elif find_cycle(directed) is None:
            assert (found.adjacency >= directed).all()
        outcomes[found.consistent] += 1
    assert min(outcomes[True], outcomes[False]) > 50


def test_a_thousand_nodes_take_no_time() -> None:
    adj = slow.random_dag(np.random.default_rng(7), 1000, 0.004)
    start = time.perf_counter()
    directed, undirected = cpdag(adj)
    extension = best_effort_extension(directed, undirected)
    assert time.perf_counter() - start < 1.0
    assert extension.consistent
    assert equivalent(extension.adjacency, adj)
