"""Learners that ask independence tests. Each is a frozen dataclass of options with a `learn` method."""

from arcwise.constraint.mmpc import MMPC
from arcwise.constraint.pc import PC
from arcwise.constraint.pmms import PMMS
from arcwise.constraint.tpda import TPDA

__all__ = ["MMPC", "PC", "PMMS", "TPDA"]
