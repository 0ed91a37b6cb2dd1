"""Independence tests. Each is a frozen dataclass of options; `bind(data)` gives the object that computes."""

from arcwise.independence.by_kind import ByKind
from arcwise.independence.chi_squared import ChiSquared
from arcwise.independence.exact import ExactInformation
from arcwise.independence.fisher_z import FisherZ
from arcwise.independence.g_squared import GSquared
from arcwise.independence.gaussian_information import GaussianInformation
from arcwise.independence.information import Information
from arcwise.independence.likelihood_ratio import LikelihoodRatio
from arcwise.independence.multi_resolution import MultiResolution
from arcwise.independence.mutual_information import MutualInformation
from arcwise.independence.oracle import DSeparation
from arcwise.independence.recursive_median import RecursiveMedian

__all__ = [
    "ByKind",
    "ChiSquared",
    "DSeparation",
    "ExactInformation",
    "FisherZ",
    "GSquared",
    "GaussianInformation",
    "Information",
    "LikelihoodRatio",
    "MultiResolution",
    "MutualInformation",
    "RecursiveMedian",
]
