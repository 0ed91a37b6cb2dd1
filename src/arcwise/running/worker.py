"""A process beside the program's own that works on pieces: it is this module, run by itself.

On stdin it is given what all pieces share, in a pickle, and then a task a line; it answers with a line when it is ready
and when a piece is finished. When the program is gone, stdin ends, and so does this process, whatever it is at.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import sys
import threading
from typing import BinaryIO

from arcwise.parts.monitor import SILENT
from arcwise.running.piece import attempt


def main() -> None:
    answers: BinaryIO = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints is no answer
    tasks: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def answer(content: object) -> None:
        answers.write(json.dumps(content).encode() + b"\n")
        answers.flush()

    def read() -> None:
        for line in sys.stdin.buffer:
            tasks.put(line)
        os._exit(0)

    try:
        function, shared = pickle.load(sys.stdin.buffer)
    except Exception as error:  # a class of the program itself, which no other process has
        answer(f"{type(error).__name__}: {error}")
        return
    answer(None)
    threading.Thread(target=read, daemon=True).start()
    while True:
        answer(attempt(function, shared, json.loads(tasks.get()), SILENT))
