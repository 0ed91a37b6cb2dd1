"""Networks learned with Gaussian scores, and the score that suits the columns."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise import networks
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.scores import total
from arcwise.scores.dirichlet import BDeu
from arcwise.scores.gaussian import BGe, DegenerateGaussian, GaussianBIC
from arcwise.scores.suited import Gaussian
from arcwise.search import HillClimb, Tabu


def learned(score, data, search=HillClimb):
    return search(score=score).learn(data, rng=np.random.default_rng(0))


CHAIN = Dag(["a", "b", "c", "d", "e"], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")])
COLLIDERS = Dag(["a", "b", "c", "d", "e", "f"], [("a", "c"), ("b", "c"), ("c", "d"), ("e", "d"), ("f", "e")])
TREE = Dag(["a", "b", "c", "d", "e", "f"], [("c", "a"), ("c", "b"), ("b", "d"), ("b", "e"), ("a", "f")])


@pytest.mark.parametrize("score", [GaussianBIC(), BGe(), BGe(standardize=True)], ids=lambda s: s.kind)
@pytest.mark.parametrize("dag", [CHAIN, COLLIDERS, TREE], ids=["chain", "colliders", "tree"])
@pytest.mark.parametrize("seed", range(3))
def test_small_gaussian_networks_are_recovered(score, dag, seed):
    data = networks.random_gaussian_network(dag, seed=seed).standardized().sample(10_000, seed)
    result = learned(score, data, Tabu)
    assert result.cpdag == dag.cpdag()
    assert result.score >= total(score, dag, data) - 1e-6


@pytest.mark.parametrize("score", [GaussianBIC(), BGe()], ids=lambda s: s.kind)
def test_order_of_rows_and_threads_are_immaterial(score, monkeypatch):
    data = networks.random_gaussian_network(COLLIDERS, seed=5).sample(2000, 5)
    first = learned(score, data)
    order = np.random.default_rng(6).permutation(2000)
    shuffled = Dataset(tuple(Column(c.name, c.kind, c.values[order]) for c in data.columns))
    other = learned(score, shuffled)
    assert (other.graph, other.cpdag) == (first.graph, first.cpdag)
    assert other.score == pytest.approx(first.score, rel=1e-12)
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    monkeypatch.setattr("arcwise.stats.group_sums.STRETCH_NUMBERS", 6 * 300)
    parts = learned(score, Dataset(data.columns))  # another table, as moments of the last one are kept
    monkeypatch.setenv("ARCWISE_THREADS", "1")
    assert learned(score, Dataset(data.columns)).score == parts.score


def mixed_table(n_rows=5000):
    """colour -> size <- grade, size -> price, with colour and grade discrete."""
    rng = np.random.default_rng(7)
    colour = rng.integers(0, 3, n_rows)
    grade = (rng.random(n_rows) < 0.3).astype(np.uint8)
    size = np.array([0.0, 2.0, -1.0])[colour] + 1.5 * grade + rng.standard_normal(n_rows)
    price = 0.8 * size + rng.standard_normal(n_rows)
    return Dataset(
        (
            Column("price", Kind.CONTINUOUS, price),
            Column("grade", Kind.DISCRETE, grade, ("low", "high")),
            Column("size", Kind.CONTINUOUS, size),
            Column("colour", Kind.DISCRETE, colour.astype(np.uint8), ("red", "green", "blue")),
            Column("noise", Kind.CONTINUOUS, rng.standard_normal(n_rows)),
        )
    )


def test_a_mixed_network_is_recovered():
    data = mixed_table()
    truth = Dag(list(data.names), [("colour", "size"), ("grade", "size"), ("size", "price")])
    assert learned(DegenerateGaussian(), data, Tabu).cpdag == truth.cpdag()


def test_discrete_networks_have_the_skeleton_that_counting_finds():
    """Binary columns: correlation is all there is to a pair, so both scores see the same dependences."""
    dag = Dag(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d")])
    data = networks.random_discrete_network(dag, seed=4, cardinality=(2, 2)).sample(5000, 1)
    assert learned(DegenerateGaussian(), data).cpdag == learned(BDeu(), data).cpdag == dag.cpdag()


def test_the_gaussian_score_takes_the_one_that_suits_and_says_so():
    mixed = mixed_table(500)
    continuous = mixed.select(["price", "size", "noise"])
    discrete = mixed.select(["grade", "colour"])
    for data, score, why in (
        (continuous, GaussianBIC(), "gaussian-bic: every column is continuous"),
        (mixed, DegenerateGaussian(), "degenerate-gaussian: grade, colour are discrete"),
        (discrete, DegenerateGaussian(), "bdeu"),
    ):
        bound = Gaussian().bind(data)
        assert bound.local_score(0, [1]) == score.bind(data).local_score(0, [1])
        assert bound.local_scores(1, np.array([[0]])) == score.bind(data).local_scores(1, np.array([[0]]))
        assert why in bound.warnings[0]
    bound = Gaussian(continuous=BGe()).bind(continuous)
    assert bound.local_score(0, [1]) == BGe().bind(continuous).local_score(0, [1])
    assert "bge" in bound.warnings[0]


@pytest.mark.parametrize("options", [{"continuous": BDeu()}, {"mixed": GaussianBIC()}])
def test_the_gaussian_score_refuses_a_part_that_cannot_serve(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        Gaussian(**options)
