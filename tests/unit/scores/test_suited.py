"""The score that is chosen by the kinds of the columns."""

from __future__ import annotations

import pytest

from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.scores import BIC, K2, BDeu, DegenerateGaussian, Gaussian, GaussianBIC, Suited, total
from tests.contract.parts import NAMES, continuous_data, discrete_data, mixed_data

DAG = Dag(NAMES, [("alpha", "bravo"), ("charlie", "bravo"), ("bravo", "echo")])


@pytest.mark.parametrize(
    ("data", "taken"),
    [(discrete_data(), BDeu()), (mixed_data(), DegenerateGaussian()), (continuous_data(), GaussianBIC())],
)
def test_each_kind_of_table_has_its_score(data, taken):
    assert total(Suited(), DAG, data) == total(taken, DAG, data)


def test_both_scores_are_options():
    score = Suited(discrete=BIC(), otherwise=Gaussian(continuous=GaussianBIC()))
    assert total(score, DAG, discrete_data()) == total(BIC(), DAG, discrete_data())
    assert score.score_equivalent
    assert not Suited(discrete=K2()).score_equivalent


@pytest.mark.parametrize("options", [{"discrete": GaussianBIC()}, {"otherwise": BDeu()}])
def test_a_score_that_does_not_fit_is_refused(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        Suited(**options)
