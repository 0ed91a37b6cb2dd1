"""Tables of levels with missing cells: what draws find, beside ways to be rid of such cells, and other libraries."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.levels import SEEDS

NETWORKS = ("alarm", "child", "insurance")
METHODS = ("best", "boss", "steck", "ges", "mmhc")
SHARES = (0.1, 0.3)
ROWS = 5_000
WAYS = ("draws", "most frequent level", "a level of its own", "rows dropped")
CASES = [(0.0, ""), *((share, way) for share in SHARES for way in WAYS)]


@dataclass(frozen=True, slots=True)
class Found:
    """Distances to the true class, None where no row is left, and seconds, one for each table."""

    distances: tuple[int | None, ...]
    seconds: tuple[float, ...]


Answers = dict[tuple[str, str, float, str], Found]  # network, method, share, way


def with_holes(data: Any, share: float, seed: int) -> Any:
    """The table with this share of its cells missing completely at random."""
    gone = np.random.default_rng(seed).random((data.n_columns, data.n_rows)) < share
    columns = (replace(column, missing=mask) for column, mask in zip(data.columns, gone, strict=True))
    return replace(data, columns=tuple(columns))


def settled(data: Any, way: str) -> Any:
    """The table in which the cells are treated so; None where no row is left."""
    from arcwise.data.dataset import Column
    from arcwise.data.reading.door import as_dataset

    if way == "rows dropped":
        rows = data.complete_rows()
        return rows if rows.n_rows > 1 else None
    if way == "a level of its own":
        return as_dataset(data, missing="state")
    if way == "most frequent level":
        columns = []
        for column in data.columns:
            values = column.values.copy()
            if column.missing is not None:
                values[column.missing] = np.bincount(column.recorded).argmax()
            columns.append(Column(column.name, column.kind, values, column.levels, column.ordered))
        return replace(data, columns=tuple(columns))
    return data


def measured(network: str, method: str, share: float, way: str, rows: int = ROWS) -> Found:
    import arcwise
    from arcwise import metrics

    distances: list[int | None] = []
    seconds = []
    for seed in SEEDS:
        net = arcwise.networks.load(network).shuffled(seed)[0]
        data = net.sample(rows, seed)
        table = settled(with_holes(data, share, seed), way) if share else data
        if table is None:
            distances.append(None)
            continue
        began = time.perf_counter()
        result = arcwise.learn(table, method)
        seconds.append(time.perf_counter() - began)
        distances.append(metrics.shd(net.dag, result.graph))
    return Found(tuple(distances), tuple(seconds))


def missing(*, networks: Sequence[str] = NETWORKS, methods: Sequence[str] = METHODS) -> Iterator[str]:
    """Lines of two tables, of all networks and of each; then what other libraries make of such a table."""
    answers = {}
    for network in networks:
        measured(network, methods[0], SHARES[-1], WAYS[0], rows=500)  # kernels
        for method in methods:
            answers[network, method, 0.0, ""] = measured(network, method, 0.0, "")
            for share in SHARES:
                for way in WAYS:
                    answers[network, method, share, way] = measured(network, method, share, way)
    yield from ways(answers, networks, methods)
    yield ""
    yield from by_network(answers, networks, methods)
    yield ""
    yield from peers()


def ways(answers: Answers, networks: Sequence[str], methods: Sequence[str]) -> Iterator[str]:
    """What each way to treat missing cells comes to: mean distances over all networks."""
    heads = [f"{share:.0%}: {way}" for share in SHARES for way in WAYS]
    yield f"| method | none missing | {' | '.join(heads)} |"
    yield "|---" * (2 + len(heads)) + "|"
    for method in methods:
        cells = [
            _mean([one for network in networks for one in answers[network, method, share, way].distances])
            for share, way in CASES
        ]
        yield f"| {method} | {' | '.join(cells)} |"


def by_network(answers: Answers, networks: Sequence[str], methods: Sequence[str]) -> Iterator[str]:
    """Draws on each network: mean distance and median seconds with no cell missing, then with each share."""
    shares = [case for case in CASES if case[1] in ("", WAYS[0])]
    heads = [f"{network}, {share:.0%}" for network in networks for share, _ in shares]
    yield f"| method | {' | '.join(heads)} |"
    yield "|---" * (1 + len(heads)) + "|"
    for method in methods:
        found = [answers[network, method, *case] for network in networks for case in shares]
        cells = [f"{_mean(one.distances)} ({statistics.median(one.seconds):.2f} s)" for one in found]
        yield f"| {method} | {' | '.join(cells)} |"


def _mean(distances: Sequence[int | None]) -> str:
    there = [one for one in distances if one is not None]
    return f"{statistics.mean(there):.1f}" if len(there) == len(distances) else "no rows"


def peers() -> Iterator[str]:
    """What other libraries make of such a table: child, 1000 rows, 10 % of the cells missing, and none."""
    import arcwise
    from arcwise import metrics
    from arcwise.graph import Dag
    from benchmarks.contenders import arcwise as hill_climb
    from benchmarks.contenders import pgmpy, pyagrum

    net = arcwise.networks.load("child")
    data = net.sample(1_000, 1)
    contenders: dict[str, Callable[[Any], Any]] = {"arcwise": hill_climb, "pgmpy": pgmpy, "pyagrum": pyagrum}
    for name, learn in contenders.items():
        for what, some in (("no cell missing", data), ("10 % missing", with_holes(data, 0.1, 1))):
            try:
                edges = learn(some.to_pandas())
                distance = metrics.shd(net.dag, Dag(net.names, edges))
                yield f"{name}, {what}: {len(edges)} edges, distance {distance}"
            except Exception as error:  # what it says is the result
                yield f"{name}, {what}: {type(error).__name__}: {' '.join(str(error).split())[:300]}"


def sweeps() -> Iterator[str]:
    """Milliseconds for one draw of every missing cell of a table of Alarm's columns."""
    import arcwise
    from arcwise.stats.hidden import HiddenCells

    net = arcwise.networks.load("alarm")
    data = net.sample(ROWS, 1)
    yield "| rows | columns | missing | ms a sweep | million cells a second |"
    yield "|---|---|---|---|---|"
    for share in (0.1, 0.3, 1.0):
        hidden = np.random.default_rng(1).random((ROWS, data.n_columns)) < share
        cells = HiddenCells(data.codes().T, np.array(data.cardinalities), hidden)
        cells.follow(net.dag.adjacency)
        rng = np.random.default_rng(0)
        cells.sweep(1, rng)
        times = []
        for _ in range(20):
            began = time.perf_counter()
            cells.sweep(10, rng)
            times.append((time.perf_counter() - began) / 10)
        took = statistics.median(times)
        speed = hidden.sum() / took / 1e6
        yield f"| {ROWS:,} | {data.n_columns} | {share:.0%} | {1000 * took:.2f} | {speed:.0f} |"
