"""What is printed about a result: sections made of few kinds of blocks, laid out once for all who show them.

A line is a list of pieces (text, look). Plain text leaves the looks out, a terminal gives them colours, and HTML is
made of the same blocks; so none of the three can say something that the others do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from typing import Literal

from rich.cells import cell_len, chop_cells

from arcwise.html_tables import html_table

Look = Literal["", "title", "dim", "strong", "warning", "command"]
Piece = tuple[str, Look]
Line = list[Piece]
INDENT, GAP = 2, 2
TIED = "\xa0"  # a blank at which no line is broken
LEAST_CELL = 12  # places that a cell keeps when others need room, too; a Chinese letter takes two
FEW_ROWS = 8  # that are not worth being shown side by side


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph."""

    text: str
    look: Look = ""


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences in a list."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells in columns. right: columns of numbers. packed: rows may stand side by side where there is room.

    keys: so many first columns say what a row is about; where the others have no room beside each other, the table goes
    on below with these columns again. 0: cells are broken into lines instead.
    """

    rows: tuple[tuple[str, ...], ...]
    heads: tuple[str, ...] = ()
    right: frozenset[int] = frozenset()
    packed: bool = False
    keys: int = 0

    def only(self, columns: Sequence[int]) -> Grid:
        """These columns alone."""
        rows = tuple(tuple(row[j] for j in columns) for row in self.rows)
        right = frozenset(place for place, j in enumerate(columns) if j in self.right)
        return Grid(rows, tuple(self.heads[j] for j in columns) if self.heads else (), right)


@dataclass(frozen=True, slots=True)
class Commands:
    """What to type, and why: (why, command). A command is never broken into lines."""

    rows: tuple[tuple[str, str], ...]


Block = Words | Items | Grid | Commands


@dataclass(frozen=True, slots=True)
class Section:
    """A title, a word about it, and what it is about. All texts are safe to print."""

    title: str
    note: str = ""
    blocks: tuple[Block, ...] = ()


def laid_out(headline: Sequence[Words], sections: Iterable[Section], width: int) -> list[Line]:
    """Lines that take at most `width` places on a terminal, but for commands."""
    lines: list[Line] = [[(line, one.look)] for one in headline for line in _wrapped(one.text, width)]
    for section in sections:
        lines += [[], *_title(section, width)]
        for block in section.blocks:
            lines += _block(block, width)
    return lines


def as_text(headline: Sequence[Words], sections: Iterable[Section], width: int) -> str:
    return "\n".join("".join(text for text, _ in line).rstrip() for line in laid_out(headline, sections, width))


def _wrapped(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Lines that begin with `first` or `later`, broken at blanks, and within words only where they are too long."""
    lines: list[str] = []
    line, is_begun = first, False
    for word in filter(None, text.split(" ")):
        if is_begun and cell_len(line) + 1 + cell_len(word) > width:
            lines.append(line)
            line, is_begun = later, False
        room = max(width - cell_len(later), 2)
        *whole, rest = chop_cells(word, room) if cell_len(word) > room else [word]
        for piece in whole:
            lines.append(line + piece)
            line = later
        line, is_begun = f"{line} {rest}" if is_begun else line + rest, True
    return [one.replace(TIED, " ") for one in ([*lines, line] if is_begun else lines)]


def _padded(text: str, width: int, *, right: bool = False) -> str:
    blank = " " * (width - cell_len(text))
    return blank + text if right else text + blank


def _title(section: Section, width: int) -> list[Line]:
    first, *rest = _wrapped(f"{section.title} ({section.note})" if section.note else section.title, width)
    split = len(section.title)
    more: list[Line] = [[(line, "dim")] for line in rest]
    return [[(first[:split], "title"), (first[split:], "dim")], *more]


def _block(block: Block, width: int) -> list[Line]:
    if isinstance(block, Words):
        return [[(line, block.look)] for line in _wrapped(block.text, width, " " * INDENT, " " * INDENT)]
    if isinstance(block, Items):
        found: list[Line] = []
        for text in block.texts:
            found += [
                [(line, "warning" if k == 0 else "")] for k, line in enumerate(_wrapped(text, width, "  - ", "    "))
            ]
        return found
    if isinstance(block, Commands):
        return _commands(block, width)
    return _grid(block, width)


