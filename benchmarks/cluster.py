"""A cluster: local workers measured, and from what went to and fro the cost with up to a thousand of them computed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

NETWORK = "child"  # 20 columns, 60 levels
ROWS = 20_000_000
PART = 2_000_000
LOCAL = (1, 2, 4)
SIMULATED = (1, 10, 100, 1000)
LONG_ROWS = 10**9
HOP = 0.0005  # seconds from machine to machine, there and back: a data centre
HANDLING = 0.0015  # seconds of Python for a message and its answer, at each end of a hop: as measured on one machine
BANDWIDTH = 1.25e9 / 4  # bytes a second of one connection: a quarter of 10 Gbit/s


@dataclass(frozen=True)
class Run:
    """One search. seconds: of the clock; cpu: of each worker's processor; questions and bytes: at the client."""

    workers: int
    seconds: float
    cpu: tuple[float, ...]
    questions: int
    steps: int
    bytes_out: int
    bytes_in: int
    rows: int


def cluster(*, rows: int = ROWS, workers: Sequence[int] = LOCAL) -> Iterator[str]:
    """Hill climbing on a coded store that all workers map, a thread each."""
    yield "| workers | seconds | processor, s a worker | questions | steps | KB out | KB in | times one worker |"
    yield "|--:" * 8 + "|"
    runs = []
    with TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        table = _stored(Path(folder) / "t.arcwise", rows)
        for n in workers:
            runs.append(_measured(table, n))
            run = runs[-1]
            yield (
                f"| {n} | {run.seconds:.1f} | {max(run.cpu):.1f} | {run.questions} | {run.steps} | "
                f"{run.bytes_out / 1e3:.0f} | {run.bytes_in / 1e3:.0f} | {runs[0].seconds / run.seconds:.2f} |"
            )
    yield ""
    yield from simulated(runs[0])


def simulated(run: Run, *, workers: Sequence[int] = SIMULATED, rows: int = LONG_ROWS) -> Iterator[str]:
    """The same search on more rows and workers: counting is linear in rows, and questions are the same."""
    from arcwise.running.asking import FAN

    yield (
        "| workers | rows a worker | round trips | hops to the farthest | MB between all | a question, ms | "
        "questions, s | counting, s | together, s |"
    )
    yield "|--:" * 9 + "|"
    a_row = sum(run.cpu) / run.rows
    for n in workers:
        depth = deepest(n, FAN)
        out, back = run.bytes_out / run.questions, run.bytes_in / run.questions
        # At each level a worker sends the question to FAN others and reads their answers, one after another.
        wide = min(FAN, max(n - 1, 0))
        level = HOP + wide * (HANDLING + (out + back) / BANDWIDTH)
        question = 2 * (HOP + HANDLING + (out + back) / BANDWIDTH) + depth * level  # first by way of the scheduler
        counting = a_row * rows / n
        moved = n * (run.bytes_out + run.bytes_in) / 1e6
        yield (
            f"| {n:,} | {rows // n:,} | {run.questions} | {depth} | {moved:,.1f} | {question * 1e3:.1f} | "
            f"{question * run.questions:.1f} | {counting:,.1f} | {question * run.questions + counting:,.1f} |"
        )


def deepest(workers: int, fan: int) -> int:
    """Hops from the worker that is asked to the one farthest from it, as `asking.branches` divides the others."""
    others = workers - 1
    return 0 if others <= 0 else 1 + deepest(ceil(others / min(fan, others)), fan)


def _stored(path: Path, rows: int):
    from dataclasses import replace

    import numpy as np

    from arcwise import networks
    from arcwise.data.rows.store import open_store, write_store

    network = networks.load(NETWORK)
    parts = [network.sample(min(PART, rows - first), seed) for seed, first in enumerate(range(0, rows, PART))]
    columns = [np.concatenate([part.columns[j].values for part in parts]) for j in range(parts[0].n_columns)]
    kept = tuple(replace(one, values=values) for one, values in zip(parts[0].columns, columns, strict=True))
    write_store(path, replace(parts[0], columns=kept))
    return open_store(path)


def _measured(table, workers: int) -> Run:
    import numpy as np
    from distributed import Client, LocalCluster

    from arcwise.parts.monitor import SILENT
    from arcwise.problem import Problem
    from arcwise.running.placing import placed
    from arcwise.running.until_lost import learned
    from arcwise.search import HillClimb

    def learn(table, client):
        with placed(table, client) as far:

            def begin(monitor):
                return Problem.of(far, rng=np.random.default_rng(0), monitor=monitor)

            found = learned(HillClimb(), begin, SILENT, table.names)[1]
            return found, far.elsewhere.library.traffic

    options = {"n_workers": workers, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        learn(table.take(slice(workers << 18)), client)  # loads the kernels
        before, began = client.run(time.process_time), time.perf_counter()
        found, traffic = learn(table, client)
        seconds, after = time.perf_counter() - began, client.run(time.process_time)
        cpu = tuple(after[address] - before[address] for address in after)
    return Run(
        workers,
        seconds,
        cpu,
        traffic.questions,
        len(found.trace),
        traffic.bytes_out,
        traffic.bytes_in,
        table.n_rows,
    )
