"""The exact distribution of one node given the columns of a table, by variable elimination: all rows together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.errors import OptionError
from arcwise.networks.inference.orders import best_order
from arcwise.networks.tables import parent_codes

LARGEST_FACTOR = 2**24  # numbers in one intermediate table: 128 MiB
CHUNK = 2**20  # numbers in the intermediate tables of all rows that are asked together
MOST_WORK = 2**34  # numbers in the largest tables of all rows: a minute or so
MOST_CODES = 2**62
ROWS = -1  # the axis of the rows, next to those of the nodes
Factor = tuple[tuple[int, ...], FloatArray]  # the nodes of the axes, and the table


def with_ancestors(parents: Sequence[Sequence[int]], nodes: Iterable[int]) -> set[int]:
    """The nodes and everything above them."""
    found: set[int] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(parents[node])
    return found


def requisite(parents: Sequence[Sequence[int]], target: int, known: Collection[int]) -> tuple[list[int], list[int]]:
    """(unknown, families): P(target | known) is the sum over the other unknown nodes of the product of the families.

    A family is P(node | its parents), named by its node. What is below all that is known sums to 1 and is left out.
    Of the rest, only the unknown nodes that are joined to the target by families with unknown nodes in common matter;
    the others make a factor that is the same for every value of the target.
    """
    seen = set(known) - {target}
    kept = with_ancestors(parents, (*seen, target))
    families: dict[int, list[int]] = {}  # of each unknown node, those it stands in
    for node in sorted(kept):
        for member in (*parents[node], node):
            if member not in seen:
                families.setdefault(member, []).append(node)
    unknown, needed, waiting = {target}, set[int](), [target]
    while waiting:
        for node in families[waiting.pop()]:
            if node not in needed:
                needed.add(node)
                fresh = {*parents[node], node} - seen - unknown
                unknown |= fresh
                waiting.extend(fresh)
    return sorted(unknown), sorted(needed)


def posterior(
    cpts: Mapping[int, FloatArray],
    parents: Sequence[Sequence[int]],
    target: int,
    codes: Mapping[int, IntArray],
    n_rows: int,
) -> FloatArray:
    """(n_rows, states): P(target | the columns in `codes`) of each row; NaN where such a row is impossible.

    `cpts` and `codes` need no more than what `requisite` names. Rows that agree in all columns that matter are asked
    once. In each step the tables of all rows are computed together, scaled so that no product can vanish.
    """
    unknown, families = requisite(parents, target, codes.keys())
    used = sorted({member for node in families for member in (*parents[node], node)} - set(unknown))
    first, inverse = _distinct([codes[i] for i in used], n_rows)
    cardinalities = {node: _cardinality(node, families, parents, cpts) for node in unknown}
    scopes = [tuple(m for m in (*parents[node], node) if m in cardinalities) for node in families]
    order, sizes = best_order(scopes, cardinalities, (target,))
    largest = max(sizes, default=cardinalities[target])
    _check_size(largest)
    if len(first) * largest > MOST_WORK:
        raise OptionError(
            f"the exact answer needs a table of {largest} numbers for each of {len(first)} different rows; "
            "ask for fewer rows, or give more columns"
        )
    logs = {node: _log(cpts[node]) for node in families}
    found = np.empty((len(first), cardinalities[target]))
    step = max(CHUNK // largest, 1)
    for start in range(0, len(first), step):
        rows = first[start : start + step]
        at = {i: codes[i][rows] for i in used}
        reduced = [_reduced(logs[node], (*parents[node], node), at, len(rows)) for node in families]
        found[start : start + step] = _eliminate(_collapsed(reduced), order, (ROWS, target))
    with np.errstate(invalid="ignore"):
        found /= found.sum(axis=1, keepdims=True)
    return found[inverse]


def _distinct(columns: Sequence[IntArray], n_rows: int) -> tuple[IntArray, IntArray]:
    """(a row of each pattern, the pattern of each row)."""
    code, span = np.zeros(n_rows, dtype=np.int64), 1
    for column in columns:
        width = int(column.max(initial=0)) + 1
        if span * width > MOST_CODES:
            patterns, code = np.unique(code, return_inverse=True)
            span = len(patterns)
        code = code * width + column
        span *= width
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    return first, inverse


def _cardinality(
    node: int, families: Sequence[int], parents: Sequence[Sequence[int]], cpts: Mapping[int, FloatArray]
) -> int:
    family = next(f for f in families if f == node or node in parents[f])
    return int(cpts[family].shape[(*parents[family], family).index(node)])


def _log(table: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        result: FloatArray = np.log(table)
    return result


def _reduced(log_table: FloatArray, scope: tuple[int, ...], codes: Mapping[int, IntArray], n_rows: int) -> Factor:
    """The table of what is unknown, one for each row."""
    known, free = [i for i in scope if i in codes], tuple(i for i in scope if i not in codes)
    table = np.transpose(log_table, [scope.index(i) for i in (*known, *free)])
    shape = table.shape[len(known) :]
    row = parent_codes([codes[i] for i in known], table.shape[: len(known)], n_rows)
    return (ROWS, *free), table.reshape(-1, *shape)[row]


def _collapsed(factors: Sequence[Factor]) -> list[Factor]:
    """Factors with the same axes as one, each row scaled to a largest entry of 1; no longer logarithms."""
    sums: dict[tuple[int, ...], FloatArray] = {}
    for scope, table in factors:
        same = next((known for known in sums if set(known) == set(scope)), None)
        if same is None:
            sums[scope] = table
        else:
            sums[same] = sums[same] + np.transpose(table, [scope.index(i) for i in same])
    result: list[Factor] = []
    for scope, table in sums.items():
        top = table.max(axis=tuple(range(1, table.ndim)), keepdims=True)
        result.append((scope, np.exp(table - np.where(np.isfinite(top), top, 0.0))))
    return result


def _eliminate(factors: Sequence[Factor], order: Sequence[int], wanted: tuple[int, ...]) -> FloatArray:
    """The product of all factors, summed over the nodes of `order`, one after the other."""
    left = list(factors)
    for node in order:
        touching = [factor for factor in left if node in factor[0]]
        scope = tuple(sorted({other for nodes, _ in touching for other in nodes} - {node}))
        left = [factor for factor in left if node not in factor[0]]
        left.append((scope, _scaled(scope, _product(touching, scope))))
    return _product(left, wanted)


def _scaled(scope: tuple[int, ...], table: FloatArray) -> FloatArray:
    """Each row with a largest entry of 1: only proportions matter."""
    top = table.max(axis=tuple(i for i, node in enumerate(scope) if node != ROWS), keepdims=True)
    return table / np.where(top > 0, top, 1.0)


def _check_size(size: int) -> None:
    if size > LARGEST_FACTOR:
        raise OptionError(
            f"the exact answer needs a table of {size} numbers (limit {LARGEST_FACTOR}); "
            "ask for fewer nodes, give more columns, or estimate it from a sample"
        )


def _product(factors: Sequence[Factor], scope: tuple[int, ...]) -> FloatArray:
    """Multiply the factors and sum out everything that is not in `scope`."""
    # einsum knows axes only by small numbers, so the nodes are numbered afresh for each product.
    axes = {node: i for i, node in enumerate(sorted({n for nodes, _ in factors for n in nodes}))}
    operands: list[Any] = []
    for nodes, table in factors:
        operands += [table, [axes[n] for n in nodes]]
    return np.einsum(*operands, [axes[n] for n in scope], optimize="greedy")
