"""How time grows with rows, and how much memory a run takes."""

from __future__ import annotations

import multiprocessing as mp
import statistics
import time
from pathlib import Path
from typing import Any

ROWS = (5_000, 50_000, 500_000)
HEADER = ("rows", "seconds", "times the first", "coded, MB", "allowed, MB", "learning took, MB", "whole process, MB")


def growth(network: str = "alarm") -> list[str]:
    """Lines of a table. Allowed: three times the coded data plus 200 MB."""
    lines = ["| " + " | ".join(HEADER) + " |", "|---" * len(HEADER) + "|"]
    first = None
    for rows in ROWS:
        context = mp.get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_run, args=(network, rows, sender))
        process.start()
        seconds, coded, taken, whole = receiver.recv()
        process.join()
        first = first or seconds
        cells = (rows, f"{seconds:.4f}", f"{seconds / first:.1f}", f"{coded:.1f}", f"{3 * coded + 200:.0f}")
        lines.append("| " + " | ".join(map(str, (*cells, f"{taken:.0f}", f"{whole:.0f}"))) + " |")
    return lines


def _run(network: str, rows: int, sender: Any) -> None:
    import numpy as np

    from arcwise import networks
    from arcwise.search import HillClimb

    learner = HillClimb()
    learner.learn(networks.load(network).sample(500, 0), rng=np.random.default_rng(0))  # compiled from here on
    data = networks.load(network).sample(rows, 1)
    coded = sum(column.values.nbytes for column in data.columns) / 2**20
    times = []
    for _ in range(5):
        began = time.perf_counter()
        learner.learn(data, rng=np.random.default_rng(0))
        times.append(time.perf_counter() - began)
    before = _memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far: sampling had its own
    learner.learn(data, rng=np.random.default_rng(0))
    peak = _memory("VmHWM")
    sender.send((statistics.median(times), coded, peak - before, peak))


def _memory(field: str) -> float:
    """A field of /proc/self/status in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no {field} in /proc/self/status: this measurement needs Linux")
