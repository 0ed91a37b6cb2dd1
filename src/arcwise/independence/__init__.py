"""Independence tests. Each is a frozen dataclass of options; `bind(data)` gives the object that computes."""

from arcwise.independence.by_kind import ByKind
from arcwise.independence.contingency import ChiSquared, GSquared
from arcwise.independence.information import GaussianInformation, Information, MutualInformation
from arcwise.independence.linear import FisherZ, LikelihoodRatio
from arcwise.independence.margaritis import MultiResolution, RecursiveMedian
from arcwise.independence.oracle import DSeparation, ExactInformation

__all__ = [
    "ByKind", "ChiSquared", "DSeparation", "ExactInformation", "FisherZ", "GSquared", "GaussianInformation",
    "Information", "LikelihoodRatio", "MultiResolution", "MutualInformation", "RecursiveMedian",
]  # fmt: skip
