"""Which marks stand between thousands and before decimals, as far as the numbers of a column tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

SPACES = " \u00a0\u202f"
_KINDS = {",": ",", ".": ".", " ": SPACES, "'": "'’"}


class Marks(NamedTuple):
    """decimal, thousands: empty where there is none. sure: how far the cells leave a choice."""

    decimal: str
    thousands: str
    sure: Literal["plain", "sure", "guess", "none"]


def find_marks(bodies: Sequence[str], *, semicolons: bool = False) -> Marks:
    """The notation that all of these unsigned numbers have; with semicolons a single comma marks decimals."""
    fits = [
        (decimal, thousands)
        for thousands in ("", ",", ".", " ", "'")
        for decimal in (".", ",", ",.")
        if thousands not in decimal or not thousands
        if _is_used(bodies, decimal, thousands) and _fits(bodies, decimal, thousands)
    ]
    if not fits:
        return Marks("", "", "none")
    if (".", "") in fits:
        return Marks("", "", "plain")
    if len(fits) == 1:
        return Marks(*fits[0], "sure")
    if semicolons and (",", "") in fits:
        return Marks(",", "", "sure")
    # 1,234 may be decimals, too, but nobody writes just three of them everywhere; a mark twice in one number is none.
    grouped = [pair for pair in fits if pair[1]]
    proven = [pair for pair in grouped if _is_proven(bodies, pair[1])]
    best = (proven or grouped or fits)[0]
    return Marks(*best, "sure" if proven else "guess")


def _is_used(bodies: Sequence[str], decimal: str, thousands: str) -> bool:
    """Marks that do not occur explain nothing; but decimals need a mark, and it is a comma beside points."""
    usual = "," if thousands == "." else "."
    needed = [*(decimal if decimal != usual else ""), *([thousands] if thousands else [])]
    return all(any(sign in body for body in bodies for sign in _KINDS[mark]) for mark in needed)


def _fits(bodies: Sequence[str], decimal: str, thousands: str) -> bool:
    point = f"[{re.escape(decimal)}]"
    grouped = rf"[1-9]\d{{0,2}}(?:[{re.escape(_KINDS[thousands])}]\d{{3}})+|" if thousands else ""
    number = re.compile(rf"(?:(?:{grouped}\d+)(?:{point}\d*)?|{point}\d+)", re.ASCII)
    return all(number.fullmatch(body) for body in bodies)


def _is_proven(bodies: Sequence[str], thousands: str) -> bool:
    """Whether some number has the mark twice, or beside another."""
    signs = _KINDS[thousands]
    return any(
        sum(body.count(sign) for sign in signs) > 1
        or (any(sign in body for sign in signs) and any(mark in body for mark in ",." if mark not in signs))
        for body in bodies
    )
