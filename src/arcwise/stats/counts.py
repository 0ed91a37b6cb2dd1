"""Contingency counts of discrete columns: the sufficient statistics of every discrete score and test.

Nothing above this file sees the rows of discrete columns. How they are counted is chosen here, by size: many candidates
for a family at once by lanes, tables that can be laid out densely, others sparsely, and the strata of the max-min
searches by bit planes. Counts are additive over rows, so every table is a sum over blocks of rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from math import log, prod
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.by_address import Address, address_of, known, types_of
from arcwise._kernels.counts import cells as cell_kernels
from arcwise._kernels.counts import contingency, strata
from arcwise._kernels.counts import counting as kernels
from arcwise._kernels.counts import families as family_kernels
from arcwise._kernels.counts.cells import CellValues
from arcwise._kernels.counts.contingency import Rules
from arcwise._kernels.counts.counting import Block, Plan
from arcwise._kernels.counts.k_ln_k import tabulate
from arcwise.data.dataset import Dataset, FloatArray, IntArray
from arcwise.errors import DataError
from arcwise.stats.cells import Cells
from arcwise.stats.packing import NEVER, Before, Packed, pack, read_codes, with_lanes
from arcwise.stats.threads import map_threads, n_threads

CountArray = NDArray[np.int32]

DENSE_CELLS = 1 << 16  # a family table up to this size is always dense ...
DENSE_PER_ROW = 8  # ... and a larger one while it has at most this many cells a row
TEST_CELLS_PER_ROW = 4  # the table of a test with more is not laid out
BATCH = 1 << 10  # families counted at a time: bounds the memory of their tables
CALL_WORK = 1 << 27  # rows times columns of one call for tests: some tenths of a second
TEST_COUNTS = 1 << 12  # counts below this have k ln k looked up in tests
MOST_CELLS = 1 << 31  # a dense table's joint codes fit 32 bits
LARGEST_KEY = 1 << 62  # joint codes of a sparse table fit 64 bits
LARGEST_Q = 1e290  # what more configurations count as: penalties stay finite, ess / (q r) above the smallest number
TABULATED = 512  # counts below this are looked up; a larger one costs a logarithm, but large counts are few
KEPT = 8  # tables whose counts are kept for who asks next, while the tables themselves live
NO_COUNTS: CountArray = np.empty(0, dtype=np.int32)
NO_SUMS: FloatArray = np.empty(0)
NOTHING: IntArray = np.empty((1, 0), dtype=np.intp)


class CellTables:
    """Cell functions, tabulated for each pseudo-count met. Whoever works with them holds the lock."""

    def __init__(self, cells: Cells, n_rows: int, *, patient: bool = False) -> None:
        self.lock = Lock()
        self._cells = cells
        slots = 256 if patient else 64
        self._values: FloatArray = np.empty((slots, min(n_rows + 1, TABULATED)))
        self._pseudo: FloatArray = np.empty(slots)
        self._origin: FloatArray = np.empty(slots)
        self._used: IntArray = np.array([0, 0 if patient else NEVER], dtype=np.intp)
        self._tell()

    def grow(self) -> None:
        self._values = np.concatenate([self._values, np.empty_like(self._values)])
        self._pseudo = np.concatenate([self._pseudo, np.empty_like(self._pseudo)])
        self._origin = np.concatenate([self._origin, np.empty_like(self._origin)])
        self._tell()

    def _tell(self) -> None:
        arrays = self._values, self._pseudo, self._origin, self._used
        self.values = CellValues(float(self._cells.ess), self._cells.spread, *arrays)
        self.plain = tuple(self.values)


class Counts:
    """Answers batches of questions about one discrete table.

    before: the counts of a table with the same rows, and which of its columns are the same.
    """

    def __init__(self, data: Dataset, before: tuple[Counts, NDArray[np.bool_]] | None = None) -> None:
        self.names = data.names
        self.cards: IntArray = np.array(data.cardinalities, dtype=np.intp)
        self.n_rows = data.n_rows
        self.codes, self.weights = read_codes(data)
        n_stored = self.codes.shape[1]
        self._dense_cells = min(max(DENSE_CELLS, DENSE_PER_ROW * n_stored), MOST_CELLS)
        self._test_cells = min(TEST_CELLS_PER_ROW * n_stored, MOST_CELLS)
        self._packed: Packed | None = None
        self._before: Before | None = None
        if before is not None and before[0]._packed is not None and not len(self.weights):
            self._before = before[0]._packed, before[1]
        self._tables: dict[Cells, CellTables] = {}
        self._lock = Lock()

    @cached_property
    def constant(self) -> NDArray[np.bool_]:
        """Of each column, whether all rows have the same level."""
        return np.array([bool((codes == codes[:1]).all()) for codes in self.codes], dtype=np.bool_)

    @property
    def planes(self) -> tuple[NDArray[np.uint64], IntArray]:
        """(a bit a row for each level, the first of each column; -1: it has none). Not for weights."""
        packed = self._pack()
        return packed.blocks[0].planes, packed.shape.plane_of

    # tests

    def rules(self, *, pearson: bool = False, rule: int = contingency.ADJUSTED, min_per_cell: float = 0.0) -> Rules:
        """What `tests` works out: chi-squared or G2, its degrees of freedom, and if there are so many rows a cell."""
        f = tabulate(min(self.n_rows + 1, TEST_COUNTS))
        return Rules(pearson, rule, f, self.n_rows, float(min_per_cell), self._test_cells)

    def tests(self, x: int, y: int, sets: IntArray, rules: tuple[Any, ...]) -> tuple[FloatArray, FloatArray]:
        """(statistic, degrees of freedom) of x against y given each set; 0 where one of them is constant.

        NaN where there are too few rows a cell. rules: as `rules` makes them, best as a plain tuple. O(N |S|) each.
        """
        if self.constant[x] or self.constant[y]:
            return np.zeros(len(sets)), np.zeros(len(sets))
        x, y = min(x, y), max(x, y)
        # How a set is written must not matter, not even in the last bit.
        ordered = np.sort(sets, axis=1) if sets.shape[1] > 1 else sets
        most = max(1, CALL_WORK // max(self.codes.shape[1] * (4 + sets.shape[1]), 1))
        if len(sets) <= most:
            return self._test(x, y, ordered, rules)
        parts = [self._test(x, y, ordered[first : first + most], rules) for first in range(0, len(sets), most)]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def pairs(self, x: int, rules: tuple[Any, ...]) -> tuple[FloatArray, FloatArray]:
        """The same for x against each later column, given nothing."""
        statistics, dfs = contingency.test_pairs(self.codes, self.cards, self.weights, x, rules)
        for i in (dfs == contingency.SPARSE).nonzero()[0].tolist():
            (statistics[i],), (dfs[i],) = self._test(x, x + 1 + i, NOTHING, rules)
        constant = self.constant[x] | self.constant[x + 1 :]
        statistics[constant] = dfs[constant] = 0.0
        return statistics, dfs

    def _test(self, x: int, y: int, sets: IntArray, rules: tuple[Any, ...]) -> tuple[FloatArray, FloatArray]:
        statistics: FloatArray
        dfs: FloatArray
        statistics, dfs = contingency.test_sets(self.codes, self.cards, self.weights, x, y, sets, rules)
        sparse = (dfs == contingency.SPARSE).nonzero()[0]
        if len(sparse):
            statistics[sparse], dfs[sparse] = strata.test_sets_sparsely(
                self.codes, self.cards, self.weights, x, y, sets[sparse], rules
            )
        return statistics, dfs

    # families

    def table(self, members: Sequence[int]) -> CountArray:
        """Joint counts of the columns `members`, one axis each, in the order given."""
        *parents, last = members
        shape = [int(self.cards[m]) for m in members]
        if prod(shape) > MOST_CELLS:
            raise DataError(
                f"a table of column {self.names[last]!r} with {len(parents)} others would take "
                f"{prod(shape) * 4 / 2**30:.1f} GiB; use fewer columns or fewer levels"
            )
        shared, offsets = np.array(parents, dtype=np.intp), np.array([0, prod(shape)], dtype=np.intp)
        return self._tally_dense(last, shared, NOTHING, offsets).reshape(shape)

    def tables_with_later(self, x: int) -> CountArray:
        """Joint counts of the levels of x with those of all later columns, one column's after another's. O(n N)."""
        ends = np.cumsum(self.cards[x:])
        table = np.zeros((int(self.cards[x]), int(ends[-1] - ends[0])), dtype=np.int32)
        contingency.tally_pairs(self.codes, self.weights, x, ends - ends[0], table)
        return table

    def family_sums(self, child: int, parent_sets: IntArray, cells: Cells) -> tuple[FloatArray, FloatArray]:
        """sum_jk f(N_jk) - sum_j g(N_j) of each family (see stats/cells.py), and its number of configurations q."""
        if len(parent_sets) > BATCH:
            halves = [self.family_sums(child, half, cells) for half in np.array_split(parent_sets, 2)]
            return np.concatenate([half[0] for half in halves]), np.concatenate([half[1] for half in halves])
        child, parent_sets = int(child), np.ascontiguousarray(parent_sets, dtype=np.intp)
        out, q = np.empty(len(parent_sets)), np.empty(len(parent_sets))
        tables = self._tables.get(cells) or self._tables.setdefault(cells, CellTables(cells, self.n_rows))
        with tables.lock:
            state, n_sparse = self._count(child, parent_sets, tables, out, q)
            while state != family_kernels.COMPLETE:
                if state == family_kernels.NO_LANES:
                    self._add_lanes()
                else:
                    tables.grow()
                state, n_sparse = self._count(child, parent_sets, tables, out, q)
        if n_sparse:
            self._sum_sparse(child, parent_sets, cells, out, q)
        return out, q

    def whole(self, cells: Cells, before: tuple[Any, ...] | None = None) -> tuple[Any, ...] | None:
        """(block, shape, cell values, steps, address of `count_and_sum`) for a kernel that counts by itself.

        None where there are several blocks, or codes beyond a byte, for which no such kernel is compiled. before: cell
        values of an earlier call, taken over if they have room, or empty ones; with these a kernel is patient: it has
        room for more pseudo-counts, and counts some large tables by planes before it asks for lanes.
        """
        packed = self._pack()
        if len(packed.blocks) > 1 or self.codes.itemsize > 1:
            return None
        values = CellTables(cells, self.n_rows, patient=before is not None).plain
        if before is not None and len(before[-1]):
            *_, pseudo, _, used = before
            values = before if used[0] < len(pseudo) - 1 else values  # a family takes up to two slots
            if used[1] > family_kernels.PATIENCE * packed.shape.plane_cells:
                self._add_lanes()
                packed = self._pack()
        block, shape, steps = packed.plain_blocks[0], packed.plain_shape, self._steps(packed, values)
        asked = block, shape, 0, NOTHING, values, steps, NO_SUMS, NO_SUMS
        return block, shape, values, steps, address_of(family_kernels.count_and_sum, *asked)

    def _steps(self, packed: Packed, values: tuple[Any, ...]) -> tuple[Address, ...]:
        """Addresses of the kernels that `count_and_sum` calls."""
        key = family_kernels, types_of(packed.plain_blocks[0], packed.plain_shape, values)
        if key not in known:
            plan = kernels.plan_families(0, NOTHING, packed.shape)
            block, counts, table = packed.blocks[0], NO_COUNTS, NO_COUNTS.reshape(0, 0)
            tallies = family_kernels.Tallies(counts, table, counts)
            known[key] = (
                address_of(kernels.plan_families, 0, NOTHING, packed.shape),
                address_of(family_kernels.tally_base, block, packed.shape, plan, 0, counts, table),
                address_of(kernels.tally_dense, block, self.cards, 0, plan.shared, plan.extras, plan.offsets, counts),
                address_of(family_kernels.sum_families, tallies, packed.shape, 0, plan, CellValues(*values), NO_SUMS),
            )
        addresses: tuple[Address, ...] = known[key]
        return addresses

    def _pack(self) -> Packed:
        """The blocks, made when first needed."""
        if self._packed is None:
            with self._lock:
                if self._packed is None:
                    self._packed = pack(self.codes, self.weights, self.cards, self._dense_cells, self._before)
        return self._packed

    def _add_lanes(self) -> None:
        packed = self._pack()
        with self._lock:
            if not packed.has_lanes:
                self._packed = with_lanes(packed, self._before)
                self._before = None

    def _count(
        self, child: int, parent_sets: IntArray, tables: CellTables, out: FloatArray, q: FloatArray
    ) -> tuple[int, int]:
        """(what is lacking, families to be counted sparsely)."""
        packed = self._pack()
        if len(packed.blocks) == 1:
            steps = self._steps(packed, tables.plain)
            answer: tuple[int, int] = family_kernels.count_and_sum(
                packed.plain_blocks[0], packed.plain_shape, child, parent_sets, tables.plain, steps, out, q
            )
            return answer
        plan = kernels.plan_families(child, parent_sets, packed.shape)
        if plan.n_lanes and not plan.by_planes and not packed.has_lanes:
            return family_kernels.NO_LANES, 0
        q[:] = plan.q
        totals, table, flat = NO_COUNTS, NO_COUNTS.reshape(0, 0), NO_COUNTS
        if plan.n_lanes:
            totals, table = self._tally_base(packed, child, plan)
        if plan.offsets[-1]:
            flat = self._tally_dense(child, plan.shared, plan.extras, plan.offsets)
        tallies = family_kernels.Tallies(totals, table, flat)
        complete = family_kernels.sum_families(tallies, packed.shape, child, plan, tables.values, out)
        return family_kernels.COMPLETE if complete else family_kernels.NO_ROOM, plan.n_sparse

    def _tally_base(self, packed: Packed, child: int, plan: Plan) -> tuple[CountArray, ...]:
        def tally(block: Block, totals: CountArray, table: CountArray) -> None:
            family_kernels.tally_base(block, packed.shape, plan, child, totals, table)

        return _over_blocks(packed.blocks, tally, ((plan.base,), (plan.base, packed.shape.n_lanes)))

    def _tally_dense(self, child: int, shared: IntArray, extras: IntArray, offsets: IntArray) -> CountArray:
        def tally(block: Block, flat: CountArray) -> None:
            kernels.tally_dense(block, self.cards, child, shared, extras, offsets, flat)

        return _over_blocks(self._pack().blocks, tally, ((int(offsets[-1]),),))[0]

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
            keys, where = np.unique(self._joint(ranks, members[first:]), return_inverse=True)
            return keys, _tally_keys(where, self.weights)

        def distinct(block: Block) -> tuple[IntArray, IntArray]:
            codes = kernels.joint_codes(block.codes, self.cards, members)
            if not len(block.weights):
                return np.unique(codes, return_counts=True)
            keys, where = np.unique(codes, return_inverse=True)
            return keys, _tally_keys(where, block.weights)

        parts = map_threads(distinct, self._pack().blocks)
        keys, where = np.unique(np.concatenate([part[0] for part in parts]), return_inverse=True)
        return keys, _tally_keys(where, np.concatenate([part[1] for part in parts]))

    def _joint(self, ranks: IntArray | None, members: IntArray) -> IntArray:
        """Joint codes of all rows: those of `members`, after `ranks` if given."""
        codes = np.concatenate([kernels.joint_codes(block.codes, self.cards, members) for block in self._pack().blocks])
        return codes if ranks is None else ranks * int(self.cards[members].prod()) + codes


def _tally_keys(where: IntArray, weights: NDArray[np.integer[Any]]) -> IntArray:
    """How often each number occurs. Sums of weights are whole numbers, and exact as floats."""
    return np.bincount(where, weights if len(weights) else None).astype(np.intp)


def _over_blocks(
    blocks: Sequence[Block], tally: Callable[..., None], shapes: Sequence[tuple[int, ...]]
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


_kept: WeakKeyDictionary[Dataset, Counts] = WeakKeyDictionary()
_keeping = Lock()


def counts_of(data: Dataset) -> Counts:
    """The counts of this table, made once for all that ask while it lives, and the last few tables.

    Where it differs from one of these in some columns only, as in the discretize-and-learn loop, what was packed for
    the others is taken over.
    """
    with _keeping:
        found = _kept.get(data)
        before = None if found is not None else _like(data)
    if found is not None:
        return found
    found = Counts(data, before)
    with _keeping:
        found = _kept.setdefault(data, found)
        while len(_kept) > KEPT:
            del _kept[next(iter(_kept))]  # the oldest
    return found


def _like(data: Dataset) -> tuple[Counts, NDArray[np.bool_]] | None:
    """The last counts of a table that shares at least half of its columns with this one, and which those are."""
    for other, counts in reversed(list(_kept.items())):
        if other.n_columns == data.n_columns and other.weights is data.weights:
            same = np.array([a is b for a, b in zip(other.columns, data.columns, strict=True)], dtype=np.bool_)
            if 2 * np.count_nonzero(same) >= data.n_columns:
                return counts, same
    return None


def _forget() -> None:
    """In a forked process, whose parent may have been about to keep something."""
    global _keeping, _kept
    _keeping, _kept = Lock(), WeakKeyDictionary()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
