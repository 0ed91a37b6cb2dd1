"""The discretize-and-learn loop on many columns: hasty searches until thresholds are found, then patient ones."""

import pytest

from arcwise import learn
from arcwise.discretize import Monti, Steck
from arcwise.learners import Integrated, integrated
from arcwise.networks import random_dag, random_gaussian_network
from arcwise.scores import BDeu
from arcwise.search import Boss, HillClimb
from arcwise.search.orders import nearby


@pytest.fixture
def wide(monkeypatch):
    monkeypatch.setattr(integrated, "WIDE", 12)
    monkeypatch.setattr(nearby, "WIDE", 12)


def table(seed, n=16, rows=300):
    dag = random_dag(n, seed=seed, expected_degree=3.0)
    return random_gaussian_network(dag, seed=seed).sample(rows, seed=seed)


SEARCH = Boss(score=BDeu(arc_prior="sparse"))


@pytest.mark.parametrize("policy", [Steck(), Monti()])
def test_patient_rounds_follow_hasty_ones(wide, policy):
    higher = 0
    for seed in range(4):
        found = learn(table(seed), Integrated(policy=policy, search=SEARCH), seed=1)
        longer = [i for i, step in enumerate(found.trace) if "searched longer" in step.action]
        assert len(longer) == 1
        rounds = [one.joint_score for one in found.rounds]
        assert max(rounds) >= max(rounds[: longer[0]])
        higher += max(rounds) > max(rounds[: longer[0]]) + 1e-6
        assert found.status == "converged"
    assert higher or policy == Monti()  # for which hasty ones were good enough here


def test_joint_scores_are_no_worse_than_with_cold_and_patient_searches(wide, monkeypatch):
    """Of some tables together; of one either may be."""
    loop, quick, slow = Integrated(search=SEARCH), 0.0, 0.0
    for seed in range(6):
        quick += max(one.joint_score for one in learn(table(seed), loop, seed=1).rounds)
    monkeypatch.setattr(integrated, "WIDE", 1000)
    monkeypatch.setattr(nearby, "WIDE", 1000)
    for seed in range(6):
        slow += max(one.joint_score for one in learn(table(seed), loop, seed=1).rounds)
    assert quick >= slow - 1e-4 * abs(slow)


def test_a_search_that_cannot_be_hasty_is_as_it_is(wide):
    found = learn(table(0), Integrated(search=HillClimb()), seed=1)
    assert not any("searched longer" in step.action for step in found.trace)


def test_the_answer_does_not_depend_on_threads(wide, monkeypatch):
    found = []
    for threads in "1", "2":
        monkeypatch.setenv("ARCWISE_THREADS", threads)
        found.append(learn(table(3), "steck", seed=1))
    assert found[0].graph == found[1].graph
    assert found[0].score == found[1].score
    assert found[0].discretization == found[1].discretization
