"""Sums over the cells of count tables: sum_jk f(N_jk) - sum_j g(N_j), the data part of every discrete score.

f and g are *cell functions*, each named by its pseudo-count a:

    a > 0 :  ln Gamma(a + k) - ln Gamma(a)   (Bayesian-Dirichlet)
    a < 0 :  k ln k                          (log-likelihood)

Both are 0 at k = 0, so empty cells and empty parent configurations drop out.
"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, lean, lean_kernel
from arcwise._kernels.counts.counting import DENSE, LANES
from arcwise._kernels.counts.k_ln_k import k_ln_k
from arcwise._kernels.types import IntArray

HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)


class CellValues(NamedTuple):
    """Cell functions, tabulated for small k, the bulk of all cells. Only one thread at a time may work with them.

    ess < 0: log-likelihood. Otherwise a = ess / (q card) if `spread` (BDeu), else ess (K2), and g has a * card.
    """

    ess: float
    spread: bool
    values: np.ndarray  # [slot, k]
    pseudo: np.ndarray  # [slot]: a
    origin: np.ndarray  # [slot]: ln Gamma(a)
    used: np.ndarray  # [0]: slots that are taken, [1]: cells of large tables counted by planes for want of lanes


@lean
def _log_gamma_large(x):
    """Stirling's series; with x >= 64 the first omitted term is below 1e-16."""
    inverse = 1.0 / x
    square = inverse * inverse
    series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0)))
    return (x - 0.5) * math.log(x) - x + HALF_LOG_2PI + series


@lean
def cell_function(a, origin, k):
    """One value, worked out; origin is ln Gamma(a)."""
    if k == 0:
        return 0.0
    if a < 0.0:
        return k_ln_k(k)
    x = a + k
    return (_log_gamma_large(x) if x >= 64.0 else math.lgamma(x)) - origin


@lean
def _cell(values, pseudo, origin, slot, k):
    """One value of the cell function in this slot."""
    if k < values.shape[1]:
        return values[slot, k]
    return cell_function(pseudo[slot], origin[slot], k)


@lean
def _slot(a, values, pseudo, origin, used):
    """The slot of pseudo-count a, tabulated if it is new; -1 when there is no room for it."""
    for slot in range(used[0]):
        if pseudo[slot] == a:
            return slot
    slot = used[0]
    if slot == pseudo.shape[0]:
        return -1
    pseudo[slot] = a
    origin[slot] = math.lgamma(a) if a > 0.0 else 0.0
    values[slot, 0] = 0.0
    for k in range(1, values.shape[1]):
        if a > 0.0:  # Gamma(a + k) = (a + k - 1) Gamma(a + k - 1)
            values[slot, k] = values[slot, k - 1] + math.log(a + (k - 1))
        else:
            values[slot, k] = k_ln_k(k)
    used[0] = slot + 1
    return slot


@inner
def find_slots(q, card, cells):
    """(slot of f, slot of g) of each family with q configurations; a first slot of -1 means that the table is full."""
    ess, values, pseudo, origin, used = cells.ess, cells.values, cells.pseudo, cells.origin, cells.used
    slots = np.empty((q.shape[0], 2), dtype=np.int64)
    firsts = np.empty(q.shape[0], dtype=np.int64)  # families whose q is new: few, as few cardinalities differ
    n_firsts = 0
    for s in range(q.shape[0]):
        same = 0
        while same < n_firsts and q[firsts[same]] != q[s]:
            same += 1
        if same < n_firsts:
            slots[s, 0], slots[s, 1] = slots[firsts[same], 0], slots[firsts[same], 1]
            continue
        firsts[n_firsts] = s
        n_firsts += 1
        a = ess / (q[s] * card) if cells.spread and ess > 0.0 else ess
        slots[s, 0] = _slot(a, values, pseudo, origin, used)
        slots[s, 1] = _slot(a * card if ess > 0.0 else ess, values, pseudo, origin, used)
        if slots[s, 0] < 0 or slots[s, 1] < 0:
            slots[0, 0] = -1
            return slots
    return slots


