"""In which order nodes are summed out: the tables on the way should be small.

To find the best order is hard, and greedy rules are good: the node with the smallest table around it goes next, or the
one whose neighbours lack the fewest edges between them, each weighed by its levels (Kjaerulff 1990).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from math import exp, log

Numbers = Mapping[int, float] | Sequence[float]  # by node
DIGITS = 9  # of a cost: sums that are equal but for rounding are equal
Around = dict[int, set[int]]  # the neighbours of each node that is left


def smallest_tables(scopes: Iterable[Collection[int]], logs: Numbers, last: Collection[int] = ()) -> list[int]:
    """At each step the node with the smallest table around it. logs: ln of what a node makes a table larger by.

    last: nodes that are eliminated after all others, in this order.
    """

    def cost(node: int, around: Around) -> float:
        return sum((logs[other] for other in sorted(around[node])), start=logs[node])

    return [*_greedy(_neighbours(scopes), cost, last), *last]


def fewest_edges(scopes: Iterable[Collection[int]], logs: Numbers, last: Collection[int] = ()) -> list[int]:
    """At each step the node whose neighbours lack the fewest edges, each as heavy as the table of its ends."""
    around = _neighbours(scopes)
    weights = {node: exp(logs[node]) for node in around}

    def cost(node: int, around: Around) -> float:
        pairs = combinations(sorted(around[node]), 2)
        return sum(weights[a] * weights[b] for a, b in pairs if b not in around[a])

    return [*_greedy(around, cost, last, wide=True), *last]


def best_order(
    scopes: Sequence[Collection[int]], cards: Mapping[int, int] | Sequence[int], kept: Collection[int] = ()
) -> tuple[list[int], list[int]]:
    """(the better of both orders, without the nodes that are kept; the numbers in the table of each step)."""
    logs = {node: log(cards[node]) for scope in scopes for node in scope}
    found = []
    for rule in (smallest_tables, fewest_edges):
        order = rule(scopes, logs, kept)
        order = order[: len(order) - len(kept)]
        sizes = table_sizes(scopes, cards, order)
        found.append((order, sizes))
    return min(found, key=lambda one: sum(one[1]))


def table_sizes(
    scopes: Iterable[Collection[int]], cards: Mapping[int, int] | Sequence[int], order: Sequence[int]
) -> list[int]:
    """The numbers in the table of each step of an order."""
    around, sizes = _neighbours(scopes), []
    for node in order:
        size = cards[node]
        for other in _take_out(around, node):
            size *= cards[other]
        sizes.append(size)
    return sizes


def _neighbours(scopes: Iterable[Collection[int]]) -> Around:
    around: Around = {}
    for scope in scopes:
        for node in scope:
            around.setdefault(node, set()).update(scope)
    for node, near in around.items():
        near.discard(node)
    return around


def _greedy(
    around: Around, cost: Callable[[int, Around], float], last: Collection[int], *, wide: bool = False
) -> list[int]:
    """The cheapest node again and again, the first of equal ones. wide: a step changes costs two edges away, too."""
    costs = {node: round(cost(node, around), DIGITS) for node in around if node not in last}
    order: list[int] = []
    while costs:
        node = min(costs, key=lambda v: (costs[v], v))
        del costs[node]
        order.append(node)
        near = _take_out(around, node)
        touched = near.union(*(around[other] for other in near)) if wide else near
        for other in touched & costs.keys():
            costs[other] = round(cost(other, around), DIGITS)
    return order


def _take_out(around: Around, node: int) -> set[int]:
    """Join the neighbours of a node to each other, and remove it."""
    near = around.pop(node)
    for other in near:
        around[other] |= near
        around[other] -= {node, other}
    return near
