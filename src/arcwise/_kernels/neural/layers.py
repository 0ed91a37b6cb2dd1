"""A network with one layer of tanh units: its outputs for a stretch of rows, and the way back.

Rows come in blocks of STRETCH, inputs (blocks, p, STRETCH), so that everything about a block stays in the first cache.
weights = (h rows of p weights and a bias; o rows of h weights and a bias). Without hidden units the outputs are
biases: that is a network without inputs.
"""

import numpy as np

from arcwise._kernels.compiled import inner
from arcwise._kernels.neural.losses import FAST, exp

STRETCH = 128


@inner(fastmath=FAST)
def weighted_sums(weights, values, rows, out):
    """out[o, i] = sum_u weights[o, u] values[u, i] + weights[o, last]."""
    n = weights.shape[1] - 1
    for o in range(weights.shape[0]):
        bias = weights[o, n]
        for i in range(rows):
            out[o, i] = bias
        whole = n // 4
        for quad in range(whole):
            u = np.uintp(4 * quad)
            a, b, c, d = weights[o, u], weights[o, u + 1], weights[o, u + 2], weights[o, u + 3]
            for i in range(rows):
                out[o, i] += a * values[u, i] + b * values[u + 1, i] + c * values[u + 2, i] + d * values[u + 3, i]
        for u in range(4 * whole, n):
            v = np.uintp(u)
            a = weights[o, v]
            for i in range(rows):
                out[o, i] += a * values[v, i]


@inner(fastmath=FAST)
def add_products(derivatives, values, rows, out):
    """out[o, u] += sum_i derivatives[o, i] values[u, i]; the last column takes sum_i derivatives[o, i]."""
    n = out.shape[1] - 1
    for o in range(out.shape[0]):
        whole = n // 4
        for quad in range(whole):
            u = np.uintp(4 * quad)
            a = b = c = d = 0.0
            for i in range(rows):
                by = derivatives[o, i]
                a += by * values[u, i]
                b += by * values[u + 1, i]
                c += by * values[u + 2, i]
                d += by * values[u + 3, i]
            out[o, u] += a
            out[o, u + 1] += b
            out[o, u + 2] += c
            out[o, u + 3] += d
        for u in range(4 * whole, n):
            v = np.uintp(u)
            a = 0.0
            for i in range(rows):
                a += derivatives[o, i] * values[v, i]
            out[o, v] += a
        a = 0.0
        for i in range(rows):
            a += derivatives[o, i]
        out[o, n] += a


@inner(fastmath=FAST, error_model="numpy")
def tanh_in_place(values, rows):
    """tanh x = 1 - 2 / (1 + e^2x)."""
    for u in range(values.shape[0]):
        for i in range(rows):
            values[u, i] = 1.0 - 2.0 / (1.0 + exp(2.0 * values[u, i]))


@inner(fastmath=FAST)
def hidden_derivatives(derivatives, weights, hidden, rows, out):
    """out[u, i] = (1 - hidden[u, i]^2) sum_o derivatives[o, i] weights[o, u]."""
    for u in range(hidden.shape[0]):
        for i in range(rows):
            out[u, i] = 0.0
        whole = derivatives.shape[0] // 3
        for third in range(whole):
            o = np.uintp(3 * third)
            a, b, c = weights[o, u], weights[o + 1, u], weights[o + 2, u]
            for i in range(rows):
                out[u, i] += a * derivatives[o, i] + b * derivatives[o + 1, i] + c * derivatives[o + 2, i]
        for o in range(3 * whole, derivatives.shape[0]):
            v = np.uintp(o)
            a = weights[v, u]
            for i in range(rows):
                out[u, i] += a * derivatives[v, i]
        for i in range(rows):
            out[u, i] *= 1.0 - hidden[u, i] * hidden[u, i]
