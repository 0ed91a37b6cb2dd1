"""Slow twins of the sweeps over hidden cells: tables in dictionaries, random streams of plain whole numbers."""

from __future__ import annotations

from itertools import product
from math import prod

BITS = 2**64
STEP, APART = 0x9E3779B97F4A7C15, 0xD1342543DE82EF95


def mixed(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % BITS
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % BITS
    return z ^ (z >> 31)


def stream(seed, row):
    """Random numbers from 0 to below 1 of one row."""
    state = mixed((seed + row * APART) % BITS)
    while True:
        state = (state + STEP) % BITS
        yield (mixed(state) >> 11) / 2**53


def parents_of(adj):
    return [[i for i in range(len(adj)) if adj[i][j]] for j in range(len(adj))]


def configurations(cards, parents):
    """Every combination of the levels of these columns, the last one's changing first."""
    return list(product(*(range(cards[p]) for p in parents)))


def tables(codes, cards, adj, prior):
    """[{levels of the parents: [theta of each level]}], theta = (N_jk + prior / r) / (N_j + prior)."""
    found = []
    for j, parents in enumerate(parents_of(adj)):
        table = {}
        for states in configurations(cards, parents):
            rows = [row for row in codes if all(row[p] == s for p, s in zip(parents, states, strict=True))]
            counts = [sum(row[j] == level for row in rows) for level in range(cards[j])]
            table[states] = [(count + prior / cards[j]) / (len(rows) + prior) for count in counts]
        found.append(table)
    return found


def joint(row, adj, theta):
    """The probability of a complete row, and that of each of its cells given its parents."""
    parents = parents_of(adj)
    cells = [theta[j][tuple(row[p] for p in parents[j])][row[j]] for j in range(len(row))]
    return prod(cells), cells


def weights(row, j, cards, adj, theta, likelihood=None):
    """p(level of column j | the rest of the row), times a constant: own table, what was recorded, children."""
    found = []
    for level in range(cards[j]):
        other = [*row[:j], level, *row[j + 1 :]]
        cells = joint(other, adj, theta)[1]
        weight = cells[j] * (1.0 if likelihood is None else likelihood[level])
        for child in range(len(cards)):
            if adj[j][child]:
                weight *= cells[child]
        found.append(weight)
    return found


def sweep(codes, hidden, cards, adj, theta, order, sweeps, seed, likelihoods=None):
    """The rows after so many sweeps, and how many draws changed a cell."""
    changed, found = 0, []
    for n, before in enumerate(codes):
        row, numbers = list(before), stream(seed, n)
        for _ in range(sweeps):
            for j in order:
                if not hidden[n][j]:
                    continue
                likelihood = likelihoods[j][n] if likelihoods and j in likelihoods else None
                weight = weights(row, j, cards, adj, theta, likelihood)
                left, level = next(numbers) * sum(weight), 0
                while level < cards[j] - 1 and left >= weight[level]:
                    left -= weight[level]
                    level += 1
                changed += level != row[j]
                row[j] = level
        found.append(row)
    return found, changed


def posterior(row, hidden, cards, adj, theta, likelihoods=None):
    """{levels of the hidden cells: their joint probability given the others}, by trying all."""
    places = [j for j in range(len(cards)) if hidden[j]]
    found = {}
    for levels in product(*(range(cards[j]) for j in places)):
        full = list(row)
        for j, level in zip(places, levels, strict=True):
            full[j] = level
        seen = prod(likelihoods[j][full[j]] for j in places if likelihoods and j in likelihoods)
        found[levels] = joint(full, adj, theta)[0] * seen
    total = sum(found.values())
    return {levels: weight / total for levels, weight in found.items()}
