"""The kernels of exact search against their slow twins."""

from __future__ import annotations

from itertools import combinations as subsets
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise._kernels.graphs.exhaustive import best_networks, combinations, undominated
from tests.oracle import exhaustive as slow


@pytest.mark.parametrize("m", range(7))
def test_sets_come_in_colexicographic_order(m):
    for size in range(m + 1):
        sets = combinations(m, size, comb(m, size))
        assert [tuple(row) for row in sets.tolist()] == slow.colexicographic(m, size)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 6), st.sampled_from([0.0, 1e-9, 0.2]))
def test_dominated_sets(seed, m, margin):
    rng = np.random.default_rng(seed)
    values = rng.integers(-4, 3, 1 << m) / 2.0  # many ties
    score_of = {s: float(values[i]) for i, s in enumerate(s for k in range(m + 1) for s in slow.colexicographic(m, k))}
    binomials = np.array([[comb(a, b) for b in range(m + 1)] for a in range(m + 1)])
    below = np.array([score_of[()]])
    kept = {(): score_of[()]}
    for size in range(1, m + 1):
        sets = combinations(m, size, comb(m, size))
        scores = np.array([score_of[tuple(row)] for row in sets.tolist()])
        below, keep = undominated(sets, scores, below, binomials, margin)
        kept |= {tuple(row): score_of[tuple(row)] for row in sets[keep].tolist()}
    expected = slow.undominated(score_of, margin)
    assert kept == expected
    assert below[-1] == max(expected.values())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(0, 5))
def test_the_best_network_on_every_subset(seed, n, low_bits):
    rng = np.random.default_rng(seed)
    low_bits = min(low_bits, n)
    lists = [(child, frozenset(), float(rng.normal())) for child in range(n)]
    for child in range(n):
        others = [u for u in range(n) if u != child]
        lists += [
            (child, frozenset(chosen), float(rng.normal()))
            for size in range(1, n)
            for chosen in subsets(others, size)
            if rng.random() < 0.4
        ]
    children = np.array([child for child, _, _ in lists])
    masks = np.array([sum(1 << u for u in parents) for _, parents, _ in lists], dtype=np.intp)
    scores = np.array([score for _, _, score in lists])
    best = np.full(1 << n, np.nan)
    best_networks(np.arange(1 << (n - low_bits)), low_bits, n, children, masks, scores, best)
    for whole in range(1 << n):
        members = frozenset(i for i in range(n) if whole >> i & 1)
        assert best[whole] == pytest.approx(slow.best_on_subset(lists, members))
