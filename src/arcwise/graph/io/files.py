"""Graphs to and from files, by suffix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arcwise.checking import checked
from arcwise.data.text_files import read_text, write_text
from arcwise.errors import ArcwiseError, FileError
from arcwise.graph.io.assemble import Graph
from arcwise.graph.io.dot import from_dot, to_dot
from arcwise.graph.io.graphml import from_graphml, to_graphml
from arcwise.graph.io.json_text import from_json, to_json

FORMATS: dict[str, tuple[Callable[[Graph], str], Callable[[str], Graph]]] = {
    ".json": (to_json, from_json),
    ".dot": (to_dot, from_dot),
    ".gv": (to_dot, from_dot),
    ".graphml": (to_graphml, from_graphml),
}


@checked
def save(graph: Graph, path: str | Path) -> None:
    """Write a Dag or Pdag as .json, .dot, .gv or .graphml."""
    write_text(path, as_text(graph, path))


def as_text(graph: Graph, path: str | Path) -> str:
    """What a file of this name holds of the graph; an error names what the format cannot hold."""
    write, _ = _format(Path(path))
    return write(graph)


@checked
def load(path: str | Path) -> Graph:
    """Read back what `save` wrote, or a simple file of another program."""
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
