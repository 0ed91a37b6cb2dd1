"""Discretizers: parts that choose thresholds for the continuous columns of a data set."""

from arcwise.data.discretization import Discretization
from arcwise.discretize.equal_frequency import EqualFrequency
from arcwise.discretize.equal_width import EqualWidth
from arcwise.discretize.freedman_diaconis import FreedmanDiaconis
from arcwise.discretize.scott import Scott
from arcwise.discretize.sturges import Sturges

__all__ = ["Discretization", "EqualFrequency", "EqualWidth", "FreedmanDiaconis", "Scott", "Sturges"]
