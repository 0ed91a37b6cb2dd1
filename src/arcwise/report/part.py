"""Of a network with more columns than a page can show, a part: around one column, or where edges are strongest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

import numpy as np

from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.printing import printable
from arcwise.results.result import LearnResult
from arcwise.results.summary_network import edges_of

MOST_COLUMNS = 300  # of a page: with more, drawing takes minutes and opening the page long


def part_of(result: LearnResult, target: str | None) -> tuple[LearnResult, str]:
    """(The result with the columns that the page shows, a sentence that says which these are). "": all of them."""
    if len(result.names) <= MOST_COLUMNS:
        return result, ""
    found = _by_strength(result) if target is None else _around(result.cpdag, target)
    chosen = set(islice(dict.fromkeys(found), MOST_COLUMNS))
    names = tuple(name for name in result.names if name in chosen)
    which = "those of the strongest edges" if target is None else f"those nearest to {printable(target)}"
    other = "--target COLUMN (target in Python) shows those near a column"
    return narrowed(
        result, names
    ), f"this page shows {len(names)} columns, {which}, and the edges between them; {other}"


def narrowed(result: LearnResult, names: tuple[str, ...]) -> LearnResult:
    """The same with some of the columns: what was found about these and between them."""
    kept = set(names)
    return replace(
        result,
        cpdag=narrowed_pattern(result.cpdag, names),
        graph=None if result.graph is None else _narrowed_graph(result.graph, names),
        support={pair: nats for pair, nats in result.support.items() if kept.issuperset(pair)},
    )


def narrowed_pattern(pattern: Pdag, names: tuple[str, ...]) -> Pdag:
    """The nodes of these names, and the edges between them."""
    kept = set(names)
    kinds = (pattern.directed, pattern.undirected, pattern.bidirected)
    return Pdag(names, *([pair for pair in pairs if kept.issuperset(pair)] for pairs in kinds))


def _narrowed_graph(dag: Dag, names: tuple[str, ...]) -> Dag:
    kept = set(names)
    return Dag(names, [edge for edge in dag.edges if kept.issuperset(edge)])


def _by_strength(result: LearnResult) -> Iterator[str]:
    """The ends of edges, the strongest first; then columns without edges."""
    for edge in edges_of(result):
        yield from (edge.a, edge.b)
    yield from result.names


def _around(pattern: Pdag, target: str) -> Iterable[str]:
    """All columns, the nearest first."""
    adjacency, names = pattern.adjacency, pattern.names
    met = np.zeros(len(names), dtype=np.bool_)
    ring = np.array([pattern.index(target)])
    while len(ring):
        met[ring] = True
        yield from (names[i] for i in ring.tolist())
        ring = np.flatnonzero(adjacency[ring].any(axis=0) & ~met)
    yield from (names[i] for i in np.flatnonzero(~met).tolist())
