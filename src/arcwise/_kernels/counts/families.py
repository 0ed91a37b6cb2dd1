"""A whole batch of families in one call: plan, count, sum. For several blocks of rows each step has its own call."""

from typing import Any, NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.counts.cells import CellValues, find_slots, sum_dense, sum_lanes
from arcwise._kernels.counts.counting import Block, Plan, Shape, joined, plan_batch, tally_dense, tally_lanes
from arcwise._kernels.counts.planes import tally_planes
from arcwise._kernels.types import FloatArray, Int32Array, IntArray

COMPLETE, NO_ROOM, NO_LANES = 0, 1, 2


class Tallies(NamedTuple):
    """Counts of a batch: of the common base with the child, of these with each lane, and of dense tables end to end."""

    totals: np.ndarray
    table: np.ndarray
    flat: np.ndarray


@inner
def _sum_batch(tallies, shape, child, plan, cells, out):
    """Family sums of a counted batch into `out`, but for SPARSE families; False when there is no room for a slot."""
    slots = find_slots(plan.q, shape.cards[child], cells)
    if slots[0, 0] < 0:
        return False
    if plan.n_lanes > 0:
        sum_lanes(tallies.totals, tallies.table, shape, child, plan, slots, cells, out)
    if plan.offsets[-1] > 0:
        sum_dense(tallies.flat, shape.cards[child], plan, slots, cells, out)
    return True


@inner
def needs_lanes(plan, shape, child):
    """Whether some families share a base and their table is too large for planes."""
    if plan.n_lanes == 0:
        return False
    planes = shape.plane_of[child] >= 0
    for m in range(plan.shared.shape[0]):
        planes &= shape.plane_of[plan.shared[m]] >= 0
    return not planes or plan.base * shape.n_lanes > shape.plane_cells


@inner
def _tally_base(block, shape, plan, child, totals, table):
    members = joined(plan.shared, child)
    if needs_lanes(plan, shape, child):
        tally_lanes(block, shape.cards, members, totals, table)
    else:
        tally_planes(block, shape, members, totals, table)


@kernel
def count_and_sum(
    block: tuple[Any, ...],
    shape: tuple[Any, ...],
    child: int,
    parent_sets: IntArray,
    cells: tuple[Any, ...],
    out: FloatArray,
    q: FloatArray,
) -> tuple[int, int]:
    """(state, n_sparse): the sums of a batch on one block of rows, into `out`, and its configurations into `q`.

    block, shape, cells: plain tuples, which Numba knows a microsecond sooner than named ones.
    """
    block, shape, cells = Block(*block), Shape(*shape), CellValues(*cells)
    plan = plan_batch(child, parent_sets, shape)
    for s in range(q.shape[0]):
        q[s] = plan.q[s]
    if needs_lanes(plan, shape, child) and block.lanes.shape[1] == 0:
        return NO_LANES, plan.n_sparse
    totals = np.zeros(plan.base, dtype=np.int32)
    table = np.zeros((plan.base, shape.n_lanes), dtype=np.int32)
    flat = np.zeros(plan.offsets[-1], dtype=np.int32)
    if plan.n_lanes > 0:
        _tally_base(block, shape, plan, child, totals, table)
    if plan.offsets[-1] > 0:
        tally_dense(block, shape.cards, child, plan.shared, plan.extras, plan.offsets, flat)
    complete = _sum_batch(Tallies(totals, table, flat), shape, child, plan, cells, out)
    return COMPLETE if complete else NO_ROOM, plan.n_sparse


@kernel
def plan_families(child: int, parent_sets: IntArray, shape: Shape) -> tuple[Plan, bool]:
    """(the plan, whether it needs lanes)."""
    plan = plan_batch(child, parent_sets, shape)
    return plan, needs_lanes(plan, shape, child)


@kernel
def tally_block_of_base(
    block: Block, shape: Shape, plan: Plan, child: int, totals: Int32Array, table: Int32Array
) -> None:
    _tally_base(block, shape, plan, child, totals, table)


@kernel
def tally_block_densely(
    block: Block, cards: IntArray, child: int, shared: IntArray, extras: IntArray, offsets: IntArray, flat: Int32Array
) -> None:
    tally_dense(block, cards, child, shared, extras, offsets, flat)


@kernel
def sum_families(tallies: Tallies, shape: Shape, child: int, plan: Plan, cells: CellValues, out: FloatArray) -> bool:
    return _sum_batch(tallies, shape, child, plan, cells, out)


@kernel
def sizes(parent_sets: IntArray) -> FloatArray:
    """How many parents each set has; -1 is none."""
    found = np.zeros(parent_sets.shape[0])
    for s in range(parent_sets.shape[0]):
        for m in range(parent_sets.shape[1]):
            found[s] += parent_sets[s, m] >= 0
    return found
