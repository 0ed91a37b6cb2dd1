"""Edges that each method finds among columns that have nothing to do with each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

BANDS = ((5, 10), (11, 25), (26, 70), (71, 200))  # rows
TABLES = 100
COLUMNS = (5, 50)
MOST_COLUMNS = {"exhaustive": 12}  # its time doubles with each column
SECONDS = 20.0  # for one table; where half of all tests of 8 rows find a relation, PC would go on for an hour


@dataclass(frozen=True, slots=True)
class NoiseTable:
    columns: dict[str, Any]
    n_rows: int


def noise_tables(count: int = TABLES, seed: int = 0) -> Iterator[NoiseTable]:
    """Independent columns: all normal; skewed, long-tailed and uniform; all of 2 to 5 levels; numbers and levels.

    The logarithm of the rows (5 to 200) and the columns (5 to 50) are drawn evenly.
    """
    rng = np.random.default_rng(seed)
    low, high = BANDS[0][0], BANDS[-1][1]
    for i in range(count):
        n_rows = round(float(np.exp(rng.uniform(np.log(low), np.log(high)))))
        shapes = (("normal",), ("lognormal", "student", "uniform"), ("levels",), ("normal", "levels"))[i % 4]
        n_columns = int(rng.integers(COLUMNS[0], COLUMNS[1] + 1))
        columns = {f"v{c:02}": _column(shapes[c % len(shapes)], n_rows, rng) for c in range(n_columns)}
        yield NoiseTable(columns, n_rows)


def _column(shape: str, n_rows: int, rng: np.random.Generator) -> Any:
    match shape:
        case "normal":
            return rng.normal(size=n_rows)
        case "lognormal":
            return rng.lognormal(size=n_rows)
        case "student":
            return rng.standard_t(2, size=n_rows)
        case "uniform":
            return rng.uniform(size=n_rows)
    levels = np.array(list("abcde")[: int(rng.integers(2, 6))])
    return rng.choice(levels, n_rows, p=rng.dirichlet(np.full(len(levels), 2.0)))


def noise(*, methods: Sequence[str] | None = None) -> Iterator[str]:
    """Lines of a table: edges for ten columns, by rows; all of them are false."""
    from arcwise import catalog

    yield "| method | " + " | ".join(f"{low} to {high} rows" for low, high in BANDS) + " | all |"
    yield "|---" * (2 + len(BANDS)) + "|"
    for name in methods or list(catalog.METHODS):
        found = list(_edges(name))
        cells = [_per_ten([one for one in found if low <= one[0] <= high]) for low, high in BANDS]
        few = f" (up to {MOST_COLUMNS[name]} columns)" if name in MOST_COLUMNS else ""
        yield f"| {name}{few} | " + " | ".join([*cells, _per_ten(found)]) + " |"


def _edges(method: str) -> Iterator[tuple[int, int, int]]:
    """(rows, columns, edges) of each table."""
    import arcwise

    for table in noise_tables():
        if len(table.columns) <= MOST_COLUMNS.get(method, COLUMNS[1]):
            levels = [name for name, values in table.columns.items() if values.dtype.kind == "U"]
            learned = arcwise.learn(table.columns, method, discrete=levels, deadline=SECONDS)
            yield table.n_rows, len(table.columns), learned.cpdag.n_edges


def _per_ten(found: Sequence[tuple[int, int, int]]) -> str:
    """The mean over tables of the edges for ten columns."""
    return f"{np.mean([10 * edges / columns for _, columns, edges in found]):.2f}" if found else "–"
