"""What is odd about the levels of a column: spellings, words for missing, too many or too few rows for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwise.data.dataset import Kind
from arcwise.data.findings.finding import Finding, Severity
from arcwise.data.findings.view import shortened
from arcwise.data.kinds import Typed
from arcwise.data.missing import looks_missing
from arcwise.data.notation import leading_zeros
from arcwise.data.reading.raw import Origin
from arcwise.data.spellings import alike, by_key, meant
from arcwise.printing import counted, listed

RARE = 5  # rows; a level with fewer tells next to nothing
RARE_ROWS = 50  # of the table, with fewer of them every level is rare
MANY = 20
ROWS_EACH = 5
SHOWN_GROUPS = 3


def about_words(column: Typed) -> list[Finding]:
    """Levels that mean missing, and spellings of one level."""
    if column.kind is not Kind.DISCRETE or column.origin not in (Origin.TEXT, Origin.CATEGORY):
        return []
    rows = np.bincount(column.present(), minlength=len(column.labels))
    found = [_missing_words(column, rows), _spellings(column, rows), _codes(column)]
    return [finding for finding in found if finding is not None]


def about_levels(column: Typed) -> list[Finding]:
    """Levels with few rows, and too many of them."""
    if column.kind is not Kind.DISCRETE or not column.labels:
        return []
    rows = np.bincount(column.present(), minlength=len(column.labels))
    found = [_many(column, rows), _rare(column, rows)]
    return [finding for finding in found if finding is not None][:1]


def _missing_words(column: Typed, rows: Any) -> Finding | None:
    words = tuple(label for label in column.labels if looks_missing(label))
    if not words or len(words) == len(column.labels):
        return None
    n = int(sum(rows[column.labels.index(word)] for word in words))
    evidence = f"{' and '.join(map(repr, words))} in {counted(n, 'row')}, read as a level"
    return Finding("missing-word", column.name, Severity.CHANGES, evidence, "take it as missing", {"na": words})


def _spellings(column: Typed, rows: Any) -> Finding | None:
    count = dict(zip(column.labels, rows.tolist(), strict=True))
    groups = {
        key: sorted(group, key=lambda label: (-count[label], label)) for key, group in by_key(column.labels).items()
    }
    others = meant(groups, {key: sum(count[label] for label in group) for key, group in groups.items()})
    told = [" and ".join(f"{label!r} ({count[label]:,})" for label in group) for group in alike(groups)]
    for full in dict.fromkeys(others.values()):
        short = [label for key, other in others.items() if other == full for label in groups[key]]
        told.append(" and ".join(f"{label!r} ({count[label]:,})" for label in short) + f" for {groups[full][0]!r}")
    if not told:
        return None
    more = f"; and {len(told) - SHOWN_GROUPS:,} more" if len(told) > SHOWN_GROUPS else ""
    return Finding(
        "spelling",
        column.name,
        Severity.CHANGES,
        "; ".join(told[:SHOWN_GROUPS]) + more,
        "make one level of each",
        {"merge": {label: groups[full][0] for key, full in others.items() for label in groups[key]}},
    )


def _codes(column: Typed) -> Finding | None:
    code = leading_zeros(column.labels) if column.origin is Origin.TEXT and not column.declared else None
    if code is None:
        return None
    evidence = f"{counted(len(column.labels), 'code')} such as {code!r}, which would lose the zero as numbers"
    return Finding(
        "leading-zeros", column.name, Severity.NOTE, evidence, "keep them as levels", {"kind": Kind.DISCRETE.value}
    )


def _many(column: Typed, rows: Any) -> Finding | None:
    n, levels = int(rows.sum()), int((rows > 0).sum())
    if levels <= MANY or levels * ROWS_EACH <= n:
        return None
    evidence = f"{counted(levels, 'level')} in {counted(n, 'row')}, fewer than {ROWS_EACH} rows each"
    return Finding("many-levels", column.name, Severity.CHANGES, evidence, "merge levels, or leave the column out")


def _rare(column: Typed, rows: Any) -> Finding | None:
    if rows.sum() < RARE_ROWS:
        return None
    rare = [label for label, n in zip(column.labels, rows, strict=True) if 0 < n < RARE]
    if not rare:
        return None
    told = [f"{shortened(label)} ({rows[column.labels.index(label)]})" for label in rare]
    evidence = f"{counted(len(rare), 'level')} with fewer than {RARE} rows: {listed(told)}"
    return Finding("rare-levels", column.name, Severity.NOTE, evidence, "merge them with others, if that makes sense")
