"""A whole batch of families in one call: plan, count, sum. For several blocks of rows each step has its own call."""

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.counts.cells import find_slots, sum_dense, sum_lanes
from arcwise._kernels.counts.counting import plan_batch, tally_dense, tally_lanes


@inner
def _sum_batch(totals, table, flat, cards, lane_of, child, plan, ess, spread, values, pseudo, origin, used, out):
    """Family sums of a counted batch into `out`, but for SPARSE families; False when there is no room for a slot."""
    _, extras, q, way, offsets, _, n_lanes, _ = plan
    slots = find_slots(q, cards[child], ess, spread, values, pseudo, origin, used)
    if slots[0, 0] < 0:
        return False
    if n_lanes > 0:
        sum_lanes(totals, table, cards, lane_of, child, extras, way, slots, values, pseudo, origin, out)
    if offsets[-1] > 0:
        sum_dense(flat, offsets, cards[child], way, slots, values, pseudo, origin, out)
    return True


@kernel
def count_and_sum(
    codes,
    cards,
    lanes,
    lane_of,
    child,
    parent_sets,
    dense_cells,
    few,
    ess,
    spread,
    values,
    pseudo,
    origin,
    used,
    out,
    q,
):
    """(complete, n_sparse): the sums of a batch on one block of rows, into `out`, and its configurations into `q`."""
    plan = plan_batch(child, parent_sets, cards, lane_of, dense_cells, few)
    shared, extras, configurations, _, offsets, base, n_lanes, n_sparse = plan
    for s in range(q.shape[0]):
        q[s] = configurations[s]
    totals = np.zeros(base, dtype=np.int32)
    table = np.zeros((base, lanes.shape[1] * 8), dtype=np.int32)
    flat = np.zeros(offsets[-1], dtype=np.int32)
    if n_lanes > 0:
        tally_lanes(codes, cards, lanes, shared, child, totals, table)
    if offsets[-1] > 0:
        tally_dense(codes, cards, child, shared, extras, offsets, flat)
    complete = _sum_batch(
        totals, table, flat, cards, lane_of, child, plan, ess, spread, values, pseudo, origin, used, out
    )
    return complete, n_sparse


@kernel
def plan_families(child, parent_sets, cards, lane_of, dense_cells, few):
    return plan_batch(child, parent_sets, cards, lane_of, dense_cells, few)


@kernel
def tally_block_by_lanes(codes, cards, lanes, shared, child, totals, table):
    tally_lanes(codes, cards, lanes, shared, child, totals, table)


@kernel
def tally_block_densely(codes, cards, child, shared, extras, offsets, flat):
    tally_dense(codes, cards, child, shared, extras, offsets, flat)


@kernel
def sum_families(totals, table, flat, cards, lane_of, child, plan, ess, spread, values, pseudo, origin, used, out):
    return _sum_batch(totals, table, flat, cards, lane_of, child, plan, ess, spread, values, pseudo, origin, used, out)
