"""Contingency counts of discrete columns: the sufficient statistics of every discrete score and test.

Counts are additive over rows, so the data is a list of `Block`s (a stretch of rows each) and every table is a sum
over blocks. Nothing above this file knows where a block lives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log, prod
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.counts import cells as cell_kernels
from arcwise._kernels.counts import counting as kernels
from arcwise._kernels.counts import families as family_kernels
from arcwise.data.dataset import CodeArray, Dataset, FloatArray, IntArray
from arcwise.errors import DataError
from arcwise.stats.cells import Cells, CellTables
from arcwise.stats.threads import map_threads, n_threads

CountArray = NDArray[np.int32]

BLOCK_ROWS = 1 << 15  # rows in a block: enough work for a thread, and its joint codes stay in cache
NARROW = 16  # most levels of a column that is counted by lanes: its lanes cost less than a pass of its own
LANE_BYTES = 1 << 26  # lanes may take this much beside 1.5 times the coded data
FEW = 4  # with fewer candidates than this a pass each is cheaper than the lanes
DENSE_CELLS = 1 << 16  # a family table up to this size is always dense ...
DENSE_PER_ROW = 8  # ... and a larger one while it has at most this many cells a row
BATCH = 1 << 10  # families counted at a time: bounds the memory of their tables
MOST_CELLS = 1 << 31  # a dense table's joint codes fit 32 bits
LARGEST_KEY = 1 << 62  # joint codes of a sparse table fit 64 bits
LARGEST_Q = 1e290  # what more configurations count as: penalties stay finite, ess / (q r) above the smallest number
NO_COUNTS: CountArray = np.empty(0, dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A stretch of rows: codes (n, rows), and the lanes of the narrow columns (rows, words)."""

    codes: CodeArray
    lanes: NDArray[np.uint64]


