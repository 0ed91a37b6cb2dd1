"""The one place where a column becomes continuous or discrete. The rules and their numbers:

- true/false, text and categories are discrete;
- whole numbers with at most MAX_DISCRETE distinct values, each seen twice on average, are discrete;
- other whole numbers are continuous, doubtful up to DOUBTFUL_WHOLE distinct values;
- numbers with fractions are continuous, doubtful up to DOUBTFUL_FRACTIONS distinct values;
- text that is numbers with thousands marks, percent signs, a currency or a unit is read as these numbers;
- text of which MOSTLY_NUMBERS or more, but not all, reads as numbers is an error, not a guess, and so is text with
  more than MAX_DISCRETE different numbers and up to FEW_WORDS words;
- whole numbers with leading zeros in a text file are codes: text;
- the caller's declaration overrules all of these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Kind, TypingDecision
from arcwise.data.faults import ColumnError
from arcwise.data.levels import (
    distinct_values,
    encode,
    few_distinct,
    label_numbers,
    merged_integers,
    merged_spellings,
    number_label,
    whole_numbers,
)
from arcwise.data.notation import (
    CENSORED,
    is_spelled,
    leading_zeros,
    may_be_numbers,
    spelled_numbers,
)
from arcwise.data.reading.raw import BoolArray, Levels, Numbers, Once, Origin, row_of, rows_of
from arcwise.printing import column_option, counted, na_option, option

MAX_DISCRETE = 10
DOUBTFUL_WHOLE = 20
DOUBTFUL_FRACTIONS = 5
MOSTLY_NUMBERS = 0.8
FEW_WORDS = 2
DECLARED = "declared"
_FLAG = re.compile(r"[+-]?\d[\d.,]*\s*([*†‡#]+)")


@dataclass(frozen=True, slots=True, eq=False)
class Typed:
    """A column whose kind is settled; `values` are float64 (NaN where missing) or codes into `labels`."""

    name: str
    values: NDArray[Any]
    labels: tuple[str, ...]
    ordered: bool
    missing: BoolArray | None
    origin: Origin
    decision: TypingDecision
    doubt: str = ""  # what reading the cells as numbers may have merged, one sentence
    once: Once | None = None

    @property
    def kind(self) -> Kind:
        return self.decision.kind

    @property
    def declared(self) -> bool:
        """The caller named this column's kind, so what looks odd about it is meant."""
        return self.decision.reason.startswith(DECLARED)

    def present(self) -> NDArray[Any]:
        """The values that are not missing."""
        return self.values if self.missing is None else self.values[~self.missing]

    @property
    def n_recorded(self) -> int:
        """Rows that have a value."""
        everywhere = np.ones(len(self.values), dtype=np.bool_) if self.missing is None else ~self.missing
        return len(self.values) if self.missing is None and self.once is None else rows_of(everywhere, self.once)

    @property
    def n_labels(self) -> int:
        """Levels that occur; of a column that is too long to keep all, more than `labels` has."""
        return max(len(self.labels), 0 if self.once is None else self.once.n_distinct)

    def rows(self) -> NDArray[np.int64]:
        """How many rows have each level."""
        return Levels(self.name, self.values, self.labels, self.missing, self.origin, once=self.once).rows()


def type_column(raw: Numbers | Levels, wanted: Kind | None) -> Typed:
    """Settle the kind of one column; `wanted` is the caller's declaration."""
    return _type_numbers(raw, wanted) if isinstance(raw, Numbers) else _type_levels(raw, wanted)


def _type_numbers(raw: Numbers, wanted: Kind | None) -> Typed:
    missing = raw.missing
    if raw.values.dtype.kind == "f":
        absent = np.isnan(raw.values)
        if absent.any():
            missing = absent if missing is None else missing | absent
    present = raw.values if missing is None else raw.values[~missing]
    whole = whole_numbers(present)
    n_rows = len(present) if raw.once is None else rows_of(_everywhere(missing, raw.values), raw.once)
    decision, distinct = _decide(raw.name, present, whole, wanted, n_rows)
    if raw.note:
        decision = replace(decision, reason=f"{decision.reason}, {raw.note}")
    if decision.kind is Kind.CONTINUOUS:
        floats = _as_floats(raw.values, missing)
        doubt = raw.doubt if wanted else raw.doubt or merged_integers(raw, present)
        return Typed(raw.name, floats, (), True, missing, Origin.NUMBER, decision, doubt, raw.once)
    codes = encode(present if whole is None else whole, distinct)
    labels = tuple(number_label(value) for value in distinct)
    doubt = raw.doubt if wanted else raw.doubt or merged_spellings(raw, codes, labels, missing)
    if missing is not None:
        spread = np.zeros(len(missing), dtype=codes.dtype)
        spread[~missing] = codes
        codes = spread
    return Typed(raw.name, codes, labels, True, missing, Origin.NUMBER, decision, doubt, raw.once)


