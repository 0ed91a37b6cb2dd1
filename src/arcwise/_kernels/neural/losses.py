"""What a network's outputs z say about the targets of a stretch of rows: losses, and their derivatives by z.

All loops run over the rows of one output at a time and touch few arrays, so that they become vector instructions.
"""

import numpy as np

from arcwise._kernels.compiled import inner, kernel

FAST = {"reassoc", "contract", "nsz"}  # sums by vector instructions; no value is assumed to be finite
MOST_LOG_SD = 20.0  # wider than any standardized column
GROUP = 16  # rows whose factors are multiplied before a logarithm is taken: the product stays within 1e-150..1e150
HALF_LOG_TWO_PI = 0.9189385332046727
LOG2_E = 1.4426950408889634
LN2_HIGH = 6.93145751953125e-1  # ln 2 in two parts: multiples of the first are exact
LN2_LOW = 1.42860682030941723212e-6
ROUNDER = 6755399441055744.0  # 1.5 * 2^52: added to a small number, it leaves the nearest integer in the lowest bits


@kernel(fastmath={"contract", "nsz"})  # reassociation would undo the rounding
def exp(x: float) -> float:
    """e^x to the last bit or two, without branches: x = k ln 2 + r, |r| <= ln 2 / 2, a Taylor polynomial for e^r.

    x is clipped to -708..708, so that the result is never 0 nor infinite.
    """
    x = min(max(x, -708.0), 708.0)
    shifted = x * LOG2_E + ROUNDER
    k = shifted - ROUNDER
    r = x - k * LN2_HIGH - k * LN2_LOW
    p = 1 / 6227020800.0
    p = p * r + 1 / 479001600.0
    p = p * r + 1 / 39916800.0
    p = p * r + 1 / 3628800.0
    p = p * r + 1 / 362880.0
    p = p * r + 1 / 40320.0
    p = p * r + 1 / 5040.0
    p = p * r + 1 / 720.0
    p = p * r + 1 / 120.0
    p = p * r + 1 / 24.0
    p = p * r + 1 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    exponent = (np.float64(shifted).view(np.int64) + 1023) << 52
    return p * np.int64(exponent).view(np.float64)


@inner(fastmath=FAST, error_model="numpy")
def sum_of_logs(factors, rows):
    """sum_i ln factors[i], with one logarithm for every few rows."""
    total = 0.0
    full = rows // GROUP
    for g in range(full):
        product = 1.0
        for i in range(GROUP):
            product *= factors[np.uintp(g * GROUP + i)]
        total += np.log(product)
    product = 1.0
    for i in range(full * GROUP, rows):
        product *= factors[np.uintp(i)]
    return total + np.log(product)


@inner(fastmath=FAST, error_model="numpy")
def softmax_loss(z, target, rows, top, total):
    """-sum_i ln softmax(z_i)[target_i]; z (levels, rows) becomes the derivative, p_k - 1[target = k].

    target: codes. top and total: buffers.
    """
    levels = z.shape[0]
    for i in range(rows):
        top[i] = z[0, i]
        total[i] = 0.0
    for k in range(1, levels):
        for i in range(rows):
            top[i] = max(top[i], z[k, i])
    loss = 0.0
    for k in range(levels):
        for i in range(rows):
            z[k, i] -= top[i]
        for i in range(rows):
            loss -= z[k, i] if target[i] == k else 0.0
        for i in range(rows):
            z[k, i] = exp(z[k, i])
        for i in range(rows):
            total[i] += z[k, i]
    loss += sum_of_logs(total, rows)
    for i in range(rows):
        total[i] = 1.0 / total[i]
    for k in range(levels):
        for i in range(rows):
            z[k, i] = z[k, i] * total[i] - (1.0 if target[i] == k else 0.0)
    return loss


@inner(fastmath=FAST, error_model="numpy")
def mixture_loss(z, target, rows, floor, p, top, total, factor):
    """-sum_i ln sum_k alpha_k N(target_i; mu_k, sd_k); z (3 K, rows) becomes the derivative.

    z = (logits of alpha; mu; s), sd = floor + e^s. With the responsibilities p_k and q = (target - mu) / sd:
    dE/dz_alpha = alpha - p, dE/dz_mu = -p q / sd, dE/ds = p (1 - q^2) e^s / sd. p (K, rows), top and total (2, rows)
    and factor (rows,) are buffers; row 0 of top and total is about alpha, row 1 about alpha_k N.
    """
    order = z.shape[0] // 3
    for i in range(rows):
        top[0, i] = z[0, i]
        top[1, i] = -np.inf
        total[0, i] = 0.0
        total[1, i] = 0.0
    for k in range(1, order):
        for i in range(rows):
            top[0, i] = max(top[0, i], z[k, i])
    for k in range(order):
        mu, s = order + k, 2 * order + k
        for i in range(rows):  # s becomes 1 / sd
            z[s, i] = 1.0 / (floor + exp(min(z[s, i], MOST_LOG_SD)))
        for i in range(rows):  # mu becomes q
            z[mu, i] = (target[i] - z[mu, i]) * z[s, i]
        for i in range(rows):
            p[k, i] = z[k, i] - 0.5 * z[mu, i] * z[mu, i]
        for i in range(rows):
            top[1, i] = max(top[1, i], p[k, i])
    for k in range(order):
        s = 2 * order + k
        for i in range(rows):
            z[k, i] = exp(z[k, i] - top[0, i])
        for i in range(rows):
            total[0, i] += z[k, i]
        for i in range(rows):
            p[k, i] = exp(p[k, i] - top[1, i]) * z[s, i]
        for i in range(rows):
            total[1, i] += p[k, i]
    loss = rows * HALF_LOG_TWO_PI
    for i in range(rows):
        loss += top[0, i] - top[1, i]
    for i in range(rows):
        factor[i] = total[0, i] / total[1, i]
    loss += sum_of_logs(factor, rows)
    for part in range(2):
        for i in range(rows):
            total[part, i] = 1.0 / total[part, i]
    for k in range(order):
        mu, s = order + k, 2 * order + k
        for i in range(rows):
            p[k, i] *= total[1, i]
        for i in range(rows):
            z[k, i] = z[k, i] * total[0, i] - p[k, i]
        for i in range(rows):
            q, inverse = z[mu, i], z[s, i]
            z[mu, i] = -p[k, i] * q * inverse
            z[s, i] = p[k, i] * (1.0 - q * q) * (1.0 - floor * inverse)
    return loss
