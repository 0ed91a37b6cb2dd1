"""The library's own JSON format, "arcwise-graph-1": the dictionaries of `to_dict`."""

from __future__ import annotations

from arcwise.checking import checked
from arcwise.data.text_files import as_json, parse_json
from arcwise.errors import FileError
from arcwise.graph.dag import Dag
from arcwise.graph.io.assemble import Graph
from arcwise.graph.pdag import Pdag


@checked
def to_json(graph: Graph) -> str:
    return as_json(graph.to_dict(), indent=1) + "\n"


@checked
def from_json(text: str) -> Graph:
    content = parse_json(text)
    if not isinstance(content, dict):
        raise FileError(f"the JSON holds a {type(content).__name__}; a graph is an object with names and edges")
    return Pdag.from_dict(content) if content.get("type") == "pdag" else Dag.from_dict(content)
