"""Polynomial and hybrid learners: PMMHC beside MMHC on twelve networks, large networks, growth with the nodes."""

from __future__ import annotations

import multiprocessing as mp
import resource
import statistics
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

NETWORKS = (
    "child", "insurance", "mildew", "alarm", "barley", "hailfinder",
    "child3", "insurance3", "child5", "alarm3", "hailfinder3", "alarm5",
)  # fmt: skip
ROWS = (500, 1_000, 5_000)
SEEDS = (1, 2, 3)
REPEATS = 21
TILES = (1, 3, 5, 10, 20)


def polynomial() -> Iterator[str]:
    """PMMHC and MMHC: seconds and tests, the medians over three data sets, and the medians over the networks.

    The two take turns on each data set, so that what else the machine does falls on both; the median of runs counts.
    """
    import arcwise

    yield "| network | nodes | rows | mmhc, s | pmmhc, s | ratio | mmhc, tests | pmmhc, tests |"
    yield "|---|---|---|---|---|---|---|---|"
    for rows in ROWS:
        seconds: dict[str, list[float]] = {"mmhc": [], "pmmhc": []}
        tests: dict[str, list[float]] = {"mmhc": [], "pmmhc": []}
        ratios = []
        for network in NETWORKS:
            tables = [sample(network, rows, seed) for seed in SEEDS]
            asked = {m: [arcwise.learn(table, m).counters.tests for table in tables] for m in seconds}  # and compiled
            runs = [_in_turn(table, tuple(seconds)) for table in tables]
            for at, method in enumerate(seconds):
                seconds[method].append(statistics.median(run[at] for run in runs))
                tests[method].append(statistics.median(asked[method]))
            ratios.append(statistics.median(run[0] / run[1] for run in runs))
            shown = f"{seconds['mmhc'][-1]:.4f} | {seconds['pmmhc'][-1]:.4f} | {ratios[-1]:.2f}"
            counts = f"{tests['mmhc'][-1]:,.0f} | {tests['pmmhc'][-1]:,.0f}"
            yield f"| {network} | {tables[0].n_columns} | {rows} | {shown} | {counts} |"
        medians = " | ".join(f"{statistics.median(times):.4f}" for times in seconds.values())
        counts = " | ".join(f"{statistics.median(numbers):,.0f}" for numbers in tests.values())
        yield f"| **median** |  | {rows} | {medians} | {statistics.median(ratios):.3f} | {counts} |"


def _in_turn(table: Any, methods: Sequence[str]) -> list[float]:
    """Median seconds of each method."""
    import arcwise

    times: list[list[float]] = [[] for _ in methods]
    for _ in range(REPEATS):
        for method, own in zip(methods, times, strict=True):
            began = time.perf_counter()
            arcwise.learn(table, method)
            own.append(time.perf_counter() - began)
    return [statistics.median(own) for own in times]


def scale() -> Iterator[str]:
    """PMMHC on Alarm tiled five times and on a random sparse network of a thousand nodes, each in a fresh process."""
    yield "| network | nodes | rows | seconds, first run | seconds, second run | peak memory, MB | edges | tests |"
    yield "|---|---|---|---|---|---|---|---|"
    for network, rows in (("alarm5", 5_000), ("random", 1_000)):
        context = mp.get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_learn_large, args=(network, rows, sender))
        process.start()
        yield receiver.recv()
        process.join()


def _learn_large(network: str, rows: int, sender: Any) -> None:
    import arcwise
    from arcwise import networks

    if network == "random":
        dag = networks.random_dag(1_000, seed=1, n_edges=1_250, max_parents=4)
        net = networks.random_discrete_network(dag, seed=1)
    else:
        net = networks.load(network)
    data = net.shuffled(1)[0].sample(rows, 1)
    times = []
    for _ in range(2):
        began = time.perf_counter()
        result = arcwise.learn(data, "pmmhc")
        times.append(time.perf_counter() - began)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    shown = f"{times[0]:.2f} | {times[1]:.2f} | {memory:.0f} | {result.cpdag.n_edges} | {result.counters.tests:,}"
    sender.send(f"| {network} | {data.n_columns} | {rows} | {shown} |")


def tiles(rows: int = 1_000) -> Iterator[str]:
    """Time of PMMS against the number of nodes on tiled Alarm, and the exponent of the growth."""
    import arcwise
    from arcwise import networks

    yield "| tiles | nodes | seconds | tests |"
    yield "|---|---|---|---|"
    alarm = networks.load("alarm")
    nodes, seconds = [], []
    for copies in TILES:
        net = networks.tile(alarm, copies, seed=1)
        data = net.shuffled(1)[0].sample(rows, 1)
        result = arcwise.learn(data, "pmms")
        times = []
        for _ in range(3):
            began = time.perf_counter()
            arcwise.learn(data, "pmms")
            times.append(time.perf_counter() - began)
        nodes.append(data.n_columns)
        seconds.append(statistics.median(times))
        yield f"| {copies} | {data.n_columns} | {seconds[-1]:.4f} | {result.counters.tests:,} |"
    exponent = np.polyfit(np.log(nodes), np.log(seconds), 1)[0]
    last = np.log(seconds[-1] / seconds[-2]) / np.log(nodes[-1] / nodes[-2])
    yield f"\nseconds ~ nodes^{exponent:.2f} over all, nodes^{last:.2f} over the last step"


def sample(network: str, rows: int, seed: int) -> Any:
    from arcwise import networks

    return networks.load(network).shuffled(seed)[0].sample(rows, seed)
