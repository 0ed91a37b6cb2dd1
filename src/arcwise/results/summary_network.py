"""The edges of a result in words, the strongest first; of large networks the strongest and what they look like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.dataset import BoolArray
from arcwise.graph.adjacency import child_lists, reachable
from arcwise.printing import counted, printable
from arcwise.results.sections import Block, Grid, Section, Words
from arcwise.results.ties import Measure

if TYPE_CHECKING:
    from arcwise.graph.pdag import Pdag
    from arcwise.results.result import LearnResult

MARKS = {"directed": "→", "undirected": "—", "bidirected": "↔"}
LEGEND = {
    "→": "a → b: only this direction fits",
    "—": "a — b: either direction fits",
    "↔": "a ↔ b: conflicting evidence",
}
NEIGHBOURS = "a — b: neighbours; directions were not looked for"
KINDS = {"directed": "with a direction", "undirected": "without", "bidirected": "in conflict"}
MANY_EDGES, SHOWN_EDGES = 60, 40  # more than so many are summarised, and only the strongest shown
HUBS = 5
SHOWN_NAMES = 30


@dataclass(frozen=True, slots=True)
class Edge:
    """`a mark b`. this_way: share of the graphs in which it points as it does here."""

    a: str
    b: str
    mark: str
    strength: float | None
    this_way: float | None = None

    @property
    def words(self) -> str:
        return printable(f"{self.a} {self.mark} {self.b}")


def edges_of(result: LearnResult) -> list[Edge]:
    """Every edge once, the strongest first; those of one strength by kind and name."""
    ties, strengths = result.ties, result.strengths
    edges = []
    for kind, mark in MARKS.items():
        for a, b in getattr(result.cpdag, kind):
            forward = strengths.between(a, b).forward if strengths is not None and kind == "directed" else None
            edges.append(Edge(a, b, mark, ties.of(a, b), forward))
    return sorted(edges, key=lambda edge: -np.inf if edge.strength is None else -edge.strength)


def strength_words(strength: float | None, measure: Measure) -> str:
    """ "97%" of a share, "1,204", "12" or "3.4" of nats."""
    if strength is None:
        return ""
    if measure == "share":
        return f"{strength:.0%}"
    return f"{strength:,.0f}" if abs(strength) >= 10 else f"{strength:.1f}"


def network(result: LearnResult, all_edges: bool = False) -> Section:
    """The edges; of more than MANY_EDGES the strongest and a summary, unless all are asked for."""
    pattern, edges = result.cpdag, edges_of(result)
    if not edges:
        return Section("network", "no edge was found")
    many = len(edges) > MANY_EDGES and not all_edges
    shown = edges[:SHOWN_EDGES] if many else edges
    blocks: list[Block] = [Words(legend(result), "dim"), _grid(shown, result.ties.measure)]
    if many:
        rest = f"and {counted(len(edges) - len(shown), 'weaker edge')}: --all-edges (summary(all_edges=True))"
        if not result.ties.measure:
            rest = rest.replace("weaker", "more")
        blocks += [Words(rest), *(Words(line) for line in _shape(pattern))]
    alone = _isolated(pattern)
    if alone:
        more = f" and {len(alone) - SHOWN_NAMES:,} more" if len(alone) > SHOWN_NAMES else ""
        blocks.append(Words(f"without edges: {', '.join(alone[:SHOWN_NAMES])}{more}"))
    return Section("network", _counts(pattern), tuple(blocks))


def legend(result: LearnResult) -> str:
    """What the marks and numbers mean that occur."""
    pattern = result.cpdag
    if result.only_skeleton and pattern.undirected:
        parts = [NEIGHBOURS]
    else:
        parts = [LEGEND[mark] for kind, mark in MARKS.items() if getattr(pattern, kind)]
    if result.ties.measure == "share":
        parts.append(f"found: {result.ties.words}")
        parts += ["this way: share in which it points as shown"] if pattern.directed else []
    elif result.ties.measure:
        parts.append("nats: what the score loses without the edge")
    return "; ".join(parts)


def _grid(edges: Sequence[Edge], measure: Measure) -> Grid:
    if not measure:
        return Grid(tuple((edge.words,) for edge in edges), packed=True)
    cells = [(edge.words, strength_words(edge.strength, measure)) for edge in edges]
    if measure == "nats" or all(edge.this_way is None for edge in edges):
        head = "nats" if measure == "nats" else "found"
        return Grid(tuple(cells), ("edge", head), frozenset({1}), packed=True)
    rows = [
        (*cell, "" if edge.this_way is None else f"{edge.this_way:.0%}")
        for cell, edge in zip(cells, edges, strict=True)
    ]
    return Grid(tuple(rows), ("edge", "found", "this way"), frozenset({1, 2}), packed=True)


def _counts(pattern: Pdag) -> str:
    kinds = {kind: len(getattr(pattern, kind)) for kind in MARKS}
    parts = [f"{count:,} {KINDS[kind]}" for kind, count in kinds.items() if count]
    if kinds["directed"] == 0:
        parts = [part.replace("without", "without a direction") for part in parts]
    return f"{counted(pattern.n_edges, 'edge')}: {', '.join(parts)}"


def _isolated(pattern: Pdag) -> list[str]:
    alone = (name for name, row in zip(pattern.names, pattern.adjacency, strict=True) if not row.any())
    return sorted(map(printable, alone))


def _shape(pattern: Pdag) -> Iterator[str]:
    """Which columns have the most edges, and the parts into which the network falls."""
    degrees = pattern.adjacency.sum(axis=1)
    order = sorted(range(len(degrees)), key=lambda i: (-degrees[i], pattern.names[i]))
    hubs = ", ".join(f"{printable(pattern.names[i])} ({degrees[i]})" for i in order[:HUBS])
    yield f"most edges: {hubs}"
    sizes = sorted((size for size in _part_sizes(pattern.adjacency) if size > 1), reverse=True)
    if len(sizes) > HUBS:
        yield f"{len(sizes):,} separate parts, the largest of {sizes[0]:,} columns"
    elif len(sizes) > 1:
        yield f"{len(sizes)} separate parts, of {', '.join(f'{size:,}' for size in sizes)} columns"


def _part_sizes(adjacency: BoolArray) -> list[int]:
    """How many nodes each connected part has."""
    near, unseen, sizes = child_lists(adjacency), set(range(len(adjacency))), []
    while unseen:
        first = unseen.pop()
        part = reachable(near, [first]) | {first}
        sizes.append(len(part))
        unseen -= part
    return sizes
