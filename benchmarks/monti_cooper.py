"""The experiment of Monti and Cooper: is it worth searching with the neural score instead of on discretized data?

A1 discretizes by equal frequency, searches the parents of a response with the K2 score, and then trains networks on
the original data. A2 searches with the neural score itself. Both are judged on rows that they have not seen.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

RUNS = 10  # random splits of a real data set
TEST_SHARE = 0.25
RESPONSES = {"cars1": "mpg", "abalone": "rings"}  # cars1 is Auto MPG
ORDERS = ("bic", "hold-out")
REAL_BINS = 3
ROWS = (300, 600, 900)
N_PARENTS = (1, 2, 3)
COMPONENTS = (3, 5, 7)
BINS = (2, 3)
TEST_ROWS = 1_000


@dataclass(frozen=True)
class Outcome:
    """What one algorithm found: parents of the response, errors on new rows, seconds for search and training."""

    parents: frozenset[str]
    mse: float
    log_score: float
    seconds: float


def real() -> Iterator[str]:
    """Auto MPG and abalone: the parents found, and what they are good for."""
    import arcwise

    yield f"{RUNS} random splits, {TEST_SHARE:.0%} of the rows to test on; columns standardized; A1: {REAL_BINS} bins\n"
    yield "| data | order by | A1: parents | A2: parents | A1 has, A2 not | A2 has, A1 not |" + _HEAD
    yield "|---" * (6 + _HEAD.count("|")) + "|"
    for name, response in RESPONSES.items():
        data = standardized(arcwise.datasets.load(name))
        for order in ORDERS:
            first, second = [], []
            for seed in range(RUNS):
                train, test = _split(data, seed)
                first.append(a1(train, test, response, REAL_BINS, order))
                second.append(a2(train, test, response, order))
            pairs = list(zip(first, second, strict=True))
            counts = (
                [len(one.parents) for one in first],
                [len(two.parents) for two in second],
                [len(one.parents - two.parents) for one, two in pairs],
                [len(two.parents - one.parents) for one, two in pairs],
            )
            yield f"| {name} | {order} | " + " | ".join(map(_spread, counts)) + _judged(first, second)


def simulated() -> Iterator[str]:
    """Mixtures of linear models whose true parents are known; one network for each setting."""
    from arcwise.networks import random_mixture_network

    settings = [(p, k, bins) for p in N_PARENTS for k in COMPONENTS for bins in BINS]
    yield (
        f"{len(settings)} networks of 12 variables for each number of rows: {N_PARENTS} parents, mixtures of "
        f"{COMPONENTS}, {BINS} bins in A1; order by bic; {TEST_ROWS} test rows; standardized. Truth: the errors "
        "of the true model.\n"
    )
    yield "| rows | A1: added | omitted | A2: added | omitted | truth: MSE | LS |" + _HEAD
    yield "|---" * (7 + _HEAD.count("|")) + "|"
    for rows in ROWS:
        first, second, truth = [], [], []
        added: list[list[int]] = [[], []]
        omitted: list[list[int]] = [[], []]
        for seed, (n_parents, components, bins) in enumerate(settings):
            net = random_mixture_network(n_parents, components, seed=100 + seed)
            raw = net.sample(rows + TEST_ROWS, seed)
            data = standardized(raw)
            train, test = _rows(data, np.arange(rows)), _rows(data, np.arange(rows, rows + TEST_ROWS))
            first.append(a1(train, test, net.response, bins, "bic"))
            second.append(a2(train, test, net.response, "bic"))
            true = frozenset(net.dag.parents(net.response))
            for at, outcome in enumerate((first[-1], second[-1])):
                added[at].append(len(outcome.parents - true))
                omitted[at].append(len(true - outcome.parents))
            truth.append(_errors_of_truth(net, _rows(raw, np.arange(rows, rows + TEST_ROWS)), raw))
        shown = [_spread(counts) for at in (0, 1) for counts in (added[at], omitted[at])]
        best = [f"{statistics.mean(column):.3f}" for column in zip(*truth, strict=True)]
        tests = f"; Wilcoxon, added {_wilcoxon(*added)}, omitted {_wilcoxon(*omitted)}"
        yield f"| {rows} | " + " | ".join([*shown, *best]) + _judged(first, second)[:-2] + f"{tests} |"


_HEAD = " A1: MSE | A2: MSE | Welch | A1: LS a row | A2: LS a row | Welch | time A2 / A1 |"


def a1(train: Any, test: Any, response: str, bins: int, order: Any) -> Outcome:
    """Discretize, search with K2, then train."""
    from arcwise.discretize import EqualFrequency
    from arcwise.learners import TwoStage
    from arcwise.scores import K2
    from arcwise.search import K2Search

    search = K2Search(score=K2(), response=response)
    return _judge(TwoStage(discretizer=EqualFrequency(bins=bins), search=search), train, test, response, order)


def a2(train: Any, test: Any, response: str, order: Any) -> Outcome:
    """Search with the neural score, then train."""
    from arcwise.scores import NeuralPrequential
    from arcwise.search import K2Search

    return _judge(K2Search(score=NeuralPrequential(order=order), response=response), train, test, response, order)


def _judge(learner: Any, train: Any, test: Any, response: str, order: Any) -> Outcome:
    from arcwise.graph import Dag
    from arcwise.networks.models.fit import fit

    began = time.perf_counter()
    graph = learner.learn(train, rng=np.random.default_rng(0)).graph
    parents = graph.parents(response)
    # Only the response is predicted, so only its network is trained on its parents.
    net = fit(Dag([*parents, response], [(parent, response) for parent in parents]), train, "neural", order=order)
    seconds = time.perf_counter() - began
    log_score = net.log_score(response, test) / test.n_rows
    return Outcome(frozenset(parents), net.mean_squared_error(response, test), log_score, seconds)


def standardized(data: Any) -> Any:
    from arcwise.data.dataset import Column, Dataset, Kind

    def scaled(column: Any) -> Any:
        if column.kind is Kind.DISCRETE:
            return column
        return Column(column.name, column.kind, (column.values - column.values.mean()) / column.values.std())

    return Dataset(tuple(scaled(column) for column in data.columns))


def _split(data: Any, seed: int) -> tuple[Any, Any]:
    order = np.random.default_rng(seed).permutation(data.n_rows)
    n_test = round(TEST_SHARE * data.n_rows)
    return _rows(data, order[n_test:]), _rows(data, order[:n_test])


def _rows(data: Any, rows: Any) -> Any:
    from arcwise.data.dataset import Column, Dataset

    return Dataset(tuple(Column(c.name, c.kind, c.values[rows], c.levels, c.ordered) for c in data.columns))


def _errors_of_truth(net: Any, test: Any, raw: Any) -> tuple[float, float]:
    """(mean squared error, log score a row) of the true conditional density, in standardized units."""
    scale = raw.column(net.response).values.std()
    residuals = test.column(net.response).values - net.conditional_mean(test)
    return float(np.mean((residuals / scale) ** 2)), float(-np.mean(net.log_density(test) + np.log(scale)))


def _spread(counts: Sequence[int]) -> str:
    """(least, median, most)"""
    return f"({min(counts)}, {statistics.median(counts):g}, {max(counts)})"


def _judged(first: Sequence[Outcome], second: Sequence[Outcome]) -> str:
    from scipy.stats import ttest_ind

    cells = []
    for what in ("mse", "log_score"):
        one, two = ([getattr(outcome, what) for outcome in outcomes] for outcomes in (first, second))
        cells += [f"{np.mean(own):.3f} ± {np.std(own, ddof=1):.3f}" for own in (one, two)]
        cells.append(f"p = {ttest_ind(one, two, equal_var=False).pvalue:.2f}")
    ratio = statistics.median(two.seconds / one.seconds for one, two in zip(first, second, strict=True))
    return " | " + " | ".join([*cells, f"{ratio:.1f}"]) + " |"


def _wilcoxon(one: Sequence[int], two: Sequence[int]) -> str:
    from scipy.stats import wilcoxon

    if one == two:
        return "p = 1"
    return f"p = {wilcoxon(one, two).pvalue:.2f}"
