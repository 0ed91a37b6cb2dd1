"""The columns of a result in words: where they were cut, and how they were read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.discretization import format_numbers
from arcwise.printing import counted, printable
from arcwise.results.sections import Block, Grid, Section, Words

if TYPE_CHECKING:
    from arcwise.results.columns import ColumnSummary
    from arcwise.results.result import LearnResult

SHOWN_COLUMNS = 40
SHOWN_LEVELS = 6
LONGEST_LEVEL = 40  # characters


def thresholds(result: LearnResult) -> Section | None:
    """Where columns were cut, or which states their values are readings of; None where nothing was."""
    cuts = result.discretization
    if cuts is None:
        return None
    cut = [name for name, places in cuts.thresholds.items() if len(places) or name in result.states]
    rows = tuple((printable(name), printable(cut_words(result, name))) for name in cut)
    if not rows:
        return None
    title = "states" if set(cut) == set(result.states) else "thresholds"
    blocks: list[Block] = [Grid(rows[:SHOWN_COLUMNS])]
    if len(rows) > SHOWN_COLUMNS:
        more = counted(len(rows) - SHOWN_COLUMNS, "column")
        blocks.append(Words(f"and {more} more: --types (summary(types=True)) has all"))
    return Section(title, "", tuple(blocks))


def cut_words(result: LearnResult, name: str) -> str:
    """ "low < 18.8 ≤ middle < 26.9 ≤ high", or "3 states near 1.02, 2, 3.1 (sd 0.35)"; empty for other columns."""
    if name in result.states:
        return result.states[name].describe()
    if result.discretization is None or name not in result.discretization.thresholds:
        return ""
    return result.discretization.describe(name)


def types(result: LearnResult) -> Section | None:
    """Every column: its kind, why it has it, and its values; None where the table is not known."""
    if result.data is None:
        return None
    columns = result.data.columns
    reasons = {column.reason for column in columns}
    shared = reasons.pop() if len(reasons) == 1 and len(columns) > 1 else ""
    heads = ("column", "kind", "values") if shared else ("column", "kind", "why", "values")
    rows = []
    for column in columns:
        kind = f"{column.shown_kind}{'?' * column.doubtful}"
        why = () if shared else (printable(column.reason),)
        rows.append((printable(column.name), kind, *why, printable(_values(result, column))))
    note = f"all kinds: {printable(shared)}" if shared else ""
    return Section("columns", note, (Grid(tuple(rows), heads),))


def _values(result: LearnResult, column: ColumnSummary) -> str:
    cut = cut_words(result, column.name)
    missing = f"{column.n_missing:,} missing" if column.n_missing else ""
    return "; ".join(part for part in (cut or _plain_values(column), missing) if part)


def _plain_values(column: ColumnSummary) -> str:
    if column.levels:
        more = f" ({len(column.levels)} levels)" if len(column.levels) > SHOWN_LEVELS else ""
        return _listed([short(level) for level in column.levels]) + more
    if column.minimum is None or column.median is None or column.maximum is None:
        return ""
    values = (column.minimum, column.maximum, column.median)
    least, most, middle = (format_numbers(np.array([value]))[0] for value in values)
    return f"{least} to {most}, median {middle}"


def short(level: str) -> str:
    """A sentence in a cell is known by its beginning."""
    return level if len(level) <= LONGEST_LEVEL else f"{level[: LONGEST_LEVEL - 1]}…"


def _listed(items: Sequence[str]) -> str:
    return ", ".join([*items[:SHOWN_LEVELS], *["…"] * (len(items) > SHOWN_LEVELS)])
