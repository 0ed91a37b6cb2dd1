"""Checks shared by the options of learners that ask independence tests."""

from __future__ import annotations

from typing import Protocol

from arcwise.data.dataset import Dataset
from arcwise.errors import OptionError, check_least


class TestingOptions(Protocol):
    @property
    def alpha(self) -> float | None: ...
    @property
    def max_given(self) -> int | None: ...


def check_options(options: TestingOptions) -> None:
    if options.alpha is not None and not 0 < options.alpha < 1:
        raise OptionError(f"option 'alpha' must lie between 0 and 1, not {options.alpha!r}")
    check_least(options, max_given=0)


def more_rows(data: Dataset, test: str) -> str:
    """What to do where tests have too few rows; `test`: one that counts, and can be told how many rows it needs."""
    most = max(data.columns, key=lambda column: column.cardinality)
    if not most.cardinality:
        return "use more rows or fewer columns"
    levels = f"fewer levels (column {most.name!r} has {most.cardinality})"
    return f"use more rows, {levels}, or the test {test!r} with a smaller min_per_cell"
