"""Variables of the environment that this program and the libraries below it read: what cannot be meant is told by name.

A library that meets nonsense in its own variable ends in a message about something else, or does not end at all.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from arcwise.errors import OptionError

MOST_THREADS = 1024  # some libraries start as many as they are told to


def thread_count(variable: str) -> int | None:
    """The number of threads that a variable asks for; None where it is not set."""
    text = os.environ.get(variable, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_THREADS):
        raise OptionError(
            f"the environment variable {variable} must be a whole number from 1 to {MOST_THREADS}, not {text!r}; "
            "set it to one, or unset it"
        )
    return int(text)


def import_matplotlib() -> None:
    """matplotlib refuses to be imported where MPLBACKEND names a backend that it does not know. We draw without one."""
    if "matplotlib" in sys.modules:
        return
    named = os.environ.pop("MPLBACKEND", None)
    try:
        import matplotlib
    finally:
        if named is not None:
            os.environ["MPLBACKEND"] = named
    if named:
        with suppress(ValueError):
            matplotlib.rcParams["backend"] = named  # as it would have done, for whoever else draws
