"""Columns that others in a graph determine: in every row the same value wherever the others are the same."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import and_

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Column, Dataset, IntArray, Kind, WeightArray
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.printing import listed
from arcwise.stats.on_all_rows import following, seen_rows
from arcwise.stats.ordered import is_long

GLANCE = 64  # rows looked at for all columns at once ...
FEW_ROWS = 512  # ... and for those that are left
MOST_TRIED = 6  # neighbours of a column: more have hardly ever the same levels twice ...
MOST_SOURCES = 3  # ... and what more than these tell may be chance
DENSE = 8  # states for a row, up to which they are looked up by their numbers
SOME_EVIDENCE = 1.0  # that some rows must show, before all are looked at
EVIDENCE = 300.0  # rows that would differ if the column had nothing to do with the others: nearly never is not never


def determined(data: Dataset, pattern: Pdag, graph: Dag | None = None, but: Container[str] = ()) -> list[str]:
    """One sentence for each column that discrete parents (in the graph) or neighbours (in the pattern) determine.

    Not for copies, which the gate names, nor for the columns `but`. O(rows log rows) for a column that is determined,
    and microseconds for others. Of a long table some rows are looked at; what these show is tried on all of them.
    """
    if data.n_rows <= EVIDENCE or Kind.DISCRETE not in data.kinds:
        return []
    columns = data.by_name()
    if not is_long(data):
        shown = _shown(columns, pattern, graph, but, EVIDENCE)
    else:
        some = replace(seen_rows(columns), weights=None)
        shown = [
            tried for one in _shown(some, pattern, graph, but, SOME_EVIDENCE) if (tried := _on_all_rows(columns, one))
        ]
    return [
        _words(columns.names[i], [columns.names[u] for u in least], rows, rows < data.n_rows)
        for i, least, rows in shown
    ]


Shown = tuple[int, list[int], int]  # a column, those that determine it, and the rows that have them all


def _on_all_rows(columns: Dataset, shown: Shown) -> Shown | None:
    """What some rows show, if all do."""
    i, least, _ = shown
    names = [columns.names[u] for u in (i, *least)]
    found = following(columns.select(names))
    if found is None or not found.follows or (found.n_rows - found.n_states) * found.variety < EVIDENCE:
        return None
    back = following(columns.select(names[::-1])) if len(names) == 2 and columns.kinds[i] is Kind.DISCRETE else None
    return None if back is not None and back.follows else (i, least, found.n_rows)  # a copy is none


def _shown(columns: Dataset, pattern: Pdag, graph: Dag | None, but: Container[str], evidence: float) -> list[Shown]:
    """What the rows of a table show. evidence: rows that would have to differ if it were chance."""
    place = {name: i for i, name in enumerate(columns.names)}
    parents = _pointing(graph, place) if graph is not None else [[] for _ in place]
    neighbours = _pointing(pattern, place)
    agreeing, differing = _agreeing(columns)
    found = []
    for name, i in place.items():
        if name in but or not _could_show(columns.columns[i], columns.n_rows, evidence):
            continue
        for others in (parents[i], neighbours[i]) if parents[i] != neighbours[i] else (neighbours[i],):
            sources = [u for u in sorted(others) if columns.columns[u].kind is Kind.DISCRETE]
            if not 0 < len(sources) <= MOST_TRIED or reduce(and_, [agreeing[u] for u in sources]) & differing[i]:
                continue
            least, rows = _in_shared_rows(columns, i, sources, evidence)
            if 0 < len(least) <= MOST_SOURCES:
                found.append((i, least, rows))
            if least:
                break
    return found


def _in_shared_rows(columns: Dataset, i: int, sources: Sequence[int], evidence: float) -> tuple[list[int], int]:
    """`_fewest` by places, in the rows that have the column and its sources, and how many these are."""
    own = replace(columns, columns=tuple(columns.columns[u] for u in (i, *sources))).complete_rows()
    least = [other.name for other in _fewest(own.columns[0], list(own.columns[1:]), own.weights, evidence)]
    places = [u for u in sources if columns.names[u] in least]
    if columns.is_complete or len(places) in (0, len(sources)):
        return places, own.n_rows
    return _in_shared_rows(columns, i, places, evidence)  # more rows have these


def _pointing(graph: Dag | Pdag, place: Mapping[str, int]) -> list[list[int]]:
    """For each column the places of its parents, or in a pattern of its neighbours."""
    lists: list[list[int]] = [[] for _ in place]
    places = [place[name] for name in graph.names]
    for tail, head in np.argwhere(graph.adjacency).tolist():
        lists[places[head]].append(places[tail])
    return lists


def _could_show(column: Column, n_rows: int, evidence: float) -> bool:
    """Whether so many rows can be evidence at all: of all pairs, 1 - 1/r differ at most in a column of r levels."""
    return column.kind is Kind.CONTINUOUS or n_rows * (1 - 1 / column.cardinality) >= evidence


def _words(name: str, others: Sequence[str], n_rows: int, incomplete: bool) -> str:
    rows = f"{n_rows:,} rows that have them" if incomplete else f"{n_rows:,} rows"
    follows = f"column {name!r} follows from {listed([repr(other) for other in others])} in all {rows}"
    those = "that column" if len(others) == 1 else "those columns"
    return f"{follows}, so its other edges may belong to {those}; leave it out if it was computed"


def _agreeing(columns: Dataset) -> tuple[list[int], list[int]]:
    """For each column two sets, as the bits of a number: the pairs of rows that agree in it, and those that differ.

    Of a pair with a missing cell neither is known. Most columns are determined by nothing, and show it in these rows.
    """
    rows = np.arange(GLANCE) * (columns.n_stored - 1) // (GLANCE - 1)
    some = np.array([column.values[rows] for column in columns.columns])
    same = some[:, :, None] == some[:, None, :]
    if columns.is_complete:
        return _as_bits(same), _as_bits(~same)
    there = np.array([rows >= 0 if c.missing is None else ~c.missing[rows] for c in columns.columns])
    both = there[:, :, None] & there[:, None, :]
    return _as_bits(same & both), _as_bits(~same & both)


def _as_bits(pairs: NDArray[np.bool_]) -> list[int]:
    packed = np.packbits(pairs.reshape(len(pairs), -1), axis=1)
    return [int.from_bytes(of_column.tobytes()) for of_column in packed]


def _fewest(column: Column, sources: list[Column], weights: WeightArray | None, evidence: float) -> list[Column]:
    """The sources that are needed to determine the column, none if they do not, or if it is a copy of one."""
    if not _follows(column, sources, weights, evidence):
        return []
    least = _without_needless(sources, lambda fewer: _agrees(column, fewer, 8 * FEW_ROWS))
    if len(least) < len(sources) and not _follows(
        column, least, weights, evidence
    ):  # these rows do not show what all show
        least = _without_needless(sources, lambda fewer: _follows(column, fewer, weights, evidence))
    copied = len(least) == 1 and column.kind is Kind.DISCRETE and _follows(least[0], [column], weights, evidence)
    return [] if copied else least


def _without_needless(sources: list[Column], suffice: Callable[[list[Column]], bool]) -> list[Column]:
    for source in reversed(sources.copy()):  # the first by name stay
        fewer = [other for other in sources if other is not source]
        if fewer and suffice(fewer):
            sources = fewer
    return sources


def _follows(column: Column, sources: Sequence[Column], weights: WeightArray | None, evidence: float) -> bool:
    """Whether rows that agree in the sources agree in the column, and enough rows could have disagreed."""
    n_rows, n_some = len(column.values), FEW_ROWS
    while 8 * n_some <= n_rows:
        if not _agrees(column, sources, n_some):
            return False
        n_some *= 8
    states, n_states = _states(sources, 1)
    if _differing(column.values, states, n_states):
        return False
    n_rows = n_rows if weights is None else int(weights.sum())
    variety = _variety(column, weights)
    if (n_rows - n_states) * variety >= evidence:  # no more states than that can occur
        return True
    return bool((n_rows - np.count_nonzero(np.bincount(states))) * variety >= evidence)


def _agrees(column: Column, sources: Sequence[Column], n_some: int) -> bool:
    """The same in about so many rows."""
    step = max(len(column.values) // n_some, 1)
    return not _differing(column.values[::step], *_states(sources, step))


def _variety(column: Column, weights: WeightArray | None) -> float:
    """The share of the pairs of rows that differ in the column."""
    levels = column.values
    if column.kind is Kind.CONTINUOUS:
        levels = np.unique(levels, return_inverse=True)[1]
    counts = np.bincount(levels, weights)
    return 1.0 - float(np.sum((counts / counts.sum()) ** 2))


def _states(sources: Sequence[Column], step: int) -> tuple[IntArray, int]:
    """A number for each joint state, the same in rows that agree, of every step-th row; and a bound of the numbers."""
    codes = sources[0].values[::step].astype(np.intp)
    states, n_states = codes, sources[0].cardinality
    for source in sources[1:]:
        states = states * source.cardinality + source.values[::step]
        n_states *= source.cardinality
        if n_states > DENSE * len(states):  # renumbered, so that they stay small
            states = np.unique(states, return_inverse=True)[1]
            n_states = len(states)
    return states, n_states


def _differing(values: NDArray[np.generic], states: IntArray, n_states: int) -> bool:
    """Whether some state has rows with different values: those of a state differ from the one written last, or none."""
    last = np.empty(n_states, dtype=values.dtype)
    last[states] = values
    return bool((last[states] != values).any())
