"""A portfolio of searches: the best of them, what each reached, and how their options are set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.errors import OptionError
from arcwise.networks import load
from arcwise.parts.spec import option_paths, to_spec
from arcwise.scores import BIC, BDeu, GaussianBIC, total
from arcwise.search import GES, Best, Boss, HillClimb, Tabu


def run(learner, data, **arguments):
    return learner.learn(data, rng=np.random.default_rng(0), **arguments)


@pytest.mark.parametrize(
    ("name", "rows", "seed"), [("alarm", 300, 1), ("child", 500, 2), ("insurance", 400, 3), ("hailfinder", 300, 4)]
)
def test_it_is_at_least_as_good_as_each(name, rows, seed):
    table = load(name).sample(rows, seed)
    best = Best()
    result = run(best, table)
    ends = [(step.action, step.score) for step in result.trace if step.phase == "best of"]
    singly = [(f"{search.kind} ends", run(search, table).score) for search in best.of]
    assert [action for action, _ in ends] == [action for action, _ in singly]
    assert [score for _, score in ends] == pytest.approx([score for _, score in singly], rel=1e-12)
    assert result.score == pytest.approx(max(score for _, score in ends), rel=1e-12)
    told = " ".join(result.summary(details=True).split())
    assert f"boss {ends[0][1]:,.2f}; ges {ends[1][1]:,.2f}; tabu {ends[2][1]:,.2f}" in told
    assert result.score == pytest.approx(total(best.score, result.graph, table), rel=1e-11)


def test_scores_are_remembered_from_one_search_to_the_next():
    table = load("alarm").sample(300, 1)
    score = BDeu()
    pair = (Boss(score=score), Tabu(score=score))
    together = run(Best(of=pair), table).counters
    apart = [run(search, table).counters for search in pair]
    assert together.score_computed < sum(one.score_computed for one in apart)


def test_of_equal_ones_the_first_counts():
    table = load("child").sample(200, 1)
    result = run(Best(of=(HillClimb(), replace(HillClimb(), restarts=1))), table)
    assert result.graph == run(HillClimb(), table).graph


class StopIn:
    """Asks to stop when a search of the portfolio has ended."""

    def __init__(self):
        self.ended = False

    def report(self, progress):
        self.ended = self.ended or progress.phase == "best of"

    def should_stop(self):
        return self.ended


def test_stopped_between_searches_it_says_what_was_not_begun():
    table = load("child").sample(200, 1)
    result = run(Best(), table, monitor=StopIn())
    assert result.status == "stopped"
    assert any("tabu" in warning for warning in result.warnings)
    assert result.score == pytest.approx(run(Boss(), table).score)


def test_options_are_set_in_all_of_them_or_in_one():
    best = catalog.configure(Best(), {"score": "bic", "max_parents": 2, "of.boss.restarts": 7})
    assert [search.score for search in best.of] == [BIC()] * 3
    assert [search.max_parents for search in best.of] == [2] * 3
    assert option_paths(best)["of.boss.restarts"] == 7
    assert option_paths(best)["of"] == ("boss", "ges", "tabu")
    shorter = catalog.configure(Best(), {"of": "boss, hill-climb", "restarts": 4, "ess": 3})
    assert [(search.kind, search.restarts) for search in shorter.of] == [("boss", 4), ("hill-climb", 4)]
    assert {search.score.discrete.ess for search in shorter.of} == {3.0}
    twice = catalog.configure(Best(of=(Boss(), Boss(restarts=0))), {"of.boss-2.restarts": 1})
    assert [search.restarts for search in twice.of] == [None, 1]
    given = catalog.configure(Best(), {"of": [Boss(), "tabu"]})
    assert [search.kind for search in given.of] == ["boss", "tabu"]
    sparse = catalog.configure(Best(), {"score.discrete.arc_prior": "sparse"})
    assert {search.score.discrete.arc_prior for search in sparse.of} == {"sparse"}
    steck = catalog.method("steck", {"search": "best"}).learner
    assert {search.score for search in steck.search.of} == {catalog.method("steck").learner.search.score}
    inside = catalog.method("steck", {"search": "best", "max_parents": 3}).learner
    assert {search.max_parents for search in inside.search.of} == {3}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"of": "bos"}, "did you mean 'boss'"),
        ({"of": 3}, "names with commas"),
        ({"of.boos.restarts": 3}, "did you mean 'of.boss'"),
        ({"of.boss.score": "bic"}, "one score"),
        ({"restart": 3}, "restarts"),
        ({"arc_prior": 0.5}, "say one of score.discrete.arc_prior, score.otherwise"),
        ({"of.boss.restarts": "many"}, "of.boss.restarts"),
    ],
)
def test_wrong_options_are_named(options, words):
    with pytest.raises(OptionError, match=words):
        catalog.configure(Best(), options)


def test_searches_that_cannot_be_compared_are_refused():
    with pytest.raises(OptionError, match="one score"):
        Best(of=(Boss(), HillClimb(score=BIC())))
    with pytest.raises(OptionError, match="at least one"):
        Best(of=())
    with pytest.raises(OptionError, match="of"):
        Best(of=(BIC(),))


def test_the_specification_goes_there_and_back():
    best = Best(of=(Boss(score=GaussianBIC(), restarts=2), GES(score=GaussianBIC(), turning=True)))
    assert catalog.from_spec(to_spec(best)) == best
    table = load("child").sample(100, 1)
    assert catalog.from_spec(arcwise.learn(table, "best").spec) == catalog.method("best").learner


@pytest.mark.parametrize("method", ["steck", "equal-frequency", "mmhc", "sparse-candidate"])
@pytest.mark.parametrize("search", ["boss", "best"])
def test_it_goes_wherever_a_search_does(method, search):
    result = arcwise.learn(arcwise.datasets.load("cars1"), method, search=search)
    assert result.status == "converged"
    assert result.score is not None
