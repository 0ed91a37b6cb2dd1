"""A table and its thresholds as a notebook shows them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from arcwise.data.dataset import kinds_in_words
from arcwise.html_tables import html_table, short
from arcwise.printing import counted, printable

if TYPE_CHECKING:
    from arcwise.data.dataset import Column, Dataset
    from arcwise.data.discretization import Discretization

FIRST_ROWS = 5
MOST_COLUMNS = 16
MOST_DOUBTS = 6
MISSING = "–"


def table_as_html(data: Dataset) -> str:
    """Size, doubts, and the first rows below the kind of each column."""
    gaps = "" if data.is_complete else f"; {counted(data.n_missing, 'cell')} missing"
    parts = [
        f"<p><strong>{counted(data.n_rows, 'row')}, {counted(data.n_columns, 'column')}</strong> "
        f"({kinds_in_words(data.columns)}){gaps}</p>"
    ]
    doubts = [printable(one) for one in data.warnings]
    if doubts:
        doubts[MOST_DOUBTS:] = [f"and {len(doubts) - MOST_DOUBTS} more in .warnings"] if doubts[MOST_DOUBTS:] else []
        parts.append(f"<ul>{''.join(f'<li>{escape(one)}</li>' for one in doubts)}</ul>")
    shown = data.columns[:MOST_COLUMNS]
    if shown:
        missing = data.missing_counts()
        rows = [[_kind(column, missing.get(column.name, 0)) for column in shown]]
        rows += [[_cell(column, row) for column in shown] for row in range(min(data.n_stored, FIRST_ROWS))]
        right = frozenset(k for k, column in enumerate(shown) if not column.levels)
        more = data.n_columns - len(shown)
        head = [short(column.name) for column in shown]
        table = html_table(rows, head, right)
        parts.append(f'<div style="overflow-x:auto">{table}</div>')
        parts += [f"<p>and {counted(more, 'column')} more: .names has all</p>"] if more else []
    return "\n".join(parts)


def _kind(column: Column, missing: int) -> str:
    ordered = "ordered " if column.shown_kind == "ordered" else ""
    kind = f"{len(column.levels)} {ordered}levels" if column.levels else "number"
    return f"{kind}, {missing:,} missing" if missing else kind


def _cell(column: Column, row: int) -> str:
    if column.missing is not None and column.missing[row]:
        return MISSING
    return short(column.levels[column.values[row]]) if column.levels else f"{column.values[row]:.6g}"


def thresholds_as_html(cuts: Discretization) -> str:
    rows = [(short(name), cuts.describe(name)) for name in cuts.thresholds]
    return html_table(rows, ("column", "levels")) if rows else "<p>no column is cut</p>"
