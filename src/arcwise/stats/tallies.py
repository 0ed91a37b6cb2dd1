"""Sums over the rows of a discrete table: how often levels, and combinations of them, occur.

All are whole numbers, so it does not matter how the rows are divided, nor where they are: `Tallies` is what has to be
known about them. `Blocks` has the rows here, in memory or in a mapped file, and counts them by threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.counts import contingency
from arcwise._kernels.counts import counting as kernels
from arcwise._kernels.counts import families as family_kernels
from arcwise._kernels.counts.counting import Block, Plan, Shape
from arcwise.data.dataset import MOST_ROWS, Dataset, IntArray
from arcwise.errors import DataError
from arcwise.stats import packing
from arcwise.stats.occurring import States, count_states, merge_states
from arcwise.stats.packing import NEVER, Packed, pack, read_codes, shape_of, with_lanes
from arcwise.stats.threads import map_threads, n_threads

CountArray = NDArray[np.int32]


class Tallies(Protocol):
    """What the rows of a table add up to. `stats/counts.py` asks no more than this."""

    @property
    def n_counted(self) -> int:
        """Rows that are counted one by one; their weights, if any, are added."""

    @property
    def shape(self) -> Shape:
        """How families are planned: `shape_of` the whole table, wherever its rows are."""

    def base(self, child: int, plan: Plan) -> tuple[CountArray, CountArray]:
        """(totals[c], table[c, lane]) for the joint codes c of (the shared parents, the child), (base, n_lanes)."""

    def dense(self, child: int, shared: IntArray, extras: IntArray, offsets: IntArray) -> CountArray:
        """Tables of (shared, extras[s] but for -1, child), s = 0, 1, ..., each at offsets[s]:offsets[s + 1]."""

    def occurring(self, members: Sequence[int]) -> States:
        """(states of these columns that occur, (columns, states), in ascending order; how often each does)."""

    def pairs(self, x: int) -> CountArray:
        """Joint counts of the levels of x with those of all later columns, one column's after another's."""

    def levels(self) -> CountArray:
        """How often each level of each column occurs, one column's after another's."""


class Blocks:
    """Rows that are here.

    before: those of a table with the same rows, and which of its columns are the same. shape: that of the table of
    which these are some rows; without it, they are all.
    """

    def __init__(
        self, data: Dataset, before: tuple[Blocks, NDArray[np.bool_]] | None = None, shape: Shape | None = None
    ) -> None:
        if data.n_rows > MOST_ROWS:
            raise DataError(f"the table has {data.n_rows:,} rows; at most {MOST_ROWS:,} can be counted")
        self.cards: IntArray = np.array(data.cardinalities, dtype=np.intp)
        self._shape = shape_of(self.cards, data.n_rows, data.n_stored) if shape is None else shape
        self.codes, self.weights = read_codes(data, repeat=self._shape.few != NEVER)
        self._packed: Packed | None = None
        self._before = None
        if before is not None and before[0]._packed is not None and not len(self.weights):
            self._before = before[0]._packed, before[1]
        self._lock = Lock()

    @property
    def n_counted(self) -> int:
        return int(self.codes.shape[1])

    @property
    def is_one_block(self) -> bool:
        return self.n_counted <= packing.BLOCK_ROWS

    @property
    def shape(self) -> Shape:
        return self.packed.shape

    @property
    def packed(self) -> Packed:
        """The blocks, made when first needed."""
        if self._packed is None:
            with self._lock:
                if self._packed is None:
                    self._packed = pack(self.codes, self.weights, self._shape, self._before)
        return self._packed

    def add_lanes(self) -> Packed:
        packed = self.packed
        with self._lock:
            if not packed.has_lanes:
                self._packed = with_lanes(packed, self._before)
                self._before = None
        return self.packed

    def base(self, child: int, plan: Plan) -> tuple[CountArray, CountArray]:
        packed = self.packed if plan.by_planes else self.add_lanes()

        def tally(block: Block, totals: CountArray, table: CountArray) -> None:
            family_kernels.tally_base(block, packed.shape, plan, child, totals, table)

        totals, table = _over_blocks(packed.blocks, tally, (plan.base,), (plan.base, packed.shape.n_lanes))
        return totals, table

    def dense(self, child: int, shared: IntArray, extras: IntArray, offsets: IntArray) -> CountArray:
        def tally(block: Block, flat: CountArray) -> None:
            kernels.tally_dense(block, self.cards, child, shared, extras, offsets, flat)

        return _over_blocks(self.packed.blocks, tally, (int(offsets[-1]),))[0]

    def occurring(self, members: Sequence[int]) -> States:
        cards = [int(self.cards[m]) for m in members]

        def distinct(block: Block) -> States:
            return count_states([block.codes[m] for m in members], cards, block.weights)

        return merge_states(map_threads(distinct, self.packed.blocks), cards)

    def pairs(self, x: int) -> CountArray:
        ends = np.cumsum(self.cards[x:])

        def tally(block: Block, table: CountArray) -> None:
            contingency.tally_pairs(block.codes, block.weights, x, ends - ends[0], table)

        return _over_blocks(self.packed.blocks, tally, (int(self.cards[x]), int(ends[-1] - ends[0])))[0]

    def levels(self) -> CountArray:
        def count(codes: NDArray[np.uint8], card: int) -> IntArray:
            return np.bincount(codes, self.weights if len(self.weights) else None, minlength=card)

        found = [count(codes, card) for codes, card in zip(self.codes, self.cards.tolist(), strict=True)]
        return np.concatenate(found).astype(np.int32) if found else np.zeros(0, dtype=np.int32)


def _over_blocks(
    blocks: Sequence[Block], tally: Callable[..., None], *shapes: tuple[int, ...]
) -> tuple[CountArray, ...]:
    """Zeroed tables of these shapes after `tally(block, *tables)` over all blocks, a share to each thread."""

    def add_up(share: Sequence[Block]) -> tuple[CountArray, ...]:
        tables = tuple(np.zeros(shape, dtype=np.int32) for shape in shapes)
        for block in share:
            tally(block, *tables)
        return tables

    threads = n_threads()
    first, *others = map_threads(add_up, [blocks[t::threads] for t in range(max(1, min(threads, len(blocks))))])
    for other in others:
        for table, more in zip(first, other, strict=True):
            np.add(table, more, out=table)
    return first
