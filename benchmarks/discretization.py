"""Discretization while learning beside equal-frequency bins; growth of a threshold sweep; Hartemink's merging."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from math import inf
from typing import Any

import numpy as np

METHODS = ("equal-frequency", "hartemink", "friedman", "monti", "steck", "top-down")
EXACT = ("chen", "optimal")  # once, on the first data set
ROWS = (500, 5_000)
SEEDS = (1, 2, 3, 4, 5)
SWEEP_ROWS = (5_000, 20_000, 100_000)


def discretization(network: str = "alarm") -> Iterator[str]:
    """Lines of a table: medians over seeds of the median of three warm runs, and ratios within the same seed."""
    import arcwise

    yield "| rows | method | seconds | times equal-frequency (lowest to highest over five data sets) |"
    yield "|---|---|---|---|"
    for rows in ROWS:
        tables = [noisy(network, rows, seed) for seed in SEEDS]
        base: list[float] = []
        for method in METHODS:
            runs = [median_time(lambda data=data, method=method: arcwise.learn(data, method)) for data in tables]
            base = base or runs
            ratios = sorted(run / first for run, first in zip(runs, base, strict=True))
            spread = f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})"
            yield f"| {rows} | {method} | {statistics.median(runs):.4f} | {spread} |"
        for method in EXACT:
            arcwise.learn(noisy(network, 100, 1), method)  # compiled from here on
            began = time.perf_counter()
            arcwise.learn(tables[0], method)
            seconds = time.perf_counter() - began
            yield f"| {rows} | {method} | {seconds:.4f} | {seconds / base[0]:.0f}, one run |"


def sweeps(network: str = "alarm") -> Iterator[str]:
    """One sweep over every column, all possible cuts of the uncut column, given the true network."""
    from arcwise._kernels.thresholds.sweep import Parts, next_cut
    from arcwise.discretize import EqualFrequency, Steck
    from arcwise.discretize.loop.learn_policy import WorkingTable
    from arcwise.discretize.thresholds.grow import StepTables
    from arcwise.discretize.thresholds.neighbourhood import Family

    yield "| rows | seconds for one sweep of all columns | times the first |"
    yield "|---|---|---|"
    first = None
    for rows in SWEEP_ROWS:
        data = noisy(network, rows, 1)
        true, _ = load(network, 1)
        columns = data.by_name()
        table = WorkingTable(columns, EqualFrequency().fit(columns))
        adj = true.dag.reordered(columns.names).adjacency
        parents = [adj[:, i].nonzero()[0].tolist() for i in range(len(adj))]
        around = []
        for i in range(len(adj)):
            children = adj[i].nonzero()[0].tolist()
            families = [Family(c, tuple(p for p in parents[c] if p != i)) for c in children]
            around.append(table.around(i, parents[i], families))
        score, tables = Steck().local(1.0), StepTables(rows)
        calls = []
        for place in around:
            slots = tables.slots(score.pseudo_counts(place, 2))
            signs = np.append(place.signs[:-1], score.level_sign)
            calls.append((place.values, Parts(place.codes, place.sizes, signs, slots, tables.steps, tables.pseudo)))
        gains, density = np.empty(rows), np.zeros((rows, 1))  # room to work in
        whole = np.array([0, rows], dtype=np.intp)

        def all_columns(calls: Any = calls, room: Any = (whole, gains, density)) -> None:
            whole, gains, density = room
            for values, parts in calls:
                next_cut(parts, values, whole, 0, 1, False, inf, 0.0, gains, density)

        seconds = median_time(all_columns, 9)
        first = first or seconds
        yield f"| {rows} | {seconds:.4f} | {seconds / first:.1f} |"


def merging(network: str = "alarm", rows: int = 5_000) -> Iterator[str]:
    """Hartemink's discretizer, one value a level and from bins."""
    from arcwise.discretize import Hartemink

    data = noisy(network, rows, 1)
    yield "| rows | columns | start | seconds |"
    yield "|---|---|---|---|"
    for initial in (20, 50, None):
        seconds = median_time(
            lambda initial=initial: Hartemink(initial_bins=initial).fit(data), repeats=1 if initial is None else 3
        )
        start = "every value a level" if initial is None else f"{initial} bins"
        yield f"| {rows} | {data.n_columns} | {start} | {seconds:.3f} |"


def load(network: str, seed: int) -> Any:
    from arcwise import networks

    return networks.load(network).shuffled(seed)


def noisy(network: str, rows: int, seed: int) -> Any:
    from arcwise import networks

    return networks.add_noise(load(network, seed)[0].sample(rows, seed), seed=seed)


def median_time(function: Callable[[], Any], repeats: int = 3) -> float:
    function()  # compiled from here on
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        function()
        times.append(time.perf_counter() - began)
    return statistics.median(times)
