"""Checks shared by the tests' options."""

from __future__ import annotations

from math import isfinite
from typing import Literal

from arcwise.data.dataset import Kind
from arcwise.errors import OptionError

ANY_KIND = frozenset(Kind)
DISCRETE_ONLY = frozenset({Kind.DISCRETE})

# What counts as a degree of freedom; docs/methods/independence.md has the formulas.
DegreesOfFreedom = Literal["adjusted", "full", "effective"]
RULES: tuple[DegreesOfFreedom, ...] = ("adjusted", "full", "effective")


def check_counting(min_per_cell: float) -> None:
    if not (isfinite(min_per_cell) and min_per_cell >= 0):
        raise OptionError(f"option 'min_per_cell' must be a number of at least 0, not {min_per_cell!r}")
