"""Statistics of x against y in the strata of z, from counts, and their degrees of freedom.

G2   = 2 [sum F(n_xyz) - sum F(n_xz) - sum F(n_yz) + sum F(n_z)],   F(k) = k ln k
chi2 = sum_z {n_z sum n_xyz^2 / (n_xz n_yz) - n_z}                  (= sum (O - E)^2 / E over E > 0)

Degrees of freedom by rule: ADJUSTED sum_z (R_z - 1)(C_z - 1) over the rows and columns of stratum z that are not
empty, FULL (n_x - 1)(n_y - 1) q, EFFECTIVE nz(xyz) - nz(xz) - nz(yz) + nz(z) with nz the cells that are not empty, and
ADJUSTED where that is below 1. Tables that are not laid out are in strata.py.
"""

from typing import Any, NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner, kernel, lean
from arcwise._kernels.counts.k_ln_k import look_up
from arcwise._kernels.types import CodeArray, FloatArray, Int32Array, IntArray

ADJUSTED, FULL, EFFECTIVE = 0, 1, 2
SPARSE = -1.0  # in place of degrees of freedom: the table is too large to lay out
STRIP = 1024  # rows handled at a time: their joint codes stay in the first-level cache
FOUR_TABLES = 1 << 12  # cells up to which the four tables stay there as well


class Rules(NamedTuple):
    """What is worked out, and when."""

    pearson: bool
    rule: int  # of the degrees of freedom
    f: np.ndarray  # k ln k
    n_rows: int  # with their weights
    min_per_cell: float  # rows that a cell must have on average for a test to be made
    dense_cells: int  # a larger table is not laid out


class Layout(NamedTuple):
    """Of a table: cell (z, x, y) is at z step_z + x step_x + y."""

    q: int
    n_x: int
    n_y: int
    step_z: int
    step_x: int