@inner
def sum_lanes(totals, table, shape, child, plan, slots, cells, out):
    """Family sums for a common base and many candidates, from `tally_lanes`; into out[s] where way[s] is LANES.

    Candidate s is extras[s, 0]; -1 stands for none, whose only level is 0. A family's configurations are (base code j,
    level a of the candidate).
    """
    cards, lane_of, extras, way = shape.cards, shape.lane_of, plan.extras, plan.way
    values, pseudo, origin = cells.values, cells.pseudo, cells.origin
    card = cards[child]
    k = 0
    chosen = np.empty(way.shape[0], dtype=np.int64)
    lanes = np.zeros((way.shape[0], 2), dtype=np.int64)
    for s in range(way.shape[0]):
        if way[s] == LANES:
            u = extras[s, 0] if extras.shape[1] > 0 else -1
            if u >= 0:
                lanes[k, 0] = lane_of[u]
                lanes[k, 1] = lane_of[u] + cards[u] - 1
            chosen[k] = s
            out[s] = 0.0
            k += 1
    configurations = np.empty(table.shape[1], dtype=np.int64)
    rests = np.empty(k, dtype=np.int64)  # of each candidate's level 0
    for first in range(0, totals.shape[0], card):
        for lane in range(table.shape[1]):
            configurations[lane] = 0
        for t in range(k):
            rests[t] = 0
        occupied = False
        for cell in range(first, first + card):
            if totals[cell] == 0:
                continue
            occupied = True
            for lane in range(table.shape[1]):
                configurations[lane] += table[cell, lane]
            for t in range(k):
                f = slots[chosen[t], 0]
                rest = np.int64(totals[cell])
                total = 0.0
                for lane in range(lanes[t, 0], lanes[t, 1]):
                    count = np.int64(table[cell, lane])
                    total += _cell(values, pseudo, origin, f, count)
                    rest -= count
                out[chosen[t]] += total + _cell(values, pseudo, origin, f, rest)
                rests[t] += rest
        if occupied:
            for t in range(k):
                g = slots[chosen[t], 1]
                total = _cell(values, pseudo, origin, g, rests[t])
                for lane in range(lanes[t, 0], lanes[t, 1]):
                    total += _cell(values, pseudo, origin, g, configurations[lane])
                out[chosen[t]] -= total


@lean
def sum_dense(flat, card, plan, slots, cells, out):
    """Family sums of dense tables laid end to end (see `tally_dense`); into out[s] where way[s] is DENSE."""
    offsets, way = plan.offsets, plan.way
    values, pseudo, origin = cells.values, cells.pseudo, cells.origin
    for s in range(way.shape[0]):
        if way[s] != DENSE:
            continue
        f, g = slots[s, 0], slots[s, 1]
        total = 0.0
        for first in range(offsets[s], offsets[s + 1], card):
            configuration = np.int64(0)
            for cell in range(first, first + card):
                count = np.int64(flat[cell])
                if count > 0:
                    total += _cell(values, pseudo, origin, f, count)
                    configuration += count
            if configuration > 0:
                total -= _cell(values, pseudo, origin, g, configuration)
        out[s] = total


@lean_kernel
def sum_sparse(keys: IntArray, counts: IntArray, card: int, a: float, b: float) -> float:
    """Family sum of a table given by its non-empty cells, keys sorted: key = parents' code * card + child code.

    a, b: pseudo-counts of cells and configurations.
    """
    origin_a = math.lgamma(a) if a > 0.0 else 0.0
    origin_b = math.lgamma(b) if b > 0.0 else 0.0
    total = 0.0
    configuration = np.int64(0)
    for i in range(keys.shape[0]):
        total += cell_function(a, origin_a, counts[i])
        configuration += counts[i]
        if i + 1 == keys.shape[0] or keys[i + 1] // card != keys[i] // card:
            total -= cell_function(b, origin_b, configuration)
            configuration = 0
    return total
