"""Whether cells are missing may depend on what stands in other columns: looked for pair by pair.

Such a dependence does no harm, as draws of missing cells are given the other columns. What would do harm, a cell that
is missing because of what it would have said, cannot be seen in any table; but where missing cells are no accident, it
is worth a thought.
"""

from __future__ import annotations

from math import log

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.printing import listed
from arcwise.stats.on_all_rows import SEEN_ROWS, seen_rows
from arcwise.stats.ordered import is_long

FALSE_ALARM = 0.001  # probability that any pair at all looks dependent by chance
STRONG = 0.1  # Cramer's V: with many rows a weaker dependence would be found, too, and means little
LEAST_EXPECTED = 5.0  # rows of a level, with and without the cell: with fewer, chi-squared is not to be trusted
FEW_LEVELS = 16  # rows of so many are counted for all columns at once
PARTS = 4  # into which numbers are divided, equally many rows each


def missing_with(data: Dataset) -> dict[str, list[str]]:
    """By columns with missing cells: the columns on which it depends whether a cell is missing, the strongest first.

    A dependence that is worth a word shows in some rows of a long table as well as in all.
    """
    return _missing_with(seen_rows(data) if is_long(data) and not data.is_complete else data)


def _missing_with(data: Dataset) -> dict[str, list[str]]:
    gaps = {column.name: column.missing for column in data.columns if column.missing is not None}
    pairs = len(gaps) * (data.n_columns - 1)
    if not pairs:
        return {}
    weights = np.ones(data.n_stored) if data.weights is None else data.weights.astype(np.float64)
    absent = np.column_stack([*gaps.values()]) * weights[:, np.newaxis]
    strengths: dict[str, list[tuple[float, str]]] = {name: [] for name in gaps}
    for column in data.columns:
        codes, size = _codes(column)
        of_level = np.bincount(codes, weights, size + 1)[:size].astype(np.float64)
        if size <= FEW_LEVELS:  # sums of whole numbers, exact in any order
            without = (codes == np.arange(size)[:, np.newaxis]).astype(np.float64) @ absent
        else:
            without = np.column_stack([np.bincount(codes, gap, size + 1)[:size] for gap in absent.T])
        for i, name in enumerate(gaps):
            if name != column.name and (strength := _strength(without[:, i], of_level, pairs)):
                strengths[name].append((-strength, column.name))
    return {name: [other for _, other in sorted(found)] for name, found in strengths.items() if found}


def missingness_doubts(data: Dataset) -> list[str]:
    """One sentence about what was found, or none."""
    found = missing_with(data)
    if not found:
        return []
    shown = [f"{name!r} on {others[0]!r}" for name, others in found.items()]
    where = f", as {SEEN_ROWS:,} of the rows show" if is_long(data) else ""
    return [
        f"whether cells are missing depends on other columns ({listed(shown)}){where}; draws allow for that, but "
        "not for cells that are missing because of what they would have said"
    ]


def _codes(column: Column) -> tuple[IntArray, int]:
    """(levels of the rows, their number); the number itself stands where a cell is missing."""
    if column.kind is Kind.DISCRETE:
        codes, size = column.values.astype(np.intp), column.cardinality
    else:
        cuts = np.quantile(column.recorded, np.arange(1, PARTS) / PARTS, method="inverted_cdf")
        codes, size = np.searchsorted(cuts, column.values, side="left"), PARTS
    if column.missing is not None:
        codes[column.missing] = size
    return codes, size


def _strength(without: FloatArray, of_level: FloatArray, pairs: int) -> float:
    """Cramer's V of being missing and the levels, by chi-squared; 0 where chance explains it or it is weak."""
    for _ in range(len(of_level)):  # without rare levels shares change, and others can become rare
        share = without.sum() / max(of_level.sum(), 1.0)
        common = of_level * min(share, 1.0 - share) >= LEAST_EXPECTED
        if common.all():
            break
        without, of_level = without[common], of_level[common]
    if len(of_level) < 2:
        return 0.0
    expected = of_level * share
    statistic = float(((without - expected) ** 2 / (expected * (1.0 - share))).sum())
    strength = (statistic / of_level.sum()) ** 0.5
    if strength < STRONG:
        return 0.0
    from arcwise._kernels.tails import log_chi_squared_tail  # it brings the compiler along

    if log_chi_squared_tail(statistic, len(of_level) - 1.0) > log(FALSE_ALARM / pairs):
        return 0.0
    return float(strength)
