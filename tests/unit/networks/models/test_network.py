from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.errors import DataError, FileError, GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.networks import Network, load, random_dag, random_gaussian_network
from arcwise.networks.models.fit import fit
from arcwise.networks.models.linear_gaussian import Effects, LinearGaussian, Slope
from arcwise.networks.models.table import Table


def mixed_network() -> Network:
    """h -> g, g -> x, g -> y <- x, with known numbers."""
    yes_no, three = ("no", "yes"), ("a", "b", "c")
    models = (
        LinearGaussian("y", (Effects("g", three, (0.0, 1.0, -1.0)), Slope("x", 2.0, 0.5, 0.8)), 1.0, 2.0, 0.6),
        Table("g", three, ("h",), (yes_no,), np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]), ordered=True),
        LinearGaussian("x", (Effects("g", three, (-1.0, 0.0, 1.0)),), 2.0, 0.5, 0.3),
        Table("h", yes_no, (), (), np.array([0.7, 0.3])),
    )
    return Network(Dag(["y", "g", "x", "h"], [("h", "g"), ("g", "x"), ("g", "y"), ("x", "y")]), models)


def arrays(data: Dataset) -> list[object]:
    return [(c.name, c.kind, c.levels, c.ordered, c.values.tolist()) for c in data.columns]


def test_log_density_is_the_sum_over_the_nodes() -> None:
    net = mixed_network()
    data = net.sample(50, seed=1)
    parts = [net.model(name).log_density(data) for name in net.names]
    np.testing.assert_allclose(net.log_density(data), np.sum(parts, axis=0))
    y, x, g = (data.column(name).values for name in ("y", "x", "g"))
    mean = 1.0 + 2.0 * (np.array([0, 1, -1])[g] + 0.8 * (x - 2.0) / 0.5)
    np.testing.assert_allclose(net.expected("y", data), mean)
    assert net.mean_squared_error("y", data) == pytest.approx(np.mean((y - mean) ** 2))
    assert net.log_score("y", data) == pytest.approx(-parts[0].sum())
    np.testing.assert_allclose(net.expected("h", data, "parents"), np.tile([0.7, 0.3], (50, 1)))


def test_a_large_sample_gives_the_numbers_back() -> None:
    truth = mixed_network()
    data = truth.sample(40_000, seed=2)
    found = fit(truth.dag, data, "gaussian")
    test = truth.sample(20_000, seed=3)
    np.testing.assert_allclose(found.model("g").probabilities, truth.model("g").probabilities, atol=0.01)
    assert found.model("y").coefficients["x"] == pytest.approx(truth.model("y").coefficients["x"], rel=0.02)
    assert found.model("y").sd == pytest.approx(0.6, rel=0.02)
    # About 1/2 a parameter and row of the fit is lost on new data: 12 / 40,000 here.
    loss = np.mean(truth.log_density(test) - found.log_density(test))
    assert 0 < loss < 1e-3


def test_sampled_tables_have_the_fitted_columns() -> None:
    net = mixed_network()
    data = net.sample(30, seed=5)
    assert data.names == ("y", "g", "x", "h")
    assert data.kinds == (Kind.CONTINUOUS, Kind.DISCRETE, Kind.CONTINUOUS, Kind.DISCRETE)
    assert (data.column("g").levels, data.column("g").ordered) == (("a", "b", "c"), True)
    assert arrays(data) == arrays(net.sample(30, seed=5)) != arrays(net.sample(30, seed=6))
    again = fit(net.dag, data, "gaussian").sample(10, seed=1)
    assert [(c.levels, c.ordered) for c in again.columns] == [(c.levels, c.ordered) for c in data.columns]


def test_a_sample_has_the_entropy_of_the_network() -> None:
    """The mean log density of a sample is minus the entropy, which is known for normal distributions."""
    true = random_gaussian_network(random_dag(6, n_edges=7, seed=1), seed=1)
    net = fit(true.dag, true.sample(500, seed=1), "gaussian")
    entropy = sum(0.5 + 0.5 * np.log(2 * np.pi) + np.log(model.sd) for model in net.models)
    n = 20_000
    assert -net.log_density(net.sample(n, seed=4)).mean() == pytest.approx(entropy, abs=5 * np.sqrt(3 / n))


