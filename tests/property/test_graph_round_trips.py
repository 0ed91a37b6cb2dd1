"""Whatever the names are, a graph that was written is read back the same."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.graph import Dag, Pdag, draw
from arcwise.graph.io import from_cyjs, from_dot, from_graphml, from_json, to_cyjs, to_dot, to_graphml, to_json
from arcwise.graph.io.graphml import UNWRITABLE
from arcwise.graph.modelstring import fits

AWKWARD = st.sampled_from(
    ["", '"', "\\", "\\n", "\n", "\r", "\t", "&amp;", "]]>", "->", "digraph", "a;b", "//", "/*", "#"]
)
NAMES = st.lists(st.one_of(st.text(max_size=6), AWKWARD), min_size=1, max_size=6, unique=True)


@st.composite
def pdags(draw_: st.DrawFn) -> Pdag:
    names = draw_(NAMES)
    n = len(names)
    states = np.array(draw_(st.lists(st.integers(0, 4), min_size=n * n, max_size=n * n))).reshape(n, n)
    upper = np.triu(states, k=1)
    lines, conflicts = upper == 1, upper == 4
    return Pdag.from_matrices(names, (upper == 2) | (upper == 3).T, lines | lines.T, conflicts | conflicts.T)


@st.composite
def dags(draw_: st.DrawFn) -> Dag:
    names = draw_(NAMES)
    n = len(names)
    marks = np.array(draw_(st.lists(st.booleans(), min_size=n * n, max_size=n * n))).reshape(n, n)
    order = draw_(st.permutations(range(n)))
    return Dag.from_adjacency(names, np.triu(marks, k=1)[np.ix_(order, order)])


GRAPHS = st.one_of(dags(), pdags())


def check_same(back: Dag | Pdag, graph: Dag | Pdag) -> None:
    assert type(back) is type(graph)
    assert back.names == graph.names
    assert back == graph


@settings(deadline=None, max_examples=150)
@given(GRAPHS)
def test_json_cyjs_and_dot(graph: Dag | Pdag) -> None:
    check_same(from_json(to_json(graph)), graph)
    check_same(from_cyjs(to_cyjs(graph)), graph)
    check_same(from_dot(to_dot(graph)), graph)
    content = json.loads(json.dumps(graph.to_dict()))
    check_same(type(graph).from_dict(content), graph)


@settings(deadline=None, max_examples=150)
@given(GRAPHS.filter(lambda graph: not any(UNWRITABLE.search(name) for name in graph.names)))
def test_graphml(graph: Dag | Pdag) -> None:
    check_same(from_graphml(to_graphml(graph)), graph)


@settings(deadline=None, max_examples=100)
@given(dags().filter(lambda dag: all(map(fits, dag.names))))
def test_model_strings(dag: Dag) -> None:
    assert Dag.from_modelstring(dag.to_modelstring()) == dag


@settings(deadline=None, max_examples=40)
@given(GRAPHS)
def test_every_picture_is_valid_xml(graph: Dag | Pdag) -> None:
    root = ElementTree.fromstring(draw(graph, title="t"))
    edges = [element for element in root.iter() if element.get("class", "").split()[:1] == ["edge"]]
    assert len(edges) == graph.n_edges


@settings(deadline=None, max_examples=100)
@given(GRAPHS, st.randoms(use_true_random=False))
def test_reordering_changes_nothing_but_the_order(graph: Dag | Pdag, random: object) -> None:
    names = list(graph.names)
    random.shuffle(names)  # type: ignore[attr-defined]
    shuffled = graph.reordered(names)
    assert shuffled == graph
    assert hash(shuffled) == hash(graph)
    assert shuffled.reordered(graph.names).to_dict() == graph.to_dict()
