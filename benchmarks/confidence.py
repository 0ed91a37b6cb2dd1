"""Strengths by resampling: of the edges with a strength, how many are real, and is the averaged network a better one?

Both are measured on the same runs, a piece of work for each data set, method and way of resampling; with a store they
go on where they were ended.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

NETWORKS = ("alarm", "child", "hailfinder", "insurance")
ROWS = (500, 1_000, 5_000)
SEEDS = (1, 2)
TUNING = (101, 102)  # data sets on which defaults were chosen
RESAMPLES = 60
WAYS = ("rows", "half")
SIGMA = 0.35
# What the data are, and the methods that are for such data.
METHODS = {
    "noisy": ("steck", "equal-frequency"),
    "states": ("mmhc", "ges", "hill-climb"),
    "linear": ("gaussian",),
}
# Averaged networks: the way of resampling, the least share of an edge (0.5: the rule of Scutari and Nagarajan), and
# what its direction is taken from, see `Run.distance`.
VARIANTS = {
    "rows, .5": ("rows", 0.5, "classes"),
    "rows, .6": ("rows", 0.6, "classes"),
    "rows, .7": ("rows", 0.7, "classes"),
    "half, .5": ("half", 0.5, "classes"),
    "half, .6": ("half", 0.6, "classes"),
    "half, .7": ("half", 0.7, "classes"),
    "rows, .5, most": ("rows", 0.5, "most"),
    "rows, .5, DAGs": ("rows", 0.5, "dags"),
}
BINS = 10
IMAGE = Path("docs/images/calibration.svg")
STORE = Path("benchmarks/results/confidence.jsonl")


def data_of(kind: str, network: str, rows: int, seed: int) -> tuple[Any, Any]:
    """A table and the graph that it was drawn from, under names in random order."""
    from arcwise import networks

    net = networks.load(network).shuffled(seed)[0]
    if kind == "linear":
        net = networks.random_gaussian_network(net.dag, seed=seed, weights=(0.2, 0.8))
        return net.sample(rows, seed), net.dag
    table = net.sample(rows, seed)
    return (networks.add_noise(table, sigma=SIGMA, seed=seed) if kind == "noisy" else table), net.dag


def measured(shared: None, task: dict[str, Any], monitor: Any) -> dict[str, Any]:
    """One data set, method and way: the distance of the single network, and the shares of all pairs that any has."""
    import arcwise
    from arcwise import metrics

    table, true = data_of(task["kind"], task["network"], task["rows"], task["seed"])
    single = arcwise.learn(table, task["method"])
    shares, dags = strengths_and_dags(table, task["method"], task["way"], task["resamples"])
    pairs = np.argwhere(np.triu(shares.adjacent)).tolist()
    matrices = shares.adjacent, shares.directed, shares.directed.T, dags, dags.T
    return {
        "names": list(shares.names),
        "true": [list(edge) for edge in true.edges],
        "single": metrics.shd(true, single.dag(), convention="tsamardinos"),
        "pairs": [[i, j, *(float(matrix[i, j]) for matrix in matrices)] for i, j in pairs],
    }


def strengths_and_dags(table: Any, method: str, way: str, resamples: int) -> tuple[Any, Any]:
    """As `arcwise.bootstrap`, and also the shares of the DAGs that were found, whose conventions count."""
    from arcwise import catalog
    from arcwise.confidence.effort import hasty
    from arcwise.confidence.sampling import bootstrapped, halved
    from arcwise.data.row_order import distinct_rows
    from arcwise.networks.streams import stream
    from arcwise.problem import Problem
    from arcwise.results.strengths import Strengths

    rows, learner = distinct_rows(table.by_name()), hasty(catalog.method(method).learner)
    patterns, dags = [], []
    for k in range(resamples):
        rng = stream(0, f"resample {way}", k)
        problem = Problem.of((bootstrapped if way == "rows" else halved)(rows, rng), rng=rng)
        answer = learner.solve(problem)
        patterns.append(problem.pattern(answer))
        dags.append(answer.graph.adjacency)
    return Strengths.of(patterns), np.mean(dags, axis=0)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What came of one data set, method and way. directed: by classes; dags: by the DAGs that were found."""

    task: dict[str, Any]
    single: float
    true: Any
    adjacent: Any
    directed: Any
    dags: Any

    @staticmethod
    def of(task: dict[str, Any], content: dict[str, Any]) -> Run:
        from arcwise import Dag

        names = content["names"]
        adjacent, directed, dags = np.zeros((3, len(names), len(names)))
        for i, j, share, *directions in content["pairs"]:
            adjacent[i, j] = adjacent[j, i] = share
            directed[i, j], directed[j, i], dags[i, j], dags[j, i] = directions
        return Run(task, content["single"], Dag(names, content["true"]), adjacent, directed, dags)

    def distance(self, least: float, how: str) -> float:
        """Of the averaged network, its directions as `Strengths.network` has them: by the "classes" that point an edge;
        only where "most" of all classes do, the others left open; or by DAGs, whose conventions then count."""
        from arcwise import metrics
        from arcwise.parts.knowledge import NONE
        from arcwise.results.averaging import averaged

        directed = self.dags if how == "dags" else self.directed
        if how == "most":
            either = self.adjacent - directed - directed.T
            directed = np.where(np.maximum(directed, directed.T) > either + 1e-12, directed, 0.0)
        average = averaged(self.true.names, self.adjacent, directed, least, NONE)
        return metrics.shd(self.true, average, convention="tsamardinos")

    def pairs(self) -> list[tuple[float, bool]]:
        """The share of each pair that any graph joins, and whether it is joined in the true one."""
        real = self.true.adjacency | self.true.adjacency.T
        return [(float(self.adjacent[i, j]), bool(real[i, j])) for i, j in np.argwhere(np.triu(self.adjacent))]


