"""The move kernels against their twins on random graphs."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise._kernels.graphs import moves as kernels
from tests.oracle import moves as twin
from tests.oracle.called import called

add_to_closure, best_move, top_addition = map(called, (kernels.add_to_closure, kernels.best_move, kernels.top_addition))
remove_from_closure = called(kernels.remove_from_closure)


def random_dag(rng, n, density):
    adj = np.triu(rng.random((n, n)) < density, 1)
    order = rng.permutation(n)
    return np.ascontiguousarray(adj[np.ix_(order, order)])


def keys(n):
    return np.random.default_rng(7).integers(1, 2**63, size=(n, n), dtype=np.uint64)


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 12), density=st.floats(0, 1))
@settings(max_examples=80, deadline=None)
def test_closure_and_its_update(seed, n, density):
    rng = np.random.default_rng(seed)
    adj = random_dag(rng, n, density)
    reach = kernels.closure(adj)
    assert np.array_equal(reach, twin.closure(adj))
    free = np.argwhere(~adj & (reach.T == 0))
    if len(free):
        u, v = free[rng.integers(len(free))]
        add_to_closure(reach, u, v)
        adj[u, v] = True
        assert np.array_equal(reach, twin.closure(adj))
    for u, v in rng.permutation(np.argwhere(adj))[:5].tolist():
        adj[u, v] = False
        remove_from_closure(adj, reach, u, *np.empty((2, n), dtype=np.int64))
        assert np.array_equal(reach, twin.closure(adj))


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 7),
    density=st.floats(0, 0.8),
    coarse=st.booleans(),
    n_tabu=st.integers(0, 4),
)
@settings(max_examples=150, deadline=None)
def test_best_move(seed, n, density, coarse, n_tabu):
    rng = np.random.default_rng(seed)
    adj = random_dag(rng, n, density)
    delta = rng.normal(size=(n, n))
    if coarse:  # many exact ties
        delta = np.round(delta)
    delta[rng.random((n, n)) < 0.15] = -np.inf
    np.fill_diagonal(delta, -np.inf)
    may_delete = rng.random((n, n)) < 0.8
    zobrist = keys(n)
    key = np.bitwise_xor.reduce(zobrist[adj], initial=np.uint64(0))
    neighbours = [move[4] for move in twin.legal_moves(delta, adj, may_delete)]
    rng.shuffle(neighbours)
    tabu = neighbours[:n_tabu]
    tabu_keys = np.array([np.bitwise_xor.reduce(zobrist[a], initial=np.uint64(0)) for a in tabu], dtype=np.uint64)
    gains = np.ascontiguousarray(delta.T)
    tops = np.array([top_addition(gains, adj, v) for v in range(n)])
    assert np.array_equal(tops, np.where(adj | adj.T, -np.inf, delta).max(axis=0))
    state = (gains, tops, adj, adj.ravel().nonzero()[0], kernels.closure(adj), may_delete)
    got = best_move(*state, 1e-9, key, zobrist, tabu_keys)
    want = twin.best_move(delta, adj, may_delete, 1e-9, tabu)
    if want is None:
        assert got[0] == kernels.NOTHING
    else:
        assert got == want
