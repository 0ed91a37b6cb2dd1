"""Scores whose values can be worked out by hand or by another route."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from scipy.special import gammaln

from arcwise import scores
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.graph.dag import Dag
from tests.oracle.counting import discrete_table

X_TO_Y = Dag(["x", "y"], [("x", "y")])
Y_TO_X = Dag(["x", "y"], [("y", "x")])
EMPTY = Dag(["x", "y"])


@pytest.fixture
def six_rows():
    """Counts [[2, 1], [0, 3]]: rows x, columns y."""
    x = np.array([0, 0, 0, 1, 1, 1], dtype=np.uint8)
    y = np.array([0, 0, 1, 1, 1, 1], dtype=np.uint8)
    return Dataset((Column("x", Kind.DISCRETE, x, ("a", "b")), Column("y", Kind.DISCRETE, y, ("a", "b"))))


@pytest.mark.parametrize(
    ("score", "dag", "value"),
    [
        (scores.BDeu(ess=1), X_TO_Y, -9.480917),
        (scores.BDeu(ess=1), Y_TO_X, -9.480917),
        (scores.BDeu(ess=1), EMPTY, -10.307596),
        (scores.BDeu(ess=10), X_TO_Y, -8.338968),
        (scores.BDeu(ess=10), EMPTY, -8.672926),
        (scores.K2(), X_TO_Y, -8.812843),
        (scores.K2(), Y_TO_X, -8.748305),
    ],
)
def test_six_rows_by_hand(six_rows, score, dag, value):
    assert scores.total(score, dag, six_rows) == pytest.approx(value, abs=5e-7)


def test_likelihood_scores_by_hand(six_rows):
    likelihood = 2 * log(2 / 3) + log(1 / 3) + 6 * log(1 / 2)  # y given x; x on its own
    assert scores.total(scores.LogLikelihood(), X_TO_Y, six_rows) == pytest.approx(likelihood)
    assert scores.total(scores.AIC(), X_TO_Y, six_rows) == pytest.approx(likelihood - 3)
    assert scores.total(scores.BIC(), X_TO_Y, six_rows) == pytest.approx(likelihood - 1.5 * log(6))
    length = 2 * log(2) + 3 * log(2) + 1.5 * log(6) - likelihood
    assert scores.total(scores.MDL(), X_TO_Y, six_rows) == pytest.approx(-length)


def test_arc_prior_costs_its_logarithm_for_each_arc(six_rows):
    plain = scores.total(scores.BDeu(ess=10), X_TO_Y, six_rows)
    assert scores.total(scores.BDeu(ess=10, arc_prior=1 / 11), X_TO_Y, six_rows) == pytest.approx(plain - log(11))


@pytest.mark.parametrize("score", [scores.BDeu(), scores.K2(), scores.BIC(), scores.AIC(), scores.LogLikelihood()])
def test_a_constant_column_scores_zero_with_any_parents(score):
    data = discrete_table(np.random.default_rng(0), [1, 3, 2], 50)
    bound = score.bind(data)
    assert bound.local_score(0, []) == pytest.approx(0, abs=1e-12)
    assert bound.local_score(0, [1, 2]) == pytest.approx(0, abs=1e-12)
    assert bound.local_score(1, [0]) == pytest.approx(bound.local_score(1, []))


def test_a_constant_column_costs_its_name_and_its_parents_in_a_description():
    data = discrete_table(np.random.default_rng(0), [1, 3, 2], 50)
    bound = scores.MDL().bind(data)
    assert bound.local_score(0, []) == pytest.approx(-log(3))
    assert bound.local_score(0, [1, 2]) == pytest.approx(-3 * log(3))
    assert bound.local_score(1, [0]) == pytest.approx(bound.local_score(1, []) - log(3))


def test_free_pseudo_counts_against_the_gamma_function_on_a_table():
    data = discrete_table(np.random.default_rng(1), [3, 4, 2], 500)
    codes = data.codes().astype(int)
    table = np.zeros((8, 3))
    np.add.at(table, (codes[1] * 2 + codes[2], codes[0]), 1)
    for a in (0.25, 1.0, 7.0):
        want = np.sum(gammaln(a + table) - gammaln(a)) - np.sum(gammaln(3 * a + table.sum(1)) - gammaln(3 * a))
        assert scores.K2(alpha=a).bind(data).local_score(0, [1, 2]) == pytest.approx(want, abs=1e-8)
    assert scores.K2(alpha=1.0) == scores.K2()
    with pytest.raises(OptionError, match="alpha"):
        scores.K2(alpha=0.0)


def test_bdeu_against_the_gamma_function_on_a_table():
    data = discrete_table(np.random.default_rng(1), [3, 4, 2], 500)
    codes = data.codes().astype(int)
    table = np.zeros((8, 3))
    np.add.at(table, (codes[1] * 2 + codes[2], codes[0]), 1)
    a = 5 / 24
    want = np.sum(gammaln(a + table) - gammaln(a)) - np.sum(gammaln(3 * a + table.sum(1)) - gammaln(3 * a))
    assert scores.BDeu(ess=5).bind(data).local_score(0, [1, 2]) == pytest.approx(want, rel=1e-12)


def test_total_names_what_is_wrong(six_rows):
    with pytest.raises(GraphError, match="'z'"):
        scores.total(scores.BDeu(), Dag(["x", "z"]), six_rows)
    continuous = Dataset((Column("x", Kind.CONTINUOUS, np.zeros(3)), Column("y", Kind.CONTINUOUS, np.ones(3))))
    with pytest.raises(DataError, match=r"'x' is continuous.*discretize"):
        scores.total(scores.BDeu(), EMPTY, continuous)


@pytest.mark.parametrize("options", [{"ess": 0}, {"ess": -1.0}, {"ess": float("nan")}, {"arc_prior": 0.0}])
def test_options_out_of_range_are_refused(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        scores.BDeu(**options)
