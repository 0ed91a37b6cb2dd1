"""Tables with more rows than one group has, so that there are several shelves."""

from __future__ import annotations

import time
from functools import cache

import numpy as np

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.rows.elsewhere import GROUP_ROWS
from arcwise.running import shelves
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


def slow_down(seconds):
    """On a worker: every answer takes so much longer."""

    def slow(shelf, request):
        time.sleep(seconds)
        return _answer(shelf, request)

    shelves.Shelf.answer = slow if seconds else _answer


def slowly_received(content, first):
    """In a task: a shelf that takes long to load."""
    time.sleep(2.0)
    return shelves.received(content, first)


_answer = shelves.Shelf.answer