def _everywhere(missing: BoolArray | None, values: NDArray[Any]) -> BoolArray:
    """Where there is a value."""
    return np.ones(len(values), dtype=np.bool_) if missing is None else ~missing


def _decide(
    name: str, present: NDArray[Any], whole: NDArray[Any] | None, wanted: Kind | None, n_rows: int
) -> tuple[TypingDecision, NDArray[Any]]:
    """(the decision, the sorted distinct values, which count only if it is discrete). n_rows: that have a value."""
    values = present if whole is None else whole
    if wanted is not None:
        distinct = distinct_values(values) if wanted is Kind.DISCRETE else values[:0]
        return TypingDecision(name, wanted, DECLARED), distinct
    if not len(values):
        return TypingDecision(name, Kind.CONTINUOUS, "no values at all", doubtful=True), values
    few = few_distinct(values, DOUBTFUL_FRACTIONS if whole is None else DOUBTFUL_WHOLE)
    if few is None:
        more = f"integers with more than {DOUBTFUL_WHOLE} distinct values"
        reason = "numbers with fractions" if whole is None else more
        return TypingDecision(name, Kind.CONTINUOUS, reason), values[:0]
    count = counted(len(few), "distinct value")
    if whole is None:
        reason = f"numbers with fractions but only {count}"
        return TypingDecision(name, Kind.CONTINUOUS, reason, doubtful=True), few
    if len(few) <= MAX_DISCRETE and 2 * len(few) <= n_rows:
        return TypingDecision(name, Kind.DISCRETE, f"integers with {count}"), few
    limit = f"more than {MAX_DISCRETE}" if len(few) > MAX_DISCRETE else f"in only {counted(n_rows, 'row')}"
    return TypingDecision(name, Kind.CONTINUOUS, f"integers with {count}, {limit}", doubtful=True), few


def _declared(name: str, wanted: Kind | None) -> TypingDecision | None:
    return None if wanted is None else TypingDecision(name, wanted, DECLARED)


def _as_floats(values: NDArray[Any], missing: BoolArray | None) -> NDArray[np.float64]:
    """float64 with NaN where missing; the input itself when it already is that."""
    floats = np.ascontiguousarray(values, dtype=np.float64)
    if missing is None or np.isnan(floats[missing]).all():
        return floats
    return np.where(missing, np.nan, floats)


def _type_levels(raw: Levels, wanted: Kind | None) -> Typed:
    if wanted is Kind.CONTINUOUS:
        return _levels_as_numbers(raw)
    if raw.origin is Origin.TEXT and wanted is None:
        if (numbers := _spelled(raw)) is not None:
            return _type_numbers(numbers, None)
        _refuse_mixed(raw)
    decision = _declared(raw.name, wanted) or _levels_decision(raw)
    return Typed(raw.name, raw.codes, raw.labels, raw.ordered, raw.missing, raw.origin, decision, once=raw.once)


def _levels_decision(raw: Levels) -> TypingDecision:
    n = len(raw.labels)
    if raw.origin is Origin.BOOL:
        return TypingDecision(raw.name, Kind.DISCRETE, "true/false values")
    if raw.origin is Origin.CATEGORY:
        order = "ordered " if raw.ordered else ""
        return TypingDecision(raw.name, Kind.DISCRETE, f"{order}categories, {n} in all")
    words = "codes with leading zeros," if leading_zeros(raw.labels) else "text with"
    doubtful = n > MAX_DISCRETE and not np.isnan(label_numbers(raw.labels)).any()
    return TypingDecision(raw.name, Kind.DISCRETE, f"{words} {counted(n, 'distinct value')}", doubtful)


def _spelled(raw: Levels) -> Numbers | None:
    """The column as numbers if its text is numbers with thousands marks, percent signs and the like."""
    import polars as pl

    if not may_be_numbers(raw.labels):
        return None
    labels = pl.Series(raw.labels, dtype=pl.String).str.strip_chars()
    spelled = spelled_numbers(raw.name, labels, lambda level: ("row", _first_row(raw, level)))
    if spelled is None:
        return None
    return Numbers(raw.name, spelled.values.to_numpy()[raw.codes], raw.missing, spelled.note, once=raw.once)


