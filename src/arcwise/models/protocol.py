"""The shape of a fitted conditional distribution. Structural: a class need not inherit from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray


class ConditionalModel(Protocol):
    """P(child | parents) with all its numbers: frozen, and written down as plain lists and numbers.

    Columns are found by name, levels by label; other columns of a table take no part.
    """

    kind: ClassVar[str]

    @property
    def child(self) -> str: ...
    @property
    def parents(self) -> tuple[str, ...]: ...

    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln p(child | parents) of each row: a probability for a discrete child, a density for another."""
        ...

    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows,) E[child | parents]; for a discrete child (n_rows, levels): the probability of each level."""
        ...

    def sample(self, parents: Dataset, rng: np.random.Generator) -> Column:
        """One value for each row of a table that has the parents (any table of that many rows if there are none)."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """With "kind": plain lists and numbers, ready for JSON; the class's `from_dict` is the inverse."""
        ...

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> ConditionalModel: ...
