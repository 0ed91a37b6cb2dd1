"""What happens to missing cells: an error that names them, their rows dropped, or a level of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import numpy as np

from arcwise.data.dataset import Kind, Missing
from arcwise.data.kinds import Typed
from arcwise.data.levels import drop_unused, wide_code_dtype
from arcwise.data.reading.raw import BoolArray, Origin
from arcwise.data.wording import counted, listed, option
from arcwise.errors import DataError, OptionError, unknown_name


def check_policy(missing: str) -> None:
    """Refuse a policy that does not exist."""
    if not isinstance(missing, str) or missing not in get_args(Missing):
        raise OptionError(unknown_name("way to treat missing values", str(missing), get_args(Missing)))


def settle_missing(columns: Sequence[Typed], policy: Missing, *, least: int = 2) -> tuple[list[Typed], list[str]]:
    """The columns without missing cells, and the warnings that this gave; `least` rows must be left."""
    gaps = [column for column in columns if column.missing is not None and column.missing.any()]
    if not gaps:
        return [column if column.missing is None else replace(column, missing=None) for column in columns], []
    if policy == "error":
        raise DataError(
            f"missing values in {_counts(gaps)}; drop their rows with --missing drop (missing='drop'), make "
            f"them a level of discrete columns with --missing state (missing='state'), or fill them in yourself"
        )
    return _dropped(columns, gaps, least) if policy == "drop" else (_as_level(columns, gaps), _level_notes(gaps))


def _counts(gaps: Sequence[Typed]) -> str:
    return listed([f"{column.name!r} ({_n_missing(column):,})" for column in gaps])


def _n_missing(column: Typed) -> int:
    return 0 if column.missing is None else int(column.missing.sum())


def _dropped(columns: Sequence[Typed], gaps: Sequence[Typed], least: int) -> tuple[list[Typed], list[str]]:
    gap: BoolArray = np.zeros(len(columns[0].values), dtype=np.bool_)
    for column in gaps:
        if column.missing is not None:
            gap |= column.missing
    n, n_dropped = len(gap), int(gap.sum())
    if n - n_dropped < least:
        worst = max(gaps, key=_n_missing)
        left = "no row" if n == n_dropped else "only one row"
        raise DataError(
            f"{left} of {n:,} would be left without the rows that have missing values, most of them in "
            f"{worst.name!r} ({_n_missing(worst):,}); leave that column out with "
            f"{option('drop', worst.name)} or fill its values in"
        )
    kept = [_keep_rows(column, ~gap) for column in columns]
    return kept, [f"dropped {n_dropped:,} of {counted(n, 'row')} with missing values in {_counts(gaps)}"]


def _keep_rows(column: Typed, rows: BoolArray) -> Typed:
    """Only the rows marked; levels that were observed, not declared, go when no row is left with them."""
    values, labels = column.values[rows], column.labels
    if column.kind is Kind.DISCRETE and column.origin is not Origin.CATEGORY:
        values, labels = drop_unused(values, labels)
    return replace(column, values=values, labels=labels, missing=None)


def _as_level(columns: Sequence[Typed], gaps: Sequence[Typed]) -> list[Typed]:
    numbers = [column for column in gaps if column.kind is Kind.CONTINUOUS]
    if numbers:
        raise DataError(
            f"missing values in continuous columns cannot become a level, as in {_counts(numbers)}; drop "
            f"their rows with --missing drop (missing='drop'), fill them in, or declare the column discrete"
        )
    return [_with_level(column) if column in gaps else replace(column, missing=None) for column in columns]


def _with_level(column: Typed) -> Typed:
    """A last level for the missing cells. A level without a place in the order makes the column unordered."""
    label = "missing"
    while label in column.labels:
        label = f"({label})"
    labels = (*column.labels, label)
    values = column.values.astype(wide_code_dtype(len(labels)))
    values[column.missing] = len(labels) - 1
    return replace(column, values=values, labels=labels, ordered=False, missing=None)


def _level_notes(gaps: Sequence[Typed]) -> list[str]:
    return [f"missing values became a level of their own in {_counts(gaps)}"]