class Counts:
    """Answers batches of questions about families (child, parents) of one discrete table."""

    def __init__(self, data: Dataset) -> None:
        self.names = data.names
        self.cards: IntArray = np.array(data.cardinalities, dtype=np.intp)
        self.n_rows = data.n_rows
        codes = data.codes()
        self._lane_of, self._n_lanes = _assign_lanes(self.cards, codes)
        bounds = np.linspace(0, self.n_rows, -(-self.n_rows // BLOCK_ROWS) + 1).astype(int)
        self._blocks = tuple(
            Block(part, kernels.pack_lanes(part, self._lane_of, self._n_lanes))
            for part in (codes[:, a:b] for a, b in pairwise(bounds))
        )
        threads = n_threads()
        self._shares = [part for t in range(threads) if (part := self._blocks[t::threads])]
        self._dense_cells = min(max(DENSE_CELLS, DENSE_PER_ROW * self.n_rows), MOST_CELLS)
        self._cells = CellTables(self.n_rows)
        self._lock = Lock()  # the tables are for one thread at a time

    def table(self, members: Sequence[int]) -> CountArray:
        """Joint counts of the columns `members`, one axis each, in the order given."""
        *parents, last = members
        shape = [int(self.cards[m]) for m in members]
        if prod(shape) > MOST_CELLS:
            raise DataError(
                f"a table of column {self.names[last]!r} with {len(parents)} others would take "
                f"{prod(shape) * 4 / 2**30:.1f} GiB; use fewer columns or fewer levels"
            )
        nothing = np.empty((1, 0), dtype=np.intp)
        shared, offsets = np.array(parents, dtype=np.intp), np.array([0, prod(shape)], dtype=np.intp)
        return self._tally_dense(last, shared, nothing, offsets).reshape(shape)

    def family_sums(self, child: int, parent_sets: IntArray, cells: Cells) -> tuple[FloatArray, FloatArray]:
        """sum_jk f(N_jk) - sum_j g(N_j) of each family (see stats/cells.py), and its number of configurations q."""
        if len(parent_sets) > BATCH:
            halves = [self.family_sums(child, half, cells) for half in np.array_split(parent_sets, 2)]
            return np.concatenate([half[0] for half in halves]), np.concatenate([half[1] for half in halves])
        out, q = np.empty(len(parent_sets)), np.empty(len(parent_sets))
        with self._lock:
            count = self._count_block if len(self._blocks) == 1 else self._count_blocks
            complete, n_sparse = count(child, parent_sets, cells, out, q)
            while not complete:
                self._cells.grow()
                complete, n_sparse = count(child, parent_sets, cells, out, q)
        if n_sparse:
            self._sum_sparse(child, parent_sets, cells, out, q)
        return out, q

    def _count_block(
        self, child: int, parent_sets: IntArray, cells: Cells, out: FloatArray, q: FloatArray
    ) -> tuple[bool, int]:
        block, limit, tables = self._blocks[0], self._dense_cells, self._cells.arrays()
        answer: tuple[bool, int] = family_kernels.count_and_sum(
            block.codes, self.cards, block.lanes, self._lane_of, child, parent_sets, limit, FEW,
            cells.ess, cells.spread, *tables, out, q,
        )  # fmt: skip
        return answer

    def _count_blocks(
        self, child: int, parent_sets: IntArray, cells: Cells, out: FloatArray, q: FloatArray
    ) -> tuple[bool, int]:
        plan = family_kernels.plan_families(child, parent_sets, self.cards, self._lane_of, self._dense_cells, FEW)
        shared, extras, configurations, _, offsets, base, n_lanes, n_sparse = plan
        q[:] = configurations
        totals, table, flat = NO_COUNTS, NO_COUNTS.reshape(0, 0), NO_COUNTS
        if n_lanes:
            totals, table = self._tally_lanes(child, shared, base)
        if offsets[-1]:
            flat = self._tally_dense(child, shared, extras, offsets)
        complete = family_kernels.sum_families(
            totals, table, flat, self.cards, self._lane_of, child, plan,
            cells.ess, cells.spread, *self._cells.arrays(), out,
        )  # fmt: skip
        return complete, n_sparse

    def _tally_lanes(self, child: int, shared: IntArray, cells: int) -> tuple[CountArray, ...]:
        def tally(block: Block, totals: CountArray, table: CountArray) -> None:
            family_kernels.tally_block_by_lanes(block.codes, self.cards, block.lanes, shared, child, totals, table)

        return self._over_blocks(tally, ((cells,), (cells, self._blocks[0].lanes.shape[1] * 8)))

    def _tally_dense(self, child: int, shared: IntArray, extras: IntArray, offsets: IntArray) -> CountArray:
        def tally(block: Block, flat: CountArray) -> None:
            family_kernels.tally_block_densely(block.codes, self.cards, child, shared, extras, offsets, flat)

        return self._over_blocks(tally, ((int(offsets[-1]),),))[0]

    def _sum_sparse(self, child: int, parent_sets: IntArray, cells: Cells, out: FloatArray, q: FloatArray) -> None:
        """Families whose tables would be too large: count the joint codes that occur."""
        card = int(self.cards[child])
        for s in np.flatnonzero(q * card > self._dense_cells):
            parents = np.sort(parent_sets[s][parent_sets[s] >= 0])
            keys, counts = self._occurring(np.append(parents, child))
            out[s] = cell_kernels.sum_sparse(keys, counts, card, *cells.pseudo_counts(min(q[s], LARGEST_Q), card))
            if q[s] > LARGEST_Q and cells.ess > 0 and cells.spread:
                # f(k) = ln Gamma(k) + ln a for so small an a = ess / (q card), and g likewise: only ln q is missing
                log_q = float(np.log(self.cards[parents]).sum())
                groups = 1 + np.count_nonzero(np.diff(keys // card))
                out[s] -= (len(keys) - groups) * (log_q - log(LARGEST_Q))
        np.minimum(q, LARGEST_Q, out=q)

    def _occurring(self, members: IntArray) -> tuple[IntArray, IntArray]:
        """(keys, counts) of the joint states of `members` that occur, keys sorted: (state of the others) * card + last.

        The key of the others is their joint code while that fits, else its rank among those that occur.
        """
        cards = self.cards[members].tolist()
        ranks: IntArray | None = None  # of the members before `first`, in every row
        first, states = 0, 1
        for last, card in enumerate(cards):
            if states * card > LARGEST_KEY:
                ranks = np.unique(self._joint(ranks, members[first:last]), return_inverse=True)[1]
                first, states = last, len(ranks)
            states *= card
        if ranks is not None:
            return np.unique(self._joint(ranks, members[first:]), return_counts=True)

        def distinct(block: Block) -> tuple[IntArray, IntArray]:
            return np.unique(kernels.joint_codes(block.codes, self.cards, members), return_counts=True)

        parts = map_threads(distinct, self._blocks)
        keys, where = np.unique(np.concatenate([part[0] for part in parts]), return_inverse=True)
        return keys, np.bincount(where, np.concatenate([part[1] for part in parts])).astype(np.intp)

    def _joint(self, ranks: IntArray | None, members: IntArray) -> IntArray:
        """Joint codes of all rows: those of `members`, after `ranks` if given."""
        codes = np.concatenate([kernels.joint_codes(block.codes, self.cards, members) for block in self._blocks])
        return codes if ranks is None else ranks * int(self.cards[members].prod()) + codes

    def _over_blocks(self, tally: Callable[..., None], shapes: Sequence[tuple[int, ...]]) -> tuple[CountArray, ...]:
        """Zeroed tables of these shapes after `tally(block, *tables)` over all blocks, a share to each thread."""

        def add_up(blocks: Sequence[Block]) -> tuple[CountArray, ...]:
            tables = tuple(np.zeros(shape, dtype=np.int32) for shape in shapes)
            for block in blocks:
                tally(block, *tables)
            return tables

        first, *others = map_threads(add_up, self._shares)
        for other in others:
            for table, more in zip(first, other, strict=True):
                np.add(table, more, out=table)
        return first


def _assign_lanes(cards: IntArray, codes: CodeArray) -> tuple[IntArray, int]:
    """First lane of each column (-1: counted by a pass of its own), fewest levels first, within the byte budget."""
    budget = (LANE_BYTES + 1.5 * codes.nbytes) / max(codes.shape[1], 1)
    lane_of = np.full(len(cards), -1, dtype=np.intp)
    used = 0
    for u in np.argsort(cards, kind="stable"):
        lanes = int(cards[u]) - 1
        if cards[u] > NARROW or used + lanes > budget:
            break
        lane_of[u] = used
        used += lanes
    return lane_of, used