def _commands(block: Commands, width: int) -> list[Line]:
    """Side by side where all of them fit, else each below what it is for."""
    longest = max(cell_len(why) for why, _ in block.rows)
    if INDENT + longest + GAP + max(cell_len(command) for _, command in block.rows) <= width:
        return [[(" " * INDENT + _padded(why, longest + GAP), ""), (command, "command")] for why, command in block.rows]
    lines: list[Line] = []
    for why, command in block.rows:
        lines += [[(f"  {why}:", "")], [(f"    {command}", "command")]]
    return lines


def _grid(block: Grid, width: int) -> list[Line]:
    if not block.rows:
        return []
    cells = [*([block.heads] if block.heads else []), *block.rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    across = sum(widths) + GAP * (len(widths) - 1)
    if block.keys and across > width - INDENT:
        return [line for part in _parts(block, widths, width - INDENT) for line in (*_grid(part, width), [])][:-1]
    beside = (width - INDENT + 2 * GAP) // (across + 2 * GAP) if block.packed and len(block.rows) > FEW_ROWS else 1
    if beside < 2:
        return [[(" " * INDENT, ""), *line] for line in _rows(block, _narrowed(widths, width - INDENT))]
    # The strongest stand in the first column from above to below, then go on in the next.
    height = -(-len(block.rows) // beside)
    parts = [block.rows[k : k + height] for k in range(0, len(block.rows), height)]
    columns = [_rows(Grid(part, block.heads, block.right), widths) for part in parts]
    blank: Line = [(" " * across, "")]
    found = []
    for lines in zip_longest(*columns, fillvalue=blank):
        joined: Line = [(" " * INDENT, "")]
        for k, line in enumerate(lines):
            joined += [(" " * (2 * GAP if k else 0), ""), *line]
        found.append(joined)
    return found


def _parts(block: Grid, widths: Sequence[int], room: int) -> list[Grid]:
    """Tables below each other that have as many of the columns as fit."""
    keys = range(block.keys)
    groups: list[list[int]] = [[]]
    for j in range(block.keys, len(widths)):
        taken = sum(widths[k] + GAP for k in (*keys, *groups[-1], j)) - GAP
        if groups[-1] and taken > room:
            groups.append([])
        groups[-1].append(j)
    return [block.only([*keys, *group]) for group in groups]


def _narrowed(widths: Sequence[int], room: int) -> list[int]:
    """Widths of columns that fit the room; the widest gives way first."""
    found = list(widths)
    while sum(found) + GAP * (len(found) - 1) > room and max(found) > LEAST_CELL:
        found[found.index(max(found))] -= 1
    return found


def _rows(block: Grid, widths: Sequence[int]) -> list[Line]:
    found: list[Line] = []
    for k, row in enumerate([*([block.heads] if block.heads else []), *block.rows]):
        is_head = bool(block.heads) and k == 0
        cells = [_wrapped(cell, size) or [""] for cell, size in zip(row, widths, strict=True)]
        for parts in zip_longest(*cells, fillvalue=""):
            line: Line = []
            for j, (part, size) in enumerate(zip(parts, widths, strict=True)):
                text = _padded(part, size, right=j in block.right)
                look: Look = "dim" if is_head else "strong" if j == 0 else ""
                line.append((text + " " * (GAP if j < len(widths) - 1 else 0), look))
            found.append(line)
    return found


def as_html(headline: Sequence[Words], sections: Iterable[Section], picture: str = "") -> str:
    """A self-contained fragment. picture: an SVG that stands below the headline."""
    parts = ['<div class="arcwise-result" style="font-family:sans-serif;line-height:1.4">']
    parts += [
        f"<p>{f'<strong>{escape(one.text)}</strong>' if one.look == 'title' else escape(one.text)}</p>"
        for one in headline
    ]
    parts += [f'<div style="overflow-x:auto">{picture}</div>'] if picture else []
    for section in sections:
        note = f" ({escape(section.note)})" if section.note else ""
        parts.append(f"<p><strong>{escape(section.title)}</strong>{note}</p>")
        parts += [_html_block(block) for block in section.blocks]
    return "\n".join([*parts, "</div>"])


def _html_block(block: Block) -> str:
    if isinstance(block, Words):
        return f"<p>{escape(block.text)}</p>"
    if isinstance(block, Items):
        return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in block.texts)}</ul>"
    if isinstance(block, Commands):
        items = (f"<li>{escape(why)}: <code>{escape(command)}</code></li>" for why, command in block.rows)
        return f"<ul>{''.join(items)}</ul>"
    return html_table(block.rows, block.heads, block.right)
