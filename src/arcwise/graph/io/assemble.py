"""What every reader ends with: names and edges found in a file become a Dag or a Pdag."""

from __future__ import annotations

from collections.abc import Iterable

from arcwise.errors import FileError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import KINDS, Pdag

Graph = Dag | Pdag
Edge = tuple[str, str, str]  # kind, tail, head


def edges_by_kind(graph: Graph) -> list[Edge]:
    """(kind, tail, head) for every edge, in the order in which they are written."""
    if isinstance(graph, Dag):
        return [("directed", tail, head) for tail, head in graph.edges]
    return [(kind, a, b) for kind in KINDS for a, b in getattr(graph, kind)]


def type_word(graph: Graph) -> str:
    return "dag" if isinstance(graph, Dag) else "pdag"


def each_once(edges: list[Edge]) -> list[Edge]:
    """Edges without a direction only the first time: they may stand there both ways."""
    seen: set[Edge] = set()
    kept: list[Edge] = []
    for kind, a, b in edges:
        if kind == "directed" or (kind, b, a) not in seen:
            kept.append((kind, a, b))
            seen.add((kind, a, b))
    return kept


def assemble(names: Iterable[str], edges: list[Edge], declared: str | None) -> Graph:
    """A Dag or a Pdag as `declared`; a file of another program is a Dag when all its edges are directed."""
    if declared not in {None, "dag", "pdag"}:
        raise FileError(f"graph type {declared!r} is unknown; use 'dag' or 'pdag'")
    sorted_out = {kind: [(a, b) for given, a, b in edges if given == kind] for kind in KINDS}
    all_directed = len(sorted_out["directed"]) == len(edges)
    if declared == "dag" and not all_directed:
        raise FileError("the graph is declared a dag but has an edge without direction; declare it a pdag")
    if declared == "pdag" or not all_directed:
        return Pdag(names, **sorted_out)
    return Dag(names, sorted_out["directed"])
