"""Rows as regressions see them: features of columns row by row, and sums over the rows.

A family's members, in the order in which they entered a Cholesky factor, are features of its parents and then products
of two of these. All sums are over rows in one order, so that they are the same on any number of threads.
"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, lean
from arcwise._kernels.features.smooth_families import FLOOR, Room, SmoothFamilies
from arcwise._kernels.gaussian.cholesky import Factor
from arcwise._kernels.types import FloatArray, IntArray

TAILS = (0.5, 0.6, 0.75, 0.9, 1.0, 1.15, 1.35, 1.7, 2.1, 2.6, 3.2)  # of a bent scale: above 1 they are stretched
UNBENT = 4
SKEWS = (-1.5, -1.0, -0.7, -0.45, -0.2, 0.0, 0.2, 0.45, 0.7, 1.0, 1.5)
STRAIGHT = 5
MOST_PRODUCTS = 36  # of one pair
TIE = 1e-9
ENOUGH = 0.1  # nats that another step must bring


class Regression(NamedTuple):
    """features (d, rows), codes (columns, rows) of levels, weights of rows (their sum is n_rows).

    cardinalities: 0 for numbers, -1 where one of them is so frequent that rows say nothing of a density's shape.
    """

    families: SmoothFamilies
    features: FloatArray
    codes: IntArray
    cardinalities: IntArray
    weights: FloatArray
    weighted: bool


class Workspace(NamedTuple):
    """Memory for one family. products: those in the factor, then those that are tried; pairs: the features of each.

    angles: asinh of the child's normal scores; slopes: see `_log_slopes`.
    found: how many members the factor has, how many of these are features, members of the spread, tail and skew.
    """

    room: Room
    products: FloatArray
    residual: FloatArray
    squares: FloatArray
    exponents: FloatArray
    fitted: FloatArray
    ratios: FloatArray
    angles: FloatArray
    slopes: FloatArray
    tried: FloatArray
    spread: Factor
    gradient: FloatArray
    steps: FloatArray
    bent: FloatArray
    pairs: IntArray
    found: IntArray
    counts: IntArray


def empty_workspace() -> Workspace:
    """One without room, of the same type."""
    flat, square, whole = np.empty(0), np.empty((0, 0)), np.empty(0, dtype=np.int64)
    factor = Factor(square, flat, whole)
    return Workspace(
        room=Room(factor, square, square, whole),
        products=square,
        residual=flat,
        squares=flat,
        exponents=flat,
        fitted=flat,
        ratios=flat,
        angles=flat,
        slopes=square,
        tried=square,
        spread=factor,
        gradient=flat,
        steps=flat,
        bent=flat,
        pairs=np.empty((0, 2), dtype=np.int64),
        found=whole,
        counts=whole,
    )


@inner
def workspace(data, child, columns_at_once, widest):
    families = data.families
    own = families.starts[child + 1] - families.starts[child]
    n = data.features.shape[1]
    size = widest + 2
    for p in range(columns_at_once):
        size += MOST_PRODUCTS if p > 0 else 0
    room = Room(
        Factor(np.empty((size, size)), np.empty(size), np.empty(size, dtype=np.int64)),
        np.empty((max(own, 1), size)),
        np.empty((max(own, 1), max(own, 1))),
        np.empty(size, dtype=np.int64),
    )
    work = Workspace(
        room=room,
        products=np.empty((size - widest - 2, n)),
        residual=np.empty(n),
        squares=np.empty(n),
        exponents=np.empty(n),
        fitted=np.empty(n),
        ratios=np.empty(n),
        angles=np.empty(n),
        slopes=np.empty((len(TAILS), len(SKEWS))),
        tried=np.empty((len(TAILS), len(SKEWS))),
        spread=Factor(np.empty((widest + 1, widest + 1)), np.empty(widest + 1), np.empty(widest + 1, dtype=np.int64)),
        gradient=np.empty(size),
        steps=np.empty(size),
        bent=np.empty(size),
        pairs=np.empty((size - widest - 2, 2), dtype=np.int64),
        found=np.zeros(5, dtype=np.int64),
        counts=np.empty(2 + columns_at_once * columns_at_once + 2 * columns_at_once, dtype=np.int64),
    )
    if own > 0:
        scores = data.features[families.starts[child]]
        for i in range(n):
            work.angles[i] = math.asinh(scores[i])
    for tail in range(len(TAILS)):
        for skew in range(len(SKEWS)):
            work.slopes[tail, skew] = math.nan
    work.slopes[UNBENT, STRAIGHT] = 0.0
    return work


@lean(fastmath={"reassoc", "nsz"})
def dot(a, b):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


@lean(fastmath={"reassoc", "nsz"})
def dot3(a, b, w):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i] * w[i]
    return total


@lean
def moment(data, a, b):
    """The mean of a b over the rows."""
    if data.weighted:
        return dot3(a, b, data.weights) / data.families.n_rows
    return dot(a, b) / data.families.n_rows


@lean(fastmath={"reassoc", "nsz"})
def product(data, f, g, out):
    """The product of two features less its mean, with variance 1; False where it is constant."""
    a, b, n = data.features[f], data.features[g], 0.0
    for i in range(out.shape[0]):
        out[i] = a[i] * b[i]
    mean = dot(out, data.weights) / data.families.n_rows
    for i in range(out.shape[0]):
        out[i] -= mean
    n = moment(data, out, out)
    if n < FLOOR:
        return False
    n = 1.0 / math.sqrt(n)
    for i in range(out.shape[0]):
        out[i] *= n
    return True


@lean(fastmath={"reassoc", "nsz"})
def subtract(target, other, by):
    for i in range(target.shape[0]):
        target[i] -= by * other[i]


@lean
def residuals(data, work, child, rank, n_features):
    """What the members leave of the child's first feature, row by row; the mean of their squares."""
    rows, scale, members = work.room.factor
    beta, own, residual = work.gradient, work.room.own[0], work.residual
    for c in range(rank - 1, -1, -1):
        value = own[c]
        for e in range(c + 1, rank):
            value -= rows[e, c] * beta[e]
        beta[c] = value * scale[c]
    z = data.features[data.families.starts[child]]
    for i in range(residual.shape[0]):
        residual[i] = z[i]
    for c in range(rank):
        other = data.features[members[c]] if c < n_features else work.products[members[c]]
        b = beta[c]
        for i in range(residual.shape[0]):
            residual[i] -= b * other[i]
    return max(moment(data, residual, residual), FLOOR)
