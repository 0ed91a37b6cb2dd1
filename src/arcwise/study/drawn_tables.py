"""Discrete columns drawn at random as Tran does: tables of probabilities, and rows from them."""

from __future__ import annotations

from math import prod

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind, code_dtype
from arcwise.graph.dag import Dag

MOST_HYPERPARAMETER = 5.0  # uniform from 0


def probabilities(rng: np.random.Generator, *shape: int) -> FloatArray:
    """A distribution over the last axis for each place along the others: Dirichlet with drawn hyperparameters."""
    rows = [rng.dirichlet(rng.uniform(0.0, MOST_HYPERPARAMETER, shape[-1])) for _ in range(prod(shape[:-1]))]
    return np.array(rows).reshape(shape)


def joint(rng: np.random.Generator, dag: Dag, levels: int) -> FloatArray:
    """P of all configurations, an axis a node: every node has `levels` levels, its table is drawn."""
    n = len(dag.names)
    found = np.ones((levels,) * n)
    for node, name in enumerate(dag.names):
        parents = sorted(dag.names.index(parent) for parent in dag.parents(name))
        table = probabilities(rng, *(levels,) * len(parents), levels)
        axes = [*parents, node]
        spread = np.transpose(table, np.argsort(axes))
        found = found * spread.reshape([levels if i in axes else 1 for i in range(n)])
    return found


def weighted(names: tuple[str, ...], counts: IntArray) -> Dataset:
    """The table in which each configuration occurs as often as `counts` says, with a weight for a row of its own."""
    present = np.nonzero(counts)
    columns = [
        Column(name, Kind.DISCRETE, codes.astype(code_dtype(r)), tuple(str(k + 1) for k in range(r)), ordered=True)
        for name, codes, r in zip(names, present, counts.shape, strict=True)
    ]
    return Dataset(tuple(columns), weights=counts[present].astype(np.int64))
