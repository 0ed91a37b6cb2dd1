"""How time grows with rows, and how much memory a run takes."""

from __future__ import annotations

import multiprocessing as mp
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

ROWS = (5_000, 50_000, 500_000)
HEADER = ("rows", "seconds", "times the first", "coded, MB", "allowed, MB", "learning took, MB", "whole process, MB")


def growth(network: str = "alarm") -> Iterator[str]:
    """Lines of a table. Allowed: three times the coded data plus 200 MB, for the whole process."""
    from arcwise import networks

    yield "| " + " | ".join(HEADER) + " |"
    yield "|---" * len(HEADER) + "|"
    first = None
    for rows in ROWS:
        data = networks.load(network).sample(rows, 1)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "codes.npz"
            np.savez(path, codes=data.codes(), cards=data.cardinalities)
            context = mp.get_context("spawn")
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=_run, args=(path, sender))
            process.start()
            seconds, coded, idle, peak = receiver.recv()
            process.join()
        first = first or seconds
        cells = (rows, f"{seconds:.4f}", f"{seconds / first:.1f}", f"{coded:.1f}", f"{3 * coded + 200:.0f}")
        yield "| " + " | ".join(map(str, (*cells, f"{peak - idle:.0f}", f"{peak:.0f}"))) + " |"


def _run(path: Path, sender: Any) -> None:
    """In a process of its own that holds nothing but the coded data and the compiled code."""
    from arcwise.data.dataset import Column, Dataset, Kind
    from arcwise.search import HillClimb

    learner = HillClimb()
    with np.load(path) as stored:
        codes, cards = stored["codes"], stored["cards"].tolist()
    names = [f"v{i:02d}" for i in range(len(cards))]
    levels = [tuple(map(str, range(card))) for card in cards]
    table = [Column(n, Kind.DISCRETE, c, levels[i]) for i, (n, c) in enumerate(zip(names, codes, strict=True))]
    head = [Column(c.name, c.kind, c.values[:500].copy(), c.levels) for c in table]
    learner.learn(Dataset(tuple(head)), rng=np.random.default_rng(0))  # compiled from here on
    idle = _memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    times = []
    for _ in range(5):
        began = time.perf_counter()
        learner.learn(Dataset(tuple(table)), rng=np.random.default_rng(0))
        times.append(time.perf_counter() - began)
    sender.send((statistics.median(times), codes.nbytes / 2**20, idle, _memory("VmHWM")))


def _memory(field: str) -> float:
    """A field of /proc/self/status in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no {field} in /proc/self/status: this measurement needs Linux")