@kernel
def test_sets(
    codes: CodeArray, cards: IntArray, weights: IntArray, x: int, y: int, sets: IntArray, rules: tuple[Any, ...]
) -> tuple[FloatArray, FloatArray]:
    """(statistics, degrees of freedom) of x against y given each row of `sets` (padded with -1). O(N |S|) each.

    Both are NaN where there are fewer than `min_per_cell` rows a cell; a table of more than `dense_cells` cells is
    left to the caller, marked by SPARSE degrees of freedom. rules: a plain tuple, which is handed over sooner.
    """
    rules = Rules(*rules)
    k = sets.shape[0]
    statistics, dfs = np.empty(k), np.empty(k)
    pair = _pair_codes(codes, cards, x, y)
    of_y = np.empty(cards[y], dtype=np.int64)
    counts = np.empty(0, dtype=np.int32)
    for s in range(k):
        statistics[s] = dfs[s] = np.nan
        cells = float(cards[x]) * cards[y]
        for a in range(sets.shape[1]):
            if sets[s, a] >= 0:
                cells *= cards[sets[s, a]]
        if rules.n_rows < rules.min_per_cell * cells:
            continue
        if cells > rules.dense_cells:
            dfs[s] = SPARSE
            continue
        size = np.int64(cells)
        room = 4 * size if size <= FOUR_TABLES else size
        if counts.shape[0] < room:
            counts = np.empty(room, dtype=np.int32)
        _tally(codes, cards, weights, pair, cards[x] * cards[y], sets[s], counts, size)
        layout = Layout(size // (cards[x] * cards[y]), cards[x], cards[y], cards[x] * cards[y], cards[y])
        statistics[s], dfs[s] = evaluate(counts, of_y, layout, rules.pearson, rules.rule, rules.f)
    return statistics, dfs


@kernel
def test_pairs(
    codes: CodeArray, cards: IntArray, weights: IntArray, x: int, rules: tuple[Any, ...]
) -> tuple[FloatArray, FloatArray]:
    """The same for x against each of x + 1, ..., n - 1, given nothing."""
    n = codes.shape[0]
    statistics, dfs = np.empty(n - x - 1), np.empty(n - x - 1)
    nothing = np.empty((1, 0), dtype=np.int64)
    for y in range(x + 1, n):
        one = test_sets(codes, cards, weights, x, y, nothing, rules)
        statistics[y - x - 1], dfs[y - x - 1] = one[0][0], one[1][0]
    return statistics, dfs


@kernel
def evaluate_tables(
    flat: Int32Array, offsets: IntArray, n_x: int, n_y: int, rules: tuple[Any, ...]
) -> tuple[FloatArray, FloatArray]:
    """(statistics, degrees of freedom) of tables (given, x, y) that were counted, each at offsets[s]:offsets[s + 1]."""
    rules = Rules(*rules)
    statistics, dfs = np.empty(offsets.shape[0] - 1), np.empty(offsets.shape[0] - 1)
    of_y = np.empty(n_y, dtype=np.int64)
    for s in range(statistics.shape[0]):
        counts = flat[offsets[s] : offsets[s + 1]]
        layout = Layout(counts.shape[0] // (n_x * n_y), n_x, n_y, n_x * n_y, n_y)
        statistics[s], dfs[s] = evaluate(counts, of_y, layout, rules.pearson, rules.rule, rules.f)
    return statistics, dfs


@kernel
def evaluate_pairs(tables: Int32Array, cards: IntArray, rules: tuple[Any, ...]) -> tuple[FloatArray, FloatArray]:
    """The same for x against columns with `cards` levels, their tables beside each other: (levels of x, all levels)."""
    rules = Rules(*rules)
    n_x, width = tables.shape
    flat = tables.reshape(n_x * width)
    statistics, dfs = np.empty(cards.shape[0]), np.empty(cards.shape[0])
    of_y = np.empty(width, dtype=np.int64)
    start = 0
    for y in range(cards.shape[0]):
        layout = Layout(1, n_x, cards[y], 0, width)
        statistics[y], dfs[y] = evaluate(flat[start:], of_y, layout, rules.pearson, rules.rule, rules.f)
        start += cards[y]
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
def _tally(codes, cards, weights, pair, pair_cells, given, counts, size):
    """Counts of (given, x, y) into counts[:size]; `counts` has room for four small tables or one large.

    Four rows in turn go to four tables, which are then added up: rows that fall into the same cell, as most do in a
    skewed table, need not wait for each other.
    """
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
        for a in range(given.shape[0]):
            u = given[a]
            if u >= 0:
                column = codes[u]
                card = np.uint32(cards[u])
                for i in range(rows):
                    joint[i] = joint[i] * card + column[first + i]
        for i in range(rows):
            joint[i] = joint[i] * np.uint32(pair_cells) + pair[first + i]
        if weights.shape[0] > 0:
            for i in range(rows):
                counts[joint[i]] += np.int32(weights[first + i])
            continue
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


@lean
def evaluate(counts, of_y, layout, pearson, rule, f):
    """Statistic and degrees of freedom of one table; of_y: room for the levels of y.

    Pearson's goes over each stratum a second time, when n_yz is known.
    """
    value = 0.0
    adjusted, effective = 0, 0
    for y in range(layout.n_y):
        of_y[y] = 0
    for z in range(layout.q):
        total, cells, rows, columns = np.int64(0), 0, 0, 0
        for x in range(layout.n_x):
            at = z * layout.step_z + x * layout.step_x
            of_x = np.int64(0)
            for y in range(layout.n_y):
                n = np.int64(counts[at + y])
                if n > 0:
                    of_x += n
                    of_y[y] += n
                    cells += 1
                    if not pearson:
                        value += look_up(f, n)
            if of_x > 0:
                total += of_x
                rows += 1
                if not pearson:
                    value -= look_up(f, of_x)
        if total == 0:
            continue
        if pearson:
            value += _pearson(counts, of_y, z, layout, total)
        for y in range(layout.n_y):
            if of_y[y] > 0:
                columns += 1
                if not pearson:
                    value -= look_up(f, of_y[y])
                of_y[y] = 0
        if not pearson:
            value += look_up(f, total)
        adjusted += (rows - 1) * (columns - 1)
        effective += cells - rows - columns + 1
    df = adjusted
    if rule == FULL:
        df = (layout.n_x - 1) * (layout.n_y - 1) * layout.q
    elif rule == EFFECTIVE and effective >= 1:
        df = effective
    return max(0.0, value if pearson else 2.0 * value), df


@lean
def _pearson(counts, of_y, z, layout, total):
    """chi2 of one stratum."""
    value = 0.0
    for x in range(layout.n_x):
        at = z * layout.step_z + x * layout.step_x
        of_x = 0
        for y in range(layout.n_y):
            of_x += np.int64(counts[at + y])
        for y in range(layout.n_y):
            n = float(counts[at + y])
            if n > 0.0:
                value += n * n / (float(of_x) * float(of_y[y]))
    return total * value - total
