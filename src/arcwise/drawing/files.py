"""Scenes as files."""

from __future__ import annotations

from pathlib import Path

from arcwise.data.text_files import write_whole
from arcwise.drawing.scene import Scene
from arcwise.errors import FileError

SUFFIXES = (".svg", ".png", ".pdf")


def suffix_of(path: str | Path) -> str:
    """The suffix in small letters, which must be that of a picture."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise FileError(f"{path}: unknown suffix {suffix!r} for a picture; use .svg, .png or .pdf")
    return suffix


def write(scene: Scene, path: str | Path) -> None:
    """A .svg, .png or .pdf file, whole or not at all; the same scene gives the same bytes."""
    suffix = suffix_of(path)
    if suffix == ".svg":
        from arcwise.drawing.svg import to_svg

        write_whole(path, to_svg(scene).encode("utf-8"))
    else:
        from arcwise.drawing.raster import to_bytes

        write_whole(path, to_bytes(scene, "png" if suffix == ".png" else "pdf"))
