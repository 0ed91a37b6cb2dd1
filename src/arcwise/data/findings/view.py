"""A column of text as it was found: its distinct cells, how often each occurs, and where first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arcwise.data.levels import drop_unused
from arcwise.data.reading.raw import Levels
from arcwise.printing import counted


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """labels: distinct cells, none of them missing. rows: how many have each."""

    raw: Levels
    rows: Any
    semicolons: bool = False  # between the cells of its file, so that a comma in a number marks decimals

    first: int | None = None  # only so many rows are looked at

    @staticmethod
    def of(raw: Levels, *, semicolons: bool = False, first: int | None = None) -> View:
        """first: look at so many rows only."""
        if first is not None:
            codes, labels = drop_unused(raw.codes[:first], raw.labels)
            raw = replace(raw, codes=codes, labels=labels, missing=None if raw.missing is None else raw.missing[:first])
        present = raw.codes if raw.missing is None else raw.codes[~raw.missing]
        return View(raw, np.bincount(present, minlength=len(raw.labels)), semicolons, first)

    @property
    def name(self) -> str:
        return self.raw.name

    @property
    def labels(self) -> tuple[str, ...]:
        return self.raw.labels

    @property
    def n_cells(self) -> int:
        return int(self.rows.sum())

    def count(self, hit: Any) -> int:
        """Cells whose label is marked."""
        return int(self.rows[hit].sum())

    def share(self, hit: Any) -> float:
        return self.count(hit) / max(self.n_cells, 1)

    def row(self, hit: Any) -> int:
        """The first row whose label is marked, from 0."""
        found = hit[self.raw.codes]
        return int(np.argmax(found if self.raw.missing is None else found & ~self.raw.missing))

    def told(self, hit: Any) -> str:
        """ "'1,234' (row 7) and 2,411 more cells": the first cell whose label is marked, and how many there are."""
        row, n = self.row(hit), self.count(hit)
        cell = self.labels[int(self.raw.codes[row])]
        more = f" and {counted(n - 1, 'more cell')}" if n > 1 else ""
        within = "" if self.first is None else f" of the first {self.first:,}"
        return f"{shortened(cell)} (row {row + 1:,}){more}{within}"


def shortened(cell: str, width: int = 40) -> str:
    """A cell in quotes, cut where it is long."""
    return repr(cell if len(cell) <= width else cell[: width - 1] + "…")
