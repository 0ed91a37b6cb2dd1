"""The `arcwise` program: its exit codes, and what becomes of errors, signals, closed pipes and full disks.

Nothing heavy is imported here, and the commands are loaded late, so that a Ctrl-C finds all this in charge from the
first moment on.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # as in typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

WRONG_INPUT = 2
UNANSWERED = 3  # stopped before there was anything to show or save
INTERNAL_ERROR = 70
NOT_WRITTEN = 74  # the work is done, but a file or the output could not be written
CLOSED_PIPE = 141  # what a shell reports for a program ended by SIGPIPE
BY_SIGNAL = 128  # plus the number of the signal, as shells report it
# Windows has no SIGHUP. A signal that is ignored, as SIGHUP is under nohup, stays ignored.
ENDINGS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
SHOW_CURSOR = b"\x1b[?25h"
TRACEBACK = "--traceback"


def listen() -> None:
    """From now on signals that end the program raise KeyboardInterrupt with their number, so that all is tidied up."""
    for one in ENDINGS:
        if signal.getsignal(one) != signal.SIG_IGN:
            signal.signal(one, _end)


def leave() -> None:
    """The command is done: what Python still has to tidy up may be cut short without a word."""
    for one in ENDINGS:
        if signal.getsignal(one) is _end:
            signal.signal(one, signal.SIG_DFL)


def _word(ending: KeyboardInterrupt) -> str:
    return "interrupted" if _number(ending) == signal.SIGINT else "terminated"


def _code(ending: KeyboardInterrupt) -> int:
    return BY_SIGNAL + _number(ending)


def _number(ending: KeyboardInterrupt) -> int:
    return ending.args[0] if ending.args else signal.SIGINT


def _end(signum: int, frame: FrameType | None) -> None:
    ending = KeyboardInterrupt(signum)
    if not _is_importing(frame):
        raise ending
    # Modules that are cut off while they are loaded answer with errors of their own; there is nothing to tidy up yet.
    try:
        if os.isatty(2):
            os.write(2, SHOW_CURSOR)
        os.write(2, f"{_word(ending)}\n".encode())
    finally:
        os._exit(_code(ending))


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def run() -> None:
    """Entry point of the program."""
    listen()
    code = main(sys.argv[1:])
    leave()
    sys.exit(code)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return the exit code; an error is one line on stderr."""
    try:
        return _run(arguments)
    except BrokenPipeError:
        code = CLOSED_PIPE
    except KeyboardInterrupt as ending:
        code = _fail(_word(ending), _code(ending))
    except Exception as error:
        code = _failed(error, TRACEBACK in arguments)
    _give_up_output()
    return code


def _run(arguments: Sequence[str]) -> int:
    from arcwise.cli.views.screen import flush, prepare_streams

    prepare_streams()
    words = [word for word in arguments if word != TRACEBACK]
    code = _show_first_look() if not words else _invoke(words)
    flush()
    return code


def _show_first_look() -> int:
    if os.environ.get("_ARCWISE_COMPLETE"):  # a shell asks
        return _invoke([])
    from arcwise.cli.first_look import show_first_look

    show_first_look()
    return 0


def _invoke(words: list[str]) -> int:
    from arcwise.cli.commands import invoke

    return invoke(words)


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
        return _fail(f"error: {error}", getattr(error, "exit_code", WRONG_INPUT))
    if isinstance(error, MemoryError):
        reason = f" ({error})" if str(error) else ""
        return _fail(f"error: the memory is used up{reason}; take fewer rows or columns", WRONG_INPUT)
    if type(error).__name__ == "Abort":  # typer's, of a question that was not answered
        return _fail("interrupted", _code(KeyboardInterrupt()))
    if hasattr(error, "format_message"):  # a usage error; its class has moved between versions of typer
        return _fail(f"error: {_usage_text(error)}", WRONG_INPUT)
    if traceback:
        from traceback import format_exception

        note("".join(format_exception(error)).rstrip())
        return INTERNAL_ERROR
    reason = f"{type(error).__name__}: {error}"
    return _fail(f"internal error: {reason}; run again with {TRACEBACK}", INTERNAL_ERROR)


def _usage_text(error: Exception) -> str:
    from arcwise.cli.program import unknown_option

    said = unknown_option(error)
    if said is not None:
        return said
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
