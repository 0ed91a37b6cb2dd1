"""Files and output of a command. What can be checked is checked first, so that no run ends in a mistyped name.

When the work is done and one of them cannot be written, nothing that was found is lost.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from arcwise.cli.main import NOT_WRITTEN
from arcwise.cli.views.screen import OutputError, flush, note, print_json
from arcwise.cli.views.steps import step
from arcwise.errors import ArcwiseError, FileError

if TYPE_CHECKING:
    import polars as pl

    from arcwise.data.dataset import Dataset

TABLE_SUFFIXES = (".csv", ".tsv", ".parquet")
PICTURE_SUFFIXES = (".svg", ".png", ".pdf")
GRAPH_SUFFIXES = (".dot", ".gv", ".graphml", ".cyjs", ".r", ".json")
JSON_SUFFIXES = (".json", ".json.gz")
TEXT_BYTES = 40  # of a cell, with the copies that are made on the way
Writing = tuple[str | None, Callable[[str], object]]  # a path, if one was given, and what writes there


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


def write_frame(frame: pl.DataFrame, path: str) -> None:
    """Write numbers and names, whole or not at all."""
    from io import BytesIO

    from arcwise.data.text_files import write_whole

    buffer = BytesIO()
    if path.lower().endswith(".parquet"):
        frame.write_parquet(buffer)
    else:
        frame.write_csv(buffer, separator="\t" if path.lower().endswith(".tsv") else ",")
    write_whole(path, buffer.getvalue())


def as_delimited(data: Dataset, separator: str = ",") -> str:
    """The table as text with a header line; numbers keep every digit.

    All labels stand in quotes if one of them would mean "no value" without. An empty one cannot be kept: that is noted.
    """
    from arcwise.data.missing import MISSING_MARKERS
    from arcwise.machine import check_fits
    from arcwise.printing import listed

    check_fits(TEXT_BYTES * data.n_rows * data.n_columns, "the table as text")
    lost = [repr(column.name) for column in data.columns if "" in column.levels]
    if lost:
        note(f"note: an empty level of {listed(lost)} is a missing value in a text file; save .parquet to keep it")
    doubtful = any(not MISSING_MARKERS.isdisjoint(column.levels) for column in data.columns)
    return data.to_polars().write_csv(separator=separator, quote_style="non_numeric" if doubtful else "necessary")


class NotWritten(ArcwiseError):
    """The work is done, but not all of it is where it was wanted."""

    exit_code = NOT_WRITTEN


def deliver(
    *files: Writing, show: Callable[[], object], content: Callable[[], Any] | None = None, printed: bool = False
) -> None:
    """Write the files and print the result, each one whatever happens to the others.

    content: all that was found, for JSON; the first file, where it is wanted, is this. It is kept in a temporary file
    when that cannot be written, or printed where that fails, too. printed: whether `show` prints just that.
    """
    kept: str | None = None
    problems: list[Exception] = []
    for k, (path, write) in enumerate(files):
        if path is not None:
            try:
                with step(f"writing {path}"):
                    write(path)
                kept = path if k == 0 else kept
            except Exception as problem:  # a fault in drawing must not cost the result either
                problems.append(problem)
    try:
        show()
        flush()
    except Exception as problem:
        if isinstance(problem, BrokenPipeError) and not problems:
            raise  # whoever reads no further has seen enough
        problems.append(problem)
        printed = False
    if not problems:
        return
    where = "" if content is None else _where(content, kept, printed)
    fault = next((one for one in problems if not isinstance(one, ArcwiseError | BrokenPipeError)), None)
    if fault is not None:
        if where:
            note(f"note: {where}")
        raise fault
    words = "; ".join(str(one) for one in problems if isinstance(one, ArcwiseError))
    raise NotWritten(f"{words} ({where})" if where else words) from None


def _where(content: Callable[[], Any], kept: str | None, printed: bool) -> str:
    """Where all that was found is now."""
    if kept is not None:
        return f"the result is saved in {kept}"
    if printed:
        return "the result is what was printed"
    saved = _rescued(content)
    if saved is not None:
        return f"the result is kept in {saved}: copy it from there"
    try:
        print_json(content())
        flush()
        return "the result is on stdout, as JSON: save that"
    except (OutputError, BrokenPipeError):
        return "the result could not be kept anywhere"


def _rescued(content: Callable[[], Any]) -> str | None:
    """A new file in the folder for temporary ones, for nobody else to read; None where that fails, too."""
    from tempfile import mkstemp

    path = None
    try:
        handle, path = mkstemp(prefix="arcwise-", suffix=".json")
        os.close(handle)
        write_json(content(), path)
        return path
    except (OSError, ArcwiseError):
        if path is not None and os.path.exists(path):
            os.unlink(path)
        return None
