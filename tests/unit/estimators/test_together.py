"""Estimators among those of scikit-learn: pipelines, cross-validation, grids."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from arcwise.sklearn import Discretizer, NetworkClassifier, NetworkRegressor, StructureLearner


def iris() -> tuple[pd.DataFrame, pd.Series]:
    data = load_iris(as_frame=True)
    return data.data, data.target


def test_a_pipeline_with_a_classifier_of_levels() -> None:
    X, y = iris()
    found = make_pipeline(Discretizer(options={"bins": 4}), CategoricalNB(min_categories=4)).fit(X, y)
    assert found.score(X, y) > 0.9
    assert found[:-1].get_feature_names_out().tolist() == X.columns.tolist()


def test_a_pipeline_that_ends_in_a_network() -> None:
    X, y = iris()
    cut = Pipeline([("cut", Discretizer()), ("net", NetworkClassifier("hill-climb"))]).set_output(transform="pandas")
    cut.fit(X, y)
    assert cut.score(X, y) > 0.9
    assert cut["net"].network_.names == (*X.columns, "target")
    assert set(cut["net"].result_.data.columns[0].levels) == {"0", "1", "2"}


def test_a_learner_behind_a_scaler() -> None:
    X, _ = iris()
    scaled = make_pipeline(StandardScaler(), StructureLearner("gaussian")).set_output(transform="pandas").fit(X)
    assert scaled[-1].cpdag_ == StructureLearner("gaussian").fit(X).cpdag_


def test_some_columns_only() -> None:
    X, _ = iris()
    first, last = X.columns[0], X.columns[-1]
    some = make_column_transformer((Discretizer(options={"bins": 2}), [first]), ("passthrough", [last]))
    found = some.set_output(transform="pandas").fit_transform(X)
    assert found.columns.tolist() == [f"discretizer__{first}", f"passthrough__{last}"]
    assert set(found.iloc[:, 0]) == {0, 1}


def test_cross_validation() -> None:
    X, y = iris()
    assert cross_val_score(NetworkClassifier("gaussian"), X, y, cv=3).min() > 0.85
    assert cross_val_score(NetworkRegressor("gaussian"), X.iloc[:, :3], X.iloc[:, 3], cv=3, scoring="r2").shape == (3,)


def test_rare_levels_do_not_end_a_cross_validation() -> None:
    rng = np.random.default_rng(8)
    y = rng.integers(2, size=90)
    words = np.where(rng.random(90) < 0.9, np.array(["no", "yes"])[y], "maybe").astype(object)
    words[4] = "never again"
    scores = cross_val_score(
        NetworkClassifier("hill-climb"), pd.DataFrame({"word": words}), y, cv=3, error_score="raise"
    )
    assert scores.min() > 0.7


def test_a_grid_over_methods_and_their_options() -> None:
    X, y = iris()
    grid = [
        {"method": ["equal-frequency"], "options__bins": [2, 4], "options__ess": [1.0]},
        {"method": ["gaussian"], "model": [None]},
    ]
    search = GridSearchCV(NetworkClassifier(), grid, cv=3, error_score="raise").fit(X, y)
    assert len(search.cv_results_["params"]) == 3
    scores = search.cv_results_["mean_test_score"]
    assert len(set(np.round(scores, 6))) == 3  # the parameters arrive
    assert search.best_score_ > 0.9
    assert search.best_estimator_.get_params()["method"] == search.best_params_["method"]


def test_a_grid_inside_a_pipeline() -> None:
    X, y = iris()
    steps = Pipeline([("cut", Discretizer()), ("net", NetworkClassifier("hill-climb"))])
    grid = {"cut__options__bins": [2, 4], "cut__method": ["equal-width", "equal-frequency"]}
    search = GridSearchCV(steps, grid, cv=3, error_score="raise").fit(X, y)
    assert search.best_params_["cut__options__bins"] == 4
    assert len(search.best_estimator_["cut"].thresholds_[X.columns[0]]) == 3
