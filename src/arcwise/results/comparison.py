"""Several methods on one table: how well each predicts rows that it has not seen, and where their graphs agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

import numpy as np

from arcwise.checking import Seed, checked, shown
from arcwise.data.dataset import FloatArray
from arcwise.data.text_files import as_json, check_content, load_json, write_text
from arcwise.errors import GraphError, unknown_name
from arcwise.graph.pdag import Pairs, Pdag
from arcwise.results.strengths import Strengths

if TYPE_CHECKING:
    import polars as pl

FORMAT = "arcwise-comparison-1"
# unfinished: the time was over before all folds were judged; graph: what was learned has no density
Standing = Literal["judged", "unfinished", "graph", "failed"]


class Gap(NamedTuple):
    """Nats a row that one method is above another, by pairs of rows, with the standard error; None: not finite."""

    mean: float | None
    error: float | None


@dataclass(frozen=True, slots=True)
class Compared:
    """One method. density: mean held-out ln p of a row, in nats, over the folds it was judged in; error: its standard
    error. behind: how far it is behind the best, by pairs of rows, and the standard error of that. None stands for what
    was not measured, and for minus infinity: `impossible` counts held-out rows that the method excludes.

    kgv: the kernel generalized variance of its graph on the whole table, seconds: learning from that. pattern: what it
    learned from that, as far as it came. reason: why it has not all of this.
    """

    name: str
    standing: Standing
    folds: int = 0
    density: float | None = None
    error: float | None = None
    behind: float | None = None
    behind_error: float | None = None
    impossible: int = 0
    edges: int | None = None
    kgv: float | None = None
    seconds: float | None = None
    reason: str = ""
    pattern: Pdag | None = None
    spec: Mapping[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class Comparison:
    """Methods on one table, the best first: see `Compared`.

    recommended: the one to take, None where none could be judged; advice: why, in a sentence or two. gaps[a, b]: how
    many nats a row a is above b. stopped: whether the time was over before all was done.
    """

    names: tuple[str, ...]
    n_rows: int
    folds: int
    seed: int
    methods: tuple[Compared, ...]
    recommended: str | None
    advice: str
    gaps: Mapping[tuple[str, str], Gap]
    warnings: tuple[str, ...] = ()
    stopped: bool = False
    elapsed: float = 0.0

    def method(self, name: str) -> Compared:
        """What was found about one method."""
        for one in self.methods:
            if one.name == name:
                return one
        raise GraphError(unknown_name("method", name, [one.name for one in self.methods]))

    def gap(self, a: str, b: str) -> Gap:
        """How many nats a row method a is above method b, by pairs of rows of the folds that both were judged in."""
        for name in (a, b):
            self.method(name)
        return self.gaps.get((a, b), Gap(None, None))

    @property
    def drawn(self) -> tuple[str, ...]:
        """The methods that have a graph."""
        return tuple(one.name for one in self.methods if one.pattern is not None)

    @property
    def patterns(self) -> tuple[Pdag, ...]:
        return tuple(one.pattern for one in self.methods if one.pattern is not None)

    def agreement(self) -> FloatArray:
        """(methods, methods) of `drawn`: the share of the edges that either graph has which both have.

        Jaccard's index of the skeletons: directions do not count, and two graphs without edges agree.
        """
        edges = [frozenset(map(frozenset, pattern.skeleton)) for pattern in self.patterns]
        shares = [len(a & b) / len(a | b) if a | b else 1.0 for a in edges for b in edges]
        return np.array(shares).reshape(len(edges), len(edges))

    def consensus(self) -> Strengths | None:
        """The share of the graphs in which two columns are neighbours, and the edge points so; None without graphs."""
        return Strengths.of(self.patterns) if self.patterns else None

    def disputed(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """Edges that some graphs have and others lack: (a, b, the methods that have it), the most common first."""
        have: dict[tuple[str, str], list[str]] = {}
        for name, pattern in zip(self.drawn, self.patterns, strict=True):
            for pair in _sorted_pairs(pattern.skeleton):
                have.setdefault(pair, []).append(name)
        some = [(*pair, tuple(names)) for pair, names in have.items() if len(names) < len(self.drawn)]
        return tuple(sorted(some, key=lambda one: (-len(one[2]), one[0], one[1])))

    def common(self) -> Pairs:
        """Edges that all graphs have."""
        edges = [set(_sorted_pairs(pattern.skeleton)) for pattern in self.patterns]
        return tuple(sorted(set.intersection(*edges))) if edges else ()

    def table(self) -> pl.DataFrame:
        """A row for each method, as a polars table."""
        import polars as pl

        types = {int: pl.Int64, float: pl.Float64, str: pl.String}
        rows = [[getattr(one, name) for name in _COLUMNS] for one in self.methods]
        return pl.DataFrame(rows, schema={name: types[kind] for name, kind in _COLUMNS.items()}, orient="row")

    def draw(self, path: str | Path | None = None) -> str | None:
        """The agreement of the graphs as a heat map: SVG text, or a .svg, .png or .pdf file at `path`."""
        from arcwise.drawing import draw_heat_map

        title = "Agreement of the graphs: share of the edges of two that both have"
        return draw_heat_map(self.agreement(), self.drawn, path, title=title)

    def __str__(self) -> str:
        from arcwise.results.comparing_words import as_text

        return as_text(self)

    def __repr__(self) -> str:
        return f"Comparison({len(self.methods)} methods, {self.folds} folds, {self.n_rows} rows)"

    def _repr_html_(self) -> str:
        from arcwise.results.comparing_words import as_html

        return as_html(self)

    @checked
    def save(self, path: str | Path) -> None:
        """Write all of it as JSON, in one piece or not at all."""
        write_text(path, as_json(self.to_dict(), indent=1) + "\n")

    @staticmethod
    @checked
    def load(path: str | Path) -> Comparison:
        """Read what `save` wrote."""
        return load_json(path, "saved comparison of arcwise", Comparison.from_dict)

    def to_dict(self) -> dict[str, Any]:
        methods = [
            {**asdict(one), "pattern": None if one.pattern is None else one.pattern.to_dict()} for one in self.methods
        ]
        return {
            "format": FORMAT,
            "names": list(self.names),
            "n_rows": self.n_rows,
            "folds": self.folds,
            "seed": self.seed,
            "methods": methods,
            "recommended": self.recommended,
            "advice": self.advice,
            "gaps": [[a, b, *gap] for (a, b), gap in self.gaps.items()],
            "warnings": list(self.warnings),
            "stopped": self.stopped,
            "elapsed": self.elapsed,
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Comparison:
        """The inverse of `to_dict`; GraphError names the entry that is not as it was written."""
        found = isinstance(content, Mapping) and content.get("format")
        if found != FORMAT:
            raise GraphError(f"its format is {shown(found or None)}, not {FORMAT!r}")
        check_content(content, ComparisonContent, GraphError)
        methods = tuple(_compared(one) for one in content["methods"])
        for one in methods:
            if one.pattern is not None and set(one.pattern.names) != set(content["names"]):
                raise GraphError(f"the graph of method {one.name!r} has other nodes than the table")
        plain = ("n_rows", "folds", "seed", "recommended", "advice", "stopped", "elapsed")
        return Comparison(
            names=tuple(content["names"]),
            methods=methods,
            gaps={(a, b): Gap(mean, error) for a, b, mean, error in content["gaps"]},
            warnings=tuple(content["warnings"]),
            **{name: content[name] for name in plain},
        )


def _sorted_pairs(pairs: Pairs) -> list[tuple[str, str]]:
    return [(min(pair), max(pair)) for pair in pairs]


def _compared(content: Mapping[str, Any]) -> Compared:
    pattern = None if content["pattern"] is None else Pdag.from_dict(content["pattern"])
    return Compared(
        **{name: content[name] for name in ComparedContent.__annotations__ if name != "pattern"}, pattern=pattern
    )


# The columns of `Comparison.table`.
_COLUMNS: dict[str, type] = {
    "name": str, "standing": str, "folds": int, "density": float, "error": float, "behind": float,
    "behind_error": float, "impossible": int, "edges": int, "kgv": float, "seconds": float, "reason": str,
}  # fmt: skip


class ComparedContent(TypedDict):
    name: str
    standing: Standing
    folds: int
    density: float | None
    error: float | None
    behind: float | None
    behind_error: float | None
    impossible: int
    edges: int | None
    kgv: float | None
    seconds: float | None
    reason: str
    pattern: dict[str, Any] | None
    spec: dict[str, Any] | None


class ComparisonContent(TypedDict):
    """What `Comparison.to_dict` gives; graphs are checked where they are read."""

    names: list[str]
    n_rows: int
    folds: int
    seed: Seed
    methods: list[ComparedContent]
    recommended: str | None
    advice: str
    gaps: list[tuple[str, str, float | None, float | None]]
    warnings: list[str]
    stopped: bool
    elapsed: float
