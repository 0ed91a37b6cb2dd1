"""Pictures hold for any graph: boxes apart, arrows downward, the same for any order of the names."""

from __future__ import annotations

from itertools import pairwise
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.drawing.layout import layout
from arcwise.drawing.places import STUB, Box, Layout
from arcwise.graph import Dag, Pdag

NAMES = st.lists(st.text("abcÄ_ \n\t", min_size=0, max_size=30), unique=True, min_size=1, max_size=14)


@st.composite
def dags(draw: st.DrawFn) -> Dag:
    names = draw(NAMES)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return Dag(names, draw(st.lists(st.sampled_from(pairs), unique=True, max_size=40)) if pairs else [])


@st.composite
def pdags(draw: st.DrawFn) -> Pdag:
    """Any mixture of edges, with cycles and with arrows between nodes that lines join."""
    names = draw(NAMES)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=30)) if pairs else []
    kinds = [draw(st.sampled_from(["down", "up", "line", "line", "both"])) for _ in chosen]
    of = {kind: [pair for pair, one in zip(chosen, kinds, strict=True) if one == kind] for kind in set(kinds)}
    directed = [*of.get("down", []), *((b, a) for a, b in of.get("up", []))]
    return Pdag(names, directed, of.get("line", []), of.get("both", []))


def check_boxes(found: Layout) -> None:
    for i, one in enumerate(found.boxes):
        assert one.width / 2 - 1e-6 <= one.x <= found.width - one.width / 2 + 1e-6
        assert one.height / 2 - 1e-6 <= one.y <= found.height - one.height / 2 + 1e-6
        for other in found.boxes[:i]:
            beside = abs(one.x - other.x) >= (one.width + other.width) / 2 + 10
            assert beside or abs(one.y - other.y) >= (one.height + other.height) / 2 + 10


def on_border(box: Box, point: tuple[float, float]) -> bool:
    across, down = abs(point[0] - box.x) - box.width / 2, abs(point[1] - box.y) - box.height / 2
    return max(across, down) == pytest.approx(0.0, abs=1e-6)


def check_order_of_names(graph: Dag | Pdag, found: Layout, chance) -> None:
    names = list(graph.names)
    chance.shuffle(names)
    again = layout(graph.reordered(names))
    assert {graph.names[b.node]: (b.x, b.y) for b in found.boxes} == {names[b.node]: (b.x, b.y) for b in again.boxes}


@settings(max_examples=60, deadline=None)
@given(dags(), st.randoms(use_true_random=False))
def test_arrows_run_from_row_to_row(dag: Dag, chance) -> None:
    found = layout(dag)
    assert len(found.boxes) == dag.n_nodes
    check_boxes(found)
    assert sorted((route.start, route.end) for route in found.routes) == sorted(
        (dag.index(a), dag.index(b)) for a, b in dag.edges
    )
    for route in found.routes:
        upper, lower = found.boxes[route.start], found.boxes[route.end]
        assert abs(route.points[0][1] - (upper.y + upper.height / 2)) < 1e-6
        assert abs(route.points[-1][1] - (lower.y - lower.height / 2)) < 1e-6
        assert all(above <= below for (_, above), (_, below) in pairwise(route.points))  # a row of bends has no height
        assert route.points[0][1] < route.points[-1][1]
        assert route.points[-1][1] - route.points[-4][1] >= STUB - 1e-9
    check_order_of_names(dag, found, chance)


@settings(max_examples=80, deadline=None)
@given(pdags(), st.randoms(use_true_random=False))
def test_any_mixture_of_edges(graph: Pdag, chance) -> None:
    found = layout(graph)
    check_boxes(found)
    ends = sorted(tuple(sorted((route.start, route.end))) for route in found.routes)
    assert ends == sorted(tuple(sorted((graph.index(a), graph.index(b)))) for a, b in graph.skeleton)
    for route in found.routes:
        assert on_border(found.boxes[route.start], route.points[0])
        assert on_border(found.boxes[route.end], route.points[-1])
        for (x, y), (to_x, to_y) in ((route.points[0], route.points[3]), (route.points[-1], route.points[-4])):
            assert hypot(to_x - x, to_y - y) >= STUB - 1e-6  # room for a head
    if Pdag(graph.names, graph.directed).is_dag:
        for a, b in graph.directed:
            upper, lower = found.boxes[graph.index(a)], found.boxes[graph.index(b)]
            assert upper.y + upper.height / 2 < lower.y - lower.height / 2
    check_order_of_names(graph, found, chance)


@settings(max_examples=60, deadline=None)
@given(dags())
def test_what_has_no_order_is_not_stacked(dag: Dag) -> None:
    """The pattern of a DAG: few neighbours without a direction stand in one row, wherever they hang together."""
    pattern = dag.cpdag()
    found = layout(pattern)
    groups: dict[str, set[str]] = {name: {name} for name in pattern.names}
    for a, b in pattern.undirected:
        union = groups[a] | groups[b]
        groups.update(dict.fromkeys(union, union))
    if all(len(group) <= 2 for group in groups.values()):
        for a, b in pattern.undirected:
            assert found.boxes[pattern.index(a)].y == pytest.approx(found.boxes[pattern.index(b)].y)
