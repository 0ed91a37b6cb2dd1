"""The columns of a table as the page shows them: bins of a histogram, and groups in which other columns are looked at.

All of it are counts of rows, but for the smallest, the middle and the largest value of a column.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind, WeightArray
from arcwise.data.discretization import Discretization, format_numbers
from arcwise.drawing.histogram import Histogram, histogram
from arcwise.printing import counted, printable
from arcwise.results.columns import ColumnSummary, describe

MOST_BINS = 30
LONGEST = 200  # letters of a name or a level
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
            "shown": one.shown_kind,
            "doubtful": one.doubtful,
            "reason": printable(one.reason),
            "distinct": one.n_distinct,
            "missing": one.n_missing,
            "range": _range(one),
            "labels": [seen(label) for label in self.labels],
            "counts": totals(self.groups, len(self.labels), weights),
            "cut": self.was_cut,
            "cuts": format_numbers(self.cuts) if self.was_cut and self.is_continuous else [],
            "histogram": None if self.spread is None or self.bins is None else self._histogram(weights),
        }

    def _histogram(self, weights: WeightArray | None) -> dict[str, Any]:
        assert self.spread is not None
        assert self.bins is not None
        return {
            "ends": self.spread.ends,
            "counts": totals(self.bins, self.n_bins, weights),
            "marks": self.spread.marks(self.cuts),
            "beyond": self.spread.below + self.spread.above,
        }


def _range(summary: ColumnSummary) -> list[str] | None:
    """Minimum, median and maximum to be read; two texts are the same only if the numbers are."""
    three = (summary.minimum, summary.median, summary.maximum)
    known = sorted({value for value in three if value is not None})
    texts = dict(zip(known, format_numbers(np.array(known)), strict=True))
    return [texts[value] for value in three if value is not None] or None


def shown_columns(data: Dataset, discretization: Discretization | None) -> tuple[Shown, ...]:
    """Every column of the table; thresholds are those of the method, where it has some. O(cells log rows)."""
    own = _own_thresholds(data, discretization)
    parts = _parts(data, own)
    cut = parts.apply(data)
    found = []
    for summary, column, grouped in zip(describe(data), data.columns, cut.columns, strict=True):
        name = column.name
        labels = parts.intervals(name) if name in parts.thresholds else grouped.levels
        codes, labels = _few_levels(grouped, labels, data.weights)
        thresholds = own.thresholds.get(name)
        one = Shown(summary, codes, labels, np.empty(0) if thresholds is None else thresholds, thresholds is not None)
        found.append(one if column.kind is Kind.DISCRETE else _spread(one, column, data.weights))
    return tuple(found)


def _own_thresholds(data: Dataset, discretization: Discretization | None) -> Discretization:
    """Those of the method, of columns that the table has."""
    if discretization is None:
        return Discretization({})
    cuts, orders = discretization.thresholds, discretization.orders
    return Discretization(
        {name: cuts[name] for name in data.names if name in cuts},
        {name: orders[name] for name in data.names if name in orders},
    )


def _parts(data: Dataset, own: Discretization) -> Discretization:
    """The same, no more than can be shown, and groups of equal size of every other column that is continuous."""
    from arcwise.discretize import EqualFrequency

    own = _thinned(data, own)
    rest = [c.name for c in data.columns if c.kind is Kind.CONTINUOUS and c.name not in own.thresholds]
    if not rest:
        return own
    equal = EqualFrequency(bins=PARTS).fit(data.select(rest))
    return Discretization({**own.thresholds, **equal.thresholds}, own.orders)


def _thinned(data: Dataset, own: Discretization) -> Discretization:
    """At most MOST_LEVELS levels of a column: neighbours are joined, so that their rows are about as many in each."""
    found = dict(own.thresholds)
    for column in own.apply(data.select(found)).columns if found else ():
        if column.cardinality > MOST_LEVELS:
            below = np.cumsum(totals(_codes(column), column.cardinality, data.weights))
            wanted = below[-1] * np.arange(1, MOST_LEVELS) / MOST_LEVELS
            kept = np.unique(np.abs(below[:-1, None] - wanted).argmin(axis=0))
            found[column.name] = found[column.name][kept]
    return Discretization(found, own.orders)


def _spread(shown: Shown, column: Column, weights: WeightArray | None) -> Shown:
    """With a histogram, where anything is recorded."""
    if not len(column.recorded):
        return shown
    counts = weights if weights is None or column.missing is None else weights[~column.missing]
    spread = histogram(column.recorded, MOST_BINS, counts)
    return replace(shown, bins=_bins(column, spread), spread=spread)


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


def _few_levels(
    column: Column, labels: tuple[str, ...], weights: WeightArray | None
) -> tuple[IntArray, tuple[str, ...]]:
    """Codes and labels, the rarest of many levels as one; -1 where the cell is missing."""
    codes = _codes(column)
    if column.cardinality <= MOST_LEVELS:
        return codes, labels
    rows = np.array(totals(codes, column.cardinality, weights))
    common = np.sort(np.argsort(-rows, kind="stable")[: MOST_LEVELS - 1])
    new = np.full(column.cardinality + 1, len(common), dtype=np.intp)
    new[common] = np.arange(len(common))
    new[-1] = -1  # where the code -1 finds it
    others = counted(column.cardinality - len(common), "other level")
    return new[codes], (*(labels[k] for k in common.tolist()), others)


def _codes(column: Column) -> IntArray:
    """The level of each row, -1 where the cell is missing."""
    codes = column.values.astype(np.intp)
    if column.missing is not None:
        codes[column.missing] = -1
    return codes


def seen(text: str) -> str:
    """A name or a level as the page shows it: blanks in quotes, of a very long one the beginning."""
    whole = printable(text) if text.strip() else repr(text)
    return whole if len(whole) <= LONGEST else f"{whole[: LONGEST - 1]}…"


def totals(codes: IntArray, n: int, weights: WeightArray | None) -> list[int]:
    """Rows with each of the codes 0 to n - 1; those below 0 do not count."""
    there = codes >= 0
    counts = np.bincount(codes[there], None if weights is None else weights[there], minlength=n)
    return counts.astype(np.int64).tolist()
