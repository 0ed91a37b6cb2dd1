"""With exact information TPDA is its plain twin on any network, and right on polytrees."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arcwise.constraint.tpda.tpda import TPDA
from arcwise.graph.dag import Dag
from arcwise.graph.equivalence import meek
from arcwise.independence.oracle import ExactInformation
from arcwise.networks import random_discrete_network
from tests.oracle.graphs import random_dag
from tests.oracle.independence import blank
from tests.oracle.tpda import PlainTPDA

RNG = np.random.default_rng(0)  # TPDA draws nothing from it


def matrices(n, edges, arrows):
    """(directed, undirected) of a set of pairs, some of them arrows."""
    directed, undirected = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
    for x, y in edges:
        undirected[x, y] = undirected[y, x] = True
    for x, y in arrows:
        directed[x, y], undirected[x, y], undirected[y, x] = True, False, False
    return directed, undirected


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 6), st.sampled_from([1e-6, 1e-3, 1e-2]), st.sampled_from([0.3, 0.6]))
def test_equals_the_plain_algorithm(seed, n, eps, density):
    rng = np.random.default_rng(seed)
    names = "abcdef"[:n]
    dag = Dag.from_adjacency(names, random_dag(rng, n, density))
    network = random_discrete_network(dag, seed=seed, cardinality=(2, 3))
    test = ExactInformation(network, eps)
    bound = test.bind(blank(names))
    twin = PlainTPDA(lambda x, y, z: bound.test(x, y, z).statistic, n, eps)
    found = TPDA(test=test, unit="nats").learn(blank(names), rng=RNG)
    assert set(found.cpdag.skeleton) == {(names[x], names[y]) for x, y in twin.edges}
    named = {(names[x], names[y]): tuple(names[u] for u in cut) for (x, y), cut in twin.cuts.items()}
    assert {pair: cut for pair, cut in found.separating_sets.items() if cut} == named
    directed, undirected = meek(*matrices(n, twin.edges, twin.arrows))
    assert np.array_equal(found.cpdag.directed_matrix, directed)
    assert np.array_equal(found.cpdag.undirected_matrix, undirected)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 7))
def test_a_polytree_is_found(seed, n):
    """Every pair has at most one path, so information can only fall along it: polytrees are monotone."""
    rng = np.random.default_rng(seed)
    names = rng.permutation([f"v{i}" for i in range(n)]).tolist()
    lines = [(names[int(rng.integers(0, i))], names[i]) for i in range(1, n)]
    dag = Dag(names, [line if rng.random() < 0.5 else line[::-1] for line in lines])
    network = random_discrete_network(dag, seed=seed, cardinality=(2, 3))
    test = ExactInformation(network, 1e-7)
    bound = test.bind(blank(names))
    pairs = [bound.test(x, y, []).statistic for x, y in combinations(range(n), 2)]
    assume(not any(1e-12 < value < 1e-6 for value in pairs))  # clearly dependent or not at all
    result = TPDA(test=test, unit="nats").learn(blank(names), rng=RNG)
    assert result.cpdag == dag.cpdag()
    assert result.graph.cpdag() == dag.cpdag()
    assert result.warnings == ()
