"""The race: what is hopeless is dropped early, what is good stays, and what fails is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from arcwise import catalog, networks
from arcwise.errors import DataError
from arcwise.graph.dag import Dag
from arcwise.judging.folds import Folds
from arcwise.judging.racing import Heat, Runner, leader, race, standing
from arcwise.parts.monitor import SILENT
from arcwise.parts.spec import to_spec
from arcwise.problem import Answer, Problem
from tests.contract.test_stopped import StopAfter


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """Learns no edge."""

    kind: ClassVar[str] = "nothing"

    def solve(self, problem):
        return Answer(Dag(problem.names, []))


@dataclass(frozen=True, kw_only=True)
class Failing(Nothing):
    """Fails from the second fold on."""

    kind: ClassVar[str] = "failing"

    def solve(self, problem):
        if problem.rng.random() != np.random.default_rng(0).random() and problem.data.n_rows > 0:
            raise DataError("column 'x' is not to its taste")
        return super().solve(problem)


def linear(n_rows):
    net = networks.random_gaussian_network(networks.random_dag(6, n_edges=7, seed=3), seed=3)
    return net.sample(n_rows, 3)


def runners(*learners):
    return [Runner(name, learner, to_spec(learner)) for name, learner in learners]


def run(those, data, heats, monitor=SILENT):
    problem = Problem.of(data, rng=np.random.default_rng(0), monitor=monitor)
    return race(those, problem, Folds.of(data, 4, 1), heats, 1)


FOLDS = [Heat(k, 10_000, 10_000, 2.0) for k in range(4)]
LOOK = Heat(0, 100, 10_000, 4.0, first=True)
GAUSSIAN = ("gaussian", catalog.METHODS["gaussian"].learner)
CLIMB = ("hill-climb", catalog.METHODS["hill-climb"].learner)


def test_the_hopeless_is_dropped_and_the_good_one_kept():
    those = runners(("nothing", Nothing()), GAUSSIAN, CLIMB)
    assert run(those, linear(600), FOLDS)
    assert those[0].fate == "dropped"
    assert len(those[0].trials) == 1
    assert all(len(one.trials) == 4 for one in those[1:] if one.fate == "lost")
    winner = leader(those)
    assert winner is not None
    assert winner.name in ("gaussian", "hill-climb")
    found = standing(those, winner)
    assert [found[0].fate, found[-1].name] == ["won", "nothing"]
    assert found[0].gap == 0.0
    assert found[-1].gap > 0.1
    assert [one.gap for one in found] == sorted(one.gap for one in found)


def test_the_first_look_drops_only_what_is_far_behind():
    those = runners(("nothing", Nothing()), GAUSSIAN)
    assert run(those, linear(2000), [LOOK, *FOLDS])
    assert those[0].fate == "dropped"
    assert not those[0].trials
    found = standing(those, those[1])
    assert found[1].folds == 0
    assert found[1].gap > 0.1  # by the first look
    assert not those[1].trials  # alone there is nothing left to decide
    assert found[0].density > found[1].density


def test_equal_ones_are_not_dropped_and_the_first_wins():
    those = runners(GAUSSIAN, ("again", GAUSSIAN[1]))
    assert run(those, linear(300), FOLDS)
    assert [len(one.trials) for one in those] == [4, 4]
    assert leader(those) is those[0]


def test_what_fails_is_told_and_last():
    those = runners(("failing", Failing()), ("nothing", Nothing()))
    assert run(those, linear(100), FOLDS)
    found = standing(those, leader(those))
    assert [one.name for one in found] == ["nothing", "failing"]
    assert found[1].fate == "failed"
    assert found[1].reason == "column 'x' is not to its taste"
    assert leader(runners(("failing", Failing()))) is None
    assert [one.name for one in standing(those, those[0])] == ["failing", "nothing"]  # the winner is first, always


@pytest.mark.parametrize("times", [0, 1, 3, 8, 20])
def test_stopped_at_any_moment_it_has_what_it_had(times):
    those = runners(("nothing", Nothing()), GAUSSIAN)
    ended = run(those, linear(300), FOLDS, StopAfter(times))
    if not ended:
        assert min(len(one.trials) for one in those) < 4
    winner = leader(those)
    assert (winner is None) == (not any(one.trials for one in those))
    if winner is not None:
        assert standing(those, winner)[0].name == winner.name
