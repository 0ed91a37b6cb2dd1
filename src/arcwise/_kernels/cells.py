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
def find_slots(pseudo_counts, shift, n_slots):
    """(row of each pseudo-count among the first n_slots of `shift`, whether all were found)."""
    out = np.empty(pseudo_counts.shape[0], dtype=np.int64)
    slot = 0
    for i in range(pseudo_counts.shape[0]):
        if slot == n_slots or shift[slot] != pseudo_counts[i]:  # often the same as the one before
            slot = 0
            while slot < n_slots and shift[slot] != pseudo_counts[i]:
                slot += 1
        if slot == n_slots:
            return out, False
        out[i] = slot
    return out, True


@njit(cache=True, nogil=True)
def _cell(values, shift, origin, slot, k):
    if k < values.shape[1]:
        return values[slot, k]
    if shift[slot] < 0.0:
        return k * math.log(k)
    return _log_gamma_large(shift[slot] + k) - origin[slot]


@njit(cache=True, nogil=True)
def sum_lanes(totals, table, cards, lane_of, child, extras, way, cell_slots, config_slots, values, shift, origin, out):
    """Family sums for a common base and many candidates, from `tally_lanes`; into out[s] where way[s] is 0 (LANES).

    Candidate s is extras[s, 0]; -1 stands for none, whose only level is 0. A family's configurations are (base code j, level a of the candidate).
    """
    card = cards[child]
    chosen = np.flatnonzero(way == 0)
    k = chosen.shape[0]
    starts = np.zeros(k, dtype=np.int64)
    stops = np.zeros(k, dtype=np.int64)
    for t in range(k):
        u = extras[chosen[t], 0] if extras.shape[1] > 0 else -1
        if u >= 0:
            starts[t] = lane_of[u]
            stops[t] = lane_of[u] + cards[u] - 1
    configurations = np.empty(table.shape[1], dtype=np.int64)
    rests = np.empty(k, dtype=np.int64)  # of each candidate's level 0
    sums = np.zeros(k, dtype=np.float64)
    for first in range(0, totals.shape[0], card):
        configurations[:] = 0
        rests[:] = 0
        occupied = False
        for cell in range(first, first + card):
            if totals[cell] == 0:
                continue
            occupied = True
            row = table[cell]
            for lane in range(row.shape[0]):
                configurations[lane] += row[lane]
            for t in range(k):
                f = cell_slots[chosen[t]]
                rest = np.int64(totals[cell])
                total = 0.0
                for lane in range(starts[t], stops[t]):
                    count = np.int64(row[lane])
                    total += _cell(values, shift, origin, f, count)
                    rest -= count
                sums[t] += total + _cell(values, shift, origin, f, rest)
                rests[t] += rest
        if occupied:
            for t in range(k):
                g = config_slots[chosen[t]]
                total = _cell(values, shift, origin, g, rests[t])
                for lane in range(starts[t], stops[t]):
                    total += _cell(values, shift, origin, g, configurations[lane])
                sums[t] -= total
    for t in range(k):
        out[chosen[t]] = sums[t]


@njit(cache=True, nogil=True)
def sum_dense(flat, offsets, card, cell_slots, config_slots, values, shift, origin, out):
    """Family sums of dense tables laid end to end (see `tally_dense`); out[s] where table s is not an empty stretch."""
    for s in range(offsets.shape[0] - 1):
        if offsets[s] == offsets[s + 1]:
            continue
        f = cell_slots[s]
        g = config_slots[s]
        total = 0.0
        for first in range(offsets[s], offsets[s + 1], card):
            configuration = 0
            for cell in range(first, first + card):
                count = flat[cell]
                if count > 0:
                    total += _cell(values, shift, origin, f, count)
                    configuration += count
            if configuration > 0:
                total -= _cell(values, shift, origin, g, configuration)
        out[s] = total


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
