"""Sums over the rows of a discrete table: how often levels, and combinations of them, occur.

All are whole numbers, so it does not matter how the rows are divided, nor where they are: `Tallies` is what has to be
known about them. `Blocks` has the rows here, in memory or in a mapped file, and counts them by threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.counts import counting as kernels
from arcwise._kernels.counts import families as family_kernels
from arcwise._kernels.counts.counting import Block, Plan, Shape
from arcwise._kernels.counts.fresh_lanes import tally_fresh_lanes
from arcwise._kernels.counts.long_dense import tally_long
from arcwise._kernels.counts.meets import tally_meets
from arcwise.data.dataset import MOST_ROWS, Dataset, FloatArray, IntArray
from arcwise.data.rows.matrix import let_go
from arcwise.errors import DataError
from arcwise.stats import packing
from arcwise.stats.occurring import States, count_states, merge_states
from arcwise.stats.packing import NEVER, Packed, lanes_are_kept, pack, read_codes, shape_of, with_lanes
from arcwise.stats.threads import map_threads, n_threads

CountArray = NDArray[np.int32]

FRESH = 3  # lanes that are packed each time cost so much more than those that are kept
MEET = 60  # tables with up to one in so many of the cells that planes count for all candidates are counted by planes
MANY_BYTES = 1 << 28  # of mapped codes: fewer may stay in memory
MERGED = 1 << 20  # states of several blocks that are kept apart
NONE: IntArray = np.empty(0, dtype=np.intp)
NOTHING: IntArray = np.empty((1, 0), dtype=np.intp)
NO_SUMS: FloatArray = np.empty(0)


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
        packed, members = self.packed, np.append(plan.shared, child)
        shape = packed.shape
        kept = lanes_are_kept(packed)
        cells, narrow = prod(shape.cards[members].tolist()), bool((shape.plane_of[members] >= 0).all())
        by_planes = plan.by_planes or (not kept and narrow and cells * shape.n_lanes <= FRESH * shape.plane_cells)
        if kept and not by_planes:
            packed = self.add_lanes()
        plan = plan._replace(by_planes=by_planes)

        def tally(block: Block, totals: CountArray, table: CountArray) -> None:
            if kept or by_planes:
                family_kernels.tally_base(block, shape, plan, child, totals, table)
            else:
                tally_fresh_lanes(block, shape, members, totals, table)
                self._let_go(block)

        totals, table = self._over(packed.blocks, tally, (cells,), (cells, shape.n_lanes))
        return totals, table

    def dense(self, child: int, shared: IntArray, extras: IntArray, offsets: IntArray) -> CountArray:
        packed, sizes = self.packed, np.diff(offsets)
        narrow = self._narrow(child, shared, extras) & (sizes <= packed.shape.plane_cells // MEET)
        if len(packed.blocks) == 1 or not narrow.any():  # in one block planes are not worth a kernel more to compile
            return self._by_codes(child, shared, extras, offsets)

        def tally(block: Block, flat: CountArray) -> None:
            tally_meets(block, packed.shape, child, shared, extras, offsets, narrow, flat)

        flat = self._over(packed.blocks, tally, (int(offsets[-1]),))[0]
        if not narrow.all():
            own = np.append(0, np.cumsum(sizes[~narrow]))
            flat[np.repeat(~narrow, sizes)] = self._by_codes(child, shared, extras[~narrow], own)
        return flat

    def _narrow(self, child: int, shared: IntArray, extras: IntArray) -> NDArray[np.bool_]:
        """Of each family, whether all its columns have planes."""
        has = np.append(self.packed.shape.plane_of >= 0, True)  # -1: no column
        if not (has[child] and has[shared].all()):
            return np.zeros(len(extras), dtype=np.bool_)
        return np.asarray(has[extras].all(axis=1))

    def _by_codes(self, child: int, shared: IntArray, extras: IntArray, offsets: IntArray) -> CountArray:
        plain = len(self.packed.blocks) == 1 or len(self.weights) > 0
        kernel = kernels.tally_dense if plain else tally_long

        def tally(block: Block, flat: CountArray) -> None:
            kernel(block, self.cards, child, shared, extras, offsets, flat)
            self._let_go(block)

        return self._over(self.packed.blocks, tally, (int(offsets[-1]),))[0]

    def _let_go(self, block: Block) -> None:
        """Of pages of a mapped file that were read, if there are many of them."""
        if self.codes.nbytes > MANY_BYTES:
            let_go(block.codes)

    def occurring(self, members: Sequence[int]) -> States:
        cards = [int(self.cards[m]) for m in members]

        def distinct(blocks: Sequence[Block]) -> States:
            parts: list[States] = []
            found, merged = 0, 0
            for block in blocks:
                parts.append(count_states([block.codes[m] for m in members], cards, block.weights))
                self._let_go(block)
                found += len(parts[-1][1])
                if found > max(2 * merged, MERGED):
                    parts = [merge_states(parts, cards)]
                    found = merged = len(parts[0][1])
            return merge_states(parts, cards)

        return merge_states(map_threads(distinct, _shares(self.packed.blocks)), cards)

    def pairs(self, x: int) -> CountArray:
        shape, later = self.packed.shape, np.arange(x + 1, len(self.cards))
        card, tables = int(self.cards[x]), {}
        wide = later[shape.lane_of[later] < 0]
        if len(wide):
            offsets = np.concatenate([[0], np.cumsum(card * self.cards[wide])])
            flat = self.dense(x, NONE, wide[:, None], offsets)
            for y, first, last in zip(wide.tolist(), offsets[:-1], offsets[1:], strict=True):
                tables[y] = flat[first:last].reshape(-1, card).T
        if len(wide) < len(later):
            by_planes = bool(shape.plane_of[x] >= 0 and card * shape.n_lanes <= shape.plane_cells)
            plan = Plan(NONE, later[:, None], NO_SUMS, NONE, NONE, card, len(later), 0, by_planes)
            totals, lanes = self.base(x, plan)
            for y in later[shape.lane_of[later] >= 0].tolist():
                others = lanes[:, shape.lane_of[y] : shape.lane_of[y] + int(self.cards[y]) - 1]
                rest = totals - others.sum(axis=1, dtype=np.int32)
                tables[y] = np.column_stack([rest, others])
        found = [tables[y] for y in later.tolist()]
        return np.ascontiguousarray(np.hstack(found)) if found else np.zeros((card, 0), dtype=np.int32)

    def levels(self) -> CountArray:
        found = [self._levels_of(u, int(card)) for u, card in enumerate(self.cards)]
        return np.concatenate(found).astype(np.int32) if found else np.zeros(0, dtype=np.int32)

    def _levels_of(self, u: int, card: int) -> NDArray[np.integer[Any]]:
        if self.is_one_block:
            return np.bincount(self.codes[u], self.weights if len(self.weights) else None, minlength=card)
        plane = int(self.shape.plane_of[u])
        if plane < 0:
            return self.dense(u, NONE, NOTHING, np.array([0, card]))
        planes = self.packed.blocks[0].planes[plane : plane + card]
        return np.array([np.bitwise_count(words).sum(dtype=np.int64) for words in planes])

    @staticmethod
    def _over(blocks: Sequence[Block], tally: Callable[..., None], *shapes: tuple[int, ...]) -> tuple[CountArray, ...]:
        """Zeroed tables of these shapes after `tally(block, *tables)` over all blocks, a share to each thread."""

        def add_up(share: Sequence[Block]) -> tuple[CountArray, ...]:
            tables = tuple(np.zeros(shape, dtype=np.int32) for shape in shapes)
            for block in share:
                tally(block, *tables)
            return tables

        first, *others = map_threads(add_up, _shares(blocks))
        for other in others:
            for table, more in zip(first, other, strict=True):
                np.add(table, more, out=table)
        return first


def _shares(blocks: Sequence[Block]) -> list[Sequence[Block]]:
    threads = max(1, min(n_threads(), len(blocks)))
    return [blocks[t::threads] for t in range(threads)]
