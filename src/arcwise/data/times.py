"""Dates and times as numbers: days since an origin, or seconds of the day or of a duration.

A date is written with its year first (2024-03-01), its day first (1.3.2024, 1/3/2024) or its month first (3/1/2024), or
with the name of its month. Which of the last two a column means is known from its cells if one of them fits one order
only; else somebody has to say it. A year of four digits in front leaves no doubt, so it may stand in such columns, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from math import inf, isnan, nan
from typing import Literal

from arcwise.errors import OptionError, unknown_name

Order = Literal["year-first", "day-first", "month-first", "times", "durations"]
ORDERS: tuple[Order, ...] = ("year-first", "day-first", "month-first", "times", "durations")
CLOCKS = ("times", "durations")  # which become seconds
SECONDS = 86400.0  # of a day
PIVOT = 68  # two digits up to here are years of this century, as POSIX has it
SHORT_YEARS = "years of two digits as 1969 to 2068"
SOON = date(2045, 1, 1).toordinal()  # births and events later than this were in the last century
# What databases and spreadsheets write where no date is known.
NO_DAYS = frozenset(date(*day).toordinal() for day in ((1753, 1, 1), (1899, 12, 30), (1900, 1, 1), (1970, 1, 1)))
FOR_EVER = date(9999, 1, 1).toordinal()
NO_DATE = re.compile(r"0000[-/.]00[-/.]00.*|00[-/.]00[-/.]0000.*")
# By their first letters, as English has them.
_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTHS = {name: 1 + k for k, name in enumerate(_NAMES)}
_MARK = r"\s*[-/. ]\s*"
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}(?:\.\d+)?))?\s*(?P<half>[ap]\.?m\.?)?"
_ZONE = r"(?:\s*(?P<zone>Z|[+-]\d{2}:?\d{2}))?"
_BEHIND = rf"(?:[T\s,]\s*{_CLOCK}{_ZONE})?"
_NAMED = r"(?P<word>[a-z]{3,9})\.?"
_PATTERNS: dict[str, tuple[re.Pattern[str], ...]] = {
    order: tuple(re.compile(rf"\s*{one}{behind}\s*", re.IGNORECASE | re.ASCII) for one in patterns)
    for order, behind, patterns in (
        (
            "year-first",
            _BEHIND,
            (
                rf"(?P<year>\d{{4}}){_MARK}(?P<month>\d{{1,2}}){_MARK}(?P<day>\d{{1,2}})",
                r"(?P<year>[12]\d{3})(?P<month>\d{2})(?P<day>\d{2})",
            ),
        ),
        (
            "day-first",
            _BEHIND,
            (
                rf"(?P<day>\d{{1,2}}){_MARK}(?P<month>\d{{1,2}}){_MARK}(?P<year>\d{{4}}|\d{{2}})",
                rf"(?P<day>\d{{1,2}}){_MARK}{_NAMED}(?:{_MARK}|,\s*)(?P<year>\d{{4}}|\d{{2}})",
            ),
        ),
        (
            "month-first",
            _BEHIND,
            (
                rf"(?P<month>\d{{1,2}}){_MARK}(?P<day>\d{{1,2}}){_MARK}(?P<year>\d{{4}}|\d{{2}})",
                rf"{_NAMED}{_MARK}(?P<day>\d{{1,2}})(?:{_MARK}|,\s*)(?P<year>\d{{4}}|\d{{2}})",
            ),
        ),
        ("times", "", (_CLOCK,)),
        ("durations", "", (r"(?P<hours>\d+):(?P<minute>[0-5]\d)(?::(?P<second>\d{2}(?:\.\d+)?))?",)),
    )
}  # fmt: skip
for _order in ("day-first", "month-first"):
    _PATTERNS[_order] += _PATTERNS["year-first"]


def parse(cell: str, order: str) -> float:
    """A date as days since the year 1 with the time of day as a fraction, a time as seconds; NaN if it is none."""
    found = next((match for pattern in _PATTERNS[order] if (match := pattern.fullmatch(cell))), None)
    if found is None:
        return nan
    parts = found.groupdict()
    try:
        seconds = _seconds(parts)
        return seconds if order in CLOCKS else _day(parts).toordinal() + (seconds - _shift(parts)) / SECONDS
    except ValueError:  # the 30th of February
        return nan


def _day(parts: dict[str, str | None]) -> date:
    word, month, text = parts.get("word"), parts.get("month"), parts["year"] or ""
    number = MONTHS.get(word[:3].lower(), 0) if word else int(month or 0)
    year = int(text) if len(text) == 4 else int(text) + (2000 if int(text) <= PIVOT else 1900)
    return date(year, number, int(parts["day"] or 0))


def _seconds(parts: dict[str, str | None]) -> float:
    second = float(parts.get("second") or 0.0)
    if second >= 60:
        raise ValueError
    if parts.get("hours"):
        return int(parts["hours"] or 0) * 3600.0 + int(parts["minute"] or 0) * 60.0 + second
    if not parts.get("hour"):
        return 0.0
    hour, half = int(parts["hour"] or 0), (parts.get("half") or "").lower()
    if half:
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    clock = time(hour, int(parts["minute"] or 0))
    return clock.hour * 3600.0 + clock.minute * 60.0 + second


def _shift(parts: dict[str, str | None]) -> float:
    """Seconds by which the zone's clock is ahead of universal time."""
    zone = parts.get("zone")
    if not zone or zone in "zZ":
        return 0.0
    digits = zone[1:].replace(":", "")
    return (1.0 if zone[0] == "+" else -1.0) * (int(digits[:2]) * 3600.0 + int(digits[2:]) * 60.0)


