"""The order that levels tell by their names: words of well-known scales, ranges of numbers, numbers in names.

The first two leave no doubt, so columns of them are read as ordered. Numbers in names, as in "stage 2", tell an order
only of columns that somebody says to be ordered: they may be codes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

LEAST_LEVELS = 3  # of two levels there is nothing to be learned from an order
# Of each scale the places from the lowest to the highest, and the words that mean a place.
SCALES: tuple[tuple[tuple[str, ...], ...], ...] = (
    (
        ("none", "zero", "absent"),
        ("extremely low", "lowest"),
        ("very low",),
        ("low",),
        ("medium", "middle", "mid", "med", "moderate", "normal", "average", "intermediate"),
        ("high",),
        ("very high",),
        ("extremely high", "highest"),
    ),
    (
        ("never",),
        ("almost never", "hardly ever", "very rarely"),
        ("rarely", "seldom"),
        ("sometimes", "occasionally"),
        ("often", "frequently"),
        ("usually", "very often", "mostly", "most of the time"),
        ("almost always",),
        ("always",),
    ),
    (
        ("not at all",),
        ("several days",),
        ("more than half the days", "over half the days"),
        ("nearly every day", "almost every day"),
    ),
    (
        ("strongly disagree", "completely disagree", "totally disagree", "fully disagree"),
        ("disagree",),
        ("somewhat disagree", "slightly disagree", "tend to disagree", "rather disagree"),
        ("neutral", "neither", "neither agree nor disagree", "undecided"),
        ("somewhat agree", "slightly agree", "tend to agree", "rather agree"),
        ("agree",),
        ("strongly agree", "completely agree", "totally agree", "fully agree"),
    ),
    (
        ("very dissatisfied", "very unsatisfied", "extremely dissatisfied"),
        ("dissatisfied", "unsatisfied"),
        ("somewhat dissatisfied", "slightly dissatisfied"),
        ("neutral", "neither", "neither satisfied nor dissatisfied"),
        ("somewhat satisfied", "slightly satisfied"),
        ("satisfied",),
        ("very satisfied", "extremely satisfied"),
    ),
    (
        ("very poor", "very bad", "terrible"),
        ("poor", "bad"),
        ("fair", "average", "acceptable", "ok", "okay", "satisfactory", "sufficient"),
        ("good",),
        ("very good",),
        ("excellent", "outstanding"),
    ),
    (
        ("tiny", "very small", "extra small"),
        ("small",),
        ("medium", "mid", "middle", "medium sized", "average"),
        ("large", "big"),
        ("very large", "very big", "extra large", "huge"),
    ),
    (
        ("none", "no", "absent", "normal"),
        ("minimal", "very mild", "trace"),
        ("mild", "slight"),
        ("moderate",),
        ("severe",),
        ("very severe", "extreme", "critical"),
    ),
    (
        ("not important", "unimportant", "not at all important"),
        ("slightly important", "somewhat important"),
        ("moderately important",),
        ("important",),
        ("very important",),
        ("extremely important",),
    ),
    (
        ("very unlikely",),
        ("unlikely",),
        ("possible", "neutral", "neither"),
        ("likely",),
        ("very likely",),
    ),
    (("much worse",), ("worse",), ("same", "the same", "about the same", "unchanged"), ("better",), ("much better",)),
    (("decreased", "decrease", "down"), ("unchanged", "same", "stable"), ("increased", "increase", "up")),
    (("negative",), ("neutral", "zero"), ("positive",)),
    (("below average",), ("average",), ("above average",)),
    (("very slow",), ("slow",), ("medium", "moderate", "normal", "average"), ("fast",), ("very fast",)),
    (
        ("very short",),
        ("short",),
        ("medium", "middle", "average", "normal"),
        ("long", "tall"),
        ("very long", "very tall"),
    ),
    (("very light",), ("light",), ("medium", "moderate", "normal", "average"), ("heavy",), ("very heavy",)),
    (("very weak",), ("weak",), ("medium", "moderate", "normal", "average"), ("strong",), ("very strong",)),
    (("cold",), ("cool",), ("mild", "moderate"), ("warm",), ("hot",)),
    (("beginner", "novice"), ("intermediate",), ("advanced",), ("expert",)),
    (("young",), ("middle aged", "middle"), ("old", "elderly")),
    (("primary", "elementary"), ("secondary",), ("tertiary",)),
    (("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th")),
)
_MOST_PLACES = max(map(len, SCALES))
_PLACES = tuple({word: place for place, words in enumerate(scale) for word in words} for scale in SCALES)

_NUMERAL = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?"
_SIGNED = rf"[+-]?{_NUMERAL}"
_END = rf"[+-]?(?:{_NUMERAL}|inf)"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.ASCII | re.IGNORECASE)


_BETWEEN = (  # 0-9, 0 to 9, (0, 9]
    _pattern(rf"({_NUMERAL})\s*[-–—]\s*({_NUMERAL})"),
    _pattern(rf"({_SIGNED})\s+to\s+({_SIGNED})"),
    _pattern(rf"[\[(]\s*({_END})\s*[,;]\s*({_END})\s*[\])]"),
)
_BELOW = _pattern(rf"(?:<=?|≤|(?:under|below|less than|up to)\s)\s*({_SIGNED})")
_ABOVE = (
    _pattern(rf"(?:>=?|≥|(?:over|above|more than)\s)\s*({_SIGNED})"),
    _pattern(rf"({_SIGNED})\s*(?:\+|(?:and|or)\s+(?:over|above|older|more|up))"),
)
_ONE = _pattern(f"({_SIGNED})")

# Digits, also with thousands marks and a fraction; a minus behind a digit is a dash: "5-9" has 5 and 9.
_NUMBER = re.compile(r"(?:(?<![\d.,])[-−])?(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d+)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"\d,(?!\d{3}(?!\d))\d", re.ASCII)
_LESS, _MORE = ("<", "≤"), (">", "≥")


class Told(NamedTuple):
    """labels: in their order. by: what tells it, "scale" or "ranges"."""

    labels: tuple[str, ...]
    by: str


def order_told(labels: Sequence[str]) -> Told | None:
    """The order of three levels or more of which nobody has said anything; None where a doubt is left."""
    if len(labels) < LEAST_LEVELS:
        return None
    if (found := scale_order(labels)) is not None:
        return Told(found, "scale")
    found = range_order(labels)
    return None if found is None else Told(found, "ranges")


def stand_in_order(labels: Sequence[str]) -> bool:
    """Whether the labels as they are listed are in an order that they tell; two always are."""
    listed = tuple(labels)
    if len(listed) < LEAST_LEVELS:
        return True
    if all(_ONE.fullmatch(label) for label in listed):
        return all(_number(a) < _number(b) for a, b in pairwise(listed))
    told = order_told(listed)
    return told is not None and told.labels in (listed, listed[::-1])


def any_order(labels: Sequence[str]) -> tuple[str, ...] | None:
    """The order of levels that somebody says to have one: by a scale, by ranges, or by the numbers in their names."""
    return scale_order(labels) or range_order(labels) or order_by_numbers(labels)


def scale_order(labels: Sequence[str]) -> tuple[str, ...] | None:
    """The labels in the order of the one scale that has all of them, each at a place of its own."""
    if len(labels) > _MOST_PLACES:
        return None
    words = [_word(label) for label in labels]
    for places in _PLACES:
        found = [places.get(word, -1) for word in words]
        if min(found, default=-1) >= 0 and len(set(found)) == len(found):
            return tuple(label for _, label in sorted(zip(found, labels, strict=True)))
    return None


def _word(label: str) -> str:
    """Whatever its case, and whatever stands between two words."""
    return " ".join(re.split(r"[\s_-]+", label.strip().casefold()))


def range_order(labels: Sequence[str]) -> tuple[str, ...] | None:
    """The labels in order where all are ranges of numbers ("0-9", "<5", "65+", "(5, 10]") that do not overlap.

    Single numbers may be among them, as in "0", "1-2", "3+".
    """
    found: list[tuple[_Span, str]] = []
    for label in labels:  # of text the first one mostly tells that it is none
        span = _range(label)
        if span is None:
            return None
        found.append((span, label))
    spans = sorted(found)
    if not any(span.low < span.high for span, _ in spans):
        return None
    apart = all(a.high <= b.low and (a.low, a.high) != (b.low, b.high) for (a, _), (b, _) in pairwise(spans))
    return tuple(label for _, label in spans) if apart else None


class _Span(NamedTuple):
    low: float
    high: float


def _range(label: str) -> _Span | None:
    text = label.strip().replace("−", "-")
    for pattern in _BETWEEN:
        if match := pattern.fullmatch(text):
            low, high = _number(match[1]), _number(match[2])
            return _Span(low, high) if low <= high else None
    if match := _BELOW.fullmatch(text):
        return _Span(-math.inf, _number(match[1]))
    for pattern in _ABOVE:
        if match := pattern.fullmatch(text):
            return _Span(_number(match[1]), math.inf)
    match = _ONE.fullmatch(text)
    return None if match is None else _Span(_number(match[1]), _number(match[1]))


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def order_by_numbers(labels: Sequence[str]) -> tuple[str, ...] | None:
    """The labels in the order of the numbers in them, None where these leave a doubt.

    The first number decides, and "< 5" comes before "5-9", "> 85" behind "85". The last ones must not contradict.
    """
    keys: list[tuple[float, int]] = []
    last: list[float] = []
    for label in labels:
        numbers = [float(text.replace(",", "").replace("−", "-")) for text in _NUMBER.findall(label)]
        if not numbers or _DECIMAL_COMMA.search(label):
            return None
        sign = label.strip()[:1]
        keys.append((numbers[0], (sign in _MORE) - (sign in _LESS)))
        last.append(numbers[-1])
    order = sorted(range(len(labels)), key=keys.__getitem__)
    rising = all(last[a] <= last[b] for a, b in pairwise(order))
    return tuple(labels[i] for i in order) if len(set(keys)) == len(keys) and rising else None
