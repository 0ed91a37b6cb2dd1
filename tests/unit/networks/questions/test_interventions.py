"""What follows from setting nodes: brute force over the joint table and every graph of the class, and closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.networks import (
    BayesianNetwork,
    GaussianNetwork,
    load,
    random_dag,
    random_discrete_network,
    random_gaussian_network,
)
from arcwise.networks.models.fit import fit
from arcwise.networks.questions import members as class_members
from arcwise.networks.questions.members import Joint, members, sound_pattern
from arcwise.networks.questions.sampling import by_samples
from tests.oracle.queries import (
    class_of,
    conditional_normal,
    given_weights,
    intervened,
    linear_effect,
    marginal,
    one_hot,
    whole_joint,
)

# Smoking causes tar and cancer; tar causes cancer.
CONFOUNDED = BayesianNetwork(
    ("smoking", "tar", "cancer"),
    (("no", "yes"),) * 3,
    ((), ("smoking",), ("smoking", "tar")),
    (
        np.array([0.6, 0.4]),
        np.array([[0.9, 0.1], [0.2, 0.8]]),
        np.array([[[0.95, 0.05], [0.9, 0.1]], [[0.7, 0.3], [0.5, 0.5]]]),
    ),
)


@pytest.mark.parametrize("seed", range(10))
def test_ranges_are_those_over_every_graph_of_the_class(seed: int) -> None:
    net = random_discrete_network(random_dag(5, seed=seed, n_edges=4 + seed % 3), seed=seed, cardinality=(2, 3))
    joint, graphs = whole_joint(net), class_of(net.dag)
    for cause in net.names:
        setting = {cause: net.model(cause).levels[-1]}
        rest = [name for name in net.names if name != cause]
        seen = {rest[seed % 4]: net.model(rest[seed % 4]).levels[0]}
        for given in ({}, seen):
            wanted = [name for name in rest if name not in given]
            found = net.do(setting).query(wanted, given)
            weights = {name: one_hot(net, name, level) for name, level in given.items()}
            for name in wanted:
                every = []
                for dag in graphs:
                    own = marginal(net, given_weights(net, intervened(net, joint, dag, setting), weights), name)
                    every.append(own / own.sum())
                    if dag == net.dag:
                        np.testing.assert_allclose(found[name].probabilities, own / own.sum(), atol=1e-10)
                        assert np.exp(found.log_evidence) == pytest.approx(own.sum(), rel=1e-9)
                low, high = np.min(every, axis=0), np.max(every, axis=0)
                span = found[name].range
                if span is None:
                    np.testing.assert_allclose(low, high, atol=1e-8)
                else:
                    np.testing.assert_allclose(span.low, low, atol=1e-9)
                    np.testing.assert_allclose(span.high, high, atol=1e-9)
            assert bool(found.warnings) == any(found[name].range is not None for name in wanted)


@pytest.mark.parametrize("seed", range(5))
def test_two_nodes_set_together(seed: int) -> None:
    net = random_discrete_network(random_dag(5, seed=seed, n_edges=6), seed=seed, cardinality=(2, 2))
    joint, graphs = whole_joint(net), class_of(net.dag)
    causes, target = net.names[:2], net.names[4]
    setting = {name: net.model(name).levels[1] for name in causes}
    found = net.do(setting).query(target)
    every = []
    for dag in graphs:
        own = marginal(net, intervened(net, joint, dag, setting), target)
        every.append(own / own.sum())
    span = found[target].range
    if span is None:
        np.testing.assert_allclose(np.min(every, axis=0), np.max(every, axis=0), atol=1e-8)
    else:
        np.testing.assert_allclose(span.low, np.min(every, axis=0), atol=1e-9)
        np.testing.assert_allclose(span.high, np.max(every, axis=0), atol=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_linear_effects_by_adjustment(seed: int) -> None:
    net = random_gaussian_network(random_dag(5, seed=seed, n_edges=5), seed=seed)
    graphs = class_of(net.dag)
    for cause in net.names[:3]:
        for target in net.names:
            if target == cause:
                continue
            found = net.do({cause: 1.7}).query(target)[target]
            every = [linear_effect(net, dag, cause, 1.7, target) for dag in graphs]
            assert found.mean == pytest.approx(linear_effect(net, net.dag, cause, 1.7, target), abs=1e-9)
            if found.range is None:
                assert max(every) - min(every) < 1e-7
            else:
                assert found.range.low[0] == pytest.approx(min(every), abs=1e-8)
                assert found.range.high[0] == pytest.approx(max(every), abs=1e-8)


def test_a_chain_of_numbers() -> None:
    """x -> y -> z could be any of three chains: setting y moves z, or x, or both."""
    weights = np.array([[0.0, 0.8, 0.0], [0.0, 0.0, 0.5], [0.0, 0.0, 0.0]])
    net = GaussianNetwork(("x", "y", "z"), weights, np.ones(3), np.array([1.0, 2.0, 3.0]))
    found = net.do(y=4).query(["x", "z"])
    assert found["z"].mean == pytest.approx(3 + 0.5 * 2)
    assert found["x"].mean == pytest.approx(1.0)
    slope = net.covariance()[0, 1] / net.covariance()[1, 1]
    np.testing.assert_allclose([found["z"].range.low[0], found["z"].range.high[0]], [3, 4])  # type: ignore[union-attr]
    np.testing.assert_allclose(
        [found["x"].range.low[0], found["x"].range.high[0]],  # type: ignore[union-attr]
        [1, 1 + 2 * slope],
    )
    assert "x -- y, y -- z" in found.warnings[0]
    only = net.do(y=4).query("z").warnings[0]
    assert "y -- z" in only
    assert "x -- y" not in only  # it does not matter for z
    seen = net.do(y=4).query("z", given={"x": 0.0})
    assert seen["z"].mean == pytest.approx(4.0)
    density = -0.5 * 1.0 - 0.5 * np.log(2 * np.pi)
    assert seen.log_evidence == pytest.approx(density)  # x is N(1, 1), whatever y is set to


def test_seeing_is_not_doing() -> None:
    seen = CONFOUNDED.query("cancer", {"tar": "yes"})["cancer"].probability("yes")
    done = CONFOUNDED.causal().do(tar="yes").query("cancer")
    assert done["cancer"].probability("yes") == pytest.approx(0.6 * 0.1 + 0.4 * 0.5)
    assert seen > done["cancer"].probability("yes") + 0.1
    assert done.warnings == ()
    assert done["cancer"].range is None
    assert done.done == ("tar = yes",)
    assert str(done).startswith("cancer when tar = yes is set\n")


def noisy_xor() -> BayesianNetwork:
    """x is a xor b with an error of 0.1, both fair: any two are independent."""
    table = np.array([[[0.9, 0.1], [0.1, 0.9]], [[0.1, 0.9], [0.9, 0.1]]])
    cpts = (np.array([0.5, 0.5]), np.full((2, 2), 0.5), table)
    return BayesianNetwork(("a", "b", "x"), (("0", "1"),) * 3, ((), ("a",), ("a", "b")), cpts)


def test_a_joint_table_has_its_range_where_each_node_by_itself_has_none() -> None:
    net = noisy_xor()
    found = net.do(x="0").query(["a", "b"], joint=True)
    assert found.joint is not None
    assert found.joint.range is not None
    np.testing.assert_allclose(found.joint.probabilities, 0.25)
    np.testing.assert_allclose(found.joint.range.low, [[0.25, 0.05], [0.05, 0.25]])
    np.testing.assert_allclose(found.joint.range.high, [[0.45, 0.25], [0.25, 0.45]])
    assert found["a"].range is None
    assert "P(a = 0, b = 0) is from 25.0 % to 45.0 %" in found.warnings[0]
    assert found.table().columns == ["a", "b", "probability", "low", "high"]
    np.testing.assert_allclose(found.table()["high"].to_list(), [0.45, 0.25, 0.25, 0.45])
    np.testing.assert_allclose(found.to_dict()["joint"]["range"]["low"], [0.25, 0.05, 0.05, 0.25])
    assert "25.0 % to 45.0 %" in str(found)
    assert "over the class" in str(found)
    assert max(map(len, str(found).splitlines())) <= 80
    known = net.causal().do(x="0").query(["a", "b"], joint=True)
    assert known.joint.range is None  # type: ignore[union-attr]
    assert known.warnings == ()


@pytest.mark.parametrize("seed", range(3))
def test_joint_ranges_are_those_over_every_graph_of_the_class(seed: int) -> None:
    net = random_discrete_network(random_dag(4, seed=seed, n_edges=4), seed=seed, cardinality=(2, 3))
    joint, graphs = whole_joint(net), class_of(net.dag)
    cause, *wanted = net.names[:3]
    setting = {cause: net.model(cause).levels[0]}
    found = net.do(setting).query(wanted, joint=True).joint
    every = [marginal(net, intervened(net, joint, dag, setting), *wanted) for dag in graphs]
    low, high = np.min(every, axis=0), np.max(every, axis=0)
    assert found is not None
    if found.range is None:
        np.testing.assert_allclose(low, high, atol=1e-8)
    else:
        np.testing.assert_allclose(found.range.low, low, atol=1e-9)
        np.testing.assert_allclose(found.range.high, high, atol=1e-9)


def test_a_joint_table_by_samples_is_as_open_as_the_exact_one(monkeypatch: pytest.MonkeyPatch) -> None:
    copy = BayesianNetwork(("a", "b"), (("0", "1"),) * 2, ((), ("a",)), (np.array([0.5, 0.5]), np.eye(2)))
    for net, setting, wanted in ((noisy_xor(), "x", ["a", "b"]), (copy, "b", ["a"])):
        exact = net.do({setting: "0"}).query(wanted, joint=True)
        with monkeypatch.context() as patch:
            patch.setattr("arcwise.networks.questions.ask._by_tables", by_samples)
            found = net.do({setting: "0"}).query(wanted, joint=True)
        assert not found.exact
        np.testing.assert_allclose(found.joint.range.low, exact.joint.range.low, atol=0.02)  # type: ignore[union-attr]
        np.testing.assert_allclose(found.joint.range.high, exact.joint.range.high, atol=0.02)  # type: ignore[union-attr]


def test_evidence_that_other_graphs_of_the_class_exclude_is_told() -> None:
    """a -> b -> c where b is a copy of a: after b is set, a can be anything, unless b -> a."""
    cpts = (np.array([0.5, 0.5]), np.eye(2), np.array([[0.9, 0.1], [0.2, 0.8]]))
    net = BayesianNetwork(("a", "b", "c"), (("0", "1"),) * 3, ((), ("a",), ("b",)), cpts)
    found = net.do(b="1").query("c", {"a": "0"})
    assert found["c"].probability("1") == pytest.approx(0.8)
    assert "of 3 ways 2 exclude the evidence, so that nothing follows there" in found.warnings[-1]
    assert net.causal().do(b="1").query("c", {"a": "0"}).warnings == ()
    with pytest.raises(DataError, match="the evidence is impossible under the network"):
        net.do(a="1").query("c", {"b": "0"})  # in the fitted graph itself


def test_one_edge_is_called_one() -> None:
    data = load("child").sample(60, seed=1).select(["Disease", "Sick"])
    net = fit(Dag(("Disease", "Sick"), [("Disease", "Sick")]), data, "neural", restarts=1)
    found = net.do(Disease=net.model("Disease").levels[0]).query("Sick")
    assert "the data cannot tell how this edge points: Disease -- Sick; of 2 ways 1 could not" in found.warnings[-1]


def test_knowledge_in_the_pattern_narrows_the_range() -> None:
    net = CONFOUNDED
    free = net.do(tar="yes").query("cancer")["cancer"].range
    pattern = Pdag(net.names, [("smoking", "tar")], [("smoking", "cancer"), ("tar", "cancer")])
    known = net.changed(pattern=pattern).do(tar="yes").query("cancer")["cancer"].range
    assert free is not None
    assert known is not None
    assert known.high[1] - known.low[1] < free.high[1] - free.low[1]


def test_a_pattern_that_no_graph_has_is_told() -> None:
    pattern = Pdag(CONFOUNDED.names, [], [("smoking", "cancer"), ("tar", "cancer")], [("smoking", "tar")])
    net = CONFOUNDED.changed(pattern=pattern)
    assert sound_pattern(net.dag, net.pattern)[1] is False
    assert "no graph has all directions of the learned pattern" in net.do(tar="yes").query("cancer").warnings[0]


def test_a_network_on_another_graph_is_the_same_distribution() -> None:
    net = random_discrete_network(random_dag(5, seed=3, n_edges=6), seed=3, cardinality=(2, 3))
    for dag in class_of(net.dag):
        np.testing.assert_allclose(whole_joint(Joint(net).on(dag)), whole_joint(net), atol=1e-12)
    normal = random_gaussian_network(random_dag(5, seed=4, n_edges=6), seed=4)
    for dag in class_of(normal.dag):
        other = Joint(normal).on(dag)
        np.testing.assert_allclose(other.covariance(), normal.covariance(), atol=1e-10)
        np.testing.assert_allclose(other.means, normal.means, atol=1e-10)


def test_levels_above_numbers_on_another_graph() -> None:
    """Two numbers below a level: the edge between them can be turned, with the effects of the level."""
    rng = np.random.default_rng(1)
    ward = rng.integers(0, 3, 500)
    x = rng.normal(ward, 1)
    y = rng.normal(2 * x - (ward == 1), 0.5)
    columns = (Column("x", Kind.CONTINUOUS, x), Column("y", Kind.CONTINUOUS, y))
    data = Dataset((Column("ward", Kind.DISCRETE, ward.astype(np.uint8), ("a", "b", "c")), *columns))
    net = fit(Dag(("ward", "x", "y"), [("ward", "x"), ("ward", "y"), ("x", "y")]), data, "gaussian")
    turned = Joint(net).on(Dag(("ward", "x", "y"), [("ward", "x"), ("ward", "y"), ("y", "x")]))
    np.testing.assert_allclose(turned.log_density(data), net.log_density(data), atol=1e-9)
    found = net.do(x=1.0).query("y")
    assert found["y"].range is not None
    assert any("could not be followed" in warning for warning in found.warnings)  # a number above a level


def test_neural_networks_say_what_they_cannot() -> None:
    data = load("child").sample(60, seed=1).select(["Age", "Disease", "Sick"])
    net = fit(Dag(("Age", "Disease", "Sick"), [("Disease", "Age"), ("Disease", "Sick")]), data, "neural", restarts=1)
    found = net.do(Disease=net.model("Disease").levels[0]).query("Age")
    assert not found.exact
    assert "of 3 ways 2 could not be followed" in found.warnings[-1]
    assert "there is no exact model of 'Age' (softmax-network) without parents" in found.warnings[-1]


def test_samples_are_those_of_the_truncated_network() -> None:
    data = CONFOUNDED.do(tar="yes").sample(40_000, seed=1)
    assert set(data.column("tar").values) == {1}
    assert (data.column("cancer").values == 1).mean() == pytest.approx(0.26, abs=0.01)
    assert (data.column("smoking").values == 1).mean() == pytest.approx(0.4, abs=0.01)
    normal = random_gaussian_network(random_dag(4, seed=2, n_edges=5), seed=2)
    cause = normal.dag.topological_order[1]
    rows = normal.do({cause: 2.5}).sample(5)
    assert set(rows.column(cause).values) == {2.5}
    assert rows.to_frame().shape == (5, 4)


def test_cut_columns_are_set_to_numbers() -> None:
    cars = arcwise.datasets.load("cars1")
    result = arcwise.learn(cars, "equal-frequency")
    net = result.fit(cars)
    assert net.pattern == result.cpdag
    done = net.do(displacement=300)
    assert set(done.sample(20).column("displacement").values) == {300.0}
    found = done.query("mpg")
    assert found.done == ("displacement = 300 (displacement ≥ 241)",)
    assert found.rows is None  # nobody saw such rows
    assert found["mpg"].range is not None
    assert "over the class" in str(found)
    assert done.network.dag.parents("displacement") == ()


def test_limits_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    net = random_discrete_network(Dag("abcde", [("a", x) for x in "bcde"]), seed=1)
    assert len(members(net.dag, net.dag.cpdag(), ["a"]).graphs) == 5
    monkeypatch.setattr(class_members, "MOST_MEMBERS", 2)
    found = members(net.dag, net.dag.cpdag(), ["a"])
    assert found.limited
    assert len(found.graphs) == 2


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (CONFOUNDED.do, OptionError, "nothing is set"),
        (lambda: CONFOUNDED.do("tar"), OptionError, "must be a dict of names and values"),
        (lambda: CONFOUNDED.do(rain="yes"), GraphError, "unknown node 'rain'"),
        (lambda: CONFOUNDED.do(tar="much"), DataError, "unknown level 'much'"),
        (lambda: CONFOUNDED.do(tar=["yes", "no"]), OptionError, "can be set to one value only"),
        (lambda: CONFOUNDED.do(tar="yes").query("tar"), OptionError, "'tar' is asked about and set, too"),
        (lambda: CONFOUNDED.do(tar="yes").query("cancer", {"tar": "no"}), OptionError, "'tar' is given and set, too"),
    ],
)
def test_what_is_refused(ask: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ask()  # type: ignore[operator]


def test_patterns_belong_to_their_graph() -> None:
    with pytest.raises(GraphError, match="the pattern of a network must have the nodes and edges of its graph"):
        CONFOUNDED.changed(pattern=Pdag(CONFOUNDED.names))
    named = CONFOUNDED.causal().renamed({"tar": "Tar"})
    assert ("smoking", "Tar") in named.pattern.directed  # type: ignore[union-attr]
    again = arcwise.Network.from_dict(named.to_dict())
    assert again.pattern == named.pattern


def test_conditional_normal_is_its_own_twin() -> None:
    """The oracle itself: a chain with slope 1 and unit noise."""
    net = GaussianNetwork(("x", "y"), np.array([[0.0, 1.0], [0.0, 0.0]]), np.ones(2), np.zeros(2))
    assert conditional_normal(net, "x", {"y": 2.0}) == (pytest.approx(1.0), pytest.approx(np.sqrt(0.5)))
