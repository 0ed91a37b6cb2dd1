"""Discretizers choose thresholds from the data alone; policy scores judge them by the network around a column."""

from arcwise.data.discretization import Discretization
from arcwise.discretize.auto import Auto
from arcwise.discretize.chen import Chen
from arcwise.discretize.distinct import Distinct
from arcwise.discretize.equal_frequency import EqualFrequency
from arcwise.discretize.equal_width import EqualWidth
from arcwise.discretize.freedman_diaconis import FreedmanDiaconis
from arcwise.discretize.friedman import Friedman
from arcwise.discretize.hartemink import Hartemink
from arcwise.discretize.monti import Monti
from arcwise.discretize.optimal import Optimal
from arcwise.discretize.refine import refine
from arcwise.discretize.scott import Scott
from arcwise.discretize.steck import Steck
from arcwise.discretize.sturges import Sturges
from arcwise.discretize.top_down import TopDown

__all__ = [
    "Auto",
    "Chen",
    "Discretization",
    "Distinct",
    "EqualFrequency",
    "EqualWidth",
    "FreedmanDiaconis",
    "Friedman",
    "Hartemink",
    "Monti",
    "Optimal",
    "Scott",
    "Steck",
    "Sturges",
    "TopDown",
    "refine",
]
