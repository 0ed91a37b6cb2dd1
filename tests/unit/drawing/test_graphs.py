from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from arcwise.drawing.graphs import scene
from arcwise.drawing.layout import layout
from arcwise.drawing.places import Layout
from arcwise.drawing.scene import COLORS, FONT_SIZE, MAX_CHARACTERS, Group, Scene, lines_of, text_width
from arcwise.errors import FileError, GraphError
from arcwise.graph import Dag, Pdag, draw
from tests.oracle.graphs import random_dag

SVG = "{http://www.w3.org/2000/svg}"
MIXED = Pdag(
    ['<a & "b">', "b", "c", "d", "e", "lonely", "alone"],
    directed=[('<a & "b">', "b")],
    undirected=[("b", "c")],
    bidirected=[("c", "d")],
)


def groups(shapes: Scene, mark: str) -> list[Group]:
    return [group for group in shapes.groups if mark in group.marks.split()]


def random_graph(n: int, density: float, seed: int) -> Dag:
    rng = np.random.default_rng(seed)
    names = [f"{'x' * int(rng.integers(1, 14))}{i}" for i in range(n)]
    return Dag.from_adjacency(names, random_dag(rng, n, density))


def curve_points(points: tuple[tuple[float, float], ...]) -> np.ndarray:
    """Many points along the cubic pieces of a line."""
    t = np.linspace(0.0, 1.0, 25)[:, None]
    nodes = np.array(points)
    pieces = [nodes[i : i + 4] for i in range(0, len(nodes) - 1, 3)]
    return np.concatenate(
        [(1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d for a, b, c, d in pieces]
    )


def check_boxes_apart(found: Layout) -> None:
    for i, one in enumerate(found.boxes):
        assert one.width / 2 - 1e-6 <= one.x <= found.width - one.width / 2 + 1e-6
        assert one.height / 2 - 1e-6 <= one.y <= found.height - one.height / 2 + 1e-6
        for other in found.boxes[:i]:
            beside = abs(one.x - other.x) >= (one.width + other.width) / 2 + 10
            above = abs(one.y - other.y) >= (one.height + other.height) / 2 + 10
            assert beside or above


@pytest.mark.parametrize(("n", "density"), [(8, 0.3), (37, 0.06), (12, 0.9), (60, 0.01), (5, 0.0)])
def test_boxes_keep_apart_and_edges_keep_clear_of_other_boxes(n: int, density: float) -> None:
    dag = random_graph(n, density, seed=n)
    found = layout(dag)
    check_boxes_apart(found)
    assert {(dag.names[r.start], dag.names[r.end]) for r in found.routes} == set(dag.edges)
    shapes = scene(dag)
    assert len(groups(shapes, "edge")) == dag.n_edges
    for route, edge in zip(found.routes, groups(shapes, "edge"), strict=True):
        points = curve_points(edge.lines[0].points)
        for box in (group.boxes[0] for group in groups(shapes, "node")):
            across = (box.left + 0.1 < points[:, 0]) & (points[:, 0] < box.right - 0.1)
            assert not (across & (box.top + 0.1 < points[:, 1]) & (points[:, 1] < box.bottom - 0.1)).any(), (route, box)


def test_a_tangle_is_laid_out_without_straightening(monkeypatch: pytest.MonkeyPatch) -> None:
    dag = random_graph(20, 0.5, seed=4)
    straight = layout(dag)
    monkeypatch.setattr("arcwise.drawing.sugiyama.MAX_STRAIGHTENED", 10)
    tangled = layout(dag)
    check_boxes_apart(tangled)
    assert slant(straight) < slant(tangled)


def slant(found: Layout) -> float:
    return sum(abs(a - b) for route in found.routes for (a, _), (b, _) in pairwise(route.points))


def test_arrowheads_end_at_the_border_of_the_box() -> None:
    dag = random_graph(10, 0.3, seed=1)
    shapes = scene(dag)
    boxes = {group.tooltip: group.boxes[0] for group in groups(shapes, "node")}
    for route, edge in zip(layout(dag).routes, groups(shapes, "edge"), strict=True):
        (tip, _, _) = edge.lines[0].heads[0]
        head = boxes[dag.names[route.end]]
        assert tip[1] == pytest.approx(head.top)
        assert head.left < tip[0] < head.right


def test_heads_by_kind_of_edge() -> None:
    shapes = scene(MIXED)
    lines = {group.tooltip: group.lines[0] for group in groups(shapes, "edge")}
    assert {name: len(line.heads) for name, line in lines.items()} == {'<a & "b"> → b': 1, "b – c": 0, "c ↔ d": 2}
    assert [name for name, line in lines.items() if line.color == COLORS["conflict"]] == ["c ↔ d"]
    assert [name for name, line in lines.items() if line.dashes] == ["b – c"]


def test_an_arrow_of_a_cycle_points_the_right_way() -> None:
    shapes = scene(Pdag("abc", ["ab", "bc", "ca"]))
    edges = groups(shapes, "edge")
    tips = {edge.tooltip: (edge.lines[0].heads[0][0][1], edge.lines[0].heads[0][1][1]) for edge in edges}
    assert set(tips) == {"a → b", "b → c", "a ← c"}
    assert sum(tip < base for tip, base in tips.values()) == 1  # one tip points up, against the layers


def test_layout_does_not_depend_on_the_order_of_names() -> None:
    dag = random_graph(20, 0.12, seed=3)
    shuffled = dag.reordered(np.random.default_rng(0).permutation(dag.names).tolist())
    one, other = layout(dag), layout(shuffled)
    where = {dag.names[box.node]: (box.x, box.y) for box in one.boxes}
    assert where == {shuffled.names[box.node]: (box.x, box.y) for box in other.boxes}
    assert draw(dag) == draw(dag)


def test_parents_stand_above_children_and_edges_are_short() -> None:
    dag = Dag(["root", "mid", "leaf", "late"], [("root", "mid"), ("mid", "leaf"), ("late", "leaf")])
    y = {dag.names[box.node]: box.y for box in layout(dag).boxes}
    assert y["root"] < y["mid"] < y["leaf"]
    assert y["late"] == y["mid"]  # pulled down to its child instead of stretching the top row


def test_isolated_nodes_stand_below_in_rows() -> None:
    dag = Dag([f"lone{i}" for i in range(30)] + ["a", "b"], [("a", "b")])
    found = layout(dag)
    check_boxes_apart(found)
    lowest = max(box.y for box in found.boxes if dag.names[box.node] in {"a", "b"})
    rows = {box.y for box in found.boxes if dag.names[box.node].startswith("lone")}
    assert min(rows) > lowest
    assert 3 <= len(rows) <= 12


def test_svg_is_valid_and_shows_every_name_once() -> None:
    root = ElementTree.fromstring(draw(MIXED, title='T <"&'))
    assert root.get("viewBox")
    texts = [element.text for element in root.iter(f"{SVG}text")]
    legend = ["direction known", "direction open: the data fit either", "conflicting evidence of direction"]
    assert sorted(str(text) for text in texts) == sorted([*MIXED.names, *legend, 'T <"&'])
    assert len(list(root.iter(f"{SVG}path"))) == 3 + 3
    assert len(list(root.iter(f"{SVG}polygon"))) == 3 + 3
    assert len(list(root.iter(f"{SVG}rect"))) == 1 + MIXED.n_nodes


def test_svg_has_an_element_for_each_node_and_edge() -> None:
    root = ElementTree.fromstring(draw(MIXED))
    marked = [element for element in root.iter(f"{SVG}g") if element.get("class")]
    nodes = {element.get("data-node"): element for element in marked if element.get("data-node")}
    assert sorted(nodes, key=int) == [str(k) for k in range(MIXED.n_nodes)]
    assert nodes["1"].findtext(f"{SVG}text") == "b"
    edges = {element.get("data-edge"): element.get("class") for element in marked if element.get("data-edge")}
    assert edges == {"0-1": "edge directed", "1-2": "edge undirected", "2-3": "edge bidirected"}


def test_svg_holds_text_that_xml_could_not() -> None:
    names = ["a\x00b", "two\nlines", "]]>", "\ufffe", "x\u2028y"]
    root = ElementTree.fromstring(draw(Dag(names, [(names[0], names[1])])))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert {"a\ufffdb", "two", "lines", "]]>"} <= set(texts)


def test_weights_make_edges_thicker() -> None:
    dag = Dag("abc", ["ab", "bc"])
    edges = groups(scene(dag, None, {("a", "b"): 0.2, ("b", "c"): 0.9}), "edge")
    weak, strong = (edge.lines[0] for edge in edges)
    assert [edge.tooltip for edge in edges] == ["a → b: 0.2", "b → c: 0.9"]
    assert weak.width < strong.width
    assert weak.alpha < strong.alpha
    assert "a – b: 0.5" in draw(Pdag("ab", undirected=["ab"]), edge_weights={("b", "a"): 0.5})


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({("a", "c"): 1.0}, "no edge of the graph"),
        ({("a", "x"): 1.0}, "unknown node 'x'"),
        ({("a", "b"): -1.0}, "at least 0"),
        ({("a", "b"): float("inf")}, "finite"),
        ({("a", "b"): 1.0, ("b", "a"): 1.0}, "twice"),
    ],
)
def test_wrong_weights_are_refused(weights: dict[tuple[str, str], float], message: str) -> None:
    with pytest.raises(GraphError, match=message):
        draw(Dag("abc", ["ab", "bc"]), edge_weights=weights)


