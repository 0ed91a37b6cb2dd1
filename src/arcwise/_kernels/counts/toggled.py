"""Toggle rows (graphs/rows.py) of a score by counts, worked out without Python."""

from typing import Any, NamedTuple

import numpy as np
from numba import types

from arcwise._kernels.by_address import NOWHERE, Address, calling
from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.counts.families import COMPLETE
from arcwise._kernels.graphs.rows import Rows, batches

count_and_sum = calling(types.UniTuple(types.int64, 2))


class Families(NamedTuple):
    """What a score needs besides a family: its rows, as `count_and_sum` takes them, and what arcs and parameters cost.

    score = sum_jk f(N_jk) - sum_j g(N_j) - (per_parameter (r - 1) q + per_column[child]) + |parents| per_arc
    """

    block: tuple[Any, ...]
    shape: tuple[Any, ...]
    cells: tuple[Any, ...]
    steps: tuple[Address, ...]
    count_and_sum: Address
    cards: np.ndarray
    per_parameter: float
    per_column: np.ndarray
    per_arc: float


BYTES, WORDS, REALS = (np.zeros((0, 0), dtype=dtype) for dtype in (np.uint8, np.uint64, np.float64))
INTS, ROW = np.zeros(0, dtype=np.int64), np.zeros(0)
NO_FAMILIES = Families(  # of the types of others, so that a kernel which is handed some takes none as well
    (BYTES, INTS, WORDS, WORDS, 0, 0), (INTS, INTS, 0, INTS, 0, 0, 0), (0.0, True, REALS, ROW, ROW, INTS),
    (NOWHERE,) * 4, NOWHERE, INTS, 0.0, ROW, 0.0,
)  # fmt: skip


@inner
def _score(families, child, columns, sets, row):
    """Into row[columns[s]] the score of the child with the parents sets[s]; False where Python has to."""
    sums, q = np.empty(sets.shape[0]), np.empty(sets.shape[0])
    state, n_sparse = count_and_sum(
        families.count_and_sum, families.block, families.shape, child, sets, families.cells, families.steps, sums, q
    )
    if state != COMPLETE or n_sparse > 0:
        return False
    price, own = families.per_parameter * (families.cards[child] - 1), families.per_column[child]
    for s in range(sets.shape[0]):
        size = 0
        for m in range(sets.shape[1]):
            size += sets[s, m] >= 0
        row[columns[s]] = sums[s] - (price * q[s] + own) + families.per_arc * size
    return True


@kernel
def work_out(families: Families, rows: Rows, place: int, child: int) -> bool:
    """The scores that a row lacks; False where Python has to: a table is too large, or lanes are lacking."""
    near, sets, fewer, smaller = batches(rows, place, child)
    row = rows.scores[place]
    if near.shape[0] > 0 and not _score(families, child, near, sets, row):
        return False
    return fewer.shape[0] == 0 or _score(families, child, fewer, smaller, row)