def test_gaussian_networks_are_recovered() -> None:
    true = random_gaussian_network(random_dag(8, n_edges=12, seed=3), seed=3)
    net = fit(true.dag, true.sample(20_000, seed=1), "gaussian")
    test = true.sample(2000, seed=2)
    np.testing.assert_allclose(net.log_density(test).mean(), true.log_density(test).mean(), atol=5e-3)


def test_a_network_of_tables_is_a_discrete_network() -> None:
    true = load("child")
    data = true.sample(300, seed=1)
    net = fit(true.dag, data)
    discrete = net.to_bayesian_network()
    np.testing.assert_array_equal(discrete.log_likelihood(data), net.log_density(data))
    assert discrete.dag == true.dag
    assert discrete.names == data.names
    close = fit(true.dag, true.sample(50_000, seed=1)).to_bayesian_network()
    np.testing.assert_allclose(close.marginal("Disease"), true.marginal("Disease"), atol=0.01)


def test_only_tables_make_a_discrete_network() -> None:
    with pytest.raises(GraphError, match=r"node 'y' has a gaussian model .* model='cpt'"):
        mixed_network().to_bayesian_network()


def test_cut_columns() -> None:
    rng = np.random.default_rng(0)
    x, extra = rng.normal(size=500), Column("extra", Kind.CONTINUOUS, rng.normal(size=500))
    y = (x + 0.1 * rng.normal(size=500) > 0).astype(np.uint8)
    data = Dataset((Column("x", Kind.CONTINUOUS, x), Column("y", Kind.DISCRETE, y, ("n", "y")), extra))
    dag = Dag(["x", "y"], [("x", "y")])
    cuts = Discretization({"x": np.array([-0.5, 0.5]), "extra": np.array([0.0])})
    with pytest.raises(DataError, match="column 'x' is continuous and a probability table needs levels"):
        fit(dag, data)
    net = fit(dag, data, discretization=cuts)
    assert net.discretization == Discretization({"x": np.array([-0.5, 0.5])})
    cut = cuts.apply(data)
    assert net.models == fit(dag, cut).models
    inside = net.intervals[0].log_density(x)
    np.testing.assert_allclose(net.log_density(data), net.log_density(cut) + inside)  # levels have no values
    np.testing.assert_allclose(net.log_score("x", data), net.log_score("x", cut) - inside.sum())
    assert net.expected("y", data.select(["x"])).shape == (500, 2)  # the child itself need not be there
    assert net.sample(3, seed=0).column("x").kind is Kind.CONTINUOUS
    assert net.to_bayesian_network().sample(3, seed=0).column("x").levels == cuts.levels("x")
    assert Network.from_dict(net.to_dict()) == net
    assert fit(dag, cut, discretization=cuts).discretization is None  # nothing was left to cut
    assert net.mean_squared_error("x", data) < x.var()
    with pytest.raises(DataError, match="node 'y' is discrete, so there is no squared error; use log_score"):
        net.mean_squared_error("y", data)
    lost = {**net.to_dict(), "intervals": [{**net.to_dict()["intervals"][0], "means": [0.0, 1.0]}]}
    with pytest.raises(GraphError, match="'x' needs one mean for each of its 3 levels"):
        Network.from_dict(lost)
    with pytest.raises(GraphError, match="column 'x' is cut into 3 levels, which its model has not"):
        Network(dag, fit(dag, Discretization({"x": np.zeros(1)}).apply(data)).models, net.intervals)


