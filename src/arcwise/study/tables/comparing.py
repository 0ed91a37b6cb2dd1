"""Whether cells with one value along an axis measured more than those with another, and whether that is chance.

Wilcoxon's signed ranks compare cells that differ in nothing else, pair by pair; where both are the same, the pair says
nothing. Welch's t compares the means of the two, whose variances may differ, and makes no pairs.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from arcwise.study.tables.numbers import Number
from arcwise.study.tables.spec import Compare
from arcwise.study.tables.table import Entry


def columns_of(compare: Compare, column: str) -> tuple[str, str]:
    """What a column becomes: the difference of the means, and how probable one as large is by chance."""
    return f"{column}, {compare.first} minus {compare.second}", f"{column}, p"


def compared(numbers: Sequence[Number], compare: Compare, wanted: int) -> tuple[Entry, Entry]:
    """(the difference of the means, p). p: two-sided; None where there are too few numbers."""
    first, second = (
        {(one.rest, one.run): one.value for one in numbers if one.side == side}
        for side in (compare.first, compare.second)
    )
    used = len(numbers)
    if not first or not second:
        return Entry(used=used, wanted=wanted, signed=True), Entry(used=used, wanted=wanted)
    if compare.test == "wilcoxon":
        pairs = [first[which] - second[which] for which in first if which in second]
        p, difference = _wilcoxon(pairs), statistics.fmean(pairs) if pairs else None
    else:
        left, right = list(first.values()), list(second.values())
        p, difference = _welch(left, right), statistics.fmean(left) - statistics.fmean(right)
    return Entry(difference, used=used, wanted=wanted, signed=True), Entry(p, used=used, wanted=wanted)


def _wilcoxon(differences: Sequence[float]) -> float | None:
    from scipy.stats import wilcoxon

    if not differences:
        return None
    if not any(differences):
        return 1.0
    return float(wilcoxon(differences).pvalue)


def _welch(first: Sequence[float], second: Sequence[float]) -> float | None:
    from scipy.stats import ttest_ind

    if len(first) < 2 or len(second) < 2:
        return None
    if len(set(first)) == len(set(second)) == 1:  # no variance to hold a difference against
        return 1.0 if first[0] == second[0] else 0.0
    return float(ttest_ind(first, second, equal_var=False).pvalue)
