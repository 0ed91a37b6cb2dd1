"""Timing one contender on one case, in a process of its own that can be given up on."""

from __future__ import annotations

import multiprocessing as mp
import statistics
import time
from dataclasses import dataclass
from typing import Any

SEEDS = (1, 2, 3, 4, 5)  # each with data, an order of columns and names of its own
REPEAT_SECONDS = 4.0  # a case is repeated until this much time has gone by ...
REPEAT_MOST = 25  # ... or this often


@dataclass(frozen=True)
class Case:
    network: str
    rows: int


@dataclass(frozen=True)
class Measurement:
    """Median seconds of warm runs; None when the time limit or an error ended it (`note` says which).

    `score` is the mean over the first `seeds` seeds, as arcwise scores the graphs.
    """

    contender: str
    case: Case
    seconds: float | None
    repeats: int = 0
    score: float | None = None
    seeds: int = 0
    note: str = ""


def sample(case: Case, seed: int) -> Any:
    """Rows of the network with its columns shuffled and renamed.

    The files list parents before children, so a search that breaks ties by position would gain by luck.
    """
    from arcwise import networks

    return networks.load(case.network).shuffled(seed)[0].sample(case.rows, seed)


def as_frame(data: Any) -> Any:
    """A pandas frame of categorical columns: every contender takes it as it is."""
    import pandas as pd

    return pd.DataFrame({c.name: pd.Categorical.from_codes(c.values, list(c.levels)) for c in data.columns})


def measure(contender: str, case: Case, limit: float) -> Measurement:
    """Run the contender in a fresh process; give up after `limit` seconds."""
    context = mp.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(contender, case, limit, sender), daemon=True)
    process.start()
    sender.close()  # the child has its own: a child that dies then ends the waiting at once
    try:
        if not receiver.poll(limit):
            return Measurement(contender, case, None, note=f"not finished in {limit:.0f} s")
        content = receiver.recv()
    except EOFError:
        return Measurement(contender, case, None, note="the process died")
    finally:
        process.kill()
        process.join()
    return Measurement(contender, case, **content)


def _run(contender: str, case: Case, limit: float, sender: Any) -> None:
    from benchmarks.contenders import CONTENDERS

    try:
        function = CONTENDERS[contender]
        tables = [sample(case, SEEDS[0])]
        began = time.perf_counter()
        function(as_frame(tables[0]))  # the warm-up: imports, compilation, caches
        first = time.perf_counter() - began
        if first < limit / 4:  # without the compilation
            began = time.perf_counter()
            function(as_frame(tables[0]))
            first = time.perf_counter() - began
        if first * 2 * len(SEEDS) < limit:
            tables += [sample(case, seed) for seed in SEEDS[1:]]
        frames = [as_frame(table) for table in tables]
        arcs: list[Any] = [None] * len(frames)
        times: list[float] = []
        while None in arcs or (sum(times) < REPEAT_SECONDS and len(times) < REPEAT_MOST):
            turn = len(times) % len(frames)
            began = time.perf_counter()
            arcs[turn] = function(frames[turn])
            times.append(time.perf_counter() - began)
        scores = [judge(learned, table) for learned, table in zip(arcs, tables, strict=True)]
        score = None if None in scores else statistics.mean(scores)
        seconds = statistics.median(times)
        sender.send({"seconds": seconds, "repeats": len(times), "score": score, "seeds": len(frames)})
    except Exception as error:  # a peer's failure is a result, not a crash of the benchmark
        sender.send({"seconds": None, "note": f"{type(error).__name__}: {error}"[:120]})


def judge(arcs: list[tuple[str, str]], data: Any) -> float | None:
    """The score that arcwise gives to somebody's graph, so that all are judged alike."""
    from arcwise.errors import GraphError
    from arcwise.graph import Dag
    from arcwise.scores import BDeu, total
    from benchmarks.contenders import ESS

    try:
        return total(BDeu(ess=ESS), Dag(data.names, arcs), data)
    except GraphError:  # a pattern whose arbitrary orientation closed a cycle
        return None