@pytest.mark.parametrize("model", ["cpt", "gaussian"])
def test_threads_rows_and_columns_do_not_matter(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    true = load("child") if model == "cpt" else mixed_network()
    data = true.sample(200, seed=1)
    net = fit(true.dag, data, model)
    monkeypatch.setenv("ARCWISE_THREADS", "1")
    assert fit(true.dag, data, model) == net
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    assert fit(true.dag, data, model) == net
    turned = data.select(reversed(data.names))
    assert fit(true.dag, turned, model) == net
    other = fit(true.dag.reordered(turned.names), turned, model)
    assert arrays(other.sample(20, seed=1)) == arrays(net.sample(20, seed=1).select(turned.names))
    order = np.random.default_rng(0).permutation(data.n_rows)
    rows = Dataset(tuple(Column(c.name, c.kind, c.values[order], c.levels, c.ordered) for c in data.columns))
    np.testing.assert_allclose(fit(true.dag, rows, model).log_density(data), net.log_density(data), rtol=1e-9)


def test_options_reach_the_tables() -> None:
    data = mixed_network().sample(50, seed=1)
    dag = mixed_network().dag
    assert fit(dag, data, "gaussian", smoothing=9).model("g") != fit(dag, data, "gaussian").model("g")
    assert fit(dag, data, "gaussian", per="cell").model("g") != fit(dag, data, "gaussian").model("g")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"model": "gauss"}, OptionError, "unknown model 'gauss'; did you mean 'gaussian'"),
        ({"smooth": 1.0}, OptionError, "unknown option of model 'gaussian' 'smooth'; did you mean 'smoothing'"),
        ({"smoothing": -1}, OptionError, "option 'smoothing' must be a number from 0"),
        ({"dag": Dag(["q"])}, DataError, "unknown column 'q'"),
        ({"dag": Dag([])}, GraphError, "no nodes"),
        ({"data": Dataset((Column("x", Kind.CONTINUOUS, np.empty(0)),)), "dag": Dag(["x"])}, DataError, "no rows"),
    ],
)
def test_bad_requests(arguments: dict[str, object], error: type[Exception], message: str) -> None:
    net = mixed_network()
    usual = {"dag": net.dag, "data": net.sample(20, seed=1), "model": "gaussian"}
    with pytest.raises(error, match=message):
        fit(**{**usual, **arguments})  # type: ignore[arg-type]


def test_new_data_must_fit() -> None:
    net = mixed_network()
    data = net.sample(5, seed=1)
    strange = Column("g", Kind.DISCRETE, np.zeros(5, dtype=np.uint8), levels=("d",))
    with pytest.raises(DataError, match="column 'g': unknown state 'd'"):
        net.log_density(Dataset((*data.select(["x", "y", "h"]).columns, strange)))
    with pytest.raises(DataError, match="unknown column 'h'"):
        net.log_density(data.select(["x", "y", "g"]))
    with pytest.raises(GraphError, match="unknown node 'z'"):
        net.expected("z", data)


def test_models_must_match_the_nodes() -> None:
    net = mixed_network()
    with pytest.raises(GraphError, match="4 nodes got 1 model"):
        Network(net.dag, net.models[:1])
    with pytest.raises(GraphError, match=r"model of 'g' given \['h'\] does not belong to node 'y'"):
        Network(net.dag, (net.models[1], *net.models[1:]))


def test_models_must_agree_about_levels() -> None:
    a, x = Table("a", ("0", "1"), (), (), np.ones(2)), LinearGaussian("x", (), 0.0, 1.0, 1.0)
    others = [
        (a, Table("b", ("0", "1"), ("a",), (("1", "0"),), np.ones((2, 2)))),
        (a, LinearGaussian("b", (Effects("a", ("0", "2"), (1.0, -1.0)),), 0.0, 1.0, 1.0)),
        (a, LinearGaussian("b", (Slope("a", 0.0, 1.0, 1.0),), 0.0, 1.0, 1.0)),
        (x, Table("b", ("0", "1"), ("x",), (("0", "1"),), np.ones((2, 2)))),
    ]
    for parent, child in others:
        with pytest.raises(GraphError, match=f"model of 'b' has other levels of '{parent.child}' than the model of"):
            Network(Dag([parent.child, "b"], [(parent.child, "b")]), (parent, child))


def awkward() -> Dataset:
    """A constant column, a copy, one with many more inputs than rows, and huge numbers; five rows."""
    rng = np.random.default_rng(0)
    x = rng.standard_cauchy(5)
    g = Column("g", Kind.DISCRETE, np.array([0, 1, 0, 1, 1], dtype=np.uint8), levels=("n", "y", "unseen"))
    floats = {"c": np.full(5, 3.0), "x": x, "y": 2 * x, "big": 1e300 * rng.normal(size=5), "w": rng.normal(size=5)}
    return Dataset((*(Column(name, Kind.CONTINUOUS, values) for name, values in floats.items()), g))


def test_awkward_tables_give_warnings_and_no_nan() -> None:
    data = awkward()
    edges = [("x", "y"), ("x", "c"), ("g", "big"), ("big", "w"), ("g", "w"), ("x", "w"), ("c", "w")]
    net = fit(Dag(data.names, edges), data, "gaussian")
    assert [warning.split(",")[0] for warning in net.warnings] == [
        "column 'c' is constant",
        "column 'y' is a linear function of its parents",
        "the parents of column 'w' make 5 inputs for 5 rows",
    ]
    assert np.isfinite(net.log_density(data)).all()
    sampled = net.sample(100, seed=1)
    assert all(np.isfinite(column.values).all() for column in sampled.columns)
    assert np.isfinite(net.log_density(sampled)).all()
    assert net.mean_squared_error("w", data) >= 0
    for name in net.names:
        assert np.isfinite(net.expected(name, data)).all()
        assert np.isfinite(net.expected(name, data.select(["x", "w"]))).all()
    assert "warning: column 'c' is constant" in str(net)


