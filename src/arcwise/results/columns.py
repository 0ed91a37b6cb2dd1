"""The table that was learned from, column by column, as far as a result keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind, TypingDecision, WeightArray
from arcwise.data.provenance import NOT_KNOWN, Provenance, ProvenanceContent
from arcwise.data.reading.door import takes_table
from arcwise.errors import GraphError

FEW_LEVELS = 16  # a look at all rows for each of so many is quicker than one that counts them ...
FEW_ROWS = 4000  # ... unless there are only so many


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """One column: `levels` and `counts` (rows of each) if discrete, else minimum, median and maximum.

    All of them are of the recorded cells; `n_missing` counts the others.
    """

    name: str
    kind: Kind
    n_distinct: int
    reason: str
    doubtful: bool
    levels: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    minimum: float | None = None
    median: float | None = None
    maximum: float | None = None
    n_missing: int = 0


@takes_table
def describe(data: Dataset) -> list[ColumnSummary]:
    """One summary per column, in column order; O(cells log rows)."""
    decisions = {decision.column: decision for decision in data.decisions}
    missing = data.missing_counts()
    return [
        _summary(column, data.weights, decisions.get(column.name), missing.get(column.name, 0))
        for column in data.columns
    ]


def _summary(
    column: Column, weights: WeightArray | None, decision: TypingDecision | None, n_missing: int
) -> ColumnSummary:
    reason = decision.reason if decision else ""
    doubtful = decision.doubtful if decision else False
    values = column.recorded
    if weights is not None and column.missing is not None:
        weights = weights[~column.missing]
    if column.kind is Kind.DISCRETE:
        rows = _rows_of_levels(values, column.cardinality, weights)
        n_distinct = len(rows) - rows.count(0)
        return ColumnSummary(
            column.name, column.kind, n_distinct, reason, doubtful, column.levels, rows, n_missing=n_missing
        )
    if not len(values):
        return ColumnSummary(column.name, column.kind, 0, reason, doubtful, n_missing=n_missing)
    ordered, middle, after = _middle(values, weights)
    return ColumnSummary(
        column.name,
        column.kind,
        1 + int(np.count_nonzero(ordered[1:] != ordered[:-1])),
        reason,
        doubtful,
        minimum=float(ordered[0]),
        median=middle if middle == after else middle / 2 + after / 2,
        maximum=float(ordered[-1]),
        n_missing=n_missing,
    )


def _rows_of_levels(codes: NDArray[Any], n_levels: int, weights: WeightArray | None) -> tuple[int, ...]:
    if weights is None and n_levels <= FEW_LEVELS and len(codes) > FEW_ROWS:
        return tuple(int(np.count_nonzero(codes == level)) for level in range(n_levels))
    counts = np.bincount(codes, weights, minlength=n_levels)
    return tuple(counts.astype(np.int64).tolist())


def _middle(values: FloatArray, weights: WeightArray | None) -> tuple[FloatArray, float, float]:
    """The values in order, and the two in the middle of them, which are one where their number is odd."""
    if weights is None:
        ordered = np.sort(values)
        return ordered, float(ordered[(len(ordered) - 1) // 2]), float(ordered[len(ordered) // 2])
    order = np.argsort(values, kind="stable")
    last = np.cumsum(weights[order])  # after the rows of each value
    places = np.searchsorted(last, [(last[-1] - 1) // 2, last[-1] // 2], side="right")
    middle, after = values[order[places]].tolist()
    return values[order], middle, after


@dataclass(frozen=True, slots=True)
class DataSummary:
    """The table that was learned from. provenance: how it was read, and what was left out."""

    n_rows: int
    columns: tuple[ColumnSummary, ...]
    provenance: Provenance = NOT_KNOWN

    @staticmethod
    def of(data: Dataset) -> DataSummary:
        return DataSummary(data.n_rows, tuple(describe(data)), data.provenance)

    @property
    def n_missing(self) -> int:
        """Missing cells in all columns."""
        return sum(column.n_missing for column in self.columns)

    def to_dict(self) -> dict[str, Any]:
        columns = [asdict(column) for column in self.columns]
        return {"n_rows": self.n_rows, "columns": columns, "provenance": self.provenance.to_dict()}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> DataSummary:
        """The inverse of `to_dict`, of content that was checked."""
        came = Provenance.from_dict(content["provenance"]) if "provenance" in content else NOT_KNOWN
        return DataSummary(content["n_rows"], tuple(_column(one) for one in content["columns"]), came)


def _column(content: Mapping[str, Any]) -> ColumnSummary:
    plain = {name: content[name] for name in ColumnContent.__required_keys__}
    lists = {name: tuple(content[name]) for name in ("levels", "counts")}
    if len(lists["levels"]) != len(lists["counts"]):
        raise GraphError(f"column {content['name']!r} has not one count for each of its levels")
    missing = content.get("n_missing", 0)
    return ColumnSummary(**{**plain, **lists, "kind": Kind(content["kind"]), "n_missing": missing})


class _LaterContent(TypedDict, total=False):
    """What older results have not."""

    n_missing: int


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
    """What older results have not."""

    provenance: ProvenanceContent


class DataContent(_LaterData):
    n_rows: int
    columns: list[ColumnContent]
