"""The numbers of a column in order, asked by place: sorted, or in long columns found by counting."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import frexp, fsum, sqrt
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from arcwise.data import dataset
from arcwise.data.dataset import BoolArray, Dataset, FloatArray, IntArray, WeightArray
from arcwise.data.rows.elsewhere import Question, asked

GATHERED = 1 << 18  # numbers that are sorted in the end
CELLS = 1 << 20  # counts of one pass


class Placed(NamedTuple):
    """The numbers at some places of the order. first, after: the places that equal numbers take up."""

    values: FloatArray
    first: IntArray
    after: IntArray


class Ordered(Protocol):
    """The recorded numbers of a column; a row counts as often as its weight says."""

    @property
    def n(self) -> int: ...
    @property
    def lowest(self) -> float: ...
    @property
    def highest(self) -> float: ...

    def at(self, places: IntArray) -> Placed:
        """The numbers at these places, from 0."""
        ...

    def distinct(self, most: int) -> FloatArray:
        """The different ones in order; where there are more than `most`, that many and one of them."""
        ...

    def rows_of_levels(self, cuts: FloatArray) -> WeightArray:
        """Rows of each level that these thresholds make."""
        ...

    def scaled_deviation(self) -> tuple[float, float]:
        """(highest - lowest, standard deviation) with N - 1, both times the same power of two, so that neither can
        overflow nor vanish."""
        ...


def is_long(data: Dataset) -> bool:
    """Whether the columns of a table are not to be copied, as its rows are very many, or elsewhere."""
    return data.elsewhere is not None or max(data.n_stored, data.n_rows) > dataset.MANY_ROWS


def ordered(data: Dataset, name: str) -> Ordered:
    """The numbers of one column."""
    column = data.select([name])
    return Counted(column) if is_long(data) else Sorted(column.repeated().columns[0].recorded)


@dataclass(frozen=True, eq=False)
class Sorted:
    """In memory, by sorting a copy once it is needed."""

    values: FloatArray

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def lowest(self) -> float:
        return float(self.values.min())

    @property
    def highest(self) -> float:
        return float(self.values.max())

    @cached_property
    def _sorted(self) -> FloatArray:
        return np.sort(self.values)

    def at(self, places: IntArray) -> Placed:
        found = self._sorted[places]
        first = np.searchsorted(self._sorted, found, side="left")
        return Placed(found, first, np.searchsorted(self._sorted, found, side="right"))

    def distinct(self, most: int) -> FloatArray:
        return self._sorted[_begins(self._sorted)][: most + 1]

    def rows_of_levels(self, cuts: FloatArray) -> WeightArray:
        return np.bincount(np.searchsorted(cuts, self.values, side="right"), minlength=len(cuts) + 1)

    def scaled_deviation(self) -> tuple[float, float]:
        """Sorting makes the sums, to the last bit, independent of the row order."""
        scaled = np.ldexp(self._sorted, -_exponent(self.lowest, self.highest))
        from_lowest = scaled - scaled[0]
        return float(from_lowest[-1]), float(np.std(from_lowest, ddof=1))


@dataclass(frozen=True, eq=False)
class Counted:
    """By passes over the rows, wherever they are: three or four of them for any number of places.

    data: a table with this column alone.
    """

    data: Dataset

    @cached_property
    def _tops(self) -> WeightArray:
        from arcwise.stats.selection import Tops  # it brings the compiled kernels along

        return asked(self.data, Tops())

    @cached_property
    def n(self) -> int:
        return int(self._tops.sum())

    @cached_property
    def _ends(self) -> tuple[float, float]:
        lowest, highest = self.at(np.array([0, self.n - 1])).values.tolist()
        return lowest, highest

    @property
    def lowest(self) -> float:
        return self._ends[0]

    @property
    def highest(self) -> float:
        return self._ends[1]

    def at(self, places: IntArray) -> Placed:
        from arcwise._kernels.ranks.selection import TOP_BITS
        from arcwise.stats.selection import Gathered, Nexts, numbers_of

        wanted, back = np.unique(places, return_inverse=True)
        found = _Found(np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.int64), np.zeros(len(wanted), dtype=np.intp))
        found, shift = _narrowed(found, wanted, self._tops[np.newaxis], TOP_BITS), 64 - TOP_BITS
        while shift and int(found.sizes.sum()) > GATHERED:
            width = min(TOP_BITS, shift, max(1, CELLS.bit_length() - 1 - len(found.prefixes).bit_length()))
            found = _narrowed(found, wanted, asked(self.data, Nexts(found.prefixes, shift, width)), width)
            shift -= width
        if shift:
            keys, counts = asked(self.data, Gathered(found.prefixes, shift, int(found.sizes.sum())))
            chosen, first, after = _among(found, wanted, keys, counts, shift)
        else:
            chosen, first = found.prefixes[found.of], found.bases[found.of]
            after = first + found.sizes[found.of]
        return Placed(numbers_of(chosen[back]), first[back], after[back])

    def distinct(self, most: int) -> FloatArray:
        from arcwise.stats.selection import Different, numbers_of

        return numbers_of(asked(self.data, Different(most)))

    def rows_of_levels(self, cuts: FloatArray) -> WeightArray:
        from arcwise.stats.selection import Below

        return asked(self.data, Below(cuts))

    def scaled_deviation(self) -> tuple[float, float]:
        from arcwise.stats.selection import Powers

        exponent, (low, high) = _exponent(*self._ends), self._ends
        mean = self._sum(Powers(low, exponent, 0.0, 1)) / self.n
        squares = self._sum(Powers(low, exponent, mean, 2))
        return float(np.ldexp(high, -exponent) - np.ldexp(low, -exponent)), sqrt(squares / (self.n - 1))

    def _sum(self, question: Question[FloatArray]) -> float:
        return fsum(asked(self.data, question).tolist())


class _Found(NamedTuple):
    """Numbers with the same first bits: the bits, the rows before them, and for each place which of them has it.

    sizes: how many rows each of them has.
    """

    prefixes: NDArray[np.uint64]
    bases: IntArray
    of: IntArray
    sizes: IntArray = np.empty(0, dtype=np.int64)


def _narrowed(found: _Found, places: IntArray, counts: WeightArray, width: int) -> _Found:
    """The same with the `width` next bits, by the counts of these behind each prefix."""
    upto = np.cumsum(counts, axis=1)
    within = places - found.bases[found.of]
    digits = np.array([np.searchsorted(upto[i], k, side="right") for i, k in zip(found.of, within, strict=True)])
    longer = (found.prefixes[found.of] << np.uint64(width)) | digits.astype(np.uint64)
    prefixes, one, of = np.unique(longer, return_index=True, return_inverse=True)
    parent, digit = found.of[one], digits[one]
    sizes = counts[parent, digit]
    return _Found(prefixes, found.bases[parent] + upto[parent, digit] - sizes, of, sizes)


def _among(
    found: _Found,
    places: IntArray,
    keys: NDArray[np.uint64],
    counts: WeightArray,
    shift: int,
) -> tuple[NDArray[np.uint64], IntArray, IntArray]:
    """Keys at the places, and the places that they take up, among all different keys behind the prefixes."""
    upto = np.cumsum(counts)
    starts = np.searchsorted(keys, found.prefixes << np.uint64(shift))
    gap = found.bases - np.where(starts > 0, upto[starts - 1], 0)  # rows before a prefix that were not gathered
    local = places - gap[found.of]
    at = np.searchsorted(upto, local, side="right")
    return keys[at], upto[at] - counts[at] + gap[found.of], upto[at] + gap[found.of]


def _begins(values: FloatArray) -> BoolArray:
    """Where numbers in order differ from the one before."""
    new = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=new[1:])
    return new


def _exponent(lowest: float, highest: float) -> int:
    """The power of two near the largest magnitude."""
    return frexp(max(abs(lowest), abs(highest)))[1]
