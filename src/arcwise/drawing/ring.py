"""A part of a graph with many edges and no arrows on an ellipse: every edge can be followed, as none passes a box."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from arcwise.drawing.free import GAP, Edges, routed
from arcwise.drawing.places import Box, Layout, enclosed

ASPECT = 1.5  # width of the ellipse for its height
GROWTH = 1.06
RECENT = 3  # nodes that were placed last, whose neighbours come next


def ring_part(boxes: Sequence[Box], level: Edges) -> Layout:
    """Boxes with all routes; the top left corner is at the origin. Pairs are places among the boxes."""
    order = _order(len(boxes), level)
    height = 60.0
    placed = _on_ellipse(boxes, order, height)
    while _touching(placed):
        height *= GROWTH
        placed = _on_ellipse(boxes, order, height)
    return enclosed(placed, routed(placed, (), level))


def _order(n: int, level: Edges) -> list[int]:
    """From the node with the most neighbours on, each time one with many neighbours among those placed last."""
    near: list[set[int]] = [set() for _ in range(n)]
    for i, j in level:
        near[i].add(j)
        near[j].add(i)
    order = [max(range(n), key=lambda node: (len(near[node]), -node))]
    left = [node for node in range(n) if node != order[0]]
    while left:
        recent, placed = set(order[-RECENT:]), set(order)
        best = max(left, key=lambda node: (len(near[node] & recent), len(near[node] & placed), -node))
        order.append(best)
        left.remove(best)
    return order


def _on_ellipse(boxes: Sequence[Box], order: Sequence[int], height: float) -> list[Box]:
    placed = list(boxes)
    for k, node in enumerate(order):
        angle = 2 * math.pi * k / len(order)
        placed[node] = replace(boxes[node], x=ASPECT * height * math.sin(angle) / 2, y=-height * math.cos(angle) / 2)
    return placed


def _touching(boxes: Sequence[Box]) -> bool:
    return any(
        abs(one.x - other.x) < (one.width + other.width) / 2 + GAP[0]
        and abs(one.y - other.y) < (one.height + other.height) / 2 + GAP[1]
        for k, one in enumerate(boxes)
        for other in boxes[:k]
    )
