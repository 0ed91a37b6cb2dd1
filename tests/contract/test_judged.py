"""Every preset can be judged: held-out rows of tables of every kind have densities, and auto can try each."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.errors import GraphError
from arcwise.judging.folds import Folds
from arcwise.judging.held_out import judge
from arcwise.problem import Problem
from tests.contract.parts import continuous_data, discrete_data, mixed_data
from tests.contract.test_methods import SKELETONS

TABLES = {"discrete": discrete_data, "continuous": continuous_data, "mixed": mixed_data}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", sorted(catalog.METHODS))
def test_presets(method, table):
    data = TABLES[table](80)
    problem, folds = Problem.of(data, rng=np.random.default_rng(1)), Folds.of(data, 2, 1)
    learner = catalog.METHODS[method].learner
    if method in SKELETONS:
        with pytest.raises(GraphError, match="no directions"):
            judge(learner, problem, folds, 0, 1)
        return
    trial = judge(learner, problem, folds, 0, 1)
    assert trial.densities.shape == (40,)
    assert np.isfinite(trial.densities).all()
    assert not trial.stopped
    nothing = judge(catalog.METHODS["hill-climb"].learner, problem, folds, 0, 1).densities.mean()
    assert abs(trial.densities.mean() - nothing) < 20.0  # the same values, so the same scale


@pytest.mark.parametrize("table", TABLES)
def test_all_of_them_together(table):
    """The worst case of a comparison: every method of one family, judged on the same rows."""
    methods = [name for name, one in catalog.METHODS.items() if one.family == "discretize, then learn"]
    found = arcwise.compare(TABLES[table](60), methods[:4], folds=2, workers=1)
    assert {one.standing for one in found.methods} == {"judged"}
