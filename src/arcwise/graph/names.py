"""Node names: checked once when a graph is built, turned into positions everywhere after that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from arcwise.errors import GraphError, unknown_name


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names as a tuple of distinct strings."""
    result: list[str] = []
    for name in names:
        if not isinstance(name, str):
            raise GraphError(f"node name {name!r} is a {type(name).__name__}; give every node a string name")
        result.append(str(name))
    if len(set(result)) < len(result):
        twice = next(name for name in result if result.count(name) > 1)
        raise GraphError(f"node name {twice!r} is given twice; names must be distinct")
    return tuple(result)


def position(positions: dict[str, int], name: str) -> int:
    """Position of the node called `name`."""
    try:
        return positions[name]
    except (KeyError, TypeError):
        raise GraphError(unknown_name("node", str(name), positions)) from None


def index_pairs(positions: dict[str, int], pairs: Iterable[Sequence[str]]) -> list[tuple[int, int]]:
    """Positions of the two ends of every edge; ends must be known and differ."""
    result: list[tuple[int, int]] = []
    for pair in pairs:
        if len(pair) != 2:
            raise GraphError(f"edge {pair!r} has {len(pair)} ends; give every edge as a pair of names")
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
