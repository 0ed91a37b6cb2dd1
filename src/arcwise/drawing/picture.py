"""A picture as a value: it shows itself in notebooks and writes itself to files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from arcwise.checking import checked
from arcwise.drawing.files import suffix_of, to_svg, write
from arcwise.drawing.graphs import Options, scene
from arcwise.drawing.scene import Scene
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag

__all__ = ["Options", "Picture", "picture"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Picture:
    """What `plot` returns. As the last line of a notebook's cell it is shown; `save` writes it to a file."""

    scene: Scene

    @property
    def svg(self) -> str:
        """The picture as SVG text."""
        return to_svg(self.scene)

    @checked
    def save(self, path: str | Path) -> None:
        """Write a .svg, .png or .pdf file, whole or not at all."""
        write(self.scene, path)

    def __repr__(self) -> str:
        return f"Picture({self.scene.width:.0f} x {self.scene.height:.0f} pixels; save it with .save('picture.svg'))"

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.svg}</div>'


@checked
def picture(graph: Dag | Pdag, path: str | Path | None = None, **options: Unpack[Options]) -> Picture:
    """The picture of a graph, also written to `path` if there is one."""
    if path is not None:
        suffix_of(path)
    found = Picture(scene(graph, **options))
    if path is not None:
        found.save(path)
    return found
