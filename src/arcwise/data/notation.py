"""Numbers as people write them: 12,345.60 and 12.345,60, 12 345 and 12'345, 5.1%, $5 and 72 kg.

A column is read at once: one notation has to fit all of its cells. Where two would, and they differ, nothing is
guessed. Here is also what only looks like a number: codes with leading zeros, dates, measurements of some other form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arcwise.data.faults import ColumnError
from arcwise.data.times import is_dated
from arcwise.printing import column_option, option

if TYPE_CHECKING:
    import polars as pl

DECIMAL_COMMAS = "decimal commas"  # what is told of a column that has them
MOST = 0.8  # of the labels must look like it
_LEADING_ZERO = re.compile(r"0\d+", re.ASCII)
_MEASURED = re.compile(  # but no version or address such as 192.168.0.1
    r"(?!\d+(?:\.\d{1,2}){2,}$|\d{1,3}(?:\.\d{1,3}){3}$)"
    r"[(<>~≈=]*\s*[+-]?\s*[$€£¥₹]?\s*\d[\d.,']*\s*(?:%|[$€£¥₹°µa-z][a-z0-9/²³]{0,7})?(?:\)|\s*-)?",
    re.IGNORECASE,
)
CURRENCIES = "$€£¥₹"
# Units that are understood when all cells of a column have the same one; others have to be named.
MASS = {"mg": 1e-6, "g": 1e-3, "kg": 1.0, "lb": 0.45359237, "lbs": 0.45359237, "oz": 0.028349523125}
LENGTH = {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "km": 1e3, "in": 0.0254, "ft": 0.3048}
VOLUME = {"ml": 1e-3, "mL": 1e-3, "dl": 0.1, "dL": 0.1, "l": 1.0, "L": 1.0}
TIME = {"s": 1.0, "sec": 1.0, "min": 60.0, "h": 3600.0, "hr": 3600.0, "hrs": 3600.0, "d": 86400.0, "days": 86400.0}
SCALES = (MASS, LENGTH, VOLUME, TIME)
_ALONE = (
    "°C °F mmHg bpm kcal kJ Hz kHz W kW V A ppm years yrs months weeks mg/dl mg/dL mmol/l mmol/L µmol/L umol/L g/dl "
    "g/dL g/L U/L IU/L mg/L µg/L ug/L ng/ml ng/mL pg/mL kg/m2 kg/m² m/s km/h mph EUR USD GBP CHF"
)
KNOWN_UNITS = frozenset(unit for scale in SCALES for unit in scale) | frozenset(_ALONE.split())
FLAGS = frozenset({"*", "**", "***", "†", "‡", "#", "H", "L", "HH", "LL"})  # of laboratories: high, low, see below
UNIT = re.compile(r"\d\s*([^\W\d_]\S*|°\S+)$")  # whatever it may be
NEGATIVE = {"parentheses": re.compile(r"\(\s*([^-(]*\d[^-(]*)\)"), "behind": re.compile(r"([^-]*\d)\s*-")}
# A single letter counts as a unit behind a space only: 3A, 4A and 5A are wards.
_TAIL = re.compile(r"\d\.?(?:\s*([^\W\d_]\S+|°\S+)|\s+([^\W\d_]))$")
CENSORED = re.compile(r"\s*([<>≤≥]=?)\s*(?=[\d.,+-])")
_PLAIN = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_SPACES = " '’\u00a0\u202f"  # between thousands, besides commas and points
Place = Callable[[int], tuple[str, int]]  # of a cell's position: ("line", 3) of a file or ("row", 2) of a data frame


def leading_zeros(labels: Sequence[str]) -> str | None:
    """A whole number that is written as 01234, if there is one and all labels are made of digits."""
    if not all(label.isdecimal() for label in labels):
        return None
    return next((label for label in labels if _LEADING_ZERO.fullmatch(label)), None)


def turned_negative(cell: str) -> str:
    """How an accountant wrote that this number is negative: "parentheses" as in (5), "behind" as in 5-, or empty."""
    return next((way for way, pattern in NEGATIVE.items() if pattern.fullmatch(cell.strip())), "")


def negative_option(name: str, cell: str) -> str:
    """How to say that cells such as this one are negative."""
    way = turned_negative(cell)
    return option("negative", name) if way == "parentheses" else column_option("negative", name, way)


def measured(labels: Sequence[str]) -> str | None:
    """An example, if most labels are a number with something beside it, such as `12 kg` or `<0.5`."""
    return _example(labels, lambda label: _MEASURED.fullmatch(label) is not None)


def dated(labels: Sequence[str]) -> str | None:
    """An example, if most labels are dates or times."""
    return _example(labels, is_dated)


def _example(labels: Sequence[str], fits: Callable[[str], bool]) -> str | None:
    if not labels or (not fits(labels[len(labels) // 2]) and not fits(labels[0])):
        return None
    fitting = [label for label in labels if fits(label)]
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
NO_NUMBER = re.compile(r"[^\W\deE]|[<>=/:;]|\d\s*[-+]\s*\d")  # what no notation has
_ANY = re.compile(
    rf"[+-]?(?:{_SIGN}\s*)?(?:{'|'.join(notation.body for notation in _NOTATIONS)})\s*(?:%|{_SIGN})?", re.ASCII
)


def known_unit(cell: str) -> str:
    """The unit behind the number in this cell, if there is one that is well known."""
    tail = _TAIL.search(cell)
    unit = (tail[1] or tail[2]) if tail is not None else ""
    return unit if unit in KNOWN_UNITS else ""


def grouped_by_points(cells: pl.Series) -> str:
    """A cell such as 2.365, if all numbers with a point have just three digits behind it: it may mark thousands."""
    import polars as pl

    numbers = cells.filter(cells.cast(pl.Float64, strict=False).is_not_null())
    points = numbers.filter(numbers.str.contains(".", literal=True))
    if not len(points) or not numbers.str.contains(r"^\s*[+-]?(?:[1-9]\d{0,2}\.\d{3}|\d{1,3})\s*$").all():
        return ""
    return str(points[0])


def may_be_numbers(labels: Sequence[str]) -> bool:
    """Whether no label rules out that all are numbers in one notation."""
    unit = known_unit(labels[0].strip()) if labels else ""
    if unit and not all(label.rstrip().endswith(unit) for label in labels):
        return False
    bare = (label.rstrip().removesuffix(unit) for label in labels)
    return all(any(sign.isdigit() for sign in label) and not NO_NUMBER.search(label) for label in bare)


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
    notes = [left_out, "thousands marks left out" if fits[0].marks else DECIMAL_COMMAS]
    return Spelled(fits[0].plain(bare).cast(pl.Float64), ", ".join(note for note in notes if note))


def _without_sign(cells: pl.Series) -> tuple[pl.Series, str]:
    """The cells without the percent sign, currency or unit that all of them have, and what to say about it."""
    first = next((cell for cell in cells.head(1000).drop_nulls()), "")
    if first.endswith("%") and cells.str.ends_with("%").all():
        return cells.str.replace(r"\s*%$", ""), "percent signs left out"
    for sign in CURRENCIES:
        before, after = rf"^([+-]?){re.escape(sign)}\s*", rf"\s*{re.escape(sign)}$"
        for pattern, rest in ((before, "${1}"), (after, "")):
            if re.search(pattern, first) and cells.str.contains(pattern).all():
                return cells.str.replace(pattern, rest), f"the sign {sign} left out"
    if unit := known_unit(first):
        pattern = rf"(\d|\.)\s*{re.escape(unit)}$"
        if cells.str.contains(pattern).all():
            return cells.str.replace(pattern, "${1}"), f"the unit {unit} left out"
    return cells, ""


def _ambiguous(name: str, cells: pl.Series) -> ColumnError:
    """1,234 is 1.234 in one country and 1234 in another; only a semicolon file says which."""
    example = min(cell for cell in cells.drop_nulls().unique().to_list() if "," in cell)
    thousands, decimal = column_option("thousands", name, "comma"), column_option("decimal", name, "comma")
    return ColumnError(
        f"column {name!r} has cells such as {example!r} whose comma may mark decimals or thousands; say which with "
        f"{thousands} or {decimal}, or make every value a level with {option('discrete', name)}",
        f"the comma of {example!r} may mark decimals or thousands: --thousands or --decimal",
    )


def _mixed(name: str, cells: pl.Series, comma: int, point: int, place: Place) -> ColumnError:
    """999,0 beside 1.000: decimals in one of them at least, and nothing says in which."""
    first, second = sorted((place(comma), place(point)), key=lambda found: found[1])
    cell = {place(comma): cells[comma], place(point): cells[point]}
    found = " and ".join(f"{cell[where]!r} in {where[0]} {where[1]}" for where in (first, second))
    return ColumnError(
        f"column {name!r} has both commas and points as marks in its numbers ({found}), and nothing tells which of "
        f"them marks the decimals; if both do, say so with {column_option('decimal', name, 'either')}, else write all "
        f"with a decimal point, or make every value a level with {option('discrete', name)}",
        f"both commas and points mark decimals, or one of them thousands: {found}",
    )
