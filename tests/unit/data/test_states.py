"""Columns read as states."""

import numpy as np
import pytest
from scipy import stats

from arcwise.data.states import States
from arcwise.errors import GraphError

TWO = States((1.0, 3.0), (0.5, 0.5), (0.4, 0.6))


def test_densities_are_those_of_scipy():
    values = np.linspace(-2, 6, 30)
    expected = 0.4 * stats.norm.pdf(values, 1, 0.5) + 0.6 * stats.norm.pdf(values, 3, 0.5)
    np.testing.assert_allclose(TWO.log_density(values), np.log(expected))
    heavy = States(TWO.means, TWO.sds, TWO.shares, heavy=True)
    expected = 0.4 * stats.t.pdf(values, 4, 1, 0.5) + 0.6 * stats.t.pdf(values, 4, 3, 0.5)
    np.testing.assert_allclose(heavy.log_density(values), np.log(expected))


def test_likelihoods_of_far_values_do_not_vanish():
    found = TWO.likelihoods(np.array([-1e6, 1e6]))
    np.testing.assert_array_equal(found.max(axis=1), 1.0)


def test_thresholds_are_where_the_probable_state_changes():
    crossing = 2.0 + 0.25 * np.log(0.4 / 0.6) / 2.0  # of two normal densities with one variance
    np.testing.assert_allclose(TWO.thresholds(), [crossing], rtol=1e-9)
    same = States((1.0, 2.0, 3.0), (0.2, 0.2, 0.2), (1 / 3, 1 / 3, 1 / 3))
    np.testing.assert_allclose(same.thresholds(), [1.5, 2.5])


def test_a_state_that_never_wins_has_no_interval():
    hidden = States((1.0, 1.5, 2.0), (0.5, 0.5, 0.5), (0.5, 1e-9, 0.5))
    assert len(hidden.thresholds()) == 1
    assert len(States((2.0,), (1.0,), (1.0,)).thresholds()) == 0


def test_words():
    assert TWO.describe() == "2 states near 1, 3 (sd 0.5)"
    assert TWO.labels == ("near 1", "near 3")
    assert States((1.0001, 1.0002), (1.0, 2.0), (0.5, 0.5)).describe() == "2 states near 1.0001, 1.0002 (sd 1 to 2)"


def test_round_trip():
    assert States.from_dict(TWO.to_dict()) == TWO


@pytest.mark.parametrize(
    "wrong",
    [((), (), ()), ((1.0,), (0.0,), (1.0,)), ((2.0, 1.0), (1.0, 1.0), (0.5, 0.5)), ((1.0,), (1.0,), (-0.1,))],
)
def test_nonsense_is_refused(wrong):
    with pytest.raises(GraphError):
        States(*wrong)


def test_means_that_are_no_numbers_are_refused():
    with pytest.raises(GraphError):
        States((np.nan,), (1.0,), (1.0,))


def test_separation_is_the_least_gap_in_standard_deviations():
    assert States((1.0, 2.0, 5.0), (0.5, 0.5, 1.0), (0.3, 0.3, 0.4)).separation == pytest.approx(2.0)
    assert States((1.0,), (1.0,), (1.0,)).separation == np.inf
