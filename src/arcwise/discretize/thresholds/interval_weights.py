"""The weights of a sorted column's intervals, as the dynamic programs of _kernels/partition.py take them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.thresholds.partition import Candidates, counted_partitions, free_partitions, sum_weights
from arcwise._kernels.thresholds.sweep import least_width, tabulate_steps
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.discretize.bins.cuts import midpoints
from arcwise.discretize.thresholds.neighbourhood import Neighbourhood
from arcwise.parts.protocols import LocalScore

# Terms of the first and of the last value of an interval, for all distinct values.
Ends = Callable[[Neighbourhood], tuple[FloatArray, FloatArray]]

LONGEST_CALL = 5e7  # steps, about a quarter of a second


@dataclass(frozen=True, slots=True, eq=False)
class IntervalWeights:
    """candidates: every cut there may be; rows (N, P) are the groups of each row in every different part.

    column[p]: where part p is among these, -1: nowhere.
    """

    around: Neighbourhood
    score: LocalScore
    signs: FloatArray
    column: tuple[int, ...]
    candidates: Candidates
    tables: dict[float, FloatArray] = field(default_factory=dict)

    def only(self, chosen: IntArray) -> IntervalWeights:
        """With these candidates, by position; the first and the last must be among them."""
        every = self.candidates
        some = every._replace(
            starts=every.starts[chosen],
            opening=every.opening[chosen],
            closing=every.closing[chosen],
            edges=every.edges[chosen],
        )
        return replace(self, candidates=some)

    @property
    def starts(self) -> IntArray:
        """The candidate cuts as rows, with 0 and N."""
        return self.candidates.starts

    def steps(self, low: int, high: int) -> FloatArray:
        """(P, N) steps whose weights are at least those for r levels, low <= r <= high; equal to them if low = high.

        A step ln(a + k) rises with the pseudo-count a, which falls with r: parts with sign + take it at low, those with
        sign - at high. The first steps of a child's configuration and of its c >= 1 cells are taken together:
        c ln(a_cell) - ln(a) = (c - 1) ln(a_cell) - ln(levels of the child), so both are taken at low.
        """
        many, few = self.score.pseudo_counts(self.around, low), self.score.pseudo_counts(self.around, high)
        out = np.zeros((self.candidates.rows.shape[1], self.around.n_rows))
        for p, (column, sign) in enumerate(zip(self.column, self.signs.tolist(), strict=True)):
            if column < 0:
                continue
            out[column] += sign * self._table(many[p])
            if sign < 0 and few[p] != many[p]:
                out[column, 1:] += sign * (self._table(few[p]) - self._table(many[p]))[1:]
        return out

    def free(self, steps: list[FloatArray], penalties: FloatArray, margin: float) -> tuple[FloatArray, IntArray]:
        """Any number of intervals, each at a penalty, four tables of steps at once; (best, previous) by candidate."""
        best = np.full((len(self.starts), len(steps)), -np.inf)
        best[0] = 0.0
        previous = np.zeros(best.shape, dtype=np.intp)
        table = np.ascontiguousarray(np.stack(steps, axis=2))
        for first, last in self._stretches():
            free_partitions(self.candidates, table, penalties, margin, first, last, best, previous)
        return best, previous

    def counted(self, steps: FloatArray, most: int, margin: float) -> tuple[FloatArray, IntArray]:
        """0, 1, ..., most intervals, and most or more; (best, previous) by candidate and number of intervals."""
        best = np.full((len(self.starts), most + 2), -np.inf)
        best[0, 0] = 0.0
        previous = np.zeros(best.shape, dtype=np.intp)
        for first, last in self._stretches(most):
            counted_partitions(self.candidates, steps, margin, first, last, best, previous)
        return best, previous

    def total(self, steps: FloatArray, chosen: IntArray) -> float:
        """The sum of the weights of the partition at these candidates."""
        return sum_weights(self.candidates, steps, chosen)

    def _stretches(self, most: int = 4) -> list[tuple[int, int]]:
        """First and last start of each call of a kernel."""
        left = self.starts[-1] - self.starts[:-1]
        work = np.cumsum(left * self.candidates.rows.shape[1] + np.arange(len(left), 0, -1) * (most + 4))
        bounds = np.flatnonzero(np.diff(work // LONGEST_CALL)) + 1
        firsts = [0, *bounds.tolist()]
        return list(zip(firsts, [*firsts[1:], len(left)], strict=True))

    def _table(self, pseudo_count: float) -> FloatArray:
        table = self.tables.get(pseudo_count)
        if table is None:
            table = self.tables[pseudo_count] = tabulate_steps(pseudo_count, self.around.n_rows)
        return table


def interval_weights(around: Neighbourhood, score: LocalScore, ends: Ends | None = None) -> IntervalWeights:
    """Every cut between two different values is a candidate. Parts that group alike become one."""
    signs = around.signs.copy()
    signs[-1] = score.level_sign
    found: dict[bytes, int] = {}
    columns: list[NDArray[np.int32]] = []
    column, n_groups = [-1] * len(signs), 0
    for p in np.flatnonzero(signs).tolist():
        codes = np.unique(around.codes[p], return_inverse=True)[1].astype(np.int32)
        key = codes.tobytes()
        if key not in found:
            found[key] = len(columns)
            columns.append(codes + np.int32(n_groups))
            n_groups += int(codes.max()) + 1
        column[p] = found[key]
    values = around.values
    inner = np.flatnonzero(values[1:] != values[:-1]) + 1
    opening = closing = np.zeros(len(inner) + 2)
    if ends is not None:
        first, last = ends(around)
        opening, closing = np.append(first, 0.0), np.insert(last, 0, 0.0)
    floor = score.density_floor
    candidates = Candidates(
        rows=np.column_stack(columns),
        n_groups=n_groups,
        starts=np.concatenate([[0], inner, [around.n_rows]]).astype(np.intp),
        opening=opening,
        closing=closing,
        edges=np.concatenate([values[:1], midpoints(values[inner - 1], values[inner]), values[-1:]]),
        least=inf if floor is None else least_width(values, floor),
    )
    return IntervalWeights(around, score, signs, tuple(column), candidates)
