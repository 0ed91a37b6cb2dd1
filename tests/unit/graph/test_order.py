from __future__ import annotations

import numpy as np
import pytest

from arcwise.errors import GraphError
from arcwise.graph.adjacency import find_cycle, reachable, square_bool, topological_sort
from tests.oracle.graphs import acyclic, random_dag


def matrix(n: int, *edges: tuple[int, int]) -> np.ndarray:
    adj = np.zeros((n, n), dtype=np.bool_)
    for i, j in edges:
        adj[i, j] = True
    return adj


def test_a_cycle_is_returned_in_arrow_order_from_its_smallest_node() -> None:
    assert find_cycle(matrix(5, (4, 0), (3, 1), (1, 2), (2, 3), (0, 1))) == [1, 2, 3]


def test_no_cycle_gives_none() -> None:
    assert find_cycle(matrix(3, (2, 1), (1, 0))) is None
    assert find_cycle(matrix(0)) is None


def test_find_cycle_agrees_with_matrix_powers() -> None:
    rng = np.random.default_rng(5)
    outcomes = set()
    for _ in range(200):
        adj = rng.random((5, 5)) < 0.22
        np.fill_diagonal(adj, False)
        cycle = find_cycle(adj)
        assert (cycle is None) == acyclic(adj)
        outcomes.add(cycle is None)
        if cycle is not None:
            assert all(adj[a, b] for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))
    assert outcomes == {True, False}


def test_topological_sort_takes_the_smallest_ready_node() -> None:
    assert topological_sort(matrix(5, (4, 0), (2, 1))) == [2, 1, 3, 4, 0]


def test_topological_sort_puts_parents_first() -> None:
    adj = random_dag(np.random.default_rng(0), 60, 0.1)
    place = {node: i for i, node in enumerate(topological_sort(adj))}
    assert all(place[i] < place[j] for i, j in np.argwhere(adj).tolist())


def test_topological_sort_of_a_cycle_fails() -> None:
    with pytest.raises(GraphError, match="0 -> 1 -> 0"):
        topological_sort(matrix(2, (0, 1), (1, 0)))


def test_reachable_excludes_the_start_unless_a_cycle_returns() -> None:
    assert reachable([[1], [2], []], [0]) == {1, 2}
    assert reachable([[1], [0]], [0]) == {0, 1}


def test_square_bool_copies_and_locks() -> None:
    given = np.array([[0, 1], [0, 0]])
    result = square_bool(given, ["a", "b"])
    given[0, 1] = 0
    assert result[0, 1]
    assert not result.flags.writeable


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([[0, 1]], r"shape \(1, 2\) but 2 names"),
        ([[0, 0.5], [0, 0]], "other than 0 and 1"),
        ([[0, 0], [0, 1]], "node 'b' is joined to itself"),
    ],
)
def test_square_bool_refuses(bad: list[list[float]], message: str) -> None:
    with pytest.raises(GraphError, match=message):
        square_bool(bad, ["a", "b"])
