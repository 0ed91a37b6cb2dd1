"""The 25 graphs on three nodes in Tran's order, and the scores by which he compares them.

The drawings of his table 2.2 are lost. What tells the order is his list of classes, and which printed scores are sums
of which others. Within a class graphs score alike, so that their order does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import log

from arcwise.data.dataset import Dataset
from arcwise.errors import DataError
from arcwise.scores import LogLikelihood

Arcs = tuple[tuple[int, int], ...]  # from, to; nodes 0, 1, 2


def _around(middle: int) -> tuple[Arcs, ...]:
    """The three graphs without a collider that join this node with both others."""
    a, b = (node for node in range(3) if node != middle)
    return ((middle, a), (middle, b)), ((a, middle), (middle, b)), ((b, middle), (middle, a))


def _meeting(middle: int) -> Arcs:
    a, b = (node for node in range(3) if node != middle)
    return (a, middle), (b, middle)


CLASSES: tuple[tuple[Arcs, ...], ...] = (
    ((),),
    (((0, 1),), ((1, 0),)),
    (((0, 2),), ((2, 0),)),
    (((1, 2),), ((2, 1),)),
    _around(0),
    _around(1),
    (_meeting(2),),
    (_meeting(1),),
    _around(2),
    (_meeting(0),),
    tuple(((a, b), (a, c), (b, c)) for a, b, c in permutations(range(3))),
)
GRAPHS: tuple[Arcs, ...] = tuple(arcs for members in CLASSES for arcs in members)  # graph 8 is GRAPHS[7]
TRUE = 8
SCORES = ("AIC", "BIC", "MDL", "AIC (r - 1)", "BIC (r - 1)", "MDL (1 for none)")


def parents_of(arcs: Arcs, node: int) -> tuple[int, ...]:
    return tuple(sorted(a for a, b in arcs if b == node))


def words(arcs: Arcs, names: Sequence[str]) -> str:
    return ", ".join(f"{names[a]} -> {names[b]}" for a, b in arcs) or "no edge"


def all_scores(data: Dataset) -> dict[Arcs, Mapping[str, float]]:
    """The scores of every graph, by name; lower is better. Nodes are the columns in their order.

    AIC and BIC of the thesis count r parameters for each configuration of the parents, and its MDL none for a node
    without parents; those with a note count r - 1, and one configuration.
    """
    if data.n_columns != 3:
        raise DataError(f"the table has {data.n_columns} columns; give one with three")
    likelihood = LogLikelihood().bind(data)
    families = {(node, parents_of(arcs, node)) for arcs in GRAPHS for node in range(3)}
    local = {(node, parents): likelihood.local_score(node, list(parents)) for node, parents in families}
    return {arcs: _scores(arcs, sum(local[v, parents_of(arcs, v)] for v in range(3)), data) for arcs in GRAPHS}


def _scores(arcs: Arcs, likelihood: float, data: Dataset) -> dict[str, float]:
    r, size = data.cardinalities, log(data.n_rows)
    q = [1] * 3
    for parent, child in arcs:
        q[child] *= r[parent]
    full = sum(q[v] * r[v] for v in range(3))
    free = sum(q[v] * (r[v] - 1) for v in range(3))
    below = sum(q[v] * (r[v] - 1) for v in range(3) if parents_of(arcs, v))
    names = sum(map(log, r)) + (3 + len(arcs)) * log(3)
    length = names - likelihood
    values = (
        2 * full - 2 * likelihood, size * full - 2 * likelihood, length + size / 2 * below,
        2 * free - 2 * likelihood, size * free - 2 * likelihood, length + size / 2 * free,
    )  # fmt: skip
    return dict(zip(SCORES, values, strict=True))
