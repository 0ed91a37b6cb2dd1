"""Grow-shrink by a correlation matrix among few candidates of each child, for tables with many columns.

Each child has a list of columns that could be its parents, itself first, and the correlations of these in a matrix
of its own, of some kilobytes: by_factor.py then works in the list as if there were no other columns. Who is on a list
is settled elsewhere (search/orders/candidates.py), by `regress` and, when it is known who the parents are, `outside`.
"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.gaussian.cholesky import inverse_root
from arcwise._kernels.gaussian.families import Factored
from arcwise._kernels.orders import by_factor
from arcwise._kernels.orders.by_factor import BARRED, NEVER, Path
from arcwise._kernels.types import BoolArray, FloatArray, Int32Array, IntArray


class Lists(NamedTuple):
    """columns[v, :sizes[v]]: v, then its candidates, ascending; what follows is of these columns alone."""

    score: Factored
    columns: Int32Array  # (n, width)
    sizes: IntArray
    correlations: FloatArray  # (n, width, width)
    floors: FloatArray  # (n, width)
    costs: FloatArray  # (n, 1, width)


class Local(NamedTuple):
    """What `grow_and_shrink` is handed, of the columns of one list."""

    path: Path
    roles: np.ndarray
    before: BoolArray
    near: Int32Array
    parents: BoolArray


@lean
def _of(lists, child):
    """The score of a child within its list, where it is column 0."""
    score = lists.score
    return Factored(
        correlations=lists.correlations[child],
        starts=score.starts,
        floors=lists.floors[child],
        own=score.own[child : child + 1],
        base=score.base,
        power=score.power,
        det_weight=score.det_weight,
        costs=lists.costs[child],
        most_rank=score.most_rank,
    )


@lean_kernel
def grow_and_shrink(
    lists: Lists,
    local: Local,
    roles: np.ndarray,
    child: int,
    before: BoolArray,
    near: Int32Array,
    first: int,
    tie: float,
    parents: BoolArray,
) -> float:
    """As in by_factor.py, for the columns of the child's list; no other one is near or a parent."""
    columns, size = lists.columns[child], lists.sizes[child]
    for i in range(size):
        u = columns[i]
        local.before[i], local.near[i] = before[u], near[u]
        local.roles[i] = roles[u] if i > 0 else BARRED
    value = by_factor.grow_and_shrink(
        _of(lists, child), local.path, local.roles[:size], 0, local.before[:size], local.near[:size],
        first, tie, local.parents[:size],
    )  # fmt: skip
    for u in range(parents.shape[0]):
        parents[u] = False
    if first == 0:
        for u in range(near.shape[0]):
            near[u] = NEVER
    for i in range(size):
        near[columns[i]], parents[columns[i]] = local.near[i], local.parents[i]
    return value


@lean_kernel
def gather(lists: Lists, child: int) -> None:
    """The correlations, floors and costs of a child's list, which is new."""
    score, columns, size = lists.score, lists.columns[child], lists.sizes[child]
    for i in range(size):
        lists.floors[child, i] = score.floors[columns[i]]
        lists.costs[child, 0, i] = score.costs[child, columns[i]]
        for j in range(size):
            lists.correlations[child, i, j] = score.correlations[columns[i], columns[j]]


@lean
def _enter(score, member, k, child, rows, left, shared):
    """Make a column member k: what the members leave of all columns, and what these share with the child then."""
    corr, row, n = score.correlations, rows[k], left.shape[0]
    scale = inverse_root(left[member], score.floors[member])
    for u in range(n):
        row[u] = corr[member, u]
    for j in range(k):
        a = rows[j, member]
        for u in range(n):
            row[u] -= a * rows[j, u]
    own = row[child] * scale
    for u in range(n):
        row[u] *= scale
        left[u] -= row[u] * row[u]
        shared[u] -= own * row[u]


@lean
def _shares(score, child, k, may, left, shared, shares):
    """The column that takes most of what k members leave of the child; -1: nobody raises the score.

    shares[u]: how much u takes, 0 where that does not raise the score.
    """
    own, power, best = max(left[child], score.floors[child]), score.power[k + 1], -1
    common = score.base[k + 1] - score.base[k] - (power - score.power[k]) * math.log(own)
    for u in range(shares.shape[0]):
        shares[u] = 0.0
        if may[u] and left[u] > score.floors[u]:
            share = shared[u] * shared[u] / (own * left[u])
            gain = common - score.costs[child, u] - power * math.log(max(1.0 - share, score.floors[child] / own))
            if gain - score.det_weight * math.log(left[u]) > 0.0:
                shares[u] = share
                if best < 0 or share > shares[best]:
                    best = u
    return best


class Screen(NamedTuple):
    """Room for looking at all columns as parents of one."""

    may: BoolArray
    rows: FloatArray  # (members, n)
    left: FloatArray
    shared: FloatArray
    shares: FloatArray
    merits: FloatArray


@lean
def _begin(score, child, screen):
    for u in range(screen.left.shape[0]):
        screen.left[u], screen.shared[u] = 1.0, score.correlations[child, u]


@lean_kernel
def outside(score: Factored, child: int, members: IntArray, screen: Screen) -> bool:
    """Whether columns that may join would raise the child's score beside its parents, `members`: see `shares`."""
    _begin(score, child, screen)
    for k in range(members.shape[0]):
        _enter(score, members[k], k, child, screen.rows, screen.left, screen.shared)
    return _shares(score, child, members.shape[0], screen.may, screen.left, screen.shared, screen.shares) >= 0


@lean_kernel
def regress(score: Factored, child: int, steps: int, screen: Screen) -> None:
    """Forward selection among all columns that may be parents, wherever they stand in an order.

    Columns that would raise the score at some step get merits: by the first such step, then by the share that they
    would have taken. It ends when nobody raises the score.
    """
    _begin(score, child, screen)
    for u in range(screen.merits.shape[0]):
        screen.merits[u] = 0.0
    for k in range(steps):
        best = _shares(score, child, k, screen.may, screen.left, screen.shared, screen.shares)
        if best < 0:
            return
        for u in range(screen.merits.shape[0]):
            if screen.merits[u] == 0.0 and screen.shares[u] > 0.0:
                screen.merits[u] = steps - k + screen.shares[u]
        screen.may[best] = False
        _enter(score, best, k, child, screen.rows, screen.left, screen.shared)