def test_text() -> None:
    net = mixed_network()
    assert repr(net) == "Network(4 nodes, 4 edges: 2 cpt, 2 gaussian)"
    assert str(net).splitlines()[1:] == [
        "node  model     parents",
        "y     gaussian  g, x",
        "g     cpt       h",
        "x     gaussian  g",
        "h     cpt",
    ]


@pytest.mark.parametrize("name", ["net.json", "net.json.gz"])
def test_files_keep_every_bit(name: str, tmp_path: Path) -> None:
    net = fit(Dag(awkward().names, [("g", "x"), ("x", "y")]), awkward(), "gaussian")
    net.save(tmp_path / name)
    again = Network.load(tmp_path / name)
    assert again == net
    assert hash(again) == hash(net)
    assert (again.warnings, again.names) == (net.warnings, net.names)
    np.testing.assert_array_equal(again.log_density(awkward()), net.log_density(awkward()))


def test_faulty_files(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    with pytest.raises(FileError, match="cannot read"):
        Network.load(path)
    path.write_text("{")
    with pytest.raises(FileError, match="not JSON"):
        Network.load(path)
    path.write_text("[]")
    with pytest.raises(FileError, match="no network"):
        Network.load(path)
    good = mixed_network().to_dict()
    faults = {
        "models": [
            ({**good["models"][0], "kind": "gausian"}, "unknown kind of model 'gausian'"),
            (3, r"'models\[0\]' must"),
        ],
        "graph": [({}, "format"), ([], "'graph' must be a dict")],
        "intervals": [([{"column": "x"}], r"'intervals\[0\]' must be a dict with"), (5, "'intervals' must be a list")],
    }
    for field, cases in faults.items():
        for value, message in cases:
            content = [value, *good["models"][1:]] if field == "models" else value
            path.write_text(json.dumps({**good, field: content}))
            with pytest.raises(FileError, match=message):
                Network.load(path)
    for model in (0, 1):
        for key in good["models"][model]:
            models = [dict(part) for part in good["models"]]
            del models[model][key]
            with pytest.raises(
                GraphError, match=f"the entry {key!r}" if key != "kind" else "unknown kind of model 'None'"
            ):
                Network.from_dict({**good, "models": models})


@st.composite
def cases(draw: st.DrawFn) -> tuple[Dag, Dataset]:
    """A random graph over up to five columns whose discrete nodes have discrete parents only."""
    n_rows, kinds = draw(st.integers(1, 15)), draw(st.lists(st.booleans(), min_size=1, max_size=5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    columns: list[Column] = []
    for i, is_discrete in enumerate(kinds):
        codes = rng.integers(3, size=n_rows).astype(np.uint8)
        levels = Column(f"v{i}", Kind.DISCRETE, codes, levels=("a", "b", "c", "d"))
        columns.append(levels if is_discrete else Column(f"v{i}", Kind.CONTINUOUS, rng.standard_cauchy(n_rows)))
    pairs = [(i, j) for j in range(len(kinds)) for i in range(j) if kinds[i] or not kinds[j]]
    edges = [(f"v{i}", f"v{j}") for i, j in pairs if draw(st.booleans())]
    return Dag([column.name for column in columns], edges), Dataset(tuple(columns))


@settings(max_examples=40)
@given(cases())
def test_round_trips(case: tuple[Dag, Dataset]) -> None:
    dag, data = case
    net = fit(dag, data, "gaussian")
    again = Network.from_dict(json.loads(json.dumps(net.to_dict(), allow_nan=False)))
    assert again == net
    np.testing.assert_array_equal(again.log_density(data), net.log_density(data))
    assert np.isfinite(net.log_density(data)).all()
    assert arrays(again.sample(7, seed=1)) == arrays(net.sample(7, seed=1))
    np.testing.assert_allclose(sum(net.log_score(name, data) for name in dag.names), -net.log_density(data).sum())
    for name in dag.names:
        assert np.isfinite(net.expected(name, data)).all()
        assert np.isfinite(net.expected(name, data.select(dag.names[::2]))).all()
