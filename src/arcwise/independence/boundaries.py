"""Other places for the bins' boundaries than the quantiles: averaged over grids, or searched for.

Both work on the *spans* of a column: its distinct values in order, as the stretch of ranks that each one holds. With
n rows in K_A x K_B cells c_ij, the Bayes factor of dependence is that of `_kernels/resolutions.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.parts.protocols import tolerance

SHIFTS = (-3 / 8, -1 / 8, 1 / 8, 3 / 8)  # of a grid, in bins: four on each axis make 16 grids
PLACES = 16  # an interval is divided at one of the PLACES - 1 quantiles within it


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """One column: `ranks` as in RankedColumns, ends[k]: rows with a value up to the k-th, the last being n."""

    ranks: NDArray[np.int32]
    is_discrete: bool
    ends: IntArray

    @staticmethod
    def of(ranks: NDArray[np.int32], is_discrete: bool) -> Axis:
        return Axis(ranks, bool(is_discrete), np.cumsum(np.bincount(ranks)))

    def bins(self, b: int, shift: float) -> tuple[IntArray, int]:
        """Each row's bin, numbered over those with rows in them, and their number; a discrete column has its levels."""
        if self.is_discrete:
            return self.ranks.astype(np.intp), len(self.ends)
        middles = (np.concatenate([[0], self.ends[:-1]]) + self.ends) / 2
        bins = np.clip(np.floor(b * middles / self.ends[-1] - shift), 0, b - 1)
        distinct, number = np.unique(bins, return_inverse=True)
        return number[self.ranks], len(distinct)

    def borders(self) -> IntArray:
        """Boundaries before any division: the two ends, and between the levels of a discrete column."""
        m = len(self.ends)
        return np.arange(m + 1) if self.is_discrete else np.array([0, m])

    def places(self, borders: IntArray) -> list[IntArray]:
        """For every interval that can be divided, the boundaries nearest to the quantiles of its rows."""
        found = []
        rows = np.concatenate([[0], self.ends])  # rows below each boundary
        for low, high in pairwise(borders.tolist()):
            if high - low > 1:
                wanted = rows[low] + (rows[high] - rows[low]) * np.arange(1, PLACES) / PLACES
                inner = rows[low + 1 : high]
                right = np.clip(np.searchsorted(inner, wanted), 1, len(inner) - 1) if len(inner) > 1 else 0
                left = np.maximum(right - 1, 0)
                nearest = np.where(wanted - inner[left] <= inner[right] - wanted, left, right)
                found.append(low + 1 + np.unique(nearest))
        return found


def log_bayes_factor(table: NDArray[np.intp]) -> float:
    """ln BF of dependence from a whole table of counts without empty rows and columns."""
    return _log_bayes_factor(table.ravel(), table.sum(axis=1), table.sum(axis=0))


def _log_bayes_factor(cells: IntArray, rows: IntArray, columns: IntArray) -> float:
    from scipy.special import gammaln

    n, k_a, k_b = int(rows.sum()), len(rows), len(columns)
    if k_a == 1 or k_b == 1:
        return 0.0
    whole = gammaln(k_a * k_b + n) - gammaln(k_a * k_b) + gammaln(cells + 1.0).sum()
    of_rows = gammaln(rows + float(k_b)).sum() - k_a * gammaln(k_b)
    of_columns = gammaln(columns + float(k_a)).sum() - k_b * gammaln(k_a)
    return float(whole - of_rows - of_columns)


def average(x: Axis, y: Axis, resolutions: int) -> float:
    """ln of the mean Bayes factor over shifted quantile grids and, in each, over the resolutions. O(grids x N)."""
    grids = []
    n = int(x.ends[-1])
    for shift_x in (0.0,) if x.is_discrete else SHIFTS:
        for shift_y in (0.0,) if y.is_discrete else SHIFTS:
            factors: list[float] = []
            for r in range(resolutions):
                (a, k_a), (b, k_b) = x.bins(2 ** (r + 1), shift_x), y.bins(2 ** (r + 1), shift_y)
                if factors and k_a * k_b > n:
                    break
                keys = a * k_b + b
                cells = np.bincount(keys) if k_a * k_b <= 8 * n else np.unique(keys, return_counts=True)[1]
                factors.append(_log_bayes_factor(cells, np.bincount(a), np.bincount(b)))
            grids.append(_log_mean_exp(np.array(factors)))
    return _log_mean_exp(np.array(grids))


def _log_mean_exp(values: FloatArray) -> float:
    top = values.max()
    return float(top + np.log(np.mean(np.exp(values - top))))


def largest(x: Axis, y: Axis, resolutions: int) -> float:
    """The largest ln BF met while boundaries are placed so as to make it large.

    Each resolution divides every interval of the one before once, until that no longer helps or there are more cells
    than rows. A boundary k parts the k lowest distinct values from the others; the first is 0, the last all of them.
    """
    n = int(x.ends[-1])
    borders = [x.borders(), y.borders()]
    best = 0.0
    for r in range(resolutions):
        found, divided = _ascend(x, y, borders)
        too_fine = (len(divided[0]) - 1) * (len(divided[1]) - 1) > n
        if r > 0 and (too_fine or found <= best + tolerance(best)):
            break
        best, borders = found, divided
    return best


def _ascend(x: Axis, y: Axis, borders: list[IntArray]) -> tuple[float, list[IntArray]]:
    """Divide every interval where ln BF is largest, one boundary after the other until none can be moved to gain."""
    choices = [x.places(borders[0]), y.places(borders[1])]
    fine = [np.unique(np.concatenate([own, *new])) for own, new in zip(borders, choices, strict=True)]
    below = _rows_below(x, y, fine)
    chosen = [[new[len(new) // 2] for new in choice] for choice in choices]

    def divided() -> list[IntArray]:
        return [np.union1d(own, np.array(new, dtype=np.intp)) for own, new in zip(borders, chosen, strict=True)]

    def factor() -> float:
        lines = [np.searchsorted(grid, line) for grid, line in zip(fine, divided(), strict=True)]
        return log_bayes_factor(np.diff(np.diff(below[np.ix_(*lines)], axis=0), axis=1))

    best, moved = factor(), True
    while moved:
        moved = False
        for axis, choice in enumerate(choices):
            for k, new in enumerate(choice):
                for place in new:
                    before = chosen[axis][k]
                    chosen[axis][k] = place
                    found = factor()
                    if found > best + tolerance(best):
                        best, moved = found, True
                    else:
                        chosen[axis][k] = before
    return best, divided()


def _rows_below(x: Axis, y: Axis, fine: list[IntArray]) -> IntArray:
    """[i, j]: rows with x below boundary i and y below boundary j of the fine grid."""
    cells = [np.searchsorted(grid, axis.ranks, side="right") - 1 for grid, axis in zip(fine, (x, y), strict=True)]
    shape = (len(fine[0]) - 1, len(fine[1]) - 1)
    table = np.bincount(cells[0] * shape[1] + cells[1], minlength=shape[0] * shape[1]).reshape(shape)
    return np.pad(table.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
