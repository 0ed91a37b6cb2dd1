"""States behind the values of a column."""

import numpy as np
import pytest

from arcwise._kernels.evidence.states import fit_states
from arcwise.data.states import States
from arcwise.stats import states as module
from arcwise.stats.states import Emission, Neighbours, estimated, improved, states_of
from tests.oracle import states as oracle


def readings(seed, shares, means, sd, n=1000):
    rng = np.random.default_rng(seed)
    hidden = rng.choice(len(shares), n, p=shares)
    return hidden, np.array(means)[hidden] + sd * rng.standard_normal(n)


@pytest.mark.parametrize("common", [True, False])
@pytest.mark.parametrize("freedom", [0.0, 4.0])
@pytest.mark.parametrize("seed", range(4))
def test_fits_are_those_of_the_twin(seed, common, freedom):
    rng = np.random.default_rng(seed)
    n, k = 60, 3
    values, counts = rng.normal(size=n), rng.integers(1, 4, n).astype(np.float64)
    codes = rng.integers(0, 3, (n, 5)).astype(np.uint8)
    adj = np.zeros((5, 5), dtype=bool)
    adj[0, 2] = adj[1, 2] = adj[2, 3] = adj[4, 3] = adj[2, 4] = True
    around = Neighbours(adj, 2, codes, np.array([3] * 5))
    fit = module._room(n, k, around.context)
    shares = rng.dirichlet(np.ones(k), n)
    fit.shares[:] = shares
    found = fit_states(values, counts, around.context, fit, common, freedom, 1e-5, 1.0, 7, -np.inf)
    own = np.unique(codes[:, [0, 1]], axis=0, return_inverse=True)[1].ravel()
    other = np.unique(codes[:, 4], return_inverse=True)[1]
    children = [(codes[:, 3], other, 3), (codes[:, 4], np.zeros(n, dtype=int), 3)]
    expected = oracle.fit(
        values, counts, own, children, shares, common=common, freedom=freedom, least=1e-5, prior=1.0, steps=7
    )
    assert found == pytest.approx(expected[0], rel=1e-9)
    for mine, theirs in zip((fit.shares, fit.means, fit.variances), expected[1:], strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    ("shares", "means"), [([1.0], [5.0]), ([0.5, 0.5], [1.0, 2.0]), ([0.2, 0.5, 0.3], [1.0, 2.0, 3.0])]
)
def test_states_are_found_where_values_show_them(shares, means):
    found = states_of(readings(1, shares, means, 0.25, 4000)[1], Emission(), 8)
    near = [min(abs(np.array(found.means) - mean)) for mean in means]
    assert max(near) < 0.06
    if len(means) > 1:
        assert len(found) == len(means)
        np.testing.assert_allclose(found.shares, shares, atol=0.03)
        np.testing.assert_allclose(found.sds, 0.25, atol=0.02)


def test_units_do_not_matter():
    values = readings(2, [0.3, 0.7], [0.0, 1.0], 0.2)[1]
    plain, large = states_of(values, Emission(), 8), states_of(1e6 * values + 3e7, Emission(), 8)
    np.testing.assert_allclose(np.array(large.means), 1e6 * np.array(plain.means) + 3e7, rtol=1e-6)


def test_constant_and_nearly_constant_columns_have_one_state():
    assert len(states_of(np.full(50, 3.0), Emission(), 8)) == 1
    assert states_of(np.full(50, 3.0), Emission(), 8).means == (3.0,)


def test_heavy_tails_take_outliers_for_what_they_are():
    rng = np.random.default_rng(3)
    values = np.where(rng.random(1500) < 0.5, 0.0, 4.0) + 0.3 * rng.standard_t(3, 1500)
    assert len(states_of(values, Emission(heavy=True), 8)) == 2
    assert len(states_of(values, Emission(), 8)) > 2


def test_own_spreads_are_found():
    rng = np.random.default_rng(4)
    values = np.concatenate([rng.normal(0.0, 0.2, 1000), rng.normal(4.0, 1.0, 1000)])
    found = states_of(values, Emission(common=False), 2)
    np.testing.assert_allclose(found.sds, [0.2, 1.0], atol=0.06)


def with_neighbours(n=600, seed=5):
    """Three states that overlap too much to show by themselves, and two columns that tell them apart."""
    rng = np.random.default_rng(seed)
    hidden = rng.choice(3, n, p=[0.3, 0.4, 0.3])
    values = hidden + 0.55 * rng.standard_normal(n)
    told = np.column_stack([np.where(rng.random(n) < 0.95, hidden, rng.integers(0, 3, n)) for _ in range(2)])
    codes = np.column_stack([np.zeros(n, dtype=int), told]).astype(np.uint8)
    adj = np.zeros((3, 3), dtype=bool)
    adj[0, 1] = adj[0, 2] = True
    return hidden, values, codes, adj


def test_neighbours_split_states_that_do_not_show():
    hidden, values, codes, adj = with_neighbours()
    one = States((float(values.mean()),), (float(values.std()),), (1.0,))
    cards = np.array([1, 3, 3])
    states, own = one, codes[:, 0].astype(np.intp)
    for _ in range(3):
        better = improved(values, own, states, Neighbours(adj, 0, codes, cards), Emission(), 8)
        if better is None:
            break
        states, shares = better
        own = shares.argmax(axis=1)
    assert len(states) == 3
    assert (own == hidden).mean() > 0.95


def test_states_without_a_reason_are_merged():
    values = np.random.default_rng(6).normal(size=800)
    codes = (values > 0).astype(np.intp)
    two = States((-0.8, 0.8), (0.6, 0.6), (0.5, 0.5))
    alone = Neighbours(np.zeros((1, 1), dtype=bool), 0, codes[:, None].astype(np.uint8), np.array([2]))
    better = improved(values, codes, two, alone, Emission(), 8)
    assert better is not None
    assert len(better[0]) == 1


def test_no_more_states_than_permitted():
    _, values, codes, adj = with_neighbours()
    one = States((float(values.mean()),), (float(values.std()),), (1.0,))
    around = Neighbours(adj, 0, codes, np.array([1, 3, 3]))
    assert improved(values, codes[:, 0].astype(np.intp), one, around, Emission(), 1) is None


def test_estimates_from_drawn_states():
    hidden, values = readings(7, [0.5, 0.5], [1.0, 2.0], 0.3)
    states = estimated(values, hidden, States((0.0, 5.0), (1.0, 1.0), (0.5, 0.5)), Emission())
    np.testing.assert_allclose(states.means, [values[hidden == s].mean() for s in (0, 1)])
    spread = np.mean((values - np.array(states.means)[hidden]) ** 2)
    np.testing.assert_allclose(states.sds, np.sqrt(spread))


def test_a_state_without_rows_stays_where_it_was():
    values = np.array([1.0, 1.1, 0.9])
    states = estimated(values, np.zeros(3, dtype=int), States((1.0, 7.0), (1.0, 1.0), (0.9, 0.1)), Emission())
    assert states.means == (pytest.approx(1.0), 7.0)
    assert states.shares == (1.0, 0.0)


def test_many_parents_are_numbered_by_what_occurs():
    rng = np.random.default_rng(8)
    codes = rng.integers(0, 4, (200, 41)).astype(np.uint8)
    adj = np.zeros((41, 41), dtype=bool)
    adj[1:, 0] = True  # 4^40 configurations
    own = Neighbours(adj, 0, codes, np.full(41, 4)).context.own
    assert len(np.unique(own)) == len(np.unique(codes[:, 1:], axis=0))
