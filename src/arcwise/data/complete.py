"""The guard of everything that needs a value in each cell: no missing cell is used in silence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from arcwise.errors import DataError
from arcwise.printing import listed

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset


def check_complete(data: Dataset, what: str = "this method") -> None:
    """Refuse a table with missing cells. what: who needs all of them, such as "a neural score"."""
    if not data.is_complete:
        raise DataError(
            f"missing cells in {counts_by_name(data.missing_counts())}: {what} needs a complete table; drop their "
            f"rows with --missing drop (missing='drop'), make them a level of discrete columns with --missing state "
            f"(missing='state'), or fill them in"
        )


def counts_by_name(counts: Mapping[str, int]) -> str:
    """ "'age' (300), 'sex' (112)": the first few columns with their counts."""
    return listed([f"{name!r} ({n:,})" for name, n in counts.items()])
