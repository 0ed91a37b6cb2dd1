"""Held-out density as a judge: does it pick the family that the data are from, and what does it say of real data?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset

METHODS = ("gaussian", "steck", "hidden-states", "kgv", "neural")
ROWS = (500, 1_000)
SEEDS = (4, 5, 6)  # tables that nothing was chosen by
TESTED = 1_000
WITHIN = ("even", "histogram", "kernel")


def families(
    methods: tuple[str, ...] = METHODS, rows: tuple[int, ...] = ROWS, seeds: tuple[int, ...] = SEEDS
) -> Iterator[str]:
    """Mean log density of new rows, nats a row, and the difference from the family that the data are from.

    Differences are of the same rows, over all seeds; the standard error is of their mean.
    """
    yield "| data | rows | " + " | ".join(methods) + " |"
    yield "|---" * (2 + len(methods)) + "|"
    for kind, (make, right) in KINDS.items():
        for n in rows:
            found = {method: [] for method in methods}
            for seed in seeds:
                data = make(n + TESTED, seed)
                train, test = data.take(slice(0, n)), data.take(slice(n, n + TESTED))
                for method in methods:
                    found[method].append(judged(train, test, method)[0])
            best = np.concatenate(found[right])
            cells = []
            for method in methods:
                own = np.concatenate(found[method])
                away = own - best
                error = away.std() / np.sqrt(len(away))
                cells.append(f"**{own.mean():.3f}**" if method == right else f"{away.mean():+.3f} ± {error:.3f}")
            yield f"| {kind} | {n:,} | " + " | ".join(cells) + " |"


def real(methods: tuple[str, ...] = METHODS) -> Iterator[str]:
    """Mean log density of the half that was not learned from, both ways, on the bundled data; seconds of all."""
    import arcwise

    columns = [(method, {}) for method in methods if method != "steck"]
    columns += [("steck", {"within": within}) for within in WITHIN if "steck" in methods]
    titles = [f"{method}, {options['within']}" if options else method for method, options in columns]
    yield "| data | " + " | ".join(titles) + " |"
    yield "|---" * (1 + len(columns)) + "|"
    for name in arcwise.datasets.names():
        data = arcwise.datasets.load(name)
        order = np.random.default_rng(0).permutation(data.n_rows)
        halves = data.take(order[::2]), data.take(order[1::2])
        cells = []
        for method, options in columns:
            try:
                parts = [judged(*pair, method, **options) for pair in (halves, halves[::-1])]
            except arcwise.ArcwiseError as error:
                cells.append(f"refused: {error}")
                continue
            own = np.concatenate([densities for densities, _ in parts])
            seconds = sum(took for _, took in parts)
            cells.append(f"{own.mean():.2f} ± {own.std() / np.sqrt(len(own)):.2f} ({seconds:.1f} s)")
        yield f"| {name} | " + " | ".join(cells) + " |"


def judged(train: Dataset, test: Dataset, method: str, **options: Any) -> tuple[np.ndarray, float]:
    """(log density of each new row, seconds)."""
    import arcwise

    began = time.perf_counter()
    result = arcwise.learn(train, method)
    densities = result.fit(train, **options).log_density(test)
    return densities, time.perf_counter() - began


def _linear(n: int, seed: int) -> Dataset:
    from arcwise import networks

    return networks.random_gaussian_network(networks.random_dag(10, seed=seed, n_edges=15), seed=seed).sample(n, seed)


def _noisy(n: int, seed: int) -> Dataset:
    from arcwise import networks

    return networks.add_noise(networks.load("child").sample(n, seed), seed=seed)


def _cut(n: int, seed: int) -> Dataset:
    """Levels of a network as intervals of different widths, values even within each."""
    from arcwise import networks
    from arcwise.networks.columns import continuous_dataset

    states = networks.load("child").sample(n, seed)
    rng = np.random.default_rng(seed)
    values = []
    for column in states.columns:
        edges = np.cumsum([0.0, *rng.uniform(0.5, 2.0, column.cardinality)])
        codes = column.values.astype(np.intp)
        values.append(edges[codes] + rng.random(n) * np.diff(edges)[codes])
    return continuous_dataset(states.names, values)


def _bent(n: int, seed: int) -> Dataset:
    """Each column a bent function of the sum of its parents, and noise."""
    from arcwise import networks
    from arcwise.networks.columns import continuous_dataset

    rng, dag = np.random.default_rng(seed), networks.random_dag(8, seed=seed, n_edges=9)
    bends: tuple[Callable[[np.ndarray], np.ndarray], ...] = (
        lambda x: np.sin(2 * x), np.square, np.abs, lambda x: np.exp(-np.square(x)),
    )  # fmt: skip
    values: dict[str, np.ndarray] = {}
    for name in dag.topological_order:
        parents = dag.parents(name)
        own = 0.3 * rng.standard_normal(n) if parents else rng.standard_normal(n)
        for parent in parents:
            x = values[parent]
            own = own + bends[rng.integers(len(bends))]((x - x.mean()) / x.std())
        values[name] = own
    return continuous_dataset(dag.names, [values[name] for name in dag.names])


KINDS: dict[str, tuple[Callable[[int, int], Dataset], str]] = {
    "linear, normal noise": (_linear, "gaussian"),
    "noisy states": (_noisy, "hidden-states"),
    "thresholds": (_cut, "steck"),
    "bent": (_bent, "kgv"),
}
