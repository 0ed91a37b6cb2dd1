"""Whether a table has enough rows for what is asked of it: which of all its pairs of columns are related."""

from __future__ import annotations

from math import atanh, ceil, comb
from statistics import NormalDist

from arcwise.graph.pdag import Pdag

CORRELATION = 0.5  # a relation that is meant to be found
FALSE_ALARM = 0.05  # probability that any pair at all looks related by chance
POWER = 0.8  # probability that a relation of that strength is found


def rows_needed(n_columns: int) -> int:
    """Rows with which a correlation of 0.5 stands out from what chance does to all pairs of so many columns.

    Fisher's z of r has the standard deviation 1 / sqrt(N - 3), so N = 3 + ((z_a + z_b) / atanh r)^2, where z_a is the
    normal quantile of the false alarm divided by twice the number of pairs (Bonferroni), z_b that of the power.
    """
    pairs = comb(n_columns, 2)
    if not pairs:
        return 0
    normal = NormalDist()
    quantiles = normal.inv_cdf(POWER) - normal.inv_cdf(FALSE_ALARM / (2 * pairs))
    return 3 + ceil((quantiles / atanh(CORRELATION)) ** 2)


def few_rows(n_rows: int, found: Pdag) -> tuple[str, ...]:
    """What to tell where this was found in fewer rows than that; nothing where there are enough."""
    n_columns = found.n_nodes
    needed = rows_needed(n_columns)
    if n_rows >= needed:
        return ()
    pairs = comb(n_columns, 2)
    chance = "a relation may be chance" if pairs == 1 else f"some of {pairs} pairs look related by chance"
    some = "take the edges as hints, and what has no edge as undecided"
    meaning = some if found.n_edges else "no edge means undecided here"
    return (
        f"{n_rows} rows are few for {n_columns} columns: {chance}; about {needed} rows would tell a correlation of "
        f"{CORRELATION} from it, so {meaning}; add rows or drop columns",
    )
