"""A function called in a forked process, which is killed if it does not end."""

from __future__ import annotations

import os
import pickle
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")


class NoEnd(Exception):
    """The process was still at it."""


def in_fork(function: Callable[[], Result], patience: float = 60.0) -> Result:
    """What the function returns or raises there."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer"
        child = os.fork()
        if not child:
            _call(function, answer)
        until = time.monotonic() + patience
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                raise NoEnd
            time.sleep(0.005)
        result: Result = pickle.loads(answer.read_bytes())
    if isinstance(result, Exception):
        raise result
    return result


def _call(function: Callable[[], Result], answer: Path) -> None:
    try:
        result: object = function()
    except BaseException as error:
        result = error
    try:
        answer.write_bytes(pickle.dumps(result))
    finally:
        os._exit(0)
