"""causal-learn: GES, BOSS and PC, with linear relations and normal noise or on levels."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwise.graph.pdag import Pdag
from arcwise.study.peers.asked import Algorithm, Asked, Peer, View, library, pattern, seeded

HALF = 0.5  # its penalty for an arc in log(rows): half of it is the BIC; the default of its BOSS is four times that
LEVEL = 0.01
TESTS = {"fisher-z": "fisherz", "chi-square": "chisq"}


def _pattern(asked: Asked, marks: Any) -> Pdag:
    """marks[i, j]: -1 for a tail at i of the edge between i and j, 1 for an arrowhead at i, 0 where there is none."""
    names = asked.names
    arcs = [(names[i], names[j]) for i, j in np.argwhere((marks != 0) & (marks.T == 1)).tolist()]
    tails = [(names[i], names[j]) for i, j in np.argwhere((marks == -1) & (marks.T == -1)).tolist() if i < j]
    return pattern(names, arcs, tails)


def _ges(asked: Asked) -> Pdag:
    searching = library("causallearn.search.ScoreBased.GES")
    score, parameters = {
        "bic": ("local_score_BIC", {"lambda_value": HALF}),
        "bdeu": ("local_score_BDeu", {"sample_prior": 1, "structure_prior": 1}),
    }[asked.by]
    with seeded(asked.seed):
        return _pattern(asked, searching.ges(asked.codes(), score, parameters=parameters)["G"].graph)


def _boss(asked: Asked) -> Pdag:
    searching = library("causallearn.search.PermutationBased.BOSS")
    with seeded(asked.seed):
        found = searching.boss(
            asked.codes(), "local_score_BIC_from_cov", parameters={"lambda_value": HALF}, verbose=False
        )
    return _pattern(asked, found.graph)


def _pc(asked: Asked) -> Pdag:
    searching = library("causallearn.search.ConstraintBased.PC")
    with seeded(asked.seed):
        found = searching.pc(asked.codes(), LEVEL, TESTS[asked.by], show_progress=False)
    return _pattern(asked, found.G.graph)


PEER = Peer(
    "causal-learn",
    {
        "ges": Algorithm("score", {"bic": (View.NUMBERS, "gaussian"), "bdeu": (View.LEVELS, "cpt")}, _ges),
        "boss": Algorithm("score", {"bic": (View.NUMBERS, "gaussian")}, _boss),
        "pc": Algorithm("test", {"fisher-z": (View.NUMBERS, "gaussian"), "chi-square": (View.LEVELS, "cpt")}, _pc),
    },
)
