"""Cytoscape's JSON, .cyjs: read by Cytoscape, Cytoscape.js and networkx."""

from __future__ import annotations

from typing import Any

from arcwise.checking import checked, shown
from arcwise.data.text_files import as_json, parse_json
from arcwise.errors import FileError
from arcwise.graph.io.assemble import Edge, Graph, assemble, each_once, edges_by_kind, type_word
from arcwise.graph.pdag import KINDS


@checked
def to_cyjs(graph: Graph) -> str:
    """Nodes n0, n1, ... with their names as data; the `interaction` of every edge is its kind.

    Each edge stands there once, as Cytoscape draws it. Any name can be held: an id must not be empty, a name may.
    """
    ids = {name: f"n{i}" for i, name in enumerate(graph.names)}
    # networkx calls a node by its `value`, and edges by what their ends are called.
    nodes = [{"data": {"id": id_, "value": id_, "name": name, "shared_name": name}} for name, id_ in ids.items()]
    edges = [_edge_data(i, *edge, ids) for i, edge in enumerate(edges_by_kind(graph))]
    content = {
        "format_version": "1.0",
        "generated_by": "arcwise",
        "target_cytoscapejs_version": "~2.1",
        "data": {"name": "arcwise", "shared_name": "arcwise", "type": type_word(graph)},
        "directed": True,
        "multigraph": False,
        "elements": {"nodes": nodes, "edges": edges},
    }
    # Such files are pasted into pages: there "</script>" would end the script. All of these stand inside strings.
    return as_json(content, indent=1).replace("</", "<\\/") + "\n"


def _edge_data(i: int, kind: str, tail: str, head: str, ids: dict[str, str]) -> dict[str, Any]:
    name = f"{tail} ({kind}) {head}"
    about = {"name": name, "shared_name": name, "interaction": kind, "shared_interaction": kind}
    return {"data": {"id": f"e{i}", "source": ids[tail], "target": ids[head], **about}}


@checked
def from_cyjs(text: str) -> Graph:
    """Reads what `to_cyjs` writes, and files of Cytoscape and networkx.

    An edge whose interaction is none of ours is directed, unless the whole graph is said not to be.
    """
    content = _object(parse_json(text), "the file")
    elements = _object(content.get("elements"), "'elements'")
    names: dict[str, str] = {}
    for node in _data(elements, "nodes"):
        id_ = str(node.get("id"))
        if "id" not in node or id_ in names:
            raise FileError(f"node id {id_!r} is missing or given twice; give every node its own id")
        names[id_] = str(node.get("name", id_))
    plain = "undirected" if content.get("directed") is False else "directed"
    edges = [_edge(edge, names, plain) for edge in _data(elements, "edges")]
    about = content.get("data")
    declared = about.get("type") if isinstance(about, dict) else None
    return assemble(names.values(), each_once(edges), declared if declared in ("dag", "pdag") else None)


def _edge(edge: dict[str, Any], names: dict[str, str], plain: str) -> Edge:
    tail, head = str(edge.get("source")), str(edge.get("target"))
    for end in (tail, head):
        if end not in names:
            raise FileError(f"an edge ends at {end!r} but no node has that id; add the node")
    kind = edge.get("interaction", edge.get("kind"))  # networkx keeps the `kind` of our own edges
    return kind if kind in KINDS else plain, names[tail], names[head]


def _data(elements: dict[str, Any], what: str) -> list[dict[str, Any]]:
    """The data of all nodes or edges; Cytoscape leaves out what there is none of."""
    found = elements.get(what, [])
    if not isinstance(found, list):
        raise FileError(f"'{what}' must be a list, not {shown(found)}")
    each = f"each of the {what}"
    return [_object(_object(one, each).get("data"), f"the data of {each}") for one in found]


def _object(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FileError(f"{what} must be an object of Cytoscape's JSON, not {shown(value)}")
    return value
