"""A whole batch of families in one call: plan, count, sum. For several blocks of rows each step has its own call."""

from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.counts.cells import CellValues, find_slots, sum_dense, sum_lanes
from arcwise._kernels.counts.counting import Block, Shape, plan_batch, tally_dense, tally_lanes


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


@kernel
def count_and_sum(block, shape, child, parent_sets, cells, out, q):
    """(complete, n_sparse): the sums of a batch on one block of rows, into `out`, and its configurations into `q`.

    block, shape, cells: plain tuples, which Numba knows a microsecond sooner than named ones.
    """
    block, shape, cells = Block(*block), Shape(*shape), CellValues(*cells)
    plan = plan_batch(child, parent_sets, shape)
    for s in range(q.shape[0]):
        q[s] = plan.q[s]
    totals = np.zeros(plan.base, dtype=np.int32)
    table = np.zeros((plan.base, block.lanes.shape[1] * 8), dtype=np.int32)
    flat = np.zeros(plan.offsets[-1], dtype=np.int32)
    if plan.n_lanes > 0:
        tally_lanes(block, shape.cards, plan.shared, child, totals, table)
    if plan.offsets[-1] > 0:
        tally_dense(block, shape.cards, child, plan.shared, plan.extras, plan.offsets, flat)
    return _sum_batch(Tallies(totals, table, flat), shape, child, plan, cells, out), plan.n_sparse


@kernel
def plan_families(child, parent_sets, shape):
    return plan_batch(child, parent_sets, shape)


@kernel
def tally_block_by_lanes(block, cards, shared, child, totals, table):
    tally_lanes(block, cards, shared, child, totals, table)


@kernel
def tally_block_densely(block, cards, child, shared, extras, offsets, flat):
    tally_dense(block, cards, child, shared, extras, offsets, flat)


@kernel
def sum_families(tallies, shape, child, plan, cells, out):
    return _sum_batch(tallies, shape, child, plan, cells, out)
