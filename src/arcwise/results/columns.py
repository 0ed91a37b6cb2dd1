"""The table that was learned from, column by column, as far as a result keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypedDict

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind, WeightArray
from arcwise.data.provenance import NOT_KNOWN, Provenance, ProvenanceContent
from arcwise.data.reading.door import takes_table
from arcwise.errors import GraphError
from arcwise.stats.levels import rows_of_levels
from arcwise.stats.ordered import Ordered, is_long, ordered

MANY_VALUES = 10_000


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """One column: `levels` and `counts` (rows of each) if discrete, else minimum, median and maximum.

    All of them are of the recorded cells; `n_missing` counts the others. n_distinct: different values; of a column with
    very many rows counted as far as MANY_VALUES, which then says "or more". ordered: the levels stand in an order.
    """

    name: str
    kind: Kind
    n_distinct: int
    reason: str = ""
    doubtful: bool = False
    levels: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    minimum: float | None = None
    median: float | None = None
    maximum: float | None = None
    n_missing: int = 0
    ordered: bool = False

    @property
    def shown_kind(self) -> str:
        """Its kind as people are told it: continuous, ordered or discrete."""
        return "ordered" if self.ordered and len(self.levels) > 2 else self.kind.value


@takes_table
def describe(data: Dataset) -> list[ColumnSummary]:
    """One summary per column, in column order; O(cells log rows), of very long tables O(cells)."""
    decisions = {decision.column: decision for decision in data.decisions}
    missing = data.missing_counts()
    levels = [column.name for column in data.columns if column.kind is Kind.DISCRETE]
    rows = dict(zip(levels, rows_of_levels(data.select(levels)), strict=True))
    found = []
    for column in data.columns:
        facts = _of_levels(column, rows[column.name]) if column.name in rows else _of_numbers(data, column)
        decision = decisions.get(column.name)
        found.append(
            replace(
                facts,
                reason=decision.reason if decision else "",
                doubtful=decision.doubtful if decision else False,
                n_missing=missing.get(column.name, 0),
            )
        )
    return found


def _of_levels(column: Column, rows: WeightArray) -> ColumnSummary:
    n_distinct = int(np.count_nonzero(rows))
    counts = tuple(rows.tolist())
    return ColumnSummary(
        column.name, column.kind, n_distinct, levels=column.levels, counts=counts, ordered=column.ordered
    )


def _of_numbers(data: Dataset, column: Column) -> ColumnSummary:
    if is_long(data):
        return _of_many_numbers(column.name, ordered(data, column.name))
    values, weights = column.recorded, data.weights
    if weights is not None and column.missing is not None:
        weights = weights[~column.missing]
    if not len(values):
        return ColumnSummary(column.name, column.kind, 0)
    in_order, middle, after = _middle(values, weights)
    n_distinct = 1 + int(np.count_nonzero(in_order[1:] != in_order[:-1]))
    median = _between(middle, after)
    return ColumnSummary(
        column.name,
        column.kind,
        n_distinct,
        minimum=float(in_order[0]),
        median=median,
        maximum=float(in_order[-1]),
    )


def _of_many_numbers(name: str, numbers: Ordered) -> ColumnSummary:
    """The same without a copy of the column; different numbers are counted as far as MANY_VALUES."""
    n = numbers.n
    if not n:
        return ColumnSummary(name, Kind.CONTINUOUS, 0)
    low, middle, after, high = numbers.at(np.array([0, (n - 1) // 2, n // 2, n - 1])).values.tolist()
    n_distinct = len(numbers.distinct(MANY_VALUES - 1))
    return ColumnSummary(name, Kind.CONTINUOUS, n_distinct, minimum=low, median=_between(middle, after), maximum=high)


def _middle(values: FloatArray, weights: WeightArray | None) -> tuple[FloatArray, float, float]:
    """The values in order, and the two in the middle of them, which are one where their number is odd."""
    if weights is None:
        in_order = np.sort(values)
        return in_order, float(in_order[(len(in_order) - 1) // 2]), float(in_order[len(in_order) // 2])
    order = np.argsort(values, kind="stable")
    last = np.cumsum(weights[order])  # after the rows of each value
    places = np.searchsorted(last, [(last[-1] - 1) // 2, last[-1] // 2], side="right")
    middle, after = values[order[places]].tolist()
    return values[order], middle, after


def _between(low: float, high: float) -> float:
    return low if low == high else low / 2 + high / 2


@dataclass(frozen=True, slots=True)
class DataSummary:
    """The table that was learned from. provenance: how it was read, and what was left out.

    n_weighted: the rows with weights that stand for its n_rows; None where there are no weights.
    """

    n_rows: int
    columns: tuple[ColumnSummary, ...]
    provenance: Provenance = NOT_KNOWN
    n_weighted: int | None = None

    @staticmethod
    def of(data: Dataset) -> DataSummary:
        n_weighted = None if data.n_stored == data.n_rows else data.n_stored
        return DataSummary(data.n_rows, tuple(describe(data)), data.provenance, n_weighted)

    @property
    def n_missing(self) -> int:
        """Missing cells in all columns."""
        return sum(column.n_missing for column in self.columns)

    def to_dict(self) -> dict[str, Any]:
        columns = [asdict(column) for column in self.columns]
        own = {"n_rows": self.n_rows, "columns": columns, "provenance": self.provenance.to_dict()}
        return own if self.n_weighted is None else {**own, "n_weighted": self.n_weighted}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> DataSummary:
        """The inverse of `to_dict`, of content that was checked."""
        came = Provenance.from_dict(content["provenance"]) if "provenance" in content else NOT_KNOWN
        columns = tuple(_column(one) for one in content["columns"])
        return DataSummary(content["n_rows"], columns, came, content.get("n_weighted"))


def _column(content: Mapping[str, Any]) -> ColumnSummary:
    plain = {name: content[name] for name in ColumnContent.__required_keys__}
    lists = {name: tuple(content[name]) for name in ("levels", "counts")}
    if len(lists["levels"]) != len(lists["counts"]):
        raise GraphError(f"column {content['name']!r} has not one count for each of its levels")
    later = {"n_missing": content.get("n_missing", 0), "ordered": content.get("ordered", False)}
    return ColumnSummary(**{**plain, **lists, "kind": Kind(content["kind"]), **later})


class _LaterContent(TypedDict, total=False):
    """What older results have not."""

    n_missing: int
    ordered: bool


class ColumnContent(_LaterContent):
    name: str
    kind: Literal["continuous", "discrete"]
    n_distinct: int
    reason: str
    doubtful: bool
    levels: list[str]
    counts: list[int]
    minimum: float | None
    median: float | None
    maximum: float | None


class _LaterData(TypedDict, total=False):
    """What older results have not, or results of rows without weights."""

    provenance: ProvenanceContent
    n_weighted: int


class DataContent(_LaterData):
    n_rows: int
    columns: list[ColumnContent]
