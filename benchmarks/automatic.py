"""`auto` beside single methods: density of rows that nobody has learned from, and distance where the truth is known.

Simulated tables of every kind, and the real ones. What is foretold are other rows than all those that a method, `auto`
included, was given.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

SEEDS = (704, 705, 706)  # tables that nothing was chosen by
TRAIN, TEST = 1_000, 1_000
METHODS = (
    "gaussian", "steck", "monti-orders", "kgv", "hidden-states", "monti", "equal-frequency", "mmhc", "boss", "auto",
)  # fmt: skip
OUTER = 2  # folds of a real table, each foretold from the other


@dataclass(frozen=True)
class Simulated:
    """A table of TRAIN + TEST rows and the graph behind it."""

    data: Any
    dag: Any


def linear(n_edges: int) -> Callable[[int], Simulated]:
    def made(seed: int) -> Simulated:
        from arcwise import networks

        dag = networks.random_dag(16, n_edges=n_edges, seed=seed)
        net = networks.random_gaussian_network(dag, seed=seed).standardized()
        return Simulated(net.sample(TRAIN + TEST, seed), dag)

    return made


def noisy(name: str) -> Callable[[int], Simulated]:
    def made(seed: int) -> Simulated:
        from arcwise import networks

        net = networks.load(name).shuffled(seed)[0]
        return Simulated(networks.add_noise(net.sample(TRAIN + TEST, seed), sigma=0.35, seed=seed), net.dag)

    return made


def states(name: str) -> Callable[[int], Simulated]:
    def made(seed: int) -> Simulated:
        from arcwise import networks

        net = networks.load(name).shuffled(seed)[0]
        return Simulated(net.sample(TRAIN + TEST, seed), net.dag)

    return made


def thresholds(seed: int) -> Simulated:
    """Levels of a network, each value even within its level; levels are not equally wide."""
    from arcwise.data.dataset import Column, Kind

    found, rng = states("child")(seed), np.random.default_rng(seed)
    columns = []
    for column in found.data.columns:
        edges = np.concatenate([[0.0], np.cumsum(rng.uniform(0.5, 2.0, column.cardinality))])
        values = rng.uniform(edges[column.values], edges[column.values + 1])
        columns.append(Column(column.name, Kind.CONTINUOUS, values))
    return Simulated(replace(found.data, columns=tuple(columns)), found.dag)


def mixed(name: str) -> Callable[[int], Simulated]:
    """Every other column as noisy readings of its states."""

    def made(seed: int) -> Simulated:
        whole, read = states(name)(seed), noisy(name)(seed)
        columns = tuple(
            (a if i % 2 else b) for i, (a, b) in enumerate(zip(whole.data.columns, read.data.columns, strict=True))
        )
        return Simulated(replace(whole.data, columns=columns), whole.dag)

    return made


def bent(seed: int) -> Simulated:
    """Each column a sum of bent functions of its parents and normal noise."""
    from arcwise import networks
    from arcwise.data.reading.door import as_dataset

    shapes = (lambda x: 1.5 * np.sin(2 * x), lambda x: x**2 - 1, lambda x: 2 * np.tanh(2 * x), np.abs, lambda x: x)
    dag, rng = networks.random_dag(10, n_edges=11, seed=seed), np.random.default_rng(seed)
    made: dict[str, Any] = {}
    for name in dag.topological_order:
        parts = [shapes[rng.integers(len(shapes))](made[parent]) for parent in dag.parents(name)]
        total = sum(parts, np.zeros(TRAIN + TEST)) + rng.normal(0, 0.5 if parts else 1.0, TRAIN + TEST)
        made[name] = (total - total.mean()) / total.std()
    return Simulated(as_dataset({name: made[name] for name in dag.names}), dag)


KINDS: Mapping[str, Callable[[int], Simulated]] = {
    "linear, sparse": linear(16),
    "linear, dense": linear(48),
    "noisy states: alarm": noisy("alarm"),
    "noisy states: child": noisy("child"),
    "noisy states: insurance": noisy("insurance"),
    "noisy states: hailfinder": noisy("hailfinder"),
    "thresholds": thresholds,
    "mixed: child": mixed("child"),
    "mixed: insurance": mixed("insurance"),
    "bent": bent,
    "states: alarm": states("alarm"),
    "states: insurance": states("insurance"),
}


@dataclass(frozen=True)
class Found:
    """What one method made of one table: the density of each row, the distance, the seconds, what auto chose."""

    densities: Any
    distance: int | None
    seconds: float
    choice: str = ""


def found(train: Any, test: Any, method: str, dag: Any = None) -> Found | None:
    """None where the method cannot learn from the table."""
    import arcwise
    from arcwise import metrics
    from arcwise.judging.held_out import constant_columns, fitted

    began = time.perf_counter()
    try:
        learned = arcwise.learn(train, method)
        seconds = time.perf_counter() - began
        net = fitted(learned, train)
        densities = net.log_density(test)
        for name in constant_columns(train):
            densities = densities - net.log_density(test, name)
    except arcwise.ArcwiseError:
        return None
    distance = None if dag is None else metrics.shd(dag, learned.cpdag)
    return Found(densities, distance, seconds, learned.choice.winner.name if learned.choice else "")


def row(label: str, tables: Sequence[tuple[Any, Any, Any]], methods: Sequence[str]) -> str:
    """A line: nats a row behind the best method with the standard error by pairs; distance; auto's choices."""
    all_found = {method: [found(train, test, method, dag) for train, test, dag in tables] for method in methods}
    whole = {
        name: np.concatenate([one.densities for one in each]) for name, each in all_found.items() if None not in each
    }
    singles = [name for name in whole if name != "auto"]
    best = max(singles, key=lambda name: whole[name].mean())
    cells = []
    for name in methods:
        if name not in whole:
            cells.append("-")
            continue
        gaps = whole[name] - whole[best]
        error = gaps.std(ddof=1) / np.sqrt(len(gaps))
        distances = [one.distance for one in all_found[name]]
        shd = "" if None in distances else f"; {statistics.mean(distances):.1f}"
        cells.append(f"{gaps.mean():.2f} ± {error:.2f}{shd}" if name != best else f"**{whole[best].mean():.2f}**{shd}")
    chosen = [one.choice for one in all_found.get("auto", []) if one]
    seconds = statistics.mean(one.seconds for one in all_found.get("auto", []) if one) if chosen else 0.0
    return f"| {label} | {' | '.join(cells)} | {', '.join(dict.fromkeys(chosen))} | {seconds:.1f} |"


def head(methods: Sequence[str]) -> Iterator[str]:
    yield f"| table | {' | '.join(methods)} | auto chose | seconds of auto |"
    yield "|---" * (len(methods) + 3) + "|"


def simulated(methods: Sequence[str] = METHODS, seeds: Sequence[int] = SEEDS) -> Iterator[str]:
    """Held-out density (of the best; of others the difference), and mean distance to the true class."""
    yield from head(methods)
    for label, make in KINDS.items():
        tables = []
        for seed in seeds:
            one = make(seed)
            tables.append((one.data.take(slice(TRAIN)), one.data.take(slice(TRAIN, TRAIN + TEST)), one.dag))
        yield row(label, tables, methods)


def real(methods: Sequence[str] = METHODS) -> Iterator[str]:
    """The bundled tables, each half foretold from the other."""
    from arcwise import datasets

    yield from head(methods)
    for name in datasets.names():
        data = datasets.load(name)
        order = np.random.default_rng(SEEDS[0]).permutation(data.n_rows)
        halves = [data.take(np.sort(order[k::OUTER])) for k in range(OUTER)]
        yield row(name, [(halves[1], halves[0], None), (halves[0], halves[1], None)], methods)
