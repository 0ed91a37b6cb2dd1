"""A table with its numbers, ours and the published ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

MEAN, SPREAD, RANGE = "mean", "mean, sd", "least, median, most"
SHOWN = (MEAN, SPREAD, RANGE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of a table.

    spread: a standard deviation, over the single cells where the table shows "mean, sd", else over the runs of the
    number that each run alone would give. least, most: over single cells, where the table shows these. used, wanted:
    cells that it is made of, and those it should be. signed: a difference, so that its sign tells which is larger.
    """

    ours: float | None = None
    spread: float | None = None
    published: float | None = None
    least: float | None = None
    most: float | None = None
    used: int = 0
    wanted: int = 0
    signed: bool = False

    @property
    def difference(self) -> float | None:
        return None if self.ours is None or self.published is None else self.ours - self.published


@dataclass(frozen=True)
class Table:
    """entries: by (row, column), labels as text. failed: how many of its cells failed, by what kept them from it."""

    name: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    entries: Mapping[tuple[str, str], Entry]
    digits: int = 2
    note: str = ""
    corner: str = ""  # what the rows are
    show: str = MEAN
    failed: Mapping[str, int] = field(default_factory=dict)

    def get(self, row: str, column: str) -> Entry:
        return self.entries.get((row, column), Entry())

    @cached_property
    def has_published(self) -> bool:
        return any(entry.published is not None for entry in self.entries.values())

    def correlation(self, column: str, without: Collection[str] = ()) -> float | None:
        """Spearman's rank correlation of ours with the published numbers; None for fewer than four, or no spread.

        without: rows to leave out.
        """
        entries = (self.get(row, column) for row in self.rows if row not in without)
        pairs = [(entry.ours, entry.published) for entry in entries]
        both = [(ours, published) for ours, published in pairs if ours is not None and published is not None]
        if len(both) < 4 or any(len(set(side)) < 2 for side in zip(*both, strict=True)):
            return None
        from scipy.stats import spearmanr

        first, second = zip(*both, strict=True)
        return float(spearmanr(first, second).statistic)
