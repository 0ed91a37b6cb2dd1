"""Slow twins of networks with hidden states: every combination of states, row by row."""

from __future__ import annotations

from itertools import product

import numpy as np


def combinations(net, data, row):
    """(weight, the level of each node) for every combination that the recorded levels of a row leave.

    The weight is the probability of the levels times the densities of the readings; a column that is not in the table,
    or missing, says nothing.
    """
    cards = [len(levels) for levels in net.states]
    position = {name: i for i, name in enumerate(net.names)}
    for codes in product(*map(range, cards)):
        weight = 1.0
        for i, model in enumerate(net.models):
            weight *= model.probabilities[tuple(codes[position[parent]] for parent in model.parents)][codes[i]]
            if model.child not in data.names:
                continue
            column = data.column(model.child)
            if column.missing is not None and column.missing[row]:
                continue
            if model.child in net.read and not column.levels:
                weight *= np.exp(net.read[model.child].log_densities(column.values[row : row + 1])[0][codes[i]])
            elif model.child in net.cuts and not column.levels:
                cut = net.cuts[model.child]
                level = int(np.searchsorted(cut.thresholds, column.values[row], side="right"))
                within = np.exp(cut.log_density(column.values[row : row + 1])[0])
                weight *= within if codes[i] == level else 0.0
            else:
                weight *= float(column.levels[column.values[row]] == model.levels[codes[i]])
        yield weight, codes


def log_density(net, data, row):
    return np.log(sum(weight for weight, _ in combinations(net, data, row)))


def probabilities(net, data, row, name):
    """Of the levels of one node, given all that the table has of the others."""
    others = data.select([other for other in data.names if other != name])
    at, found = net.dag.index(name), np.zeros(len(net.model(name).levels))
    for weight, codes in combinations(net, others, row):
        found[codes[at]] += weight
    return found / found.sum()


def expected_counts(net, data):
    """Of each node: an axis for each parent, its own levels last."""
    found = {model.child: np.zeros(model.probabilities.shape) for model in net.models}
    for row in range(data.n_rows):
        cases = list(combinations(net, data, row))
        total = sum(weight for weight, _ in cases)
        for weight, codes in cases:
            for i, model in enumerate(net.models):
                cell = tuple(codes[net.dag.index(parent)] for parent in model.parents)
                found[model.child][(*cell, codes[i])] += weight / total
    return found
