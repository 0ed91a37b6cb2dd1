"""The way down from many levels to one: how much mutual information each number of levels keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.checking import checked
from arcwise.data.dataset import MAX_LEVELS, FloatArray, IntArray
from arcwise.data.discretization import Discretization
from arcwise.discretize.bins.cuts import require_whole_number
from arcwise.errors import OptionError
from arcwise.parts.protocols import tolerance

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
