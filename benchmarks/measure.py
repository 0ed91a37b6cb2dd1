"""Timing one contender on one case, in a process of its own that can be given up on."""

from __future__ import annotations

import multiprocessing as mp
import statistics
import time
from dataclasses import dataclass
from typing import Any

REPEAT_SECONDS = 4.0  # a case is repeated until this much time has gone by ...
REPEAT_MOST = 25  # ... or this often


@dataclass(frozen=True)
class Case:
    network: str
    rows: int
    seed: int = 1


@dataclass(frozen=True)
class Measurement:
    """Median seconds over `repeats` warm runs; None when the time limit or an error ended it (`note` says which)."""

    contender: str
    case: Case
    seconds: float | None
    repeats: int = 0
    score: float | None = None
    arcs: int = 0
    note: str = ""


def sample_frame(case: Case) -> Any:
    """A pandas frame of categorical columns: every contender takes it as it is."""
    import pandas as pd

    from arcwise import networks

    data = networks.load(case.network).sample(case.rows, case.seed)
    return pd.DataFrame({c.name: pd.Categorical.from_codes(c.values, list(c.levels)) for c in data.columns})


def measure(contender: str, case: Case, limit: float) -> Measurement:
    """Run the contender in a fresh process; give up after `limit` seconds."""
    context = mp.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(contender, case, sender), daemon=True)
    process.start()
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


def _run(contender: str, case: Case, sender: Any) -> None:
    from benchmarks.contenders import CONTENDERS

    try:
        frame = sample_frame(case)
        function = CONTENDERS[contender]
        began = time.perf_counter()
        arcs = function(frame)  # also the warm-up: imports, compilation, caches
        first = time.perf_counter() - began
        times: list[float] = []
        while sum(times) < REPEAT_SECONDS and len(times) < REPEAT_MOST and first < 10 * REPEAT_SECONDS:
            began = time.perf_counter()
            arcs = function(frame)
            times.append(time.perf_counter() - began)
        score, n_arcs = judge(arcs, case)
        seconds = statistics.median(times) if times else first
        sender.send({"seconds": seconds, "repeats": len(times) or 1, "score": score, "arcs": n_arcs})
    except Exception as error:  # a peer's failure is a result, not a crash of the benchmark
        sender.send({"seconds": None, "note": f"{type(error).__name__}: {error}"[:120]})


def judge(arcs: list[tuple[str, str]], case: Case) -> tuple[float | None, int]:
    """The score that arcwise gives to somebody's graph, so that all are judged alike."""
    from arcwise import networks
    from arcwise.errors import GraphError
    from arcwise.graph import Dag
    from arcwise.scores import BDeu, total
    from benchmarks.contenders import ESS

    data = networks.load(case.network).sample(case.rows, case.seed)
    try:
        return total(BDeu(ess=ESS), Dag(data.names, arcs), data), len(arcs)
    except GraphError:  # a pattern whose arbitrary orientation closed a cycle
        return None, len(arcs)
