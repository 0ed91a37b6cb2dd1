"""Margaritis's experiments with artificial data (2005, figures 5 to 7), at full size; prints tables. About a minute.

Run: python -m tests.reference.run_margaritis
"""

from __future__ import annotations

import time

import numpy as np

from arcwise.data.dataset import Dataset
from arcwise.discretize import FreedmanDiaconis, Scott, Sturges
from arcwise.independence.contingency import ChiSquared
from arcwise.independence.margaritis import RecursiveMedian
from arcwise.networks import FUNCTION_PAIRS, lambda_network, meander, v_network

ROWS = 20_000
SIZES = (1000, 2000, 5000, 10_000, 25_000)
SETS = 20
RULES = {"Sturges": Sturges(), "Scott": Scott(dimension=3), "Freedman-Diaconis": FreedmanDiaconis(dimension=3)}
X, Y, Z = range(3)


def recursive_median(data: Dataset) -> tuple[float, float]:
    """(I, U) of X against Y given Z."""
    result = RecursiveMedian().bind(data).test(X, Y, [Z])
    return result.value, result.details["U"]


def chi_squared(data: Dataset, rule: str) -> float:
    """p-value after cutting all three columns by the rule, summed over the bins of Z however few rows they have."""
    cut = RULES[rule].fit(data).apply(data)
    return ChiSquared(min_per_cell=0).bind(cut).test(X, Y, [Z]).value


def networks(noise: float) -> None:
    for name, simulate in (("Lambda", lambda_network), ("V", v_network)):
        print(f"\n{name} networks, {ROWS:,} rows, noise {noise}: I and the p-values")
        right = dict.fromkeys(("I", *RULES), 0)
        for a, b in FUNCTION_PAIRS:
            data = simulate(a, b, ROWS, seed=10 * a + b, noise=noise)
            found = {"I": recursive_median(data)[0], **{rule: chi_squared(data, rule) for rule in RULES}}
            for test, value in found.items():
                right[test] += (value >= (0.5 if test == "I" else 0.05)) == (name == "Lambda")
            print(f"  f{a} f{b}  " + "  ".join(f"{test} {value:.3g}" for test, value in found.items()), flush=True)
        print("  right: " + ", ".join(f"{test} {count} of {len(FUNCTION_PAIRS)}" for test, count in right.items()))


def consistency() -> None:
    print(f"\nMEANDER, means over {SETS} sets with 95% intervals; X and Y are independent given Z")
    for n in SIZES:
        sets = [meander(n, seed) for seed in range(1, SETS + 1)]
        started = time.perf_counter()
        found = np.array([recursive_median(data) for data in sets])
        seconds = (time.perf_counter() - started) / SETS
        half = 1.96 * found.std(axis=0, ddof=1) / np.sqrt(SETS)
        largest = {rule: max(chi_squared(data, rule) for data in sets) for rule in RULES}
        print(
            f"  {n:6,} rows  I {found[:, 0].mean():.3f} +- {half[0]:.3f} ({(found[:, 0] < 0.5).sum()} below .5)"
            f"  U {found[:, 1].mean():.3f} +- {half[1]:.3f}  {1000 * seconds:.0f} ms a test  largest p: "
            + ", ".join(f"{rule} {p:.1g}" for rule, p in largest.items()),
            flush=True,
        )


if __name__ == "__main__":
    networks(0.25)
    networks(1.0)
    consistency()
