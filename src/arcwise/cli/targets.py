"""Files that a command is to write: what can be checked is checked first, so that no run ends in a mistyped name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from arcwise.errors import FileError

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset

TABLE_SUFFIXES = (".csv", ".tsv", ".parquet")
PICTURE_SUFFIXES = (".svg", ".png", ".pdf")
GRAPH_SUFFIXES = (".dot", ".gv", ".graphml", ".json")
JSON_SUFFIXES = (".json", ".json.gz")
TEXT_BYTES = 40  # of a cell, with the copies that are made on the way


def check_targets(reads: Iterable[str | None], *writes: tuple[str | None, Sequence[str]]) -> None:
    """Refuse files that cannot be written, the same one twice, and one that is read; None is no file.

    writes: each path with the suffixes that it may have.
    """
    files = [(path, suffixes) for path, suffixes in writes if path is not None]
    for path, suffixes in files:
        _check_target(path, suffixes)
    for k, (path, _) in enumerate(files):
        for given in reads:
            if given is not None and _is_same(given, path):
                which = "it is" if given == path else f"it is the same file as {given},"
                raise FileError(f"cannot write {path}: {which} the input; choose another name")
        if any(_is_same(other, path) for other, _ in files[:k]):
            raise FileError(f"cannot write {Path(path).name} for two options at once; give each its own file")


def _check_target(path: str, suffixes: Sequence[str]) -> None:
    from arcwise.data.text_files import settle_target

    if not Path(path).name.lower().endswith(tuple(suffixes)):
        raise FileError(f"cannot write {path}: the name must end in {' or '.join(suffixes)}")
    target, _ = settle_target(path)
    folder = target.parent
    if not folder.is_dir():
        raise FileError(f"cannot write {path}: there is no folder {_shown(folder, path)}; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FileError(f"cannot write {path}: the folder may not be written to; choose another")


def _shown(folder: Path, path: str) -> Path:
    """The folder as it was given, unless a link leads elsewhere."""
    given = Path(path).parent
    return given if given.resolve() == folder else folder


def _is_same(one: str, other: str) -> bool:
    """Whether two paths lead to one file: by links, and by names that a disk may not tell apart."""
    with suppress(OSError, ValueError):  # at least one of them may not be there; then the names tell
        if os.path.samefile(one, other):
            return True
    return _folded(one) == _folded(other)


def _folded(path: str) -> str:
    """Some disks keep a name without regard to case, or to how accents are written."""
    with suppress(ValueError):  # a name that no file can have
        path = os.path.realpath(path)
    return normalize("NFC", path).casefold()


def check_names(names: Sequence[str], path: str | None) -> None:
    """Refuse a graph file that cannot hold these names, before there is a graph."""
    if path is not None:
        from arcwise.graph.dag import Dag
        from arcwise.graph.io.files import as_text

        try:
            as_text(Dag(names, []), path).encode()
        except UnicodeEncodeError as error:
            raise FileError(f"cannot write {path}: {error.object[error.start]!r} is no character; rename it") from None


def write_json(content: Any, path: str) -> None:
    from arcwise.data.text_files import as_json, write_text

    write_text(path, as_json(content, indent=1) + "\n")


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
    from arcwise.cli.views.screen import note
    from arcwise.data.missing import MISSING_MARKERS
    from arcwise.machine import check_fits
    from arcwise.printing import listed

    check_fits(TEXT_BYTES * data.n_rows * data.n_columns, "the table as text")
    lost = [repr(column.name) for column in data.columns if "" in column.levels]
    if lost:
        note(f"note: an empty level of {listed(lost)} is a missing value in a text file; save .parquet to keep it")
    doubtful = any(not MISSING_MARKERS.isdisjoint(column.levels) for column in data.columns)
    text: str = data.to_polars().write_csv(separator=separator, quote_style="non_numeric" if doubtful else "necessary")
    return text
