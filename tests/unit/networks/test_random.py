from __future__ import annotations

import numpy as np
import pytest

from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.networks import random_dag, random_discrete_network, random_gaussian_network


def test_exact_number_of_edges() -> None:
    for seed in range(20):
        assert random_dag(12, n_edges=seed, seed=seed).n_edges == seed
    complete = random_dag(9, n_edges=36, seed=1)
    assert (complete.adjacency | complete.adjacency.T | np.eye(9, dtype=bool)).all()


def test_expected_degree_is_met_on_average() -> None:
    """Degree d means n d / 2 edges; their number is binomial, so 200 graphs pin the mean down."""
    n, degree = 20, 3.0
    edges = [random_dag(n, expected_degree=degree, seed=seed).n_edges for seed in range(200)]
    pairs, p = n * (n - 1) / 2, degree / (n - 1)
    assert np.mean(edges) == pytest.approx(pairs * p, abs=4 * np.sqrt(pairs * p * (1 - p) / 200))
    assert np.var(edges, ddof=1) == pytest.approx(pairs * p * (1 - p), rel=0.4)


def test_max_parents_is_kept_and_edges_still_met() -> None:
    most = 1 + 2 * 8  # the second node can have one parent, the other eight two each
    dag = random_dag(10, n_edges=most, max_parents=2, seed=3)
    assert dag.n_edges == most
    assert sorted(dag.adjacency.sum(axis=0)) == [0, 1] + [2] * 8
    with pytest.raises(OptionError, match=f"from 0 to {most}"):
        random_dag(10, n_edges=most + 1, max_parents=2, seed=3)
    assert random_dag(30, expected_degree=29, max_parents=3, seed=3).adjacency.sum(axis=0).max() == 3


def test_every_order_of_nodes_occurs() -> None:
    """With one edge among three nodes all six arrows are equally likely."""
    seen = [random_dag(3, n_edges=1, seed=seed).edges[0] for seed in range(600)]
    counts = np.array([seen.count(edge) for edge in set(seen)])
    assert len(counts) == 6
    assert ((counts - 100) ** 2 / 100).sum() < 20.5  # chi-square with 5 degrees of freedom, p = 0.001


def test_names_sort_like_numbers_and_seeds_repeat() -> None:
    dag = random_dag(11, n_edges=5, seed=2)
    assert dag.names == ("X01", "X02", "X03", "X04", "X05", "X06", "X07", "X08", "X09", "X10", "X11")
    assert dag == random_dag(11, n_edges=5, seed=2) != random_dag(11, n_edges=5, seed=3)
    assert random_dag(1, n_edges=0, seed=0).names == ("X1",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0, "n_edges": 0}, "0 nodes"),
        ({"n": 4}, "exactly one"),
        ({"n": 4, "n_edges": 1, "expected_degree": 1.0}, "exactly one"),
        ({"n": 4, "n_edges": 7}, "from 0 to 6"),
        ({"n": 4, "n_edges": -1}, "from 0 to 6"),
        ({"n": 4, "expected_degree": 3.5}, "from 0 to n - 1 = 3"),
        ({"n": 4, "n_edges": 1, "max_parents": -1}, "max_parents -1"),
    ],
)
def test_impossible_graphs(options: dict[str, int], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        random_dag(**options, seed=0)


def test_random_discrete_networks() -> None:
    dag = random_dag(15, n_edges=25, max_parents=3, seed=1)
    net = random_discrete_network(dag, cardinality=(2, 5), seed=1)
    assert net.dag == dag
    assert net.names == dag.names
    assert set(net.cardinalities) == {2, 3, 4, 5}
    assert net == random_discrete_network(dag, cardinality=(2, 5), seed=1)
    assert net != random_discrete_network(dag, cardinality=(2, 5), seed=2)


def test_concentration_sets_how_sharp_the_rows_are() -> None:
    dag = Dag([f"n{i:03d}" for i in range(300)])
    largest = {
        c: np.mean([cpt.max() for cpt in random_discrete_network(dag, concentration=c, seed=0).cpts])
        for c in (0.001, 1.0, 1000.0)
    }
    assert largest[0.001] > 0.99
    assert largest[0.001] > largest[1.0] > largest[1000.0]
    binary = random_discrete_network(dag, cardinality=(2, 2), concentration=1000, seed=0)
    np.testing.assert_allclose(np.stack(binary.cpts), 0.5, atol=0.06)


def test_impossible_discrete_networks() -> None:
    dag = Dag(["a", "b"], [("a", "b")])
    for range_ in ((0, 2), (3, 2)):
        with pytest.raises(OptionError, match="1 <= low <= high"):
            random_discrete_network(dag, cardinality=range_, seed=0)
    with pytest.raises(OptionError, match="concentration 0"):
        random_discrete_network(dag, concentration=0, seed=0)
    star = Dag([f"p{i}" for i in range(30)] + ["c"], [(f"p{i}", "c") for i in range(30)])
    with pytest.raises(OptionError, match="node 'c' with 30 parents"):
        random_discrete_network(star, seed=0)


def test_random_gaussian_networks() -> None:
    dag = random_dag(10, n_edges=20, seed=4)
    net = random_gaussian_network(dag, seed=4)
    assert net.dag == dag
    sizes = np.abs(net.weights[dag.adjacency])
    assert ((sizes >= 0.5) & (sizes <= 1.5)).all()
    assert {-1.0, 1.0} == set(np.sign(net.weights[dag.adjacency]))
    assert ((net.sds >= 0.5) & (net.sds <= 1.5)).all()
    with pytest.raises(OptionError, match="sds"):
        random_gaussian_network(dag, seed=0, sds=(0.0, 1.0))
    with pytest.raises(OptionError, match="weights"):
        random_gaussian_network(dag, seed=0, weights=(2.0, 1.0))
