"""Tails of distributions against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import gammaln, logsumexp
from scipy.stats import chi2, norm

from arcwise._kernels.tails import log_chi_squared_tail, log_chi_squared_tails, log_normal_tail

DEGREES = [1, 2, 3, 7, 24, 50, 333, 2000, 100_000]


@pytest.mark.parametrize("df", DEGREES)
def test_chi_squared_in_the_bulk_and_far_out(df):
    for x in df * np.array([1e-6, 0.1, 0.5, 0.9, 0.99, 1.0, 1.01, 1.1, 1.5, 3.0, 20.0]):
        expected = chi2.logsf(x, df)
        ours = log_chi_squared_tail(x, df)
        if expected > -700:
            assert ours == pytest.approx(expected, rel=1e-9, abs=1e-11)
        else:  # SciPy says -inf
            assert -np.inf < ours < -700


@pytest.mark.parametrize(("half", "h"), [(1, 900.0), (12, 2000.0), (166, 3300.0), (1000, 3000.0), (50_000, 80_000.0)])
def test_chi_squared_far_out_by_the_sum_for_even_degrees(half, h):
    """Q(n, h) = exp(-h) sum_{k < n} h^k / k!."""
    k = np.arange(half)
    assert log_chi_squared_tail(2 * h, 2 * half) == pytest.approx(
        logsumexp(k * np.log(h) - gammaln(k + 1)) - h, rel=1e-10
    )


def test_chi_squared_beyond_the_smallest_float():
    assert np.exp(log_chi_squared_tail(1e5, 1)) == 0.0
    # ln Q(1/2, h) = -h - ln(pi h) / 2 + ln(1 - 1 / 2h + ...)
    assert log_chi_squared_tail(1e5, 1) == pytest.approx(-5e4 - 0.5 * np.log(np.pi * 5e4) - 1e-5, rel=1e-12)
    assert log_chi_squared_tail(1e7, 2) == pytest.approx(-5e6, rel=1e-14)


def test_chi_squared_without_freedom_or_evidence():
    assert log_chi_squared_tail(0.0, 5) == 0.0
    assert log_chi_squared_tail(3.0, 0) == 0.0
    values = log_chi_squared_tails(np.array([1.0, np.nan]), np.array([1.0, np.nan]))
    assert values[0] == log_chi_squared_tail(1.0, 1)
    assert np.isnan(values[1])


@pytest.mark.parametrize("z", [0.0, 1e-9, 0.5, 1.96, 8.0, 29.9, 30.0, 30.1, 38.0, 100.0, 1e6])
def test_two_sided_normal(z):
    assert log_normal_tail(z) == pytest.approx(np.log(2) + norm.logsf(z), rel=1e-12, abs=1e-12)
