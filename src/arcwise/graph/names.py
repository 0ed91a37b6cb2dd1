"""Node names: checked once when a graph is built, turned into positions everywhere after that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from arcwise.checking import shown
from arcwise.errors import GraphError, unknown_name

MOST_NODES = 20_000  # every pair of nodes has a cell in several matrices, of 0.4 GB each


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names as a tuple of distinct strings."""
    result: dict[str, None] = {}
    for name in names:
        if not isinstance(name, str):
            raise GraphError(f"node name {shown(name)} is a {type(name).__name__}; give every node a string name")
        if name in result:
            raise GraphError(f"node name {name!r} is given twice; names must be distinct")
        result[str(name)] = None
    check_nodes(len(result))
    return tuple(result)


def check_nodes(n: int) -> None:
    """Refuse a graph whose matrix would not fit into memory, before there is one."""
    if n > MOST_NODES:
        size = f"a matrix of {n * n / 1e9:,.1f} GB"
        raise GraphError(f"a graph of {n:,} nodes needs {size}; the limit is {MOST_NODES:,} nodes")


def position(positions: dict[str, int], name: str) -> int:
    """Position of the node called `name`."""
    try:
        return positions[name]
    except (KeyError, TypeError):
        raise GraphError(unknown_name("node", name, positions)) from None


def index_pairs(positions: dict[str, int], pairs: Iterable[Sequence[str]]) -> list[tuple[int, int]]:
    """Positions of the two ends of every edge; ends must be known and differ."""
    result: list[tuple[int, int]] = []
    for pair in pairs:
        if not isinstance(pair, Sequence) and not hasattr(pair, "__array__"):
            raise GraphError(f"edge {shown(pair)} is no pair; give every edge as a pair of names")
        if len(pair) != 2:
            raise GraphError(f"edge {shown(pair)} has {len(pair)} ends; give every edge as a pair of names")
        tail, head = (position(positions, end) for end in pair)
        if tail == head:
            raise GraphError(f"edge {pair[0]!r} -> {pair[1]!r} is a self loop; remove it")
        result.append((tail, head))
    return result


def same_names(names: tuple[str, ...], wanted: Iterable[str]) -> tuple[str, ...]:
    """`wanted` checked to be a reordering of `names`."""
    order = checked_names(wanted)
    mine, theirs = set(names), set(order)
    for name in order:
        if name not in mine:
            raise GraphError(unknown_name("node", name, names))
    for name in names:
        if name not in theirs:
            raise GraphError(f"node {name!r} is missing from the new order; list every node once")
    return order


def name_order(names: Sequence[str]) -> NDArray[np.intp]:
    """Positions sorted by name, so that ties never depend on the order of the columns."""
    return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.intp)
