"""Product kernels. How near row i is to a point is

    w_i = exp(-sum_j rates[j] D_j),  D_j = (x_j - x_ij)^2 of a number, 1 or 0 of levels that differ or not.

So w is 1 at the row itself, and a column with rate 0 does not matter. Weights below e^-FAR are 0: next to a prior that
is worth one row they add nothing. Arrays of points are (columns, points); levels are codes, and `levels[j]` tells
columns of levels from numbers.
"""

import math

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.types import BoolArray, FloatArray, IntArray

FAR = 40.0


@inner
def _distance(a, b, is_levels):
    if is_levels:
        return 0.0 if a == b else 1.0
    return (a - b) * (a - b)


@inner
def _weight(points, q, rows, i, levels, rates):
    total = 0.0
    for j in range(len(rates)):
        total += rates[j] * _distance(points[j, q], rows[j, i], levels[j])
        if total > FAR:
            return 0.0
    return math.exp(-total)


@kernel
def weighted_sums(
    points: FloatArray, rows: FloatArray, levels: BoolArray, rates: FloatArray, values: FloatArray
) -> FloatArray:
    """(points, k): sum over rows of w_i values[i], for values (rows, k)."""
    n_points, n_rows, k_all = points.shape[1], rows.shape[1], values.shape[1]
    found = np.zeros((n_points, k_all))
    for q in range(n_points):
        for i in range(n_rows):
            w = _weight(points, q, rows, i, levels, rates)
            if w == 0.0:
                continue
            for k in range(k_all):
                found[q, k] += w * values[i, k]
    return found


@kernel
def smoothed(
    points: FloatArray, at: FloatArray, rows: FloatArray, own: FloatArray, levels: BoolArray, rates: FloatArray,
    rate: float,
) -> FloatArray:  # fmt: skip
    """(points, 2): sums over rows of w_i exp(-rate (at - own_i)^2), and of w_i. The child is `at` and `own`."""
    n_points, n_rows = points.shape[1], rows.shape[1]
    found = np.zeros((n_points, 2))
    for q in range(n_points):
        for i in range(n_rows):
            w = _weight(points, q, rows, i, levels, rates)
            if w == 0.0:
                continue
            away = rate * (at[q] - own[i]) * (at[q] - own[i])
            found[q, 0] += w * math.exp(-away) if away < FAR else 0.0
            found[q, 1] += w
    return found


@kernel
def picked(points: FloatArray, rows: FloatArray, levels: BoolArray, rates: FloatArray, uniform: FloatArray) -> IntArray:
    """For each point a row drawn in proportion to w; the nearest where all are too far to tell."""
    n_points, n_rows = points.shape[1], rows.shape[1]
    found, weights = np.empty(n_points, dtype=np.int64), np.empty(n_rows)
    for q in range(n_points):
        total, best = 0.0, 0
        for i in range(n_rows):
            weights[i] = _weight(points, q, rows, i, levels, rates)
            total += weights[i]
            best = i if weights[i] > weights[best] else best
        left, i = uniform[q] * total, 0
        while i < n_rows - 1 and left >= weights[i]:
            left -= weights[i]
            i += 1
        found[q] = i if weights[i] > 0.0 else best
    return found


@kernel
def left_out(
    rows: FloatArray, levels: BoolArray, rates: FloatArray, height: float, before: FloatArray, slopes: FloatArray
) -> float:
    """The log-likelihood of each row's child given the others, by the other rows; the child is column 0.

        sum_i ln (A_i + before_i) / (S_i + 1),  A_i = height sum_k w_ik v_ik,  S_i = sum_k w_ik,  over k other than i,

    with w of the parents and v = exp(-rates[0] D_0). slopes: its derivatives by each rate, and by ln height, last.
    """
    n_columns, n = rows.shape
    near, joint = np.zeros((n, n_columns + 1)), np.zeros((n, n_columns + 1))  # sums, and sums times each D
    apart = np.empty(n_columns)
    for i in range(n):
        for k in range(i):
            total = 0.0
            for j in range(1, n_columns):
                apart[j] = _distance(rows[j, i], rows[j, k], levels[j])
                total += rates[j] * apart[j]
            if total > FAR:
                continue
            apart[0] = _distance(rows[0, i], rows[0, k], levels[0])
            w, own = math.exp(-total), rates[0] * apart[0]
            v = w * math.exp(-own) * height if own < FAR else 0.0
            near[i, n_columns] += w
            near[k, n_columns] += w
            joint[i, n_columns] += v
            joint[k, n_columns] += v
            for j in range(n_columns):
                near[i, j] += w * apart[j]
                near[k, j] += w * apart[j]
                joint[i, j] += v * apart[j]
                joint[k, j] += v * apart[j]
    found = 0.0
    for j in range(n_columns + 1):
        slopes[j] = 0.0
    for i in range(n):
        a, s = joint[i, n_columns] + before[i], near[i, n_columns] + 1.0
        found += math.log(a) - math.log(s)
        slopes[n_columns] += joint[i, n_columns] / a
        slopes[0] -= joint[i, 0] / a
        for j in range(1, n_columns):
            slopes[j] += near[i, j] / s - joint[i, j] / a
    return found
