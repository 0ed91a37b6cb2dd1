"""The checks of scikit-learn itself, which every estimator has to pass."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from arcwise.sklearn import Discretizer, NetworkClassifier, NetworkRegressor, StructureLearner

QUICK = [
    StructureLearner("gaussian"),
    Discretizer(),
    NetworkClassifier("gaussian"),
    NetworkRegressor("gaussian"),
]
WITH_THRESHOLDS = [
    Discretizer("steck"),
    NetworkClassifier("equal-frequency"),
    NetworkRegressor("steck"),
]
AS_THEY_COME = [StructureLearner(), NetworkClassifier(), NetworkRegressor()]


@parametrize_with_checks(QUICK)
def test_linear(estimator: Any, check: Any) -> None:
    check(estimator)


@parametrize_with_checks(WITH_THRESHOLDS)
def test_with_thresholds(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(AS_THEY_COME)
def test_chosen_by_the_data(estimator: Any, check: Any) -> None:
    check(estimator)
