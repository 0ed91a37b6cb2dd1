"""Columns predicted row by row: values, probabilities, and how good they are."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise import networks
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError
from arcwise.graph.dag import Dag
from arcwise.networks import BayesianNetwork, GaussianNetwork, random_dag, random_gaussian_network
from arcwise.networks.models.fit import fit
from tests.oracle.queries import conditional_normal


def with_holes(data, share, seed):
    rng = np.random.default_rng(seed)
    return replace(data, columns=tuple(replace(c, missing=rng.random(data.n_rows) < share) for c in data.columns))


def test_levels() -> None:
    net = networks.load("child")
    data = net.sample(300, seed=1)
    found = net.predict("Disease", data)
    np.testing.assert_array_equal(found.probabilities, net.expected("Disease", data))
    levels = net.model("Disease").levels
    assert list(found.values) == [levels[code] for code in found.likeliest]
    truth = data.column("Disease").values
    assert found.accuracy() == (found.likeliest == truth).mean()
    assert found.log_score() == pytest.approx(-np.log(found.probabilities[np.arange(300), truth]).mean())
    assert found.table().columns == ["Disease", *(f"P({level})" for level in levels)]
    assert json.loads(json.dumps(found.to_dict()))["values"] == list(found.values)
    with pytest.raises(DataError, match="has levels and no numbers"):
        found.mean_squared_error()


def test_missing_cells_are_allowed() -> None:
    net = networks.load("child")
    data = with_holes(net.sample(80, seed=1), 0.3, 2)
    found = net.predict("Disease", data)
    known = data.column("Disease").missing
    assert (found.codes == -1).sum() == known.sum()
    for row in range(10):
        given = {
            c.name: c.levels[c.values[row]]
            for c in data.columns
            if c.name != "Disease" and not (c.missing is not None and c.missing[row])
        }
        want = net.query("Disease", given)["Disease"].probabilities
        np.testing.assert_allclose(found.probabilities[row], want, atol=1e-10)


def test_numbers_with_their_spread() -> None:
    net = random_gaussian_network(random_dag(5, seed=2, n_edges=7), seed=2)
    data = net.sample(200, seed=1)
    name = net.names[2]
    found = net.predict(name, data)
    for row in range(5):
        given = {other: float(data.column(other).values[row]) for other in net.names if other != name}
        mean, sd = conditional_normal(net, name, given)
        assert found.values[row] == pytest.approx(mean, abs=1e-9)
        assert found.sds[row] == pytest.approx(sd, rel=1e-9)
    np.testing.assert_allclose(found.values, net.expected(name, data), atol=1e-9)
    assert found.mean_squared_error() == pytest.approx(net.mean_squared_error(name, data))
    assert found.probabilities is None
    parents = net.predict(name, data, evidence="parents")
    np.testing.assert_allclose(parents.values, net.expected(name, data, "parents"), atol=1e-9)
    np.testing.assert_allclose(parents.sds, net.model(name).sd, rtol=1e-9)
    with pytest.raises(DataError, match="is a number without levels"):
        found.accuracy()


def test_cut_columns_have_levels_and_numbers() -> None:
    cars = arcwise.datasets.load("cars1")
    net = arcwise.learn(cars, "equal-frequency").fit(cars)
    found = net.predict("mpg", cars)
    np.testing.assert_allclose(found.values, net.expected("mpg", cars))
    assert found.levels == net.model("mpg").levels
    assert 0.5 < found.accuracy() < 1
    assert found.mean_squared_error() == pytest.approx(net.mean_squared_error("mpg", cars))
    assert (found.sds > 0).all()
    assert found.table().columns[:2] == ["mpg", "sd"]


def test_other_models_have_means_alone() -> None:
    data = arcwise.datasets.load("cars1").select(["mpg", "weight"]).take(slice(60))
    net = fit(Dag(("mpg", "weight"), [("weight", "mpg")]), data, "neural", restarts=1)
    found = net.predict("mpg", data)
    assert found.sds is None
    np.testing.assert_array_equal(found.values, net.expected("mpg", data))


def test_impossible_rows_have_no_prediction() -> None:
    cpts = (np.array([0.5, 0.5]), np.array([1.0, 0.0]), np.full((2, 2, 2), 0.5))
    net = BayesianNetwork(("a", "b", "c"), (("0", "1"),) * 3, ((), (), ("a", "b")), cpts)
    data = {"a": ["0", "1"], "b": ["1", "0"], "c": ["0", "1"]}
    chain = BayesianNetwork(("a", "b"), (("0", "1"),) * 2, ((), ("a",)), (cpts[0], np.array([[1.0, 0.0]] * 2)))
    found = chain.predict("a", {"a": ["0", "1"], "b": ["1", "0"]})
    assert found.values[0] is None
    assert found.accuracy() in (0.0, 0.5)
    assert found.warnings == ("1 row is impossible under the network and not predicted; fit it with smoothing above 0",)
    assert "impossible row" in str(found)
    assert found.to_dict()["values"][0] is None
    assert net.predict("c", data).n_rows == 2
    assert found.table().shape == (2, 3)


def test_the_parents_of_a_number_without_any_say_nothing() -> None:
    net = GaussianNetwork(("x", "y"), np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([2.0, 1.0]), np.zeros(2))
    data = {"y": [5.0, -5.0]}
    found = net.predict("x", data, evidence="parents")
    np.testing.assert_allclose(found.values, net.expected("x", data, "parents"))
    np.testing.assert_allclose(found.values, 0.0)
    np.testing.assert_allclose(found.sds, 2.0)


def test_impossible_rows_are_those_that_a_question_refuses() -> None:
    """b is a copy of a; neither says anything about c, which has no tie to them, nor about d."""
    copy = (np.array([0.5, 0.5]), np.eye(2), np.array([0.3, 0.7]), np.array([[0.9, 0.1], [0.2, 0.8]]))
    net = BayesianNetwork(("a", "b", "c", "d"), (("0", "1"),) * 4, ((), ("a",), (), ("c",)), copy)
    data = {"a": ["0", "0"], "b": ["1", "0"], "d": ["0", "1"]}
    found = net.predict("c", data)
    assert found.values.tolist() == [None, "1"]
    assert "1 row is impossible" in found.warnings[0]
    with pytest.raises(DataError, match="the evidence is impossible"):
        net.query("c", {"a": "0", "b": "1", "d": "0"})
    want = net.query("c", {"a": "0", "b": "0", "d": "1"})["c"].probabilities
    np.testing.assert_allclose(found.probabilities[1], want)
    missing = net.predict("c", {"a": ["0", "0"], "b": ["1", None], "d": ["0", "0"]})
    assert missing.values.tolist() == [None, "0"]
    assert net.predict("c", data, evidence="parents").values.tolist() == ["1", "1"]


def test_numbers_of_impossible_rows() -> None:
    rng = np.random.default_rng(1)
    levels = np.array(["0", "1"])[np.arange(40) % 2]
    data = arcwise.Dataset.from_frame({"a": levels, "b": levels, "x": rng.normal(size=40)}, discrete=["a", "b"])
    net = fit(Dag(("a", "b", "x"), [("a", "b"), ("b", "x")]), data, "gaussian", smoothing=0)
    found = net.predict("x", {"a": ["0", "0"], "b": ["1", "0"]})
    assert np.isnan(found.values).tolist() == [True, False]
    assert np.isnan(found.sds).tolist() == [True, False]
    assert "nan" not in str(found)


def test_what_could_not_be_checked_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    net = BayesianNetwork(("a", "b"), (("0", "1"),) * 2, ((), ("a",)), (np.array([0.5, 0.5]), np.eye(2)))
    monkeypatch.setattr("arcwise.networks.inference.hidden_levels.MOST_ROOM", 0)
    assert "too many missing cells" in net.predict("a", {"b": ["0"]}).warnings[0]


def test_warnings_are_wrapped_and_impossible_rows_have_no_percent() -> None:
    name = "a column with a rather long name that fills most of a line"
    net = BayesianNetwork((name, "b"), (("0", "1"),) * 2, ((), (name,)), (np.array([0.5, 0.5]), np.array([[1, 0]] * 2)))
    text = str(net.predict(name, {"b": ["1"]}))
    assert "nan" not in text
    assert "impossible row" in text
    for found in (net.predict(name, {"b": ["1"]}), net.predict(name, {name: ["0"]})):
        assert found.warnings
        assert max(map(len, str(found).splitlines())) <= 80


def test_a_table_of_other_columns_is_refused() -> None:
    net = networks.load("child")
    for data in ({"zzz": [3000, 1]}, Dataset((Column("zzz", Kind.CONTINUOUS, np.array([3000.0, 1.0])),))):
        with pytest.raises(DataError, match=r"the table has no column of the network; .* 'BirthAsph"):
            net.predict("Disease", data)
    with pytest.raises(DataError, match="the table has no column of the network"):
        net.query("Disease", {"Age": "0-3_days"}, data={"zzz": [3000, 1]})


def test_without_the_column_nothing_is_compared() -> None:
    net = networks.load("child")
    rows = net.sample(5, seed=1)
    found = net.predict("Disease", rows.select([name for name in rows.names if name != "Disease"]))
    assert found.codes is None
    with pytest.raises(DataError, match="the table has no value of 'Disease' to compare predictions with"):
        found.accuracy()
    assert max(map(len, str(found).splitlines())) <= 80


def test_columns_of_awkward_names() -> None:
    states = (("sd", "x"), ("u", "v"))
    net = BayesianNetwork(("P(sd)", "b"), states, ((), ("P(sd)",)), (np.array([0.5, 0.5]), np.full((2, 2), 0.5)))
    assert net.predict("P(sd)", {"b": ["u"]}).table().columns == ["P(sd)", "P(sd)_", "P(x)"]
