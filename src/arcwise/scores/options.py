"""Checks shared by the scores' options."""

from __future__ import annotations

from math import isfinite, log

from arcwise.data.dataset import Kind
from arcwise.errors import OptionError

DISCRETE_ONLY = frozenset({Kind.DISCRETE})


def check_positive(option: str, value: float) -> None:
    if not (isfinite(value) and value > 0):
        raise OptionError(f"option {option!r} must be a number above 0, not {value!r}")


def log_arc_prior(kappa: float) -> float:
    """ln kappa: what each arc adds to the log score (Heckerman, Geiger and Chickering 1995; 1 means no prior)."""
    check_positive("arc_prior", kappa)
    return log(kappa)
