"""Graphs to and from files, by suffix; a file is either written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

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


def save(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write a Dag or Pdag as .json, .dot, .gv or .graphml."""
    write, _ = _format(Path(path))
    try:
        content = write(graph).encode("utf-8")
    except UnicodeEncodeError as error:
        raise FileError(f"{path}: a node name holds {error.object[error.start]!r}, no Unicode text") from None
    write_whole(path, content)


def load(path: str | os.PathLike[str]) -> Graph:
    """Read back what `save` wrote, or a simple file of another program."""
    _, read = _format(Path(path))
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    try:
        return read(text)
    except ArcwiseError as error:
        raise FileError(f"{path}: {error}") from error


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write through a temporary file in the same folder, so that nothing half-written stays."""
    target = Path(path)
    temporary = target.with_name(f".arcwise-{os.urandom(8).hex()}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(target)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def _format(path: Path) -> tuple[Callable[[Graph], str], Callable[[str], Graph]]:
    try:
        return FORMATS[path.suffix.lower()]
    except KeyError:
        raise FileError(f"{path}: unknown suffix {path.suffix!r}; use {', '.join(FORMATS)}") from None
