"""What a score says for each edge of the network that a search found with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.dataset import Dataset, IntArray
from arcwise.parts.protocols import Modelled, Score, check_kinds, resolved

if TYPE_CHECKING:
    from arcwise.results.result import LearnResult

AGREES = 1e-6  # of a score: more than rounding, less than any edge
SLOW = "neural"  # a family is a training: a run that was stopped has no time for more of them


def support(found: LearnResult, score: Score | None, table: Dataset) -> dict[tuple[str, str], float]:
    """Nats that the total score falls when one edge of `found.graph` alone is left out, by (tail, head).

    All scores are log-likelihoods, or logarithms of probabilities, less a penalty, and the kernel score is N times an
    information: nats. Nothing is said where there is no such score: no search, no graph, or cells and states that
    were drawn, as then no table is at hand that the score is about. Nor where the network was scored otherwise than by
    this score on this table, as the total tells: by a part of the rows, or as far as a run came that was stopped.
    """
    if score is None or found.graph is None or found.score is None or found.completion or not table.is_complete:
        return {}
    cut = table if found.discretization is None else found.discretization.apply(table)
    used = resolved(score, cut)
    if found.status != "converged" and isinstance(used, Modelled) and used.model == SLOW:
        return {}
    dag = found.graph.reordered(sorted(found.graph.names))
    columns = cut.select(list(dag.names))
    check_kinds(score, columns)
    total, lost = 0.0, dict[tuple[str, str], float]()
    bound = score.bind(columns)
    for child, name in enumerate(dag.names):
        parents = list(dag.parent_positions[child])
        scores = bound.local_scores(child, _whole_and_without_each(parents))
        total += float(scores[0])
        for parent, without in zip(parents, scores[1:].tolist(), strict=True):
            lost[dag.names[parent], name] = float(scores[0]) - without
    agrees = abs(total - found.score) <= AGREES * (1.0 + abs(found.score))
    return {pair: nats for pair, nats in lost.items() if np.isfinite(nats)} if agrees else {}


def _whole_and_without_each(parents: list[int]) -> IntArray:
    """The set of these parents, then the set without the first of them, without the second, ...; padded with -1."""
    k = len(parents)
    sets = np.full((k + 1, k), -1, dtype=np.intp)
    sets[0] = parents
    for row in range(k):
        sets[row + 1, : k - 1] = parents[:row] + parents[row + 1 :]
    return sets
