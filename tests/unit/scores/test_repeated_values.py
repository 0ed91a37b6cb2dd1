"""Neural scores of columns in which values are repeated: zeros, whole numbers, heaps. Parents gain what they tell."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.networks.models.densities import log_densities
from arcwise.networks.models.training import Training, fit_weights, make_task, mixtures_to_begin_with
from arcwise.scores.neural import NeuralBIC, NeuralPrequential

ROWS = 500
SEEDS = range(3)
LUCK = 25.0  # nats: two far values that a mixture of one family happens to reach and that of another does not
both = pytest.mark.parametrize("score", [NeuralPrequential(), NeuralBIC()], ids=lambda score: score.kind)


def zeros(share, seed):
    """A share of zeros below positive numbers, and in the middle of others."""
    rng = np.random.default_rng(seed)
    zero = rng.random(ROWS) < share
    return [np.where(zero, 0.0, rng.lognormal(size=ROWS)), np.where(zero, 0.0, rng.normal(size=ROWS))]


def rounded(seed):
    """Few whole numbers; numbers rounded to 5 and 10; one half and nine tenths of them rounded; two heaped ends."""
    rng = np.random.default_rng(seed)
    values, chance = rng.gamma(4, 12, ROWS), rng.random(ROWS)
    return [
        rng.integers(0, 5, ROWS).astype(float),
        rng.poisson(1.0, ROWS).astype(float),
        np.round(values / 5) * 5,
        np.round(values / 10) * 10,
        np.where(chance < 0.5, np.round(values / 10) * 10, values),
        np.where(chance < 0.9, np.round(values / 10) * 10, values),
        np.clip(rng.normal(0.5, 0.6, ROWS), 0, 1),
    ]


def gains(score, y, parents):
    """What each parent alone adds to the score of y."""
    columns = [Column(f"p{i}", Kind.CONTINUOUS, x) for i, x in enumerate(parents)]
    bound = score.bind(Dataset((Column("y", Kind.CONTINUOUS, y), *columns)))
    sets = np.array([[-1], *([i + 1] for i in range(len(parents)))])
    scores = bound.local_scores(0, sets)
    return scores[1:] - scores[0]


def independent(seed):
    rng = np.random.default_rng(1_000 + seed)
    return [rng.normal(size=ROWS), rng.integers(0, 2, ROWS).astype(float)]


@both
@pytest.mark.parametrize("share", [0.5, 0.8, 0.9, 0.95, 0.99])
def test_an_independent_column_is_no_parent_of_one_with_many_zeros(score, share):
    found = np.array([gains(score, y, independent(seed)) for seed in SEEDS for y in zeros(share, seed)])
    assert found.mean() < -2
    assert found.max() < (LUCK if score.kind == "neural-prequential" else 0)
    assert np.mean(found > 0) < 0.2


@both
def test_an_independent_column_is_no_parent_of_a_rounded_or_heaped_one(score):
    found = np.array([gains(score, y, independent(seed)) for seed in SEEDS[:2] for y in rounded(seed)])
    assert found.mean() < -2
    assert found.max() < (LUCK if score.kind == "neural-prequential" else 0)
    assert np.mean(found > 0) < 0.1


@both
@pytest.mark.parametrize("share", [0.5, 0.8, 0.9])
def test_a_column_that_decides_about_zeros_is_found(score, share):
    rng = np.random.default_rng(5)
    x, other = rng.normal(size=(2, ROWS))
    zero = np.where(rng.random(ROWS) < 0.95, x < np.quantile(x, share), rng.random(ROWS) < share)
    found = gains(score, np.where(zero, 0.0, rng.lognormal(size=ROWS)), [x, other])
    assert found[0] > 25
    assert found[1] < LUCK


@both
@pytest.mark.parametrize("share", [0.5, 0.8])
def test_a_column_that_decides_how_much_beside_the_zeros_is_found(score, share):
    rng = np.random.default_rng(6)
    x, other = rng.normal(size=(2, ROWS))
    values = np.exp(1.5 * x + 0.2 * rng.normal(size=ROWS))
    found = gains(score, np.where(rng.random(ROWS) < share, 0.0, values), [x, other])
    assert found[0] > 50
    assert found[1] < LUCK


@both
def test_the_parent_of_a_heaped_column_is_found(score):
    rng = np.random.default_rng(7)
    x = rng.normal(size=ROWS)
    values = 40 + 12 * x + 6 * rng.normal(size=ROWS)
    for y in (np.round(values / 10) * 10, np.where(rng.random(ROWS) < 0.5, np.round(values / 5) * 5, values)):
        assert gains(score, y, [x])[0] > 100


@pytest.mark.parametrize("share", [0.5, 0.7, 0.84, 0.9, 0.99])
@pytest.mark.parametrize("order", [2, 3])
def test_a_mixture_without_inputs_finds_the_spike(share, order):
    rng = np.random.default_rng(1)
    y = np.where(rng.random(ROWS) < share, 0.0, rng.normal(size=ROWS))
    z = (y - y.mean()) / y.std()
    task = make_task(np.empty((0, ROWS)), z, 3, floor=0.01).with_order(order)
    weights = fit_weights(task, Training(), rng)
    repeated = y == 0
    spike = np.log(repeated.mean() / (0.01 * np.sqrt(2 * np.pi)))
    assert log_densities(task, weights, 0.0)[repeated].mean() > spike - 0.1


def test_starts_have_no_two_components_alike():
    rng = np.random.default_rng(2)
    for share in (0.0, 0.3, 0.84, 0.9):
        z = np.where(rng.random(ROWS) < share, 0.25, rng.normal(size=ROWS))
        task = make_task(np.empty((0, ROWS)), z, 3, floor=0.01).with_order(3)
        starts = mixtures_to_begin_with(task)
        assert len(starts) == (1 if share == 0 else 2 if share == 0.3 else 1)
        for start in starts:
            assert len({tuple(component) for component in start.reshape(3, 3).T}) == 3
    same = make_task(np.empty((0, 20)), np.zeros(20), 3, floor=0.01).with_order(3)
    assert len(mixtures_to_begin_with(same)) == 1


def test_inputs_begin_with_what_can_be_known_without_them():
    """So that a family with parents is never worse in its own rows than one without, however narrow a spike is."""
    rng = np.random.default_rng(3)
    z = np.where(rng.random(ROWS) < 0.9, 0.0, rng.normal(size=ROWS))
    task = make_task(rng.normal(size=(2, ROWS)), z, 3, floor=0.01).with_order(2)
    with_inputs, alone = (
        log_densities(one, fit_weights(one, Training(decay=0.0), rng), 0.0).sum()
        for one in (task, task.without_inputs())
    )
    assert with_inputs > alone - 0.1
    assert list(task.alone) == [(ROWS, 2)]
