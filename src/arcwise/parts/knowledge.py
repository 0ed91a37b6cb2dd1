"""Background knowledge: edges that must or must not be there, and tiers (earlier columns never caused by later)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.checking import checked
from arcwise.errors import GraphError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.graph.equivalence import cpdag, meek
from arcwise.graph.pdag import Pdag

Edge = tuple[str, str]
EdgesLike = str | Iterable[Sequence[str] | str]  # "a -> b", ["a -> b", "b->c"], [("a", "b")]
TiersLike = Iterable[Iterable[str]]
BoolMatrix = NDArray[np.bool_]


@checked
@dataclass(frozen=True)
class Knowledge:
    """`required` and `forbidden`: directed edges, "a -> b" or (from, to). `tiers`: groups of columns, earliest first.

    A column of a later tier is never a parent of one of an earlier tier; columns in no tier are free. Two of them add
    up: `known + more`, with the tiers of the second behind those of the first.
    """

    required: tuple[Edge, ...] = ()
    forbidden: tuple[Edge, ...] = ()
    tiers: tuple[tuple[str, ...], ...] = ()

    def __init__(
        self,
        required: EdgesLike = (),
        forbidden: EdgesLike = (),
        tiers: TiersLike = (),
    ) -> None:
        object.__setattr__(self, "required", _edges(required, "required"))
        object.__setattr__(self, "forbidden", _edges(forbidden, "forbidden"))
        object.__setattr__(self, "tiers", tuple(_tier(tier) for tier in tiers))
        seen: set[str] = set()
        for name in (name for tier in self.tiers for name in tier):
            if name in seen:
                raise GraphError(f"column {name!r} stands in two tiers; keep it in one")
            seen.add(name)

    def __bool__(self) -> bool:
        return bool(self.required or self.forbidden or self.tiers)

    def __add__(self, other: Knowledge) -> Knowledge:
        return Knowledge(
            required=(*self.required, *other.required),
            forbidden=(*self.forbidden, *other.forbidden),
            tiers=(*self.tiers, *other.tiers),
        )

    @checked
    def bind(self, names: Sequence[str]) -> BoundKnowledge:
        """Masks over these columns; fails on unknown names and on contradictions."""
        index = {name: i for i, name in enumerate(names)}
        mentioned = [name for edge in (*self.required, *self.forbidden) for name in edge]
        for name in (*mentioned, *(name for tier in self.tiers for name in tier)):
            if name not in index:
                raise GraphError(unknown_name("column in the knowledge", name, names))
        allowed = ~np.eye(len(names), dtype=np.bool_)
        for a, b in self.forbidden:
            allowed[index[a], index[b]] = False
        tier_of = {name: t for t, tier in enumerate(self.tiers) for name in tier}
        for a, tier_a in tier_of.items():
            for b, tier_b in tier_of.items():
                if tier_a > tier_b:
                    allowed[index[a], index[b]] = False
        required = np.zeros_like(allowed)
        for a, b in self.required:
            if not allowed[index[a], index[b]]:
                raise GraphError(f"the edge {a} -> {b} is required, but also forbidden (by an edge or by the tiers)")
            required[index[a], index[b]] = True
        if self.required or len(index) < len(names):
            Dag.from_adjacency(names, required)  # a cycle of required edges is named by this, as is a name given twice
        return BoundKnowledge(allowed=allowed & ~required.T, required=required)

    def to_dict(self) -> dict[str, Any]:
        return {
            "required": [list(edge) for edge in self.required],
            "forbidden": [list(edge) for edge in self.forbidden],
            "tiers": [list(tier) for tier in self.tiers],
        }

    @staticmethod
    @checked
    def from_dict(content: Mapping[str, Any]) -> Knowledge:
        """From the lists `required` and `forbidden`, of pairs or of texts such as "a -> b", and `tiers`."""
        if not isinstance(content, Mapping):
            raise GraphError(f"knowledge must be a dict with required, forbidden or tiers, not {content!r}")
        for key in content:
            if key not in ("required", "forbidden", "tiers"):
                raise GraphError(unknown_name("kind of knowledge", key, ("required", "forbidden", "tiers")))
        return Knowledge(**content)


@dataclass(frozen=True, slots=True, eq=False)
class BoundKnowledge:
    """allowed[i, j]: i -> j may be added; required[i, j]: i -> j must stay."""

    allowed: BoolMatrix
    required: BoolMatrix

    def pattern(self, dag: Dag) -> Pdag:
        """What data and knowledge together determine of `dag` (whose nodes are in the order of the masks).

        The CPDAG, with every edge directed that may not point the other way, and what follows by Meek's rules.
        """
        directed, undirected = cpdag(dag.adjacency)
        settled = dag.adjacency & undirected & ~self.allowed.T
        if settled.any():
            directed, undirected = meek(directed | settled, undirected & ~settled & ~settled.T)
        return Pdag.sound(dag.names, directed, undirected, np.zeros_like(directed))


def split_edge(text: str) -> Edge | None:
    """The ends of "a -> b" or "a->b"; None where it is no such text. Names with an arrow inside need a pair."""
    ends = [end.strip() for end in text.split("->")]
    return (ends[0], ends[1]) if len(ends) == 2 and all(ends) else None


def _edges(given: EdgesLike, what: str) -> tuple[Edge, ...]:
    return tuple(_edge(one, what) for one in ([given] if isinstance(given, str) else given))


def _edge(given: str | Sequence[str], what: str) -> Edge:
    pair = split_edge(given) if isinstance(given, str) else given
    if not isinstance(pair, Sequence) or len(pair) != 2 or not all(isinstance(end, str) and end for end in pair):
        raise GraphError(f"a {what} edge must be a pair of column names or 'a -> b', not {given!r}")
    if pair[0] == pair[1]:
        name = pair[0] if pair[0].isprintable() else repr(pair[0])
        raise GraphError(f"the {what} edge {name} -> {name} joins a column to itself; leave it out")
    return str(pair[0]), str(pair[1])


def _tier(names: Iterable[str]) -> tuple[str, ...]:
    if isinstance(names, str):
        raise GraphError(f"a tier must be a list of column names, not {names!r}; write [{names!r}]")
    return tuple(names)


NONE = Knowledge()
