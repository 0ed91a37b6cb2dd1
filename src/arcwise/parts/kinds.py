"""Parts and the kinds of columns: which ones a part takes, and which part they choose."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import DataError
from arcwise.parts.protocols import ChosenByKind, IndependenceTest, InformationMeasure, Score

# A table that was cut has such columns only.
ALL_DISCRETE = Dataset((Column("x", Kind.DISCRETE, np.zeros(0, dtype=np.uint8), ("0", "1")),))


def resolved(part: Any, data: Dataset) -> Any:
    """The score or test that is used for these columns: the part itself, unless it stands for others."""
    while isinstance(part, ChosenByKind) and (chosen := part.resolve(data)) is not part:
        part = chosen
    return part


@takes_table
def check_kinds(part: Score | IndependenceTest, data: Dataset) -> None:
    """Refuse data of a kind that the score or test cannot work on."""
    for column in data.columns:
        if column.kind not in part.accepts:
            what, remedy = _remedy(part, column.kind)
            raise DataError(
                f"column {column.name!r} is {column.kind}, but the {what} {part.kind!r} needs "
                f"{' or '.join(sorted(part.accepts))} columns; {remedy}"
            )


def _remedy(part: Score | IndependenceTest, kind: Kind) -> tuple[str, str]:
    if isinstance(part, IndependenceTest):
        other = "information" if isinstance(part, InformationMeasure) else "by-kind"
        return "test", f"discretize it first, or use the test {other!r}"
    if kind is Kind.DISCRETE:
        return "score", "use the score 'degenerate-gaussian', which takes both kinds"
    return (
        "score",
        "discretize it first (with equal-frequency, say), or use a score that takes it (such as 'suited')",
    )
