"""Pictures of graphs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import overload

from arcwise.checking import checked
from arcwise.data.text_files import write_whole
from arcwise.errors import FileError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag

Weights = Mapping[tuple[str, str], float]


@overload
def draw(
    graph: Dag | Pdag, path: None = None, *, title: str | None = None, edge_weights: Weights | None = None
) -> str: ...


@overload
def draw(
    graph: Dag | Pdag,
    path: str | Path,
    *,
    title: str | None = None,
    edge_weights: Weights | None = None,
) -> None: ...


@checked
def draw(
    graph: Dag | Pdag,
    path: str | Path | None = None,
    *,
    title: str | None = None,
    edge_weights: Weights | None = None,
) -> str | None:
    """Write a .svg, .png or .pdf picture; without a path, return the SVG text.

    Arrows run downward; undirected edges have no head, bidirected ones two. `edge_weights` (pairs of names
    to numbers of at least 0, such as bootstrap confidence) makes edges thicker and appears as a tooltip.
    """
    suffix = ".svg" if path is None else Path(path).suffix.lower()
    if suffix not in {".svg", ".png", ".pdf"}:
        raise FileError(f"{path}: unknown suffix {suffix!r} for a picture; use .svg, .png or .pdf")
    from arcwise.graph.scene import scene
    from arcwise.graph.svg import to_svg

    shapes = scene(graph, title, edge_weights)
    if path is None:
        return to_svg(shapes)
    if suffix == ".svg":
        write_whole(path, to_svg(shapes).encode("utf-8"))
    else:
        from arcwise.graph.raster import to_bytes

        write_whole(path, to_bytes(shapes, "png" if suffix == ".png" else "pdf"))
    return None
