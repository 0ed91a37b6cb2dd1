"""One column given all others: against sums over every completion, joint normals and fine grids."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import datasets
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.errors import DataError, OptionError
from arcwise.graph.dag import Dag
from arcwise.networks import Network, load, random_dag, random_discrete_network, random_gaussian_network
from arcwise.networks.models.fit import fit
from arcwise.networks.models.linear_gaussian import LinearGaussian
from arcwise.networks.models.neural import fit_neural
from arcwise.networks.models.table import Table
from tests.oracle import posterior as oracle
from tests.unit.networks.models.test_network import mixed_network


def numbers(**values):
    return Dataset(tuple(Column(name, Kind.CONTINUOUS, np.asarray(column)) for name, column in values.items()))


def rows_of(data, rows):
    return Dataset(tuple(Column(c.name, c.kind, c.values[rows], c.levels, c.ordered) for c in data.columns))


@pytest.mark.parametrize("seed", range(12))
def test_tables_are_exact_whatever_columns_are_there(seed):
    rng = np.random.default_rng(seed)
    truth = random_discrete_network(random_dag(6, n_edges=8, seed=seed), seed=seed)
    net = fit(truth.dag, truth.sample(60, seed=seed))
    plain = net.to_bayesian_network()
    data = truth.sample(12, seed=seed + 100)
    name = str(rng.choice(net.names))
    kept = [column for column in rng.permutation(net.names) if rng.random() < rng.choice([0.3, 0.7, 1.0])]
    data = data.select(kept or [name])
    expected = [oracle.discrete(plain, name, oracle.one_row(data, row)) for row in range(data.n_rows)]
    np.testing.assert_allclose(net.expected(name, data), expected, rtol=1e-10)
    np.testing.assert_allclose(plain.expected(name, data), expected, rtol=1e-10)
    np.testing.assert_allclose(net.level_probabilities(name, rows_of(data, slice(3, 4))), expected[3:4], rtol=1e-10)


@pytest.mark.parametrize("seed", range(10))
def test_linear_gaussians_are_exact_whatever_columns_are_there(seed):
    rng = np.random.default_rng(seed)
    truth = random_gaussian_network(random_dag(7, n_edges=10, seed=seed), seed=seed)
    net = fit(truth.dag, truth.sample(80, seed=seed), "gaussian")
    name = str(rng.choice(net.names))
    data = truth.sample(9, seed=seed + 1)
    data = data.select([c for c in data.names if rng.random() < 0.6] or [name])
    expected = [oracle.mixed(net, name, oracle.one_row(data, row)) for row in range(data.n_rows)]
    np.testing.assert_allclose(net.expected(name, data), expected, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("absent", [[], ["h"], ["g"], ["x"], ["y", "h"], ["g", "x"], ["g", "h", "x", "y"]])
@pytest.mark.parametrize("name", ["g", "h", "x", "y"])
def test_tables_and_linear_gaussians_together(name, absent):
    net = mixed_network()
    data = net.sample(6, seed=4)
    data = Dataset(
        (*data.select([n for n in net.names if n not in absent]).columns, Column("other", Kind.CONTINUOUS, np.zeros(6)))
    )
    expected = [oracle.mixed(net, name, oracle.one_row(data, row)) for row in range(6)]
    np.testing.assert_allclose(net.expected(name, data), expected, rtol=1e-9)


def test_tables_take_the_short_way_to_the_same_answer():
    """The linear system with a table alone must say what the elimination says."""
    from arcwise.networks.inference import conditional_gaussian

    net = mixed_network()
    data = net.sample(20, seed=1)
    cut = data.select(["h"])
    families = [net.model("g"), net.model("x"), net.model("h")]
    found = conditional_gaussian.posterior([net.model("g"), net.model("x")], families, "g", cut)
    np.testing.assert_allclose(found, net.expected("g", cut), rtol=1e-12)


@pytest.fixture(scope="module")
def neural():
    """x -> y <- w, x -> k, all of them nonlinear."""
    rng = np.random.default_rng(5)
    w, x = rng.normal(size=600), rng.normal(size=600) ** 3 / 3
    y = np.sin(2 * x) + 0.5 * w + 0.2 * rng.normal(size=600)
    k = (x**2 + 0.5 * rng.normal(size=600) > 0.5).astype(np.uint8)
    data = Dataset((*numbers(w=w, x=x, y=y).columns, Column("k", Kind.DISCRETE, k, ("no", "yes"))))
    dag = Dag(["w", "x", "y", "k"], [("x", "y"), ("w", "y"), ("x", "k")])
    return fit(dag, data, "neural", components=3), data


@pytest.mark.parametrize("name", ["w", "x"])
def test_neural_densities_are_integrated(neural, name):
    net, data = neural
    few = rows_of(data, slice(0, 25))
    found = net.expected(name, few)
    spread = data.column(name).values.std()
    rows = [oracle.one_row(few, row) for row in range(few.n_rows)]
    exact = [oracle.continuous(net, name, row, -24 * spread, 24 * spread) for row in rows]
    np.testing.assert_allclose(found / spread, np.array(exact) / spread, atol=1e-4, rtol=0)
    better, worse = (net.mean_squared_error(name, data, evidence) for evidence in ("all", "parents"))
    assert better < worse


def test_levels_of_neural_networks_follow_bayes_rule(neural):
    net, data = neural
    few = rows_of(data, slice(0, 40))
    joint = [np.exp(net.log_density(Dataset((*few.select(["w", "x", "y"]).columns, column)))) for column in _each(few)]
    np.testing.assert_allclose(net.expected("k", few), np.transpose(joint) / np.sum(joint, axis=0)[:, None], rtol=1e-9)


def _each(data):
    for level in (0, 1):
        yield Column("k", Kind.DISCRETE, np.full(data.n_rows, level, dtype=np.uint8), ("no", "yes"))


def test_children_of_other_kinds():
    """A linear Gaussian with a softmax child, and a table with a mixture density child."""
    rng = np.random.default_rng(1)
    x, g = rng.normal(size=400), rng.integers(2, size=400).astype(np.uint8)
    k = (x + 0.3 * rng.normal(size=400) > 0).astype(np.uint8)
    m = g + 0.3 * rng.normal(size=400)
    data = Dataset((
        *numbers(x=x, m=m).columns,
        Column("g", Kind.DISCRETE, g, ("a", "b")), Column("k", Kind.DISCRETE, k, ("n", "y")),
    ))  # fmt: skip
    models = (
        fit(Dag(["x"]), data, "gaussian").models[0],
        fit_neural(data, "m", ["g"]),
        fit(Dag(["g"]), data).models[0],
        fit_neural(data, "k", ["x"]),
    )
    net = Network(Dag(["x", "m", "g", "k"], [("x", "k"), ("g", "m")]), models)
    few = rows_of(data, slice(0, 10))
    for row in range(10):
        exact = oracle.continuous(net, "x", oracle.one_row(few, row), -8, 8)
        assert net.expected("x", few)[row] == pytest.approx(exact, abs=1e-6)
    assert (net.expected("g", data).argmax(axis=1) == g).mean() > 0.9
    assert np.ptp(net.expected("g", data, "parents"), axis=0).max() == 0


def test_what_is_absent_and_cannot_be_summed_over_is_named(neural):
    net, data = neural
    with pytest.raises(DataError, match=r"predicting 'x' needs the column 'w', which is not in the table: .*'parents'"):
        net.expected("x", data.select(["y", "k"]))
    # Without y, w says nothing about x; a child that is absent says nothing either.
    without = net.expected("x", data.select(["k", "w"]))
    np.testing.assert_array_equal(without, net.expected("x", data.select(["k"])))
    np.testing.assert_array_equal(net.expected("w", data.select(["x", "k"])), net.expected("w", data, "parents"))


def test_cut_columns_predict_levels_and_values():
    rng = np.random.default_rng(2)
    x = rng.normal(size=2000)
    data = numbers(x=x, y=x + 0.3 * rng.normal(size=2000))
    cuts = Discretization({name: np.quantile(data.column(name).values, [0.2, 0.4, 0.6, 0.8]) for name in "xy"})
    net = fit(Dag(["x", "y"], [("x", "y")]), data, discretization=cuts)
    levels = net.level_probabilities("x", data)
    plain = net.to_bayesian_network()
    np.testing.assert_allclose(levels, plain.expected("x", cuts.apply(data)), rtol=1e-12)
    codes = cuts.apply(data).column("x").values
    means = [x[codes == level].mean() for level in range(5)]
    np.testing.assert_allclose(net.expected("x", data), levels @ means, rtol=1e-9)
    assert net.mean_squared_error("x", data) < 0.25 * net.mean_squared_error("x", data, "parents")
    gaussian = fit(net.dag, data, "gaussian")
    assert gaussian.mean_squared_error("x", data) < net.mean_squared_error("x", data)
    with pytest.raises(DataError, match="node 'x' has no levels in this network; use expected"):
        gaussian.level_probabilities("x", data)


def test_networks_of_a_cut_column_with_neural_models():
    x = np.random.default_rng(4).normal(size=300)
    data = numbers(x=x, y=x**2)
    cuts = Discretization({"x": np.array([-0.5, 0.5])})
    net = fit(Dag(["x", "y"], [("x", "y")]), data, "neural", discretization=cuts)
    assert net.model("x").kind == "softmax-network"
    levels = net.level_probabilities("x", data)
    np.testing.assert_allclose(net.expected("x", data), levels @ np.array(net.intervals[0].means))
    assert (levels[:, 1] > 0.9).sum() > 50  # y is small there
    assert net.sample(5, seed=1).kinds == data.kinds


def test_parents_alone_are_an_option():
    net = mixed_network()
    data = net.sample(50, seed=1)
    for model in net.models:
        np.testing.assert_array_equal(net.expected(model.child, data, evidence="parents"), model.expected(data))
    with pytest.raises(OptionError, match="unknown evidence 'parent'; did you mean 'parents'"):
        net.expected("g", data, evidence="parent")
    with pytest.raises(DataError, match="unknown column 'g'"):
        net.expected("y", data.select(["x"]), evidence="parents")


def test_a_row_that_the_network_calls_impossible_has_no_answer():
    yes_no = ("no", "yes")
    models = (Table("a", yes_no, (), (), np.array([1.0, 0.0])), Table("b", yes_no, ("a",), (yes_no,), np.eye(2)))
    net = Network(Dag(["a", "b"], [("a", "b")]), models)
    data = Dataset((Column("b", Kind.DISCRETE, np.array([0, 1], dtype=np.uint8), yes_no),))
    found = net.expected("a", data)
    assert found[0].tolist() == [1.0, 0.0]
    assert np.isnan(found[1]).all()


def test_many_children_do_not_underflow():
    """A hidden cause of 400 rare signs: the product of its families is far below the smallest float."""
    names = [f"s{i:03d}" for i in range(400)]
    table = np.array([[1e-4, 1 - 1e-4], [1.1e-4, 1 - 1.1e-4]])
    models = [Table("cause", ("0", "1"), (), (), np.array([0.5, 0.5]))]
    models += [Table(name, ("on", "off"), ("cause",), (("0", "1"),), table) for name in names]
    net = Network(Dag(["cause", *names], [("cause", name) for name in names]), tuple(models))
    on = Dataset(tuple(Column(name, Kind.DISCRETE, np.zeros(1, dtype=np.uint8), ("on", "off")) for name in names))
    odds = np.exp(400 * np.log(1.1))
    np.testing.assert_allclose(net.expected("cause", on)[0], [1 / (1 + odds), odds / (1 + odds)], rtol=1e-9)


def test_a_large_network_with_absent_columns():
    alarm = load("alarm")
    data = alarm.sample(3000, seed=1).select([name for i, name in enumerate(alarm.names) if i % 3])
    found = np.array([alarm.expected(name, data).max(axis=1).mean() for name in alarm.names])
    hits = [alarm.sample(3000, seed=1).column(n).values == alarm.expected(n, data).argmax(axis=1) for n in alarm.names]
    np.testing.assert_allclose(np.mean(hits, axis=1), found, atol=0.03)  # calibrated: it is the true network


def test_rows_and_columns_in_any_order_and_tables_without_rows():
    net = mixed_network()
    data = net.sample(30, seed=3)
    order = np.random.default_rng(0).permutation(30)
    for name in net.names:
        found = net.expected(name, data)
        np.testing.assert_array_equal(net.expected(name, data.select(reversed(data.names))), found)
        np.testing.assert_allclose(net.expected(name, rows_of(data, order)), found[order], rtol=1e-13)
        assert net.expected(name, rows_of(data, slice(0, 0))).shape == (0, *found.shape[1:])


def test_a_determined_column_is_recovered():
    x = np.random.default_rng(0).normal(size=50)
    net = fit(Dag(["x", "y"], [("x", "y")]), numbers(x=x, y=2 * x), "gaussian")
    assert isinstance(net.model("y"), LinearGaussian)
    np.testing.assert_allclose(net.expected("x", numbers(y=2 * x)), x, atol=1e-6)


@pytest.mark.parametrize("name", ["heart", "cleve", "breast"])
def test_real_classes_are_predicted_better_from_all_columns(name):
    data = datasets.load(name)
    order = np.random.default_rng(0).permutation(data.n_rows)
    train, test = rows_of(data, order[::2]), rows_of(data, order[1::2])
    net = arcwise.learn(train, "equal-frequency").fit(train)
    truth = test.column("class").values
    right = {e: (net.expected("class", test, e).argmax(axis=1) == truth).mean() for e in ("all", "parents")}
    assert right["all"] > right["parents"]
