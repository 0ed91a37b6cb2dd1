"""A comparison in words: as plain text of 80 columns, or as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from arcwise.printing import counted, duration, plus_minus, printable

if TYPE_CHECKING:
    from arcwise.results.comparison import Compared, Comparison

WIDTH = 80
SHOWN_EDGES = 40
HEADS = ("method", "density", "behind best", "edges", "kgv", "seconds")
SCALE = "density: mean ln p of a row that was not learned from, in nats, ± its standard error"


def as_text(found: Comparison, width: int = WIDTH) -> str:
    """Lines of at most `width` characters, but for long names."""
    lines = [headline(found), "", *_table(found, width), ""]
    lines += wrap(SCALE, width)
    lines += ["", *wrap(advice(found), width)]
    for warning in found.warnings:
        lines += wrap(printable(warning), width, initial_indent="warning: ", subsequent_indent="  ")
    if len(found.drawn) > 1:
        lines += ["", *_agreement(found, width), "", *_edges(found, width)]
    return "\n".join(lines)


def headline(found: Comparison) -> str:
    size = f"{counted(found.n_rows, 'row')}, {counted(len(found.names), 'column')}"
    early = ", stopped early" if found.stopped else ""
    return f"{counted(len(found.methods), 'method')}: {size}, {found.folds} folds, {duration(found.elapsed)}{early}"


def advice(found: Comparison) -> str:
    return printable(f"Take {found.recommended}. {found.advice}" if found.recommended else found.advice)


def rows_of(found: Comparison) -> list[tuple[str, ...]]:
    """The cells of the table, safe to print; those of a method without a density say why."""
    return [
        (
            printable(one.name),
            _density(one),
            _behind(one),
            "" if one.edges is None else str(one.edges),
            "" if one.kgv is None else f"{one.kgv:,.1f}",
            "" if one.seconds is None else f"{one.seconds:.2f}",
        )
        for one in found.methods
    ]


def notes_of(found: Comparison) -> list[str]:
    """What is to be said about single methods."""
    notes = [f"{one.name}: {one.reason}" for one in found.methods if one.reason]
    for one in found.methods:
        if one.impossible:
            rows = counted(one.impossible, "held-out row")
            notes.append(f"{one.name} excludes {rows}: their density is 0, and so is that of all rows together")
    return [printable(note) for note in notes]


def _behind(one: Compared) -> str:
    return "" if not one.behind or one.behind_error is None else plus_minus(one.behind, one.behind_error)


def _density(one: Compared) -> str:
    if one.density is not None:
        return f"{one.density:,.2f}" if one.error is None else plus_minus(one.density, one.error)
    return "-inf" if one.impossible else {"failed": "failed", "graph": "none"}.get(one.standing, "not judged")


def _table(found: Comparison, width: int) -> list[str]:
    rows = [HEADS, *rows_of(found)]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(size) if k == 0 else cell.rjust(size)
            for k, (cell, size) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    notes = [
        line for note in notes_of(found) for line in wrap(note, width, initial_indent="  ", subsequent_indent="    ")
    ]
    return [*(line.rstrip() for line in lines), *notes]


def _agreement(found: Comparison, width: int) -> list[str]:
    """A matrix with numbers instead of names above its columns."""
    matrix = found.agreement()
    names = [f"{k + 1} {printable(name)}" for k, name in enumerate(found.drawn)]
    longest = max(map(len, names))
    lines = wrap("agreement of the graphs (share of the edges of either that both have)", width)
    lines.append(" " * longest + "".join(f"{k + 1:>6}" for k in range(len(names))))
    return [
        *lines,
        *(
            f"{name:<{longest}}" + "".join(f"{share:6.2f}" for share in row)
            for name, row in zip(names, matrix, strict=True)
        ),
    ]


def edge_groups(found: Comparison) -> list[tuple[str, Sequence[str]]]:
    """Edges by how many graphs have them, safe to print."""
    n = len(found.drawn)
    groups: list[tuple[str, Sequence[str]]] = []
    common = [f"{a} - {b}" for a, b in found.common()]
    groups.append((f"edges in all {n} graphs", common or ["none"]))
    for k in range(n - 1, 0, -1):
        some = [(a, b, names) for a, b, names in found.disputed() if len(names) == k]
        if some:
            who = k == 1 or n - k == 1
            edges = [f"{a} - {b}{_who(names, found.drawn) if who else ''}" for a, b, names in some[:SHOWN_EDGES]]
            more = [f"and {len(some) - SHOWN_EDGES} more"] * (len(some) > SHOWN_EDGES)
            groups.append((f"in {k} of {n}", [*edges, *more]))
    return [(label, [printable(edge) for edge in edges]) for label, edges in groups]


def _who(names: Sequence[str], drawn: Sequence[str]) -> str:
    if len(names) == 1:
        return f" ({names[0]})"
    return f" (not {next(name for name in drawn if name not in names)})"


def _edges(found: Comparison, width: int) -> list[str]:
    lines = []
    for label, edges in edge_groups(found):
        whole = [edge.replace(" ", "\xa0") for edge in edges]  # lines are broken between edges
        text = wrap(f"{label}: {', '.join(whole)}", width, subsequent_indent="  ", break_on_hyphens=False)
        lines += [line.replace("\xa0", " ") for line in text]
    return lines


def as_html(found: Comparison) -> str:
    """A self-contained fragment with the same content, and the heat map."""
    style = ' style="text-align:left;padding:1px 12px 1px 0"'

    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}{style}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    body = "".join(line(row, "td") for row in rows_of(found))
    notes = "".join(f"<li>{escape(note)}</li>" for note in (*notes_of(found), *map(printable, found.warnings)))
    parts = [
        '<div class="arcwise-comparison" style="font-family:sans-serif;line-height:1.4">',
        f"<p><strong>{escape(headline(found))}</strong></p>",
        f'<table style="border-collapse:collapse">{line(HEADS, "th")}{body}</table>',
        f"<p>{escape(SCALE)}</p>",
        f"<ul>{notes}</ul>" if notes else "",
        f"<p>{escape(advice(found))}</p>",
    ]
    if len(found.drawn) > 1:
        parts.append(f'<div style="overflow-x:auto">{found.draw()}</div>')
        parts += [f"<p>{escape(label)}: {escape(', '.join(edges))}</p>" for label, edges in edge_groups(found)]
    return "\n".join([*(part for part in parts if part), "</div>"])
