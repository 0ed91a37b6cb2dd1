"""Words in a column of numbers or dates, which mean missing or nobody knows what."""

from __future__ import annotations

from typing import Any

from arcwise.data.findings.finding import Finding, Severity
from arcwise.data.findings.view import View, shortened
from arcwise.data.missing import looks_missing
from arcwise.data.times import NO_DATE
from arcwise.printing import counted, listed

UNKNOWN = frozenset({"unknown", "not known", "n/k", "nk", "n.d.", "nd", "not done", "not measured", "pending", "tbd"})


def words_among(view: View, fits: Any, others: str) -> list[Finding]:
    """Cells that are none of what the others are: no numbers among many that are, or no dates."""
    words = [label for label, fit in zip(view.labels, fits, strict=True) if not fit]
    if not words:
        return []
    void = all(_is_void(word.strip()) for word in words)
    what, n = listed([shortened(word) for word in words]), counted(view.count(~fits), "cell")
    return [
        Finding(
            "missing-word" if void else "mixed-cells",
            view.name,
            Severity.SETTLE,
            f"{what} among {others}, in {n}, first in row {view.row(~fits) + 1:,}",
            f"take {'it' if len(words) == 1 else 'them'} as missing",
            {"na": tuple(words)},
        )
    ]


def _is_void(word: str) -> bool:
    return looks_missing(word) or word.casefold() in UNKNOWN or NO_DATE.fullmatch(word) is not None
