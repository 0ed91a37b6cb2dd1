"""The max-min search of walk.py by a kernel, for tests that are computed from counts or correlations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf, log2

import numpy as np

from arcwise._kernels.by_address import NOWHERE, address_of
from arcwise._kernels.counts import bit_strata
from arcwise._kernels.counts.bit_strata import Columns, Strata
from arcwise._kernels.gaussian.residuals import Correlations, Residuals
from arcwise._kernels.max_min import walk as kernels
from arcwise._kernels.max_min.associations import UNTESTED, correlate, count
from arcwise._kernels.max_min.greedy_min_assoc import greedy_min_assoc
from arcwise._kernels.max_min.min_assoc import min_assoc
from arcwise._kernels.max_min.state import CURSOR, FRESH, PHASE, Asking, Best, Limits, Passed, Search, State
from arcwise._kernels.tails import log_normal_tail
from arcwise.constraint.max_min.walk import Members, Neighbours, Stopped
from arcwise.data.dataset import BoolArray, FloatArray

CRITICAL = 1 << 12  # degrees of freedom whose critical values are kept
CALL_ROWS = 1 << 28  # rows times tests in one call, some tenths of a second ...
CALL_TESTS = 1 << 20  # ... and at most so many tests


class Associations:
    """What all targets and threads share: the data, critical values, and the pairs that are dependent given nothing."""

    def __init__(
        self,
        facts: Columns | Correlations,
        log_alpha: float,
        *,
        greedy: bool,
        max_given: int | None,
        most_required: int,
    ) -> None:
        n, n_rows, by_counts = len(facts.cards), facts.n_rows, isinstance(facts, Columns)
        self.facts, self.greedy = facts, greedy
        # Members have two levels or more, unless they are required, so a set that may be asked about is not large.
        rows_for = (
            log2(max(4.0 * n_rows / max(facts.min_per_cell, 0.25), 1.0)) + most_required if by_counts else n_rows - 4
        )
        most_given = int(max(0, min(n - 1, rows_for, inf if max_given is None else max_given)))
        critical: FloatArray = np.full(CRITICAL, np.nan)
        critical[0] = inf if by_counts else _critical_z(log_alpha)
        self.limits = Limits(most_given, critical, log_alpha, NOWHERE, int(greedy))
        self.later: list[Passed | None] = [None] * n  # of each column: its pairs with later ones
        self.passed = _room_for(n, 0)  # of each column: its pairs with all others
        self.budget = max(1, min(CALL_TESTS, CALL_ROWS // max(n_rows, 1)))

    def settle(self) -> None:
        """Put together what threads have found of all pairs."""
        later = [one for one in self.later if one is not None]
        sizes = np.array([len(one.columns) for one in later], dtype=np.intp)
        columns = np.concatenate([one.columns for one in later])
        statistics, dfs = (np.concatenate([getattr(one, what) for one in later]) for what in ("statistics", "dfs"))
        self.later.clear()
        n = len(later)
        self.passed = _room_for(n, 2 * len(columns))
        np.cumsum(sizes + np.bincount(columns, minlength=n), out=self.passed.starts[1:])
        starts = np.append(0, np.cumsum(sizes))
        kernels.both_ways(Passed(starts, columns, statistics, dfs), self.passed, self.passed.starts[:-1].copy())


class CompiledWalk:
    """Neighbours of one target after another, as PlainWalk. Each thread has its own."""

    def __init__(self, shared: Associations) -> None:
        self._shared = shared
        n, depth = len(shared.facts.cards), shared.limits.max_given + 2
        places = depth if shared.greedy else 1
        cursor = np.zeros(CURSOR, dtype=np.int64)
        asking = Asking(
            way=NOWHERE,
            space=_space(shared.facts, depth),
            wanted=np.empty(depth, dtype=np.int64),
            loaded=np.empty(depth, dtype=np.int64),
            asked=np.empty(n, dtype=np.int64),
            statistics=np.empty(n),
            dfs=np.empty(n, dtype=np.int64),
            cursor=cursor,
        )
        way = count if isinstance(shared.facts, Columns) else correlate
        self._search = Search(
            asking=asking._replace(way=address_of(way, 0, 0, 0, shared.facts, asking)),
            state=State(
                status=np.empty(n, dtype=np.int8),
                size_of=np.zeros(n, dtype=np.int64),
                chosen=np.empty((n, places), dtype=np.int32),
                statistics=np.empty((n, places)),
                dfs=np.empty((n, places), dtype=np.int64),
                log_ps=np.empty((n, places)),
            ),
            best=Best(
                columns=np.empty(n, dtype=np.int64),
                members=np.empty(n, dtype=np.int64),
                statistics=np.empty(n),
                dfs=np.empty(n, dtype=np.int64),
            ),
            members=np.empty(n, dtype=np.int64),
            pool=np.empty(n, dtype=np.int64),
            index=np.empty(depth, dtype=np.int64),
            cursor=cursor,
        )
        least = greedy_min_assoc if shared.greedy else min_assoc
        address = address_of(least, 0, 0, 0, shared.limits, shared.facts, self._search)
        self._limits = shared.limits._replace(min_assoc=address)

    def pairs(self, columns: range, possible: BoolArray, should_stop: Callable[[], bool]) -> Iterator[Members]:
        shared, n = self._shared, len(possible)
        step = max(1, shared.budget // n)
        for first in range(columns.start, columns.stop, step):
            if first > columns.start and should_stop():
                raise Stopped
            last = min(first + step, columns.stop)
            passed = _room_for(last - first, (last - first) * n)
            kernels.pairs(first, last, possible, passed, shared.limits, shared.facts, self._search)
            for x, start, end in zip(range(first, last), passed.starts[:-1], passed.starts[1:], strict=True):
                later = Passed(*(values[start:end] for values in passed))
                tested = later.dfs != UNTESTED
                shared.later[x] = Passed(later.starts, *(values[tested] for values in later[1:]))
                yield tuple(later.columns[~tested].tolist())

    def settle(self) -> None:
        self._shared.settle()

    def neighbours(
        self, targets: range, possible: BoolArray, required: BoolArray, should_stop: Callable[[], bool]
    ) -> Iterator[Neighbours]:
        shared, n = self._shared, len(required)
        found, numbers = np.empty((len(targets), n), dtype=np.int32), np.empty((len(targets), 3), dtype=np.int64)
        self._search.cursor[PHASE] = FRESH
        first = targets.start
        while first < targets.stop:
            done = kernels.neighbours(
                first, targets.stop, shared.passed, required, found, numbers, shared.budget,
                self._limits, shared.facts, self._search,
            )  # fmt: skip
            for members, (n_members, tests, ties) in zip(found[: done - first], numbers.tolist(), strict=False):
                yield Neighbours(tuple(members[:n_members].tolist()), tests, ties)
            first = done
            if first < targets.stop and should_stop():
                raise Stopped


def _room_for(columns: int, pairs: int) -> Passed:
    return Passed(
        starts=np.zeros(columns + 1, dtype=np.intp),
        columns=np.empty(pairs, dtype=np.int32),
        statistics=np.empty(pairs),
        dfs=np.empty(pairs, dtype=np.int64),
    )


def _space(facts: Columns | Correlations, depth: int) -> Strata | Residuals:
    """What a thread works in, for sets of fewer than `depth` columns."""
    if isinstance(facts, Correlations):
        rows = np.empty((depth, depth))
        return Residuals(rows, np.empty(depth), np.empty(depth), np.empty(depth), np.empty(depth))
    cells = int(facts.n_rows / facts.min_per_cell) + 1
    return Strata(
        bits=np.empty((2 * bit_strata.MOST_STRATA, facts.planes.shape[1]), dtype=np.uint64),
        rows_in=np.empty(2 * bit_strata.MOST_STRATA, dtype=np.int64),
        width=np.empty(depth, dtype=np.int64),
        first_bit=np.empty(depth, dtype=np.int64),
        stratum_of=np.empty(facts.n_rows, dtype=np.uint32),
        counts=np.empty(max(cells, 4 * bit_strata.FOUR_TABLES), dtype=np.int32),
        of_x=np.empty(int(facts.cards.max(initial=1)), dtype=np.int64),
    )


def _critical_z(log_alpha: float) -> float:
    """The z with ln P(|N(0, 1)| > z) = log_alpha."""
    low, high = 0.0, 1.0
    while log_normal_tail(high) >= log_alpha:
        low, high = high, 2.0 * high
    while low < (middle := 0.5 * (low + high)) < high:
        low, high = (middle, high) if log_normal_tail(middle) >= log_alpha else (low, middle)
    return low
