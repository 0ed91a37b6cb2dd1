"""Files and output of a command whose work is done: when one cannot be written, nothing that was found is lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from arcwise.cli.endings import NOT_WRITTEN
from arcwise.cli.views.screen import OutputError, flush, note, print_json
from arcwise.errors import ArcwiseError

Writing = tuple[str | None, Callable[[str], object]]  # a path, if one was given, and what writes there


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

    from arcwise.cli.targets import write_json

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
