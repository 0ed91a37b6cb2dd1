"""The edges of a result as the page shows them: how strong, which way in how many graphs, what another graph has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arcwise.graph.dag import Dag
from arcwise.graph.pdag import KINDS, Pdag
from arcwise.metrics import shd
from arcwise.metrics.edges import check_same_names
from arcwise.results.plotting import without_directions
from arcwise.results.result import LearnResult

POSSIBLE = 0.05  # pairs that are joined in fewer graphs are not worth a line
MOST_OTHERS = 300  # pairs that are no edges
PICTURED = 60  # of these pairs have a picture of their own

Pair = tuple[int, int]


def compared(result: LearnResult, against: Dag | Pdag | None) -> Pdag | None:
    """What the learned pattern is compared with: the same names in the same order, and no more than it could know."""
    if against is None:
        return None
    check_same_names(result.cpdag, against)
    if result.only_skeleton:
        against = without_directions(against)
    pattern = against.cpdag() if isinstance(against, Dag) else against
    return pattern.reordered(result.names)


def edge_list(result: LearnResult, against: Pdag | None) -> list[dict[str, Any]]:
    """Every edge of the learned pattern, then those that only the other graph has; a -> b where it is directed."""
    own = kinds_of(result.cpdag)
    theirs = {} if against is None else kinds_of(against)
    ties, names = result.ties, result.names
    found = []
    for pair in [*own, *(pair for pair in theirs if pair not in own)]:
        kind, tail, head = own.get(pair) or theirs[pair]
        edge: dict[str, Any] = {"a": tail, "b": head, "kind": kind, "learned": pair in own}
        edge["strength"] = ties.of(names[tail], names[head]) if pair in own else None
        edge["shares"] = _shares(result, tail, head)
        if against is not None:
            edge["difference"] = difference(own.get(pair), theirs.get(pair))
            edge["other"] = None if pair not in theirs else list(theirs[pair])
        found.append(edge)
    return found


def kinds_of(pattern: Pdag) -> dict[Pair, tuple[str, int, int]]:
    """By positions, the smaller first: the kind of an edge and its ends, the tail of an arrow first."""
    found: dict[Pair, tuple[str, int, int]] = {}
    for kind in KINDS:
        for a, b in getattr(pattern, kind):
            i, j = pattern.index(a), pattern.index(b)
            found[min(i, j), max(i, j)] = (kind, i, j)
    return dict(sorted(found.items()))


def difference(own: tuple[str, int, int] | None, other: tuple[str, int, int] | None) -> str:
    """added: only the learned graph has it; missing: only the other one; turned: both, but not the same way."""
    if other is None:
        return "added"
    if own is None:
        return "missing"
    alike = own == other if own[0] == "directed" else own[0] == other[0]
    return "same" if alike else "turned"


def _shares(result: LearnResult, a: int, b: int) -> list[float] | None:
    """The shares of the graphs that have the edge, and that have it as a -> b and as b -> a."""
    strengths = result.strengths
    if strengths is None:
        return None
    one = strengths.between(result.names[a], result.names[b])
    return [one.share, one.forward, one.backward]


def other_pairs(result: LearnResult, edges: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pairs that some graphs join and the network does not, the most frequent first."""
    if result.strengths is None:
        return []
    known = {frozenset((edge["a"], edge["b"])) for edge in edges}
    place = {name: k for k, name in enumerate(result.names)}
    found = [
        {"a": place[one.a], "b": place[one.b], "shares": [one.share, one.forward, one.backward]}
        for one in result.strengths.edges(POSSIBLE)
        if one.a in place and one.b in place and frozenset((place[one.a], place[one.b])) not in known
    ]
    return found[:MOST_OTHERS]


def distance(result: LearnResult, against: Pdag, edges: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """How many edges differ how, and the structural Hamming distance."""
    kinds = [edge["difference"] for edge in edges]
    counts = {kind: kinds.count(kind) for kind in ("same", "turned", "added", "missing")}
    return {**counts, "shd": shd(result.cpdag, against), "skeleton": result.only_skeleton}
