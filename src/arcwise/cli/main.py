"""The `arcwise` program: what becomes of errors, signals, closed pipes and full disks.

The commands are loaded late, so that a Ctrl-C finds all this in charge from the first moment on.
"""

from __future__ import annotations

import os
import sys

from arcwise.cli import endings

TYPE_CHECKING = False  # as in typing
if TYPE_CHECKING:
    from collections.abc import Sequence

TRACEBACK = "--traceback"


def run() -> None:
    """Entry point of the program."""
    endings.listen()
    code = main(sys.argv[1:])
    endings.leave()
    sys.exit(code)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return the exit code; an error is one line on stderr."""
    try:
        return _run(arguments)
    except BrokenPipeError:
        code = endings.CLOSED_PIPE
    except KeyboardInterrupt as ending:
        code = _fail(endings.word(ending), endings.code(ending))
    except Exception as error:
        code = _failed(error, TRACEBACK in arguments)
    _give_up_output()
    return code


def _run(arguments: Sequence[str]) -> int:
    from arcwise.cli.views.screen import flush, prepare_streams

    prepare_streams()
    from arcwise.cli.commands import invoke

    code = invoke([word for word in arguments if word != TRACEBACK] or ["--help"])
    flush()
    return code


def _fail(text: str, code: int) -> int:
    from arcwise.cli.views.screen import note

    note(" ".join(text.split()))
    return code


def _failed(error: Exception, traceback: bool) -> int:
    """Say in one sentence what went wrong."""
    from arcwise.cli.views.screen import cannot_print, note
    from arcwise.errors import ArcwiseError

    if isinstance(error, OSError) and _give_up_output():  # typer prints its pages of help by itself
        error = cannot_print(error)
    if isinstance(error, ArcwiseError):
        return _fail(f"error: {error}", getattr(error, "exit_code", endings.WRONG_INPUT))
    if isinstance(error, MemoryError):
        reason = f" ({error})" if str(error) else ""
        return _fail(f"error: the memory is used up{reason}; take fewer rows or columns", endings.WRONG_INPUT)
    if type(error).__name__ == "Abort":  # typer's, of a question that was not answered
        return _fail("interrupted", endings.code(KeyboardInterrupt()))
    if hasattr(error, "format_message"):  # a usage error; its class has moved between versions of typer
        return _fail(f"error: {_usage_text(error)}", endings.WRONG_INPUT)
    if traceback:
        from traceback import format_exception

        note("".join(format_exception(error)).rstrip())
        return endings.INTERNAL_ERROR
    reason = f"{type(error).__name__}: {error}"
    return _fail(f"internal error: {reason}; run again with {TRACEBACK}", endings.INTERNAL_ERROR)


def _usage_text(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "arcwise"
    message = str(error.format_message()).rstrip(".")  # type: ignore[attr-defined]
    return f"{message}; see {path} --help"


def _give_up_output() -> bool:
    """What was printed before an error is shown, where it can be; else it goes nowhere, and Python's end is silent."""
    try:
        if sys.stdout is not None:  # as long as nobody has replaced it
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return True
    return False
