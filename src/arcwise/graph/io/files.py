"""Graphs to and from files, by suffix.

JSON is the library's own format, "arcwise-graph-1": the dictionaries of `to_dict`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arcwise.checking import checked
from arcwise.data.text_files import as_json, parse_json, read_text, write_text
from arcwise.errors import ArcwiseError, FileError
from arcwise.graph.dag import Dag
from arcwise.graph.io.assemble import Graph
from arcwise.graph.io.cyjs import from_cyjs, to_cyjs
from arcwise.graph.io.dot import from_dot, to_dot
from arcwise.graph.io.graphml import from_graphml, to_graphml
from arcwise.graph.io.r_script import refuse_r, to_r
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


FORMATS: dict[str, tuple[Callable[[Graph], str], Callable[[str], Graph]]] = {
    ".json": (to_json, from_json),
    ".dot": (to_dot, from_dot),
    ".gv": (to_dot, from_dot),
    ".graphml": (to_graphml, from_graphml),
    ".cyjs": (to_cyjs, from_cyjs),
    ".r": (to_r, refuse_r),
}


@checked
def save(graph: Graph, path: str | Path) -> None:
    """Write a Dag or Pdag as .json, .dot, .gv, .graphml, .cyjs (Cytoscape) or .R (a script for bnlearn)."""
    write_text(path, as_text(graph, path))


def as_text(graph: Graph, path: str | Path) -> str:
    """What a file of this name holds of the graph; an error names what the format cannot hold."""
    write, _ = _format(Path(path))
    return write(graph)


@checked
def load(path: str | Path) -> Graph:
    """Read back what `save` wrote (scripts for R apart), or a simple file of another program."""
    _, read = _format(Path(path))
    text = read_text(path)
    try:
        return read(text)
    except ArcwiseError as error:
        raise FileError(f"{path}: {error}") from error


def _format(path: Path) -> tuple[Callable[[Graph], str], Callable[[str], Graph]]:
    try:
        return FORMATS[path.suffix.lower()]
    except KeyError:
        raise FileError(f"{path}: unknown suffix {path.suffix!r}; use {', '.join(FORMATS)}") from None
