"""How often edges are found: in graphs learned from several draws of the hidden cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.data.text_files import check_content
from arcwise.errors import GraphError, unknown_name
from arcwise.graph.pdag import Pdag

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Strength:
    """One pair of columns: shares of the graphs in which they are neighbours, and in which the edge points so.

    What is left of `share` has no direction: graphs of either kind fit the data equally well.
    """

    a: str
    b: str
    share: float
    forward: float  # a -> b
    backward: float  # b -> a


class StrengthsContent(TypedDict):
    """What `Strengths.to_dict` gives: [a, b, share, forward, backward] of each pair that any graph has."""

    names: list[str]
    graphs: int
    edges: list[tuple[str, str, float, float, float]]


@dataclass(frozen=True, eq=False)
class Strengths:
    """Shares of `graphs` graphs; directions are those of equivalence classes, so that conventions count for nothing.

    adjacent[i, j]: in which i and j are neighbours, directed[i, j]: in which i -> j.
    """

    names: tuple[str, ...]
    graphs: int
    adjacent: FloatArray
    directed: FloatArray

    def __post_init__(self) -> None:
        for matrix in (self.adjacent, self.directed):
            matrix.setflags(write=False)

    @staticmethod
    def of(patterns: Sequence[Pdag]) -> Strengths:
        """From patterns with the same names in the same order, at least one."""
        adjacent = np.mean([pattern.adjacency for pattern in patterns], axis=0)
        directed = np.mean([pattern.directed_matrix for pattern in patterns], axis=0)
        return Strengths(patterns[0].names, len(patterns), adjacent, directed)

    def edges(self, least: float = 0.0) -> tuple[Strength, ...]:
        """Every pair that is an edge in some graphs, at least in that share of them, the strongest first."""
        found = [
            self._strength(i, j)
            for i, j in combinations(range(len(self.names)), 2)
            if self.adjacent[i, j] > 0.0 and self.adjacent[i, j] >= least
        ]
        return tuple(sorted(found, key=lambda one: (-one.share, one.a, one.b)))

    def between(self, a: str, b: str) -> Strength:
        """The strength of one pair, a first."""
        for name in (a, b):
            if name not in self.names:
                raise GraphError(unknown_name("node", name, self.names))
        return self._strength(self.names.index(a), self.names.index(b))

    def _strength(self, i: int, j: int) -> Strength:
        share, forward, backward = self.adjacent[i, j], self.directed[i, j], self.directed[j, i]
        return Strength(self.names[i], self.names[j], float(share), float(forward), float(backward))

    def table(self, least: float = 0.0) -> pl.DataFrame:
        """`edges` as a polars table."""
        import polars as pl

        rows = [(one.a, one.b, one.share, one.forward, one.backward) for one in self.edges(least)]
        types = {"a": pl.String, "b": pl.String, "share": pl.Float64, "forward": pl.Float64, "backward": pl.Float64}
        return pl.DataFrame(rows, schema=types, orient="row")

    def reordered(self, names: Iterable[str]) -> Strengths:
        """The same with the names in this order."""
        order = [self.names.index(name) for name in names]
        chosen = np.ix_(order, order)
        return Strengths(tuple(self.names[i] for i in order), self.graphs, self.adjacent[chosen], self.directed[chosen])

    def to_dict(self) -> dict[str, Any]:
        edges = [[one.a, one.b, one.share, one.forward, one.backward] for one in self.edges()]
        return {"names": list(self.names), "graphs": self.graphs, "edges": edges}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Strengths:
        check_content(content, StrengthsContent, GraphError)
        names = tuple(content["names"])
        place = {name: i for i, name in enumerate(names)}
        adjacent, directed = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
        for a, b, share, forward, backward in content["edges"]:
            for name in (a, b):
                if name not in place:
                    raise GraphError(unknown_name("node", name, names))
            i, j = place[a], place[b]
            adjacent[i, j] = adjacent[j, i] = share
            directed[i, j], directed[j, i] = forward, backward
        return Strengths(names, content["graphs"], adjacent, directed)

    def __repr__(self) -> str:
        return f"Strengths({len(self.names)} columns, {len(self.edges())} edges in any of {self.graphs} graphs)"
