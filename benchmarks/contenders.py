"""Methods with BDeu (equivalent sample size 1) in each library: data frame in, arcs out."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

Arcs = list[tuple[str, str]]
ESS = 1.0


def arcwise(frame: Any) -> Arcs:
    import arcwise

    return list(arcwise.learn(frame, "hill-climb", ess=ESS).graph.edges)


def arcwise_tabu(frame: Any) -> Arcs:
    """Not the same algorithm: it walks on past local optima. Here to show what the time saved can buy."""
    import arcwise

    return list(arcwise.learn(frame, "tabu", ess=ESS).graph.edges)


def pyagrum(frame: Any) -> Arcs:
    import pyagrum as gum

    learner = gum.BNLearner(frame)
    learner.useScoreBDeu()
    learner.useNoPrior()
    learner.useGreedyHillClimbing()
    names = learner.names()
    return [(names[a], names[b]) for a, b in learner.learnDAG().arcs()]


def pybnesian(frame: Any) -> Arcs:
    import pybnesian as pbn

    start = pbn.DiscreteBN(list(frame.columns))
    learned = pbn.GreedyHillClimbing().estimate(pbn.ArcOperatorSet(), pbn.BDe(frame, ESS), start)
    return [tuple(arc) for arc in learned.arcs()]


def pgmpy(frame: Any) -> Arcs:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.estimators import BDeu, HillClimbSearch

        score = BDeu(frame, equivalent_sample_size=ESS)
        # Its default keeps a tabu list of 100 operations; none makes it the plain greedy search of the others.
        learned = HillClimbSearch(frame).estimate(scoring_method=score, tabu_length=0, show_progress=False)
    return list(learned.edges())


def causal_learn(frame: Any) -> Arcs:
    """It has no hill climbing; GES with BDeu is its nearest. Undirected edges are given some direction."""
    import numpy as np
    from causallearn.search.ScoreBased.GES import ges

    codes = np.column_stack([frame[name].cat.codes for name in frame.columns]).astype(float)
    names = list(frame.columns)
    learned = ges(codes, score_func="local_score_BDeu", parameters={"sample_prior": ESS, "structure_prior": 1})
    graph = learned["G"].graph
    return [
        (names[j], names[i]) if graph[i, j] == 1 else (names[i], names[j])
        for i in range(len(names))
        for j in range(i)
        if graph[i, j] != 0
    ]


def _arcwise_with(method: str, **options: Any) -> Callable[[Any], Arcs]:
    """A graph of the class that the method found."""

    def run(frame: Any) -> Arcs:
        import arcwise

        return list(arcwise.learn(frame, method, **options).graph.edges)

    return run


def pgmpy_ges(frame: Any) -> Arcs:
    """Undirected edges in some direction that makes no new collider."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.estimators import GES, BDeu

        learned = GES(frame).estimate(scoring_method=BDeu(frame, equivalent_sample_size=ESS))
        return list(learned.to_dag().edges())


def pgmpy_mmhc(frame: Any) -> Arcs:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.estimators import BDeu, MmhcEstimator

        score = BDeu(frame, equivalent_sample_size=ESS)
        return list(MmhcEstimator(frame).estimate(scoring_method=score, significance_level=0.05).edges())


HILL_CLIMBERS: dict[str, Callable[[Any], Arcs]] = {
    "arcwise": arcwise,
    "arcwise, tabu": arcwise_tabu,
    "pyagrum": pyagrum,
    "pybnesian": pybnesian,
    "pgmpy": pgmpy,
    "causal-learn": causal_learn,
}
HYBRIDS: dict[str, Callable[[Any], Arcs]] = {
    "arcwise, mmhc": _arcwise_with("mmhc"),
    "arcwise, pmmhc": _arcwise_with("pmmhc"),
    "pyagrum": pyagrum,
    "pgmpy, mmhc": pgmpy_mmhc,
}
EQUIVALENCE: dict[str, Callable[[Any], Arcs]] = {
    "arcwise, ges": _arcwise_with("ges", score="bdeu"),
    "causal-learn": causal_learn,
    "pgmpy, ges": pgmpy_ges,
}
CONTENDERS = HILL_CLIMBERS | HYBRIDS | EQUIVALENCE
