"""Methods for continuous data side by side: PC, Gaussian hill climbing, the kernel score, one recursive-median test."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.discretization import median_time, noisy

SEEDS = (1, 2, 3, 4, 5)
SCORE_SEEDS = range(1, 25)  # ties decide which optimum is found, so scores need more data sets than times
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
    """Hill climbing and tabu search with BGe and Gaussian BIC, from a data frame; scores as arcwise computes them.

    All runs of arcwise come first: the other library leaves threads behind that slow down whatever follows it.
    """
    from arcwise.data.dataset import Dataset
    from arcwise.graph import Dag
    from arcwise.scores import BGe, GaussianBIC, total
    from arcwise.search import HillClimb, Tabu

    scores: dict[str, Any] = {"bge": BGe(), "bic": GaussianBIC()}
    cases = [(rows, name) for rows in (500, 5_000) for name in scores]
    frames = {rows: [_frame(noisy(network, rows, seed)) for seed in SCORE_SEEDS] for rows, _ in cases}

    def ours(search: Any) -> Callable[[Any, str], Any]:
        def run(frame: Any, name: str) -> Any:
            data = Dataset.from_frame(frame, continuous=list(frame.columns))
            return search(score=scores[name]).learn(data, rng=np.random.default_rng(0)).graph.edges

        return run

    def theirs(frame: Any, name: str) -> Any:
        import pybnesian as pbn

        return pbn.hc(frame, bn_type=pbn.GaussianNetworkType(), score=name).arcs()

    seconds: dict[tuple[str, int, str], float] = {}
    reached: dict[tuple[str, int, str], Any] = {}
    for library, function in (("hill-climb", ours(HillClimb)), ("tabu", ours(Tabu)), ("pybnesian", theirs)):
        for rows, name in cases:
            timed = frames[rows][: len(SEEDS)]
            times = [median_time(lambda f=f, n=name, run=function: run(f, n), 5) for f in timed]
            seconds[library, rows, name] = statistics.median(times)
            found = []
            for frame in frames[rows]:
                data = Dataset.from_frame(frame, continuous=list(frame.columns))
                found.append(total(scores[name], Dag(data.names, function(frame, name)), data))
            reached[library, rows, name] = np.array(found)
    yield "| rows | score | library | seconds | faster by | score less pybnesian's: mean, its error | higher in |"
    yield "|---|---|---|---|---|---|---|"
    for rows, name in cases:
        base, level = seconds["pybnesian", rows, name], reached["pybnesian", rows, name]
        yield f"| {rows} | {name} | pybnesian hc | {base:.4f} |  | (mean score {level.mean():.1f}) |  |"
        for library in ("hill-climb", "tabu"):
            time_taken, gain = seconds[library, rows, name], reached[library, rows, name] - level
            spread = gain.std(ddof=1) / np.sqrt(len(gain))
            higher = f"{np.count_nonzero(gain > 1e-6)} of {len(gain)}"
            shown = f"{time_taken:.4f} | {base / time_taken:.1f}x | {gain.mean():+.1f} ± {spread:.1f} | {higher}"
            yield f"| {rows} | {name} | arcwise {library} | {shown} |"


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
    from arcwise.networks.simulators import meander

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
