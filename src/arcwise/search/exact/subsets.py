"""The best network by dynamic programming over subsets of columns (Silander and Myllymäki 2006).

Every acyclic network on a set of columns W has a sink s, a column without children in it: what is left of it is a
network on W - s, and s has parents in W - s. So best(W) = max over s in W of best(W - s) + best score of s with
parents in W - s, from the empty set up to all columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from arcwise._kernels.graphs.exhaustive import best_networks
from arcwise._kernels.graphs.moves import closure
from arcwise.data.dataset import BoolArray, FloatArray, IntArray
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.protocols import tolerance
from arcwise.printing import counted
from arcwise.search.exact.families import Useful
from arcwise.stats.threads import map_threads, n_threads

LOW_BITS = 11  # a block has 2^11 subsets: its table stays in the cache
BLOCKS = 64  # done by a thread between two looks at the monitor: some tenths of a second


@dataclass(slots=True)
class Choice:
    """Which of its parent sets each column takes: its place in the column's list.

    subsets: subsets of columns whose best network was found. ties: parent sets as good as those taken.
    """

    place: dict[int, int] = field(default_factory=dict)
    subsets: int = 0
    ties: int = 0
    complete: bool = False

    def adjacency(self, lists: Sequence[Useful], required: BoolArray) -> BoolArray:
        """The network; columns without a choice have the parents required."""
        adj = required.copy()
        for v, place in self.place.items():
            parents = lists[v].sets[place]
            adj[parents[parents >= 0], v] = True
        return adj


def best_choice(lists: Sequence[Useful], monitor: Monitor) -> Choice:
    """The best network of all, column group by column group; not complete when stopped."""
    may_point = np.zeros((len(lists), len(lists)), dtype=np.bool_)
    for v, part in enumerate(lists):
        may_point[part.sets[part.sets >= 0], v] = True
    groups = components(may_point)
    work = float(sum(2 ** len(group) for group in groups))
    choice = Choice()
    for group in groups:
        best = _fill(lists, group, monitor, choice.subsets / work, (1 << len(group)) / work)
        if best is None:
            return choice
        choice.subsets += len(best)
        _trace_back(best, lists, group, choice)
    choice.complete = True
    return choice


def components(may_point: BoolArray) -> list[list[int]]:
    """Columns in groups, parents' groups first: two are in one group if possible arcs lead from each to the other.

    No cycle of arcs crosses groups, so each group can be searched by itself.
    """
    n = len(may_point)
    reach = may_point | np.eye(n, dtype=np.bool_)
    for _ in range(n.bit_length()):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    groups = {tuple(row.nonzero()[0].tolist()) for row in reach & reach.T}
    return [list(group) for group in sorted(groups, key=lambda group: (reach[:, group[0]].sum(), group))]


def _fill(
    lists: Sequence[Useful], members: Sequence[int], monitor: Monitor, done: float, share: float
) -> FloatArray | None:
    """best[W] for every subset W of the members, a number with bit i for members[i]; None when stopped.

    Parents outside are free. Memory 8 * 2^n bytes for n members, time O(n^2 2^n). The monitor hears of fractions from
    `done` to `done + share`.
    """
    n = len(members)
    low_bits = min(n, LOW_BITS)
    masks = _masks(lists, members)
    children = np.repeat(np.arange(n), [len(part) for part in masks])
    flat = children, np.concatenate(masks), np.concatenate([lists[v].scores for v in members])
    best: FloatArray = np.empty(1 << n)

    def fill(highs: IntArray) -> None:
        best_networks(highs, low_bits, n, *flat, best)

    filled = 0
    for portion in _portions(n - low_bits):
        if monitor.should_stop():
            return None
        map_threads(fill, portion)
        filled += sum(len(highs) for highs in portion)
        message = f"subsets of {counted(n, 'column')}"
        monitor.report(Progress("search", message=message, fraction=done + share * filled / (1 << (n - low_bits))))
    return best


def _masks(lists: Sequence[Useful], members: Sequence[int]) -> list[IntArray]:
    """The parent sets of each member as numbers with bit i for members[i]; other parents have no bit."""
    bit = np.zeros(len(lists) + 1, dtype=np.intp)  # the last is for the padding
    bit[list(members)] = 1 << np.arange(len(members))
    return [bit[lists[v].sets].sum(axis=1) for v in members]


def _portions(bits: int) -> Iterator[list[IntArray]]:
    """The numbers of `bits` bits, by how many bits are set: those with equally many do not depend on each other.

    Each portion is divided for the threads; all of it must be done before the next.
    """
    numbers = np.arange(1 << bits)
    ones = np.bitwise_count(numbers)
    for count in range(bits + 1):
        layer = numbers[ones == count]
        threads = n_threads()
        for first in range(0, len(layer), BLOCKS * threads):
            some = layer[first : first + BLOCKS * threads]
            yield [part for t in range(threads) if len(part := some[t::threads])]


def _trace_back(best: FloatArray, lists: Sequence[Useful], members: Sequence[int], choice: Choice) -> None:
    """Take sinks off the full set until it is empty.

    Of the networks within the tolerance of the best, this one: the sink last by name, with the fewest parents, then
    those first by name; then the same for what is left.
    """
    masks = _masks(lists, members)
    left = len(best) - 1
    floor = best[left] - tolerance(best[left])
    settled = 0.0  # score of the columns taken off
    while left:
        values = {}
        for i in reversed(range(len(members))):
            if left >> i & 1:
                rest = left ^ 1 << i
                within = masks[i] & ~rest == 0
                values[i] = np.where(within, settled + best[rest] + lists[members[i]].scores, -np.inf)
        # The best is always good enough, even if rounding has put it below the floor.
        enough = min(floor, max(part.max() for part in values.values()))
        sink = next(i for i, part in values.items() if part.max() >= enough)
        good = np.flatnonzero(values[sink] >= enough)
        choice.place[members[sink]] = int(good[0])
        choice.ties += len(good) - 1
        settled += lists[members[sink]].scores[good[0]]
        left ^= 1 << sink


def improve(choice: Choice, lists: Sequence[Useful], required: BoolArray) -> None:
    """A good network from the lists, without a claim to be the best: what a stopped search gives.

    One column after another gets its best parents that close no cycle, until no column gains by others.
    Columns without a choice begin with the parents required, the first of their list. Every change raises the score,
    so this ends.
    """
    for v in range(len(lists)):
        choice.place.setdefault(v, 0)
    changed = True
    while changed:
        changed = False
        for v, part in enumerate(lists):
            below = closure(choice.adjacency(lists, required))[v]
            acyclic = ~np.append(below, False)[part.sets].any(axis=1)  # the last is for the padding
            place = int(np.argmax(np.where(acyclic, part.scores, -np.inf)))
            now = part.scores[choice.place[v]]
            if part.scores[place] > now + tolerance(now):
                choice.place[v], changed = place, True
