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
        _frame(data).write_parquet(buffer)
    else:
        buffer.write(as_delimited(data, "\t" if path.lower().endswith(".tsv") else ",").encode())
    write_whole(path, buffer.getvalue())


def as_delimited(data: Dataset, separator: str = ",") -> str:
    """The table as text with a header line; numbers keep every digit. Labels that text cannot keep are noted."""
    from arcwise.cli.screen import note
    from arcwise.data.missing_words import MISSING_MARKERS
    from arcwise.data.wording import listed

    lost = [repr(column.name) for column in data.columns if not MISSING_MARKERS.isdisjoint(column.levels)]
    if lost:
        note(f"note: a level of {listed(lost)} looks like a missing value in a text file; save .parquet to keep it")
    text: str = _frame(data).write_csv(separator=separator)
    return text


def _frame(data: Dataset) -> Any:
    import numpy as np
    import polars as pl

    series = []
    for column in data.columns:
        if column.levels:
            labels = pl.Series(column.name, column.levels, dtype=pl.Enum(column.levels))
            series.append(labels.gather(column.values.astype(np.uint32)))
        else:
            series.append(pl.Series(column.name, column.values))
    return pl.DataFrame(series)
