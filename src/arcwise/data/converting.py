"""Columns decoded as somebody says that they are written: numbers with marks, units, signs; dates; spellings.

Work is done on the distinct cells of a column. A cell that does not fit what was said is an error that names it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwise.data.faults import ColumnError
from arcwise.data.levels import canonical_order, code_texts, label_numbers, wide_code_dtype
from arcwise.data.missing import MISSING_MARKERS, without_levels
from arcwise.data.notation import CENSORED, CURRENCIES, DECIMAL_COMMAS, FLAGS, NEGATIVE, UNIT, spelled_numbers
from arcwise.data.reading.raw import Levels, Numbers, Origin, Raw, Text, Words, row_of, rows_of
from arcwise.data.recipe import ColumnRecipe
from arcwise.data.spellings import merge_key
from arcwise.data.times import (
    CLOCKS,
    ORDERS,
    SHORT_YEARS,
    Order,
    first_day,
    fitting_orders,
    has_short_year,
    origin,
    parse,
)
from arcwise.printing import column_option, counted, na_option

if TYPE_CHECKING:
    import polars as pl


_CLOCK_WORDS = {"times": "a time of day", "durations": "a duration such as 36:15 or 1:02:03"}


def decoded(raw: Raw, how: ColumnRecipe) -> Numbers | Levels:
    """The column as the recipe says that it is written; numbers that are numbers already stay as they are."""
    levels = code_texts([raw])[0] if isinstance(raw, Text) else raw
    if isinstance(levels, Numbers) or levels.origin is Origin.BOOL:
        return levels
    if how.dates or how.is_notation:  # in quotes or not, such a word is no number
        levels = without_levels(levels, Words(MISSING_MARKERS))
    if how.dates:
        return _dates(levels, how)
    if how.censored == "level":
        return _with_limits(levels, how)
    if how.is_notation:
        return _numbers(levels, how)
    return merged(levels, how.merge or {}, how.levels)


def as_marked(raw: Raw, marks: ColumnRecipe) -> Numbers | None:
    """The column as numbers, if all of its cells are such with these marks for decimals and thousands, and some have
    them; None if it is something else."""
    levels = code_texts([raw])[0] if isinstance(raw, Text) else raw
    if isinstance(levels, Numbers) or levels.origin is not Origin.TEXT:
        return None
    if not levels.labels or not np.isnan(label_numbers(levels.labels)).any():
        return None
    values = _plain_numbers(_series(levels.labels), marks)
    return None if values.null_count() else _spread(levels, values.to_numpy(), _marks_note(marks))


def merged(raw: Levels, spellings: Mapping[str, str], known: Sequence[str] = ()) -> Levels:
    """The column with spellings of one level as one: those named, and those that differ in case and spaces only.

    What a level is called: as it is known, else as most rows write it.
    """
    rows = raw.rows()
    keys = {merge_key(level): level for level in (*spellings.values(), *known)}
    named = {merge_key(spelling): level for spelling, level in spellings.items()}
    for i in sorted(range(len(raw.labels)), key=lambda i: (-rows[i], raw.labels[i])):
        label = raw.labels[i]
        if spellings.get(label, named.get(merge_key(label))) is None:
            keys.setdefault(merge_key(label), label)
    target = [
        spellings.get(label, named.get(merge_key(label), keys.get(merge_key(label), label))) for label in raw.labels
    ]
    labels = sorted(set(target))
    order, ordered = canonical_order(labels)
    final = [labels[i] for i in order]
    place = {label: i for i, label in enumerate(final)}
    table = np.array([place[label] for label in target], dtype=wide_code_dtype(len(final)))
    codes = table[raw.codes] if len(table) else raw.codes
    return replace(raw, codes=codes, labels=tuple(final), ordered=ordered if raw.origin is Origin.TEXT else raw.ordered)


def _series(labels: Sequence[str]) -> pl.Series:
    import polars as pl

    return pl.Series(labels, dtype=pl.String).str.strip_chars().str.replace("−", "-", literal=True)


def _dates(raw: Levels, how: ColumnRecipe) -> Numbers:
    order = how.dates if how.dates in ORDERS else _found_order(raw)
    values = np.array([parse(label, order) for label in raw.labels])
    bad = np.isnan(values)
    if bad.any():
        raise _no_such(raw, bad, _CLOCK_WORDS.get(order, f"a date with its {order[:-6]} first"))
    if order in CLOCKS:
        return _spread(raw, values, "durations as seconds" if order == "durations" else "times as seconds of the day")
    since = how.since or first_day(values.tolist())
    start = origin(since) if since else 0
    short = f", {SHORT_YEARS}" if any(has_short_year(label, order) for label in raw.labels) else ""
    return _spread(raw, values - start, f"dates as days since {since}{short}")


def _found_order(raw: Levels) -> Order:
    orders = fitting_orders(raw.labels)
    if not orders and raw.labels:
        many = max(ORDERS, key=lambda order: sum(not isnan(parse(label, order)) for label in raw.labels))
        bad = np.array([isnan(parse(label, many)) for label in raw.labels])
        raise _no_such(raw, bad, _CLOCK_WORDS.get(many, "a date like the others"))
    if orders == ["durations"] and (bare := next((label for label in raw.labels if label.count(":") == 1), "")):
        raise ColumnError(
            f"column {raw.name!r} has times of more than 24 hours and cells such as {bare!r}; if they are durations "
            f"and these are hours and minutes, say so with {column_option('dates', raw.name, 'durations')}",
            f"times of more than 24 hours, and {bare!r}: --dates",
        )
    if len(orders) > 1 and any(parse(label, orders[0]) != parse(label, orders[1]) for label in raw.labels):
        first, other = column_option("dates", raw.name, orders[0]), column_option("dates", raw.name, orders[1])
        example = next(label for label in raw.labels if parse(label, orders[0]) != parse(label, orders[1]))
        raise ColumnError(
            f"column {raw.name!r} has dates such as {example!r} of which nothing tells the day from the month; say "
            f"which comes first with {first} or {other}",
            f"the day or the month may come first in {example!r}: --dates",
        )
    return orders[0] if orders else "year-first"


def _numbers(raw: Levels, how: ColumnRecipe) -> Numbers:
    """Numbers with signs, units and marks. Of those that are censored, the number or nothing."""
    import polars as pl

    cells = _series(raw.labels)
    missing = raw.missing
    notes = []
    if how.censored:
        limits = cells.str.contains(rf"^{CENSORED.pattern.replace('(?=', '(?:')}").to_numpy()
        cells = cells.str.replace(r"^[<>≤≥]=?\s*", "")
        if how.censored == "missing" and limits.any():
            gone = limits[raw.codes]
            missing = gone if missing is None else missing | gone
            cells = cells.set(pl.Series(limits), "0")
        notes.append("limits such as <1 as numbers" if how.censored == "number" else "limits such as <1 as missing")
    if how.negative:
        cells = cells.str.replace(f"^{NEGATIVE[how.negative].pattern}$", "-${1}")
        notes.append("5- as -5" if how.negative == "behind" else "(5) as -5")
    cells, factors, bare = _without_units(cells, how)
    notes += [f"{'units' if len(how.units) > 1 else 'the unit'} {', '.join(how.units)} left out"] if how.units else []
    if how.percent:
        signs = cells.str.ends_with("%").to_numpy()
        cells = cells.str.replace(r"\s*%$", "")
        factors = np.where(signs, 0.01, 1.0) * factors if how.percent == "fraction" else factors
        notes.append("percent signs left out" if how.percent == "points" else "percent as fractions")
    if how.decimal or how.thousands:
        values, note = _plain_numbers(cells, how), _marks_note(how)
    else:
        values, note = _any_numbers(raw, cells)
    bad = values.is_null().to_numpy()
    if bad.any():
        raise _no_such(raw, bad, "a number as its column is said to write them")
    raw = replace(raw, missing=missing)
    told = ", ".join([*notes, *filter(None, [note])])
    return replace(_spread(raw, values.to_numpy() * factors, told), doubt=_unit_doubt(raw, bare, how))


def _marks_note(how: ColumnRecipe) -> str:
    notes = ["thousands marks left out"] if how.thousands else []
    return ", ".join([*notes, *([DECIMAL_COMMAS] if "," in how.decimal else [])])


def _unit_doubt(raw: Levels, bare: Any, how: ColumnRecipe) -> str:
    """What is told where some cells have a unit and others not; a flag is no unit."""
    if not how.units or FLAGS.issuperset(how.units) or bare.all() or not (n_bare := int(raw.rows()[bare].sum())):
        return ""
    base = next((unit for unit, factor in how.units.items() if factor == 1), "")
    return (
        f"column {raw.name!r} has {counted(n_bare, 'cell')} without a unit, taken as "
        f"{base or 'they are'}; write the unit into the table where it is another"
    )


def _without_units(cells: pl.Series, how: ColumnRecipe) -> tuple[pl.Series, Any, Any]:
    """(the cells without their units, longest first as one may end in another; what each is multiplied by; those that
    had none)."""
    factors = np.ones(len(cells))
    left = np.ones(len(cells), dtype=np.bool_)
    for unit, factor in sorted(how.units.items(), key=lambda item: -len(item[0])):
        name = re.escape(unit)
        before, after = rf"^([+-]?){name}\s*", rf"([\d.,])\s*{name}$"
        for pattern in (after, before) if unit in CURRENCIES else (after,):
            hit = cells.str.contains(pattern).to_numpy() & left
            if hit.any():
                bare = cells.str.replace(pattern, "${1}")
                cells = bare.zip_with(_mask(hit), cells)
                factors[hit] = factor
                left &= ~hit
    return cells, factors, left


def _mask(hit: Any) -> pl.Series:
    import polars as pl

    return pl.Series(hit)


def _plain_numbers(cells: pl.Series, how: ColumnRecipe) -> pl.Series:
    """Float64 with null where a cell is no number with these marks."""
    import polars as pl

    marks = " \u00a0\u202f" if how.thousands == " " else "'’" if how.thousands == "'" else how.thousands
    decimals = how.decimal or ("," if how.thousands == "." else ".")
    point = f"[{re.escape(decimals)}]"
    whole = rf"(?:\d{{1,3}}(?:[{re.escape(marks)}]\d{{3}})+|\d+)" if marks else r"\d+"
    fits = cells.str.contains(rf"^[+-]?(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?$")
    bare = cells.str.replace_all(f"[{re.escape(marks)}]", "") if marks else cells
    numbers = bare.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    return numbers.zip_with(fits, pl.Series([None], dtype=pl.Float64).extend_constant(None, len(cells) - 1))


def _any_numbers(raw: Levels, cells: pl.Series) -> tuple[pl.Series, str]:
    """Plain numbers, or such in a notation that leaves no doubt."""
    import polars as pl

    values = cells.cast(pl.Float64, strict=False)
    if values.null_count():
        spelled = spelled_numbers(raw.name, cells, lambda level: ("row", _first_row(raw, level)))
        if spelled is not None:
            return spelled.values, spelled.note
    return values, ""


def _with_limits(raw: Levels, how: ColumnRecipe) -> Levels:
    """Ordered levels, with a limit such as <0.5 right before the number that it names, and >200 right behind."""
    numbers = _numbers(replace(raw, codes=np.arange(len(raw.labels)), missing=None), replace(how, censored="number"))
    signs = [match[1][0] if (match := CENSORED.match(label)) else "" for label in raw.labels]
    side = [-1 if sign in "<≤" and sign else 1 if sign else 0 for sign in signs]
    order = sorted(range(len(raw.labels)), key=lambda i: (numbers.values[i], side[i], raw.labels[i]))
    rank = np.zeros(max(len(order), 1), dtype=raw.codes.dtype)
    rank[order] = np.arange(len(order))
    return replace(raw, codes=rank[raw.codes], labels=tuple(raw.labels[i] for i in order), ordered=True)


def _spread(raw: Levels, values: Any, note: str) -> Numbers:
    """The value of each row's level."""
    numbers = values[raw.codes] if len(values) else np.full(len(raw.codes), np.nan)
    if raw.missing is not None:
        numbers = np.where(raw.missing, np.nan, numbers)
    return Numbers(raw.name, numbers, raw.missing, note, once=raw.once)


def _first_row(raw: Levels, level: int) -> int:
    hit = raw.codes == level
    return row_of(int(np.argmax(hit if raw.missing is None else hit & ~raw.missing)), raw.once) + 1


def _no_such(raw: Levels, bad: Any, what: str) -> ColumnError:
    hit = bad[raw.codes] if raw.missing is None else bad[raw.codes] & ~raw.missing
    first = int(np.argmax(hit))
    cell, row = raw.labels[int(raw.codes[first])], row_of(first, raw.once)
    unit = UNIT.search(cell)
    named = f"name the unit with {column_option('units', raw.name, unit[1])}, " if unit and "number" in what else ""
    cells = counted(rows_of(hit, raw.once), "cell")
    return ColumnError(
        f"column {raw.name!r} has {cells} that cannot be read as {what} (such as {cell!r} in row {row + 1}); "
        f"{named}mend such cells, or call them missing with {na_option(raw.name, cell)}",
        f"{cell!r} in row {row + 1} is not {what}",
    )
