"""One thing that is odd about a table: what it is, how it is seen, and a change of reading that settles it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from arcwise.data.recipe import MARKS


class Severity(StrEnum):
    """How much it matters, the most first."""

    SETTLE = "must be settled"
    CHANGES = "changes the answer"
    NOTE = "worth knowing"


# What each code means, in a few words; the order is that of the page about messy tables.
CODES = {
    "thousands": "a mark between thousands, as in 1,234",
    "decimal-comma": "a comma before the decimals, as in 3,5",
    "mixed-notation": "numbers of one column written in different ways",
    "negative": "negative numbers in parentheses, as (5), or with their sign behind, as 5-",
    "percent": "percent signs",
    "unit": "a unit or currency beside the numbers",
    "flag": "a mark such as * or H beside some numbers",
    "censored": "limits such as <0.5 or >200 among the numbers",
    "mixed-cells": "words in a column of numbers",
    "text-numbers": "numbers that are stored as text",
    "date": "dates",
    "time": "times of day",
    "missing-word": "a word that means missing",
    "sentinel": "a number that means missing, such as -99",
    "zero-spike": "zeros far from all other values, or very many of them",
    "infinite": "infinite numbers",
    "spelling": "one level written in different ways",
    "leading-zeros": "codes with leading zeros",
    "row-number": "a number that counts the rows",
    "identifier": "a different value in every row",
    "hashed-id": "a hash or UUID in every row",
    "free-text": "sentences",
    "constant": "the same value in every row",
    "empty": "no value in any row",
    "copy": "a column that says the same as another",
    "near-copy": "a column that says nearly the same as another",
    "heavy-tail": "a few values far larger than most",
    "heaping": "round numbers far more often than others",
    "rare-levels": "levels with very few rows",
    "many-levels": "too many levels for the rows there are",
    "few-rows": "more columns than rows",
    "totals-row": "a last row with the totals of the others",
    "repeated-header": "the header line once more among the rows",
    "unnamed": "a column without a name",
    "repeated-name": "a name that two columns have",
    "unreadable": "a column that no reading fits",
    "new-column": "a column that the recipe does not know",
    "lost-column": "a column of the recipe that the table has not",
    "new-level": "a level that the recipe does not know",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """code: a short word that stays the same. column: its name, empty for the table as a whole.

    evidence: what was seen, in numbers, with examples. proposal: what to do, in words. change: the same as entries of
    the column's recipe, {"drop": True} to leave it out, {"name": ...} for what it is called, and empty where nothing is
    proposed.
    """

    code: str
    column: str
    severity: Severity
    evidence: str
    proposal: str = ""
    change: Mapping[str, Any] = field(default_factory=dict)

    def options(self) -> list[tuple[str, str]]:
        """The change as options of the command line: ("thousands", "price=comma")."""
        if self.change.get("drop"):
            return [("drop", self.column)]
        found: list[tuple[str, str]] = []
        for entry, value in self.change.items():
            found += [(flag, text) for flag, text in _as_options(entry, value, self.column)]
        return found

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "code": self.code,
            "column": self.column,
            "severity": self.severity.value,
            "evidence": self.evidence,
            "proposal": self.proposal,
            "change": {k: list(v) if isinstance(v, tuple) else v for k, v in self.change.items()},
        }


def _as_options(entry: str, value: Any, column: str) -> list[tuple[str, str]]:
    if entry == "kind":
        return [(value, column)]
    if entry in ("since", "name"):
        return []  # the first day of the same table; what only a recipe can say
    if entry == "na":
        return [("na", f"{column}={word}") for word in value]
    if entry == "units":
        return [
            ("units", f"{column}={unit}" + ("" if times == 1 else f":{times:.10g}")) for unit, times in value.items()
        ]
    if entry == "merge":
        return [("merge", f"{column}={short}->{level}") for short, level in value.items()] or [("merge", column)]
    words = {mark: word for word, mark in MARKS.items()}
    return [(entry, f"{column}={words.get(value, value) if entry in ('decimal', 'thousands') else value}")]
