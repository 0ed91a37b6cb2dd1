"""Markov blankets: who is in them, and how strong each tie is."""

from __future__ import annotations

import json

import numpy as np
import pytest

import arcwise
from arcwise import networks
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.networks import random_dag, random_discrete_network, random_gaussian_network
from arcwise.networks.models.fit import fit
from arcwise.networks.questions.blankets import information
from arcwise.results.completion import Completion
from arcwise.results.result import LearnResult
from arcwise.results.strengths import Strengths
from tests.oracle.queries import marginal, whole_joint


@pytest.mark.parametrize("name", ["alarm", "insurance"])
def test_everyone_is_there(name: str) -> None:
    net = networks.load(name)
    for node in net.names:
        found = net.blanket(node)
        assert set(found.names) == net.dag.markov_blanket(node)
        assert {one.name for one in found.parents} == set(net.dag.parents(node))
        assert {one.name for one in found.children} == set(net.dag.children(node))
        assert found.neighbours == ()
        for spouse in found.spouses:
            assert {node, spouse.name} <= set(net.dag.parents(spouse.child))


@pytest.mark.parametrize("seed", range(5))
def test_nats_of_tables(seed: int) -> None:
    """I(child; parent | others) = H(child, others) + H(parents) - H(all) - H(others), from the whole joint."""
    net = random_discrete_network(random_dag(5, seed=seed, n_edges=7), seed=seed, cardinality=(2, 3))
    joint = whole_joint(net)

    def entropy(*names: str) -> float:
        cells = marginal(net, joint, *names).ravel() if names else np.ones(1)
        return -float((cells[cells > 0] * np.log(cells[cells > 0])).sum())

    for parent, child in net.dag.edges:
        others = [name for name in net.dag.parents(child) if name != parent]
        want = entropy(child, *others) + entropy(parent, *others) - entropy(child, parent, *others) - entropy(*others)
        assert information(net, parent, child)[0] == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_nats_of_linear_gaussians(seed: int) -> None:
    """From determinants of the covariance: I(x; y | z) = ln (|xz| |yz| / (|xyz| |z|)) / 2."""
    net = random_gaussian_network(random_dag(5, seed=seed, n_edges=7), seed=seed)
    covariance = net.covariance()

    def log_volume(*names: str) -> float:
        at = [net.dag.index(name) for name in names]
        return float(np.linalg.slogdet(covariance[np.ix_(at, at)])[1]) if names else 0.0

    for parent, child in net.dag.edges:
        rest = [name for name in net.dag.parents(child) if name != parent]
        want = (
            log_volume(child, *rest) + log_volume(parent, *rest) - log_volume(child, parent, *rest) - log_volume(*rest)
        )
        assert information(net, parent, child)[0] == pytest.approx(want / 2, abs=1e-10)


def test_a_learned_network_has_neighbours_without_direction() -> None:
    cars = arcwise.datasets.load("cars1")
    result = arcwise.learn(cars, "equal-frequency")
    fitted, learned = result.fit(cars).blanket("mpg"), result.blanket("mpg")
    assert {one.name for one in fitted.neighbours} == set(result.cpdag.neighbors("mpg"))
    assert [(one.name, one.role) for one in sorted(fitted.relatives, key=lambda one: one.name)] == [
        (one.name, one.role) for one in sorted(learned.relatives, key=lambda one: one.name)
    ]
    assert all(one.strength is not None for one in fitted.relatives)
    assert all(
        one.strength == result.ties.of("mpg" if one.child is None else one.child, one.name) for one in learned.relatives
    )
    assert "fit either direction" in str(fitted)


def test_a_pattern_that_no_graph_has_hides_nobody() -> None:
    """x2 <-> x4 was fitted as x2 -> x4, so that x0 and x2 are spouses; x1 -> x3 was fitted the other way round."""
    dag = Dag(("x0", "x1", "x2", "x3", "x4"), [("x0", "x4"), ("x2", "x4"), ("x3", "x1"), ("x0", "x1")])
    pattern = Pdag(dag.names, [("x0", "x4"), ("x1", "x3"), ("x0", "x1")], [], [("x2", "x4")])
    net = random_discrete_network(dag, seed=1).changed(pattern=pattern)
    for name in net.names:
        assert set(net.blanket(name).names) == net.dag.markov_blanket(name)
    found = net.blanket("x0")
    assert {one.name for one in found.children} == {"x1", "x4"}
    assert {(one.name, one.child) for one in found.spouses} == {("x2", "x4"), ("x3", "x1")}
    assert [(one.name, one.role) for one in net.blanket("x2").neighbours] == [("x4", "conflict")]
    assert [one.name for one in net.blanket("x1").parents if one.name == "x3"] == ["x3"]


