"""Methods for continuous data side by side: PC, Gaussian hill climbing, the kernel score, one recursive-median test."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.discretization import median_time, noisy

SEEDS = (1, 2, 3, 4, 5)
KERNEL_CASES = ((5, 100), (5, 200), (8, 200), (8, 400), (8, 800))  # columns and rows; the time is cubic in the rows
KERNEL_SECONDS = 600.0  # the largest case that the other library is expected to finish within this is tried last


def pc(network: str = "alarm", rows: int = 5_000) -> Iterator[str]:
    """PC with Fisher's Z, alpha .05: seconds and how far the skeletons agree with arcwise's."""
    from arcwise.constraint import PC
    from arcwise.independence import FisherZ

    yield "| rows | library | seconds | arcwise is faster by | edges | edges in one skeleton only |"
    yield "|---|---|---|---|---|---|"
    data = noisy(network, rows, 1)
    learner = PC(test=FisherZ(), alpha=0.05)
    ours = median_time(lambda: learner.learn(data, rng=np.random.default_rng(0)), 9)
    skeleton = {frozenset(pair) for pair in learner.learn(data, rng=np.random.default_rng(0)).cpdag.skeleton}
    yield f"| {rows} | arcwise | {ours:.4f} |  | {len(skeleton)} |  |"
    for name, function, repeats in (("pybnesian", _pybnesian_pc, 5), ("causal-learn", _causal_learn_pc, 2)):
        edges: list[Any] = []

        def run(function: Any = function, edges: list[Any] = edges) -> None:
            edges[:] = function(data)

        seconds = median_time(run, repeats)
        theirs = {frozenset(pair) for pair in edges}
        differ = len(theirs ^ skeleton)
        yield f"| {rows} | {name} | {seconds:.4f} | {seconds / ours:.1f}x | {len(theirs)} | {differ} |"


def gaussian(network: str = "alarm") -> Iterator[str]:
    """Hill climbing with BGe and Gaussian BIC, from a data frame; scores as arcwise computes them.

    All runs of arcwise come first: the other library leaves threads behind that slow down whatever follows it.
    """
    from arcwise.data.dataset import Dataset
    from arcwise.graph import Dag
    from arcwise.scores import BGe, GaussianBIC, total
    from arcwise.search import HillClimb

    scores: dict[str, Any] = {"bge": BGe(), "bic": GaussianBIC()}
    cases = [(rows, name) for rows in (500, 5_000) for name in scores]
    frames = {rows: [_frame(noisy(network, rows, seed)) for seed in SEEDS] for rows, _ in cases}

    def ours(frame: Any, name: str) -> list[tuple[str, str]]:
        data = Dataset.from_frame(frame, continuous=list(frame.columns))
        return HillClimb(score=scores[name]).learn(data, rng=np.random.default_rng(0)).graph.edges

    def theirs(frame: Any, name: str) -> list[tuple[str, str]]:
        import pybnesian as pbn

        return pbn.hc(frame, bn_type=pbn.GaussianNetworkType(), score=name).arcs()

    found: dict[tuple[str, int, str], tuple[float, float]] = {}
    for library, function, repeats in (("arcwise", ours, 7), ("pybnesian", theirs, 3)):
        for rows, name in cases:
            times, reached = [], []
            for frame in frames[rows]:
                times.append(median_time(lambda f=frame, n=name, run=function: run(f, n), repeats))
                data = Dataset.from_frame(frame, continuous=list(frame.columns))
                reached.append(total(scores[name], Dag(data.names, function(frame, name)), data))
            found[library, rows, name] = statistics.median(times), statistics.mean(reached)
    yield "| rows | score | arcwise | pybnesian | arcwise is faster by | mean score, arcwise | pybnesian |"
    yield "|---|---|---|---|---|---|---|"
    for rows, name in cases:
        (mine, my_score), (other, other_score) = found["arcwise", rows, name], found["pybnesian", rows, name]
        seconds = f"{mine:.4f} | {other:.4f} | {other / mine:.1f}x"
        yield f"| {rows} | {name} | {seconds} | {my_score:.1f} | {other_score:.1f} |"


def kernel(network: str = "alarm") -> Iterator[str]:
    """The kernel generalized variance beside equal-frequency bins, then beside causal-learn's kernel score."""
    import arcwise

    yield "| rows | columns | method | seconds | ratio |"
    yield "|---|---|---|---|---|"
    for rows in (5_000, 100_000):
        data = noisy(network, rows, 1)
        repeats = 5 if rows < 50_000 else 1
        base = median_time(lambda data=data: arcwise.learn(data, "equal-frequency"), repeats)
        ours = median_time(lambda data=data: arcwise.learn(data, "kgv"), repeats)
        yield f"| {rows} | {data.n_columns} | equal-frequency | {base:.4f} |  |"
        yield f"| {rows} | {data.n_columns} | kgv | {ours:.4f} | {ours / base:.1f} times equal-frequency |"
    last, growth = 0.0, 1.0
    for columns, rows in KERNEL_CASES:
        if last * growth > KERNEL_SECONDS:
            return
        data = noisy(network, rows, 1)
        data = data.select(data.names[:columns])
        ours = median_time(lambda data=data: arcwise.learn(data, "kgv"), 5)
        began = time.perf_counter()
        _causal_learn_kernel(data)
        previous, last = last, time.perf_counter() - began
        growth = last / previous if previous else 8.0
        yield f"| {rows} | {columns} | kgv | {ours:.4f} |  |"
        faster = f"arcwise is {last / ours:.0f}x faster"
        yield f"| {rows} | {columns} | causal-learn GES, kernel score | {last:.1f} | {faster} |"


def median_test(rows: int = 20_000) -> Iterator[str]:
    """One recursive-median test with one conditioning variable, and PC with it on abalone."""
    import arcwise
    from arcwise.independence import RecursiveMedian
    from arcwise.networks.margaritis import meander

    yield "| case | seconds |"
    yield "|---|---|"
    data = meander(rows, seed=1)
    bound = RecursiveMedian().bind(data)
    yield f"| one test, one conditioning column, {rows} rows | {median_time(lambda: bound.test(0, 1, [2]), 5):.4f} |"
    abalone = arcwise.datasets.load("abalone")
    table = abalone.select([name for name in abalone.names if name != "sex"])
    yield f"| PC on abalone | {median_time(lambda: arcwise.learn(table, 'pc-recursive-median'), 1):.2f} |"


def _frame(data: Any) -> Any:
    import pandas as pd

    return pd.DataFrame({column.name: column.values for column in data.columns})


def _pybnesian_pc(data: Any) -> list[tuple[str, str]]:
    import pybnesian as pbn

    graph = pbn.PC().estimate(pbn.LinearCorrelation(_frame(data)), alpha=0.05)
    return [*graph.arcs(), *graph.edges()]


def _causal_learn_pc(data: Any) -> list[tuple[str, str]]:
    from causallearn.search.ConstraintBased.PC import pc as search

    matrix = np.column_stack([column.values for column in data.columns])
    found = search(matrix, 0.05, "fisherz", stable=True, show_progress=False).G.graph
    pairs = np.argwhere(np.triu((found != 0) | (found.T != 0), 1))
    return [(data.names[i], data.names[j]) for i, j in pairs]


def _causal_learn_kernel(data: Any) -> Any:
    from causallearn.search.ScoreBased.GES import ges

    return ges(np.column_stack([column.values for column in data.columns]), "local_score_CV_general")
