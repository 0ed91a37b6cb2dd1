"""What a process lost when it was forked: the threads of libraries that its parent had loaded.

It is imported with `arcwise` itself, as it must know of every fork from then on, and therefore imports next to nothing.
"""

from __future__ import annotations

import os
import sys

_lost: set[str] = set()


def is_lost(library: str) -> bool:
    """Whether this process was forked from one that had loaded the library, whose threads it therefore lacks.

    They may never have been started there; that cannot be seen from here.
    """
    return library in _lost


def _note() -> None:
    _lost.update({"polars"} & set(sys.modules))


def _was_forked() -> bool:
    """By multiprocessing, before this was imported; a process that it spawned has not loaded what forks."""
    processes = sys.modules.get("multiprocessing.process")
    return (
        processes is not None and processes.parent_process() is not None and "multiprocessing.popen_fork" in sys.modules
    )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note)
if _was_forked():
    _note()
