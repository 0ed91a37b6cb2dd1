"""What a score says for each edge of the network that a search found with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.dataset import IntArray
from arcwise.graph.dag import Dag
from arcwise.parts.protocols import ALL_DISCRETE, BoundScore, Modelled, Score, resolved

if TYPE_CHECKING:
    from arcwise.problem import Answer, Problem

AGREES = 1e-6  # of a score: more than rounding, less than any edge
SLOW = "neural"  # a family is a training: a run that was stopped has no time for more of them


def support(problem: Problem, answer: Answer, score: Score | None) -> dict[tuple[str, str], float]:
    """Nats that the total score falls when one edge of the answer's graph alone is left out, by (tail, head).

    All scores are log-likelihoods, or logarithms of probabilities, less a penalty, and the kernel score is N times an
    information: nats. Nothing is said where there is no such score: no search, no graph, or cells and states that
    were drawn, as then no table is at hand that the score is about. Nor where the network was scored otherwise than by
    this score on this table, as the total tells: by a part of the rows, or as far as a run came that was stopped.
    """
    if problem.kept is None or score is None or answer.graph is None or answer.score is None or answer.completion:
        return {}
    used = resolved(score, problem.data if answer.discretization is None else ALL_DISCRETE)
    if answer.status != "converged" and isinstance(used, Modelled) and used.model == SLOW:
        return {}
    bound = problem.kept.get(score)
    if bound is None:
        cuts = answer.discretization
        bound = score.bind(problem.data if cuts is None else cuts.apply(problem.data))
    total, lost = without_each_edge(bound, answer.graph)
    agrees = abs(total - answer.score) <= AGREES * (1.0 + abs(answer.score))
    return {pair: nats for pair, nats in lost.items() if np.isfinite(nats)} if agrees else {}


def without_each_edge(bound: BoundScore, dag: Dag) -> tuple[float, dict[tuple[str, str], float]]:
    """The score of a network, and what it loses without each edge: one batch for each child.

    bound: to the columns of `dag` in its order.
    """
    total, lost = 0.0, dict[tuple[str, str], float]()
    for child, parents in enumerate(dag.parent_positions):
        scores = bound.local_scores(child, _whole_and_without_each(list(parents))).tolist()
        total += scores[0]
        for parent, without in zip(parents, scores[1:], strict=True):
            lost[dag.names[parent], dag.names[child]] = scores[0] - without
    return total, lost


def _whole_and_without_each(parents: list[int]) -> IntArray:
    """The set of these parents, then the set without the first of them, without the second, ...; padded with -1."""
    k = len(parents)
    sets = np.full((k + 1, k), -1, dtype=np.intp)
    sets[0] = parents
    for row in range(k):
        sets[row + 1, : k - 1] = parents[:row] + parents[row + 1 :]
    return sets
