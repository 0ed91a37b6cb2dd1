"""One table of counts, without compiled kernels; for batches of questions see counts.py.

For tables of fitted networks: there are few and each is counted once, and to load the kernels that would count them
takes half a second, almost as long as reading a table and fitting a network to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from arcwise.data.complete import check_complete
from arcwise.data.dataset import Dataset, IntArray


def table_of(data: Dataset, names: Sequence[str]) -> IntArray:
    """Joint counts of these discrete columns, one axis each; a row counts as often as its weight says."""
    columns = [data.column(name) for name in names]
    if not data.is_complete:
        check_complete(data.select(names), "a table of counts")
    shape = [column.cardinality for column in columns]
    cells = np.zeros(data.n_stored, dtype=np.intp)
    for column, card in zip(columns, shape, strict=True):
        cells *= card
        cells += column.values
    # sums of weights are whole numbers, and exact as floats
    return np.bincount(cells, data.weights, minlength=prod(shape)).astype(np.intp, copy=False).reshape(shape)
