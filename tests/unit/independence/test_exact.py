"""Information in the joint distribution of a network: no data, no noise."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest

from arcwise.constraint import PC
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.independence import oracle as exact
from arcwise.independence.oracle import ExactInformation
from arcwise.networks import BayesianNetwork, load, random_discrete_network
from arcwise.parts.protocols import IndependenceTest
from arcwise.parts.spec import to_spec
from tests.oracle.graphs import random_dag, separated_by_paths
from tests.oracle.independence import blank

BINARY = ("0", "1")


def cancelling(weight):
    """X -> A, X -> B, A -> Y <- B: what Y learns of X through A is nearly undone through B."""
    of_y = [[0.5 + 0.2 * (2 * a - 1) - weight * (2 * b - 1) for b in (0, 1)] for a in (0, 1)]
    tables = ([0.5, 0.5], [0.8, 0.2, 0.2, 0.8], [0.8, 0.2, 0.2, 0.8], np.stack([1 - np.array(of_y), of_y], axis=-1))
    return BayesianNetwork(("X", "A", "B", "Y"), (BINARY,) * 4, ((), ("X",), ("X",), ("A", "B")), tables)


def figure_1(then):
    """Figure 1 of Brown, Tsamardinos and Aliferis 2005, its tables worked out from the numbers printed with it.

    then: P(Y = 0 | A = 0, B = 1), 0.95 in the figure, 0.9 where the text changes it.
    """
    first = np.array([[0.75, then], [0.1, 0.3]])
    tables = ([0.5, 0.5], [0.7, 0.3, 0.3, 0.7], [0.8, 0.2, 0.2, 0.8], np.stack([first, 1 - first], axis=-1))
    return BayesianNetwork(("X", "A", "B", "Y"), (BINARY,) * 4, ((), ("X",), ("X",), ("A", "B")), tables)


def information(network, x, y, given=(), **options):
    bound = ExactInformation(network, **options).bind(blank(network.names))
    names = list(network.names)
    return bound.test(names.index(x), names.index(y), [names.index(z) for z in given]).statistic


@pytest.mark.parametrize(
    ("then", "bits"),
    [(0.95, {"": 0.01422, "A": 0.01510, "B": 0.03249, "AB": 0.0}), (0.9, {"": 0.01523, "A": 0.01088, "B": 0.02976})],
)
def test_values_of_a_published_figure(then, bits):
    """Printed: 0.014, 0.015, 0.032; and 0.0152, 0.011, 0.030 with the change."""
    found = {given: information(figure_1(then), "X", "Y", given) / np.log(2) for given in bits}
    assert found == pytest.approx(bits, abs=5e-6)


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        (0.15, {"": 0.0018, "A": 0.0121, "B": 0.0200, "AB": 0.0}),
        (0.08, {"": 0.0104, "A": 0.0035, "B": 0.0189, "AB": 0.0}),
    ],
)
def test_values_of_the_cancelling_network(weight, expected):
    network = cancelling(weight)
    found = {given: information(network, "X", "Y", given) for given in expected}
    assert found == pytest.approx(expected, abs=5e-5)


def test_is_the_sum_of_its_definition():
    dag = Dag.from_adjacency("abcde", random_dag(np.random.default_rng(2), 5, 0.6))
    network = random_discrete_network(dag, seed=3)
    p = network.joint("abcde")

    def entropy(nodes):
        marginal = p.sum(axis=tuple(i for i in range(5) if i not in nodes))
        return -np.sum(marginal * np.log(marginal))

    bound = ExactInformation(network).bind(blank("abcde"))
    for x, y in combinations(range(5), 2):
        for size in range(4):
            for z in combinations(sorted({0, 1, 2, 3, 4} - {x, y}), size):
                value = entropy({x, *z}) + entropy({y, *z}) - entropy({x, y, *z}) - entropy(set(z))
                assert bound.test(y, x, z).statistic == pytest.approx(value, abs=1e-12)


def test_is_nothing_just_where_the_graph_separates():
    rng = np.random.default_rng(4)
    for seed in range(6):
        dag = Dag.from_adjacency("abcde", random_dag(rng, 5, 0.5))
        network = random_discrete_network(dag, seed=seed)
        bound = ExactInformation(network, 1e-9).bind(blank("abcde"))
        for x, y in combinations(range(5), 2):
            given = [u for u in range(5) if u not in {x, y} and rng.random() < 0.5]
            separated = separated_by_paths(dag.adjacency, x, y, set(given))
            assert (bound.test(x, y, given).value > ExactInformation.level) == separated


def test_the_values_are_powers_of_two():
    bound = ExactInformation(cancelling(0.15), 0.002).bind(blank(["X", "A", "B", "Y"]))
    sets = np.array([[1, -1], [1, 2], [-1, -1], [2, 1]])
    expected = 2.0 ** (-bound.information(0, 3, sets) / 0.002)
    assert bound.p_values(0, 3, sets) == pytest.approx(expected, rel=1e-12)
    assert np.exp(bound.log_p_values(0, 3, sets)) == pytest.approx(expected, rel=1e-12)
    assert expected[1] == expected[3] == pytest.approx(1.0)
    assert bound.test(0, 3, [1]).details["log_p"] == pytest.approx(np.log(expected[0]))


def test_a_large_network_is_asked_without_its_whole_joint(monkeypatch):
    network = cancelling(0.15)
    whole = information(network, "X", "Y", "A")
    monkeypatch.setattr(exact, "WHOLE_JOINT", 0)
    assert information(network, "X", "Y", "A") == pytest.approx(whole, rel=1e-12)
    alarm = load("alarm")
    assert information(alarm, "HR", "HRBP", ["CO"]) > 0.1
    assert information(alarm, "HRBP", "CO", ["HR"]) == pytest.approx(0, abs=1e-12)


def test_only_names_matter_and_nodes_without_a_column_are_hidden():
    bound = ExactInformation(cancelling(0.15)).bind(blank(["Y", "A"]))
    assert bound.test(0, 1, []).statistic == pytest.approx(0.0433, abs=5e-5)


def test_pc_finds_the_class():
    network = cancelling(0.15)
    result = PC(test=ExactInformation(network)).learn(blank(network.names), rng=np.random.default_rng(0))
    assert result.cpdag == network.dag.cpdag()


def test_is_a_part_that_can_be_written_down():
    part = ExactInformation(cancelling(0.15), threshold=0.001)
    assert isinstance(part, IndependenceTest)
    spec = json.loads(json.dumps(to_spec(part)))
    assert spec.pop("kind") == "exact-information"
    assert ExactInformation(**spec) == part
    assert hash(ExactInformation(**spec)) == hash(part)
    assert part != ExactInformation(cancelling(0.08), threshold=0.001)


def test_mistakes_are_named():
    with pytest.raises(OptionError, match="'threshold' must be a number above 0, not 0"):
        ExactInformation(cancelling(0.15), 0)
    with pytest.raises(GraphError, match="no node for column 'z'"):
        ExactInformation(cancelling(0.15)).bind(blank("Xz"))
    names = [f"v{i:02d}" for i in range(30)]
    wide = random_discrete_network(Dag(names), seed=1, cardinality=(4, 4))
    with pytest.raises(DataError, match=r"'v00', 'v01'.* is too large to compute exactly"):
        ExactInformation(wide).bind(blank(names)).test(0, 1, range(2, 30))
