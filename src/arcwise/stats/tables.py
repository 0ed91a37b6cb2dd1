"""One table of counts, without compiled kernels; for batches of questions see counts.py.

For tables of fitted networks: there are few and each is counted once, and to load the kernels that would count them
takes half a second, almost as long as reading a table and fitting a network to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from arcwise.data.complete import check_complete
from arcwise.data.dataset import Dataset, IntArray, Kind

LONG_ROWS = 1 << 20  # a longer table is counted by kernels after all


def table_of(data: Dataset, names: Sequence[str]) -> IntArray:
    """Joint counts of these discrete columns, one axis each; a row counts as often as its weight says."""
    columns = [data.column(name) for name in names]
    if not data.is_complete:
        check_complete(data.select(names), "a table of counts")
    shape = [column.cardinality for column in columns]
    if data.elsewhere is not None or data.n_stored > LONG_ROWS:
        return _by_kernels(data, names, shape)
    cells = np.zeros(data.n_stored, dtype=np.intp)
    for column, card in zip(columns, shape, strict=True):
        cells *= card
        cells += column.values
    # sums of weights are whole numbers, and exact as floats
    return np.bincount(cells, data.weights, minlength=prod(shape)).astype(np.intp, copy=False).reshape(shape)


def _by_kernels(data: Dataset, names: Sequence[str], shape: Sequence[int]) -> IntArray:
    """The same for long tables, in memory that does not grow with the rows."""
    from arcwise.stats.counts import counts_of

    ordered = data.by_name()  # what was learned from, so that its counts may be there
    known = set(ordered.kinds) == {Kind.DISCRETE} and ordered.is_complete
    asked = ordered if known else data.select(sorted(names))
    counts = counts_of(asked)
    return counts.table([asked.index(name) for name in names]).astype(np.intp).reshape(shape)
