from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, OptionError
from arcwise.networks import BayesianNetwork, add_noise, load


def test_crossing_probabilities() -> None:
    """Sigma 0.35: interior states leave their unit interval with probability 0.1531, end states 0.0766."""
    states = ("1", "2", "3")
    net = BayesianNetwork(("a",), (states,), ((),), (np.ones(3),))
    discrete = net.sample(400_000, seed=1)
    codes = discrete.column("a").values
    values = add_noise(discrete, seed=1).column("a").values
    nearest = np.clip(np.rint(values), 1, 3) - 1
    for state, expected in ((0, 0.0766), (1, 0.1531), (2, 0.0766)):
        mine = codes == state
        crossed = np.mean(nearest[mine] != state)
        assert crossed == pytest.approx(expected, abs=4 * np.sqrt(expected / mine.sum()))


def test_noise_is_normal_and_states_count_from_one() -> None:
    discrete = load("alarm").sample(20_000, seed=0)
    noisy = add_noise(discrete, sigma=0.4, seed=3)
    assert noisy.names == discrete.names
    assert set(noisy.kinds) == {Kind.CONTINUOUS}
    for before, after in zip(discrete.columns, noisy.columns, strict=True):
        residual = after.values - (before.values + 1.0)
        assert abs(residual.mean()) < 5 * 0.4 / np.sqrt(20_000)
        assert residual.std() == pytest.approx(0.4, rel=0.03)


def test_the_same_seed_for_sample_and_noise_does_not_couple_them() -> None:
    """One shared stream would make the size of the noise a function of the sampled state.

    A rare state shows it: its uniform number is small, and the normal made of the same bits is small too. Rows
    are few because a normal now and then takes two numbers from its stream, which hides the fault further on.
    """
    net = BayesianNetwork(("a", "b"), (("x", "y"),) * 2, ((), ()), (np.array([0.1, 0.9]),) * 2)
    codes, residuals = [], []
    for seed in range(1500):
        discrete = net.sample(20, seed)
        noisy = add_noise(discrete, seed=seed)
        codes.append(discrete.codes())
        residuals.append(np.stack([column.values for column in noisy.columns]) - codes[-1] - 1.0)
    states, noise = np.hstack(codes), np.hstack(residuals)
    correlations = np.corrcoef(np.vstack([states, noise, np.abs(noise)]))
    bound = 4.5 / np.sqrt(states.shape[1])
    assert np.abs(correlations[:2, 2:]).max() < bound
    assert max(abs(correlations[0, 1]), abs(correlations[2, 3]), abs(correlations[4, 5])) < bound


def test_seed_and_sigma() -> None:
    discrete = load("child").sample(50, seed=0)
    first = add_noise(discrete, seed=5).columns[0].values
    np.testing.assert_array_equal(first, add_noise(discrete, seed=5).columns[0].values)
    assert (first != add_noise(discrete, seed=6).columns[0].values).all()
    clean = add_noise(discrete, sigma=0).columns[0].values
    np.testing.assert_array_equal(clean, discrete.columns[0].values + 1.0)


def test_refusals() -> None:
    with pytest.raises(OptionError, match=r"sigma -0\.1"):
        add_noise(load("child").sample(5, seed=0), sigma=-0.1)
    with pytest.raises(OptionError, match="'sigma' of add_noise must be a number, not nan"):
        add_noise(load("child").sample(5, seed=0), sigma=float("nan"))
    with pytest.raises(DataError, match="'x' is continuous already"):
        add_noise(Dataset((Column("x", Kind.CONTINUOUS, np.zeros(3)),)))
