"""Sums over the cells of count tables: sum_jk f(N_jk) - sum_j g(N_j), the data part of every discrete score.

f and g are *cell functions*, each a row of `values` (tabulated for small counts) with the formula for large ones:

    shift[s] <  0 :  k ln k                          (log-likelihood)
    shift[s] >= 0 :  ln Gamma(a + k) - ln Gamma(a)   (Bayesian-Dirichlet, pseudo-count a = shift[s])

Both are 0 at k = 0, so empty cells and empty parent configurations drop out.
"""

import math

import numpy as np
from numba import njit

HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)


@njit(cache=True, nogil=True)
def _log_gamma_large(x):
    """Stirling's series; with x >= 64 the first omitted term is below 1e-16."""
    inverse = 1.0 / x
    square = inverse * inverse
    series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0)))
    return (x - 0.5) * math.log(x) - x + HALF_LOG_2PI + series


@njit(cache=True, nogil=True)
def cell_function(shift, size):
    """Tabulate one cell function for k = 0..size-1."""
    out = np.empty(size, dtype=np.float64)
    out[0] = 0.0
    if shift < 0.0:
        for k in range(1, size):
            out[k] = k * math.log(k)
    else:
        origin = math.lgamma(shift)
        for k in range(1, size):
            x = shift + k
            out[k] = (_log_gamma_large(x) if x >= 64.0 else math.lgamma(x)) - origin
    return out


@njit(cache=True, nogil=True)
def _cell(values, shift, origin, slot, k):
    if k < values.shape[1]:
        return values[slot, k]
    if shift[slot] < 0.0:
        return k * math.log(k)
    return _log_gamma_large(shift[slot] + k) - origin[slot]


@njit(cache=True, nogil=True)
def sum_lanes(totals, table, card, widths, starts, cell_slots, config_slots, values, shift, origin):
    """Family sums for a common base and many candidates u, from `tally_lanes` with members = base parents + child.

    widths[t], starts[t]: levels and first lane of candidate t. A family's configurations are (base code j, level a).
    """
    n_base = totals.shape[0] // card
    k = widths.shape[0]
    out = np.zeros(k, dtype=np.float64)
    column = np.empty(card, dtype=np.int64)
    for t in range(k):
        f = cell_slots[t]
        g = config_slots[t]
        start = starts[t]
        total = 0.0
        for j in range(n_base):
            for c in range(card):
                column[c] = totals[j * card + c]
            for a in range(1, widths[t]):
                configuration = 0
                for c in range(card):
                    count = table[j * card + c, start + a - 1]
                    if count > 0:
                        total += _cell(values, shift, origin, f, count)
                        configuration += count
                        column[c] -= count
                if configuration > 0:
                    total -= _cell(values, shift, origin, g, configuration)
            configuration = 0
            for c in range(card):  # what is left has level 0
                count = column[c]
                if count > 0:
                    total += _cell(values, shift, origin, f, count)
                    configuration += count
            if configuration > 0:
                total -= _cell(values, shift, origin, g, configuration)
        out[t] = total
    return out


@njit(cache=True, nogil=True)
def sum_tables(flat, offsets, card, cell_slots, config_slots, values, shift, origin):
    """Family sums of dense tables laid end to end in `flat` (see `tally_families`)."""
    k = offsets.shape[0] - 1
    out = np.zeros(k, dtype=np.float64)
    for t in range(k):
        f = cell_slots[t]
        g = config_slots[t]
        total = 0.0
        for j in range(offsets[t], offsets[t + 1], card):
            configuration = 0
            for c in range(card):
                count = flat[j + c]
                if count > 0:
                    total += _cell(values, shift, origin, f, count)
                    configuration += count
            if configuration > 0:
                total -= _cell(values, shift, origin, g, configuration)
        out[t] = total
    return out


@njit(cache=True, nogil=True)
def sum_sparse(keys, counts, card, f, g, values, shift, origin):
    """Family sum of a table given by its non-empty cells, keys sorted: key = parents' code * card + child code."""
    total = 0.0
    configuration = 0
    for i in range(keys.shape[0]):
        total += _cell(values, shift, origin, f, counts[i])
        configuration += counts[i]
        if i + 1 == keys.shape[0] or keys[i + 1] // card != keys[i] // card:
            total -= _cell(values, shift, origin, g, configuration)
            configuration = 0
    return total
