"""The statistics of contingency.py given any number of columns: no table of all joint states is laid out.

The joint states that occur are numbered column by column, so there are never more numbers than rows. Of their cells
G2 only needs how many of them have k rows: m_k, those of xz and yz counted negatively, and then it is
2 sum_k m_k F(k). It depends neither on the order of the rows nor on that of the columns, and what cancels does so
exactly.
"""

from typing import Any, NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel, lean
from arcwise._kernels.counts.contingency import EFFECTIVE, FULL, Rules
from arcwise._kernels.counts.counting import sort
from arcwise._kernels.counts.k_ln_k import k_ln_k
from arcwise._kernels.types import CodeArray, FloatArray, IntArray

EMPTY = -1
GOLDEN = np.uint64(0x9E3779B9)  # 2^32 / golden ratio: spreads consecutive keys
LOW = np.uint64(0xFFFFFFFF)


class Numbers(NamedTuple):
    """Of the joint states of some columns, in the order in which they occur."""

    of_row: np.ndarray
    first: np.ndarray  # row with each number
    rows: np.ndarray  # how many there are, with their weights


class Slots(NamedTuple):
    """Where numbers are looked up: more than four times as many as rows."""

    numbers: np.ndarray
    keys: np.ndarray
    bits: int


@kernel
def test_sets_sparsely(
    codes: CodeArray, cards: IntArray, weights: IntArray, x: int, y: int, sets: IntArray, rules: tuple[Any, ...]
) -> tuple[FloatArray, FloatArray]:
    """As contingency.test_sets, for tables of any size; `dense_cells` and `min_per_cell` do not matter."""
    rules = Rules(*rules)
    n, k = codes.shape[1], sets.shape[0]
    statistics, dfs = np.empty(k), np.empty(k)
    slots = _slots(n)
    z, other, xz, yz, xyz = _numbers(n), _numbers(n), _numbers(n), _numbers(n), _numbers(n)
    cells = np.zeros(n + 1 if weights.shape[0] == 0 else 4 * n, dtype=np.int64)
    for s in range(k):
        for i in range(n):
            z.of_row[i] = 0
        z.first[0] = 0
        of_z = np.int64(1)
        q = 1.0
        for a in range(sets.shape[1]):
            u = sets[s, a]
            if u >= 0:
                of_z = _number(z.of_row, of_z, codes[u], cards[u], other, slots)
                z, other = other, z
                q *= cards[u]
        of_xz = _number(z.of_row, of_z, codes[x], cards[x], xz, slots)
        of_yz = _number(z.of_row, of_z, codes[y], cards[y], yz, slots)
        of_xyz = _number(xz.of_row, of_xz, codes[y], cards[y], xyz, slots)
        _count(z, of_z, weights)
        _count(xz, of_xz, weights)
        _count(yz, of_yz, weights)
        _count(xyz, of_xyz, weights)
        if rules.pearson:
            statistics[s] = _pearson(z, xz, yz, xyz, of_xyz, rules.n_rows)
        elif weights.shape[0] == 0:
            statistics[s] = _by_sizes(z.rows[:of_z], xz.rows[:of_xz], yz.rows[:of_yz], xyz.rows[:of_xyz], cells)
        else:
            statistics[s] = _by_sorting(z.rows[:of_z], xz.rows[:of_xz], yz.rows[:of_yz], xyz.rows[:of_xyz], cells)
        effective = of_xyz - of_xz - of_yz + of_z
        if rules.rule == FULL:
            dfs[s] = (cards[x] - 1.0) * (cards[y] - 1.0) * q
        elif rules.rule == EFFECTIVE and effective >= 1:
            dfs[s] = effective
        else:
            dfs[s] = _adjusted(z.of_row, of_z, xz.first[:of_xz], yz.first[:of_yz], other.rows, other.first)
    return statistics, dfs


