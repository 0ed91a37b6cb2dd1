"""Which conditional model goes with which method."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.problem import model_of
from arcwise.results.result import LearnResult
from tests.contract.parts import continuous_data, discrete_data, mixed_data

TABLES = {name for name, one in catalog.METHODS.items() if one.family.startswith("discretize")}
MIXED = mixed_data()
OTHERS = {
    "neural": "neural",
    "kgv": "kernel",
    "kernel-orders": "kernel",
    "pc-recursive-median": "kernel",
    "hidden-states": "states",
    "smooth": "smooth",
    "copula": None,  # those that the kinds of the columns choose
}


@pytest.mark.parametrize("method", sorted(catalog.METHODS.keys() - {"auto"}))  # it has that of the method it chose
@pytest.mark.parametrize("data", [continuous_data(), MIXED], ids=["continuous", "mixed"])
def test_every_preset_has_its_own(method, data):
    learner = catalog.METHODS[method].learner
    cuts = arcwise.discretize.EqualFrequency().fit(data) if method in {*TABLES, "hidden-states"} else None
    expected = "cpt" if method in TABLES else OTHERS.get(method, "gaussian")
    if method == "conditional-gaussian" and data is MIXED:
        expected = method
    assert model_of(learner, data, cuts) == expected
    assert model_of(learner, discrete_data(), None) == "cpt"


def test_it_is_the_same_by_any_way_to_learn_and_is_saved(tmp_path):
    data = continuous_data()
    result = arcwise.learn(data, "gaussian")
    direct = catalog.METHODS["gaussian"].learner.learn(data, rng=np.random.default_rng(0))
    assert result.model == direct.model == "gaussian"
    result.save(tmp_path / "result.json")
    assert LearnResult.load(tmp_path / "result.json").model == "gaussian"


def test_a_result_of_an_older_version_takes_what_suits_the_columns(tmp_path):
    data = continuous_data()
    result = arcwise.learn(data, "gaussian")
    content = result.to_dict()
    del content["model"]
    (tmp_path / "old.json").write_text(json.dumps(content))
    old = LearnResult.load(tmp_path / "old.json")
    assert old.model is None
    assert {model.kind for model in old.fit(data).models} == {"gaussian"}
    assert replace(old, model="gaussian").fitted_with(data) == old.fitted_with(data)


def test_the_model_can_still_be_chosen():
    data = continuous_data()
    result = arcwise.learn(data, "equal-frequency")
    assert {model.kind for model in result.fit(data).models} == {"cpt"}
    assert {model.kind for model in result.fit(data, "gaussian").models} == {"gaussian"}
