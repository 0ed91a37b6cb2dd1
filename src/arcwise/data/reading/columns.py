"""The columns of a source, read as was said of them and typed; what keeps some from being read is told together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from arcwise.data.choices import Choices
from arcwise.data.converting import as_marked, decoded
from arcwise.data.dataset import Kind
from arcwise.data.faults import refuse_all
from arcwise.data.identifiers import names_rows
from arcwise.data.kinds import DECLARED, Typed, type_column
from arcwise.data.known_levels import with_levels
from arcwise.data.level_order import in_recorded_order, in_said_order, in_told_order
from arcwise.data.levels import code_texts
from arcwise.data.missing import without_words
from arcwise.data.notation import DECIMAL_COMMAS, grouped_by_points
from arcwise.data.reading.raw import NO_WORDS, Levels, Numbers, Origin, Raw, Source, Text, Words, rows_of
from arcwise.data.recipe import NOTHING_SAID, ColumnRecipe
from arcwise.data.validate import check_finite
from arcwise.errors import DataError
from arcwise.printing import column_option

_TOTAL = re.compile(r"\s*(?:grand |sub)?(?:total|sum|summe|gesamt|insgesamt)s?\s*:?\s*", re.IGNORECASE)


def read_columns(source: Source, choices: Choices) -> tuple[list[Typed], list[str]]:
    """The columns that can be used, and what is to be told about them and those that are left out.

    What keeps columns from being read is told together.
    """
    faults: dict[str, DataError] = {}
    raws: list[Raw] = []
    for name in choices.kept:
        try:
            raws.append(read_column(source, name, choices))
        except DataError as fault:
            faults[name] = fault
    found: list[Typed] = []
    ready = coded(raws)
    notes = [
        f"column {name!r} has {cell!r} in the last row, which counts as any other; take it out of the table if it "
        f"sums up the others"
        for name, cell in totals_row(ready).items()
    ]
    notes += [
        f"column {name!r} has three digits behind every point (such as {cell!r}), and other columns have decimal "
        f"commas; if the points mark thousands, say so with {column_option('thousands', name, 'point')}, else with "
        f"{column_option('decimal', name, 'point')}"
        for name, cell in doubtful_points(raws).items()
    ]
    for raw in ready:
        try:
            column, note = typed_column(raw, choices.of(raw.name), recorded=raw.name in choices.recorded)
            check_finite(column)
            left = names_rows(column)
        except DataError as fault:
            faults[raw.name] = fault
            continue
        if left is None:
            found.append(column)
        if raw.name in choices.recorded and not choices.of(raw.name).decodes:
            notes += _new_notation(column)
        notes += [text for text in (note, "" if left is None else left.why) if text]
    refuse_all({name: faults[name] for name in choices.kept if name in faults}, source.label, source.path)
    if not found:
        raise DataError(f"no column of {source.label} is left, since {notes[0]}")
    return found, notes


def _new_notation(column: Typed) -> list[str]:
    """What is told of a column whose cells are written in a way that the recipe does not know."""
    read_as = column.decision.reason.removeprefix(DECLARED).removeprefix(", ") if column.declared else ""
    if not read_as:
        return []
    return [
        f"column {column.name!r} is written in a way of which the recipe says nothing ({read_as}); see that its "
        f"numbers mean what they did before, and check the table anew"
    ]


def read_column(source: Source, name: str, choices: Choices, wanted: Kind | None = None) -> Raw:
    """One column, its cells decoded as the choices say; wanted: its kind, where they do not say it."""
    how, words, kind = choices.of(name), choices.words.get(name, NO_WORDS), choices.of(name).wanted or wanted
    if how.decodes:
        return without_words(decoded(raw_column(source, name, words, Kind.DISCRETE), how), words)
    if choices.marks is not NOTHING_SAID and kind is not Kind.DISCRETE:
        marked = as_marked(raw_column(source, name, words, Kind.DISCRETE), choices.marks)
        if marked is not None:
            return without_words(marked, words)
    return raw_column(source, name, words, kind)


def doubtful_points(raws: Sequence[Raw]) -> dict[str, str]:
    """Columns of plain numbers such as 2.365 in a table with decimal commas, each with such a cell."""
    numbers = [raw for raw in raws if isinstance(raw, Numbers)]
    if not any(DECIMAL_COMMAS in raw.note for raw in numbers):
        return {}
    found = {raw.name: grouped_by_points(raw.cells) for raw in numbers if raw.cells is not None}
    return {name: cell for name, cell in found.items() if cell}


def totals_row(raws: Sequence[Raw]) -> dict[str, str]:
    """Columns of text whose last cell, and no other, reads as the total of all, each with that cell."""
    found = {}
    for raw in raws:
        if isinstance(raw, Levels) and raw.origin is Origin.TEXT and len(raw.codes) > 1 and raw.labels:
            last = -1 if raw.once is None else raw.once.last
            cell = raw.labels[int(raw.codes[last])]
            gone = raw.missing is not None and raw.missing[last]
            if not gone and _TOTAL.fullmatch(cell) and rows_of(raw.codes == raw.codes[last], raw.once) == 1:
                found[raw.name] = cell
    return found


def raw_column(source: Source, name: str, words: Words, wanted: Kind | None) -> Raw:
    """One column as it stands in its source, which may call it something else, without what means missing."""
    raw = source.column(source.positions[name], wanted, words)
    return without_words(raw if raw.name == name else replace(raw, name=name), words)


def typed_column(raw: Numbers | Levels, how: ColumnRecipe, *, recorded: bool = False) -> tuple[Typed, str]:
    """The column with its kind, and with the levels that a recipe knows; what is new about these is told.

    recorded: it is a recipe that knows the column.
    """
    wanted = how.wanted
    if wanted is None and (how.dates or how.merge is not None or how.censored == "level"):
        wanted = Kind.CONTINUOUS if how.dates else Kind.DISCRETE
    column = type_column(raw, wanted)
    if column.kind is Kind.CONTINUOUS:
        return column, ""
    if how.is_ordered:
        recall = recorded and how.levels
        return in_recorded_order(column, how.levels) if recall else (in_said_order(column, how.levels), "")
    if how.kind and len(column.labels) > 2:
        column = replace(column, ordered=False)  # codes, whatever they look like; of two levels there is one order
    elif not how.levels:
        column = in_told_order(column)
    return with_levels(column, how.levels) if how.levels else (column, "")


def coded(raws: Sequence[Raw]) -> list[Numbers | Levels]:
    """Text columns coded together, everything else as it is. Cells that stand only once differ in number."""
    texts: dict[int, list[Text]] = {}
    for raw in raws:
        if isinstance(raw, Text):
            texts.setdefault(len(raw.cells), []).append(raw)
    coded = {length: iter(code_texts(some)) for length, some in texts.items()}
    return [next(coded[len(raw.cells)]) if isinstance(raw, Text) else raw for raw in raws]
