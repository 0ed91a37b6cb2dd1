"""Statistics of a target against one column after another in the strata of a set that grows and shrinks.

A level of a column is a *plane*: one bit a row, 64 rows a word. The strata of the target and the set are planes too;
one more column in the set cuts each of them by the planes of its levels. A cell of the table with x is then

    n_txs = popcount(stratum(t, s) & plane(x)),

64 rows at a time, as long as there are few cells; a large table is counted row by row. The strata are numbered t q + s
for q states s of the set; `width[k]` is their number with the first k columns of the set, `first_bit[k]` where their
planes begin in `bits` (-1: too many to be kept), and `rows_in` has the rows of each.

What is counted is in `Columns`, the tables in `Strata`.
"""

from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import lean
from arcwise._kernels.counts.planes import popcount

MOST_STRATA = 96  # planes of strata that are kept for one set
MOST_CELLS = 160  # cells (without the first level of x) up to which popcounts are quicker than rows
FOUR_TABLES = 1 << 12  # cells up to which four rows at a time go to four tables


class Columns(NamedTuple):
    """Of tests that count. pearson, rule, f, n_rows, min_per_cell: as in contingency.Rules."""

    codes: np.ndarray
    cards: np.ndarray
    planes: np.ndarray
    first_plane: np.ndarray  # of each column; -1: it has none
    f: np.ndarray
    pearson: bool
    rule: int
    n_rows: int
    min_per_cell: float
    constant: np.ndarray


class Strata(NamedTuple):
    """Workspace of one thread."""

    bits: np.ndarray
    rows_in: np.ndarray
    width: np.ndarray
    first_bit: np.ndarray
    stratum_of: np.ndarray
    counts: np.ndarray
    of_x: np.ndarray  # room for the levels of x


@lean
def only_target(target, facts, space):
    """Strata of the target alone."""
    bits, planes = space.bits, facts.planes
    plane = facts.first_plane[target]
    space.width[0] = facts.cards[target]
    space.first_bit[0] = -1
    if plane >= 0:
        space.first_bit[0] = 0
        for t in range(facts.cards[target]):
            n = np.uint64(0)
            for w in range(planes.shape[1]):
                bits[t, w] = planes[plane + t, w]
                n += popcount(bits[t, w])
            space.rows_in[t] = n


@lean
def add_column(u, size, facts, space):
    """Cut the strata of the first `size` columns by column u."""
    bits, planes, rows_in = space.bits, facts.planes, space.rows_in
    levels, width = facts.cards[u], space.width[size]
    space.width[size + 1] = width * levels
    space.first_bit[size + 1] = -1
    if space.first_bit[size] >= 0 and facts.first_plane[u] >= 0 and width * levels <= MOST_STRATA:
        begin = space.first_bit[size] + width
        space.first_bit[size + 1] = begin
        for s in range(width):
            old = space.first_bit[size] + s
            for b in range(levels):
                new = begin + s * levels + b
                plane = facts.first_plane[u] + b
                n = np.uint64(0)
                if rows_in[old] > 0:
                    for w in range(planes.shape[1]):
                        both = bits[old, w] & planes[plane, w]
                        bits[new, w] = both
                        n += popcount(both)
                rows_in[new] = n


@lean
def count_by_bits(x, size, facts, space):
    """counts[stratum * levels of x + level]."""
    bits, planes, counts = space.bits, facts.planes, space.counts
    levels = facts.cards[x]
    for s in range(space.width[size]):
        stratum = space.first_bit[size] + s
        left = space.rows_in[stratum]
        for a in range(1, levels):
            n = np.uint64(0)
            if left > 0:
                plane = facts.first_plane[x] + a
                for w in range(planes.shape[1]):
                    n += popcount(bits[stratum, w] & planes[plane, w])
            counts[s * levels + a] = n
            left -= np.int64(n)
        counts[s * levels] = left


@lean
def strata_of_rows(target, loaded, size, facts, space):
    """The stratum of every row."""
    codes, stratum_of = facts.codes, space.stratum_of
    for i in range(codes.shape[1]):
        stratum_of[i] = codes[target, i]
    for k in range(size):
        u, card = loaded[k], np.uint32(facts.cards[loaded[k]])
        for i in range(codes.shape[1]):
            stratum_of[i] = stratum_of[i] * card + codes[u, i]


@lean
def count_by_rows(x, cells, facts, space):
    """The same counts from the codes. Four rows in turn go to four tables, so that none waits for the one before."""
    column, levels = facts.codes[x], np.uint32(facts.cards[x])
    stratum_of, counts = space.stratum_of, space.counts
    n_rows = column.shape[0]
    step = np.uint32(cells if cells <= FOUR_TABLES else 0)
    for c in range(max(cells, 4 * np.int64(step))):
        counts[c] = 0
    whole = n_rows - n_rows % 4
    for i in range(0, whole, 4):
        counts[stratum_of[i] * levels + column[i]] += 1
        counts[stratum_of[i + 1] * levels + column[i + 1] + step] += 1
        counts[stratum_of[i + 2] * levels + column[i + 2] + np.uint32(2) * step] += 1
        counts[stratum_of[i + 3] * levels + column[i + 3] + np.uint32(3) * step] += 1
    for i in range(whole, n_rows):
        counts[stratum_of[i] * levels + column[i]] += 1
    if step > 0:
        for c in range(cells):
            counts[c] += counts[c + cells] + counts[c + 2 * cells] + counts[c + 3 * cells]
