"""Options by path, and parts as plain data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar

import pytest

from arcwise import catalog
from arcwise.constraint import PMMS
from arcwise.data.dataset import Kind
from arcwise.discretize import EqualFrequency, EqualWidth
from arcwise.errors import OptionError
from arcwise.learners import Hybrid, TwoStage
from arcwise.parts.spec import option_paths, to_spec, with_options
from arcwise.scores import BIC, BDeu
from arcwise.search import HillClimb, OptimalReinsertion, Tabu

LEARNER = TwoStage()


def test_options_are_set_by_path_and_text_is_read_as_their_type():
    changed = with_options(LEARNER, {"search.score.ess": "10", "discretizer.bins": "4", "search.max_parents": "2"})
    assert changed.search == HillClimb(score=BDeu(ess=10.0), max_parents=2)
    assert changed.discretizer == EqualFrequency(bins=4)
    assert with_options(changed, {"search.max_parents": "none"}).search.max_parents is None
    assert TwoStage() == LEARNER


def test_options_that_need_each_other_are_set_together():
    for options in ({"restarts": "none", "seconds": "5"}, {"seconds": 5.0, "restarts": None}):
        changed = with_options(OptimalReinsertion(), options)
        assert (changed.restarts, changed.seconds) == (None, 5.0)
    both = {"search.max_parents": 2, "search": Tabu(), "search.score.ess": 3}
    assert with_options(LEARNER, both).search == Tabu(max_parents=2, score=BDeu(ess=3))


def test_a_whole_part_may_be_replaced():
    assert with_options(LEARNER, {"search.score": BIC()}).search.score == BIC()
    assert with_options(LEARNER, {"search": Tabu()}).search == Tabu()


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("search.score.es", "1", "did you mean 'search.score.ess'"),
        ("serch.score.ess", "1", "did you mean 'search.score.ess'"),
        ("discretizer.bins", "many", "'discretizer.bins' must be a whole number, not 'many'"),
        ("discretizer.bins", True, "must be a whole number"),
        ("search.max_parents", "x", "a whole number or none"),
        ("discretizer.bins.more", "1", "has no options of its own"),
        ("search", "tabu", "made of parts"),
        ("search.score.ess", "-1", "above 0"),
    ],
)
def test_mistakes_are_named(path, value, words):
    with pytest.raises(OptionError, match=words):
        with_options(LEARNER, {path: value})


def test_short_names_work_where_they_are_unambiguous():
    assert catalog.configure(LEARNER, {"ess": 3}).search.score.ess == 3.0
    assert catalog.configure(LEARNER, {"search__score__ess": 3}).search.score.ess == 3.0
    with pytest.raises(OptionError, match="did you mean"):
        catalog.configure(LEARNER, {"bin": 3})


def test_parts_are_swapped_by_kind_and_then_have_their_own_options():
    assert catalog.configure(LEARNER, {"score": "bic", "search": "tabu"}).search == Tabu(score=BIC())
    assert catalog.configure(LEARNER, {"search": "tabu", "tenure": 9}).search == Tabu(tenure=9)
    assert catalog.configure(LEARNER, {"search.score": BIC()}).search.score == BIC()
    with pytest.raises(OptionError, match="did you mean 'bic'"):
        catalog.configure(LEARNER, {"score": "bicc"})


def test_a_search_that_is_swapped_in_keeps_the_score():
    learner = catalog.method("mmhc").learner
    swapped = catalog.configure(learner, {"search": "hill-climb"})
    assert swapped.search == HillClimb(score=learner.search.score)
    assert catalog.configure(learner, {"search": "hill-climb", "score": "bic"}).search == HillClimb(score=BIC())
    assert catalog.configure(learner, {"search": HillClimb()}).search == HillClimb()


def test_parts_of_a_part_that_is_swapped_in_can_be_swapped_too():
    learner = catalog.configure(LEARNER, {"skeleton": "pmms", "search": "hybrid", "alpha": 0.01})
    assert learner.search == Hybrid(skeleton=PMMS(alpha=0.01))


def test_a_learner_is_swapped_in_by_the_name_of_a_preset():
    for name in ("mmhc", "pmmhc", "kgv", "pc-recursive-median"):
        assert catalog.configure(LEARNER, {"search": name}).search == catalog.method(name).learner
    changed = catalog.configure(LEARNER, {"search": "pmmhc", "alpha": "0.01", "bins": "4"})
    assert changed == TwoStage(discretizer=EqualFrequency(bins=4), search=Hybrid(skeleton=PMMS(alpha=0.01)))
    assert catalog.configure(LEARNER, {"search": "ges"}).search.score == LEARNER.search.score
    with pytest.raises(OptionError, match="did you mean 'pmmhc'"):
        catalog.configure(LEARNER, {"search": "pmmhcc"})


@dataclass(frozen=True, kw_only=True)
class OwnScore:
    kind: ClassVar[str] = "own-score"
    accepts: ClassVar[frozenset[Kind]] = frozenset(Kind)
    score_equivalent: ClassVar[bool] = False

    weight: float = 1.0

    def bind(self, data):
        return BDeu().bind(data)


@dataclass(frozen=True, kw_only=True)
class OwnDiscretizer:
    kind: ClassVar[str] = "own-discretizer"

    def fit(self, data):
        return EqualFrequency().fit(data)


@dataclass(frozen=True, kw_only=True)
class OwnThing:
    kind: ClassVar[str] = "own-thing"


@dataclass(frozen=True, kw_only=True)
class OwnLearner:
    kind: ClassVar[str] = "own-learner"

    score: OwnScore = OwnScore()
    thing: OwnThing = OwnThing()

    def solve(self, problem):
        return HillClimb(score=self.score).solve(problem)


def test_ones_own_parts_are_swapped_by_name():
    own = TwoStage(discretizer=OwnDiscretizer(), search=HillClimb(score=OwnScore()))
    assert catalog.configure(own, {"score": "bic"}).search.score == BIC()
    assert catalog.configure(own, {"discretizer": "equal-width"}).discretizer == EqualWidth()
    assert catalog.configure(own, {"weight": 2}).search.score == OwnScore(weight=2.0)
    changed = catalog.configure(TwoStage(search=OwnLearner()), {"search": "tabu"})
    assert changed.search == Tabu(score=OwnScore())  # a search that is swapped in keeps the score
    with pytest.raises(OptionError, match="did you mean 'bic'"):
        catalog.configure(own, {"score": "bicc"})
    with pytest.raises(OptionError, match="option 'thing' holds 'own-thing', which is no learner"):
        catalog.configure(OwnLearner(), {"thing": "bic"})


def test_every_part_is_known_by_what_it_can_do():
    for role, family in catalog.ROLES.items():
        for kind, part in family.items():
            assert [one for one in catalog.ROLES if isinstance(part(), one)] == [role], kind


def test_spec_is_json_and_round_trips():
    learner = TwoStage(discretizer=EqualFrequency(bins=5), search=Tabu(score=BDeu(ess=3), max_parents=4))
    assert catalog.from_spec(json.loads(json.dumps(to_spec(learner)))) == learner


def test_a_bad_spec_is_named():
    with pytest.raises(OptionError, match="did you mean 'two-stage'"):
        catalog.from_spec({"kind": "two-stag"})
    with pytest.raises(OptionError, match="did you mean 'bins'"):
        catalog.from_spec({"kind": "equal-width", "binz": 3})


def test_option_paths_show_every_default():
    paths = option_paths(LEARNER)
    assert paths["discretizer.bins"] == 3
    assert paths["search.score.ess"] == 1.0
    assert paths["search.max_parents"] is None


def test_a_part_without_options_says_so():
    with pytest.raises(OptionError, match="unknown option 'x'; there are none here"):
        catalog.configure(catalog.DISCRETIZERS["sturges"](), {"x": 1})


def test_unknown_method_names_the_nearest():
    with pytest.raises(OptionError, match="did you mean 'equal-width'"):
        catalog.method("equal-widht")
