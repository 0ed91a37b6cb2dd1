"""What was found about cells that were not recorded: the probable value of each, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray
from arcwise.data.reading.door import takes_table
from arcwise.data.text_files import check_content
from arcwise.errors import DataError, GraphError
from arcwise.results.strengths import Strengths


class FilledContent(TypedDict):
    """What `FilledColumn.to_dict` gives."""

    name: str
    levels: list[str]
    rows: list[int]
    values: list[float]
    sure: list[float]


class CompletionContent(TypedDict):
    """What `Completion.to_dict` gives; what is in it is checked where it is read."""

    strengths: dict[str, Any]
    columns: list[dict[str, Any]]


@dataclass(frozen=True, slots=True, eq=False)
class FilledColumn:
    """The missing cells of one column. rows: where they are, from 0, a row with a weight as often as it counts.

    values: the code of the most probable level and `sure` its probability; in a continuous column the mean of the
    draws and `sure` their standard deviation.
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
class Completion:
    """Learning from draws of the cells that were not recorded.

    strengths: shares of the draws in which each edge was found. columns: the missing cells, column by column.
    """

    strengths: Strengths
    columns: tuple[FilledColumn, ...] = ()

    @property
    def n_cells(self) -> int:
        return sum(len(column.rows) for column in self.columns)

    @takes_table
    def fill(self, data: Dataset) -> Dataset:
        """The table that was learned from, its missing cells filled with the probable values.

        A row with a weight stands in it as often as it counts.
        """
        filled, whole = {column.name: column for column in self.columns}, data.repeated()
        columns = tuple(_filled(column, filled.get(column.name)) for column in whole.columns)
        return replace(whole, columns=columns)

    def reordered(self, names: Sequence[str]) -> Completion:
        """The same with the columns in the order of these names."""
        columns = sorted(self.columns, key=lambda column: names.index(column.name))
        return Completion(self.strengths.reordered(names), tuple(columns))

    def to_dict(self) -> dict[str, Any]:
        return {"strengths": self.strengths.to_dict(), "columns": [column.to_dict() for column in self.columns]}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Completion:
        check_content(content, CompletionContent, GraphError)
        columns = tuple(FilledColumn.from_dict(column) for column in content["columns"])
        return Completion(Strengths.from_dict(content["strengths"]), columns)

    def __repr__(self) -> str:
        return f"Completion({self.n_cells} cells, {self.strengths.graphs} draws)"


def _filled(column: Column, cells: FilledColumn | None) -> Column:
    if column.missing is None:
        return column
    if cells is None or not np.array_equal(column.missing.nonzero()[0], cells.rows):
        raise DataError(f"column {column.name!r} has other missing cells than the table that was learned from")
    values = column.values.copy()
    values[cells.rows] = cells.values
    return Column(column.name, column.kind, values, column.levels, column.ordered)
