"""Numbers of a long column in a few: what the rules of reading ask of them all, without keeping more than some.

Sums of parts: `joined` has the range of rows of which the first come in one part and the others in the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.levels import EXACT
from arcwise.data.reading.raw import Once
from arcwise.data.sentinels import SENTINELS

KEPT = 64  # values of a column: more than it takes to see that they are many
HUGE = 1 << 16  # integers beyond 2^53 that are kept, to find two that are the same float
_ODD = np.array(sorted(SENTINELS | {np.inf, -np.inf}))
Odd = dict[float, tuple[int, int]]  # value: (rows that have it, the first of them)


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """some: the first different values. low, high: of the others than `odd`, which are counted one by one.

    odd: numbers that may stand for "missing", and infinite ones. fraction: a value that is not whole, NaN if there is
    none. start, end: the first and last value, which join parts; by_one: whether each is one more than the one before.
    """

    n: int = 0
    n_missing: int = 0
    some: NDArray[Any] = field(default_factory=lambda: np.zeros(0))
    low: float = np.inf
    high: float = -np.inf
    fraction: float = np.nan
    odd: Odd = field(default_factory=dict)
    start: float = np.nan
    end: float = np.nan
    by_one: bool = True
    huge: NDArray[Any] = field(default_factory=lambda: np.zeros(0))
    n_rows: int = 0

    def proxy(self) -> tuple[NDArray[Any], Once]:
        """A few values that look to every rule like all of them, and how many rows each stands for."""
        plain = [self.some, self.huge]
        if self.low <= self.high:
            plain.append(np.array([self.low, self.high], dtype=self.some.dtype))
        if not np.isnan(self.fraction):
            plain.append(np.array([self.fraction]))
        values = np.unique(np.concatenate(plain))
        values = values[~np.isin(values, _ODD)]
        odd = np.array(list(self.odd), dtype=np.float64)
        found = np.concatenate([values, odd.astype(values.dtype) if values.dtype.kind in "iu" else odd])
        times = np.ones(len(found), dtype=np.int64)
        times[len(values) :] = [n for n, _ in self.odd.values()]
        first = np.zeros(len(found), dtype=np.int64)
        first[len(values) :] = [row for _, row in self.odd.values()]
        if len(found):
            times[0] += self.n - times.sum()
        return found, Once(times, first, by_one=self.by_one and self.n > 1)


def range_of(values: NDArray[Any], missing: NDArray[np.bool_] | None, first_row: int) -> Range:
    """Of the rows from `first_row` on; integers keep their type."""
    n_rows = len(values)
    rows = np.arange(n_rows) if missing is None else np.flatnonzero(~missing)
    present = values if missing is None else values[rows]
    if not len(present):
        return Range(n_missing=n_rows, n_rows=n_rows, some=present, huge=present)
    odd, common = _odd_ones(present, rows, first_row)
    whole = present.dtype.kind in "iu"
    fraction = np.nan
    if not whole and len(common):
        broken = common[: 1 << 12][common[: 1 << 12] % 1 != 0] if len(common) else common
        broken = broken if len(broken) else common[common % 1 != 0]
        fraction = float(broken[0]) if len(broken) else np.nan
    low, high = (common.min(), common.max()) if len(common) else (np.inf, -np.inf)
    huge = present[:0]
    if whole and len(common) and max(abs(float(low)), abs(float(high))) >= EXACT:
        huge = np.unique(common[np.abs(common.astype(np.float64)) >= EXACT])[:HUGE]
    return Range(
        n=len(present),
        n_missing=n_rows - len(present),
        some=_different(common[: 4 * KEPT]),
        low=low,
        high=high,
        fraction=fraction,
        odd=odd,
        start=present[0],
        end=present[-1],
        by_one=_by_one(present),
        huge=huge,
        n_rows=n_rows,
    )


def _by_one(values: NDArray[Any]) -> bool:
    return all(bool((np.diff(some) == 1).all()) for some in (values[:KEPT], values))


def _different(values: NDArray[Any]) -> NDArray[Any]:
    _, places = np.unique(values, return_index=True)
    return values[np.sort(places)[:KEPT]]


def _odd_ones(values: NDArray[Any], rows: NDArray[np.intp], first_row: int) -> tuple[Odd, NDArray[Any]]:
    """Values that may stand for "missing" or are infinite, counted; and all others."""
    place = np.searchsorted(_ODD, values)
    hit = _ODD[np.minimum(place, len(_ODD) - 1)] == values
    if not hit.any():
        return {}, values
    found, first, times = np.unique(values[hit], return_index=True, return_counts=True)
    where = rows[hit][first] + first_row
    odd = {float(v): (int(n), int(row)) for v, n, row in zip(found, times, where, strict=True)}
    return odd, values[~hit]


def joined(a: Range, b: Range) -> Range:
    """Of the rows of `a` and, behind them, those of `b`, whose row numbers count over both."""
    if not a.n or not b.n:
        return replace(a if a.n else b, n_missing=a.n_missing + b.n_missing, n_rows=a.n_rows + b.n_rows)
    odd = dict(a.odd)
    for value, (n, row) in b.odd.items():
        before = odd.get(value)
        odd[value] = (n, row) if before is None else (before[0] + n, before[1])
    return Range(
        n=a.n + b.n,
        n_missing=a.n_missing + b.n_missing,
        some=_different(np.concatenate([a.some, b.some])),
        low=min(a.low, b.low),
        high=max(a.high, b.high),
        fraction=b.fraction if np.isnan(a.fraction) else a.fraction,
        odd=odd,
        start=a.start,
        end=b.end,
        by_one=a.by_one and b.by_one and b.start - a.end == 1,
        huge=np.unique(np.concatenate([a.huge, b.huge]))[:HUGE],
        n_rows=a.n_rows + b.n_rows,
    )
