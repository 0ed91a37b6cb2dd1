"""pgmpy: greedy search and PC, on levels or with linear relations and normal noise."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.study.peers.asked import Algorithm, Asked, Peer, View, library, pattern, seeded

ESS = 1.0
LEVEL = 0.01  # of significance; its default
TESTS = {"chi-square": "chi_square", "pearson": "pearsonr"}


@contextmanager
def _quietly() -> Iterator[Any]:
    """Its estimators; they tell what they take columns for, and warn of what will change."""
    logger = logging.getLogger("pgmpy")
    before = logger.level
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = library("pgmpy.estimators")
        logger.setLevel(logging.ERROR)
        try:
            yield found
        finally:
            logger.setLevel(before)


def _hill_climb(asked: Asked) -> Dag:
    with _quietly() as estimators, seeded(asked.seed):
        frame = asked.frame()
        score = {
            "bdeu": lambda: estimators.BDeu(frame, equivalent_sample_size=ESS),
            "bic": lambda: estimators.BIC(frame),
            "bic-g": lambda: estimators.BICGauss(frame),
        }[asked.by]()
        found = estimators.HillClimbSearch(frame).estimate(scoring_method=score, show_progress=False)
    return Dag(asked.names, found.edges())


def _pc(asked: Asked) -> Pdag:
    with _quietly() as estimators, seeded(asked.seed):
        found = estimators.PC(asked.frame()).estimate(
            ci_test=TESTS[asked.by], significance_level=LEVEL, n_jobs=1, show_progress=False
        )
    return pattern(asked.names, found.directed_edges, found.undirected_edges)


PEER = Peer(
    "pgmpy",
    {
        "hill-climb": Algorithm(
            "score",
            {"bdeu": (View.LEVELS, "cpt"), "bic": (View.LEVELS, "cpt"), "bic-g": (View.NUMBERS, "gaussian")},
            _hill_climb,
        ),
        "pc": Algorithm("test", {"chi-square": (View.LEVELS, "cpt"), "pearson": (View.NUMBERS, "gaussian")}, _pc),
    },
)
