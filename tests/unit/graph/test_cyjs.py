"""Cytoscape's JSON, and what networkx makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import networkx
import pytest

from arcwise.errors import FileError
from arcwise.graph import Dag, Pdag, load, save
from arcwise.graph.io import from_cyjs, to_cyjs

MIXED = Pdag("abcdef", ["ab", "cb"], ["cd", "de"], ["ef"])


def test_the_structure_that_cytoscape_documents() -> None:
    content = json.loads(to_cyjs(Pdag(["x", "y", "z"], undirected=["yz"], directed=["xy"])))
    assert content["format_version"] == "1.0"
    assert content["data"]["type"] == "pdag"
    assert [node["data"] for node in content["elements"]["nodes"]] == [
        {"id": f"n{i}", "value": f"n{i}", "name": name, "shared_name": name} for i, name in enumerate("xyz")
    ]
    edges = [edge["data"] for edge in content["elements"]["edges"]]
    assert [(edge["id"], edge["source"], edge["target"], edge["interaction"]) for edge in edges] == [
        ("e0", "n0", "n1", "directed"),
        ("e1", "n1", "n2", "undirected"),
    ]
    assert edges[1]["name"] == "y (undirected) z"


def test_networkx_reads_it() -> None:
    graph = networkx.cytoscape_graph(json.loads(to_cyjs(MIXED)))
    named = networkx.relabel_nodes(graph, networkx.get_node_attributes(graph, "name"))
    assert named.is_directed()
    assert list(named.nodes) == list("abcdef")
    assert sorted(named.edges(data="interaction")) == [
        ("a", "b", "directed"),
        ("c", "b", "directed"),
        ("c", "d", "undirected"),
        ("d", "e", "undirected"),
        ("e", "f", "bidirected"),
    ]


@pytest.mark.parametrize("graph", [MIXED, Dag(["a b", "c"], [("a b", "c")])])
def test_what_networkx_writes_is_read(tmp_path: Path, graph: Dag | Pdag) -> None:
    """Its own writing of our graph, and of our file."""
    (tmp_path / "own.cyjs").write_text(json.dumps(networkx.cytoscape_data(graph.to_networkx())))
    assert load(tmp_path / "own.cyjs") == graph
    again = networkx.cytoscape_data(networkx.cytoscape_graph(json.loads(to_cyjs(graph))))
    assert from_cyjs(json.dumps(again)) == graph


def test_numbered_and_undirected_nodes_of_networkx() -> None:
    plain = networkx.path_graph(3)
    assert from_cyjs(json.dumps(networkx.cytoscape_data(plain))) == Pdag("012", undirected=["01", "12"])


def test_a_file_of_cytoscape_itself() -> None:
    """Its identifiers are numbers in strings, its interactions any words, and no edges are no entry."""
    nodes = [{"data": {"id": str(i), "SUID": i, "name": name}, "selected": False} for i, name in ((62, "p"), (63, "q"))]
    edge = {"data": {"id": "83", "source": "62", "target": "63", "interaction": "interacts with"}, "selected": False}
    content = {"format_version": "1.0", "data": {"name": "n"}, "elements": {"nodes": nodes, "edges": [edge]}}
    assert from_cyjs(json.dumps(content)) == Dag("pq", ["pq"])
    assert from_cyjs(json.dumps({"elements": {"nodes": nodes}})) == Dag("pq")


def test_a_name_cannot_end_the_script_of_a_page(tmp_path: Path) -> None:
    dag = Dag(["</script><script>alert(1)</script>", "<!--", "b\u2028"], [("<!--", "b\u2028")])
    save(dag, tmp_path / "g.cyjs")
    assert "</" not in (tmp_path / "g.cyjs").read_text("utf-8")
    assert load(tmp_path / "g.cyjs").names == dag.names


def node(**data: object) -> dict[str, object]:
    return {"data": data}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "the file must be an object"),
        ({}, "'elements' must be an object of Cytoscape's JSON, not None"),
        ({"elements": []}, "'elements' must be an object"),
        ({"elements": {"nodes": {}}}, "'nodes' must be a list"),
        ({"elements": {"nodes": [1]}}, "each of the nodes must be an object"),
        ({"elements": {"nodes": [{}]}}, "the data of each of the nodes must be an object"),
        ({"elements": {"nodes": [node(name="a")]}}, "node id 'None' is missing"),
        ({"elements": {"nodes": [node(id="a"), node(id="a")]}}, "node id 'a' is missing or given twice"),
        ({"elements": {"nodes": [node(id="a")], "edges": [node(source="a", target="b")]}}, "ends at 'b'"),
    ],
)
def test_files_that_cannot_be_read(content: object, message: str) -> None:
    with pytest.raises(FileError, match=message):
        from_cyjs(json.dumps(content))
