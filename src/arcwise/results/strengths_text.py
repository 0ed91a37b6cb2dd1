"""Strengths in words: the strongest edges first, at 80 columns, or as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from arcwise.html_tables import html_table
from arcwise.printing import counted, duration, printable

if TYPE_CHECKING:
    from arcwise.results.stability import Stability
    from arcwise.results.strengths import Strength, Strengths

WIDTH = 80
SHOWN_PAIRS = 60
SHOWN_COLUMNS = 40
HEADS = ("joined", "columns", "→", "←", "either")
WHAT = {"rows": "of rows drawn with replacement", "half": "of half of the rows", "draws": "of the hidden cells"}
LEGEND = "joined: share of the graphs with the edge; → ← so directed; either: both fit"
NO_ANSWER = "stopped before the first graph was found: give it more time"


def as_text(strengths: Strengths, width: int = WIDTH, least: float | None = None) -> str:
    """Lines of at most `width` characters, unless names are longer. least: share for the averaged network, if given."""
    lines = wrap(printable(_headline(strengths)), width)
    if not strengths.graphs:
        return "\n".join([*lines, *_warning_lines(strengths.warnings, width)])
    lines += wrap(_counts(strengths, least), width)
    lines += _warning_lines(strengths.warnings, width)
    pairs = list(_pair_rows(strengths.edges()[:SHOWN_PAIRS]))
    if pairs:
        room = max([len(HEADS[1]), *(len(row[1]) for row in pairs)])
        longest = max(20, width - 34)
        lines += ["", *wrap(LEGEND, width), *(_line(row, min(room, longest)) for row in (HEADS, *pairs))]
    lines += [f"  {_more(strengths)}"] * bool(_more(strengths))
    cuts = list(strengths.stability.values())
    if cuts:
        lines += ["", "thresholds: median (quartiles), share of the graphs with one near it"]
        name_room = min(24, max(len(printable(one.column)) for one in cuts[:SHOWN_COLUMNS]))
        for one in cuts[:SHOWN_COLUMNS]:
            first = f"  {printable(one.column):<{name_room}}  "
            lines += wrap(_cut_words(one), width, initial_indent=first, subsequent_indent=" " * (name_room + 4))
        if len(cuts) > SHOWN_COLUMNS:
            lines += [f"  and {counted(len(cuts) - SHOWN_COLUMNS, 'column')} more: thresholds_table() has all"]
    return "\n".join(line.rstrip() for line in lines)


def as_html(strengths: Strengths) -> str:
    """A self-contained fragment with the same content."""
    parts = [f"<p><strong>{escape(printable(_headline(strengths)))}</strong></p>"]
    parts += [f"<p>{escape(_counts(strengths))}</p>"] * bool(strengths.graphs)
    if strengths.warnings:
        items = "".join(f"<li>{escape(printable(warning))}</li>" for warning in strengths.warnings)
        parts.append(f"<p>warnings</p><ul>{items}</ul>")
    if strengths.edges():
        parts.append(html_table(_pair_rows(strengths.edges()[:SHOWN_PAIRS]), HEADS))
        parts += [f"<p>{escape(_more(strengths))}</p>"] * bool(_more(strengths))
    cuts = list(strengths.stability.values())[:SHOWN_COLUMNS]
    if cuts and strengths.graphs:
        rows = [(printable(one.column), _cut_words(one)) for one in cuts]
        parts.append(
            html_table(rows, ("column", "thresholds: median (quartiles), share of the graphs with one near it"))
        )
    inside = "\n".join(parts)
    return f'<div class="arcwise-strengths" style="font-family:sans-serif;line-height:1.4">\n{inside}\n</div>'


def _headline(strengths: Strengths) -> str:
    graphs, columns = counted(strengths.graphs, "graph"), counted(len(strengths.names), "column")
    origin = strengths.origin
    if origin is None:
        return f"strengths of edges: shares of {graphs}, {columns}"
    took = f", in {duration(origin.elapsed)}"
    size = f"{counted(origin.n_rows, 'row')}, {columns}"
    if not strengths.graphs:
        return f"bootstrap of {origin.method}: {NO_ANSWER} ({size})"
    many = f"{strengths.graphs:,} of {origin.asked:,}" if strengths.graphs < origin.asked else f"{strengths.graphs:,}"
    stopped = ", stopped" if origin.status == "stopped" else ""
    what = "draws" if origin.resample == "draws" else "samples"
    return f"bootstrap of {origin.method}: {many} {what} {WHAT[origin.resample]}, {size}{stopped}{took}"


def _counts(strengths: Strengths, least: float | None = None) -> str:
    pairs = len(strengths.edges())
    if not pairs:
        return "no graph has an edge"
    often = "half of the graphs" if least is None else f"{least:.0%} of the graphs"
    joined = len(strengths.edges(strengths.threshold() if least is None else least))
    return (
        f"{joined:,} of {counted(pairs, 'pair')} that any graph joins are joined in {often} or more, and in the "
        f"averaged network"
    )


def _warning_lines(warnings: Iterable[str], width: int) -> list[str]:
    found = []
    for warning in warnings:
        found += wrap(f"warning: {printable(warning)}", width, subsequent_indent="  ")
    return found


def _pair_rows(edges: Iterable[Strength]) -> Iterable[tuple[str, ...]]:
    for one in edges:
        a, b, forward, backward = one.a, one.b, one.forward, one.backward
        if backward > forward:  # read along the arrow
            a, b, forward, backward = b, a, backward, forward
        mark = "→" if forward > max(backward, one.either) else "—"  # more say so than anything else
        shares = (f"{share:.0%}" for share in (forward, backward, one.either))
        yield (f"{one.share:.0%}", printable(f"{a} {mark} {b}"), *shares)


def _line(row: Sequence[str], room: int) -> str:
    share, pair, *directions = row
    return f"  {share:>6}  {pair:<{room}}  " + "".join(f"{direction:>8}" for direction in directions)


def _more(strengths: Strengths) -> str:
    more = len(strengths.edges()) - SHOWN_PAIRS
    return f"and {counted(more, 'weaker pair')}: table() has all" if more > 0 else ""


def _cut_words(one: Stability) -> str:
    """ "3 levels in 85 % (2: 10 %, 4: 5 %): 61.5 (60.1 to 62.3) 97 %"."""
    total = sum(graphs for _, graphs in one.levels)
    others = [(levels, graphs) for levels, graphs in one.levels if levels != one.usual]
    others = sorted(others, key=lambda pair: -pair[1])[:3]
    rest = f" ({', '.join(f'{levels}: {graphs / total:.0%}' for levels, graphs in others)})" if others else ""
    head = f"{counted(one.usual, 'level')} in {one.share_of_usual:.0%}{rest}"
    cuts = [f"{cut.median:.4g} ({cut.lower:.4g} to {cut.upper:.4g}) {cut.near:.0%}" for cut in one.thresholds]
    return f"{head}: {', '.join(cuts)}" if cuts else head
