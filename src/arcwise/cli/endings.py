"""How the program ends: its exit codes, and the signals that end it.

Nothing heavy is imported here, so that a Ctrl-C finds these handlers while all else is still being loaded.
"""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False  # as in typing
if TYPE_CHECKING:
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


def word(ending: KeyboardInterrupt) -> str:
    return "interrupted" if _number(ending) == signal.SIGINT else "terminated"


def code(ending: KeyboardInterrupt) -> int:
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
        os.write(2, f"{word(ending)}\n".encode())
    finally:
        os._exit(code(ending))


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
