"""Several initial discretizations instead of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arcwise.checking import checked
from arcwise.discretize.bins.equal_frequency import EqualFrequency
from arcwise.discretize.bins.equal_width import EqualWidth
from arcwise.parts.protocols import Discretizer


@checked
@dataclass(frozen=True, kw_only=True)
class Auto:
    """Start the discretize-and-learn loop from each of these in turn and keep the best by the joint score.

    How many levels to start from is the question that Fu 2005 left open; the joint score can answer it for each table.
    """

    kind: ClassVar[str] = "auto"
    reference: ClassVar[str] = "Fu 2005, V.1.3 (the open question)"

    starts: ClassVar[tuple[Discretizer, ...]] = (
        EqualFrequency(bins=2),
        EqualFrequency(bins=3),
        EqualFrequency(bins=5),
        EqualWidth(bins=3),
    )
