"""Tables with more rows than one group has, so that there are several shelves."""

from __future__ import annotations

from functools import cache

import numpy as np

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.rows.elsewhere import GROUP_ROWS
from tests.oracle.counting import discrete_table
from tests.oracle.gaussian import continuous_table

ROWS = 2 * GROUP_ROWS + 1234


@cache
def levels():
    return discrete_table(np.random.default_rng(1), (2, 3, 2, 4, 3, 2), ROWS)


@cache
def numbers():
    rng = np.random.default_rng(2)
    values = rng.standard_normal((ROWS, 4))
    values[:, 1] += 0.5 * values[:, 0]
    values[:, 3] += 0.3 * values[:, 1] - 0.4 * values[:, 2]
    return continuous_table(values)


@cache
def mixed():
    half = [Column(f"y{i}", Kind.CONTINUOUS, column.values) for i, column in enumerate(numbers().columns[:2])]
    return Dataset((*levels().columns[:3], *half))
