"""Pictures of graphs: boxes, and edges with heads between them, with a title and a legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypedDict, Unpack, overload

from arcwise.checking import checked
from arcwise.drawing.edge_looks import Scale, line_of, pen_of, tooltip_of
from arcwise.drawing.files import suffix_of, to_svg, write
from arcwise.drawing.layout import layout
from arcwise.drawing.legend import entries
from arcwise.drawing.node_looks import NodeLook, Role, node_group
from arcwise.drawing.numbers import Number, placed_numbers
from arcwise.drawing.overview import overview_groups, overview_keys, overview_layout, overview_notes, overview_of
from arcwise.drawing.places import Layout, Route
from arcwise.drawing.scene import Group, Scene, printable
from arcwise.drawing.sheet import sheet
from arcwise.drawing.subject import Edge, Measure, Subject, Weights, blanket, induced, neighbourhood, subject_of
from arcwise.errors import GraphError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.printing import counted

MOST_NODES = 60  # on a page
Kinds = Mapping[str, Literal["continuous", "discrete"]]


class Options(TypedDict, total=False):
    """What `draw` takes beside the graph and the path."""

    title: str | None
    edge_weights: Weights | None
    kinds: Kinds | None
    target: str | None
    weights_are: Measure | None
    weights_words: str
    against: Dag | Pdag | None
    around: str | None
    distance: int
    whole: bool


@overload
def draw(graph: Dag | Pdag, path: None = None, **options: Unpack[Options]) -> str: ...


@overload
def draw(graph: Dag | Pdag, path: str | Path, **options: Unpack[Options]) -> None: ...


@checked
def draw(
    graph: Dag | Pdag,
    path: str | Path | None = None,
    *,
    title: str | None = None,
    edge_weights: Weights | None = None,
    kinds: Kinds | None = None,
    target: str | None = None,
    weights_are: Measure | None = None,
    weights_words: str = "",
    against: Dag | Pdag | None = None,
    around: str | None = None,
    distance: int = 1,
    whole: bool = False,
) -> str | None:
    """Write a .svg, .png or .pdf picture; without a path, return the SVG text.

    Arrows run downward. Edges without a direction are dashed and have no head; bidirected ones have two.

    edge_weights: pairs of names to numbers of at least 0, such as shares of resamples: an edge is the wider and darker
    the larger its number, which stands beside it where there is room. weights_are: "share" writes 0.87 as 87%, "nats"
    are nats; weights_words: what they are, for the legend.
    kinds: names to "continuous" (round ends) or "discrete" (square corners). target: a node that stands out, with its
    Markov blanket.
    against: another graph; the edges of both are drawn, and colour and line style tell which of them has an edge. Where
    one of the two is a Pdag, a Dag stands for its equivalence class.
    around: only a node and what is at most `distance` edges away. whole: draw every node, however many there are; a
    graph of more than 60 is drawn as communities otherwise.
    """
    picture = scene(
        graph,
        title,
        edge_weights,
        kinds=kinds,
        target=target,
        weights_are=weights_are,
        weights_words=weights_words,
        against=against,
        around=around,
        distance=distance,
        whole=whole,
    )
    if path is None:
        return to_svg(picture)
    suffix_of(path)
    write(picture, path)
    return None


@checked
def scene(
    graph: Dag | Pdag,
    title: str | None = None,
    edge_weights: Weights | None = None,
    *,
    kinds: Kinds | None = None,
    target: str | None = None,
    weights_are: Measure | None = None,
    weights_words: str = "",
    against: Dag | Pdag | None = None,
    around: str | None = None,
    distance: int = 1,
    whole: bool = False,
) -> Scene:
    """The shapes of the picture that `draw` writes."""
    subject = subject_of(graph, against, edge_weights or {}, weights_are)
    names = subject.graph.names
    for name in (*(kinds or {}), *([target] if target is not None else [])):
        if name not in names:
            raise GraphError(unknown_name("node", name, names))
    if around is None and len(names) > MOST_NODES and subject.edges and not whole:
        return _overview(subject, title, target)
    nodes, notes = list(range(len(names))), []
    if around is not None:
        nodes = sorted(neighbourhood(subject.graph, around, distance))
        notes.append(_around_words(names, around, distance, len(nodes)))
        subject = subject.only(set(nodes))
    looks = _looks(subject.graph, nodes, kinds or {}, target, around)
    scale = Scale.of(subject.edges, weights_are)
    keys = entries(subject.edges, looks.values(), scale, printable(weights_words))

    def shapes(found: Layout) -> list[Group]:
        return [*_edge_groups(subject, found, scale), *(node_group(box, looks[box.node]) for box in found.boxes)]

    return sheet(title, notes, _placed(subject, nodes), shapes, keys)


def _around_words(names: Sequence[str], name: str, distance: int, n: int) -> str:
    far = counted(distance, "edge")
    return printable(f"{name} and what is at most {far} away: {n:,} of {counted(len(names), 'node')}")


def _overview(subject: Subject, title: str | None, target: str | None) -> Scene:
    found, names = overview_of(subject), subject.graph.names
    node, keys = None if target is None else subject.graph.index(target), overview_keys(found, target)

    def shapes(placed: Layout) -> list[Group]:
        return overview_groups(found, placed, names, node)

    return sheet(title, overview_notes(subject, found), overview_layout(found, names), shapes, keys)


def _looks(graph: Pdag, nodes: list[int], kinds: Kinds, target: str | None, centre: str | None) -> dict[int, NodeLook]:
    roles: dict[int, Role] = {} if centre is None else {graph.index(centre): "centre"}
    if target is not None:
        roles.update(dict.fromkeys(blanket(graph, target), "blanket"))
        roles[graph.index(target)] = "target"
    return {node: NodeLook(kinds.get(graph.names[node], ""), roles.get(node, "")) for node in nodes}


def _placed(subject: Subject, nodes: list[int]) -> Layout:
    """The layout of these nodes, by their positions in the whole graph."""
    found = layout(induced(subject.for_layout(), nodes))
    boxes = tuple(replace(box, node=nodes[box.node]) for box in found.boxes)
    routes = tuple(replace(route, start=nodes[route.start], end=nodes[route.end]) for route in found.routes)
    return replace(found, boxes=boxes, routes=routes)


def _edge_groups(subject: Subject, found: Layout, scale: Scale) -> list[Group]:
    """In the order of the layout's routes."""
    edges = {(edge.i, edge.j): edge for edge in subject.edges}
    routed = [(route, edges[min(route.start, route.end), max(route.start, route.end)]) for route in found.routes]
    texts = ["" if edge.weight is None else scale.words(edge.weight) for _, edge in routed]
    numbers = placed_numbers([route.points for route, _ in routed], texts, found.boxes)
    return [
        _edge_group(subject.graph, route, edge, scale, number)
        for (route, edge), number in zip(routed, numbers, strict=True)
    ]


def _edge_group(graph: Pdag, route: Route, edge: Edge, scale: Scale, number: Number | None) -> Group:
    pen, alpha = pen_of(edge, scale)
    heads = edge.heads if route.start == edge.i else edge.heads[::-1]
    letters = () if number is None else (number.letters(),)
    marks = " ".join(word for word in ("edge", edge.kind, edge.difference) if word)
    line = line_of(route.points, heads, pen, alpha)
    tooltip = printable(tooltip_of(graph.names, edge, scale))
    return Group(marks, (("edge", f"{edge.i}-{edge.j}"),), tooltip, lines=(line,), letters=letters)
