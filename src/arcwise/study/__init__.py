"""Studies: many methods on many tables by a plan, kept as they are finished; the tables and figures made of them."""

from __future__ import annotations

from arcwise.study.plan import Plan, load, names
from arcwise.study.results import Results
from arcwise.study.runner import run

__all__ = ["Plan", "Results", "load", "names", "run"]
