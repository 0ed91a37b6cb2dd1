"""A discretizer before any learner of discrete tables."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.discretize import EqualFrequency
from arcwise.errors import OptionError
from arcwise.learners import Integrated, TwoStage
from tests.contract.parts import mixed_data

CUTTING = ("two-stage", "integrated", "hidden-states", "automatic")
LEARNERS = [kind for kind in catalog.LEARNERS if kind not in CUTTING]


@pytest.mark.parametrize("name", [*LEARNERS, "mmhc", "pmmhc", "k2"])
def test_any_learner_of_discrete_tables_can_stand_there(name):
    data = mixed_data(200)
    learner = catalog.configure(TwoStage(), {"search": name})
    found = arcwise.learn(data, "equal-frequency", search=name)
    cuts = EqualFrequency().fit(data)
    alone = learner.search.learn(cuts.apply(data), rng=np.random.default_rng(0))
    assert found.discretization == cuts
    assert (found.cpdag, found.graph, found.score) == (alone.cpdag, alone.graph, alone.score)
    assert catalog.from_spec(found.spec) == learner
    assert str(found)


@pytest.mark.parametrize("name", [*CUTTING, "steck", "hartemink"])
def test_what_cuts_columns_itself_cannot(name):
    with pytest.raises(OptionError, match="cuts columns itself: 'equal-frequency' leaves none to cut"):
        arcwise.learn(mixed_data(20), "equal-frequency", search=name)


@pytest.mark.parametrize("name", ["hybrid", "mmhc", "pmmhc", "ges", "exhaustive", "tabu"])
def test_the_loop_takes_what_scores_networks(name):
    result = arcwise.learn(mixed_data(150), "steck", search=name, rounds=2)
    assert result.graph is not None
    assert result.rounds


@pytest.mark.parametrize("name", ["pc", "tpda", "mmpc", "pmms", "pc-recursive-median"])
def test_the_loop_refuses_what_does_not_and_names_what_does(name):
    kind = catalog.method(name).learner.kind
    with pytest.raises(OptionError, match=f"'search' must be .* such as 'hill-climb'.*'mmhc', not '{kind}'"):
        catalog.configure(Integrated(), {"search": name})
