"""Levels merged step by step so that the columns keep telling as much about each other as they can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from arcwise.checking import checked
from arcwise.data.complete import check_complete
from arcwise.data.dataset import MAX_LEVELS, Dataset, FloatArray, IntArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import takes_table
from arcwise.discretize.bins.cuts import require_whole_number
from arcwise.discretize.bins.equal_frequency import EqualFrequency
from arcwise.errors import OptionError
from arcwise.parts.monitor import SILENT, Monitor, Progress
from arcwise.parts.protocols import tolerance
from arcwise.stats.ordered import is_long

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.discretize.hartemink.merge_levels import Levels

KNEE_WITHIN = 20  # the knee is looked for between 1 and this many levels


@dataclass(frozen=True, eq=False)
class HarteminkPath:
    """What a descent saw. tmi[i]: total mutual information with levels[i] levels, in nats a row.

    Levels ascend from 1, or from where the descent was stopped. chance[i]: what independent columns with as many levels
    would show on average, sum over pairs of (r_x - 1)(r_y - 1) / 2N; it holds while there are several rows for each two
    levels. merged: by column, the thresholds in the order in which they went; with k levels, the last k - 1 are left.
    """

    levels: IntArray
    tmi: FloatArray
    chance: FloatArray
    merged: Mapping[str, FloatArray]

    def __post_init__(self) -> None:
        for values in (self.levels, self.tmi, self.chance, *self.merged.values()):
            values.setflags(write=False)
        object.__setattr__(self, "merged", MappingProxyType(dict(self.merged)))

    def __reduce__(self) -> tuple[Any, ...]:
        return HarteminkPath, (
            self.levels,
            self.tmi,
            self.chance,
            dict(self.merged),
        )  # a mapping proxy cannot be pickled

    @checked
    def at(self, bins: int) -> Discretization:
        """Each continuous column with `bins` levels, or with as many as it began with if these were fewer."""
        require_whole_number("bins", bins, at_most=MAX_LEVELS)
        fewest = int(self.levels[0])
        if bins < fewest:
            raise OptionError(f"option 'bins' must be at least {fewest}, where the descent was stopped, not {bins}")
        return Discretization({name: last_cuts(cuts, bins) for name, cuts in self.merged.items()})

    @property
    def knee(self) -> int:
        """Where the curve, less what chance explains, bends from steep to flat: highest above its chord.

        The chord runs from the fewest to KNEE_WITHIN levels: up to the knee a further level brings more than the
        average one does, beyond it less. Of equally high places the one with fewest levels; never 1 where there is 2.
        """
        near = slice(max(1, int(np.count_nonzero(self.levels <= KNEE_WITHIN))))
        levels, kept = self.levels[near], self.tmi[near] - self.chance[near]
        if levels[-1] <= 2:
            return int(levels[-1])
        height = kept - np.interp(levels, levels[[0, -1]], kept[[0, -1]])
        height[levels < 2] = -np.inf
        return int(levels[np.argmax(height >= height.max() - tolerance(float(kept[-1])))])

    def draw(self, path: str | Path) -> None:
        """Write the curve as a .png, .svg or .pdf picture, its knee marked."""
        from arcwise.drawing.curves import draw_descent

        draw_descent(path, self.levels, self.tmi, self.chance, self.knee, KNEE_WITHIN)


def last_cuts(order: NDArray[Any], bins: int) -> NDArray[Any]:
    """The cuts that are left with `bins` levels, ascending; order: as they went."""
    return np.sort(order[max(0, len(order) - bins + 1) :])


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

    @property
    def reads_rows(self) -> frozenset[Kind]:
        """Levels of every distinct value are merged by rows, those of equal frequency by their counts."""
        return frozenset({Kind.CONTINUOUS} if self.initial_bins is None else ())

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
        check_complete(data, "the discretizer 'hartemink'")
        columns, levels, information = self._start(data.by_name())
        first = levels.live.copy()
        gone, losses = _merge_all(levels, monitor)

        orders = {
            name: np.array([*lost, *sorted({*column.cuts.tolist()}.difference(lost))], dtype=np.intp)
            for (name, column), lost in zip(columns.items(), gone, strict=True)
        }
        top = int(first.max(initial=1))
        last = top - len(losses)
        end = information([last_cuts(orders[name], last) for name in columns])
        counts = np.arange(last, top + 1)
        # Summed from the end, which is exactly 0 if nothing is left but single levels.
        kept = np.array([end + lost for lost in accumulate(reversed(losses), initial=0)])
        return HarteminkPath(
            levels=counts,
            tmi=kept / (levels.unit * data.n_rows),
            chance=_freedom(counts, first, levels.cards) / (2 * data.n_rows),
            merged={name: columns[name].thresholds(orders[name]) for name in data.names if name in columns},
        )

    def _start(self, data: Dataset) -> tuple[Mapping[str, Any], Levels, Callable[[list[IntArray]], float]]:
        """The continuous columns, the levels to start from, and what columns with these cuts tell about each other."""
        if self.initial_bins is not None and is_long(data):
            from arcwise.discretize.hartemink.by_tables import Tabled, cut_column

            bins, numbers = self.initial_bins, [c.name for c in data.columns if c.kind is Kind.CONTINUOUS]
            cut = {name: cut_column(data, name, bins) for name in numbers}
            tabled = Tabled(data, cut)
            return cut, tabled.levels, tabled.information
        from arcwise.discretize.hartemink.merge_levels import Levels, sort_column

        data = data.repeated()
        initial = None if self.initial_bins is None else EqualFrequency(bins=self.initial_bins).fit(data)
        columns = {c.name: sort_column(c, initial) for c in data.columns if c.kind is Kind.CONTINUOUS}
        levels = Levels(list(columns.values()), [c for c in data.columns if c.kind is Kind.DISCRETE])

        def information(cuts: list[IntArray]) -> float:
            return levels.information([one.codes(own) for one, own in zip(columns.values(), cuts, strict=True)])

        return columns, levels, information


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
    return (total**2 - squares) / 2
