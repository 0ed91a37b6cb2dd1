"""Conditional probability tables: a discrete column given discrete parents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any, ClassVar, Literal, TypedDict, get_args

import numpy as np
from numpy.typing import ArrayLike

from arcwise.checking import checked
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind, code_dtype
from arcwise.data.reading.door import takes_columns, takes_table
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.networks import tables
from arcwise.networks.columns import Columns, state_codes
from arcwise.networks.tables import cumulative_edges, draw_states, parent_codes
from arcwise.printing import printable
from arcwise.stats.tables import table_of

Per = Literal["configuration", "table", "cell"]
SMOOTHING = 1.0
MOST_SMOOTHING = 1e9
PER: Per = "configuration"
MOST_CELLS = 1 << 26  # half a GiB of probabilities


class _ParentContent(TypedDict):
    name: str
    levels: list[str]


class TableContent(TypedDict):
    """What `Table.to_dict` gives."""

    child: str
    levels: list[str]
    ordered: bool
    parents: list[_ParentContent]
    probabilities: list[float]


class FittedTableContent(TableContent, total=False):
    """A table that was fitted to complete columns knows its counts."""

    counts: list[int]


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """P(child = k | parents = j). `probabilities` has one axis per parent, in their order, and the levels last.

    Levels are found by label. Rows are normalised here and the table is read-only. `counts`: how many rows of the fit
    each cell had, of the same shape; None where that is not known. Tables are equal whatever their counts.
    """

    kind: ClassVar[str] = "cpt"
    content: ClassVar[type] = FittedTableContent

    child: str
    levels: tuple[str, ...]
    parents: tuple[str, ...]
    parent_levels: tuple[tuple[str, ...], ...]
    probabilities: FloatArray
    ordered: bool = False
    counts: IntArray | None = None

    def __post_init__(self) -> None:
        if len(self.parents) != len(self.parent_levels):
            raise GraphError(f"node {self.child!r} needs one list of levels for each of its parents")
        shape = tuple(len(levels) for levels in (*self.parent_levels, self.levels))
        table = tables.as_table(self.child, self.probabilities, shape)
        tables.normalise_rows(self.child, table, self.parents, self.parent_levels)
        table.setflags(write=False)
        object.__setattr__(self, "probabilities", table)
        if self.counts is not None:
            object.__setattr__(self, "counts", _checked_counts(self.child, self.counts, shape))

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        return dict(zip((*self.parents, self.child), (*self.parent_levels, self.levels), strict=True))

    @takes_columns
    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln P(child | parents); minus infinity where the table has a 0."""
        cell = self._configurations(data) * len(self.levels) + state_codes(data, self.child, self.levels)
        with np.errstate(divide="ignore"):
            result: FloatArray = np.log(self.probabilities.ravel()[cell])
        return result

    @takes_columns
    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows, levels) the probability of each level."""
        rows = self.probabilities.reshape(-1, len(self.levels))
        return rows[self._configurations(data)]

    def sample(self, parents: Columns, rng: np.random.Generator) -> Column:
        codes = draw_states(self._edges, self._configurations(parents), rng.random(parents.n_rows))
        values = codes.astype(code_dtype(len(self.levels)))
        return Column(self.child, Kind.DISCRETE, values, levels=self.levels, ordered=self.ordered)

    def renamed(self, called: Mapping[str, str]) -> Table:
        return replace(self, child=called[self.child], parents=tuple(called[name] for name in self.parents))

    def to_dict(self) -> dict[str, Any]:
        pairs = zip(self.parents, self.parent_levels, strict=True)
        return {
            "kind": self.kind,
            "child": self.child,
            "levels": list(self.levels),
            "ordered": self.ordered,
            "parents": [{"name": name, "levels": list(levels)} for name, levels in pairs],
            "probabilities": self.probabilities.ravel().tolist(),
            **({} if self.counts is None else {"counts": self.counts.ravel().tolist()}),
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Table:
        found = Table(
            child=content["child"],
            levels=tables.as_states(content["child"], content["levels"]),
            parents=tuple(parent["name"] for parent in content["parents"]),
            parent_levels=tuple(tables.as_states(parent["name"], parent["levels"]) for parent in content["parents"]),
            probabilities=content["probabilities"],
            ordered=content["ordered"],
            counts=content.get("counts"),
        )
        levels = (*found.parent_levels, found.levels)
        tables.check_sums(found.child, content["probabilities"], found.parents, levels)
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return replace(self, counts=None).to_dict() == replace(other, counts=None).to_dict()

    def __hash__(self) -> int:
        return hash((self.child, self.levels, self.parents, self.parent_levels))

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickled arrays are writable again; going through the constructor keeps the table immutable.
        fields = (self.child, self.levels, self.parents, self.parent_levels, self.probabilities, self.ordered)
        return Table, (*fields, self.counts)

    def __repr__(self) -> str:
        given = f" given {', '.join(self.parents)}" if self.parents else ""
        rows, levels = self.probabilities.reshape(-1, len(self.levels)).shape
        return printable(f"Table({self.child}{given}: {rows} x {levels})")

    @cached_property
    def _edges(self) -> FloatArray:
        return cumulative_edges(self.probabilities)

    def _configurations(self, data: Columns) -> IntArray:
        codes = [state_codes(data, *parent) for parent in zip(self.parents, self.parent_levels, strict=True)]
        return parent_codes(codes, [len(levels) for levels in self.parent_levels], data.n_rows)


@takes_table
@checked
def fit_table(
    data: Dataset, child: str, parents: tuple[str, ...], *, smoothing: float = SMOOTHING, per: Per = PER
) -> Table:
    """P(k | j) = (N_jk + a) / (N_j + r a), the mean under a Dirichlet prior. O(rows * parents + cells).

    The prior is worth `smoothing` rows, spread evenly over the r levels of each of the q parent configurations
    (a = smoothing / r), over the whole table (a = smoothing / (q r): the prior of BDeu, smoothing its ess), or for
    each cell (a = smoothing: 1 is Laplace's rule and K2's prior). A configuration without rows is uniform, even
    without smoothing, where the rest is maximum likelihood.
    """
    check_prior(smoothing, per)
    own, others = data.column(child), [data.column(name) for name in parents]
    check_levels((own, *others))
    cards = [column.cardinality for column in others]
    q, r = prod(cards), own.cardinality
    if q * r > MOST_CELLS:
        raise DataError(
            f"the table of column {child!r} given its {len(parents)} parents has {q * r:.3g} cells, more than "
            f"{MOST_CELLS:,}; use fewer parents or levels"
        )
    counts = table_of(data, [*parents, child])
    return replace(table_of_counts(own, others, counts.astype(np.float64), smoothing, per), counts=counts)


def table_of_counts(own: Column, others: Sequence[Column], counts: FloatArray, smoothing: float, per: Per) -> Table:
    """The same from counts, which may be expected ones: an axis for each parent, the levels last."""
    cards = [column.cardinality for column in others]
    q, r = prod(cards), own.cardinality
    counts = (
        counts.reshape(q, r) + {"configuration": smoothing / r, "table": smoothing / (q * r), "cell": smoothing}[per]
    )
    counts[counts.sum(axis=1) == 0.0] = 1.0
    return Table(
        child=own.name,
        levels=own.levels,
        parents=tuple(column.name for column in others),
        parent_levels=tuple(column.levels for column in others),
        probabilities=(counts / counts.sum(axis=1, keepdims=True)).ravel(),
        ordered=own.ordered,
    )


def _checked_counts(child: str, counts: ArrayLike, shape: tuple[int, ...]) -> IntArray:
    """A read-only copy of the right shape."""
    try:
        found = np.array(counts, dtype=np.intp).reshape(shape)
    except (TypeError, ValueError, OverflowError):
        raise GraphError(f"the counts of node {child!r} must be whole numbers of shape {shape}") from None
    if found.size and found.min() < 0:
        raise GraphError(f"a count of node {child!r} is below 0; counts are rows")
    found.setflags(write=False)
    return found


def check_levels(columns: Iterable[Column]) -> None:
    """Refuse columns that are numbers."""
    for column in columns:
        if column.kind is not Kind.DISCRETE:
            raise DataError(
                f"column {column.name!r} is continuous and a probability table needs levels; give thresholds with "
                f"discretization=, or fit with model='gaussian'"
            )


def check_prior(smoothing: float, per: str) -> None:
    if not 0 <= smoothing <= MOST_SMOOTHING:
        raise OptionError(f"option 'smoothing' must be a number from 0 to {MOST_SMOOTHING:g}, not {smoothing!r}")
    if per not in get_args(Per):
        raise OptionError(f"option 'per' must be one of {', '.join(get_args(Per))}, not {per!r}")