def test_ends_in_conflict_may_both_be_arrowheads_in_a_result() -> None:
    pattern = Pdag(("x0", "x2", "x4", "x5"), [("x0", "x4"), ("x5", "x2")], [], [("x2", "x4")])
    result = arcwise.LearnResult(cpdag=pattern)
    assert set(result.blanket("x0").names) == {"x4", "x2"}
    assert set(result.blanket("x4").names) == {"x0", "x2", "x5"}
    assert set(result.blanket("x2").names) == {"x4", "x5", "x0"}


def test_a_learned_pattern_with_conflicts_hides_nobody() -> None:
    """pc on few rows of many columns: its patterns have edges of conflicting directions."""
    conflicts = 0
    for seed in range(6):
        data = random_gaussian_network(random_dag(7, seed=seed, n_edges=10), seed=seed).sample(80, seed=seed)
        result = arcwise.learn(data, "pc")
        net = result.fit(data)
        conflicts += len(result.cpdag.bidirected)
        for name in net.names:
            assert set(net.blanket(name).names) == net.dag.markov_blanket(name)
    assert conflicts


def test_shares_where_there_are_some() -> None:
    pattern = Pdag("abcd", [("a", "c"), ("b", "c")])
    other = Pdag("abcd", [("a", "c")], [("b", "d")])
    strengths = Strengths.of([pattern, pattern, pattern, other])
    completion = _completion(strengths)
    found = LearnResult(pattern, completion=completion).blanket("a")
    assert [(one.name, one.strength) for one in found.children] == [("c", 1.0)]
    assert [(one.name, one.strength, one.child) for one in found.spouses] == [("b", 0.75, "c")]
    assert found.graphs == 4
    assert found.measure == "share"
    assert "75%" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["spouses"] == [{"name": "b", "strength": 0.75, "child": "c"}]
    assert found.table()["strength"].to_list() == [1.0, 0.75]


def test_nats_of_the_score_where_a_table_was_learned_from_once() -> None:
    dag = Dag("abcd", [("a", "c"), ("b", "c")])
    found = LearnResult(Pdag.from_dag(dag), dag, support={("a", "c"): 1234.5, ("b", "c"): 2.25}).blanket("a")
    assert (found.measure, found.graphs) == ("nats", None)
    assert [(one.name, one.strength, one.reason) for one in found.relatives] == [("c", 1234.5, ""), ("b", 2.25, "")]
    assert "1,234 nats" in str(found)
    assert str(found).endswith("(nats that the score loses without the edge)")
    unknown = LearnResult(Pdag.from_dag(dag)).blanket("a")
    assert unknown.measure == ""
    assert str(unknown).endswith("a bootstrap gives shares)")


def _completion(strengths: Strengths) -> Completion:
    from dataclasses import fields

    plain = {field.name: () for field in fields(Completion)}
    return Completion(**{**plain, "strengths": strengths})  # type: ignore[arg-type]


def test_conflicting_neighbours() -> None:
    found = LearnResult(Pdag("ab", [], [], [("a", "b")])).blanket("a")
    assert [(one.name, one.role) for one in found.neighbours] == [("b", "conflict")]
    assert "conflicting" in str(found)


def test_levels_above_numbers_have_no_closed_form() -> None:
    rng = np.random.default_rng(0)
    code = rng.integers(0, 2, 100).astype(np.uint8)
    data = Dataset((Column("k", Kind.DISCRETE, code, ("a", "b")), Column("x", Kind.CONTINUOUS, rng.normal(code, 1))))
    net = fit(Dag(("k", "x"), [("k", "x")]), data, "gaussian")
    (child,) = net.blanket("k").children
    assert child.strength is None
    assert "no nats" in child.reason
    assert child.reason in str(net.blanket("k"))


def test_a_column_alone_and_an_unknown_one() -> None:
    net = random_discrete_network(Dag("ab"), seed=1)
    assert str(net.blanket("a")) == "Markov blanket of a: 0 columns"
    assert net.blanket("a").table().shape == (0, 5)
    with pytest.raises(GraphError, match="unknown node 'z'"):
        net.blanket("z")


def test_awkward_names() -> None:
    names = ("<b>" + "x" * 100, "y" * 100)
    net = random_discrete_network(Dag(names, [names]), seed=1)
    found = net.blanket(names[0])
    assert max(map(len, str(found).splitlines())) <= 80
    assert "<b>" not in found._repr_html_()
