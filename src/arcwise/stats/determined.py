"""Columns that others in a graph determine: in every row the same value wherever the others are the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Column, Dataset, IntArray, Kind
from arcwise.data.wording import listed
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.stats.counts import LARGEST_KEY

FEW_ROWS = 512  # looked at first: most columns are determined by nothing, and show it there
MOST_TRIED = 6  # neighbours of a column: more have hardly ever the same levels twice ...
MOST_SOURCES = 3  # ... and what more than these tell may be chance
EVIDENCE = 300.0  # rows that would differ if the column had nothing to do with the others: nearly never is not never


def determined(data: Dataset, pattern: Pdag, graph: Dag | None = None, but: Iterable[str] = ()) -> list[str]:
    """One sentence for each column that discrete parents (in the graph) or neighbours (in the pattern) determine.

    Not for copies, which the gate names, nor for the columns `but`. O(rows log rows) for a column that is determined,
    and little for others.
    """
    columns = {column.name: column for column in data.columns}
    parents = {name: [] if graph is None else graph.parents(name) for name in columns}
    neighbours: dict[str, list[str]] = {name: [] for name in columns}
    for a, b in pattern.skeleton:
        neighbours[a].append(b)
        neighbours[b].append(a)
    found = []
    for name in sorted(columns.keys() - set(but)):
        for others in (parents[name], neighbours[name]):
            sources = [columns[other] for other in sorted(others) if columns[other].kind is Kind.DISCRETE]
            if 0 < len(sources) <= MOST_TRIED and _follows(columns[name], sources):
                least = _fewest(columns[name], sources)
                if len(least) <= MOST_SOURCES and not _is_copy(columns[name], least):
                    found.append(_words(name, [other.name for other in least], data.n_rows))
                break
    return found


def _words(name: str, others: Sequence[str], n_rows: int) -> str:
    follows = f"column {name!r} follows from {listed([repr(other) for other in others])} in all {n_rows:,} rows"
    those = "that column" if len(others) == 1 else "those columns"
    return f"{follows}, so its other edges may belong to {those}; leave it out if it was computed"


def _fewest(column: Column, sources: list[Column]) -> list[Column]:
    """Without those that are not needed, the last by name first."""
    for source in reversed(sources.copy()):
        fewer = [other for other in sources if other is not source]
        if fewer and _follows(column, fewer):
            sources = fewer
    return sources


def _is_copy(column: Column, sources: Sequence[Column]) -> bool:
    return len(sources) == 1 and column.kind is Kind.DISCRETE and _follows(sources[0], [column])


def _follows(column: Column, sources: Sequence[Column]) -> bool:
    """Whether rows that agree in the sources agree in the column, and enough rows could have disagreed."""
    n_rows, n_some = len(column.values), FEW_ROWS
    while n_some < n_rows:
        rows = np.linspace(0, n_rows - 1, n_some).astype(np.intp)
        if _differing(column.values[rows], _states([source.values[rows] for source in sources])):
            return False
        n_some *= 8
    states = _states([source.values for source in sources])
    if _differing(column.values, states):
        return False
    repeated = n_rows - len(np.unique(states))
    shares = np.unique(column.values, return_counts=True)[1] / n_rows
    return bool(repeated * (1.0 - np.sum(shares**2)) >= EVIDENCE)


def _states(sources: Sequence[NDArray[np.unsignedinteger[Any]]]) -> IntArray:
    """A number for each joint state, the same in rows that agree."""
    states: IntArray = np.zeros(len(sources[0]), dtype=np.intp)
    n_states = 1
    for codes in sources:
        n_levels = int(codes.max()) + 1
        if n_states * n_levels > LARGEST_KEY:
            states = np.unique(states, return_inverse=True)[1]
            n_states = len(states)
        states = states * n_levels + codes
        n_states *= n_levels
    return states


def _differing(values: NDArray[np.generic], states: IntArray) -> bool:
    """Whether some state has rows with different values."""
    order = np.argsort(states)
    states, values = states[order], values[order]
    return bool(((states[1:] == states[:-1]) & (values[1:] != values[:-1])).any())
