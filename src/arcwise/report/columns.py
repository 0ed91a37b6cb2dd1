"""The columns of a table as the page shows them: bins of a histogram, and groups in which other columns are looked at.

All of it are counts of rows; no cell of the table can be read from them one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind, WeightArray
from arcwise.data.discretization import Discretization, format_numbers
from arcwise.drawing.histogram import Histogram, histogram
from arcwise.printing import counted, printable
from arcwise.results.columns import ColumnSummary, describe

MOST_BINS = 30
MOST_LEVELS = 16  # of a column with more, the rarest are shown as one
PARTS = 4  # groups of equal size of a column that the method did not cut


@dataclass(frozen=True, eq=False)
class Shown:
    """One column, with two codes for every stored row; -1 stands for a missing cell.

    groups: codes into `labels`, the levels of a discrete column, of one that was cut, or else groups of equal size.
    bins: codes of the histogram's bins, -1 also for what it leaves out; None if the column is discrete.
    """

    summary: ColumnSummary
    groups: IntArray
    labels: tuple[str, ...]
    cuts: FloatArray
    was_cut: bool
    bins: IntArray | None = None
    spread: Histogram | None = None

    @property
    def is_continuous(self) -> bool:
        return self.summary.kind is Kind.CONTINUOUS

    @property
    def n_bins(self) -> int:
        return 0 if self.spread is None else len(self.spread.counts)

    def content(self, weights: WeightArray | None) -> dict[str, Any]:
        """For the page: ends, thresholds and counts."""
        one = self.summary
        return {
            "kind": str(one.kind),
            "doubtful": one.doubtful,
            "reason": printable(one.reason),
            "distinct": one.n_distinct,
            "missing": one.n_missing,
            "range": None if one.minimum is None else [one.minimum, one.median, one.maximum],
            "labels": [printable(label) for label in self.labels],
            "counts": totals(self.groups, len(self.labels), weights),
            "cut": self.was_cut,
            "cuts": format_numbers(self.cuts) if self.was_cut and self.is_continuous else [],
            "histogram": None if self.spread is None or self.bins is None else self._histogram(weights),
        }

    def _histogram(self, weights: WeightArray | None) -> dict[str, Any]:
        assert self.spread is not None
        assert self.bins is not None
        low, high = self.spread.low, self.spread.high
        beyond = np.count_nonzero(self.bins < 0) if weights is None else weights[self.bins < 0].sum()
        marks = self.spread.marks(self.cuts) if self.was_cut else []
        return {
            "low": low,
            "high": high,
            "ends": self.spread.ends,
            "counts": totals(self.bins, self.n_bins, weights),
            "marks": marks,
            "beyond": int(beyond) - self.summary.n_missing,
        }


def shown_columns(data: Dataset, discretization: Discretization | None) -> tuple[Shown, ...]:
    """Every column of the table; thresholds are those of the method, where it has some. O(cells log rows)."""
    from arcwise.discretize import EqualFrequency

    own: Mapping[str, FloatArray] = {} if discretization is None else discretization.thresholds
    orders = {} if discretization is None else discretization.orders
    cut = [name for name in data.names if name in own]
    rest = data.select(c.name for c in data.columns if c.kind is Kind.CONTINUOUS and c.name not in own)
    kept = Discretization({name: own[name] for name in cut}, {name: orders[name] for name in cut if name in orders})
    both = (kept.apply(data.select(cut)), EqualFrequency(bins=PARTS).fit(rest).apply(rest))
    grouped = {column.name: column for table in both for column in table.columns}
    each = zip(describe(data), data.columns, data.repeated().columns, strict=True)
    return tuple(
        _shown(summary, column, whole.recorded, grouped.get(column.name, column), own.get(column.name), data.weights)
        for summary, column, whole in each
    )


def _shown(
    summary: ColumnSummary,
    column: Column,
    values: FloatArray,
    grouped: Column,
    cuts: FloatArray | None,
    weights: WeightArray | None,
) -> Shown:
    """values: those that are recorded, each as often as its row counts."""
    codes, labels = _few_levels(grouped, weights)
    found = np.empty(0) if cuts is None else cuts
    if column.kind is Kind.DISCRETE or not len(column.recorded):
        return Shown(summary, codes, labels, found, cuts is not None)
    spread = histogram(values, MOST_BINS)
    return Shown(summary, codes, labels, found, cuts is not None, _bins(column, spread), spread)


def _bins(column: Column, spread: Histogram) -> IntArray:
    """The bin of each row, -1 where the cell is missing or lies beyond the ends."""
    n = len(spread.counts)
    here = column.recorded
    places = spread.place(here)
    inside = (here >= spread.shown[0]) & (here <= spread.shown[1])
    codes = np.full(len(column.values), -1, dtype=np.intp)
    of_recorded = np.where(inside, np.clip(places * n, 0, n - 1), -1).astype(np.intp)
    codes[slice(None) if column.missing is None else ~column.missing] = of_recorded
    return codes


def _few_levels(column: Column, weights: WeightArray | None) -> tuple[IntArray, tuple[str, ...]]:
    """Codes and labels, the rarest of many levels as one; -1 where the cell is missing."""
    codes = column.values.astype(np.intp)
    if column.missing is not None:
        codes[column.missing] = -1
    if column.cardinality <= MOST_LEVELS:
        return codes, column.levels
    rows = np.array(totals(codes, column.cardinality, weights))
    common = np.sort(np.argsort(-rows, kind="stable")[: MOST_LEVELS - 1])
    new = np.full(column.cardinality + 1, len(common), dtype=np.intp)
    new[common] = np.arange(len(common))
    new[-1] = -1  # where the code -1 finds it
    others = counted(column.cardinality - len(common), "other level")
    return new[codes], (*(column.levels[k] for k in common.tolist()), others)


def totals(codes: IntArray, n: int, weights: WeightArray | None) -> list[int]:
    """Rows with each of the codes 0 to n - 1; those below 0 do not count."""
    there = codes >= 0
    counts = np.bincount(codes[there], None if weights is None else weights[there], minlength=n)
    return counts.astype(np.int64).tolist()
