"""The judge: the log density of rows that a method has not seen, in their original values, whatever it does inside.

In each fold everything is learned anew from the other rows: thresholds, states, network, numbers. Densities are those
of the network that `fitted` gives the method, ln p of what is recorded in a row, in nats. A column that never varies
has no density that could be compared, so it takes no part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwise.compiling import clock
from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.errors import DataError
from arcwise.judging.folds import Folds
from arcwise.networks.models.bars import Within
from arcwise.networks.models.fit import family_of
from arcwise.networks.network import Network
from arcwise.networks.streams import stream
from arcwise.parts.protocols import Learner
from arcwise.problem import Answer, Problem, result
from arcwise.results.result import LearnResult

WITHIN: Within = "kernel"


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """What a learner made of one fold.

    densities: of each held-out row; minus infinity where the network excludes it. answer: in the problem's columns.
    """

    densities: FloatArray
    answer: Answer
    seconds: float

    @property
    def stopped(self) -> bool:
        """Whether learning was broken off, so that the densities say little."""
        return self.answer.status != "converged"


def judge(
    learner: Learner,
    problem: Problem,
    folds: Folds,
    k: int,
    seed: int,
    most: int | None = None,
    most_held_out: int | None = None,
) -> Trial:
    """Learn from what is outside of fold k and give its rows their densities. most: rows of a sample that will do."""
    began = clock()
    train = folds.train(k, most)
    inner = replace(problem.on(train), rng=stream(seed, "fold", k), start=None)
    answer = learner.solve(inner)
    network = fitted(result(inner, answer, train.names, learner), train)
    owner = folds.owner[folds.held_out(k, most_held_out)]
    stored, copies = np.unique(owner, return_counts=True)
    test = replace(folds.table, weights=None).take(stored)
    found = network.log_density(test)
    for name in constant_columns(folds.table):
        found = found - network.log_density(test, name)
    if np.isnan(found).any() or np.isposinf(found).any():
        row = int(np.flatnonzero(np.isnan(found) | np.isposinf(found))[0])
        raise DataError(f"the network gives held-out row {row + 1} of fold {k + 1} no density")
    return Trial(np.repeat(found, copies), answer, clock() - began)


def fitted(found: LearnResult, data: Dataset) -> Network:
    """The network that a result is judged by: its own model, with columns that it cut smooth within their levels.

    How values lie between two thresholds is no part of what a method finds. Were they even there, methods without
    thresholds would win by the shapes of single columns alone, whatever they know about relations.
    """
    cuts = found.discretization is not None and found.model is not None and family_of(found.model).cuts
    return found.fit(data, within=WITHIN) if cuts else found.fit(data)


def constant_columns(data: Dataset) -> list[str]:
    """The continuous columns that never vary: the density of their one value is a matter of convention."""
    numbers = [column for column in data.columns if column.kind is Kind.CONTINUOUS]
    return [column.name for column in numbers if (column.recorded == column.recorded[:1]).all()]
