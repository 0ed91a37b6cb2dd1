"""Edges without a direction: side by side, on a ring or free, never one above the other as a cause above its effect."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from arcwise import networks
from arcwise.drawing.layout import layout
from arcwise.drawing.numbers import sampled
from arcwise.drawing.overlaps import separated
from arcwise.drawing.places import Layout
from arcwise.drawing.stress import stressed
from arcwise.graph import Dag, Pdag


def through_boxes(found: Layout) -> int:
    """Pairs of an edge and a box that it runs through."""
    count = 0
    for route in found.routes:
        points = sampled(route.points)
        for box in found.boxes:
            inside = (abs(points[:, 0] - box.x) < box.width / 2 - 0.5) & (
                abs(points[:, 1] - box.y) < box.height / 2 - 0.5
            )
            count += bool(inside.any()) and box.node not in (route.start, route.end)
    return count


def tree(n: int) -> Pdag:
    names = [f"node {i}" for i in range(n)]
    return Pdag(names, undirected=[(names[(i - 1) // 2], names[i]) for i in range(1, n)])


def test_the_pattern_of_alarm_has_its_lines_level_and_its_arrows_down() -> None:
    pattern = networks.load("alarm").dag.cpdag()
    found = layout(pattern)
    box = {pattern.names[one.node]: one for one in found.boxes}
    assert len(pattern.undirected) == 4
    for a, b in pattern.undirected:
        assert box[a].y == pytest.approx(box[b].y)
        between = [
            one
            for one in found.boxes
            if one.y == box[a].y and min(box[a].x, box[b].x) < one.x < max(box[a].x, box[b].x)
        ]
        assert between == []  # they stand side by side
    for a, b in pattern.directed:
        assert box[a].y < box[b].y
    assert through_boxes(found) == 0


def test_a_path_of_four_is_one_row_and_a_further_line_an_arc_over_it() -> None:
    found = layout(Pdag("abcd", undirected=["ab", "bc", "cd", "ac"]))
    assert len({box.y for box in found.boxes}) == 1
    (arc,) = (route for route in found.routes if len(route.points) == 10)
    assert min(y for _, y in arc.points) < found.boxes[0].y - found.boxes[0].height / 2 - 20
    assert through_boxes(found) == 0


def test_a_large_tree_of_lines_does_not_look_like_a_hierarchy() -> None:
    graph = tree(31)
    found = layout(graph)
    heights = [box.y for box in found.boxes]
    assert len({round(y) for y in heights}) > 20  # not five rows
    upward = sum(heights[i] < heights[(i - 1) // 2] for i in range(1, 31))
    assert 8 <= upward <= 22  # about as many children above as below
    assert through_boxes(found) == 0
    assert found.width > found.height


def test_edges_of_a_dense_skeleton_keep_clear_of_boxes_where_they_can() -> None:
    pattern = networks.load("insurance").dag.cpdag()
    skeleton = Pdag(pattern.names, undirected=pattern.skeleton)
    assert through_boxes(layout(skeleton)) <= 1


def test_many_lines_among_few_nodes_stand_on_a_ring() -> None:
    names = [f"n{i}" for i in range(12)]
    found = layout(Pdag(names, undirected=[(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]))
    middle = found.width / 2, found.height / 2
    assert all(abs(box.x - middle[0]) > 60 or abs(box.y - middle[1]) > 60 for box in found.boxes)
    assert through_boxes(found) == 0


def test_arrows_from_a_large_group_without_directions_lead_down() -> None:
    names = [f"g{i}" for i in range(9)]
    lines = list(pairwise(names))
    graph = Pdag([*names, "x", "y"], [("g0", "x"), ("g8", "x"), ("x", "y"), ("g4", "y")], lines)
    found = layout(graph)
    box = {graph.names[one.node]: one for one in found.boxes}
    for a, b in graph.directed:
        assert box[b].y - box[b].height / 2 - box[a].y - box[a].height / 2 >= 40
    arrows = [route for route in found.routes if (graph.names[route.start], graph.names[route.end]) in graph.directed]
    assert len(arrows) == 4
    for route in arrows:
        assert route.points[-4][1] <= route.points[-1][1]


def test_stress_keeps_distances() -> None:
    places = stressed([(i, i + 1, 10.0) for i in range(5)], 6)
    for i, j in product(range(6), repeat=2):
        assert np.hypot(*(places[i] - places[j])) == pytest.approx(10.0 * abs(i - j), rel=0.02, abs=1e-6)
    assert np.ptp(places[:, 1]) < 1.0  # it lies


def test_overlaps_are_removed_without_moving_what_is_free() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(0, 40, 30), rng.normal(0, 40, 30)
    x[0], y[0] = 5000.0, 5000.0
    width, height = rng.uniform(20, 80, 30), rng.uniform(20, 40, 30)
    moved_x, moved_y = separated(x, y, width, height, [(1, 2, 60.0)])
    apart_x = abs(moved_x[:, None] - moved_x) - (width[:, None] + width) / 2
    apart_y = abs(moved_y[:, None] - moved_y) - (height[:, None] + height) / 2
    assert (np.maximum(apart_x, apart_y) + 1e3 * np.eye(30) >= -1e-5).all()
    assert moved_y[2] - moved_y[1] >= 60.0 - 1e-6
    assert (moved_x[0], moved_y[0]) == (5000.0, 5000.0)


@pytest.mark.parametrize("lines", [0, 200])
def test_hundreds_of_nodes(lines: int) -> None:
    rng = np.random.default_rng(5)
    names = [f"v{i}" for i in range(150)]
    pairs = [(names[int(rng.integers(max(0, i - 12), i))], names[i]) for i in range(1, 150)]
    graph = Pdag(names, pairs[lines:], pairs[:lines]) if lines else Dag(names, pairs)
    found = layout(graph)
    assert len(found.routes) == 149
    assert through_boxes(found) <= 5


def test_edges_of_crowded_patterns_bend_around_most_boxes() -> None:
    through = edges = 0
    for seed in range(4):
        rng = np.random.default_rng([40, 5, seed])
        names = [f"column_{k}" for k in range(40)]
        pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if rng.random() < 5 / 39]
        down = [pair for pair in pairs if rng.random() < 0.7]
        found = layout(Pdag(names, down, [pair for pair in pairs if pair not in down]))
        through, edges = through + through_boxes(found), edges + len(pairs)
    assert through < 0.07 * edges
