"""The one place where a column becomes continuous or discrete. The rules and their numbers:

- true/false, text and categories are discrete;
- whole numbers with at most MAX_DISCRETE distinct values, each seen twice on average, are discrete;
- other whole numbers are continuous, doubtful up to DOUBTFUL_WHOLE distinct values;
- numbers with fractions are continuous, doubtful up to DOUBTFUL_FRACTIONS distinct values;
- text that is numbers with thousands marks, percent signs or a currency is read as these numbers;
- text of which MOSTLY_NUMBERS or more, but not all, reads as numbers is an error, not a guess, and so is text with
  more than MAX_DISCRETE different numbers and up to FEW_WORDS words;
- whole numbers with leading zeros in a text file are codes: text;
- the caller's declaration overrules all of these.

Numbers as people write them are 12,345.60 and 12.345,60, 12 345 and 12'345, 5.1% and $5. A column is read at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Kind, TypingDecision
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
from arcwise.data.reading.raw import BoolArray, Levels, Numbers, Origin
from arcwise.errors import DataError
from arcwise.printing import counted, na_option, option

if TYPE_CHECKING:
    import polars as pl

MOST = 0.8  # of the labels must look like it
_LEADING_ZERO = re.compile(r"0\d+", re.ASCII)
_MEASURED = re.compile(
    r"[(<>~≈=]*\s*[+-]?\s*[$€£¥₹]?\s*\d[\d.,']*\s*(?:%|[$€£¥₹°µa-z][a-z0-9/²³]{0,7})?\)?", re.IGNORECASE
)
_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[ T]\d{1,2}:\d{2}.*)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?"
)
CURRENCIES = "$€£¥₹"
_PLAIN = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_SPACES = " '’\u00a0\u202f"  # between thousands, besides commas and points
Place = Callable[[int], tuple[str, int]]  # of a cell's position: ("line", 3) of a file or ("row", 2) of a data frame
MAX_DISCRETE = 10
DOUBTFUL_WHOLE = 20
DOUBTFUL_FRACTIONS = 5
MOSTLY_NUMBERS = 0.8
FEW_WORDS = 2
DECLARED = "declared"


def leading_zeros(labels: Sequence[str]) -> str | None:
    """A whole number that is written as 01234, if there is one and all labels are made of digits."""
    if not all(label.isdecimal() for label in labels):
        return None
    return next((label for label in labels if _LEADING_ZERO.fullmatch(label)), None)


def measured(labels: Sequence[str]) -> str | None:
    """An example, if most labels are a number with something beside it, such as `12 kg` or `<0.5`."""
    return _example(labels, _MEASURED)


def dated(labels: Sequence[str]) -> str | None:
    """An example, if most labels are dates or times."""
    return _example(labels, _DATE)


def _example(labels: Sequence[str], pattern: re.Pattern[str]) -> str | None:
    if not labels or (not pattern.fullmatch(labels[len(labels) // 2]) and not pattern.fullmatch(labels[0])):
        return None
    fitting = [label for label in labels if pattern.fullmatch(label)]
    return fitting[0] if len(fitting) >= MOST * len(labels) else None


@dataclass(frozen=True, slots=True)
class _Notation:
    """What a number without its sign may be; `marks` are removed, and a comma is a point if `comma`."""

    body: str
    marks: str = ""
    comma: bool = True

    def fits(self, cells: pl.Series) -> bool:
        """Whether all cells are such numbers; the first few tell it for most columns."""
        pattern = f"^[+-]?(?:{self.body})$"
        return all(bool(part.str.contains(pattern).all()) for part in (cells.head(100), cells))

    def proven(self, cells: pl.Series) -> bool:
        """Whether some cell has its mark for thousands twice, or beside the decimal mark: then it means thousands."""
        if self not in (_COMMAS, _POINTS):
            return False
        mark = re.escape(self.marks)
        return bool(cells.str.contains(rf"{mark}.*[.,]|[.,].*{mark}").any())

    def plain(self, cells: pl.Series) -> pl.Series:
        bare = cells.str.replace_all(f"[{re.escape(self.marks)}]", "") if self.marks else cells
        return bare.str.replace(",", ".", literal=True) if self.comma else bare


_DECIMAL_COMMA = _Notation(r"(?:\d+,\d*|,\d+|\d+)(?:[eE][+-]?\d+)?")
_COMMAS = _Notation(rf"[1-9]\d{{0,2}}(?:,\d{{3}})+(?:\.\d*)?|{_PLAIN}", ",", comma=False)
_POINTS = _Notation(r"(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d*)?", ".")
_BLANKS = _Notation(rf"(?:[1-9]\d{{0,2}}(?:[{_SPACES}]\d{{3}})+|\d+)(?:[.,]\d*)?", _SPACES)
_NOTATIONS = (_DECIMAL_COMMA, _COMMAS, _POINTS, _BLANKS)
_SIGN = f"[{re.escape(CURRENCIES)}]"
_NO_NUMBER = re.compile(r"[^\W\deE]|[<>=/:;]|\d\s*[-+]\s*\d")  # what no notation has
_ANY = re.compile(
    rf"[+-]?(?:{_SIGN}\s*)?(?:{'|'.join(notation.body for notation in _NOTATIONS)})\s*(?:%|{_SIGN})?", re.ASCII
)


def is_spelled(label: str) -> bool:
    """Whether this is a number in some notation, which others of its column may not share."""
    return _ANY.fullmatch(label) is not None


@dataclass(frozen=True, slots=True, eq=False)
class Spelled:
    """A column of numbers; `note` says what beside digits and a decimal point was understood or left out."""

    values: pl.Series
    note: str


def spelled_numbers(name: str, cells: pl.Series, place: Place, *, decimal_comma: bool = False) -> Spelled | None:
    """Text cells, null where missing, as numbers if one notation fits all of them; None if none does.

    place: where a cell stands, for messages. decimal_comma: nothing else can be meant by a single comma, as in a file
    with semicolons between the cells.
    """
    import polars as pl

    bare, left_out = _without_sign(cells)
    numbers = bare.cast(pl.Float64, strict=False)
    if numbers.null_count() == cells.null_count():
        return Spelled(numbers, left_out) if left_out else None
    fits = [notation for notation in _NOTATIONS if notation.fits(bare)]
    if not fits:
        return None
    commas, points = (bare.str.contains(mark, literal=True).fill_null(False) for mark in ",.")
    if commas.any() and points.any():
        fits = [notation for notation in fits if notation.proven(bare)]
        if not fits:
            raise _mixed(name, cells, int(commas.arg_max() or 0), int(points.arg_max() or 0), place)
    if _DECIMAL_COMMA in fits and _COMMAS in fits and not decimal_comma:
        raise _ambiguous(name, cells)
    notes = [left_out, "thousands marks left out" if fits[0].marks else "decimal commas"]
    return Spelled(fits[0].plain(bare).cast(pl.Float64), ", ".join(note for note in notes if note))


def _without_sign(cells: pl.Series) -> tuple[pl.Series, str]:
    """The cells without the percent sign or the currency that all of them have, and what to say about it."""
    first = next((cell for cell in cells.head(1000).drop_nulls()), "")
    if first.endswith("%") and cells.str.ends_with("%").all():
        return cells.str.replace(r"\s*%$", ""), "percent signs left out"
    for sign in CURRENCIES:
        before, after = rf"^([+-]?){re.escape(sign)}\s*", rf"\s*{re.escape(sign)}$"
        for pattern, rest in ((before, "${1}"), (after, "")):
            if re.search(pattern, first) and cells.str.contains(pattern).all():
                return cells.str.replace(pattern, rest), f"the sign {sign} left out"
    return cells, ""


def _ambiguous(name: str, cells: pl.Series) -> DataError:
    """1,234 is 1.234 in one country and 1234 in another; only a semicolon file says which."""
    example = min(cell for cell in cells.drop_nulls().unique().to_list() if "," in cell)
    return DataError(
        f"column {name!r} has cells such as {example!r} whose comma may mark decimals or thousands; write them with a "
        f"decimal point or without thousands marks, or make every value a level with {option('discrete', name)}"
    )


def _mixed(name: str, cells: pl.Series, comma: int, point: int, place: Place) -> DataError:
    """999,0 beside 1.000: decimals in one of them at least, and nothing says in which."""
    first, second = sorted((place(comma), place(point)), key=lambda found: found[1])
    cell = {place(comma): cells[comma], place(point): cells[point]}
    found = " and ".join(f"{cell[where]!r} in {where[0]} {where[1]}" for where in (first, second))
    return DataError(
        f"column {name!r} has both commas and points as marks in its numbers ({found}), and nothing tells which of "
        f"them marks the decimals; write all with a decimal point and without thousands marks, or make every value a "
        f"level with {option('discrete', name)}"
    )


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
    decision, distinct = _decide(raw.name, present, whole, wanted)
    if raw.note:
        decision = replace(decision, reason=f"{decision.reason}, {raw.note}")
    if decision.kind is Kind.CONTINUOUS:
        floats = _as_floats(raw.values, missing)
        doubt = "" if wanted else merged_integers(raw, present)
        return Typed(raw.name, floats, (), True, missing, Origin.NUMBER, decision, doubt)
    codes = encode(present if whole is None else whole, distinct)
    labels = tuple(number_label(value) for value in distinct)
    doubt = "" if wanted else merged_spellings(raw, codes, labels, missing)
    if missing is not None:
        spread = np.zeros(len(missing), dtype=codes.dtype)
        spread[~missing] = codes
        codes = spread
    return Typed(raw.name, codes, labels, True, missing, Origin.NUMBER, decision, doubt)


def _decide(
    name: str, present: NDArray[Any], whole: NDArray[Any] | None, wanted: Kind | None
) -> tuple[TypingDecision, NDArray[Any]]:
    """(the decision, the sorted distinct values, which count only if it is discrete)."""
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
    if len(few) <= MAX_DISCRETE and 2 * len(few) <= len(values):
        return TypingDecision(name, Kind.DISCRETE, f"integers with {count}"), few
    limit = f"more than {MAX_DISCRETE}" if len(few) > MAX_DISCRETE else f"in only {counted(len(values), 'row')}"
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
    return Typed(raw.name, raw.codes, raw.labels, raw.ordered, raw.missing, raw.origin, decision)


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

    if not all(any(sign.isdigit() for sign in label) and not _NO_NUMBER.search(label) for label in raw.labels):
        return None
    labels = pl.Series(raw.labels, dtype=pl.String).str.strip_chars()
    spelled = spelled_numbers(raw.name, labels, lambda level: ("row", _first_row(raw, level)))
    if spelled is None:
        return None
    return Numbers(raw.name, spelled.values.to_numpy()[raw.codes], raw.missing, spelled.note)


def _first_row(raw: Levels, level: int) -> int:
    hit = raw.codes == level
    return int(np.argmax(hit if raw.missing is None else hit & ~raw.missing)) + 1


def _levels_as_numbers(raw: Levels) -> Typed:
    """A declared continuous column whose cells are text, categories or true/false."""
    bools = raw.origin is Origin.BOOL
    numbers = label_numbers([str(int(label == "true")) if bools else label for label in raw.labels])
    bad = np.isnan(numbers)
    if bad.any() and (spelled := _spelled(raw)) is not None:
        return _type_numbers(spelled, Kind.CONTINUOUS)
    if bad.any():
        count, row, cell = _culprit(raw, bad)
        raise DataError(
            f"column {raw.name!r} is declared continuous, but {counted(count, 'cell')} of it cannot be read "
            f"as a number (such as {cell!r} in row {row}); clean such cells, call them missing with "
            f"{na_option(raw.name, cell)}, or declare it discrete instead"
        )
    values = numbers[raw.codes] if len(numbers) else np.full(len(raw.codes), np.nan)
    if raw.missing is not None:
        values = np.where(raw.missing, np.nan, values)
    decision = TypingDecision(raw.name, Kind.CONTINUOUS, DECLARED)
    return Typed(raw.name, values, (), True, raw.missing, Origin.NUMBER, decision)


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
        raise DataError(
            f"column {raw.name!r} holds numbers that are written in different ways (such as {first!r} and {other!r}); "
            f"write them alike in the table, or make every value a level with {option('discrete', raw.name)}"
        )
    count, row, cell = _culprit(raw, bad)
    total = len(raw.codes) - (0 if raw.missing is None else int(raw.missing.sum()))
    many_numbers = int(bad.sum()) <= FEW_WORDS and len(bad) - int(bad.sum()) > MAX_DISCRETE
    if many_numbers or total - count >= MOSTLY_NUMBERS * total:
        raise DataError(
            f"column {raw.name!r} holds numbers except in {count:,} of {counted(total, 'cell')} (such as "
            f"{cell!r} in row {row}); clean such cells, call them missing with {na_option(raw.name, cell)}, or make "
            f"every value a level with {option('discrete', raw.name)}"
        )


def _culprit(raw: Levels, bad: NDArray[np.bool_]) -> tuple[int, int, str]:
    """(how many cells have a bad level, the first row with one, its text); rows count from 1."""
    hit = bad[raw.codes] if raw.missing is None else bad[raw.codes] & ~raw.missing
    first = int(np.argmax(hit))
    return int(hit.sum()), first + 1, raw.labels[int(raw.codes[first])]
