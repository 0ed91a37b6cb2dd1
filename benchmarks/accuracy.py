"""Structural Hamming distance of the methods for continuous data, beside Fu 2005, Table V-4."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

NETWORKS = ("alarm", "child", "hailfinder", "insurance")
ROWS = (500, 1_000, 5_000)
SEEDS = (1, 2, 3, 4, 5)
REFERENCE = "equal width 3"
# Average normalized SHD at 500, 1000 and 5000 rows as published; normalized there by the kernel score's.
PUBLISHED = {
    "KGV": (1.0, 1.0, 1.0),
    "equal frequency 2": (1.40, 1.61, 1.62),
    "equal frequency 3": (1.12, 1.21, 1.07),
    "equal width 2": (1.29, 1.43, 1.46),
    "equal width 3": (1.04, 1.09, 0.87),
    "Hartemink": (1.77, 2.08, 1.60),
    "Friedman 2": (1.08, 1.15, 1.01),
    "Friedman 3": (1.03, 1.11, 0.91),
    "Monti 2": (1.26, 1.41, 1.18),
    "Monti 3": (1.06, 0.98, 0.83),
    "Steck 2": (1.00, 1.04, 0.82),
    "Steck 3": (1.04, 1.10, 0.78),
}
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "equal frequency 2": ("equal-frequency", {"bins": 2}),
    "equal frequency 3": ("equal-frequency", {"bins": 3}),
    "equal width 2": ("equal-width", {"bins": 2}),
    "equal width 3": ("equal-width", {"bins": 3}),
    "equal frequency 3, ess 10": ("equal-frequency", {"bins": 3, "ess": 10}),
    "Hartemink": ("hartemink", {"bins": 3, "initial_bins": None}),
    "Hartemink, from 20 bins": ("hartemink", {"bins": 3}),
    "Hartemink, from 20 bins, knee": ("hartemink", {"bins": "auto"}),
    "Friedman 2": ("friedman", {"bins": 2}),
    "Friedman 3": ("friedman", {"bins": 3}),
    "Monti 2": ("monti", {"bins": 2}),
    "Monti 3": ("monti", {"bins": 3}),
    "Monti 3, Fu's rule": ("monti", {"bins": 3, "accept": "sum"}),
    "Monti 3, ess 10": ("monti", {"bins": 3, "ess": 10}),
    "Steck 2": ("steck", {"bins": 2, "arc_prior": 1.0}),
    "Steck 3": ("steck", {"bins": 3, "arc_prior": 1.0}),
    "Steck 3, sparse": ("steck", {"bins": 3}),
    "Steck, auto start": ("steck", {"initial": "auto", "arc_prior": 1.0}),
    "Steck 3, exact": ("optimal", {"initial.bins": 3}),
    "Tran, top-down": ("top-down", {"initial.bins": 3}),
    "KGV": ("kgv", {}),
}


def accuracy(
    *,
    methods: Sequence[str] = tuple(METHODS),
    rows: Sequence[int] = ROWS,
    networks: Sequence[str] = NETWORKS,
    seeds: Sequence[int] = SEEDS,
) -> Iterator[str]:
    """Lines of a table: mean SHD (Tsamardinos), and Fu's SHD relative to equal width 3 beside the published ratio.

    methods: names of METHODS, or presets of arcwise as they are.
    """
    columns = [f"SHD, {n} rows" for n in rows] + [f"ratio, {n} rows: ours / published" for n in rows]
    yield "| method | " + " | ".join(columns) + " |"
    yield "|---" * (1 + len(columns)) + "|"
    wanted = [REFERENCE, *(name for name in methods if name != REFERENCE)]
    base = [_distances(REFERENCE, n, networks, seeds) for n in rows]
    for name in wanted:
        sizes = base if name == REFERENCE else [_distances(name, n, networks, seeds) for n in rows]
        plain = [f"{statistics.mean(both[0] for net in size.values() for both in net):.1f}" for size in sizes]
        ratios = [
            f"{_ratio(size, reference):.2f} / {_published(name, n)}"
            for size, reference, n in zip(sizes, base, rows, strict=True)
        ]
        yield f"| {name} | " + " | ".join(plain + ratios) + " |"


Distances = dict[str, list[tuple[int, int]]]  # network -> (Tsamardinos, Fu) of each data set


def check_methods(names: Sequence[str]) -> None:
    """Refuse a name that is neither one of METHODS nor a preset."""
    from arcwise import catalog
    from arcwise.errors import unknown_name

    for name in names:
        if name not in METHODS and name not in catalog.METHODS:
            raise ValueError(unknown_name("method", name, [*METHODS, *catalog.METHODS]))


def _distances(name: str, rows: int, networks: Sequence[str], seeds: Sequence[int]) -> Distances:
    import arcwise
    from arcwise import metrics
    from arcwise.networks import add_noise, load

    method, options = METHODS.get(name, (name, {}))
    found: Distances = {}
    for network in networks:
        for seed in seeds:
            true, _ = load(network).shuffled(seed)
            data = add_noise(true.sample(rows, seed), seed=seed)
            learned = arcwise.learn(data, method, **options).cpdag
            both = metrics.shd(learned, true.dag), metrics.shd(learned, true.dag, convention="fu")
            found.setdefault(network, []).append(both)
    return found


def _ratio(size: Distances, base: Distances) -> float:
    """Averages over data sets, divided network by network, averaged over networks: as in the publication."""
    means = [statistics.mean(fu for _, fu in size[net]) / statistics.mean(fu for _, fu in base[net]) for net in size]
    return statistics.mean(means)


def _published(name: str, rows: int) -> str:
    if name not in PUBLISHED or rows not in ROWS:
        return "–"
    at = ROWS.index(rows)
    return f"{PUBLISHED[name][at] / PUBLISHED[REFERENCE][at]:.2f}"
