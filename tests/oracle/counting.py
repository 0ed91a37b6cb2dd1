"""Slow twins of the counting and cell kernels: one row, one cell at a time."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import exp, lgamma, log

import numpy as np

from arcwise.data.dataset import Column, Dataset, Kind, code_dtype


def discrete_table(rng, cards, n_rows, names=None):
    """Random codes; later columns lean on earlier ones, so that there is something to find."""
    columns = []
    for i, card in enumerate(cards):
        codes = rng.integers(0, card, n_rows)
        if i and n_rows:
            copy = rng.random(n_rows) < 0.5
            codes[copy] = np.asarray(columns[rng.integers(0, i)].values)[copy] % card
        name = names[i] if names else f"x{i:02d}"
        levels = tuple(str(level) for level in range(card))
        columns.append(Column(name, Kind.DISCRETE, codes.astype(code_dtype(card)), levels))
    return Dataset(tuple(columns))


def family_table(codes, cards, child, parents):
    """{parent states: Counter of child states}, every configuration present."""
    table = {states: Counter() for states in product(*(range(cards[p]) for p in parents))}
    for row in codes.T:
        table[tuple(int(row[p]) for p in parents)][int(row[child])] += 1
    return table


def cell_value(shift, count):
    if shift < 0:
        return count * log(count) if count else 0.0
    return lgamma(shift + count) - lgamma(shift)


def family_sum(codes, cards, child, parents, f, g):
    """sum_jk f(N_jk) - sum_j g(N_j)."""
    total = 0.0
    for cells in family_table(codes, cards, child, parents).values():
        total += sum(cell_value(f, count) for count in cells.values())
        total -= cell_value(g, sum(cells.values()))
    return total


def sparse_bdeu(codes, cards, child, parents, ess):
    """BDeu's family sum from a dictionary of the rows, in logarithms, so that no number of parents is too large."""
    cells, groups = Counter(), Counter()
    for row in codes.T:
        state = tuple(int(row[p]) for p in parents)
        cells[state, int(row[child])] += 1
        groups[state] += 1
    log_group = log(ess) - sum(log(cards[p]) for p in parents)  # ln a_j; a_jk = a_j / r
    log_cell = log_group - log(cards[child])
    return sum(_rising(log_cell, n) for n in cells.values()) - sum(_rising(log_group, n) for n in groups.values())


def _rising(log_a, count):
    """ln Gamma(a + count) - ln Gamma(a), factor by factor."""
    return log_a + sum(log(exp(log_a) + i) for i in range(1, count))
