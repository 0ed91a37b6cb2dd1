"""Dates and times as numbers: days since an origin, or seconds of the day.

A date is written with its year first (2024-03-01), its day first (1.3.2024, 1/3/2024) or its month first (3/1/2024), or
with the name of its month. Which of the last two a column means is known from its cells if one of them fits one order
only; else somebody has to say it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from math import inf, isnan, nan
from typing import Literal

from arcwise.errors import OptionError, unknown_name

Order = Literal["year-first", "day-first", "month-first", "times"]
ORDERS: tuple[Order, ...] = ("year-first", "day-first", "month-first", "times")
SECONDS = 86400.0  # of a day
PIVOT = 68  # two digits up to here are years of this century, as POSIX has it
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
    )
}  # fmt: skip


def parse(cell: str, order: str) -> float:
    """A date as days since the year 1 with the time of day as a fraction, or a time as seconds; NaN if it is none."""
    found = next((match for pattern in _PATTERNS[order] if (match := pattern.fullmatch(cell))), None)
    if found is None:
        return nan
    parts = found.groupdict()
    try:
        seconds = _seconds(parts)
        return seconds if order == "times" else _day(parts).toordinal() + (seconds - _shift(parts)) / SECONDS
    except ValueError:  # the 30th of February
        return nan


def _day(parts: dict[str, str | None]) -> date:
    word, month, text = parts.get("word"), parts.get("month"), parts["year"] or ""
    number = MONTHS.get(word[:3].lower(), 0) if word else int(month or 0)
    year = int(text) if len(text) == 4 else int(text) + (2000 if int(text) <= PIVOT else 1900)
    return date(year, number, int(parts["day"] or 0))


def _seconds(parts: dict[str, str | None]) -> float:
    if not parts.get("hour"):
        return 0.0
    hour, half = int(parts["hour"] or 0), (parts.get("half") or "").lower()
    if half:
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    second = float(parts.get("second") or 0.0)
    clock = time(hour, int(parts["minute"] or 0))
    if second >= 60:
        raise ValueError
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
    return any(pattern.fullmatch(cell) for patterns in _PATTERNS.values() for pattern in patterns)


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
    if order == "times":
        return str(timedelta(seconds=round(value)))
    moment = datetime.fromordinal(int(value)) + timedelta(days=value - int(value))
    return moment.isoformat(" ", "minutes") if value % 1 else moment.date().isoformat()
