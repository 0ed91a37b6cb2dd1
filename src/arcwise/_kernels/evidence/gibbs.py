"""Gibbs sweeps: hidden cells of discrete columns drawn one after the other, each given all others of its row.

With tables theta of a network over the states, and e(s) the likelihood of what was recorded if the state is s,

    p(s_nj = s | the rest of row n) ~ e_nj(s) theta_j(s | pa_j) prod over children c of theta_c(s_nc | pa_c with s).

A missing cell has e = 1, one that was recorded without doubt is not drawn. Rows are independent given the tables, and
each has a random stream of its own, so that they can be divided over threads in any way.
"""

import math
from typing import NamedTuple

import numpy as np

from arcwise._kernels.compiled import lean, lean_kernel
from arcwise._kernels.types import BoolArray, CodeArray, FloatArray, Int32Array, IntArray

NONE = -1  # no likelihood: every state is as likely
LEAST = 1e-200  # below it products are worked out in logarithms
STEP = np.uint64(0x9E3779B97F4A7C15)  # of a row's stream, and between those of rows: any odd numbers do
APART = np.uint64(0xD1342543DE82EF95)


class Network(NamedTuple):
    """A graph over the columns, a table for each. Configurations of parents are numbers whose digits are levels."""

    tables: FloatArray  # one after the other; [configuration, level] each
    first: IntArray  # where each begins
    cards: IntArray
    children_from: IntArray  # (columns + 1,): the children of column j are those from j to before j + 1
    children: IntArray
    strides: IntArray  # of each: what one level more of the parent adds to the child's configuration


class Cells(NamedTuple):
    """The rows as they are drawn, a row's cells side by side."""

    codes: CodeArray  # (rows, columns)
    configurations: Int32Array  # (rows, columns): of the parents of each column
    hidden: BoolArray  # (rows, columns)
    likelihood: np.ndarray  # (rows, width) float32: e(s) of the columns that have one, its largest entry 1
    likelihood_at: IntArray  # (columns,): where those of a column begin, or NONE


@lean
def _mixed(z):
    """The bits of a number, mixed so that neighbours have nothing in common (the finalizer of SplitMix64)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@lean
def _weigh_in_logs(network, cells, n, j, weights):
    """The same as `_weigh` where products would vanish; the largest weight is 1."""
    r, tables, likelihood_at = network.cards[j], network.tables, cells.likelihood_at[j]
    own, old = network.first[j] + cells.configurations[n, j] * r, np.int64(cells.codes[n, j])
    top = -math.inf
    for s in range(r):
        value = math.log(tables[own + s])
        if likelihood_at >= 0:
            likelihood = np.float64(cells.likelihood[n, likelihood_at + s])  # a logarithm in 64 bits
            value += math.log(likelihood) if likelihood > 0.0 else -math.inf
        for k in range(network.children_from[j], network.children_from[j + 1]):
            c, stride = network.children[k], network.strides[k]
            configuration = cells.configurations[n, c] + (s - old) * stride
            value += math.log(tables[network.first[c] + configuration * network.cards[c] + cells.codes[n, c]])
        weights[s] = value
        top = max(top, value)
    total = 0.0
    for s in range(r):
        weights[s] = math.exp(weights[s] - top)
        total += weights[s]
    return total


@lean(inline="always")
def _weigh(network, cells, n, j, weights):
    """p(state | the rest of row n) of column j times a constant, into `weights`; their sum."""
    r, tables, likelihood_at = network.cards[j], network.tables, cells.likelihood_at[j]
    own, old = network.first[j] + cells.configurations[n, j] * r, np.int64(cells.codes[n, j])
    if likelihood_at >= 0:
        for s in range(r):
            weights[s] = tables[own + s] * cells.likelihood[n, likelihood_at + s]
    else:
        for s in range(r):
            weights[s] = tables[own + s]
    for k in range(network.children_from[j], network.children_from[j + 1]):
        c = network.children[k]
        step = network.strides[k] * network.cards[c]
        at = network.first[c] + cells.configurations[n, c] * network.cards[c] - old * step + cells.codes[n, c]
        for s in range(r):
            weights[s] *= tables[at + s * step]
    total = 0.0
    for s in range(r):
        total += weights[s]
    if total < LEAST:
        total = _weigh_in_logs(network, cells, n, j, weights)
    return total


@lean_kernel
def sweep(
    network: Network,
    cells: Cells,
    order: IntArray,
    sweeps: int,
    seed: np.uint64,
    first: int,
    last: int,
    weights: FloatArray,
) -> int:
    """Draw the hidden cells of rows first to last - 1, columns in this order, so many times; how many changed.

    weights: room for the levels of a column.
    """
    changed = 0
    for n in range(first, last):
        stream = _mixed(seed + np.uint64(n) * APART)
        for _ in range(sweeps):
            for i in range(order.shape[0]):
                j = order[i]
                if not cells.hidden[n, j]:
                    continue
                total = _weigh(network, cells, n, j, weights)
                stream += STEP
                left = np.float64(_mixed(stream) >> np.uint64(11)) * (1.0 / 9007199254740992.0) * total
                s, old = 0, np.int64(cells.codes[n, j])
                while s < network.cards[j] - 1 and left >= weights[s]:
                    left -= weights[s]
                    s += 1
                if s == old:
                    continue
                changed += 1
                cells.codes[n, j] = s
                for k in range(network.children_from[j], network.children_from[j + 1]):
                    cells.configurations[n, network.children[k]] += network.strides[k] * (s - old)
    return changed


@lean_kernel
def add_probabilities(
    network: Network,
    cells: Cells,
    rows: IntArray,
    columns: IntArray,
    starts: IntArray,
    shares: np.ndarray,
    weights: FloatArray,
) -> None:
    """Add the probability of each state of these cells, given the rest of their rows as drawn, to `shares`.

    starts[i]: where the states of cell i begin there.
    """
    for i in range(rows.shape[0]):
        total = _weigh(network, cells, rows[i], columns[i], weights)
        for s in range(network.cards[columns[i]]):
            shares[starts[i] + s] += weights[s] / total


@lean_kernel
def settle(network: Network, cells: Cells, prior: float) -> None:
    """Configurations and tables of the rows as they are: theta = (N_jk + prior / r) / (N_j + prior)."""
    codes, configurations, tables = cells.codes, cells.configurations, network.tables
    n_rows, n_columns = codes.shape
    for i in range(tables.shape[0]):
        tables[i] = 0.0
    for n in range(n_rows):
        for j in range(n_columns):
            configurations[n, j] = 0
        for j in range(n_columns):
            for k in range(network.children_from[j], network.children_from[j + 1]):
                configurations[n, network.children[k]] += network.strides[k] * codes[n, j]
        for j in range(n_columns):
            tables[network.first[j] + configurations[n, j] * network.cards[j] + codes[n, j]] += 1.0
    for j in range(n_columns):
        r = network.cards[j]
        last = network.first[j + 1] if j + 1 < n_columns else tables.shape[0]
        for start in range(network.first[j], last, r):
            total = 0.0
            for s in range(r):
                total += tables[start + s]
            for s in range(r):
                tables[start + s] = (tables[start + s] + prior / r) / (total + prior)
