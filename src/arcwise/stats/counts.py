"""Contingency counts of discrete columns: the sufficient statistics of every discrete score and test.

Nothing above this file sees the rows of discrete columns. How they are counted is chosen here, by size: many candidates
for a family at once by lanes, tables that can be laid out densely, others sparsely, and the strata of the max-min
searches by bit planes. Counts are additive over rows, so every table is a sum over blocks of rows.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from math import log, prod
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.by_address import Address, address_of, known, types_of
from arcwise._kernels.counts import cells as cell_kernels
from arcwise._kernels.counts import contingency
from arcwise._kernels.counts import counting as kernels
from arcwise._kernels.counts import families as family_kernels
from arcwise._kernels.counts.cells import CellValues
from arcwise._kernels.counts.contingency import Rules
from arcwise._kernels.counts.counting import Plan, Shape
from arcwise._kernels.counts.k_ln_k import tabulate
from arcwise.data.dataset import Dataset, FloatArray, IntArray
from arcwise.errors import DataError
from arcwise.stats.cells import Cells
from arcwise.stats.contingency import by_rows, by_tallies, pairs_by_rows, pairs_by_tallies, portions
from arcwise.stats.occurring import States, numbered
from arcwise.stats.packing import DENSE_CELLS, MOST_CELLS, NEVER, Packed
from arcwise.stats.tallies import Blocks, CountArray, Tallies

TEST_CELLS_PER_ROW = 4  # the table of a test with more is not laid out
BATCH = 1 << 10  # families counted at a time: bounds the memory of their tables
TEST_COUNTS = 1 << 12  # counts below this have k ln k looked up in tests
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
        self.tallies: Tallies
        self.here: Blocks | None = None  # the rows, if they are here
        if data.elsewhere is not None:
            self.tallies = data.elsewhere.tallies(data)
        else:
            known = None if before is None else before[0].here
            self.here = Blocks(data, None if before is None or known is None else (known, before[1]))
            self.tallies = self.here
        self._test_cells = min(TEST_CELLS_PER_ROW * self.tallies.n_counted, MOST_CELLS)
        self._tables: dict[Cells, CellTables] = {}
        # Rows that are here and in one block: some questions are answered sooner from them.
        self._block = self.here if self.here is not None and self.here.is_one_block else None

    @cached_property
    def constant(self) -> NDArray[np.bool_]:
        """Of each column, whether all rows have the same level."""
        if self._block is not None:
            return np.array([bool((codes == codes[:1]).all()) for codes in self._block.codes], dtype=np.bool_)
        found = np.split(self.tallies.levels(), np.cumsum(self.cards)[:-1])
        return np.array([np.count_nonzero(levels) <= 1 for levels in found[: len(self.cards)]], dtype=np.bool_)

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
        if self._block is not None:
            return by_rows(self._block, x, y, ordered, rules)
        return by_tallies(self.tallies, self.cards, x, y, ordered, rules)

    def pairs(self, x: int, rules: tuple[Any, ...]) -> tuple[FloatArray, FloatArray]:
        """The same for x against each later column, given nothing."""
        if self._block is not None:
            statistics, dfs = pairs_by_rows(self._block, x, rules)
        else:
            statistics, dfs = pairs_by_tallies(self.tallies, self.cards, x, rules)
        constant = self.constant[x] | self.constant[x + 1 :]
        statistics[constant] = dfs[constant] = 0.0
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
        return self.tallies.dense(last, shared, NOTHING, offsets).reshape(shape)

    def occurring(self, members: Sequence[int]) -> States:
        """(states of these columns that occur, (columns, states), in ascending order; how often each does)."""
        if prod(int(self.cards[m]) for m in members) > DENSE_CELLS:
            return self.tallies.occurring(members)
        table = self.table(members)
        states = np.array(table.nonzero())
        return states, table[tuple(states)].astype(np.intp)

    def tables_with_later(self, x: int) -> CountArray:
        """Joint counts of the levels of x with those of all later columns, one column's after another's. O(n N)."""
        return self.tallies.pairs(x)

    def family_sums(self, child: int, parent_sets: IntArray, cells: Cells) -> tuple[FloatArray, FloatArray]:
        """sum_jk f(N_jk) - sum_j g(N_j) of each family (see stats/cells.py), and its number of configurations q."""
        if len(parent_sets) > BATCH:
            halves = [self.family_sums(child, half, cells) for half in np.array_split(parent_sets, 2)]
            return np.concatenate([half[0] for half in halves]), np.concatenate([half[1] for half in halves])
        child, parent_sets = int(child), np.ascontiguousarray(parent_sets, dtype=np.intp)
        tables = self._tables.get(cells) or self._tables.setdefault(cells, CellTables(cells, self.n_rows))
        count = self._by_tallies if self._block is None else self._by_rows
        out, q, n_sparse = count(child, parent_sets, tables)
        if n_sparse:
            self._sum_sparse(child, parent_sets, cells, out, q)
        return out, q

    def _by_rows(self, child: int, parent_sets: IntArray, tables: CellTables) -> tuple[FloatArray, FloatArray, int]:
        """(sums, configurations, families to be counted sparsely) from one block of rows, by one kernel."""
        assert self._block is not None
        out, q = np.empty(len(parent_sets)), np.empty(len(parent_sets))
        with tables.lock:
            while True:
                packed = self._block.packed
                block, shape, steps = packed.plain_blocks[0], packed.plain_shape, _steps(packed, tables.plain)
                state, n_sparse = family_kernels.count_and_sum(
                    block, shape, child, parent_sets, tables.plain, steps, out, q
                )
                if state == family_kernels.COMPLETE:
                    return out, q, n_sparse
                if state == family_kernels.NO_LANES:
                    self._block.add_lanes()
                else:
                    tables.grow()

    def _by_tallies(self, child: int, parent_sets: IntArray, tables: CellTables) -> tuple[FloatArray, FloatArray, int]:
        """The same, wherever the rows are."""
        shape, tallies = self.tallies.shape, self.tallies
        plan = kernels.plan_families(child, parent_sets, shape)
        out = np.empty(len(parent_sets))
        if plan.n_lanes:
            counted = family_kernels.Tallies(*tallies.base(child, plan), NO_COUNTS)
            _sum(counted, shape, child, plan._replace(offsets=np.zeros_like(plan.offsets)), tables, out)
        dense = np.flatnonzero(np.diff(plan.offsets))
        for some in portions(dense, np.diff(plan.offsets)):
            offsets = np.concatenate([[0], np.cumsum(np.diff(plan.offsets)[some])])
            part = Plan(plan.shared, plan.extras[some], plan.q[some], plan.way[some], offsets, 0, 0, 0, False)
            flat = tallies.dense(child, part.shared, part.extras, offsets)
            sums = np.empty(len(some))
            _sum(family_kernels.Tallies(NO_COUNTS, NO_COUNTS.reshape(0, 0), flat), shape, child, part, tables, sums)
            out[some] = sums
        return out, plan.q.copy(), plan.n_sparse

    def whole(self, cells: Cells, before: tuple[Any, ...] | None = None) -> tuple[Any, ...] | None:
        """(block, shape, cell values, steps, address of `count_and_sum`) for a kernel that counts by itself.

        None where there are several blocks, or codes beyond a byte, for which no such kernel is compiled. before: cell
        values of an earlier call, taken over if they have room, or empty ones; with these a kernel is patient: it has
        room for more pseudo-counts, and counts some large tables by planes before it asks for lanes.
        """
        here = self._block
        if here is None or here.codes.itemsize > 1:
            return None
        packed = here.packed
        values = CellTables(cells, self.n_rows, patient=before is not None).plain
        if before is not None and len(before[-1]):
            *_, pseudo, _, used = before
            values = before if used[0] < len(pseudo) - 1 else values  # a family takes up to two slots
            if used[1] > family_kernels.PATIENCE * packed.shape.plane_cells:
                packed = here.add_lanes()
        block, shape, steps = packed.plain_blocks[0], packed.plain_shape, _steps(packed, values)
        asked = block, shape, 0, NOTHING, values, steps, NO_SUMS, NO_SUMS
        return block, shape, values, steps, address_of(family_kernels.count_and_sum, *asked)

    def _sum_sparse(self, child: int, parent_sets: IntArray, cells: Cells, out: FloatArray, q: FloatArray) -> None:
        """Families whose tables would be too large: count the joint codes that occur."""
        card = int(self.cards[child])
        for s in np.flatnonzero(q * card > self.tallies.shape.dense_cells):
            parents = np.sort(parent_sets[s][parent_sets[s] >= 0])
            states, counts = self.tallies.occurring([*parents.tolist(), child])
            configurations = numbered(states[:-1])
            pseudo = cells.pseudo_counts(min(q[s], LARGEST_Q), card)
            out[s] = cell_kernels.sum_sparse(configurations * card + states[-1], counts, card, *pseudo)
            if q[s] > LARGEST_Q and cells.ess > 0 and cells.spread:
                # f(k) = ln Gamma(k) + ln a for so small an a = ess / (q card), and g likewise: only ln q is missing
                log_q = float(np.log(self.cards[parents]).sum())
                groups = 1 + int(configurations[-1])
                out[s] -= (len(counts) - groups) * (log_q - log(LARGEST_Q))
        np.minimum(q, LARGEST_Q, out=q)


def _sum(
    counted: family_kernels.Tallies, shape: Shape, child: int, plan: Plan, tables: CellTables, out: FloatArray
) -> None:
    """Family sums of a counted batch."""
    with tables.lock:
        while not family_kernels.sum_families(counted, shape, child, plan, tables.values, out):
            tables.grow()


def _steps(packed: Packed, values: tuple[Any, ...]) -> tuple[Address, ...]:
    """Addresses of the kernels that `count_and_sum` calls."""
    key = family_kernels, types_of(packed.plain_blocks[0], packed.plain_shape, values)
    if key not in known:
        plan = kernels.plan_families(0, NOTHING, packed.shape)
        block, shape, counts, table = packed.blocks[0], packed.shape, NO_COUNTS, NO_COUNTS.reshape(0, 0)
        tallies = family_kernels.Tallies(counts, table, counts)
        known[key] = (
            address_of(kernels.plan_families, 0, NOTHING, shape),
            address_of(family_kernels.tally_base, block, shape, plan, 0, counts, table),
            address_of(kernels.tally_dense, block, shape.cards, 0, plan.shared, plan.extras, plan.offsets, counts),
            address_of(family_kernels.sum_families, tallies, shape, 0, plan, CellValues(*values), NO_SUMS),
        )
    addresses: tuple[Address, ...] = known[key]
    return addresses


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
