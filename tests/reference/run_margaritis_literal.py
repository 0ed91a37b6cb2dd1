"""PC on Housing and Abalone with the recursive-median test as its paper prints it (Margaritis 2005, Figure 2).

Slices are weighted by their range, or by their rows. Where Z is constant, the table of {X, Y} against Z has one column
of cells, and U is the prior; where nothing was learned, I is the prior, and the paper's I >= P calls that
independence. Rows that repeat others count again. One thing cannot be kept: where no row lies above the median, the
printed recursion calls itself with the same rows for ever; here the largest value is cut off, and a slice with one
value of Z is not cut. Prints what each column is joined to. Housing takes some minutes, Abalone much longer.

Run: python -m tests.reference.run_margaritis_literal housing
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import gammaln

import arcwise
from arcwise import datasets
from arcwise.constraint import PC
from arcwise.data.dataset import Dataset, Kind
from arcwise.parts.protocols import TestResult

PRIOR = 0.5


def bins(values, b, discrete):
    """Cells of one variable as numbers from 0: its levels, or b bins by the middle of the ranks that a value holds."""
    _, cells, rows = np.unique(values, return_inverse=True, return_counts=True)
    if discrete:
        return cells
    number = b * (2 * (np.cumsum(rows) - rows) + rows) // (2 * len(values))
    return np.cumsum(np.diff(number, prepend=number[0]) > 0)[cells]


def joint(variables, discrete, b):
    cells = np.zeros(len(variables[0]), dtype=np.int64)
    for values, is_discrete in zip(variables, discrete, strict=True):
        own = bins(values, b, is_discrete)
        cells = np.unique(cells * (own.max() + 1) + own, return_inverse=True)[1]
    return cells


def log_factor(a, b):
    """Of the joint multinomial against two independent ones, one pseudo-count for each cell of a and b."""
    n, k_a, k_b = len(a), int(a.max()) + 1, int(b.max()) + 1
    if k_a == 1 or k_b == 1:
        return 0.0

    def likelihood(counts, pseudo):
        whole = gammaln(pseudo * len(counts)) - gammaln(pseudo * len(counts) + n)
        return whole + np.sum(gammaln(pseudo + counts) - gammaln(pseudo))

    cells = np.bincount(a * k_b + b, minlength=k_a * k_b)
    return likelihood(cells, 1) - likelihood(np.bincount(a), k_b) - likelihood(np.bincount(b), k_a)


def log_independence(a, b, discrete_a, discrete_b):
    """ln Pr(independent) of the variables in a and those in b; the mean Bayes factor over 2, 4, 8, ... bins."""
    n, factors = len(a[0]), []
    size = 2
    while size == 2 or size * size <= n:
        cells_a, cells_b = joint(a, discrete_a, size), joint(b, discrete_b, size)
        if factors and (int(cells_a.max()) + 1) * (int(cells_b.max()) + 1) > n:
            break
        factors.append(log_factor(cells_a, cells_b))
        size *= 2
    odds = np.log((1 - PRIOR) / PRIOR) + np.logaddexp.reduce(factors) - np.log(len(factors))
    return -np.logaddexp(0.0, odds)


def recursive_median(x, y, z, discrete, by_range, previous=-1):
    """(ln I, ln U). x, y: values; z: a list of them; discrete: the kinds of x, y and those of z."""
    n = len(x)
    if n <= 1:
        return np.log(PRIOR), np.log(PRIOR)
    log_u = log_independence([x, y], z, discrete[:2], discrete[2:])
    log_i = np.log(np.exp(log_independence([x], [y], discrete[:1], discrete[1:2]) + log_u) + PRIOR * -np.expm1(log_u))
    varying = [k for k in range(len(z)) if (z[k] != z[k][0]).any()]
    if not varying:
        return log_i, log_u
    turns = [k for k in [(previous + 1 + step) % len(z) for step in range(len(z))] if k in varying]
    apart = {k: -log_independence([x, y], [z[k]], discrete[:2], [discrete[2 + k]]) for k in turns} if len(z) > 1 else {}
    axis = max(turns, key=lambda k: apart.get(k, 0.0))
    masks, shares = parts(z[axis], discrete[2 + axis], by_range)
    split = [recursive_median(x[mask], y[mask], [one[mask] for one in z], discrete, by_range, axis) for mask in masks]
    split_i, split_u = (sum(share * one[k] for share, one in zip(shares, split, strict=True)) for k in range(2))
    return (log_i, log_u) if log_u > split_u + 1e-9 * (1 + abs(split_u)) else (split_i, split_u)


def parts(z, discrete, by_range):
    """The rows of each part, and the weights of the parts."""
    if discrete:
        masks = [z == level for level in np.unique(z)]
        return masks, [mask.mean() for mask in masks]
    ordered = np.sort(z)
    last, median, low, high = ordered[(len(z) - 1) // 2], np.median(z), ordered[0], ordered[-1]
    if last == high:
        last = ordered[ordered < high][-1]
        median = (last + high) / 2
    masks = [z <= last, z > last]
    if not by_range:
        return masks, [mask.mean() for mask in masks]
    return masks, [(median - low) / (high - low), (high - median) / (high - low)]


@dataclass(frozen=True, kw_only=True)
class Printed:
    kind: ClassVar[str] = "printed-recursive-median"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    model: ClassVar[str] = "kernel"
    level: ClassVar[float] = PRIOR

    by_range: bool = True

    def bind(self, data: Dataset) -> BoundPrinted:
        return BoundPrinted(self.by_range, data)


@dataclass(frozen=True, eq=False)
class BoundPrinted:
    first_batch: ClassVar[int] = 1
    warnings: ClassVar[tuple[str, ...]] = ()

    by_range: bool
    data: Dataset

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult:
        order = [*sorted((x, y), key=self._name), *sorted(given, key=self._name)]
        values = [self.data.columns[k].values for k in order]
        discrete = [self.data.kinds[k] is Kind.DISCRETE for k in order]
        if not given:
            return TestResult(float(np.exp(log_independence(values[:1], values[1:], discrete[:1], discrete[1:]))))
        log_i, _ = recursive_median(values[0], values[1], values[2:], discrete, self.by_range)
        # What differs from P by rounding is P, and I >= P.
        return TestResult(PRIOR if abs(log_i - np.log(PRIOR)) < 1e-9 else float(np.exp(log_i)))

    def p_values(self, x, y, given_sets):
        return np.array([self.test(x, y, row[row >= 0].tolist()).value for row in given_sets])

    def _name(self, column: int) -> str:
        return self.data.names[column]


STATEMENTS = {"housing": ("INDUS", "NOX", "MEDV"), "abalone": ("height", "length")}  # columns that they are about


def main(tables: Sequence[str]) -> None:
    for name in tables:
        data = datasets.load(name)
        data = data.select([column for column in data.names if column != "sex"])
        for by_range in (True, False):
            found = arcwise.learn(data, PC(test=Printed(by_range=by_range)))
            edges = {*found.cpdag.directed, *found.cpdag.undirected, *found.cpdag.bidirected}
            weights = "range" if by_range else "rows"
            print(f"\n{name}, weights by {weights}: {len(edges)} edges, {found.counters.tests:,} tests", flush=True)
            print("  " + ", ".join("-".join(sorted(edge)) for edge in sorted(edges, key=sorted)))
            for column in STATEMENTS[name]:
                joined = sorted({a if b == column else b for a, b in edges if column in (a, b)})
                print(f"  {column} is joined to {', '.join(joined) or 'nothing'}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(STATEMENTS))
