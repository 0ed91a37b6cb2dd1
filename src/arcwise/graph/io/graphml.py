"""GraphML, written by hand and read with the standard library's XML parser."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from arcwise.checking import checked
from arcwise.errors import FileError
from arcwise.graph.io.assemble import Edge, Graph, assemble, each_once, edges_by_kind, type_word

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# XML 1.0 has no way to write these, not even as character references.
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# As references these survive; as plain characters a parser turns them into a newline or a space.
BREAKS = str.maketrans({"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="type" for="graph" attr.name="type" attr.type="string"/>
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="kind" for="edge" attr.name="kind" attr.type="string"/>
  <graph edgedefault="directed">
"""


@checked
def to_graphml(graph: Graph) -> str:
    """Nodes n0, n1, ... with their names as data; every edge says its kind.

    Other programs take a file whose edges are all directed or all undirected: networkx refuses a mixture. So edges
    are directed ones, and an edge that is not stands there in both directions, as in `to_networkx`.
    """
    lines = [f'    <data key="type">{type_word(graph)}</data>']
    ids = {name: f"n{i}" for i, name in enumerate(graph.names)}
    for name, node in ids.items():
        if UNWRITABLE.search(name):
            raise FileError(f"node name {name!r} has a character that XML cannot hold; save as .json or .dot")
        lines.append(f'    <node id="{node}"><data key="name">{_escape(name)}</data></node>')
    for kind, tail, head in edges_by_kind(graph):
        for a, b in ((tail, head),) if kind == "directed" else ((tail, head), (head, tail)):
            lines.append(f'    <edge source="{ids[a]}" target="{ids[b]}"><data key="kind">{kind}</data></edge>')
    return HEAD + "\n".join(lines) + "\n  </graph>\n</graphml>\n"


def _escape(name: str) -> str:
    return escape(name, quote=False).translate(BREAKS)


@checked
def from_graphml(text: str) -> Graph:
    """Reads what `to_graphml` writes, and plain GraphML of other programs (a node's name, label or id)."""
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise FileError(f"line {error.position[0]}: no XML ({error})") from None
    _refuse(root)
    keys = {key.get("id"): key.get("attr.name") for key in _inside(root, "key")}
    graphs = _inside(root, "graph")
    if len(graphs) != 1:
        raise FileError(f"the file holds {len(graphs)} GraphML graphs; give exactly one")
    graph = graphs[0]
    names: dict[str | None, str] = {}
    for node in _inside(graph, "node"):
        if node.get("id") is None or node.get("id") in names:
            raise FileError(f"node id {node.get('id')!r} is missing or given twice; give every node its own id")
        data = _data(node, keys)
        names[node.get("id")] = data.get("name", data.get("label", node.get("id", "")))
    edges = [_edge(edge, names, keys, graph.get("edgedefault", "directed")) for edge in _inside(graph, "edge")]
    return assemble(names.values(), each_once(edges), _data(graph, keys).get("type"))


def _edge(edge: Element, names: dict[str | None, str], keys: dict[str | None, str | None], default: str) -> Edge:
    for end in (edge.get("source"), edge.get("target")):
        if end not in names:
            raise FileError(f"an edge ends at {end!r} but no node has that id; add the node")
    plain = "directed" if edge.get("directed", str(default == "directed").lower()) == "true" else "undirected"
    kind = _data(edge, keys).get("kind", plain)
    if kind not in {"directed", "undirected", "bidirected"}:
        raise FileError(f"edge kind {kind!r} is unknown; use directed, undirected or bidirected")
    return kind, names[edge.get("source")], names[edge.get("target")]


def _inside(element: Element, tag: str) -> list[Element]:
    return [child for child in element if child.tag.rpartition("}")[2] == tag]


def _data(element: Element, keys: dict[str | None, str | None]) -> dict[str | None, str]:
    return {keys.get(item.get("key")): item.text or "" for item in _inside(element, "data")}


def _refuse(root: Element) -> None:
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        nested = tag == "node" and _inside(element, "graph")
        if tag in {"hyperedge", "port"} or nested:
            raise FileError(f"GraphML {'nested graphs' if nested else tag + 's'} cannot be read; remove them")