@kernel
def test_states(
    z: IntArray, xz: IntArray, yz: IntArray, counts: IntArray, full: float, rules: tuple[Any, ...]
) -> tuple[float, float]:
    """The same from the states that occur. z, xz, yz: numbers 0, 1, ... of their parts; full: degrees of freedom."""
    rules = Rules(*rules)
    n = counts.shape[0]
    of_z, of_xz, of_yz = _rows_of(z, counts), _rows_of(xz, counts), _rows_of(yz, counts)
    if rules.pearson:
        value = _pearson_of_states(z, xz, yz, counts, of_z, of_xz, of_yz, rules.n_rows)
    else:
        cells = np.empty(n + of_z.shape[0] + of_xz.shape[0] + of_yz.shape[0], dtype=np.int64)
        value = _by_sorting(of_z, of_xz, of_yz, counts, cells)
    effective = n - of_xz.shape[0] - of_yz.shape[0] + of_z.shape[0]
    if rules.rule == FULL:
        return value, full
    if rules.rule == EFFECTIVE and effective >= 1:
        return value, float(effective)
    levels_x, levels_y = np.empty(of_z.shape[0]), np.empty(of_z.shape[0])
    seen_x, seen_y = np.zeros(of_xz.shape[0], dtype=np.bool_), np.zeros(of_yz.shape[0], dtype=np.bool_)
    for c in range(of_z.shape[0]):
        levels_x[c] = levels_y[c] = -1.0
    for i in range(n):
        if not seen_x[xz[i]]:
            seen_x[xz[i]] = True
            levels_x[z[i]] += 1.0
        if not seen_y[yz[i]]:
            seen_y[yz[i]] = True
            levels_y[z[i]] += 1.0
    adjusted = 0.0
    for c in range(of_z.shape[0]):
        adjusted += levels_x[c] * levels_y[c]
    return value, adjusted


@inner
def _rows_of(numbers, counts):
    """Rows of each number."""
    most = np.int64(-1)
    for i in range(numbers.shape[0]):
        most = max(most, numbers[i])
    rows = np.zeros(most + 1, dtype=np.int64)
    for i in range(numbers.shape[0]):
        rows[numbers[i]] += counts[i]
    return rows


@lean
def _pearson_of_states(z, xz, yz, counts, of_z, of_xz, of_yz, n_rows):
    """As `_pearson`."""
    total, lost = 0.0, 0.0
    for i in range(counts.shape[0]):
        n = float(counts[i])
        term = n * n * float(of_z[z[i]]) / (float(of_xz[xz[i]]) * float(of_yz[yz[i]]))
        more = total + term
        lost += (total - more) + term if total >= term else (term - more) + total
        total = more
    return max(0.0, total + lost - n_rows)


@inner
def _slots(n):
    bits = 10
    while (1 << bits) < 4 * n:
        bits += 1
    return Slots(np.empty(1 << bits, dtype=np.int32), np.empty(1 << bits, dtype=np.int64), min(bits, 32))


@inner
def _numbers(n):
    return Numbers(np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32))


@lean
def _number(ids, size, column, card, out, slots):
    """Number the pairs (ids[i], column[i]); how many there are. ids < size."""
    numbers, of_row, first = slots.numbers, out.of_row, out.first
    if size * card > numbers.shape[0]:
        return _number_many(ids, column, card, out, slots)
    for c in range(size * card):
        numbers[c] = EMPTY
    found = 0
    for i in range(ids.shape[0]):
        c = np.uint32(ids[i]) * np.uint32(card) + np.uint32(column[i])
        if numbers[c] == EMPTY:
            numbers[c] = found
            first[found] = i
            found += 1
        of_row[i] = numbers[c]
    return found


