"""Slow twins of rows with missing cells: every combination of levels, and joint normal densities given all levels."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.stats import multivariate_normal

from arcwise.networks.models.linear_gaussian import LinearGaussian
from tests.oracle.posterior import _joint_normal, one_row, with_column


def recorded(data, row):
    """The row as a table of the columns that it has."""
    names = [c.name for c in data.columns if c.missing is None or not c.missing[row]]
    return one_row(data.select(names), row)


def weighed(net, row):
    """For each combination of the levels that the row lacks: (weight, the row with them, normals of absent numbers).

    The weight is the joint density of what is recorded and the combination; the normals are (names, mean, covariance).
    """
    tables = {m.child: m for m in net.models if not isinstance(m, LinearGaussian)}
    numbers = [n for n in net.dag.topological_order if n not in tables]
    seen, gone = ([n for n in numbers if (n in row.names) == there] for there in (True, False))
    absent = [n for n in tables if n not in row.names]
    for codes in product(*(range(len(tables[n].levels)) for n in absent)):
        full = row
        for node, code in zip(absent, codes, strict=True):
            full = with_column(full, node, code, tables[node].levels)
        weight = np.exp(sum(table.log_density(full)[0] for table in tables.values()))
        normals = (gone, np.empty(0), np.empty((0, 0)))
        if numbers:
            mean, cov = _joint_normal(net, numbers, full)
            at, out = ([numbers.index(n) for n in some] for some in (seen, gone))
            values = np.array([row.column(n).values[0] for n in seen])
            if seen:
                weight *= multivariate_normal(mean[at], cov[np.ix_(at, at)], allow_singular=True).pdf(values)
            gain = np.linalg.solve(cov[np.ix_(at, at)], cov[np.ix_(at, out)]).T if seen else np.zeros((len(out), 0))
            normals = (
                gone,
                mean[out] + gain @ (values - mean[at]),
                cov[np.ix_(out, out)] - gain @ cov[np.ix_(at, out)],
            )
        yield weight, full, normals


def log_density(net, row):
    return np.log(sum(weight for weight, _, _ in weighed(net, row)))


def cell(net, row, name):
    """The probabilities of the levels of a cell that the row lacks, or (mean, standard deviation) of a number."""
    cases = list(weighed(net, row))
    total = sum(weight for weight, _, _ in cases)
    levels = net.model(name).levels
    if levels:
        found = np.zeros(len(levels))
        for weight, full, _ in cases:
            found[full.column(name).values[0]] += weight / total
        return found
    means = np.array([normals[1][normals[0].index(name)] for _, _, normals in cases])
    variances = np.array([normals[2].diagonal()[normals[0].index(name)] for _, _, normals in cases])
    shares = np.array([weight / total for weight, _, _ in cases])
    mean = shares @ means
    return mean, np.sqrt(shares @ (variances + (means - mean) ** 2))


def expected_counts(net, data):
    """Of each table: the sum over rows of P(family | recorded), but for families below all that is recorded."""
    counts = {model.child: np.zeros(model.probabilities.shape) for model in net.models}
    for n in range(data.n_rows):
        row = recorded(data, n)
        alive = set(row.names).union(*(net.dag.ancestors(name) for name in row.names))
        cases = list(weighed(net, row))
        total = sum(weight for weight, _, _ in cases)
        for weight, full, _ in cases:
            for model in net.models:
                if model.child in alive:
                    at = tuple(int(full.column(name).values[0]) for name in (*model.parents, model.child))
                    counts[model.child][at] += weight / total
    return counts
