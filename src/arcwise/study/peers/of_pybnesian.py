"""PyBNesian: greedy search and PC with linear relations and normal noise, or on levels.

Its semiparametric networks need a driver for OpenCL, so they are not here.
"""

from __future__ import annotations

from typing import Any

from arcwise.data.dataset import Kind
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.study.peers.asked import Algorithm, Asked, Peer, View, library, pattern

ESS = 1.0
LEVEL = 0.01


def _start(asked: Asked, pbn: Any) -> Any:
    """A network without arcs, of the kind that the columns are."""
    kinds = {column.kind for column in asked.data.columns}
    if kinds == {Kind.CONTINUOUS}:
        return pbn.GaussianNetwork(list(asked.names))
    return pbn.DiscreteBN(list(asked.names)) if kinds == {Kind.DISCRETE} else pbn.CLGNetwork(list(asked.names))


def _hill_climb(asked: Asked) -> Dag:
    pbn = library("pybnesian")
    frame = asked.frame()
    score = {"bge": pbn.BGe, "bic": pbn.BIC, "bde": lambda own: pbn.BDe(own, ESS)}[asked.by](frame)
    found = pbn.GreedyHillClimbing().estimate(pbn.ArcOperatorSet(), score, _start(asked, pbn))
    return Dag(asked.names, [tuple(arc) for arc in found.arcs()])


def _pc(asked: Asked) -> Pdag:
    pbn = library("pybnesian")
    test = {"linear": pbn.LinearCorrelation, "chi-square": pbn.ChiSquare}[asked.by](asked.frame())
    found = pbn.PC().estimate(hypot_test=test, alpha=LEVEL)
    return pattern(asked.names, found.arcs(), found.edges())


PEER = Peer(
    "pybnesian",
    {
        "hill-climb": Algorithm(
            "score",
            {"bge": (View.NUMBERS, "gaussian"), "bic": (View.OWN, "gaussian"), "bde": (View.LEVELS, "cpt")},
            _hill_climb,
        ),
        "pc": Algorithm("test", {"linear": (View.NUMBERS, "gaussian"), "chi-square": (View.LEVELS, "cpt")}, _pc),
    },
)
