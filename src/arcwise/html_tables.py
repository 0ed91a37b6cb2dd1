"""Tables as HTML for notebooks and pages. Every cell is text from strangers, and escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from arcwise.printing import printable

LONGEST = 60  # characters of a cell of data


def html_table(rows: Iterable[Sequence[str]], head: Sequence[str] = (), right: frozenset[int] = frozenset()) -> str:
    """right: columns of numbers."""

    def cell(text: str, k: int, tag: str) -> str:
        side = "right" if k in right else "left"
        style = f' style="text-align:{side};vertical-align:top;padding:1px 12px 1px 0"'
        return f"<{tag}{style}>{escape(text)}</{tag}>"

    top = f"<tr>{''.join(cell(text, k, 'th') for k, text in enumerate(head))}</tr>" if head else ""
    body = "".join(f"<tr>{''.join(cell(text, k, 'td') for k, text in enumerate(row))}</tr>" for row in rows)
    return f'<table style="border-collapse:collapse">{top}{body}</table>'


def short(text: str) -> str:
    """Safe to print, and not longer than a cell of data should be."""
    text = printable(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def as_written(text: str) -> str:
    """Text whose lines and columns stay as they are."""
    return f'<pre style="line-height:1.3">{escape(text)}</pre>'
