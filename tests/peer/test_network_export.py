"""Networks handed to pgmpy and pyAgrum answer queries as ours do. Needs both libraries: `make peer`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyagrum as gum
import pytest
from pgmpy.factors.discrete import TabularCPD
from pgmpy.inference import VariableElimination
from pgmpy.readwrite import BIFReader

from arcwise import networks
from arcwise.networks import BayesianNetwork, dag_to_pgmpy, dag_to_pyagrum, load, to_pgmpy, to_pyagrum

# Three parents of different cardinality, so that any mix-up of axes shows.
UNEVEN = BayesianNetwork(
    names=("child", "a", "b", "c"),
    states=(("lo", "mid", "hi"), ("a1", "a2"), ("b1", "b2", "b3"), ("c1", "c2", "c3", "c4")),
    parents=(("b", "c", "a"), (), ("a",), ()),
    cpts=(
        np.random.default_rng(5).dirichlet(np.ones(3), size=(3, 4, 2)),
        np.array([0.3, 0.7]),
        np.random.default_rng(6).dirichlet(np.ones(3), size=2),
        np.array([0.1, 0.2, 0.3, 0.4]),
    ),
    title="uneven",
)


@pytest.fixture(params=["uneven", "alarm", "child", "insurance", "hailfinder"])
def net(request: pytest.FixtureRequest) -> BayesianNetwork:
    return UNEVEN if request.param == "uneven" else load(request.param)


def pgmpy_rows(cpd: TabularCPD, name: str, parents: tuple[str, ...]) -> np.ndarray:
    order = [*parents, name]
    return np.transpose(cpd.values, [cpd.variables.index(n) for n in order])


def test_pgmpy_holds_the_same_tables(net: BayesianNetwork) -> None:
    model = to_pgmpy(net)
    assert model.check_model()
    assert set(model.edges()) == set(net.dag.edges)
    for name, states, parents in zip(net.names, net.states, net.parents, strict=True):
        cpd = model.get_cpds(name)
        assert tuple(cpd.state_names[name]) == states
        np.testing.assert_array_equal(pgmpy_rows(cpd, name, parents), net.cpt(name))


def test_pgmpy_gives_the_same_marginals(net: BayesianNetwork) -> None:
    answers = VariableElimination(to_pgmpy(net))
    for name in net.names[::7]:
        result = answers.query([name], show_progress=False)
        np.testing.assert_allclose(result.values, net.marginal(name), atol=1e-12)


def test_pgmpy_gives_the_same_conditional() -> None:
    """P(child | a, c) by name and state, the way a user would ask."""
    query = VariableElimination(to_pgmpy(UNEVEN)).query(["child"], {"a": "a2", "c": "c3"}, show_progress=False)
    joint = UNEVEN.joint(("child", "a", "c"))[:, 1, 2]
    np.testing.assert_allclose(query.values, joint / joint.sum(), atol=1e-12)


def test_pyagrum_holds_the_same_tables(net: BayesianNetwork) -> None:
    model = to_pyagrum(net)
    assert set(model.names()) == set(net.names)
    assert {(model.variable(i).name(), model.variable(j).name()) for i, j in model.arcs()} == set(net.dag.edges)
    for i, (name, parents) in enumerate(zip(net.names, net.parents, strict=True)):
        assert model.variable(name).labels() == net.states[i]
        cpt = net.cpt(name)
        rng = np.random.default_rng(i)
        for _ in range(20):
            codes = [int(rng.integers(k)) for k in cpt.shape[:-1]]
            row = model.cpt(name)[dict(zip(parents, codes, strict=True))] if parents else model.cpt(name)[:]
            np.testing.assert_allclose(np.ravel(row), cpt[tuple(codes)], atol=1e-15)


def test_pyagrum_gives_the_same_marginals(net: BayesianNetwork) -> None:
    inference = gum.LazyPropagation(to_pyagrum(net))
    inference.makeInference()
    for name in net.names:
        np.testing.assert_allclose(inference.posterior(name).toarray(), net.marginal(name), atol=1e-10)


def test_pyagrum_gives_the_same_conditional() -> None:
    inference = gum.LazyPropagation(to_pyagrum(UNEVEN))
    inference.setEvidence({"a": "a2", "c": "c3"})
    inference.makeInference()
    joint = UNEVEN.joint(("child", "a", "c"))[:, 1, 2]
    np.testing.assert_allclose(inference.posterior("child").toarray(), joint / joint.sum(), atol=1e-10)


def test_pyagrum_gives_the_same_log_likelihood(net: BayesianNetwork) -> None:
    model = to_pyagrum(net)
    data = net.sample(20, seed=3)
    ours = net.log_likelihood(data)
    for row in range(20):
        states = gum.Instantiation()
        for name in net.names:
            states.add(model.variable(name))
        states.fromdict({c.name: c.levels[c.values[row]] for c in data.columns})
        assert model.jointProbability(states) == pytest.approx(np.exp(ours[row]), rel=1e-9)


def test_structure_alone(net: BayesianNetwork) -> None:
    graph = dag_to_pgmpy(net.dag)
    assert (set(graph.nodes()), set(graph.edges())) == (set(net.names), set(net.dag.edges))
    numbered = dag_to_pyagrum(net.dag)
    assert {(net.names[i], net.names[j]) for i, j in numbered.arcs()} == set(net.dag.edges)
    assert numbered.size() == len(net.names)


def test_our_bif_is_read_alike_by_both(net: BayesianNetwork, tmp_path: Path) -> None:
    # pyAgrum's reader takes only plain identifiers, so it gets the network under plain state labels.
    plain = BayesianNetwork(
        net.names,
        tuple(tuple(f"s{i}" for i in range(len(own))) for own in net.states),
        net.parents,
        net.cpts,
    )
    path = tmp_path / "net.bif"
    networks.write_bif(plain, path)
    theirs = BIFReader(str(path)).get_model()
    other = gum.loadBN(str(path))
    for name, parents in zip(net.names, net.parents, strict=True):
        np.testing.assert_allclose(pgmpy_rows(theirs.get_cpds(name), name, parents), net.cpt(name), atol=1e-15)
        axes = [other.cpt(name).names[::-1].index(n) for n in (*parents, name)]
        np.testing.assert_allclose(other.cpt(name).toarray().transpose(axes), net.cpt(name), atol=1e-6)


def test_bif_table_form_means_the_same_in_all_three(tmp_path: Path) -> None:
    path = tmp_path / "table.bif"
    path.write_text(
        "network t {\n}\n"
        "variable a {\n  type discrete [ 2 ] { x, y };\n}\n"
        "variable b {\n  type discrete [ 3 ] { x, y, z };\n}\n"
        "variable c {\n  type discrete [ 2 ] { x, y };\n}\n"
        "probability ( a ) {\n  table 0.2, 0.8;\n}\n"
        "probability ( b ) {\n  table 0.1, 0.2, 0.7;\n}\n"
        "probability ( c | a, b ) {\n"
        "  table 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4;\n}\n"
    )
    ours = networks.read_bif(path).cpt("c")
    np.testing.assert_allclose(ours[1, 2], [0.6, 0.4])
    np.testing.assert_allclose(pgmpy_rows(BIFReader(str(path)).get_model().get_cpds("c"), "c", ("a", "b")), ours)
    model = gum.loadBN(str(path))  # kept by name: a table dies with its network
    row = model.cpt("c")[{"a": "y", "b": "z"}]
    np.testing.assert_allclose(np.ravel(row), ours[1, 2], atol=1e-6)
