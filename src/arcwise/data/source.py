"""What a table is before its columns are settled: names, rows, and a way to each raw column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arcwise.data.dataset import Kind
from arcwise.data.reading.missing_words import Words
from arcwise.data.reading.raw import Raw


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """`column(position, wanted, words)` reads one column; it is called only for columns that are kept.

    wanted: the kind that the caller declared. words: what the caller calls missing. label: for messages.
    notes: what is doubtful about the table as a whole, one sentence each.
    """

    names: tuple[str, ...]
    n_rows: int
    column: Callable[[int, Kind | None, Words], Raw]
    label: str = "the table"
    notes: tuple[str, ...] = ()
