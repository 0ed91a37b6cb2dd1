"""NetworkClassifier and NetworkRegressor say what their networks say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from arcwise.sklearn import NetworkClassifier, NetworkRegressor


def groups(n: int = 300, seed: int = 3) -> tuple[pd.DataFrame, pd.Series]:
    """Three groups, told by a number, a word and a number that follows from the first."""
    rng = np.random.default_rng(seed)
    group = rng.integers(3, size=n)
    size = 2.0 * group + rng.normal(scale=0.6, size=n)
    word = np.where(rng.random(n) < 0.8, group, rng.integers(3, size=n))
    X = pd.DataFrame({"size": size, "weight": size + rng.normal(size=n), "word": np.array(["a", "b", "c"])[word]})
    return X, pd.Series(np.array(["small", "middle", "large"])[group], name="group")


@pytest.mark.parametrize("method", ["gaussian", "equal-frequency", "steck"])
def test_classes_in_words(method: str) -> None:
    X, y = groups()
    found = NetworkClassifier(method).fit(X[:200], y[:200])
    assert found.classes_.tolist() == ["large", "middle", "small"]
    assert found.target_name_ == "group"
    assert found.score(X[200:], y[200:]) > 0.8
    shares = found.predict_proba(X[200:])
    assert shares.shape == (100, 3)
    assert np.allclose(shares.sum(axis=1), 1.0)
    own = found.network_.predict("group", X[200:])
    assert own.levels == ("large", "middle", "small")
    assert np.allclose(shares, own.probabilities)
    assert found.predict(X[200:]).tolist() == own.values.tolist()


def test_two_normal_groups_have_the_probabilities_of_bayes() -> None:
    """P(1 | x) of groups with the means 0 and 2 and the variance 1 is 1 / (1 + exp(2 - 2 x))."""
    rng = np.random.default_rng(4)
    y = rng.integers(2, size=4000)
    x = 2.0 * y + rng.normal(size=4000)
    found = NetworkClassifier("gaussian").fit(x[:, None], y)
    points = np.array([[-1.0], [0.5], [1.0], [2.5]])
    assert np.allclose(found.predict_proba(points)[:, 1], 1 / (1 + np.exp(2 - 2 * points[:, 0])), atol=0.03)
    assert found.classes_.tolist() == [0, 1]
    assert found.predict(points).tolist() == [0, 0, found.predict([[1.0]])[0], 1]


def test_numbers() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(500, 2))
    y = 3.0 * X[:, 0] - X[:, 1] + 0.1 * rng.normal(size=500)
    found = NetworkRegressor("gaussian").fit(X, y)
    assert np.allclose(found.predict([[1.0, 1.0], [0.0, 2.0]]), [2.0, -2.0], atol=0.05)
    assert found.score(X, y) > 0.98
    cut = NetworkRegressor("steck").fit(X, y)
    assert 0.5 < cut.score(X, y) < found.score(X, y)
    assert "y" in cut.result_.discretization.thresholds


def test_missing_cells_are_summed_over() -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(size=2000)
    X = np.column_stack([x, x + rng.normal(size=2000)])
    y = 2.0 * X[:, 1] + 0.1 * rng.normal(size=2000)
    found = NetworkRegressor("gaussian").fit(X, y)
    # E[y | x0] = 2 x0, since E[x1 | x0] = x0; nothing recorded leaves the mean.
    assert np.allclose(found.predict([[1.0, np.nan], [np.nan, 1.0], [np.nan, np.nan]]), [2.0, 2.0, 0.0], atol=0.15)
    hidden = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    again = NetworkRegressor("gaussian").fit(hidden, y)
    assert np.allclose(again.predict([[0.0, 1.0]]), 2.0, atol=0.05)


def test_missing_cells_that_no_model_sums_over_are_sampled() -> None:
    """The class has a continuous parent here: a logistic regression, of which there is no exact sum."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=1500)
    X = pd.DataFrame({"a": x, "b": x + 0.3 * rng.normal(size=1500)})
    y = (X["b"] + 0.3 * rng.normal(size=1500) > 0).astype(int)
    edges = {"required": [["a", "b"], ["b", "y"]], "forbidden": [["a", "y"]]}
    found = NetworkClassifier("gaussian", knowledge=edges).fit(X, pd.Series(y.to_numpy()))
    assert found.network_.model("y").parents == ("b",)
    new = pd.DataFrame({"a": [0.5, 0.0, -0.5, 1.0], "b": [np.nan, np.nan, np.nan, -1.0]})
    shares = found.predict_proba(new)[:, 1]
    # y = 1 where a + noise > 0, and the noise has the variance 0.3^2 + 0.3^2: Phi(0.5 / 0.424) = 0.881
    assert np.allclose(shares[:3], [0.881, 0.5, 0.119], atol=0.04)
    assert shares[3] < 0.05
    X.iloc[::5, 1] = np.nan
    assert NetworkClassifier("gaussian", knowledge=edges).fit(X, pd.Series(y.to_numpy())).score(X[:50], y[:50]) > 0.8


