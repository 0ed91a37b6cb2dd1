"""pyAgrum: greedy search and MIIC on levels; numbers are cut by its own discretizer, at quantiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.study.peers.asked import Algorithm, Asked, Peer, View, library, pattern


def _cut(data: Dataset, bins: int) -> Discretization:
    """The inner ticks of its variables: a value on a tick belongs to the interval above, as with ours."""
    processing = library("pyagrum.lib.discreteTypeProcessor")
    numbers = data.select([column.name for column in data.columns if column.kind is Kind.CONTINUOUS])
    # With at most so many different values it takes a number for a level; 1 leaves all of them numbers.
    processor = processing.DiscreteTypeProcessor("quantile", bins, 1)
    template = processor.discretizedTemplate(numbers.to_pandas())
    return Discretization({name: np.array(template.variable(name).ticks()[1:-1]) for name in numbers.names})


def _learner(asked: Asked) -> Any:
    gum = library("pyagrum")
    gum.initRandom(asked.seed % 2**31)
    found = gum.BNLearner(asked.frame())
    found.setNumberOfThreads(1)
    return found


def _hill_climb(asked: Asked) -> Dag:
    learner = _learner(asked)
    if asked.by == "bdeu":
        learner.useScoreBDeu()
    else:
        learner.useScoreBIC()
    learner.useNoPrior()
    learner.useGreedyHillClimbing()
    names = learner.names()
    return Dag(asked.names, [(names[a], names[b]) for a, b in learner.learnDAG().arcs()])


def _miic(asked: Asked) -> Pdag:
    learner = _learner(asked)
    learner.useMIIC()
    if asked.by == "nml":
        learner.useNMLCorrection()
    else:
        learner.useMDLCorrection()
    names = learner.names()
    found = learner.learnPDAG()
    arcs, edges = ([(names[a], names[b]) for a, b in pairs] for pairs in (found.arcs(), found.edges()))
    return pattern(asked.names, arcs, edges)


PEER = Peer(
    "pyagrum",
    {
        "hill-climb": Algorithm(
            "score", {"bdeu": (View.LEVELS, "cpt"), "bic": (View.LEVELS, "cpt")}, _hill_climb, _cut
        ),
        "miic": Algorithm("test", {"nml": (View.LEVELS, "cpt"), "mdl": (View.LEVELS, "cpt")}, _miic, _cut),
    },
)
