"""Statistics of x against y in the strata of z, from counts, and their degrees of freedom.

G2   = 2 [sum F(n_xyz) - sum F(n_xz) - sum F(n_yz) + sum F(n_z)],   F(k) = k ln k
chi2 = sum_z {n_z sum n_xyz^2 / (n_xz n_yz) - n_z}                  (= sum (O - E)^2 / E over E > 0)

A table is indexed by (z, x, y), y fastest. Four rows in turn go to four tables, which are then added up: rows that
fall into the same cell, as most do in a skewed table, need not wait for each other.
"""

from math import log

import numpy as np

from arcwise._kernels.compiled import inner, kernel

ADJUSTED, FULL, EFFECTIVE = 0, 1, 2
SPARSE = -1.0  # in place of degrees of freedom: the table is too large to lay out
STRIP = 1024  # rows handled at a time: their joint codes stay in the first-level cache
FOUR_TABLES = 1 << 12  # cells up to which the four tables stay there as well


@kernel
def k_ln_k(size):
    """F(0), ..., F(size - 1)."""
    table = np.zeros(size)
    for k in range(1, size):
        table[k] = k * log(float(k))
    return table


@kernel
def test_sets(codes, cards, x, y, sets, min_per_cell, dense_cells, pearson, rule, f):
    """(statistics, degrees of freedom) of x against y given each row of `sets` (padded with -1). O(N |S|) each.

    Both are NaN where there are fewer than `min_per_cell` rows a cell; a table of more than `dense_cells` cells is
    left to the caller, marked by SPARSE degrees of freedom.
    """
    k = sets.shape[0]
    statistics, dfs = np.full(k, np.nan), np.full(k, np.nan)
    pair = _pair_codes(codes, cards, x, y)
    counts = np.empty(0, dtype=np.int32)
    for s in range(k):
        cells = float(cards[x]) * cards[y]
        for a in range(sets.shape[1]):
            if sets[s, a] >= 0:
                cells *= cards[sets[s, a]]
        if codes.shape[1] < min_per_cell * cells:
            continue
        if cells > dense_cells:
            dfs[s] = SPARSE
            continue
        size = np.int64(cells)
        room = 4 * size if size <= FOUR_TABLES else size
        if counts.shape[0] < room:
            counts = np.empty(room, dtype=np.int32)
        _tally(codes, cards, pair, cards[x] * cards[y], sets, s, counts, size)
        statistics[s], dfs[s] = _evaluate(counts, size, cards[x], cards[y], pearson, rule, f)
    return statistics, dfs


@kernel
def test_pairs(codes, cards, x, min_per_cell, dense_cells, pearson, rule, f):
    """The same for x against each of x + 1, ..., n - 1, given nothing."""
    n = codes.shape[0]
    statistics, dfs = np.empty(n - x - 1), np.empty(n - x - 1)
    nothing = np.empty((1, 0), dtype=np.int64)
    for y in range(x + 1, n):
        one = test_sets(codes, cards, x, y, nothing, min_per_cell, dense_cells, pearson, rule, f)
        statistics[y - x - 1], dfs[y - x - 1] = one[0][0], one[1][0]
    return statistics, dfs


@inner
def _pair_codes(codes, cards, x, y):
    """Joint code of x and y in every row."""
    out = np.empty(codes.shape[1], dtype=np.uint32)
    column_x, column_y = codes[x], codes[y]
    card = np.uint32(cards[y])
    for i in range(out.shape[0]):
        out[i] = column_x[i] * card + column_y[i]
    return out


@inner
def _tally(codes, cards, pair, pair_cells, sets, s, counts, size):
    """Counts of (set s, x, y) into counts[:size]; `counts` has room for four small tables or one large."""
    n_rows = pair.shape[0]
    lanes = 4 if size <= FOUR_TABLES else 1
    for c in range(lanes * size):
        counts[c] = 0
    step = np.uint32(size if lanes == 4 else 0)
    joint = np.empty(STRIP, dtype=np.uint32)
    for first in range(0, n_rows, STRIP):
        rows = min(STRIP, n_rows - first)
        for i in range(rows):
            joint[i] = 0
        for a in range(sets.shape[1]):
            u = sets[s, a]
            if u >= 0:
                column = codes[u]
                card = np.uint32(cards[u])
                for i in range(rows):
                    joint[i] = joint[i] * card + column[first + i]
        for i in range(rows):
            joint[i] = joint[i] * np.uint32(pair_cells) + pair[first + i]
        whole = rows - rows % 4
        for i in range(0, whole, 4):
            counts[joint[i]] += 1
            counts[joint[i + 1] + step] += 1
            counts[joint[i + 2] + np.uint32(2) * step] += 1
            counts[joint[i + 3] + np.uint32(3) * step] += 1
        for i in range(whole, rows):
            counts[joint[i]] += 1
    if lanes == 4:
        for c in range(size):
            counts[c] += counts[c + size] + counts[c + 2 * size] + counts[c + 3 * size]


@inner
def _f(f, k):
    return f[k] if k < f.shape[0] else k * log(float(k))


@inner
def _evaluate(counts, size, n_x, n_y, pearson, rule, f):
    """Statistic and degrees of freedom of one table.

    rule: ADJUSTED sum_z (R_z - 1)(C_z - 1) over the rows and columns of stratum z that are not empty, FULL
    (n_x - 1)(n_y - 1) q, EFFECTIVE nz(xyz) - nz(xz) - nz(yz) + nz(z) with nz the cells that are not empty, and
    ADJUSTED where that is below 1.
    """
    of_x = np.zeros(n_x, dtype=np.int64)
    of_y = np.zeros(n_y, dtype=np.int64)
    value = 0.0
    adjusted = 0
    effective = 0
    for start in range(0, size, n_x * n_y):
        total = 0
        cells = 0
        for a in range(n_x):
            for b in range(n_y):
                n = np.int64(counts[start + a * n_y + b])
                if n > 0:
                    of_x[a] += n
                    of_y[b] += n
                    cells += 1
                    if not pearson:
                        value += _f(f, n)
            total += of_x[a]
        if total == 0:
            continue
        if pearson:
            value += _pearson(counts, start, of_x, of_y, total)
        else:
            value += _f(f, total)
        rows, columns = 0, 0
        for a in range(n_x):
            if of_x[a] > 0:
                rows += 1
                if not pearson:
                    value -= _f(f, of_x[a])
                of_x[a] = 0
        for b in range(n_y):
            if of_y[b] > 0:
                columns += 1
                if not pearson:
                    value -= _f(f, of_y[b])
                of_y[b] = 0
        adjusted += (rows - 1) * (columns - 1)
        effective += cells - rows - columns + 1
    df = adjusted
    if rule == FULL:
        df = (n_x - 1) * (n_y - 1) * (size // (n_x * n_y))
    elif rule == EFFECTIVE and effective >= 1:
        df = effective
    return max(0.0, value if pearson else 2.0 * value), float(df)


@inner
def _pearson(counts, start, of_x, of_y, total):
    """chi2 of one stratum."""
    n_y = of_y.shape[0]
    value = 0.0
    for a in range(of_x.shape[0]):
        for b in range(n_y):
            n = float(counts[start + a * n_y + b])
            if n > 0.0:
                value += n * n / (float(of_x[a]) * float(of_y[b]))
    return total * value - total
