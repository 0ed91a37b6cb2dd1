"""What a picture is about: strengths, differences to another graph, neighbourhoods, blankets."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.drawing.graphs import scene
from arcwise.drawing.legend import DIFFERENCE_WORDS
from arcwise.drawing.scene import Group, Scene
from arcwise.drawing.subject import blanket, neighbourhood, subject_of
from arcwise.errors import GraphError, OptionError
from arcwise.graph import Dag, Pdag, draw
from arcwise.results.result import LearnResult
from tests.oracle.graphs import random_dag

HERE = Pdag("abcde", ["ab", "cb"], ["de"])
THERE = Pdag("abcdef", ["ba", "cb", "ef"], ["ce"])


def groups(shapes: Scene, mark: str) -> list[Group]:
    return [group for group in shapes.groups if mark in group.marks.split()]


def words(shapes: Scene) -> list[str]:
    return [letters.text for group in groups(shapes, "legend") for letters in group.letters]


def test_differences_of_two_graphs() -> None:
    found = subject_of(HERE, THERE, {}, None)
    assert found.graph.names == tuple("abcdef")  # those of the other alone come last
    differences = {(edge.i, edge.j): edge.difference for edge in found.edges}
    assert differences == {
        (0, 1): "turned",
        (1, 2): "same",
        (3, 4): "added",
        (4, 5): "missing",
        (2, 4): "missing",
    }
    kinds = {(edge.i, edge.j): (edge.kind, edge.heads) for edge in found.edges}
    assert kinds[0, 1] == ("directed", (False, True))  # as it is here
    assert kinds[2, 4] == ("undirected", (False, False))


def test_a_dag_stands_for_its_class_beside_a_pattern() -> None:
    chain = Dag("abc", ["ab", "bc"])
    assert {edge.difference for edge in subject_of(chain.cpdag(), chain, {}, None).edges} == {"same"}
    assert {edge.difference for edge in subject_of(chain, chain.cpdag(), {}, None).edges} == {"same"}
    other = Dag("abc", ["ba", "bc"])  # of the same class, but drawn otherwise
    assert [edge.difference for edge in subject_of(chain, other, {}, None).edges] == ["turned", "same"]


def test_what_only_the_other_graph_has_turns_no_arrow_of_this_one() -> None:
    here, there = Dag("abcd", ["ab", "bc", "cd"]), Dag("abcd", ["da"])
    places = {group.tooltip: group.boxes[0].top for group in groups(scene(here, against=there), "node")}
    assert places["a"] < places["b"] < places["c"] < places["d"]
    edges = {group.tooltip: group for group in groups(scene(here, against=there), "edge")}
    (tip, base, _) = edges["a ← d"].lines[0].heads[0]
    assert edges["a ← d"].marks == "edge directed missing"
    assert tip[1] < base[1]  # up to a


def test_the_neighbours_in_a_skeleton_are_no_blanket() -> None:
    shapes = scene(Pdag("abc", undirected=["ab", "bc"]), target="a")
    assert words(shapes) == ["joined, no direction", "target", "neighbours of the target"]


def test_differences_are_told_by_class_colour_line_and_legend() -> None:
    shapes = scene(HERE, against=THERE)
    edges = {group.data[0][1]: group for group in groups(shapes, "edge")}
    assert edges["0-1"].marks == "edge directed turned"
    assert edges["4-5"].marks == "edge directed missing"
    assert edges["3-4"].marks == "edge undirected added"
    looks = {(group.lines[0].color, group.lines[0].dashes, group.lines[0].width) for group in edges.values()}
    assert len(looks) == 4
    assert len({(dashes, width) for _, dashes, width in looks}) == 4  # also without colours
    assert f"{DIFFERENCE_WORDS['missing']}: 2 edges" in words(shapes)
    assert f"{DIFFERENCE_WORDS['same']}: 1 edge" in words(shapes)
    assert "a line without an arrow: direction open" in words(shapes)


def test_shares_and_nats_are_written_at_the_edges() -> None:
    dag = Dag("abc", ["ab", "bc"])
    shares = scene(dag, None, {("a", "b"): 0.874, ("b", "c"): 1.0}, weights_are="share")
    assert [group.letters[0].text for group in groups(shares, "edge")] == ["87%", "100%"]
    assert words(shares) == ["width and number: share of the graphs that have the edge"]
    nats = scene(dag, None, {("a", "b"): 1234.5, ("b", "c"): -0.01234}, weights_are="nats", weights_words="nats lost")
    assert [group.letters[0].text for group in groups(nats, "edge")] == ["1,234", "-0.0123"]
    assert words(nats) == ["width and number: nats lost"]
    assert groups(nats, "edge")[0].letters[0].halo
    with pytest.raises(GraphError, match="no share"):
        draw(dag, edge_weights={("a", "b"): 1.5}, weights_are="share")


def test_where_graphs_are_compared_numbers_alone_tell_the_strength() -> None:
    dag = Dag("abc", ["ab", "bc"])
    shapes = scene(dag, None, {("a", "b"): 0.1, ("b", "c"): 0.9}, weights_are="share", against=dag)
    assert len({group.lines[0].width for group in groups(shapes, "edge")}) == 1
    assert "number: share of the graphs that have the edge" in words(shapes)


def test_numbers_need_room() -> None:
    names = [f"v{i}" for i in range(70)]
    dag = Dag(names, [(names[i], names[i + 1]) for i in range(0, 69, 1)])
    weights = dict.fromkeys(dag.edges, 0.5)
    shapes = scene(dag, None, weights, weights_are="share", whole=True)
    assert not any(group.letters for group in groups(shapes, "edge"))
    assert words(shapes) == ["width: share of the graphs that have the edge"]
    few = scene(dag, None, weights, weights_are="share", around="v30", distance=9)
    assert all(group.letters for group in groups(few, "edge"))


def test_kinds_are_shapes_and_the_target_stands_out() -> None:
    dag = Dag("abcd", ["ab", "cb", "bd"])
    shapes = scene(dag, kinds={"a": "continuous", "b": "discrete"}, target="a")
    nodes = {group.tooltip: group for group in groups(shapes, "node")}
    assert nodes["a"].marks == "node continuous target"
    assert nodes["b"].marks == "node discrete blanket"
    assert nodes["c"].marks == "node blanket"  # the other parent of a child
    assert nodes["d"].marks == "node"
    assert nodes["b"].boxes[0].radius == 0.0
    assert nodes["a"].boxes[0].radius == (nodes["a"].boxes[0].bottom - nodes["a"].boxes[0].top) / 2
    assert nodes["a"].boxes[0].border_width > nodes["c"].boxes[0].border_width > nodes["d"].boxes[0].border_width
    assert words(shapes) == ["continuous column", "discrete column", "target", "Markov blanket of the target"]
    assert scene(dag).groups[-1].marks == "node"  # no legend where there is nothing to explain


@pytest.mark.parametrize("options", [{"target": "x"}, {"kinds": {"x": "discrete"}}, {"around": "x"}])
def test_unknown_names_are_refused(options: dict) -> None:
    with pytest.raises(GraphError, match="unknown node 'x'"):
        draw(Dag("abc", ["ab"]), **options)


def test_wrong_options_are_refused() -> None:
    with pytest.raises(OptionError, match="at least 1"):
        draw(Dag("ab", ["ab"]), around="a", distance=0)
    with pytest.raises(OptionError, match="'share' or 'nats'"):
        draw(Dag("ab", ["ab"]), weights_are="percent")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="'continuous' or 'discrete'"):
        draw(Dag("ab", ["ab"]), kinds={"a": "ordinal"})  # type: ignore[dict-item]


def test_a_neighbourhood_keeps_the_positions_of_the_whole() -> None:
    dag = Dag("abcdef", ["ab", "bc", "cd", "de", "ef"])
    assert neighbourhood(Pdag.from_dag(dag), "d", 1) == {2, 3, 4}
    assert neighbourhood(Pdag.from_dag(dag), "d", 100) == set(range(6))
    shapes = scene(dag, around="d", distance=1)
    assert [group.data for group in groups(shapes, "node")] == [(("node", str(k)),) for k in (2, 3, 4)]
    assert [group.data for group in groups(shapes, "edge")] == [(("edge", "2-3"),), (("edge", "3-4"),)]
    assert [letters.text for letters in shapes.letters] == ["d and what is at most 1 edge away: 3 of 6 nodes"]


def test_the_blanket_is_that_of_every_member_of_the_class() -> None:
    rng = np.random.default_rng(7)
    for _ in range(30):
        dag = Dag.from_adjacency([f"v{i}" for i in range(8)], random_dag(rng, 8, 0.3))
        for name in dag.names:
            wanted = {dag.index(other) for other in dag.markov_blanket(name)}
            assert blanket(dag.cpdag(), name) == wanted
            assert blanket(Pdag.from_dag(dag), name) == wanted


def test_other_parents_through_an_edge_with_two_heads() -> None:
    """Either end of it may be the child: then what points at that end belongs to the blanket."""
    graph = Pdag("abcd", directed=["cb", "da"], bidirected=["ab"])
    assert blanket(graph, "a") == {1, 2, 3}
    assert blanket(graph, "c") == {0, 1}
    assert {graph.names[k] for k in blanket(graph, "c")} == set(LearnResult(graph).blanket("c").names)


def test_graphs_without_a_common_node_are_not_compared() -> None:
    with pytest.raises(GraphError, match="no node in common"):
        subject_of(HERE, Dag("xy", []), {}, None)


def test_very_long_names_and_titles_are_shortened_and_blank_ones_can_be_seen() -> None:
    shapes = scene(Dag(["x" * 10_000, " "], []), title="t" * 10_000)
    assert shapes.width < 1500
    assert shapes.height < 300
    long, blank = ([letters.text for letters in group.letters] for group in groups(shapes, "node"))
    assert len(long) == 5
    assert long[-1].endswith("x…")
    assert blank == ["' '"]
    assert shapes.title == "t" * 10_000


def test_a_title_is_written_as_it_was_given() -> None:
    title = "measurements_of_all_patients_in_2024.csv,\nread_again"
    (heading,) = scene(Dag("ab", []), title=title).letters
    assert heading.text == title.replace("\n", " ")


def test_a_skeleton_is_compared_without_directions() -> None:
    result = LearnResult(Pdag("abc", undirected=["ab", "bc"]))
    assert result.only_skeleton
    legend = words(result.plot(against=Dag("abc", ["ab", "cb"])).scene)
    assert "in both: 2 edges" in legend