def test_files_are_written_whole(tmp_path: Path) -> None:
    draw(MIXED, tmp_path / "g.svg", title="mixed")
    draw(MIXED, tmp_path / "g.png", title="mixed")
    draw(MIXED, tmp_path / "g.pdf")
    assert (tmp_path / "g.svg").read_text("utf-8") == draw(MIXED, title="mixed")
    png = (tmp_path / "g.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    shapes = scene(MIXED, "mixed")
    assert int.from_bytes(png[16:20]) == pytest.approx(2 * shapes.width, abs=2)
    assert int.from_bytes(png[20:24]) == pytest.approx(2 * shapes.height, abs=2)
    assert (tmp_path / "g.pdf").read_bytes().startswith(b"%PDF")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.pdf", "g.png", "g.svg"]


def test_unknown_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"unknown suffix '\.jpg'"):
        draw(MIXED, tmp_path / "g.jpg")


def test_an_empty_graph_can_be_drawn() -> None:
    assert ElementTree.fromstring(draw(Dag([]))).tag == f"{SVG}svg"


def test_names_fit_their_boxes_in_the_widest_usual_font() -> None:
    from matplotlib.font_manager import findfont
    from matplotlib.ft2font import FT2Font

    font = FT2Font(findfont("DejaVu Sans"))
    font.set_size(FONT_SIZE, 72)
    letters = [chr(code) for code in range(33, 127)]
    letters += ["é", "ß", "Ж", "Ω", "→", "€", "…", "ﬁ"]
    for letter in letters:
        advance = font.load_char(ord(letter)).linearHoriAdvance / 65536
        assert text_width(letter) >= advance - 0.11, letter


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("short", ["short"]),
        ("", [""]),
        ("two\r\nlines", ["two", "lines"]),
        ("average_monthly_household_income_in_euro", ["average_monthly_household_", "income_in_euro"]),
        ("averageMonthlyHouseholdIncomeInEuro", ["averageMonthlyHousehold", "IncomeInEuro"]),
    ],
)
def test_long_names_break_between_words(name: str, lines: list[str]) -> None:
    assert lines_of(name) == lines


def test_a_name_without_words_is_cut_and_nothing_is_lost() -> None:
    lines = lines_of("x" * 100)
    assert "".join(lines) == "x" * 100
    assert max(map(len, lines)) == MAX_CHARACTERS
    assert re.fullmatch(r"\ufffd+", "".join(lines_of("\x01\x02")))
