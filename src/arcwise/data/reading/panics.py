"""polars ends some damaged files with a panic of its Rust code, which is no Exception and writes to stderr itself."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def is_panic(error: BaseException) -> bool:
    """Whether Rust code gave up; the class cannot be imported by its name everywhere."""
    return type(error).__name__ == "PanicException"


@contextmanager
def silent_stderr() -> Iterator[None]:
    """Nothing reaches the process's stderr meanwhile, unless other threads run whose words would be lost with it."""
    if threading.active_count() > 1:
        yield
        return
    try:
        kept = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
