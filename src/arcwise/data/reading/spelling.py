"""What text looks like: codes with leading zeros, numbers with a unit, dates."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST = 0.8  # of the labels must look like it
_LEADING_ZERO = re.compile(r"0\d+", re.ASCII)
_MEASURED = re.compile(
    r"[(<>~≈=]*\s*[+-]?\s*[$€£¥₹]?\s*\d[\d.,']*\s*(?:%|[$€£¥₹°µa-z][a-z0-9/²³]{0,7})?\)?", re.IGNORECASE
)
_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[ T]\d{1,2}:\d{2}.*)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?"
)


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
