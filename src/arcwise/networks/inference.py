"""Exact joint distributions of a few nodes, by variable elimination."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.errors import OptionError

LARGEST_FACTOR = 2**24  # numbers in one intermediate table: 128 MiB

Factor = tuple[tuple[int, ...], FloatArray]  # the nodes of the axes, and the table


def joint(
    cpts: Sequence[FloatArray],
    parents: Sequence[Sequence[int]],
    wanted: Sequence[int],
) -> FloatArray:
    """P(wanted) as an array with one axis per wanted node, in the order given.

    Only ancestors of the wanted nodes matter. The node whose elimination makes the smallest table goes
    first; the cost is exponential in the width of that order.
    """
    cardinalities = [cpt.shape[-1] for cpt in cpts]
    _check_size(prod(cardinalities[i] for i in wanted))
    relevant = _with_ancestors(parents, wanted)
    factors: list[Factor] = [((*parents[i], i), cpts[i]) for i in sorted(relevant)]
    remaining = relevant - set(wanted)
    while remaining:
        sizes = {i: prod(cardinalities[j] for j in _scope_around(factors, i)) for i in remaining}
        node = min(sorted(remaining), key=sizes.__getitem__)
        _check_size(sizes[node])
        touching = [factor for factor in factors if node in factor[0]]
        scope = tuple(sorted(_scope_around(factors, node) - {node}))
        factors = [factor for factor in factors if node not in factor[0]]
        factors.append((scope, _product(touching, scope)))
        remaining.remove(node)
    return _product(factors, tuple(wanted))


def _check_size(size: int) -> None:
    if size > LARGEST_FACTOR:
        raise OptionError(
            f"the exact joint needs a table of {size} numbers (limit {LARGEST_FACTOR}); "
            "ask for fewer nodes or estimate it from a sample"
        )


def _with_ancestors(parents: Sequence[Sequence[int]], nodes: Iterable[int]) -> set[int]:
    found: set[int] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(parents[node])
    return found


def _scope_around(factors: Sequence[Factor], node: int) -> set[int]:
    """All nodes that share a factor with `node`, itself included."""
    return {other for scope, _ in factors if node in scope for other in scope}


def _product(factors: Sequence[Factor], scope: tuple[int, ...]) -> FloatArray:
    """Multiply the factors and sum out everything that is not in `scope`."""
    # einsum knows axes only by small numbers, so the nodes are numbered afresh for each product.
    axes = {node: i for i, node in enumerate(sorted({n for nodes, _ in factors for n in nodes}))}
    operands: list[Any] = []
    for nodes, table in factors:
        operands += [table, [axes[n] for n in nodes]]
    result: FloatArray = np.einsum(*operands, [axes[n] for n in scope], optimize="greedy")
    return result