def confidence(
    *,
    networks: Sequence[str] = NETWORKS,
    rows: Sequence[int] = ROWS,
    methods: Sequence[str] | None = None,
    seeds: Sequence[int] = SEEDS,
    resamples: int = RESAMPLES,
    workers: int | None = None,
    store: Path | None = STORE,
    image: Path | None = IMAGE,
) -> Iterator[str]:
    """Lines of two tables: distances of averaged networks, and of edges with a share how many are real; the picture."""
    from arcwise.running import Store, run

    cases = [
        (kind, method)
        for kind, all_of_them in METHODS.items()
        for method in all_of_them
        if methods is None or method in methods
    ]
    tasks = {
        f"{kind} {method} {network} {n} {seed} {way}": {
            "kind": kind,
            "method": method,
            "network": network,
            "rows": n,
            "seed": seed,
            "way": way,
            "resamples": resamples if n < 5_000 else max(resamples // 2, 1),
        }
        for n in rows
        for kind, method in cases
        for network in networks
        for seed in seeds
        for way in WAYS
    }
    if store is not None:
        store.parent.mkdir(parents=True, exist_ok=True)
    kept = None if store is None else Store(store, {"work": "confidence", "resamples": resamples})
    finished = run(measured, None, tasks, workers=workers, store=kept)
    for key, why in finished.failures.items():
        yield f"{key} failed: {why}"
    found = [Run.of(task, finished.results[key]) for key, task in tasks.items() if key in finished.results]
    yield from distances(found, rows, cases)
    yield ""
    yield from calibration(found, cases)
    if image is not None:
        draw(found, cases, image)


def draw(found: Sequence[Run], cases: Sequence[tuple[str, str]], image: Path) -> None:
    from arcwise.drawing.calibration import draw_calibration

    words = {"rows": "rows drawn with replacement", "half": "half of the rows"}
    plots = {
        f"{method}, {kind}": {words[way]: _bins(found, method, way) for way in WAYS}
        for kind, method in cases
        if _those(found, method, WAYS[0])
    }
    draw_calibration(image, plots, "share of the resamples that join two columns", "how many of these are real edges")


def distances(found: Sequence[Run], rows: Sequence[int], cases: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Mean distances over networks and data sets: the single network, then averaged ones."""
    yield f"| data, method | rows | single | {' | '.join(VARIANTS)} |"
    yield "|---" * (3 + len(VARIANTS)) + "|"
    for kind, method in cases:
        for n in rows:
            ways = {way: _those(found, method, way, n) for way in WAYS}
            if all(ways.values()):
                single = statistics.mean(one.single for one in ways["rows"])
                means = (
                    statistics.mean(one.distance(least, how) for one in ways[way])
                    for way, least, how in VARIANTS.values()
                )
                yield f"| {kind}, {method} | {n:,} | {single:.1f} | {' | '.join(f'{mean:.1f}' for mean in means)} |"


def _those(found: Sequence[Run], method: str, way: str, rows: int | None = None) -> list[Run]:
    return [
        one
        for one in found
        if (one.task["method"], one.task["way"]) == (method, way) and rows in (None, one.task["rows"])
    ]


def calibration(found: Sequence[Run], cases: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Of the pairs with a share in each tenth, the share that is joined in the true network, and how many pairs."""
    heads = [f"{k / BINS:.1f} to {(k + 1) / BINS:.1f}" for k in range(BINS)]
    yield f"| data, method | resampled | {' | '.join(heads)} |"
    yield "|---" * (2 + BINS) + "|"
    for kind, method in cases:
        for way in WAYS:
            cells = [f"{real:.2f} ({pairs})" if pairs else "none" for _, real, pairs in _bins(found, method, way)]
            if any(cell != "none" for cell in cells):
                yield f"| {kind}, {method} | {way} | {' | '.join(cells)} |"


def _bins(found: Sequence[Run], method: str, way: str) -> list[tuple[float, float, int]]:
    """Mean share, share of real ones, and number, of the pairs in each tenth."""
    pairs = np.array([pair for one in _those(found, method, way) for pair in one.pairs()]).reshape(-1, 2)
    places = np.minimum((pairs[:, 0] * BINS + 1e-9).astype(int), BINS - 1)
    groups = (pairs[places == k] for k in range(BINS))
    return [(*map(float, some.mean(axis=0)), len(some)) if len(some) else (0.0, 0.0, 0) for some in groups]
