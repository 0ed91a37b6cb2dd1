"""Searches on random linear Gaussian networks whose columns have many neighbours, side by side."""

from __future__ import annotations

import multiprocessing as mp
import statistics
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

# columns, mean number of neighbours, rows
CASES = ((30, 6, 1_000), (60, 8, 1_000), (60, 12, 5_000), (100, 10, 5_000), (200, 8, 5_000))
SEEDS = (1, 2, 3)
HALF = 0.5  # causal-learn's penalty for an arc in log(rows); half is the BIC, 2 its own default
SEARCHES = (
    "boss", "boss, no restarts", "boss, sparse prior", "ges", "hill-climb",
    "causal-learn, boss", "causal-learn, boss as it is",
)  # fmt: skip


def dense(limit: float = 300.0, contenders: Sequence[str] = SEARCHES) -> Iterator[str]:
    """Seconds, distance to the true class, score less that of the true network: medians; all judged by one BIC.

    A search that does not finish a data set in `limit` seconds is not tried on others.
    """
    given_up: set[str] = set()
    yield "| columns | neighbours | rows | search | seconds | boss is faster by | distances | score less the truth's |"
    yield "|---|---|---|---|---|---|---|---|"
    for case in CASES:
        base: float | None = None
        for name in (one for one in contenders if one not in given_up):
            found = []
            for seed in SEEDS:
                one = _measured(name, case, seed, limit)
                if one is None:
                    given_up.add(name)
                    break
                found.append(one)
            where = " | ".join(map(str, case))
            if name in given_up:
                yield f"| {where} | {name} | not finished in {limit:.0f} s |  |  |  |"
                continue
            seconds = statistics.median(one[0] for one in found)
            base = seconds if base is None else base
            distances = ", ".join(str(one[1]) for one in found)
            gains = ", ".join(f"{one[2]:+.0f}" for one in found)
            yield f"| {where} | {name} | {seconds:.3f} | {seconds / base:.1f}x | {distances} | {gains} |"


def table(case: tuple[int, int, int], seed: int) -> tuple[Any, Any]:
    """(network, data), the columns shuffled and renamed."""
    from arcwise import networks

    columns, degree, rows = case
    dag = networks.random_dag(columns, seed=seed, expected_degree=degree)
    net = networks.random_gaussian_network(dag, seed=seed).shuffled(seed)[0]
    return net, net.sample(rows, seed)


def _measured(name: str, case: tuple[int, int, int], seed: int, limit: float) -> tuple[float, int, float] | None:
    context = mp.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(name, case, seed, sender), daemon=True)
    process.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(limit) else None  # type: ignore[no-any-return]
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def _run(name: str, case: tuple[int, int, int], seed: int, sender: Any) -> None:
    from arcwise import metrics
    from arcwise.graph import Dag
    from arcwise.scores import GaussianBIC, total

    net, data = table(case, seed)
    search = _causal_learn if name.startswith("causal-learn") else _arcwise
    for columns in (10, 100)[: 1 if search is _causal_learn else 2]:
        search(name, table((columns, 2, 100), 1)[1])  # imports and compilation; from 100 columns on threads share turns
    began = time.perf_counter()
    dag: Dag = search(name, data)
    seconds = time.perf_counter() - began
    score = GaussianBIC()
    gain = total(score, dag, data) - total(score, net.dag, data)
    sender.send((seconds, metrics.shd(net.dag, dag), gain))


def _arcwise(name: str, data: Any) -> Any:
    from arcwise.scores import GaussianBIC
    from arcwise.search import GES, Boss, HillClimb

    score = GaussianBIC()
    learner: Any = {
        "boss": Boss(score=score),
        "boss, no restarts": Boss(score=score, restarts=0),
        "boss, sparse prior": Boss(score=GaussianBIC(arc_prior="sparse")),
        "ges": GES(score=score),
        "hill-climb": HillClimb(score=score),
    }[name]
    return learner.learn(data, rng=np.random.default_rng(0)).graph


def _causal_learn(name: str, data: Any) -> Any:
    import random

    from causallearn.search.PermutationBased.BOSS import boss

    from arcwise.graph import Pdag

    random.seed(0)
    values = np.column_stack([column.values for column in data.columns])
    parameters = None if name.endswith("as it is") else {"lambda_value": HALF}
    found = boss(values, score_func="local_score_BIC", parameters=parameters, verbose=False).graph
    names = data.names
    directed = [(names[i], names[j]) for i, j in np.argwhere((found == -1) & (found.T == 1)).tolist()]
    undirected = [(names[i], names[j]) for i, j in np.argwhere((found == -1) & (found.T == -1)).tolist() if i < j]
    return Pdag(names, directed=directed, undirected=undirected).extension()


def large() -> Iterator[str]:
    """Boss, sparse prior, no restarts: growth with the columns, and 1000 columns with twenty neighbours each.

    Weights are uniform on (-1, 1) and noise has variance 1, as in simulations of the publication's authors.
    """
    yield "| columns | neighbours | rows | seconds | distance | precision of adjacencies | recall |"
    yield "|---|---|---|---|---|---|---|"
    cases = [(columns, 4, 2_000) for columns in (50, 100, 200, 400, 800)] + [(1_000, 20, 10_000)]
    for case in cases:
        found = [_boss_with_prior(case, seed) for seed in SEEDS]
        middle = [statistics.median(one[i] for one in found) for i in range(4)]
        where = " | ".join(map(str, case))
        yield f"| {where} | {middle[0]:.2f} | {middle[1]:.0f} | {middle[2]:.4f} | {middle[3]:.4f} |"


def _boss_with_prior(case: tuple[int, int, int], seed: int) -> tuple[float, ...]:
    """(seconds, distance, precision, recall)."""
    from arcwise import metrics, networks
    from arcwise.scores import GaussianBIC
    from arcwise.search import Boss

    columns, degree, rows = case
    dag = networks.random_dag(columns, seed=seed, expected_degree=degree)
    made = networks.random_gaussian_network(dag, seed=seed, weights=(1e-6, 1.0), sds=(1.0, 1.0))
    net = made.shuffled(seed)[0]
    learner = Boss(score=GaussianBIC(arc_prior="sparse"), restarts=0)
    learner.learn(table((50, 4, 200), 1)[1], rng=np.random.default_rng(0))  # compilation
    data = net.sample(rows, seed)
    began = time.perf_counter()
    learned = learner.learn(data, rng=np.random.default_rng(0)).graph
    seconds = time.perf_counter() - began
    found, true = ({frozenset(edge) for edge in one.edges} for one in (learned, net.dag))
    right = len(found & true)
    return seconds, metrics.shd(net.dag, learned), right / len(found), right / len(true)
