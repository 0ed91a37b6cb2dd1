"""What was learned from a table with missing cells: how sure its edges are, and what the cells probably were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from arcwise.data.dataset import Dataset
from arcwise.data.filled import FilledColumn, filled_in
from arcwise.data.reading.door import takes_table
from arcwise.data.text_files import check_content
from arcwise.errors import DataError, GraphError
from arcwise.results.strengths import Strengths


class CompletionContent(TypedDict):
    """What `Completion.to_dict` gives; what is in it is checked where it is read."""

    strengths: dict[str, Any]
    columns: list[dict[str, Any]]


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
        known = {column.name for column in self.columns}
        for name in data.missing_counts():
            if name not in known:
                raise DataError(f"column {name!r} has other missing cells than the table that was learned from")
        return filled_in(data, self.columns)

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
