"""Ancestral sampling of discrete nodes, all rows at once: one table lookup by binary search per node."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray


def parent_codes(codes: Sequence[IntArray], cardinalities: Sequence[int], n_rows: int) -> IntArray:
    """Mixed-radix number of each row's parent configuration, the last parent fastest (C order of the CPT)."""
    if not codes:
        return np.zeros(n_rows, dtype=np.intp)
    code = codes[0].astype(np.intp)
    for parent, cardinality in zip(codes[1:], cardinalities[1:], strict=True):
        code *= cardinality
        code += parent
    return code


def cumulative_edges(cpt: FloatArray) -> FloatArray:
    """Right edges of the states' intervals in [0, 1), shape (q, 2^m - 1) with 2^m >= number of states.

    State s owns [edge[s-1], edge[s]). The last state with positive probability, and the padding, get edge
    infinity: rounding of the sum can then never produce an impossible state.
    """
    n_states = cpt.shape[-1]
    rows = cpt.reshape(-1, n_states)
    width = (1 << (n_states - 1).bit_length()) - 1
    edges = np.full((len(rows), width), np.inf)
    edges[:, : n_states - 1] = np.cumsum(rows, axis=1)[:, :-1]
    last_possible = n_states - 1 - np.argmax(rows[:, ::-1] > 0, axis=1)
    edges[np.arange(width) >= last_possible[:, None]] = np.inf
    return edges


def draw_states(edges: FloatArray, configuration: IntArray, uniform: FloatArray) -> IntArray:
    """State of each row: how many edges of its configuration are <= its uniform number.

    A binary search on all rows together: log2(states) gathers of n_rows values.
    """
    width = edges.shape[1]
    flat = edges.ravel()
    start = configuration * width
    step = (width + 1) // 2
    state: IntArray = step * (flat[start + (step - 1)] <= uniform) if step else np.zeros(len(uniform), dtype=np.intp)
    while step := step // 2:
        state += step * (flat[start + state + (step - 1)] <= uniform)
    return state
