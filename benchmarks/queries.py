"""Questions to networks with known numbers, beside pyAgrum: all marginals given evidence; whole tables predicted."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

NETWORKS = ("alarm", "hailfinder", "barley")
EVIDENCE = 5  # nodes
QUESTIONS = 30
ROWS = 10_000
SPLITS = 20  # of the wines


def evidence_of(net: Any, seed: int) -> dict[str, str]:
    """Levels of random nodes that one sampled row has."""
    row, rng = net.sample(1, seed=seed), np.random.default_rng(seed)
    nodes = rng.choice(len(net.names), EVIDENCE, replace=False)
    return {net.names[i]: net.states[i][row.columns[i].values[0]] for i in nodes}


def marginals(*, networks: Sequence[str] = NETWORKS, questions: int = QUESTIONS) -> Iterator[str]:
    """Milliseconds for the marginals of all nodes given evidence on five, each question once."""
    import arcwise

    yield "| network | arcwise, ms: median | longest | one node, median | pyAgrum: median | longest | times as long |"
    yield "|---" * 7 + "|"
    for name in networks:
        net = arcwise.networks.load(name)
        given = [evidence_of(net, seed) for seed in range(1, questions + 1)]
        ours, theirs = _ours(net), _theirs(net)
        ours(given[0]), theirs(given[0])  # what is loaded and prepared once
        mine = [_seconds(ours, one) for one in given]
        single = [_seconds(_one_node(net), one) for one in given]
        other = [_seconds(theirs, one) for one in given]
        ratio = statistics.median(mine) / statistics.median(other)
        figures = (statistics.median(mine), max(mine), statistics.median(single), statistics.median(other), max(other))
        yield f"| {name} | {' | '.join(f'{1000 * one:.1f}' for one in figures)} | {ratio:.2f} |"


def _seconds(ask: Callable[[dict[str, str]], object], given: dict[str, str]) -> float:
    began = time.perf_counter()
    ask(given)
    return time.perf_counter() - began


def _ours(net: Any) -> Callable[[dict[str, str]], object]:
    return lambda given: net.query([name for name in net.names if name not in given], given)


def _one_node(net: Any) -> Callable[[dict[str, str]], object]:
    return lambda given: net.query(next(name for name in net.names if name not in given), given)


def _theirs(net: Any) -> Callable[[dict[str, str]], object]:
    import pyagrum as gum

    from arcwise.networks import to_pyagrum

    lazy = gum.LazyPropagation(to_pyagrum(net))

    def ask(given: dict[str, str]) -> object:
        lazy.setEvidence(given)
        lazy.makeInference()
        return [lazy.posterior(name).toarray() for name in net.names if name not in given]

    return ask


def predictions(*, rows: int = ROWS) -> Iterator[str]:
    """Seconds to predict one column of Alarm in all rows: complete rows, 30 % of the cells missing, few columns."""
    import arcwise
    from benchmarks.missing import with_holes

    net = arcwise.networks.load("alarm")
    data = net.sample(rows, seed=1)
    few = data.select(["BP", "HRBP", "CVP", "SAO2", "EXPCO2"])
    tables = {"complete": data, "30 % of the cells missing": with_holes(data, 0.3, 1), "5 columns only": few}
    yield "| rows | table | median seconds of a column | longest |"
    yield "|---" * 4 + "|"
    for what, table in tables.items():
        net.predict("CVP", table)  # kernels
        times = []
        for name in net.names:
            began = time.perf_counter()
            net.predict(name, table)
            times.append(time.perf_counter() - began)
        yield f"| {rows:,} | {what} | {statistics.median(times):.3f} | {max(times):.3f} |"


def wine(*, splits: int = SPLITS) -> Iterator[str]:
    """Classes of wine predicted from all evidence: 89 rows to learn from, 89 others to judge."""
    right = wine_accuracies(splits)
    yield f"right: {np.mean(right):.1%} on average over {splits} splits, from {min(right):.1%} to {max(right):.1%}"


def wine_accuracies(splits: int) -> list[float]:
    from sklearn.datasets import load_wine

    import arcwise

    table = load_wine(as_frame=True).frame.rename(columns={"target": "class"}).astype({"class": "category"})
    found = []
    for seed in range(splits):
        order = np.random.default_rng(seed).permutation(len(table))
        train, test = table.iloc[order[:89]], table.iloc[order[89:]]
        found.append(arcwise.learn(train).fit(train).predict("class", test).accuracy())
    return found
