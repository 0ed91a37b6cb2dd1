"""Other readings of what a publication measured: what its numbers would be if it had measured something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from arcwise.data.dataset import Dataset
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.scores.kernel_score import KernelScore
from arcwise.scores.kgv import KGV

Families = Mapping[str, Sequence[str]]  # the parents of each column


def one_off(truth: Dag, in_order: Sequence[str]) -> Dag:
    """The network as it looks to somebody who takes each column for the one before it."""
    before = dict(zip(in_order, (in_order[-1], *in_order), strict=False))
    return Dag([before[name] for name in truth.names], [(before[a], before[b]) for a, b in truth.edges])


def families(found: Dag | Pdag) -> Families:
    """The parents of each column. Of a pattern, an edge without a direction, or with two, makes each end a parent."""
    if isinstance(found, Dag):
        return {name: found.parents(name) for name in found.names}
    parents: dict[str, set[str]] = {name: set() for name in found.names}
    for a, b in found.directed:
        parents[b].add(a)
    for a, b in (*found.undirected, *found.bidirected):
        parents[a].add(b)
        parents[b].add(a)
    return {name: sorted(those) for name, those in parents.items()}


def kernel_score(those: Families, data: Dataset, penalty: float) -> float:
    """sum_i N I^K(i; P_i) - penalty * (d_i d_P / 2) ln N: with the penalty 1 it is the score `kgv`."""
    bound = KernelScore(data, KGV().kernel(data.n_rows))
    d, place, total = bound.dimensions, {name: i for i, name in enumerate(data.names)}, 0.0
    for child, parents in those.items():
        i, others = place[child], sorted(place[name] for name in parents)
        cost = 0.5 * log(data.n_rows) * d[i] * sum(d[j] for j in others)
        total += bound.local_score(i, others) + (1.0 - penalty) * float(cost)
    return total