@lean
def _number_many(ids, column, card, out, slots):
    """The same for more pairs than slots, by hashing with linear probing; a quarter of the slots is used at most."""
    numbers, keys, of_row, first = slots.numbers, slots.keys, out.of_row, out.first
    for c in range(numbers.shape[0]):
        numbers[c] = EMPTY
    found = 0
    last = np.uint64(numbers.shape[0] - 1)
    shift = np.uint64(32 - slots.bits)
    for i in range(ids.shape[0]):
        key = np.int64(ids[i]) * card + column[i]
        folded = np.uint64(key ^ (key >> 32)) & LOW
        c = ((folded * GOLDEN) & LOW) >> shift
        while numbers[c] != EMPTY and keys[c] != key:
            c = (c + np.uint64(1)) & last
        if numbers[c] == EMPTY:
            numbers[c] = found
            keys[c] = key
            first[found] = i
            found += 1
        of_row[i] = numbers[c]
    return found


@lean
def _count(numbers, size, weights):
    of_row, rows = numbers.of_row, numbers.rows
    for c in range(size):
        rows[c] = 0
    if weights.shape[0] == 0:
        for i in range(of_row.shape[0]):
            rows[of_row[i]] += 1
    else:
        for i in range(of_row.shape[0]):
            rows[of_row[i]] += np.int32(weights[i])


@lean
def _by_sizes(of_z, of_xz, of_yz, of_xyz, cells):
    """G2; `cells` has a place for each m_k, and is left 0."""
    for c in range(of_z.shape[0]):
        cells[of_z[c]] += 1
    for c in range(of_xz.shape[0]):
        cells[of_xz[c]] -= 1
    for c in range(of_yz.shape[0]):
        cells[of_yz[c]] -= 1
    for c in range(of_xyz.shape[0]):
        cells[of_xyz[c]] += 1
    total = 0.0
    for k in range(cells.shape[0]):
        if cells[k] != 0:
            total += cells[k] * k_ln_k(k)
            cells[k] = 0
    return max(0.0, 2.0 * total)


@lean
def _by_sorting(of_z, of_xz, of_yz, of_xyz, cells):
    """The same where there are too many k for a place each: 2 k, and one more if counted negatively, is sorted."""
    n = 0
    for c in range(of_z.shape[0]):
        cells[n] = 2 * np.int64(of_z[c])
        n += 1
    for c in range(of_xyz.shape[0]):
        cells[n] = 2 * np.int64(of_xyz[c])
        n += 1
    for c in range(of_xz.shape[0]):
        cells[n] = 2 * np.int64(of_xz[c]) + 1
        n += 1
    for c in range(of_yz.shape[0]):
        cells[n] = 2 * np.int64(of_yz[c]) + 1
        n += 1
    sort(cells[:n])
    return _sum_sorted(cells, n)


@lean
def _sum_sorted(cells, n):
    total = 0.0
    m_k = 0
    for i in range(n):
        m_k += -1 if cells[i] & 1 else 1
        if i + 1 == n or cells[i + 1] >> 1 != cells[i] >> 1:
            total += m_k * k_ln_k(cells[i] >> 1)
            m_k = 0
    return max(0.0, 2.0 * total)


@lean
def _pearson(z, xz, yz, xyz, of_xyz, n_rows):
    """chi2. What the sum loses by rounding is added up as well, so that the order of the rows leaves no trace."""
    total, lost = 0.0, 0.0
    for c in range(of_xyz):
        i = xyz.first[c]
        n = float(xyz.rows[c])
        expected = float(xz.rows[xz.of_row[i]]) * float(yz.rows[yz.of_row[i]])
        term = n * n * float(z.rows[z.of_row[i]]) / expected
        more = total + term
        lost += (total - more) + term if total >= term else (term - more) + total
        total = more
    return max(0.0, total + lost - n_rows)


@lean
def _adjusted(of_row, size, first_xz, first_yz, levels_x, levels_y):
    """sum_z (R_z - 1)(C_z - 1)."""
    for c in range(size):
        levels_x[c] = levels_y[c] = -1
    for c in range(first_xz.shape[0]):
        levels_x[of_row[first_xz[c]]] += 1
    for c in range(first_yz.shape[0]):
        levels_y[of_row[first_yz[c]]] += 1
    total = 0.0
    for c in range(size):
        total += float(levels_x[c]) * float(levels_y[c])
    return total
