from __future__ import annotations

from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest

from arcwise import networks
from arcwise.drawing.crossings import best_orders, count_crossings
from arcwise.drawing.layout import layout
from arcwise.drawing.sugiyama import layered
from arcwise.graph import Dag
from tests.oracle.graphs import random_dag

# What the barycentre sweeps of igraph 1.0 leave in the same layers.
SWEEPS_ALONE = {"alarm": 19, "barley": 141, "child": 5, "hailfinder": 28, "insurance": 45, "mildew": 9}


def crossings_by_pairs(rows: list[list[int]], pieces: list[tuple[int, int]]) -> int:
    place = {vertex: i for row in rows for i, vertex in enumerate(row)}
    row_of = {vertex: r for r, row in enumerate(rows) for vertex in row}
    return sum(
        row_of[a] == row_of[c] and (place[a] - place[c]) * (place[b] - place[d]) < 0
        for (a, b), (c, d) in combinations(pieces, 2)
    )


def random_layers(seed: int, sizes: list[int], density: float) -> tuple[list[int], list[tuple[int, int]]]:
    rng = np.random.default_rng(seed)
    layer = [r for r, size in enumerate(sizes) for _ in range(size)]
    rows = [[v for v in range(len(layer)) if layer[v] == r] for r in range(len(sizes))]
    pieces = [(u, v) for upper, lower in pairwise(rows) for u in upper for v in lower if rng.random() < density]
    return layer, pieces


def below_of(n: int, pieces: list[tuple[int, int]]) -> list[list[int]]:
    below: list[list[int]] = [[] for _ in range(n)]
    for upper, lower in pieces:
        below[upper].append(lower)
    return below


@pytest.mark.parametrize("seed", range(20))
def test_crossings_are_counted_as_by_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    layer, pieces = random_layers(seed, rng.integers(1, 9, size=4).tolist(), rng.uniform(0.2, 0.8))
    rows = [rng.permutation([v for v in range(len(layer)) if layer[v] == r]).tolist() for r in range(4)]
    assert count_crossings(rows, below_of(len(layer), pieces)) == crossings_by_pairs(rows, pieces)


@pytest.mark.parametrize("seed", range(10))
def test_no_order_of_small_layers_has_fewer_crossings(seed: int) -> None:
    layer, pieces = random_layers(seed, [3, 4, 3], 0.5)
    rows = [[v for v in range(len(layer)) if layer[v] == r] for r in range(3)]
    fewest = min(crossings_by_pairs([list(row) for row in p], pieces) for p in product(*map(permutations, rows)))
    for found in best_orders(layer, pieces):
        assert [sorted(row) for row in found] == rows
        assert crossings_by_pairs(found, pieces) == fewest


@pytest.mark.parametrize("name", sorted(SWEEPS_ALONE))
def test_bundled_networks_have_far_fewer_crossings_than_by_sweeps_alone(name: str) -> None:
    dag = networks.load(name).dag
    local = {node: i for i, node in enumerate(sorted(dag.names))}
    found = layered([80.0] * dag.n_nodes, sorted((local[a], local[b]) for a, b in dag.edges))
    rows = [
        sorted((v for v in range(len(found.layer)) if found.layer[v] == r), key=lambda v: found.x[v])
        for r in range(max(found.layer) + 1)
    ]
    pieces = [piece for chain in found.chains for piece in pairwise(chain)]
    assert count_crossings(rows, below_of(len(found.layer), pieces)) <= 0.7 * SWEEPS_ALONE[name]


def test_the_same_orders_on_every_run_and_none_twice() -> None:
    dag = Dag.from_adjacency([f"x{i:02}" for i in range(40)], random_dag(np.random.default_rng(5), 40, 0.06))
    assert layout(dag) == layout(dag)
    layer, pieces = random_layers(1, [8, 9, 8, 7], 0.3)
    orders = best_orders(layer, pieces)
    assert orders == best_orders(layer, pieces)
    assert all(one != other for one, other in combinations(orders, 2))
