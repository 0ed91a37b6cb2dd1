"""When two scores count as equal. The same everywhere, so that rounding never decides."""

from __future__ import annotations

RELATIVE_TOLERANCE = 1e-9


def tolerance(score: float) -> float:
    """Scores near `score` that differ by no more than this are tied; an improvement must be larger."""
    return RELATIVE_TOLERANCE * (1.0 + abs(score))
