"""Files that a command is to write: their names are checked first, so that no run ends in a mistyped suffix."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcwise.errors import FileError

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset

TABLE_SUFFIXES = (".csv", ".tsv", ".parquet")
PICTURE_SUFFIXES = (".svg", ".png", ".pdf")
GRAPH_SUFFIXES = (".dot", ".gv", ".graphml", ".json")
JSON_SUFFIXES = (".json", ".json.gz")


def check_target(path: str | None, suffixes: Sequence[str]) -> None:
    """Refuse a file that cannot be written; None is no file."""
    if path is None:
        return
    file = Path(path)
    if not file.name.lower().endswith(tuple(suffixes)):
        raise FileError(f"cannot write {path}: the name must end in {' or '.join(suffixes)}")
    if file.is_dir():
        raise FileError(f"cannot write {path}: it is a folder; name a file in it")
    if not file.parent.is_dir():
        raise FileError(f"cannot write {path}: there is no folder {file.parent}; make it first")
    if not os.access(file.parent, os.W_OK):
        raise FileError(f"cannot write {path}: the folder may not be written to; choose another")


def check_distinct(*paths: str | None) -> None:
    """Refuse the same file for two purposes, of which the second would replace the first."""
    files = [Path(path).absolute() for path in paths if path is not None]
    for file in files:
        if files.count(file) > 1:
            raise FileError(f"cannot write {file.name} for two options at once; give each its own file")


def write_json(content: Any, path: str) -> None:
    from arcwise.data.text_files import write_text

    write_text(path, json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def write_table(data: Dataset, path: str) -> None:
    """Write the whole table or nothing; discrete columns by their labels."""
    from io import BytesIO

    from arcwise.data.text_files import write_whole

    buffer = BytesIO()
    if path.lower().endswith(".parquet"):
        data.to_polars().write_parquet(buffer)
    else:
        buffer.write(as_delimited(data, "\t" if path.lower().endswith(".tsv") else ",").encode())
    write_whole(path, buffer.getvalue())


def as_delimited(data: Dataset, separator: str = ",") -> str:
    """The table as text with a header line; numbers keep every digit.

    All labels stand in quotes if one of them would mean "no value" without. An empty one cannot be kept: that is noted.
    """
    from arcwise.cli.screen import note
    from arcwise.data.missing_words import MISSING_MARKERS
    from arcwise.data.wording import listed

    lost = [repr(column.name) for column in data.columns if "" in column.levels]
    if lost:
        note(f"note: an empty level of {listed(lost)} is a missing value in a text file; save .parquet to keep it")
    doubtful = any(not MISSING_MARKERS.isdisjoint(column.levels) for column in data.columns)
    text: str = data.to_polars().write_csv(separator=separator, quote_style="non_numeric" if doubtful else "necessary")
    return text
