"""What is known of the cells of a plan: read from the store, a row each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcwise.running.store import read_outcomes
from arcwise.study.cells import Cell
from arcwise.study.plan import Plan

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Row:
    """A finished cell: what was measured, or why nothing was. seconds: how long the cell took as a whole."""

    cell: Cell
    values: Mapping[str, Any]
    error: str | None
    seconds: float

    def get(self, name: str) -> Any:
        """The place on an axis, or what was measured; None for what it does not have."""
        if name == "experiment":
            return self.cell.experiment
        return self.cell.place.get(name, self.values.get(name))


@dataclass(frozen=True, slots=True)
class Results:
    """Rows in the order of the plan's cells. n_cells: how many cells there are."""

    plan: Plan
    rows: tuple[Row, ...]
    n_cells: int

    @staticmethod
    def load(plan: Plan, store: str | Path, *, quick: bool = False) -> Results:
        """The rows of a store; one of another study is refused."""
        from arcwise.study.runner import what

        outcomes = read_outcomes(store, {"work": "study", "study": what(plan)["study"]})
        cells = plan.cells(quick=quick)
        rows = []
        for cell in cells:
            outcome = outcomes.get(cell.key)
            if outcome is not None:
                values = {} if outcome.result is None else json.loads(outcome.result)
                rows.append(Row(cell, values, outcome.failure, outcome.seconds))
        return Results(plan, tuple(rows), len(cells))

    @property
    def failed(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.error is not None)

    def where(self, wanted: Callable[[Row], bool]) -> Iterator[Row]:
        return (row for row in self.rows if wanted(row))

    def frame(self) -> pl.DataFrame:
        """One line a cell: experiment, axes, what was measured, error. Lists are left out."""
        import polars as pl

        axes = dict.fromkeys(name for row in self.rows for name in row.cell.place)
        measured = dict.fromkeys(
            name for row in self.rows for name, value in row.values.items() if not isinstance(value, list | dict)
        )
        taken = {name: f"{name} (measured)" if name in axes else name for name in measured}
        lines = [
            {
                "experiment": row.cell.experiment,
                **{name: row.cell.place.get(name) for name in axes},
                **{shown: row.values.get(name) for name, shown in taken.items()},
                "error": row.error,
            }
            for row in self.rows
        ]
        schema = ["experiment", *axes, *taken.values(), "error"]
        columns = {name: [line[name] for line in lines] for name in schema}
        return pl.DataFrame({name: pl.Series(name, values, strict=False) for name, values in columns.items()})
