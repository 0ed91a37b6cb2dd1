"""Toggle rows (graphs/rows.py) of a score by counts, worked out without Python."""

from typing import Any, NamedTuple

import numpy as np

from arcwise._kernels.compiled import inner
from arcwise._kernels.counts.families import COMPLETE, count_and_sum
from arcwise._kernels.graphs.rows import batches


class Families(NamedTuple):
    """What a score needs besides a family: its rows, as `count_and_sum` takes them, and what arcs and parameters cost.

    score = sum_jk f(N_jk) - sum_j g(N_j) - (per_parameter (r - 1) q + per_column[child]) + |parents| per_arc
    """

    block: tuple[Any, ...]
    shape: tuple[Any, ...]
    cells: tuple[Any, ...]
    cards: np.ndarray
    per_parameter: float
    per_column: np.ndarray
    per_arc: float


@inner
def _score(families, child, columns, sets, row):
    """Into row[columns[s]] the score of the child with the parents sets[s]; False where Python has to."""
    sums, q = np.empty(sets.shape[0]), np.empty(sets.shape[0])
    state, n_sparse = count_and_sum(families.block, families.shape, child, sets, families.cells, sums, q)
    if state != COMPLETE or n_sparse > 0:
        return False
    price, own = families.per_parameter * (families.cards[child] - 1), families.per_column[child]
    for s in range(sets.shape[0]):
        size = 0
        for m in range(sets.shape[1]):
            size += sets[s, m] >= 0
        row[columns[s]] = sums[s] - (price * q[s] + own) + families.per_arc * size
    return True


@inner
def work_out(families, rows, place, child):
    """The scores that a row lacks; False where Python has to: a table is too large, or lanes are lacking."""
    near, sets, fewer, smaller = batches(rows, place, child)
    row = rows.scores[place]
    if near.shape[0] > 0 and not _score(families, child, near, sets, row):
        return False
    return fewer.shape[0] == 0 or _score(families, child, fewer, smaller, row)
