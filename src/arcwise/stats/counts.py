"""Contingency counts of discrete columns: the sufficient statistics of every discrete score and test.

Counts are additive over rows, so the data is a list of `Block`s (a stretch of rows each) and every table is a sum
over blocks. Nothing above this file knows where a block lives.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels import cells as cell_kernels
from arcwise._kernels import counting as kernels
from arcwise.data.dataset import CodeArray, Dataset, FloatArray, IntArray
from arcwise.errors import DataError
from arcwise.stats.cells import CellTables
from arcwise.stats.threads import map_threads, n_threads

CountArray = NDArray[np.int32]
Parts = TypeVar("Parts", bound=tuple[NDArray[np.int32], ...])
# (parent configurations, child levels) -> pseudo-counts of a cell and of a configuration.
PseudoCounts = Callable[[FloatArray, int], tuple[FloatArray, FloatArray]]

BLOCK_ROWS = 1 << 15  # rows in a block: enough work for a thread, and its joint codes stay in cache
NARROW = 16  # most levels of a column that is counted by lanes: its lanes cost less than a pass of its own
LANE_BYTES = 1 << 26  # lanes may take this much beside 1.5 times the coded data
FEW = 4  # with fewer candidates than this a pass each is cheaper than the lanes
DENSE_CELLS = 1 << 16  # a family table up to this size is always dense ...
DENSE_PER_ROW = 8  # ... and a larger one while it has at most this many cells a row
FLAT_CELLS = 1 << 22  # dense tables of one batch are counted in portions of this many cells
LARGEST_KEY = 1 << 62


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
            for part in (codes[:, a:b] for a, b in itertools.pairwise(bounds))
        )
        self._shares = [part for t in range(n_threads()) if (part := self._blocks[t :: n_threads()])]
        self._cells = CellTables(self.n_rows)

    def table(self, members: Sequence[int]) -> CountArray:
        """Joint counts of the columns `members`, one axis each, in the order given."""
        *parents, last = members
        size = prod(int(self.cards[m]) for m in members)
        self._check_size(size * 4, last, len(parents))
        offsets = np.array([0, size], dtype=np.intp)
        shared = np.array(parents, dtype=np.intp)
        nothing = np.empty((1, 0), dtype=np.intp)
        flat = self._tally_families(last, shared, nothing, offsets)
        return flat.reshape([int(self.cards[m]) for m in members])

    def family_sums(self, child: int, parent_sets: IntArray, pseudo: PseudoCounts) -> tuple[FloatArray, FloatArray]:
        """sum_jk f(N_jk) - sum_j g(N_j) of each family, f and g given by `pseudo` (see stats/cells.py); and its q."""
        card = int(self.cards[child])
        limit = max(DENSE_CELLS, DENSE_PER_ROW * self.n_rows)
        shared, extras, q, way = kernels.plan_batch(child, parent_sets, self.cards, self._lane_of, limit)
        f, g = (self._cells.slots(a) for a in pseudo(q, card))
        out = np.empty(len(parent_sets))
        if np.count_nonzero(way == kernels.LANES) < FEW:
            way[way == kernels.LANES] = kernels.DENSE
        chosen = np.flatnonzero(way == kernels.LANES)
        if chosen.size:
            out[chosen] = self._sum_lanes(child, shared, extras[chosen, 0], f[chosen], g[chosen])
        for chosen in self._portions(np.flatnonzero(way == kernels.DENSE), q * card):
            out[chosen] = self._sum_dense(child, shared, extras[chosen], q[chosen], f[chosen], g[chosen])
        for s in np.flatnonzero(way == kernels.SPARSE):
            parents = np.append(shared, extras[s][extras[s] >= 0])
            out[s] = self._sum_sparse(child, parents, int(f[s]), int(g[s]))
        return out, q

    def _sum_lanes(self, child: int, shared: IntArray, candidates: IntArray, f: IntArray, g: IntArray) -> FloatArray:
        members = np.append(shared, child)
        cells = prod(int(self.cards[m]) for m in members)

        def tally(block: Block, totals: CountArray, table: CountArray) -> None:
            kernels.tally_lanes(block.codes, self.cards, block.lanes, members, totals, table)

        shapes = ((cells,), (cells, self._blocks[0].lanes.shape[1] * 8))
        totals, table = self._over_blocks(tally, shapes)
        card, widths, starts = int(self.cards[child]), self.cards[candidates], self._lane_of[candidates]
        sums: FloatArray = cell_kernels.sum_lanes(totals, table, card, widths, starts, f, g, *self._cells.arrays())
        return sums

    def _sum_dense(
        self, child: int, shared: IntArray, extras: IntArray, q: FloatArray, f: IntArray, g: IntArray
    ) -> FloatArray:
        card = int(self.cards[child])
        offsets = np.zeros(len(q) + 1, dtype=np.intp)
        np.cumsum((q * card).astype(np.intp), out=offsets[1:])
        flat = self._tally_families(child, shared, extras, offsets)
        sums: FloatArray = cell_kernels.sum_tables(flat, offsets, card, f, g, *self._cells.arrays())
        return sums

    def _sum_sparse(self, child: int, parents: IntArray, f: int, g: int) -> float:
        members = np.append(parents, child)
        if prod(int(self.cards[m]) for m in members) > LARGEST_KEY:
            raise DataError(
                f"column {self.names[child]!r} with {len(parents)} parents has more joint states than can be counted; "
                "limit the number of parents or use fewer levels"
            )

        def distinct(block: Block) -> tuple[IntArray, IntArray]:
            return np.unique(kernels.joint_codes(block.codes, self.cards, members), return_counts=True)

        parts = map_threads(distinct, self._blocks)
        keys, where = np.unique(np.concatenate([part[0] for part in parts]), return_inverse=True)
        counts = np.bincount(where, np.concatenate([part[1] for part in parts])).astype(np.intp)
        card = int(self.cards[child])
        return float(cell_kernels.sum_sparse(keys, counts, card, f, g, *self._cells.arrays()))

    def _tally_families(self, child: int, shared: IntArray, extras: IntArray, offsets: IntArray) -> CountArray:
        def tally(block: Block, flat: CountArray) -> None:
            kernels.tally_families(block.codes, self.cards, child, shared, extras, offsets, flat)

        (flat,) = self._over_blocks(tally, ((int(offsets[-1]),),))
        return flat

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

    def _portions(self, chosen: IntArray, cells: FloatArray) -> list[IntArray]:
        """Cut a batch of dense families so that no portion's tables exceed FLAT_CELLS (or one family)."""
        if not chosen.size or cells[chosen].sum() <= FLAT_CELLS:
            return [chosen] if chosen.size else []
        portion = np.cumsum(cells[chosen]) // FLAT_CELLS
        return np.split(chosen, np.flatnonzero(np.diff(portion)) + 1)

    def _check_size(self, n_bytes: int, column: int, n_others: int) -> None:
        if n_bytes > 1 << 32:
            raise DataError(
                f"a table of column {self.names[column]!r} with {n_others} others would take "
                f"{n_bytes / 2**30:.1f} GiB; use fewer columns or fewer levels"
            )


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
