"""Numbers of a row some of which are hidden, in a network of linear Gaussians: what the others say about them.

Every linear Gaussian says that r = b + G u is normal with mean 0 and variance 1, with u the hidden numbers and b what r
is where they are 0. So the mean of u is the least-squares solution, with the triangle R of G = Q R its covariance is
R^-1 R^-T, and the density of what is recorded is exp(-|r|^2 / 2) / |det R| at the solution, times a constant.

Not by sums of products G'G: they square the condition, which takes half of the digits where noise is tiny.
"""

import math
from typing import NamedTuple

from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.types import BoolArray, FloatArray, IntArray


class Rows(NamedTuple):
    residuals: FloatArray  # (rows, equations): b
    plays: BoolArray  # (rows, equations): whether the equation of a node is one of the row
    hidden: BoolArray  # (rows, nodes)


class Room(NamedTuple):
    """For one row at a time."""

    matrix: FloatArray  # (equations, nodes): G, then R
    inverse: FloatArray  # (nodes, nodes)
    right: FloatArray  # (equations,)
    node: IntArray  # the hidden ones


@lean
def _triangle(room, n_equations, m):
    """Householder reflections: room.matrix becomes R, room.right goes with it."""
    g, right = room.matrix, room.right
    for k in range(m):
        norm = 0.0
        for e in range(k, n_equations):
            norm += g[e, k] * g[e, k]
        norm = math.sqrt(norm)
        alpha = -norm if g[k, k] > 0.0 else norm
        pivot = g[k, k] - alpha
        if pivot == 0.0:
            continue
        g[k, k] = pivot
        scale = -1.0 / (alpha * pivot)  # 2 / |v|^2
        for j in range(k + 1, m + 1):
            total = 0.0
            for e in range(k, n_equations):
                total += g[e, k] * (g[e, j] if j < m else right[e])
            total *= scale
            for e in range(k, n_equations):
                if j < m:
                    g[e, j] -= total * g[e, k]
                else:
                    right[e] -= total * g[e, k]
        g[k, k] = alpha


@lean_kernel
def condition(
    matrix: FloatArray,
    rows: Rows,
    first: int,
    last: int,
    room: Room,
    means: FloatArray,
    covariances: FloatArray,
    logs: FloatArray,
) -> None:
    """Of rows first to last - 1: the means of hidden numbers, their covariances, and ln p(recorded) but for a constant.

    matrix: (equations, nodes): k of the node itself, and - k times the slope of each parent. covariances: (rows, nodes,
    nodes), or empty if they are not wanted. Means and covariances of recorded numbers are left as they are.
    """
    n_nodes, wanted = matrix.shape[0], covariances.shape[0] > 0
    g, inverse, right, node = room.matrix, room.inverse, room.right, room.node
    for n in range(first, last):
        m = 0
        for v in range(n_nodes):
            if rows.hidden[n, v] and rows.plays[n, v]:
                node[m] = v
                m += 1
        count = 0
        for e in range(n_nodes):
            if rows.plays[n, e]:
                for k in range(m):
                    g[count, k] = matrix[e, node[k]]
                right[count] = rows.residuals[n, e]
                count += 1
        _triangle(room, count, m)
        found = 0.0
        for e in range(m, count):
            found -= 0.5 * right[e] * right[e]
        for k in range(m - 1, -1, -1):
            found -= math.log(abs(g[k, k]))
            total = -right[k]
            for j in range(k + 1, m):
                total -= g[k, j] * means[n, node[j]]
            means[n, node[k]] = total / g[k, k]
        logs[n] = found
        if not wanted:
            continue
        for j in range(m):
            inverse[j, j] = 1.0 / g[j, j]
            for k in range(j - 1, -1, -1):
                total = 0.0
                for i in range(k + 1, j + 1):
                    total -= g[k, i] * inverse[i, j]
                inverse[k, j] = total / g[k, k]
        for j in range(m):
            for k in range(j + 1):
                total = 0.0
                for i in range(j, m):
                    total += inverse[j, i] * inverse[k, i]
                covariances[n, node[j], node[k]] = total
                covariances[n, node[k], node[j]] = total
