"""Tran's theorem: values that were split at random are joined again.

Each state of a column is split into several ordinal values, independently of everything else. Then neighbouring values
of one state have the same conditional distributions, and removing the threshold between them loses no information;
a threshold between two states loses information in proportion to the rows. So with enough rows exactly the thresholds
between the states remain. The counts here are exactly proportional (the population limit) and as many as it takes:
every threshold between states must lose several times what the description of all levels could save.
"""

from __future__ import annotations

from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize.bins.distinct import Distinct
from arcwise.discretize.loop.refine import refine
from arcwise.discretize.policies.friedman import MODES, TopDown
from arcwise.graph.dag import Dag

NETWORKS = {
    "parent": [("x", "y")],
    "child": [("y", "x")],
    "fork": [("x", "y"), ("x", "z")],
    "chain": [("y", "x"), ("x", "z")],
    "collider": [("y", "x"), ("z", "x")],
    "other parent": [("x", "y"), ("z", "y")],
}
MOST_ROWS = 120_000


def overlap(a, b):
    """sum F(a + b) - F(a) - F(b), F(k) = k ln k."""
    return sum((x + y) * log(x + y) - x * log(x) - y * log(y) for x, y in zip(a.ravel(), b.ravel(), strict=True))


def loss(edges, a, b):
    """Information lost by joining values with the counts a, b (y, z), in the families that x belongs to."""
    lost = 0.0
    parents = [axis for axis, name in enumerate("yz") if (name, "x") in edges]
    if parents:
        rest = tuple(axis for axis in (0, 1) if axis not in parents)
        lost += overlap(a.sum(keepdims=True), b.sum(keepdims=True)) - overlap(a.sum(axis=rest), b.sum(axis=rest))
    for axis, name in enumerate("yz"):
        if ("x", name) in edges:
            other = 1 - axis
            kept = ("yz"[other], name) in edges
            cells = (a, b) if kept else (a.sum(axis=other), b.sum(axis=other))
            rows = [c.sum(axis=axis) if kept else c.sum(keepdims=True) for c in cells]
            lost += overlap(*rows) - overlap(*cells)
    return lost


@st.composite
def exploded(draw):
    """(counts by value of x, y, z; the edges; thresholds between the states of x)."""
    edges = NETWORKS[draw(st.sampled_from(sorted(NETWORKS)))]
    n_states, shape = draw(st.integers(2, 3)), (draw(st.integers(2, 3)), draw(st.integers(2, 2)))
    cells = st.lists(st.integers(1, 12), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    splits = st.lists(st.integers(1, 3), min_size=1, max_size=3)
    values, cuts = [], []
    for _ in range(n_states):
        table = np.array(draw(cells), dtype=float).reshape(shape)
        values += [table * weight for weight in draw(splits)]
        cuts.append(len(values) - 0.5)
    return np.array(values), edges, cuts[:-1]


def enough_rows(counts, edges, cuts):
    """The counts times so much that every true threshold loses four times what the coarsest description could save."""
    total = counts.sum()
    least = min(loss(edges, counts[int(c - 0.5)], counts[int(c + 0.5)]) for c in cuts)
    assume(least > total / 1000)
    sizes = {"x": len(counts), "y": counts.shape[1], "z": counts.shape[2]}
    parameters = 0.0
    for node in "xyz":
        parents = [tail for tail, head in edges if head == node]
        if node == "x" or "x" in parents:
            parameters += (sizes[node] - 1) * float(np.prod([sizes[p] for p in parents], initial=1))
    saved = 0.5 * log(MOST_ROWS) * parameters + log(len(counts)) + len(counts) * log(2)
    scale = int(np.ceil(4 * saved / least))
    assume(scale * total <= MOST_ROWS)
    return counts * scale


def rows_of(counts):
    codes = np.indices(counts.shape).reshape(3, -1)
    x, y, z = np.repeat(codes, counts.ravel().astype(int), axis=1)
    discrete = [
        Column(n, Kind.DISCRETE, v.astype(np.uint8), tuple(map(str, range(v.max() + 1))))
        for n, v in (("y", y), ("z", z))
    ]
    return Dataset((Column("x", Kind.CONTINUOUS, x.astype(float)), *discrete))


@pytest.mark.parametrize("mode", MODES)
@given(exploded())
@settings(max_examples=60, deadline=None)
def test_split_values_are_joined_again(mode, case):
    counts, edges, cuts = case
    data = rows_of(enough_rows(counts, edges, cuts))
    dag = Dag("xyz", edges)
    assert refine(TopDown(mode=mode), data, dag).thresholds["x"].tolist() == cuts
    assert refine(TopDown(mode=mode), data, dag, Distinct().fit(data)).thresholds["x"].tolist() == cuts


def test_the_loss_of_this_file_is_zero_within_a_state_only():
    """So that the theorem's condition above means what it says."""
    table = np.array([[3.0, 5.0], [2.0, 7.0]])
    other = np.array([[6.0, 1.0], [2.0, 3.0]])
    for edges in NETWORKS.values():
        assert loss(edges, table, 3 * table) == pytest.approx(0.0, abs=1e-9)
        assert loss(edges, table, other) > 0.01
    assert all(a < b for a, b in pairwise([loss(NETWORKS["fork"], table, k * other) for k in (1, 2, 3)]))
