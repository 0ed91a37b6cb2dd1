"""Slow twins of the tests and of PC: regressions, tables in dictionaries, every pair and every set in turn."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import log

import numpy as np

from arcwise.data.dataset import Column, Dataset, Kind


def continuous_table(rng, n_rows, n_columns, strength=0.7):
    """Each column leans on up to two before it."""
    values = rng.normal(size=(n_columns, n_rows))
    for j in range(1, n_columns):
        for i in rng.choice(j, size=min(j, 2), replace=False):
            values[j] += strength * values[i]
    return numbers({f"x{j:02d}": row for j, row in enumerate(values)})


def numbers(columns):
    return Dataset(tuple(Column(name, Kind.CONTINUOUS, np.asarray(v, dtype=float)) for name, v in columns.items()))


def levels(columns, cards=None):
    cards = cards or {name: max(codes) + 1 for name, codes in columns.items()}
    return Dataset(
        tuple(
            Column(name, Kind.DISCRETE, np.array(codes, dtype=np.uint8), tuple(str(k) for k in range(cards[name])))
            for name, codes in columns.items()
        )
    )


def blank(names):
    """A table that is only names, for the oracle of a graph."""
    return numbers({name: np.zeros(2) for name in names})


def partial_correlation(data, x, y, given):
    """Correlation of what regressions on the given columns leave."""
    values = [np.asarray(column.values, dtype=float) for column in data.columns]
    design = np.column_stack([np.ones(data.n_rows), *(values[u] for u in given)])

    def left(column):
        return column - design @ np.linalg.lstsq(design, column, rcond=None)[0]

    return float(np.corrcoef(left(values[x]), left(values[y]))[0, 1])


def strata(codes, x, y, given):
    """{given states: Counter of (x, y) states}."""
    tables = {}
    for row in codes.T.tolist():
        tables.setdefault(tuple(row[u] for u in given), Counter())[row[x], row[y]] += 1
    return tables


def statistic(codes, x, y, given, *, pearson):
    total = 0.0
    for table in strata(codes, x, y, given).values():
        n = sum(table.values())
        of_x, of_y = Counter(), Counter()
        for (a, b), count in table.items():
            of_x[a] += count
            of_y[b] += count
        for a in of_x:
            for b in of_y:
                seen, expected = table[a, b], of_x[a] * of_y[b] / n
                if pearson:
                    total += (seen - expected) ** 2 / expected
                elif seen:
                    total += 2 * seen * log(seen / expected)
    return total


def degrees_of_freedom(codes, cards, x, y, given, rule):
    tables = strata(codes, x, y, given)
    seen = [{cell for cell, count in table.items() if count} for table in tables.values()]
    rows = [len({a for a, _ in cells}) for cells in seen]
    columns = [len({b for _, b in cells}) for cells in seen]
    adjusted = sum((r - 1) * (c - 1) for r, c in zip(rows, columns, strict=True))
    effective = sum(len(cells) for cells in seen) - sum(rows) - sum(columns) + len(tables)
    if rule == "full":
        return (cards[x] - 1) * (cards[y] - 1) * int(np.prod([cards[u] for u in given]))
    return effective if rule == "effective" and effective >= 1 else adjusted


def stable_skeleton(test, alpha, n, max_given=None):
    """(adjacent, {pair: separating set}) of stable PC by the book.

    Sets of neighbours of the smaller column come first, then those of the other, its own neighbours foremost.
    """
    adjacent = ~np.eye(n, dtype=bool)
    sets = {}
    size = 0
    while size <= (n if max_given is None else max_given):
        near = [set(np.flatnonzero(row).tolist()) for row in adjacent]
        for x, y in combinations(range(n), 2):
            if y in near[x]:
                own, shared = sorted(near[y] - near[x] - {x}), sorted(near[y] & near[x])
                candidates = [*combinations(sorted(near[x] - {y}), size), *combinations(own + shared, size)]
                found = next((s for s in candidates if test.test(x, y, s).value > alpha), None)
                if found is not None:
                    sets[x, y] = tuple(sorted(found))
                    adjacent[x, y] = adjacent[y, x] = False
        size += 1
    return adjacent, sets