def _first_row(raw: Levels, level: int) -> int:
    hit = raw.codes == level
    return row_of(int(np.argmax(hit if raw.missing is None else hit & ~raw.missing)), raw.once) + 1


def _levels_as_numbers(raw: Levels) -> Typed:
    """A declared continuous column whose cells are text, categories or true/false."""
    bools = raw.origin is Origin.BOOL
    numbers = label_numbers([str(int(label == "true")) if bools else label for label in raw.labels])
    bad = np.isnan(numbers)
    if bad.any() and (spelled := _spelled(raw)) is not None:
        return _type_numbers(spelled, Kind.CONTINUOUS)
    if bad.any():
        count, row, cell = _culprit(raw, bad)
        raise ColumnError(
            f"column {raw.name!r} is declared continuous, but {counted(count, 'cell')} of it cannot be read "
            f"as a number (such as {cell!r} in row {row}); {_remedy(raw.name, cell)}, or declare it discrete instead",
            f"declared continuous, but {cell!r} in row {row} is no number",
        )
    values = numbers[raw.codes] if len(numbers) else np.full(len(raw.codes), np.nan)
    if raw.missing is not None:
        values = np.where(raw.missing, np.nan, values)
    decision = TypingDecision(raw.name, Kind.CONTINUOUS, DECLARED)
    return Typed(raw.name, values, (), True, raw.missing, Origin.NUMBER, decision, once=raw.once)


def _refuse_mixed(raw: Levels) -> None:
    """Text that is nearly all numbers is a numeric column with dirt in it, or codes: the user knows which.

    So is text with more different numbers than levels that a column of numbers may have, and one or two words.
    """
    plain = ~np.isnan(label_numbers(raw.labels))
    known = (is_number or is_spelled(label) for label, is_number in zip(raw.labels, plain, strict=True))
    bad = ~np.fromiter(known, dtype=np.bool_, count=len(plain))
    if plain.all() or bad.all():
        return
    if not bad.any():
        first, other = raw.labels[int(np.argmax(plain))], raw.labels[int(np.argmax(~plain))]
        sign = (
            f"if all are percentages, say so with {option('percent', raw.name)}, if the cells without the sign are "
            f"fractions with {column_option('percent', raw.name, 'fraction')}; else "
            if "%" in other
            else ""
        )
        raise ColumnError(
            f"column {raw.name!r} holds numbers that are written in different ways (such as {first!r} and {other!r}); "
            f"{sign}write them alike in the table, or make every value a level with {option('discrete', raw.name)}",
            f"numbers written in different ways, {first!r} and {other!r}",
        )
    count, row, cell = _culprit(raw, bad)
    total = rows_of(_everywhere(raw.missing, raw.codes), raw.once)
    many_numbers = int(bad.sum()) <= FEW_WORDS and len(bad) - int(bad.sum()) > MAX_DISCRETE
    if many_numbers or total - count >= MOSTLY_NUMBERS * total:
        raise ColumnError(
            f"column {raw.name!r} holds numbers except in {count:,} of {counted(total, 'cell')} (such as "
            f"{cell!r} in row {row}); {_remedy(raw.name, cell)}, or make every value a level with "
            f"{option('discrete', raw.name)}",
            f"numbers except in {counted(count, 'cell')} such as {cell!r}",
        )


def _remedy(name: str, cell: str) -> str:
    """What to do about a cell that is no number in a column of numbers."""
    if CENSORED.match(cell):
        return f"take such cells as numbers with {option('censored', name)}, call them missing with " + na_option(
            name, cell
        )
    if beside := _FLAG.fullmatch(cell.strip()):
        return (
            f"leave such marks out with {column_option('units', name, beside[1])}, call them missing with "
            + na_option(name, cell)
        )
    return f"clean such cells, call them missing with {na_option(name, cell)}"


def _culprit(raw: Levels, bad: NDArray[np.bool_]) -> tuple[int, int, str]:
    """(how many cells have a bad level, the first row with one, its text); rows count from 1."""
    hit = bad[raw.codes] if raw.missing is None else bad[raw.codes] & ~raw.missing
    first = int(np.argmax(hit))
    return rows_of(hit, raw.once), row_of(first, raw.once) + 1, raw.labels[int(raw.codes[first])]
