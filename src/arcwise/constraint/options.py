"""Checks shared by the options of learners that ask independence tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arcwise.data.dataset import Dataset
from arcwise.errors import OptionError, check_least
from arcwise.parts.protocols import BoundTest, ExplainedTest
from arcwise.printing import listed

if TYPE_CHECKING:
    from arcwise.constraint.max_min.max_min import MMPC, PMMS
    from arcwise.constraint.pc.pc import PC


def check_options(options: PC | MMPC | PMMS) -> None:
    if options.alpha is not None and not 0 < options.alpha < 1:
        raise OptionError(f"option 'alpha' must lie between 0 and 1, not {options.alpha!r}")
    check_least(options, max_given=0)


def why_no_answer(test: BoundTest, data: Dataset) -> tuple[str, str]:
    """What tests without an answer lacked, "had too few rows", and what to do about it."""
    return test.no_answer if isinstance(test, ExplainedTest) else ("had too few rows", more_rows(data, "g-squared"))


def pair_names(names: Sequence[str], pairs: Sequence[Sequence[int]]) -> str:
    """ "a - b, c - d and 3 more"."""
    return listed([f"{names[x]} - {names[y]}" for x, y in pairs])


def more_rows(data: Dataset, test: str) -> str:
    """What to do where tests have too few rows; `test`: one that counts, and can be told how many rows it needs."""
    most = max(data.columns, key=lambda column: column.cardinality)
    if not most.cardinality:
        return "use more rows or fewer columns"
    levels = f"fewer levels (column {most.name!r} has {most.cardinality})"
    return f"use more rows, {levels}, or the test {test!r} with a smaller min_per_cell"
