"""All labelled DAGs on a few nodes. A DAG is a row of masks: bit i of dags[k, j] says that i is a parent of j."""

import numpy as np

from arcwise._kernels.compiled import inner, kernel
from arcwise._kernels.types import IntArray, UInt8Array


@inner
def _reach(row, v, below):
    """below[i]: the nodes that i leads to, itself included, in the DAG on the nodes 0..v-1."""
    for i in range(v):
        below[i] = 1 << i
    for _ in range(v):
        for j in range(v):
            for i in range(v):
                if row[j] >> i & 1:
                    below[i] |= below[j]


@inner
def _fits(parents, children, below, v):
    """Whether a new node with these parents and children closes no cycle: no child leads to a parent."""
    for i in range(v):
        if children >> i & 1 and below[i] & parents:
            return False
    return True


@kernel
def with_node(dags: UInt8Array, v: int, out: UInt8Array) -> int:
    """The DAGs on the nodes 0..v, each once, from those on 0..v-1, into `out`; their number, which `out` has room for.

    Node v gets any parents and any children that close no cycle; it is all that the new DAG has more than the old.
    """
    below = np.empty(v, dtype=np.int64)
    n_found = 0
    for k in range(dags.shape[0]):
        _reach(dags[k], v, below)
        for parents in range(1 << v):
            others = ~parents & ((1 << v) - 1)
            children = others
            while True:  # every subset of the others, the largest first
                if _fits(parents, children, below, v):
                    for j in range(v):
                        out[n_found, j] = dags[k, j] | (children >> j & 1) << v
                    out[n_found, v] = parents
                    n_found += 1
                if children == 0:
                    break
                children = (children - 1) & others
    return n_found


@kernel
def class_keys(dags: UInt8Array, n: int) -> IntArray:
    """(count, 2): skeleton and v-structures of each DAG as numbers, the same for DAGs of one class only, n <= 6."""
    keys = np.zeros((dags.shape[0], 2), dtype=np.int64)
    for k in range(dags.shape[0]):
        pair = 0
        triple = 0
        for i in range(n):
            for j in range(i):
                joined = np.int64(dags[k, j] >> i | dags[k, i] >> j) & 1
                keys[k, 0] |= joined << pair
                pair += 1
                for c in range(n):
                    if c not in (i, j):
                        keys[k, 1] |= (np.int64(dags[k, c] >> i & dags[k, c] >> j) & 1 & ~joined) << triple
                        triple += 1
    return keys
