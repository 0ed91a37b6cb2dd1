from __future__ import annotations

import copy
import json
import pickle
import sys
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from arcwise.errors import ArcwiseError, GraphError
from arcwise.graph import Dag, Pdag

ASIA = Dag(
    ["asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"],
    [
        ("asia", "tub"),
        ("tub", "either"),
        ("smoke", "lung"),
        ("smoke", "bronc"),
        ("lung", "either"),
        ("either", "xray"),
        ("either", "dysp"),
        ("bronc", "dysp"),
    ],
)


def test_attributes() -> None:
    dag = Dag(["c", "a", "b"], [("c", "b"), ("a", "b")])
    assert dag.names == ("c", "a", "b")
    assert dag.edges == (("a", "b"), ("c", "b"))
    assert (dag.n_nodes, dag.n_edges) == (3, 2)
    assert dag.adjacency.tolist() == [[False, False, True], [False, False, True], [False, False, False]]
    assert dag.parent_positions == ((), (), (0, 1))
    assert dag.child_positions == ((2,), (2,), ())
    assert dag.index("b") == 2


def test_families_are_named_and_sorted() -> None:
    assert ASIA.parents("either") == ("lung", "tub")
    assert ASIA.children("smoke") == ("bronc", "lung")
    assert ASIA.ancestors("xray") == {"either", "tub", "lung", "asia", "smoke"}
    assert ASIA.descendants("smoke") == {"lung", "bronc", "either", "xray", "dysp"}
    assert ASIA.markov_blanket("tub") == {"asia", "either", "lung"}
    assert ASIA.markov_blanket("bronc") == {"smoke", "dysp", "either"}


def test_topological_order_takes_the_smallest_name_first() -> None:
    assert ASIA.topological_order == ("asia", "smoke", "bronc", "lung", "tub", "either", "dysp", "xray")
    assert ASIA.reordered(sorted(ASIA.names)).topological_order == ASIA.topological_order


def test_d_separation_takes_names_and_sets() -> None:
    assert ASIA.d_separated("asia", "smoke")
    assert not ASIA.d_separated("asia", "smoke", "dysp")
    assert ASIA.d_separated({"asia", "tub"}, ["smoke", "bronc"], ())
    assert ASIA.d_separated("xray", ["asia", "smoke"], ["either"])
    assert not ASIA.d_separated("dysp", "smoke", {"either"})


@pytest.mark.parametrize(
    ("x", "y", "given", "both"), [("tub", "tub", (), "x and y"), ("tub", "lung", "lung", "y and given")]
)
def test_d_separation_refuses_overlapping_sets(x: str, y: str, given: str, both: str) -> None:
    with pytest.raises(GraphError, match=f"in both {both}"):
        ASIA.d_separated(x, y, given)


def test_moral_graph_marries_parents() -> None:
    moral = ASIA.moral()
    assert moral.directed == ()
    assert set(moral.undirected) - set(Pdag.from_dag(ASIA).skeleton) == {("lung", "tub"), ("bronc", "either")}


def test_cpdag_of_asia() -> None:
    pattern = ASIA.cpdag()
    assert pattern.directed == (
        ("bronc", "dysp"),
        ("either", "dysp"),
        ("either", "xray"),
        ("lung", "either"),
        ("tub", "either"),
    )
    assert pattern.undirected == (("asia", "tub"), ("bronc", "smoke"), ("lung", "smoke"))


@pytest.mark.parametrize(
    ("names", "edges", "message"),
    [
        ("abc", ["ab", "bc", "ca"], "a -> b -> c -> a form a cycle"),
        (["age", "wage"], [("age", "wag")], "unknown node 'wag'; did you mean 'wage'"),
        ("aba", [], "'a' is given twice"),
        ("ab", ["aa"], "self loop"),
        ("ab", ["ab", "ab"], "'a' -> 'b' is given twice"),
        ("ab", ["aba"], "3 ends"),
        (["a", 1], [], r"'names\[1\]' must be text, not 1"),
        ("ab", [("a", ["b"])], r"'edges\[0\]\[1\]' must be text, not a list of 1"),
    ],
)
def test_wrong_graphs_are_refused(names: list[str], edges: list[str], message: str) -> None:
    with pytest.raises(ArcwiseError, match=message):
        Dag(names, edges)


def test_a_cyclic_matrix_is_refused_by_name() -> None:
    with pytest.raises(GraphError, match="x -> y -> x"):
        Dag.from_adjacency(["x", "y"], [[0, 1], [1, 0]])


def test_unknown_names_are_refused_by_every_question() -> None:
    for question in (ASIA.parents, ASIA.children, ASIA.ancestors, ASIA.descendants, ASIA.markov_blanket, ASIA.index):
        with pytest.raises(GraphError, match="did you mean 'smoke'"):
            question("smok")


def test_nothing_can_be_changed() -> None:
    adj = np.zeros((2, 2), dtype=np.bool_)
    dag = Dag.from_adjacency("ab", adj)
    adj[0, 1] = True
    assert dag.n_edges == 0
    with pytest.raises(FrozenInstanceError):
        dag.names = ("x", "y")  # type: ignore[misc]
    for same in (dag, pickle.loads(pickle.dumps(dag)), copy.deepcopy(dag)):
        assert same == dag
        with pytest.raises(ValueError, match="read-only"):
            same.adjacency[0, 1] = True


def test_equality_ignores_the_order_of_names() -> None:
    shuffled = ASIA.reordered(ASIA.names[::-1])
    assert shuffled == ASIA
    assert hash(shuffled) == hash(ASIA)
    assert shuffled.names != ASIA.names
    assert Dag("ab", ["ab"]) != Dag("ab", ["ba"])
    assert Dag("ab") != Dag("abc")
    assert Dag("ab") != Pdag("ab")


def test_reordering_needs_every_name() -> None:
    with pytest.raises(GraphError, match="'b' is missing"):
        Dag("ab").reordered("a")
    with pytest.raises(GraphError, match="unknown node 'c'"):
        Dag("ab").reordered("abc")


def test_text() -> None:
    assert repr(Dag("abc", ["ab", "cb"])) == "Dag(3 nodes, 2 edges: a -> b, c -> b)"
    assert repr(Dag("a")) == "Dag(1 node, 0 edges)"
    wide = Dag.from_adjacency("abcdefg", np.triu(np.ones((7, 7)), k=1))
    assert repr(wide).endswith(", ...)")
    assert "f -> g" in str(wide)
    assert "..." not in str(wide)


def test_dictionary_round_trip_through_json() -> None:
    content = json.loads(json.dumps(ASIA.to_dict()))
    assert content["format"] == "arcwise-graph-1"
    assert Dag.from_dict(content) == ASIA


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "format is 'other'"),
        ({"type": "pdag"}, "type is 'pdag'"),
        ({"edges": None}, "entry 'edges' must be a list, not None"),
        ({"edges": [3]}, r"entry 'edges\[0\]' must be a list of 2, not 3"),
    ],
)
def test_wrong_dictionaries_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(GraphError, match=message):
        Dag.from_dict({**ASIA.to_dict(), **change})


def test_networkx_has_the_same_nodes_and_edges() -> None:
    graph = ASIA.to_networkx()
    assert tuple(graph.nodes) == ASIA.names
    assert tuple(sorted(graph.edges)) == ASIA.edges


def test_missing_networkx_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(GraphError, match="pip install networkx"):
        ASIA.to_networkx()
