"""A batch of families: plan, count, sum.

Each step is a kernel. For one block of rows they are called in one go, by their addresses, so that each is compiled
once, beside the others; for several blocks, whose counts must be added up, Python calls them.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import types

from arcwise._kernels.by_address import Address, calling
from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.counts.cells import CellValues, find_slots, sum_dense, sum_lanes
from arcwise._kernels.counts.counting import Block, Plan, Shape, tally_lanes
from arcwise._kernels.counts.planes import tally_planes
from arcwise._kernels.types import FloatArray, Int32Array, IntArray

COMPLETE, NO_ROOM, NO_LANES = 0, 1, 2
PATIENCE = 16  # times the cells of a table for planes: so many are counted by planes before lanes, slow to pack, are
INTS = types.Array(types.int64, 1, "C")

plan_families = calling(
    types.NamedTuple(
        [INTS, INTS.copy(ndim=2), INTS.copy(dtype=types.float64), INTS, INTS, *[types.int64] * 3, types.boolean], Plan
    )
)
call = calling(types.none)
ask = calling(types.boolean)


class Tallies(NamedTuple):
    """Counts of a batch: of the common base with the child, of these with each lane, and of dense tables end to end."""

    totals: np.ndarray
    table: np.ndarray
    flat: np.ndarray


class Steps(NamedTuple):
    """Addresses of the kernels."""

    plan_families: Address
    tally_base: Address
    tally_dense: Address
    sum_families: Address


@inner
def _joined(shared, child):
    """The shared parents and the child."""
    members = np.empty(shared.shape[0] + 1, dtype=np.int64)
    for m in range(shared.shape[0]):
        members[m] = shared[m]
    members[-1] = child
    return members


@kernel
def tally_base(block: Block, shape: Shape, plan: Plan, child: int, totals: Int32Array, table: Int32Array) -> None:
    """Add this block's rows to `totals[c]` and `table[c, lane]`, c the joint code of base and child."""
    members = _joined(plan.shared, child)
    if plan.by_planes or block.lanes.shape[1] == 0:
        tally_planes(block, shape, members, totals, table)
    else:
        tally_lanes(block, shape.cards, members, totals, table)


@kernel
def sum_families(tallies: Tallies, shape: Shape, child: int, plan: Plan, cells: CellValues, out: FloatArray) -> bool:
    """Family sums of a counted batch into `out`, but for SPARSE families; False when there is no room for a slot."""
    slots = find_slots(plan.q, shape.cards[child], cells)
    if slots[0, 0] < 0:
        return False
    if plan.n_lanes > 0:
        sum_lanes(tallies.totals, tallies.table, shape, child, plan, slots, cells, out)
    if plan.offsets[-1] > 0:
        sum_dense(tallies.flat, shape.cards[child], plan, slots, cells, out)
    return True


@kernel
def count_and_sum(
    block: tuple[Any, ...],
    shape: tuple[Any, ...],
    child: int,
    parent_sets: IntArray,
    cells: tuple[Any, ...],
    steps: tuple[Any, ...],
    out: FloatArray,
    q: FloatArray,
) -> tuple[int, int]:
    """(state, n_sparse): the sums of a batch on one block of rows, into `out`, and its configurations into `q`.

    block, shape, cells, steps: plain tuples, which Numba knows a microsecond sooner than named ones.
    """
    block, shape, cells, steps = Block(*block), Shape(*shape), CellValues(*cells), Steps(*steps)
    plan = plan_families(steps.plan_families, child, parent_sets, shape)
    for s in range(q.shape[0]):
        q[s] = plan.q[s]
    if plan.n_lanes > 0 and not plan.by_planes and block.lanes.shape[1] == 0:
        cells.used[1] += plan.base * shape.n_lanes
        have_planes = shape.plane_of[child] >= 0
        for m in range(plan.shared.shape[0]):
            have_planes = have_planes and shape.plane_of[plan.shared[m]] >= 0
        if cells.used[1] > PATIENCE * shape.plane_cells or not have_planes:
            return NO_LANES, plan.n_sparse
    totals = np.zeros(plan.base, dtype=np.int32)
    table = np.zeros((plan.base, shape.n_lanes), dtype=np.int32)
    flat = np.zeros(plan.offsets[-1], dtype=np.int32)
    if plan.n_lanes > 0:
        call(steps.tally_base, block, shape, plan, child, totals, table)
    if plan.offsets[-1] > 0:
        call(steps.tally_dense, block, shape.cards, child, plan.shared, plan.extras, plan.offsets, flat)
    complete = ask(steps.sum_families, Tallies(totals, table, flat), shape, child, plan, cells, out)
    return COMPLETE if complete else NO_ROOM, plan.n_sparse
