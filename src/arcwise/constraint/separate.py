"""The question that constraint-based learners ask: does some set of a given size separate two columns?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from math import comb

import numpy as np

from arcwise.data.dataset import IntArray
from arcwise.parts.protocols import BoundTest

LARGEST_BATCH = 1 << 10


@dataclass(frozen=True, slots=True)
class Separation:
    """A set that separates two columns, and the test's value for it."""

    given: tuple[int, ...]
    value: float


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
