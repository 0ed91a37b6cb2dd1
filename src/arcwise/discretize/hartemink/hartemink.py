"""Levels merged step by step so that the columns keep telling as much about each other as they can."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import MAX_LEVELS, Dataset, FloatArray, IntArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.bins.cuts import midpoints, require_whole_number
from arcwise.discretize.bins.equal_frequency import EqualFrequency
from arcwise.discretize.hartemink.path import HarteminkPath, last_cuts
from arcwise.parts.monitor import SILENT, Monitor, Progress

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.discretize.hartemink.merge_levels import Levels


@checked
@dataclass(frozen=True, kw_only=True)
class Hartemink:
    """Merges neighbouring levels, one in each column in turn, where the total mutual information falls least.

    bins: levels to keep, or "auto" for the knee of the curve. initial_bins: levels of equal frequency to start from;
    None starts from every distinct value, as the original does: about O(n^2 N log N + n N^2), n columns, N rows.
    """

    kind: ClassVar[str] = "hartemink"
    reference: ClassVar[str] = "Hartemink 2001; Fu 2005"

    bins: int | Literal["auto"] = 3
    initial_bins: int | None = 20

    def __post_init__(self) -> None:
        if self.bins != "auto":
            require_whole_number("bins", self.bins, at_most=MAX_LEVELS)
        if self.initial_bins is not None:
            require_whole_number("initial_bins", self.initial_bins, at_most=MAX_LEVELS)

    @takes_table
    def fit(self, data: Dataset) -> Discretization:
        return self.fit_watched(data, SILENT)

    @takes_table
    def fit_watched(self, data: Dataset, monitor: Monitor) -> Discretization:
        path = self.descend(data, monitor)
        wanted = path.knee if self.bins == "auto" else self.bins
        return path.at(max(wanted, int(path.levels[0])))

    @takes_table
    def descend(self, data: Dataset, monitor: Monitor = SILENT) -> HarteminkPath:
        """The whole way down to one level, or to where the monitor stopped it."""
        from arcwise.discretize.hartemink.merge_levels import Levels, sort_column

        data = data.repeated()
        initial = None if self.initial_bins is None else EqualFrequency(bins=self.initial_bins).fit(data)
        ordered = data.by_name().columns
        columns = {c.name: sort_column(c, initial) for c in ordered if c.kind is Kind.CONTINUOUS}
        levels = Levels(list(columns.values()), [c for c in ordered if c.kind is Kind.DISCRETE])
        first = levels.live.copy()
        gone, losses = _merge_all(levels, monitor)

        orders = {
            name: np.array([*lost, *sorted({*column.cuts.tolist()}.difference(lost))], dtype=np.intp)
            for (name, column), lost in zip(columns.items(), gone, strict=True)
        }
        top = int(first.max(initial=1))
        last = top - len(losses)
        end = levels.information([column.codes(last_cuts(orders[name], last)) for name, column in columns.items()])
        counts = np.arange(last, top + 1)
        # Summed from the end, which is exactly 0 if nothing is left but single levels.
        information = np.array([end + lost for lost in accumulate(reversed(losses), initial=0)])
        return HarteminkPath(
            levels=counts,
            tmi=information / (levels.unit * data.n_rows),
            chance=_freedom(counts, first, levels.cards) / (2 * data.n_rows),
            merged={
                name: midpoints(columns[name].values[orders[name] - 1], columns[name].values[orders[name]])
                for name in data.names
                if name in columns
            },
        )


def _merge_all(levels: Levels, monitor: Monitor) -> tuple[list[list[int]], list[int]]:
    """(the cuts of each continuous column in the order in which they went, the loss at each step down)."""
    gone: list[list[int]] = [[] for _ in levels.live]
    losses: list[int] = []
    steps = levels.most - 1
    while len(losses) < steps and levels.merge_down(monitor):
        for x in np.flatnonzero(levels.cuts >= 0).tolist():
            gone[x].append(int(levels.cuts[x]))
        losses.append(max(0, sum(levels.costs.tolist())))  # below 0 by rounding only
        monitor.report(Progress("levels", len(losses), fraction=len(losses) / steps))
    return gone, losses


def _freedom(counts: IntArray, first: IntArray, discrete: IntArray) -> FloatArray:
    """Sum over pairs of (r_x - 1)(r_y - 1) for each number of levels; first, discrete: levels at the start."""
    total = np.full(len(counts), np.sum(discrete - 1.0))
    squares = np.full(len(counts), np.sum((discrete - 1.0) ** 2))
    for most in first:
        free = np.minimum(counts, most) - 1.0
        total += free
        squares += free**2
    pairs: FloatArray = (total**2 - squares) / 2
    return pairs
