"""Checks shared by the tests' options, and of the data they are given."""

from __future__ import annotations

from math import isfinite
from typing import Literal

from arcwise.data.accepting import takes_table
from arcwise.data.dataset import Dataset, Kind
from arcwise.errors import DataError, OptionError
from arcwise.parts.protocols import IndependenceTest

ANY_KIND = frozenset(Kind)
DISCRETE_ONLY = frozenset({Kind.DISCRETE})

# What counts as a degree of freedom; docs/methods/independence.md has the formulas.
DegreesOfFreedom = Literal["adjusted", "full", "effective"]
RULES: tuple[DegreesOfFreedom, ...] = ("adjusted", "full", "effective")


def check_counting(min_per_cell: float) -> None:
    if not (isfinite(min_per_cell) and min_per_cell >= 0):
        raise OptionError(f"option 'min_per_cell' must be a number of at least 0, not {min_per_cell!r}")


@takes_table
def check_kinds(test: IndependenceTest, data: Dataset) -> None:
    """Refuse data of a kind that the test cannot work on."""
    for column in data.columns:
        if column.kind not in test.accepts:
            other = "information" if hasattr(test, "threshold") else "by-kind"
            raise DataError(
                f"column {column.name!r} is {column.kind}, but the test {test.kind!r} needs "
                f"{' or '.join(sorted(test.accepts))} columns; discretize it first, or use the test {other!r}"
            )
