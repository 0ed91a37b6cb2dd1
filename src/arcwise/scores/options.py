"""Checks shared by the scores' options."""

from __future__ import annotations

from math import isfinite, log
from typing import Literal

from arcwise.data.dataset import Kind
from arcwise.errors import OptionError

DISCRETE_ONLY = frozenset({Kind.DISCRETE})
SPARSE = "sparse"
CHANCE_ARCS = 0.1  # for each column, the most that "sparse" lets columns without relations have, on average

ArcPrior = float | Literal["sparse"]


def check_positive(option: str, value: float) -> None:
    if not (isfinite(value) and value > 0):
        raise OptionError(f"option {option!r} must be a number above 0, not {value!r}")


def check_arc_prior(kappa: ArcPrior) -> None:
    if kappa != SPARSE:
        check_positive("arc_prior", kappa)  # type: ignore[arg-type]


def log_arc_prior(kappa: ArcPrior, n_columns: int) -> float:
    """ln kappa: what each arc adds to the log score (Heckerman, Geiger and Chickering 1995; 1 means no prior).

    "sparse" is kappa = 2 CHANCE_ARCS / (n - 1). Under independence a Bayes factor for an arc has the mean 1, so it
    exceeds 1 / kappa with a probability of at most kappa (Markov's inequality), and the n (n - 1) / 2 pairs of n
    columns have at most CHANCE_ARCS n such arcs on average, however few the rows.
    """
    if isinstance(kappa, str):
        return log(2 * CHANCE_ARCS / (n_columns - 1)) if n_columns > 1 else 0.0
    return log(kappa)
