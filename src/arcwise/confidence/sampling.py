"""Resampled rows, as weights: no row is copied.

The table's rows are different and in an order of their own (`row_order.distinct_rows`), so that what is drawn depends
on what they say alone: not on how they came, nor on whether equal rows were stored once, with a weight, or many times.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwise.data.dataset import Dataset, WeightArray


def bootstrapped(table: Dataset, rng: np.random.Generator) -> Dataset:
    """As many rows as there are, drawn with replacement (Efron 1979)."""
    counts = _counts(table)
    return _with_weights(table, rng.multinomial(table.n_rows, counts / table.n_rows))


def halved(table: Dataset, rng: np.random.Generator) -> Dataset:
    """Half of the rows, drawn without replacement."""
    return _with_weights(table, rng.multivariate_hypergeometric(_counts(table), table.n_rows // 2, method="marginals"))


def _counts(table: Dataset) -> WeightArray:
    return np.ones(table.n_stored, dtype=np.int64) if table.weights is None else table.weights


def _with_weights(table: Dataset, counts: WeightArray) -> Dataset:
    """Each row so many times, whatever it counted before; rows that count 0 times are left out."""
    return replace(table, weights=None).weighted(counts)
