"""The question that constraint-based learners ask: does some set of a given size separate two columns?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from math import comb

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.parts.protocols import BoundTest

LARGEST_BATCH = 1 << 10
MOST_LISTED = 1 << 20  # pairs whose separating sets are listed in a result, empty ones too


@dataclass(frozen=True, slots=True)
class Separation:
    """A set that separates two columns, and the test's value for it."""

    given: tuple[int, ...]
    value: float


class Separations(Mapping[tuple[int, int], Separation]):
    """What separates two columns x < y. alone: where the empty set does, the test's value, else NaN.

    Most pairs of many columns are separated by the empty set: an object for each would be most of the memory.
    """

    def __init__(self, alone: FloatArray | None = None) -> None:
        self._alone = alone
        self._sets: dict[tuple[int, int], Separation] = {}

    def __setitem__(self, pair: tuple[int, int], found: Separation) -> None:
        self._sets[pair] = found

    def __getitem__(self, pair: tuple[int, int]) -> Separation:
        found = self._sets.get(pair)
        if found is not None:
            return found
        if self._alone is None or np.isnan(value := float(self._alone[pair])):
            raise KeyError(pair)
        return Separation((), value)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        yield from self._sets
        if self._alone is not None:
            for x, y in np.argwhere(~np.isnan(self._alone)).tolist():
                if (x, y) not in self._sets:
                    yield x, y

    def __len__(self) -> int:
        alone = 0 if self._alone is None else int(np.count_nonzero(~np.isnan(self._alone)))
        return alone + sum(self._alone is None or np.isnan(self._alone[pair]) for pair in self._sets)

    def listed(self, names: Sequence[str]) -> tuple[dict[tuple[int, int], tuple[int, ...]], list[str]]:
        """(the set of each pair, what is left out of that): empty ones are, where there are too many pairs."""
        if len(self) <= MOST_LISTED:
            return {pair: found.given for pair, found in self.items()}, []
        some = {pair: found.given for pair, found in self._sets.items()}
        told = (
            f"{len(self) - len(some):,} pairs of the {len(names):,} columns are independent by themselves; "
            "the result lists separating sets of other pairs only"
        )
        return some, [told]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`tests`: sets looked at up to the first that separates; `skipped`: those of them without an answer."""

    found: Separation | None
    tests: int
    skipped: int


def subsets(near: Sequence[int], also: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Subsets of `near` of this size in lexicographic order, then those of `also` that are none of `near`.

    With the members outside `near` put first, the latter are just the first ones of all subsets of `also`.
    """
    inside = sorted(set(near).intersection(also))
    outside = sorted(set(also).difference(near))
    new = comb(len(also), size) - comb(len(inside), size)
    return chain(combinations(near, size), islice(combinations([*outside, *inside], size), new))


def batches(sets: Iterable[tuple[int, ...]], size: int, first: int) -> Iterator[IntArray]:
    """The sets as (k, size) matrices: `first` of them, then twice as many, and so on."""
    if size == 0:
        yield np.empty((1, 0), dtype=np.intp)  # there is one empty set
        return
    left, take = iter(sets), first
    while True:
        members = np.fromiter(chain.from_iterable(islice(left, take)), dtype=np.intp)
        if not len(members):
            return
        yield members.reshape(-1, size)
        take = max(first, min(2 * take, LARGEST_BATCH))


def separate(
    test: BoundTest,
    alpha: float,
    pair: tuple[int, int],
    size: int,
    near: Sequence[int],
    also: Sequence[int],
    should_stop: Callable[[], bool],
) -> Verdict:
    """The first set of `size` columns, all in `near` or all in `also`, for which the test's value is at least alpha.

    Batches grow, so that an early answer costs little and a late one few calls; which set is found, and the counts,
    do not depend on their sizes.
    """
    x, y = pair
    tests = skipped = 0
    for sets in batches(subsets(near, also, size), size, test.first_batch):
        if should_stop():
            break
        values = test.p_values(x, y, sets)
        independent = (values >= alpha).nonzero()[0]
        seen = int(independent[0]) + 1 if len(independent) else len(values)
        tests += seen
        skipped += int(np.count_nonzero(np.isnan(values[:seen])))
        if len(independent):
            return Verdict(Separation(tuple(sorted(sets[seen - 1].tolist())), float(values[seen - 1])), tests, skipped)
    return Verdict(None, tests, skipped)
