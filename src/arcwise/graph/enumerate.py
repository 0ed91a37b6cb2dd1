"""Every DAG on a few nodes, and the Markov equivalence classes they fall into."""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from arcwise.errors import OptionError
from arcwise.graph.adjacency import BoolArray

MOST_NODES = 6  # 3,781,503 DAGs; seven nodes have 1,138,779,265


def count_dags(n: int) -> int:
    """How many DAGs there are on n labelled nodes: 1, 1, 3, 25, 543, 29281, ... (Robinson 1973).

    a(n) = sum over k = 1..n of (-1)^(k+1) C(n, k) 2^(k (n - k)) a(n - k), k the nodes without parents.
    """
    if n < 0:
        raise OptionError(f"a graph of {n} nodes is impossible; ask for 0 or more")
    counts = [1]
    for m in range(1, n + 1):
        counts.append(sum((-1) ** (k + 1) * comb(m, k) * 2 ** (k * (m - k)) * counts[m - k] for k in range(1, m + 1)))
    return counts[n]


def all_dags(n: int) -> BoolArray:
    """The adjacency matrices of all DAGs on n <= 6 nodes, (count, n, n), always in the same order."""
    masks = _masks(n)
    return (masks[:, None, :] >> np.arange(n, dtype=np.uint8)[:, None] & 1).astype(np.bool_)


def class_numbers(n: int) -> NDArray[np.intp]:
    """For each DAG of `all_dags(n)` the number of its equivalence class, counted from 0 as they appear.

    Two DAGs are in one class if they have the same skeleton and the same v-structures (Verma and Pearl 1990).
    """
    from arcwise._kernels.graphs.all_graphs import class_keys

    keys = class_keys(_masks(n), n)
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    new = np.any(np.diff(keys[order], axis=0, prepend=-1) != 0, axis=1)
    first = order[new]  # the sort is stable: the first DAG of its class
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    numbers = np.empty(len(keys), dtype=np.intp)
    numbers[order] = rank[np.cumsum(new) - 1]
    return numbers


def _masks(n: int) -> NDArray[np.uint8]:
    """All DAGs as rows of parent masks, (count, n)."""
    from arcwise._kernels.graphs.all_graphs import with_node

    if not 0 <= n <= MOST_NODES:
        raise OptionError(f"cannot list all DAGs on {n} nodes; ask for 0 to {MOST_NODES} nodes")
    dags = np.zeros((1, n), dtype=np.uint8)
    for v in range(n):
        out = np.zeros((count_dags(v + 1), n), dtype=np.uint8)
        with_node(dags, v, out)
        dags = out
    return dags
