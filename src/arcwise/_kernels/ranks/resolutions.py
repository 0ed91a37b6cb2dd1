"""Bayes factors of dependence in one subset of the rows, at gradually finer resolutions.

A variable's rows arrive as fine labels 0..L-1; fold[r, label] is the label at resolution r (2^(r+1) bins), counts[r, k]
the rows of bin k and sizes[r] the number of bins K that hold rows. At one resolution, with c_ij the rows in cell (i, j)
of A and B, K = K_A K_B and n rows, one pseudo-count a cell and margins that agree with it,

    ln BF = ln G(K + n) - ln G(K) + sum_ij ln c_ij!
            - sum_i [ln G(K_B + c_i+) - ln G(K_B)] - sum_j [ln G(K_A + c_+j) - ln G(K_A)].

Where Z is constant, {X, Y} is set against the best that could be seen: a Z that halves its cells, c_ij = c_i+ / 2.

Empty cells add nothing, so only cells with rows in them are looked at: in a dense table where that is not much larger
than n, else by sorting. All sums run in the order of the labels, so the order of the rows changes no bit.
"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel, lean
from arcwise._kernels.types import FloatArray, Int32Array, IntArray


class Bins(NamedTuple):
    """Of every variable: labels[v, row], fold[v, r, label], counts[v, r, bin] and sizes[v, r]."""

    labels: Int32Array
    fold: Int32Array
    counts: Int32Array
    sizes: IntArray


class Space(NamedTuple):
    """Room to work in: two rows of ids and of their counts; cells of a dense table, zero between two uses.

    found[t]: ln BF of test t; factors[t, r]: the same at one resolution; used[t]: the number of these.
    """

    ids: Int32Array
    id_counts: Int32Array
    cells: Int32Array
    found: FloatArray
    factors: FloatArray
    used: IntArray


@kernel
def log_factorials(size: int) -> FloatArray:
    """ln k! for k = 0 to size - 1."""
    out = np.empty(size, dtype=np.float64)
    for k in range(size):
        out[k] = math.lgamma(k + 1.0)
    return out


@lean
def _log_gamma(table, k):
    """ln Gamma(k), k >= 1, from the table of ln k! as far as it goes."""
    return table[k - 1] if k <= table.shape[0] else math.lgamma(float(k))


@lean
def _margin(table, counts, size, pseudo):
    """sum_i [ln Gamma(pseudo + c_i) - ln Gamma(pseudo)]."""
    total = -size * _log_gamma(table, pseudo)
    for i in range(size):
        total += _log_gamma(table, pseudo + counts[i])
    return total


@lean
def _is_dense(size, n, cells):
    return size <= 8 * n + 64 and size <= cells.shape[0]


@inner
def _by_value(values, size, order, n, out):
    """The rows of `order` by value, 0 to size - 1; those of one value as they came. O(n + size), nothing to compile."""
    ends = np.zeros(size + 1, dtype=np.int64)
    for i in range(n):
        ends[values[i] + 1] += 1
    for k in range(size):
        ends[k + 1] += ends[k]
    for i in range(n):
        row = order[i]
        out[ends[values[row]]] = row
        ends[values[row]] += 1


@inner
def _by_pairs(first, k_first, second, k_second, n):
    """The rows in the order of their pairs (first, second)."""
    rows, order = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    for i in range(n):
        order[i] = i
    _by_value(second, k_second, order, n, rows)
    _by_value(first, k_first, rows, n, order)
    return order


@lean
def coarsen(labels, fold, n, out):
    for i in range(n):
        out[i] = fold[labels[i]]


@inner
def extend(ids, known, labels, fold, size, n, counts, dense):
    """ids[i] <- rank of (ids[i], label of row i) among the pairs that occur; counts[id]: its rows. Their number.

    known: ids before; size: labels at this resolution. dense: zeros, and zeros again afterwards.
    """
    found = 0
    if _is_dense(known * size, n, dense):
        for i in range(n):
            key = ids[i] * size + fold[labels[i]]
            ids[i] = key
            dense[key] += 1
        for key in range(known * size):
            rows = dense[key]
            if rows > 0:
                counts[found] = rows
                dense[key] = found
                found += 1
        for i in range(n):
            ids[i] = dense[ids[i]]
        for key in range(known * size):
            dense[key] = 0
        return found
    second = np.empty(n, dtype=np.int32)
    coarsen(labels, fold, n, second)
    order = _by_pairs(ids, known, second, size, n)
    old, label = -1, -1
    for i in range(n):
        row = order[i]
        if ids[row] != old or second[row] != label:
            old, label = ids[row], second[row]
            counts[found] = 0
            found += 1
        ids[row] = found - 1
        counts[found - 1] += 1
    return found


@inner
def _cells(table, a, k_a, b, k_b, n, dense):
    """sum_ij ln c_ij! of the table of ids a against ids b."""
    total = 0.0
    if _is_dense(k_a * k_b, n, dense):
        for i in range(n):
            dense[a[i] * k_b + b[i]] += 1
        for key in range(k_a * k_b):
            total += table[dense[key]]
            dense[key] = 0
        return total
    order = _by_pairs(a, k_a, b, k_b, n)
    rows = 0
    for i in range(n):
        rows += 1
        if i + 1 == n or a[order[i + 1]] != a[order[i]] or b[order[i + 1]] != b[order[i]]:
            total += table[rows]
            rows = 0
    return total


@lean
def _log_bayes_factor(table, n, cells, a_counts, k_a, b_counts, k_b):
    """cells: sum of ln c_ij!. A side with one value tells nothing: exactly 0."""
    if k_a == 1 or k_b == 1:
        return 0.0
    both = k_a * k_b
    rows, columns = _margin(table, a_counts, k_a, k_b), _margin(table, b_counts, k_b, k_a)
    return _log_gamma(table, both + n) - _log_gamma(table, both) + cells - rows - columns


@lean
def _evenly_halved(table, n, counts, size):
    """ln BF of a Z with two values that halves each of these cells: the least that n rows in them can give."""
    if size == 1:
        return 0.0
    total = _log_gamma(table, 2 * size + n) - _log_gamma(table, 2 * size) - _margin(table, counts, size, 2)
    total -= 2.0 * (math.lgamma(size + 0.5 * n) - _log_gamma(table, size))
    for i in range(size):
        total += 2.0 * math.lgamma(1.0 + 0.5 * counts[i])
    return total


@lean
def _log_mean_exp(factors, t, n):
    """Of the first n factors of test t; 0 where there are none (a constant tells nothing)."""
    if n < 2:
        return factors[t, 0] if n == 1 else 0.0
    top = factors[t, 0]
    for r in range(1, n):
        top = max(top, factors[t, r])
    total = 0.0
    for r in range(n):
        total += math.exp(factors[t, r] - top)
    return top + math.log(total / n)


@lean
def _narrowest(sizes, r, n):
    """Fewest bins of a Z that varies; of those that do not, the two of a Z that would; without any, too many."""
    fewest = n + 1
    for v in range(2, sizes.shape[0]):
        fewest = min(fewest, sizes[v, r] if sizes[v, 0] > 1 else n + 1)
    return 2 if fewest > n and sizes.shape[0] > 2 else fewest


@inner
def _joined(bins, r, n, space):
    """Put the joint code of all Z at resolution r into ids[1]; its number of values."""
    b, sizes = space.ids[1], bins.sizes
    k_b = sizes[2, r]
    coarsen(bins.labels[2], bins.fold[2, r], n, b)
    for v in range(3, sizes.shape[0]):
        k_b = extend(b, k_b, bins.labels[v], bins.fold[v, r], sizes[v, r], n, space.id_counts[1], space.cells)
    return k_b


@inner
def log_bayes_factors(n, resolutions, bins, table, space):
    """Put into `found` the ln BF, averaged over resolutions, of the tests of one subset; whether some Z varies.

    found[0]: variable 0 (X) against 1 (Y); found[1]: {X, Y} against all others (Z) jointly; found[2 + k]: {X, Y}
    against Z_k. A test ends with the last resolution that has no more cells than rows, or with the first of all.
    """
    labels, fold, counts, sizes = bins
    found, factors, used = space.found, space.factors, space.used
    n_z = sizes.shape[0] - 2
    varies = False
    for v in range(2, 2 + n_z):
        varies = varies or sizes[v, 0] > 1
    for t in range(used.shape[0]):
        used[t] = 0
    a, b, a_counts, b_counts = space.ids[0], space.ids[1], space.id_counts[0], space.id_counts[1]
    for r in range(resolutions):
        k_x, k_y = sizes[0, r], sizes[1, r]
        if r > 0 and k_x * k_y > n and max(k_x, k_y) * _narrowest(sizes, r, n) > n:
            break  # {X, Y} has at least as many values as X or Y
        coarsen(labels[0], fold[0, r], n, a)
        k_a = extend(a, k_x, labels[1], fold[1, r], k_y, n, a_counts, space.cells)
        if r == 0 or (used[0] == r and k_x * k_y <= n):
            cells = 0.0
            for i in range(k_a):
                cells += table[a_counts[i]]
            factors[0, r] = _log_bayes_factor(table, n, cells, counts[0, r], k_x, counts[1, r], k_y)
            used[0] += 1
        for v in range(2, 2 + n_z):
            k_b = sizes[v, r]
            if k_b > 1 and (r == 0 or (used[v] == r and k_a * k_b <= n)):
                coarsen(labels[v], fold[v, r], n, b)
                cells = _cells(table, a, k_a, b, k_b, n, space.cells)
                factors[v, r] = _log_bayes_factor(table, n, cells, a_counts, k_a, counts[v, r], k_b)
                used[v] += 1
        if n_z == 0 or used[1] < r or (varies and n_z == 1):
            continue
        if not varies:
            if r == 0 or 2 * k_a <= n:
                factors[1, r] = _evenly_halved(table, n, a_counts, k_a)
                used[1] += 1
            continue
        k_b = _joined(bins, r, n, space)
        if r == 0 or k_a * k_b <= n:
            cells = _cells(table, a, k_a, b, k_b, n, space.cells)
            factors[1, r] = _log_bayes_factor(table, n, cells, a_counts, k_a, b_counts, k_b)
            used[1] += 1
    for t in range(used.shape[0]):
        found[t] = _log_mean_exp(factors, t, used[t])
    if n_z == 1 and varies:
        found[1] = found[2]
    return varies