def fitting_orders(cells: Iterable[str]) -> list[Order]:
    """The orders that all cells have, those asked first that leave no doubt; one cell mostly tells."""
    left = list(ORDERS)
    for cell in cells:
        left = [order for order in left if not isnan(parse(cell, order))]
        if not left:
            break
    return left


def is_dated(cell: str) -> bool:
    """Whether this is a date or a time in any order."""
    return any(not isnan(parse(cell, order)) for order in ORDERS)


def has_short_year(cell: str, order: str) -> bool:
    """Whether this date has only two digits of its year."""
    found = next((match for pattern in _PATTERNS[order] if (match := pattern.fullmatch(cell))), None)
    return found is not None and len(found.groupdict().get("year") or "1234") == 2


def doubtful_century(values: Sequence[float]) -> bool:
    """Whether dates whose years have two digits may be of another century: they go far, or are long from now."""
    return max(values) >= SOON or max(values) - min(values) >= 30 * 365


def no_days(values: Iterable[float]) -> set[float]:
    """Dates that stand for "none": of the year 9999, and 1900-01-01 and its like where all others are far from it."""
    days = {value for value in values if not isnan(value)}
    found = {value for value in days if value >= FOR_EVER}
    rest = sorted(days - found)
    while len(rest) > 2 and int(rest[0]) in NO_DAYS and rest[1] - rest[0] >= rest[-1] - rest[1]:
        found.add(rest.pop(0))
    return found if rest else set()


def first_day(values: Sequence[float]) -> str:
    """The first day among these, as 2024-03-01."""
    low = min((value for value in values if not isnan(value)), default=inf)
    return date.fromordinal(int(low)).isoformat() if low < inf else ""


def origin(since: str) -> int:
    """The day that days are counted from."""
    try:
        return date.fromisoformat(since).toordinal()
    except ValueError:
        raise OptionError(f"dates count from a day such as 2024-03-01, not {since!r}") from None


def read_order(text: str) -> tuple[str, str]:
    """(order, day to count from) of "day-first since 2024-01-01"; each may be left out."""
    order, _, since = (piece.strip() for piece in f" {text.strip()} ".partition(" since "))
    if order and order not in ORDERS:
        raise OptionError(unknown_name("order of dates", order, ORDERS))
    if since:
        origin(since)
    return order, since


def told(value: float, order: Order) -> str:
    """A parsed value as it is written best: 2024-03-01 or 14:30:00."""
    if order in CLOCKS:
        hours, seconds = divmod(round(value), 3600)
        return f"{hours}:{seconds // 60:02d}:{seconds % 60:02d}"
    moment = datetime.fromordinal(int(value)) + timedelta(seconds=round((value - int(value)) * SECONDS))
    return moment.isoformat(" ", "minutes") if value % 1 else moment.date().isoformat()
