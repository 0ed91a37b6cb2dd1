"""Discretizers choose thresholds from the data alone; policy scores judge them by the network around a column."""

from arcwise.data.discretization import Discretization
from arcwise.discretize.bins.distinct import Distinct
from arcwise.discretize.bins.equal_frequency import EqualFrequency
from arcwise.discretize.bins.equal_width import EqualWidth, FreedmanDiaconis, Scott, Sturges
from arcwise.discretize.hartemink.hartemink import Hartemink
from arcwise.discretize.loop.auto import Auto
from arcwise.discretize.loop.joint import joint_score
from arcwise.discretize.loop.refine import refine
from arcwise.discretize.policies.chen import Chen
from arcwise.discretize.policies.friedman import Friedman, TopDown
from arcwise.discretize.policies.monti import Monti
from arcwise.discretize.policies.optimal import Optimal
from arcwise.discretize.policies.steck import Steck

__all__ = [
    "Auto", "Chen", "Discretization", "Distinct", "EqualFrequency", "EqualWidth", "FreedmanDiaconis", "Friedman",
    "Hartemink", "Monti", "Optimal", "Scott", "Steck", "Sturges", "TopDown",
    "joint_score", "refine",
]  # fmt: skip
