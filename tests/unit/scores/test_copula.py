"""The linear score of normal scores, with the latent normal where values repeat."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

import arcwise
from arcwise import metrics, scores
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, OptionError
from arcwise.networks.table_kinds import simulate
from arcwise.scores import Copula, DegenerateGaussian, GaussianBIC
from arcwise.stats.latent_normal import latent_correlations
from arcwise.stats.moments import Moments
from tests.contract.parts import continuous_data, mixed_data, reorder_rows


def test_without_ties_it_is_the_gaussian_bic_of_normal_scores():
    data, _ = simulate("log-normal", nodes=6, edges=8, rows=200, seed=1)
    wanted = GaussianBIC(transform="normal-scores", arc_prior="sparse").bind(data)
    sets = np.array([[1, -1, -1], [2, 3, -1], [1, 2, 5], [-1, -1, -1]])
    for ties in ("latent", "mid-ranks"):
        assert np.array_equal(Copula(ties=ties).bind(data).local_scores(0, sets), wanted.local_scores(0, sets))


def test_levels_without_an_order_are_contrasts():
    data = mixed_data()
    wanted = DegenerateGaussian(transform="normal-scores", arc_prior="sparse").bind(data)
    assert Copula(ties="mid-ranks").bind(data).local_score(0, [1, 2]) == wanted.local_score(0, [1, 2])
    assert Copula().bind(data).local_score(0, [1, 2]) == pytest.approx(wanted.local_score(0, [1, 2]))


def test_the_formula_by_hand():
    """-(N / 2) ln(1 - rho^2) less the price of an arc, (ln N / 2 - ln kappa) / (k_1 k_2)^2."""
    data, _ = simulate("counts", nodes=5, edges=6, rows=500, seed=2)
    moments = Moments.transformed(data, "normal-scores")
    latent = latent_correlations(data, moments.starts, moments.correlations)
    rho, known = latent.correlations[0, 1], latent.known
    for kappa in (1.0, 0.05):
        bound = Copula(arc_prior=kappa).bind(data)
        gain = bound.local_score(0, [1]) - bound.local_score(0, [])
        price = (0.5 * log(500) - log(kappa)) / (known[0] * known[1]) ** 2
        assert gain == pytest.approx(-250 * log(1 - rho**2) - price)


@pytest.mark.parametrize("kind", ["rounded", "counts"])
def test_ties_do_not_make_edges(kind):
    data, dag = simulate(kind, nodes=12, edges=15, rows=10_000, seed=3)
    found = {ties: arcwise.learn(data, "copula", ties=ties).cpdag for ties in ("latent", "mid-ranks")}
    distance = {ties: metrics.shd(cpdag, dag) for ties, cpdag in found.items()}
    assert distance["latent"] <= 1
    assert distance["mid-ranks"] >= 3


def test_ordered_levels_are_seen_through_cuts():
    data, dag = simulate("latent-classes", nodes=12, edges=15, rows=5000, seed=4)
    found = {ties: metrics.shd(arcwise.learn(data, "copula", ties=ties).cpdag, dag) for ties in ("latent", "mid-ranks")}
    assert found["latent"] <= 2 < found["mid-ranks"]


def test_constant_columns_have_no_edges():
    data, _ = simulate("half-zeros", nodes=5, edges=6, rows=200, seed=1)
    constant = Column("same", Kind.CONTINUOUS, np.full(200, 2.5))
    result = arcwise.learn(Dataset((*data.columns, constant)), "copula")
    assert not any("same" in edge for edge in (*result.cpdag.directed, *result.cpdag.undirected))


def test_what_is_doubtful_is_said():
    few, _ = simulate("half-zeros", nodes=20, edges=40, rows=15, seed=1)
    warnings = " ".join(Copula().bind(few).warnings)
    assert "the matrix of latent correlations was shrunk by" in warnings
    assert "15 rows for 20 dimensions" in warnings
    many, _ = simulate("rounded", nodes=6, edges=6, rows=2000, seed=1)
    assert Copula().bind(many).warnings == ()


def test_no_rows_and_one_row_and_copies():
    one = Dataset((Column("x", Kind.CONTINUOUS, np.array([1.0])), Column("y", Kind.CONTINUOUS, np.array([2.0]))))
    assert Copula().bind(one).local_score(0, [1]) <= Copula().bind(one).local_score(0, [])
    data, _ = simulate("counts", nodes=4, edges=3, rows=300, seed=1)
    copies = Dataset((*data.columns, Column("copy", Kind.CONTINUOUS, np.exp(data.columns[0].values))))
    bound = Copula().bind(copies)
    assert np.isfinite(bound.local_scores(0, np.array([[4, -1], [4, 1], [1, 2]]))).all()
    assert bound.local_score(0, [4]) > bound.local_score(0, [1])


@pytest.mark.parametrize("kind", ["half-zeros", "counts", "log-normal"])
def test_weights_are_repeated_rows(kind):
    data, _ = simulate(kind, nodes=5, edges=6, rows=200, seed=1)
    data = data.weighted(np.random.default_rng(0).integers(0, 4, 200))
    bound, again = Copula().bind(data), Copula().bind(data.repeated())
    assert bound.local_score(0, [1, 2]) == pytest.approx(again.local_score(0, [1, 2]), rel=1e-11)


def test_the_order_of_rows_changes_no_graph():
    data, _ = simulate("half-zeros", nodes=10, edges=12, rows=300, seed=1)
    shuffled = reorder_rows(data, np.random.default_rng(0).permutation(300))
    assert arcwise.learn(shuffled, "copula").cpdag == arcwise.learn(data, "copula").cpdag


def test_its_networks_can_be_fitted():
    data, _ = simulate("counts", nodes=5, edges=6, rows=200, seed=1)
    for table in (data, continuous_data(), mixed_data()):
        network = arcwise.learn(table, "copula").fit(table)
        assert np.isfinite(network.log_density(table)).all()


def test_wrong_options_and_missing_cells_are_named():
    with pytest.raises(OptionError, match="ties"):
        Copula(ties="none")
    with pytest.raises(OptionError, match="arc_prior"):
        Copula(arc_prior=0.0)
    gap = Dataset((Column("x", Kind.CONTINUOUS, np.array([1.0, np.nan, 2.0]), missing=np.array([False, True, False])),))
    with pytest.raises(DataError, match="'x'"):
        Copula().bind(gap)
    assert scores.Copula is Copula
