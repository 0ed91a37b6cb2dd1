"""The likelihood of one column given others, by smooth regressions of its rows on the features of these.

A column of numbers is its normal score z, the regression

    z = sum_f b_f f + sum_{f, g} c_fg (f g - mean) + sigma(parents) e,    e ~ N(0, 1),

f and g features of different parents. The features of the mean are those of `smooth_families`; then products of pairs
of parents are let in while the BIC rises, as sums over rows tell. Products enter the Cholesky factor of the features
behind them: of product p the covariances with all members are sums over rows, and what is left of the child's variance
is again one pivot. The shape of what is left is that of `smooth_shape`, columns of levels are those of `smooth_levels`.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from arcwise._kernels.by_address import Address, address_of, calling
from arcwise._kernels.compiled import kernel, lean
from arcwise._kernels.features.smooth_families import FLOOR, additive_gain, enter, left_over, widest_set
from arcwise._kernels.features.smooth_levels import levels_gain
from arcwise._kernels.features.smooth_rows import (
    MOST_PRODUCTS,
    SKEWS,
    STRAIGHT,
    TAILS,
    TIE,
    UNBENT,
    Regression,
    empty_workspace,
    moment,
    product,
    residuals,
    workspace,
)
from arcwise._kernels.features.smooth_shape import shape_gain
from arcwise._kernels.gaussian.cholesky import inverse_root, sort_in
from arcwise._kernels.types import FloatArray, IntArray

DEGREE = 3  # highest feature of a parent in a product
STAGES = 4  # products of two columns with an order: f1 g1; f1 g2, f2 g1; f2 g2; the others

call = calling(types.float64)


class Steps(NamedTuple):
    """Addresses of the kernels that this one calls: each is compiled for itself."""

    shape: Address
    levels: Address


def steps_of(data: Regression) -> Steps:
    """Those for such data."""
    work, columns = empty_workspace(), np.zeros(1, dtype=np.int64)
    return Steps(
        address_of(shape_gain, data, work, columns, 0, 0.0, 0, 0, 0.0),
        address_of(levels_gain, data, work, 0, columns, 0),
    )


@lean
def _enter_product(data, work, rank, n_features, place):
    """Let products[place] into the factor behind `rank` members; members from n_features on are products in order.

    The child's own row is extended, too. The new rank, which stays where the others determine the product.
    """
    rows, scale, members = work.room.factor
    product, own = work.products[place], work.room.own[0]
    pivot = 1.0
    for c in range(rank):
        other = data.features[members[c]] if c < n_features else work.products[members[c]]
        value = moment(data, product, other)
        for e in range(c):
            value -= rows[c, e] * rows[rank, e]
        value *= scale[c]
        rows[rank, c] = value
        pivot -= value * value
    if pivot < 1e-6:
        return rank
    scale[rank] = inverse_root(pivot, FLOOR)
    members[rank] = place
    value = moment(data, product, data.features[work.counts[0]])
    for e in range(rank):
        value -= rows[rank, e] * own[e]
    own[rank] = value * scale[rank]
    return rank + 1


@lean
def _features_in_products(families, column):
    first, last = families.starts[column], families.starts[column + 1]
    return last - first if families.nominal[column] else min(last - first, np.int64(DEGREE))


@lean
def _stage(families, u, v, f, g):
    """The stage in which the product of features f of u and g of v, counted from 0, is tried."""
    i = 0 if families.nominal[u] else f
    j = 0 if families.nominal[v] else g
    if i + j == 0:
        return 0
    if i + j == 1:
        return 1
    return 2 if i == 1 and j == 1 else 3


@lean
def _promising(data, work, u, v, place, variance):
    """Whether any product of two parents could pay if the members explained up to three quarters of it."""
    families = data.families
    bar = 0.5 * families.price * variance / families.n_rows
    for f in range(_features_in_products(families, u)):
        for g in range(_features_in_products(families, v)):
            if product(data, families.starts[u] + f, families.starts[v] + g, work.products[place]):
                value = moment(data, work.products[place], work.residual)
                if value * value > bar:
                    return True
    return False


@lean
def _enter_stage(data, work, u, v, stage, offset, rank, n_features, left):
    """(rank, what is left of the child's variance) with the products of two parents of a stage in the factor.

    offset: from a product's place in the factor to its place in the memory.
    """
    families, own = data.families, work.room.own[0]
    for f in range(_features_in_products(families, u)):
        for g in range(_features_in_products(families, v)):
            place = rank + offset
            if _stage(families, u, v, f, g) != stage or place >= work.products.shape[0]:
                continue
            if not product(data, families.starts[u] + f, families.starts[v] + g, work.products[place]):
                continue
            before = rank
            rank = _enter_product(data, work, rank, n_features, place)
            if rank > before:
                work.pairs[place, 0], work.pairs[place, 1] = families.starts[u] + f, families.starts[v] + g
                left -= own[before] * own[before]
    return rank, left


@lean
def _with_products(data, work, child, columns, n_columns, n_features, gain):
    """(rank, gain) with the products that pay, of one pair of parents after the other."""
    families, own = data.families, work.room.own[0]
    half, price = 0.5 * families.n_rows, families.price
    rank, kept = n_features, np.int64(0)  # products[:kept] are in the factor
    left = 1.0
    for c in range(rank):
        left -= own[c] * own[c]
    left = max(left, FLOOR)
    used = work.counts[1:]
    for k in range(n_columns * n_columns):
        used[k] = 0
    most = work.products.shape[0]
    while True:
        if kept == most:
            return rank, gain
        variance = residuals(data, work, child, rank, n_features)
        best_p, best_q, best_stage, best = -1, -1, 0, gain + TIE * (1.0 + abs(gain))
        for p in range(n_columns):
            for q in range(p):
                if used[p * n_columns + q]:
                    continue
                u, v = columns[p], columns[q]
                m, k = _features_in_products(families, u), _features_in_products(families, v)
                if m * k > MOST_PRODUCTS or not _promising(data, work, u, v, kept, variance):
                    continue
                now, after, value = rank, left, gain
                for stage in range(STAGES):
                    before = now
                    now, after = _enter_stage(data, work, u, v, stage, kept - rank, now, n_features, after)
                    if now == before:
                        continue
                    if now >= families.n_rows // 4:
                        break
                    value = gain + half * math.log(left / max(after, FLOOR)) - price * (now - rank)
                    if value > best:
                        best_p, best_q, best_stage, best = p, q, stage, value
                    if stage == 2 and value < gain:  # the many of the last stage cost too much to be tried in vain
                        break
        if best_p < 0:
            return rank, gain
        u, v = columns[best_p], columns[best_q]
        used[best_p * n_columns + best_q] = 1
        base = rank
        for stage in range(best_stage + 1):
            rank, left = _enter_stage(data, work, u, v, stage, kept - base, rank, n_features, left)
        kept += rank - base
        left = max(left, FLOOR)
        gain = best


@lean
def _numeric(data, steps, child, columns, n_columns, work):
    """Gain over no parents of a column of numbers."""
    families = data.families
    gain = additive_gain(families, child, columns, n_columns, work.room)
    rank = np.int64(0)
    for p in range(n_columns):
        first = families.starts[columns[p]]
        rank = enter(families, first, first + work.room.taken[p], work.room.factor, rank)
    left_over(families, child, np.int64(1), work.room, np.int64(0), rank)
    work.counts[0] = families.starts[child]
    n_features = rank
    if n_columns > 1:
        rank, gain = _with_products(data, work, child, columns, n_columns, n_features, gain)
    if data.cardinalities[child] < 0:
        work.found[0], work.found[1], work.found[2], work.found[3], work.found[4] = (
            rank,
            n_features,
            0,
            UNBENT,
            STRAIGHT,
        )
        return gain
    variance = residuals(data, work, child, rank, n_features)
    return call(steps.shape, data, work, columns, n_columns, variance, rank, n_features, gain)


@lean
def _describe(work, parts):
    """What the last regression was made of: counts, tail and skew; features; products, two numbers each; spread."""
    rank, n_features, n_spread = work.found[0], work.found[1], work.found[2]
    members, at = work.room.factor.members, np.int64(5)
    parts[0], parts[1], parts[2], parts[3], parts[4] = (
        n_features,
        rank - n_features,
        n_spread,
        work.found[3],
        work.found[4],
    )
    for c in range(n_features):
        parts[at] = members[c]
        at += 1
    for c in range(n_features, rank):
        parts[at], parts[at + 1] = work.pairs[members[c], 0], work.pairs[members[c], 1]
        at += 2
    for c in range(n_spread):
        parts[at] = work.spread.members[c]
        at += 1


@kernel
def regression_scores(data: Regression, steps: Steps, child: int, parent_sets: IntArray, parts: IntArray) -> FloatArray:
    """Scores of one child with k parent sets (k, w), padded with -1, over those of no parents.

    parts: room for what the last one is made of (see `_describe`), or none.
    """
    family, starts = data.families, data.families.starts
    out = np.empty(parent_sets.shape[0])
    work = workspace(data, child, parent_sets.shape[1], widest_set(starts, parent_sets))
    columns = np.empty(parent_sets.shape[1] + 1, dtype=np.int64)
    for s in range(parent_sets.shape[0]):
        n_columns = np.int64(0)
        for p in range(parent_sets.shape[1]):
            if parent_sets[s, p] >= 0:
                sort_in(columns, n_columns, parent_sets[s, p])
                n_columns += 1
        if n_columns == 0:
            out[s] = 0.0
        elif starts[child + 1] == starts[child]:
            out[s] = -(family.price + max(family.arc_cost, 0.0)) * n_columns
        else:
            if data.cardinalities[child] > 0:
                value = call(steps.levels, data, work, child, columns, n_columns)
            else:
                value = _numeric(data, steps, child, columns, n_columns, work)
            for p in range(n_columns):
                if starts[columns[p] + 1] == starts[columns[p]]:
                    value -= family.price
            out[s] = value - family.arc_cost * n_columns
            if parts.shape[0] > 0:
                _describe(work, parts)
    return out


def parts_of(data: Regression, child: int, parents: IntArray) -> tuple[IntArray, IntArray, IntArray, float, float]:
    """What one regression is made of: (features, products (k, 2), features of the spread, tail, skew)."""
    starts = data.families.starts
    width = int((starts[parents + 1] - starts[parents]).sum())
    room = 5 + 2 * width + 2 * MOST_PRODUCTS * len(parents)
    parts = np.zeros(room, dtype=np.int64)
    regression_scores(data, steps_of(data), child, np.ascontiguousarray(parents, dtype=np.int64)[None], parts)
    n_features, n_products, n_spread, tail, skew = parts[:5].tolist()
    features, products, spread = np.split(parts[5:], np.cumsum([n_features, 2 * n_products]))
    return features, products.reshape(-1, 2), spread[:n_spread], TAILS[tail], SKEWS[skew]
