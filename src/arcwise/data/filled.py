"""What was found about cells that were not recorded: a value for each, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray
from arcwise.data.text_files import check_content
from arcwise.errors import DataError, GraphError


class FilledContent(TypedDict):
    """What `FilledColumn.to_dict` gives."""

    name: str
    levels: list[str]
    rows: list[int]
    values: list[float]
    sure: list[float]


@dataclass(frozen=True, slots=True, eq=False)
class FilledColumn:
    """The missing cells of one column. rows: where they are, from 0, a row with a weight as often as it counts.

    values: the code of a level, the most probable or a drawn one, and `sure` its probability; in a continuous column
    a number, the mean or a drawn one, and `sure` the standard deviation of what it may be.
    """

    name: str
    levels: tuple[str, ...]
    rows: IntArray
    values: NDArray[Any]
    sure: FloatArray

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "levels": list(self.levels),
            "rows": self.rows.tolist(),
            "values": self.values.tolist(),
            "sure": np.round(self.sure, 6).tolist() if self.levels else self.sure.tolist(),
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> FilledColumn:
        check_content(content, FilledContent, GraphError)
        lists = [content[name] for name in ("rows", "values", "sure")]
        if len(set(map(len, lists))) > 1:
            raise GraphError(f"column {content['name']!r} has not one value and one probability for each missing cell")
        levels = tuple(content["levels"])
        values = np.array(content["values"], dtype=np.intp if levels else np.float64)
        if levels and len(values) and not 0 <= values.min() <= values.max() < len(levels):
            raise GraphError(f"column {content['name']!r} has a value that is none of its {len(levels)} levels")
        rows, sure = np.array(content["rows"], dtype=np.intp), np.array(content["sure"], dtype=np.float64)
        return FilledColumn(content["name"], levels, rows, values, sure)


@dataclass(frozen=True, eq=False)
class FilledTable:
    """A table with missing cells filled in, and what is known of each of them, column by column."""

    table: Dataset
    columns: tuple[FilledColumn, ...]

    @property
    def n_cells(self) -> int:
        return sum(len(column.rows) for column in self.columns)

    def __repr__(self) -> str:
        return f"FilledTable({self.n_cells} cells filled in {len(self.columns)} of {self.table.n_columns} columns)"


def filled_in(data: Dataset, columns: Sequence[FilledColumn]) -> Dataset:
    """The table with these cells filled in, which must be all that are missing in their columns."""
    found, whole = {column.name: column for column in columns}, data.repeated()
    return replace(whole, columns=tuple(_filled(column, found.get(column.name)) for column in whole.columns))


def _filled(column: Column, cells: FilledColumn | None) -> Column:
    if cells is None:
        return column
    if column.missing is None or not np.array_equal(column.missing.nonzero()[0], cells.rows):
        raise DataError(f"column {column.name!r} has other missing cells than the table that was learned from")
    values = column.values.copy()
    values[cells.rows] = cells.values
    return Column(column.name, column.kind, values, column.levels, column.ordered)
