"""A discretization: the thresholds of each column that was cut, and what the resulting levels mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Unpack

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import MAX_LEVELS, Column, Dataset, FloatArray, Kind, code_dtype
from arcwise.data.reading.door import Reading, TableLike, read_alike, takes_known_table
from arcwise.errors import DataError, unknown_name
from arcwise.printing import printable


@checked
@dataclass(frozen=True, eq=False)
class Discretization:
    """Thresholds t_1 < ... < t_{r-1} by column name; the level of x is the number of thresholds <= x."""

    thresholds: Mapping[str, FloatArray]

    def __post_init__(self) -> None:
        frozen = {name: _checked(name, values) for name, values in self.thresholds.items()}
        object.__setattr__(self, "thresholds", MappingProxyType(frozen))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Discretization):
            return NotImplemented
        mine, theirs = self.thresholds, other.thresholds
        return mine.keys() == theirs.keys() and all(np.array_equal(mine[name], theirs[name]) for name in mine)

    def __hash__(self) -> int:
        return hash(tuple((name, cuts.tobytes()) for name, cuts in sorted(self.thresholds.items())))

    def __reduce__(self) -> tuple[type[Discretization], tuple[dict[str, FloatArray]]]:
        return Discretization, (dict(self.thresholds),)  # a mapping proxy cannot be pickled, a dict can

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}: {len(cuts) + 1}" for name, cuts in self.thresholds.items())
        return printable(f"Discretization(levels: {inside})") if inside else "Discretization()"

    def read_table(self, data: TableLike, **reading: Unpack[Reading]) -> Dataset:
        """Whatever holds a table, the columns that have thresholds read as numbers; one row is enough."""
        return read_alike(data, dict.fromkeys(self.thresholds, ()), others=True, **reading)

    @takes_known_table
    def apply(self, data: Dataset) -> Dataset:
        """The same table with every column that has thresholds made discrete; others stay as they are.

        Values beyond the range that was fitted fall in the lowest or the highest level; missing cells stay missing.
        """
        for name in self.thresholds:
            data.index(name)  # an unknown column is an error here, not a silent omission
        return replace(data, columns=tuple(self._cut(column) for column in data.columns))

    def levels(self, name: str) -> tuple[str, ...]:
        """What each level of a column means: `< 5.5`, `5.5 to 7`, `>= 7` (5.5 itself is in the second)."""
        cuts = format_numbers(self._thresholds_of(name))
        if not cuts:
            return ("any",)
        middle = [f"{low} to {high}" for low, high in pairwise(cuts)]
        return (f"< {cuts[0]}", *middle, f">= {cuts[-1]}")

    def words(self, name: str) -> tuple[str, ...]:
        """The same with the name of the column, for sentences: `age < 42`, `42 <= age < 61.5`, `age >= 61.5`."""
        cuts = format_numbers(self._thresholds_of(name))
        if not cuts:
            return (f"any {name}",)
        middle = [f"{low} <= {name} < {high}" for low, high in pairwise(cuts)]
        return (f"{name} < {cuts[0]}", *middle, f"{name} >= {cuts[-1]}")

    def describe(self, name: str) -> str:
        """One line: `low < 5.5 <= high`; from four levels on they are called level 0, level 1 and so on."""
        cuts = format_numbers(self._thresholds_of(name))
        few = {1: ("any value",), 2: ("low", "high"), 3: ("low", "middle", "high")}
        words = few.get(len(cuts) + 1) or tuple(f"level {k}" for k in range(len(cuts) + 1))
        return words[0] + "".join(f" < {cut} <= {word}" for cut, word in zip(cuts, words[1:], strict=True))

    def to_dict(self) -> dict[str, Any]:
        return {name: cuts.tolist() for name, cuts in self.thresholds.items()}

    @staticmethod
    @checked
    def from_dict(content: Mapping[str, Any]) -> Discretization:
        return Discretization(content)

    def _thresholds_of(self, name: str) -> FloatArray:
        try:
            return self.thresholds[name]
        except (KeyError, TypeError):
            raise DataError(unknown_name("discretized column", name, self.thresholds)) from None

    def _cut(self, column: Column) -> Column:
        if column.name not in self.thresholds:
            return column
        if column.kind is not Kind.CONTINUOUS:
            raise DataError(f"column {column.name!r} is already discrete, so it cannot be cut at thresholds")
        cuts = self.thresholds[column.name]
        codes = np.searchsorted(cuts, column.values, side="right").astype(code_dtype(len(cuts) + 1))
        return Column(column.name, Kind.DISCRETE, codes, self.levels(column.name), ordered=True, missing=column.missing)


def _checked(name: str, values: Any) -> FloatArray:
    """A read-only copy of valid thresholds."""
    try:
        cuts = np.array(values, dtype=np.float64) + 0.0  # -0.0 becomes 0.0: equal thresholds have equal bytes
    except (TypeError, ValueError, OverflowError):
        cuts = np.array(np.nan)
    if cuts.ndim != 1 or not np.all(np.isfinite(cuts)) or np.any(cuts[1:] <= cuts[:-1]):
        raise DataError(f"the thresholds of column {name!r} must be finite numbers in increasing order")
    if len(cuts) >= MAX_LEVELS:
        raise DataError(f"column {name!r} has {len(cuts)} thresholds; give at most {MAX_LEVELS - 1}")
    cuts.setflags(write=False)
    return cuts


def format_numbers(values: FloatArray) -> list[str]:
    """Six significant digits, or as many more as it takes to tell the values apart."""
    texts: list[str] = []
    for digits in range(6, 18):
        texts = [f"{value:.{digits}g}" for value in values]
        if len(set(texts)) == len(texts):
            break
    return texts
