"""Learners that ask independence tests. Each is a frozen dataclass of options with a `learn` method."""

from arcwise.constraint.max_min.max_min import MMPC, PMMS
from arcwise.constraint.pc.pc import PC
from arcwise.constraint.tpda.tpda import TPDA

__all__ = ["MMPC", "PC", "PMMS", "TPDA"]
