"""Joint states of discrete columns that occur, and how often: what is left of tables too large to lay out.

Memory is linear in the states that occur, however many there could be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import IntArray

LARGEST_KEY = 1 << 62  # a joint code fits 64 bits

States = tuple[
    NDArray[Any], IntArray
]  # codes (columns, states), states in ascending order, the first column's first; counts


def count_states(columns: Sequence[NDArray[Any]], cards: Sequence[int], times: NDArray[Any]) -> States:
    """The states of these columns that occur. times: how often each row counts; empty: once. O(N log N)."""
    words = _words(columns, cards)
    order = np.argsort(words[0]) if len(words) == 1 else np.lexsort(words[::-1])
    new = np.zeros(len(order), dtype=np.bool_)
    new[:1] = True
    for word in words:
        ordered = word[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    states = np.array([column[order[starts]] for column in columns])
    if not len(times):
        return states, np.diff(starts, append=len(order))
    return states, np.add.reduceat(times[order], starts, dtype=np.intp) if len(starts) else starts


def merge_states(parts: Sequence[States], cards: Sequence[int]) -> States:
    """The states of all rows from those of some of them at a time."""
    if len(parts) == 1:
        return parts[0]
    columns = list(np.hstack([states for states, _ in parts]))
    return count_states(columns, cards, np.hstack([counts for _, counts in parts]))


def numbered(states: NDArray[Any]) -> IntArray:
    """0, 1, ... for each state, the same for neighbours that are equal in these columns."""
    changes = np.zeros(states.shape[1], dtype=np.intp)
    if len(states) and states.shape[1]:
        changes[1:] = (states[:, 1:] != states[:, :-1]).any(axis=0)
    return changes.cumsum()


def _words(columns: Sequence[NDArray[Any]], cards: Sequence[int]) -> list[IntArray]:
    """Joint codes of the columns, one of all of them if that fits, else of some at a time."""
    words, size = [np.zeros(len(columns[0]), dtype=np.int64)], 1
    for column, card in zip(columns, cards, strict=True):
        if size * card > LARGEST_KEY:
            words.append(np.zeros(len(column), dtype=np.int64))
            size = 1
        words[-1] *= card
        words[-1] += column
        size *= card
    return words
