"""Slow twins of predictions: every combination of unknown levels, joint normal densities, fine grids."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.stats import multivariate_normal

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.networks.models.linear_gaussian import Effects, LinearGaussian


def one_row(data, row):
    return Dataset(tuple(Column(c.name, c.kind, c.values[row : row + 1], c.levels, c.ordered) for c in data.columns))


def with_column(data, name, value, levels=()):
    others = tuple(c for c in data.columns if c.name != name)
    if levels:
        return Dataset((*others, Column(name, Kind.DISCRETE, np.array([value], dtype=np.uint8), levels)))
    return Dataset((*others, Column(name, Kind.CONTINUOUS, np.array([float(value)]))))


def discrete(net, name, row):
    """P(name | the columns of a table with one row), by the joint probability of every completion."""
    absent = [n for n in net.names if n not in row.names or n == name]
    states = dict(zip(net.names, net.states, strict=True))
    found = np.zeros(len(states[name]))
    for codes in product(*(range(len(states[n])) for n in absent)):
        full = row
        for node, code in zip(absent, codes, strict=True):
            full = with_column(full, node, code, states[node])
        found[codes[absent.index(name)]] += np.exp(net.log_likelihood(full)[0])
    return found / found.sum()


def mixed(net, name, row):
    """The same for tables and linear Gaussians: levels by completion, numbers by the joint normal given all levels."""
    tables = {m.child: m for m in net.models if not isinstance(m, LinearGaussian)}
    numbers = [n for n in net.dag.topological_order if n not in tables]
    seen = [n for n in numbers if n in row.names and n != name]
    absent = [n for n in tables if n not in row.names or n == name]
    weights, answers = [], []
    for codes in product(*(range(len(tables[n].levels)) for n in absent)):
        full = row
        for node, code in zip(absent, codes, strict=True):
            full = with_column(full, node, code, tables[node].levels)
        mean, cov = _joint_normal(net, numbers, full)
        weight = np.exp(sum(table.log_density(full)[0] for table in tables.values()))
        at = [numbers.index(n) for n in seen]
        values = np.array([row.column(n).values[0] for n in seen])
        if seen:
            weight *= multivariate_normal(mean[at], cov[np.ix_(at, at)]).pdf(values)
        weights.append(weight)
        if name in tables:
            answers.append(np.eye(len(tables[name].levels))[codes[absent.index(name)]])
        else:
            i = numbers.index(name)
            gain = np.linalg.solve(cov[np.ix_(at, at)], cov[at, i]) if seen else np.empty(0)
            answers.append(mean[i] + gain @ (values - mean[at]))
    return np.average(answers, axis=0, weights=weights)


def _joint_normal(net, numbers, row):
    """(mean, covariance) of all continuous nodes, in topological order, given every level."""
    n = len(numbers)
    mean, slopes, variances = np.zeros(n), np.zeros((n, n)), np.zeros(n)
    for i, name in enumerate(numbers):
        model = net.model(name)
        mean[i], variances[i] = model.centre, model.sd**2
        for term in model.terms:
            if isinstance(term, Effects):
                level = row.column(term.parent).levels[row.column(term.parent).values[0]]
                mean[i] += model.scale * term.weights[term.levels.index(level)]
            else:
                j = numbers.index(term.parent)
                slopes[i, j] = model.scale * term.weight / term.scale
                mean[i] += slopes[i, j] * (mean[j] - term.centre)
    inverse = np.linalg.inv(np.eye(n) - slopes)
    return mean, inverse @ np.diag(variances) @ inverse.T


def continuous(net, name, row, low, high):
    """E[name | all other columns] of one row, on a grid that is finer than any peak of the joint density."""
    grid = np.linspace(low, high, 60_001)
    others = (
        Column(c.name, c.kind, np.repeat(c.values, len(grid)), c.levels, c.ordered)
        for c in row.columns
        if c.name != name
    )
    heights = net.log_density(Dataset((*others, Column(name, Kind.CONTINUOUS, grid))))
    return np.average(grid, weights=np.exp(heights - heights.max()))
