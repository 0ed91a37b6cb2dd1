"""The shape of a fitted conditional distribution. Structural: a class need not inherit from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray
from arcwise.networks.columns import Columns


class ConditionalModel(Protocol):
    """P(child | parents) with all its numbers: frozen, and written down as plain lists and numbers.

    Columns are found by name, levels by label; other columns of a table take no part.
    """

    kind: ClassVar[str]
    content: ClassVar[type]  # the TypedDict of what `to_dict` gives

    @property
    def child(self) -> str: ...
    @property
    def parents(self) -> tuple[str, ...]: ...
    @property
    def levels(self) -> tuple[str, ...]: ...  # of the child; none if it is continuous
    @property
    def columns(self) -> dict[str, tuple[str, ...]]: ...  # child and parents with the levels the model knows them by

    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln p(child | parents) of each row: a probability for a discrete child, a density for another."""
        ...

    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows,) E[child | parents]; for a discrete child (n_rows, levels): the probability of each level."""
        ...

    def sample(self, parents: Columns, rng: np.random.Generator) -> Column:
        """One value for each row of a table that has the parents (any table of that many rows if there are none)."""
        ...

    def renamed(self, called: Mapping[str, str]) -> ConditionalModel:
        """The same model of columns with other names; `called` has the new name of each."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """With "kind": plain lists and numbers, ready for JSON; the class's `from_dict` is the inverse."""
        ...

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> ConditionalModel: ...


class Density(ConditionalModel, Protocol):
    """A continuous child as a mixture of normal densities, in units of its own."""

    def normals(self, parents: Columns) -> tuple[FloatArray, FloatArray, FloatArray, float]:
        """(ln weight, mean, sd), each (n_rows, components), and the share of the distribution before any data."""
        ...

    def own_units(self, z: FloatArray) -> FloatArray:
        """What these numbers are in the units of the column."""
        ...
