"""Learners that ask independence tests. Each is a frozen dataclass of options with a `learn` method."""

from arcwise.constraint.max_min.mmpc import MMPC
from arcwise.constraint.max_min.pmms import PMMS
from arcwise.constraint.pc.pc import PC
from arcwise.constraint.tpda.tpda import TPDA

__all__ = ["MMPC", "PC", "PMMS", "TPDA"]