def test_levels_that_were_not_seen_count_as_missing() -> None:
    X, y = groups()
    found = NetworkClassifier("equal-frequency").fit(X, y)
    strange, unknown = X[:5].assign(word="z"), X[:5].assign(word=None)
    assert np.array_equal(found.predict_proba(strange), found.predict_proba(unknown))
    assert not np.allclose(found.predict_proba(strange), found.predict_proba(X[:5]))


def test_impossible_rows_are_given_what_is_known_without_them() -> None:
    X = pd.DataFrame({"a": ["p", "p", "q", "q"] * 20, "b": ["p", "p", "q", "q"] * 20})
    y = [0, 0, 1, 1] * 15 + [0, 0, 0, 0] * 5
    found = NetworkClassifier(
        "hill-climb", model_options={"smoothing": 0}, knowledge={"required": [["a", "b"], ["y", "b"]]}
    ).fit(X, y)
    odd = pd.DataFrame({"a": ["p"], "b": ["q"]})
    assert np.isnan(found.network_.expected("y", odd)).all()
    assert np.allclose(found.predict_proba(odd), [[50 / 80, 30 / 80]])


def test_the_name_of_the_target_is_free() -> None:
    X, y = groups()
    assert NetworkClassifier("gaussian").fit(X.rename(columns={"size": "group"}), y).target_name_ == "group_"
    assert NetworkClassifier("gaussian").fit(X, y.to_numpy()).target_name_ == "y"


def test_frames_of_polars() -> None:
    X, y = groups()
    shares = [
        NetworkClassifier("gaussian").fit(table, labels).predict_proba(table)
        for table, labels in ((X, y), (pl.from_pandas(X), pl.from_pandas(y)))
    ]
    assert np.array_equal(*shares)
    swapped = pl.from_pandas(X).select("weight", "size", "word")
    with pytest.raises(ValueError, match="feature names"):
        NetworkClassifier("gaussian").fit(pl.from_pandas(X), y).predict(swapped)


def test_another_model_for_the_same_graph() -> None:
    X, y = groups()
    method = NetworkClassifier("gaussian", model="kernel").fit(X, y)
    assert {model.kind for model in method.network_.models} == {"kernel-density", "kernel-table"}
    assert method.score(X, y) > 0.8


def test_wrong_shapes_and_options() -> None:
    X, y = groups(60)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        NetworkClassifier("gaussian").fit(X, y[:50])
    with pytest.raises(ValueError, match="unknown option"):
        NetworkClassifier("gaussian", model_options={"smooth": 1}).fit(X, y)
    with pytest.raises(ValueError, match="no directions"):
        NetworkClassifier("mmpc").fit(X, y)
    with pytest.raises(ValueError, match="feature names"):
        NetworkClassifier("gaussian").fit(X, y).predict(X[["weight", "size", "word"]])
