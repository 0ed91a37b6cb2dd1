"""Pictures hold for any graph: boxes apart, arrows downward, the same for any order of the names."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.drawing.layout import layout
from arcwise.drawing.places import STUB
from arcwise.graph import Dag


@st.composite
def dags(draw: st.DrawFn) -> Dag:
    names = draw(st.lists(st.text("abcÄ_ \n\t", min_size=0, max_size=30), unique=True, min_size=1, max_size=14))
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return Dag(names, draw(st.lists(st.sampled_from(pairs), unique=True, max_size=40)) if pairs else [])


@settings(max_examples=60, deadline=None)
@given(dags(), st.randoms(use_true_random=False))
def test_layout(dag: Dag, chance) -> None:
    found = layout(dag)
    assert len(found.boxes) == dag.n_nodes
    for i, one in enumerate(found.boxes):
        assert one.width / 2 - 1e-6 <= one.x <= found.width - one.width / 2 + 1e-6
        assert one.height / 2 - 1e-6 <= one.y <= found.height - one.height / 2 + 1e-6
        for other in found.boxes[:i]:
            beside = abs(one.x - other.x) >= (one.width + other.width) / 2 + 10
            assert beside or abs(one.y - other.y) >= (one.height + other.height) / 2 + 10

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

    names = list(dag.names)
    chance.shuffle(names)
    again = layout(dag.reordered(names))
    assert {dag.names[b.node]: (b.x, b.y) for b in found.boxes} == {names[b.node]: (b.x, b.y) for b in again.boxes}
