"""How often edges are found: in graphs learned from resampled rows, or from several draws of the hidden cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

import numpy as np

from arcwise.checking import Seed, checked, shown
from arcwise.data.dataset import FloatArray
from arcwise.data.text_files import as_json, check_content, load_json, write_text
from arcwise.errors import GraphError, OptionError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.parts.knowledge import NONE, Knowledge
from arcwise.results.averaging import averaged, inclusion_threshold
from arcwise.results.stability import Stability, StabilityContent
from arcwise.results.status import Status

if TYPE_CHECKING:
    import polars as pl

    from arcwise.drawing.picture import Picture
    from arcwise.results.plotting import Looks

Resample = Literal["rows", "half", "draws"]
FORMAT = "arcwise-strengths-1"


@dataclass(frozen=True, slots=True)
class Strength:
    """One pair of columns: shares of the graphs in which they are neighbours, and in which the edge points so."""

    a: str
    b: str
    share: float
    forward: float  # a -> b
    backward: float  # b -> a

    @property
    def either(self) -> float:
        """What is left of `share`: the edge has no direction, as graphs with either one fit the data equally well."""
        return max(0.0, round(self.share - self.forward - self.backward, 12))


@dataclass(frozen=True, slots=True)
class Origin:
    """Where strengths come from: graphs of this method on so many resamples ("rows" drawn with replacement, "half" of
    them, or "draws" of hidden cells) of a table with so many rows.

    asked: graphs that were wanted. status: "stopped" where there are fewer, "unanswered" where there is none.
    """

    method: str
    spec: Mapping[str, Any]
    resample: Resample
    seed: int
    asked: int
    n_rows: int
    status: Status = "converged"
    elapsed: float = 0.0
    knowledge: Knowledge = NONE

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "spec": dict(self.spec), "knowledge": self.knowledge.to_dict()}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Origin:
        """The inverse of `to_dict`, of content that was checked."""
        plain = {name: content[name] for name in OriginContent.__annotations__}
        return Origin(**{**plain, "knowledge": Knowledge.from_dict(content["knowledge"])})


class OriginContent(TypedDict):
    method: str
    spec: dict[str, Any]
    resample: Resample
    seed: Seed
    asked: int
    n_rows: int
    status: Status
    elapsed: float
    knowledge: dict[str, Any]


class _LaterContent(TypedDict, total=False):
    """What strengths of older results have not, nor those of draws inside a result."""

    format: str
    origin: OriginContent | None
    stability: list[StabilityContent]
    warnings: list[str]


class StrengthsContent(_LaterContent):
    """What `Strengths.to_dict` gives: [a, b, share, forward, backward] of each pair that any graph has."""

    names: list[str]
    graphs: int
    edges: list[tuple[str, str, float, float, float]]


@dataclass(frozen=True, eq=False)
class Strengths:
    """Shares of `graphs` graphs; directions are those of equivalence classes, so that conventions count for nothing.

    adjacent[i, j]: in which i and j are neighbours, directed[i, j]: in which i -> j. stability: of the thresholds, by
    column, where the graphs came with some.
    """

    names: tuple[str, ...]
    graphs: int
    adjacent: FloatArray
    directed: FloatArray
    origin: Origin | None = None
    stability: Mapping[str, Stability] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for matrix in (self.adjacent, self.directed):
            matrix.setflags(write=False)

    @staticmethod
    def of(patterns: Sequence[Pdag]) -> Strengths:
        """From patterns with the same names in the same order, at least one."""
        adjacent = np.mean([pattern.adjacency for pattern in patterns], axis=0)
        directed = np.mean([pattern.directed_matrix for pattern in patterns], axis=0)
        return Strengths(patterns[0].names, len(patterns), adjacent, directed)

    @property
    def status(self) -> Status:
        return "converged" if self.origin is None else self.origin.status

    @checked
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
            if not isinstance(name, str) or name not in self._places:
                raise GraphError(unknown_name("node", name, self.names))
        return self._strength(self._places[a], self._places[b])

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def _strength(self, i: int, j: int) -> Strength:
        share, forward, backward = self.adjacent[i, j], self.directed[i, j], self.directed[j, i]
        return Strength(self.names[i], self.names[j], float(share), float(forward), float(backward))

    def threshold(self) -> float:
        """The least share of an edge that counts, by the rule of Scutari and Nagarajan (2013): see `averaging`."""
        return inclusion_threshold(self.adjacent[np.triu_indices(len(self.names), 1)])

    @checked
    def network(self, threshold: float | None = None) -> Dag:
        """The averaged network: the edges that are in at least that share of the graphs, without cycles.

        threshold: that of `threshold()` if none is given. An edge points as most of those classes say that point it; of
        a cycle the weakest edge is turned round, or left out where knowledge forbids that. Required edges are in it,
        and forbidden ones are not. What the classes leave open is chosen so that few colliders arise, then by name.
        """
        return averaged(self.names, self.adjacent, self.directed, self._least(threshold), self._knowledge)

    @checked
    def consensus(self, threshold: float | None = None) -> Pdag:
        """The equivalence class of `network(threshold)`: what of it data and knowledge decide."""
        return self._knowledge.bind(self.names).pattern(self.network(threshold))

    def _least(self, threshold: float | None) -> float:
        if threshold is None:
            return self.threshold()
        check_threshold(threshold)
        return threshold

    @property
    def _knowledge(self) -> Knowledge:
        return NONE if self.origin is None else self.origin.knowledge

    @checked
    def weights(self, graph: Pdag | Dag) -> dict[tuple[str, str], float]:
        """The share of each edge of a graph with these names, as `arcwise.drawing.draw` takes them."""
        pairs = graph.skeleton if isinstance(graph, Pdag) else graph.edges
        return {(a, b): self.between(a, b).share for a, b in pairs}

    @checked
    def plot(
        self,
        path: str | Path | None = None,
        *,
        threshold: float | None = None,
        title: str | None = None,
        **looks: Unpack[Looks],
    ) -> Picture:
        """The averaged network as a picture that notebooks show; with a path it is written there, too.

        threshold: as of `network`. looks: target, against (another graph), around (a column) with distance,
        and whole, as `LearnResult.plot` takes them.
        """
        from arcwise.results.plotting import plot_strengths

        return plot_strengths(self, path, threshold, title, **looks)

    @checked
    def table(self, least: float = 0.0) -> pl.DataFrame:
        """`edges` as a polars table."""
        import polars as pl

        rows = [(one.a, one.b, one.share, one.forward, one.backward, one.either) for one in self.edges(least)]
        numbers = dict.fromkeys(("share", "forward", "backward", "either"), pl.Float64)
        return pl.DataFrame(rows, schema={"a": pl.String, "b": pl.String, **numbers}, orient="row")

    def thresholds_table(self) -> pl.DataFrame:
        """The thresholds of each column as a polars table: the middle of what the graphs came with, and how sure."""
        import polars as pl

        rows = [
            (one.column, one.usual, one.share_of_usual, k, cut.median, cut.lower, cut.upper, cut.near)
            for one in self.stability.values()
            for k, cut in enumerate(one.thresholds, 1)
        ]
        types = {"column": pl.String, "levels": pl.Int64, "share": pl.Float64, "threshold": pl.Int64}
        numbers = dict.fromkeys(("median", "lower", "upper", "near"), pl.Float64)
        return pl.DataFrame(rows, schema={**types, **numbers}, orient="row")

    def reordered(self, names: Iterable[str]) -> Strengths:
        """The same with the names in this order."""
        order = [self.names.index(name) for name in names]
        chosen = np.ix_(order, order)
        ordered = tuple(self.names[i] for i in order)
        stability = {name: self.stability[name] for name in ordered if name in self.stability}
        matrices = self.adjacent[chosen], self.directed[chosen]
        return Strengths(ordered, self.graphs, *matrices, self.origin, stability, self.warnings)

    @checked
    def save(self, path: str | Path) -> None:
        """Write all of it as JSON, in one piece or not at all."""
        write_text(path, as_json(self.to_dict(), indent=1) + "\n")

    @staticmethod
    @checked
    def load(path: str | Path) -> Strengths:
        """Read what `save` wrote."""
        return load_json(path, "saved strengths", _loaded)

    def to_dict(self) -> dict[str, Any]:
        edges = [[one.a, one.b, one.share, one.forward, one.backward] for one in self.edges()]
        return {
            "format": FORMAT,
            "names": list(self.names),
            "graphs": self.graphs,
            "edges": edges,
            "origin": None if self.origin is None else self.origin.to_dict(),
            "stability": [one.to_dict() for one in self.stability.values()],
            "warnings": list(self.warnings),
        }

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
        origin = content.get("origin")
        stability = {one["column"]: Stability.from_dict(one) for one in content.get("stability", ())}
        return Strengths(
            names,
            content["graphs"],
            adjacent,
            directed,
            None if origin is None else Origin.from_dict(origin),
            stability,
            tuple(content.get("warnings", ())),
        )

    def __repr__(self) -> str:
        return f"Strengths({len(self.names)} columns, {len(self.edges())} edges in any of {self.graphs} graphs)"

    def __str__(self) -> str:
        from arcwise.results.strengths_text import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from arcwise.results.strengths_text import as_html

        return as_html(self)


def check_threshold(threshold: float) -> None:
    if not 0.0 < threshold <= 1.0:
        raise OptionError(f"the threshold must be a share above 0 and up to 1, not {threshold!r}")


def _loaded(content: Any) -> Strengths:
    found = isinstance(content, Mapping) and content.get("format")
    if found != FORMAT:
        raise GraphError(f"its format is {shown(found or None)}, not {FORMAT!r}")
    return Strengths.from_dict(content)
