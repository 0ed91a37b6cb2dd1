"""Losses, gradients and the optimizer of the networks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from scipy.optimize import minimize

from arcwise._kernels.neural import training as kernels
from arcwise._kernels.neural.layers import STRETCH
from arcwise._kernels.neural.losses import exp
from arcwise.errors import OptionError
from arcwise.networks.models import training as module
from arcwise.networks.models.densities import log_densities
from arcwise.networks.models.neural import bic_of, choose_order, fit_network
from arcwise.networks.models.training import Run, Training, first_weights, fit_weights, make_task, outputs_of
from tests.oracle import neural as oracle


def problem(rows=60, inputs=2, order=2, levels=0, seed=0):
    """Random rows with a dependence: a task and the arrays that it is made of."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(inputs, rows))
    y = np.sin(x.sum(axis=0)) + 0.3 * rng.normal(size=rows)
    if levels:
        codes = np.clip((levels * (y + 1.5) / 3).astype(int), 0, levels - 1)
        return make_task(x, codes, 3, levels=levels), x, codes
    z = (y - y.mean()) / max(y.std(), 1e-9)
    return make_task(x, z, 3, floor=0.01).with_order(order), x, z


@njit
def loss_and_gradient(objective, weights, gradient, buffer):
    """Only kernels can call it."""
    return kernels.loss_and_gradient(objective, weights, gradient, buffer)


def evaluate(task, weights, decay):
    gradient = np.empty(len(weights))
    buffer = np.empty((2 * task.hidden + 2 * task.outputs + 5, STRETCH))
    shape = task.rows, task.hidden, task.outputs
    objective = kernels.Objective(task.inputs, task.targets, *shape, task.floor, decay)
    return loss_and_gradient(objective, weights, gradient, buffer), gradient


def test_the_exponential_is_exact_and_never_overflows():
    x = np.concatenate([np.linspace(-700, 700, 2001), np.linspace(-1, 1, 501), [0.0]])
    assert np.array([exp(v) for v in x]) == pytest.approx(np.exp(x), rel=4e-16)
    assert np.isfinite([exp(1e308), exp(-1e308), exp(np.inf), exp(-np.inf)]).all()
    assert exp(-np.inf) > 0


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(
    rows=st.integers(1, 40) | st.sampled_from([127, 128, 129, 260]),
    inputs=st.integers(0, 9),
    order=st.integers(0, 4),
    levels=st.integers(2, 7),
    decay=st.sampled_from([0.0, 0.7]),
    seed=st.integers(0, 100),
)
def test_loss_is_that_of_the_formulas(rows, inputs, order, levels, decay, seed):
    task, x, targets = problem(rows, inputs, order, 0 if order else levels, seed)
    weights = np.random.default_rng(seed).normal(size=task.n_weights)
    found, _ = evaluate(task, weights, decay)
    expected = oracle.loss(weights, x, targets, task.hidden, task.outputs, task.floor, decay)
    assert found == pytest.approx(expected, rel=1e-10, abs=1e-10)
    assert outputs_of(task, weights)[:, -1] == pytest.approx(
        oracle.outputs(weights, x[:, -1], task.hidden, task.outputs), rel=1e-12, abs=1e-12
    )
    assert -log_densities(task, weights, 0.0).sum() == pytest.approx(evaluate(task, weights, 0.0)[0], rel=1e-10)


@settings(deadline=None, max_examples=25)
@given(inputs=st.integers(0, 6), order=st.integers(0, 4), levels=st.integers(2, 5), seed=st.integers(0, 100))
def test_gradients_agree_with_differences_to_one_in_a_million(inputs, order, levels, seed):
    task, _, _ = problem(150, inputs, order, 0 if order else levels, seed)
    weights = np.random.default_rng(seed).normal(size=task.n_weights)
    _, gradient = evaluate(task, weights, 0.3)
    expected = oracle.slopes(lambda w: evaluate(task, w, 0.3)[0], weights)
    assert np.abs(gradient - expected).max() <= 1e-6 * max(1.0, np.abs(expected).max())


@pytest.mark.slow
@pytest.mark.parametrize("case", [{"order": 2}, {"levels": 3}, {"order": 2, "inputs": 0}])
def test_training_reaches_the_optimum_that_scipy_reaches(case):
    task, _, _ = problem(rows=200, **case)
    ours, theirs = [], []
    for seed in range(6):
        start = first_weights(task, np.random.default_rng(seed))
        run = Run(task, 3.0, start)
        run.advance(2_000, enough=1e-9)
        ours.append(run.loss)
        assert np.abs(evaluate(task, run.weights, 3.0)[1]).max() < 1e-2
        options = {"maxiter": 2_000, "maxfun": 4_000, "ftol": 1e-14, "gtol": 1e-5, "maxcor": 20}
        theirs.append(
            minimize(lambda w: evaluate(task, w, 3.0), start, jac=True, method="L-BFGS-B", options=options).fun
        )
    assert min(ours) == pytest.approx(min(theirs), abs=1e-4)  # single starts may end in different valleys
    assert np.count_nonzero(np.abs(np.array(ours) - theirs) < 1e-4) >= 3


@pytest.mark.parametrize("case", [{"order": 2}, {"levels": 3, "inputs": 5}])
def test_few_steps_of_a_small_network_lower_the_loss(case):
    """Small enough to run without the compiler."""
    task, x, targets = problem(rows=20, **case)
    start = first_weights(task, np.random.default_rng(0))
    run = Run(task, 0.5, start)
    losses = []
    for _ in range(4):
        run.advance(1)
        losses.append(run.loss)
        shape = task.hidden, task.outputs, task.floor, 0.5
        assert run.loss == pytest.approx(oracle.loss(run.weights, x, targets, *shape), rel=1e-10)
    assert np.all(np.diff(losses) < 0)
    assert outputs_of(task, run.weights).shape == (task.outputs, 20)


def test_training_can_be_interrupted_without_a_trace(monkeypatch):
    task, _, _ = problem(rows=100)
    start = first_weights(task, np.random.default_rng(1))
    whole, parts = Run(task, 0.5, start), Run(task, 0.5, start)
    whole.advance(60)
    monkeypatch.setattr(module, "WORK_PER_CALL", 7 * task.rows * task.n_weights)
    parts.advance(20)
    parts.advance(40)
    assert parts.iterations == whole.iterations > 7
    assert np.array_equal(parts.weights, whole.weights)
    assert parts.loss == whole.loss


def test_training_never_raises_the_loss_and_stops_by_itself():
    task, _, _ = problem(rows=300, order=3)
    run = Run(task, 1.0, first_weights(task, np.random.default_rng(0)))
    losses = []
    while not run.converged:
        run.advance(1)
        losses.append(run.loss)
    assert np.all(np.diff(losses) <= 0)
    assert 10 < run.iterations < 3_000
    before = run.iterations
    run.advance(10)
    assert run.iterations == before


def test_the_more_promising_start_is_trained_to_the_end():
    task, _, _ = problem(rows=150, order=1)
    good = fit_weights(task, Training(iterations=400), np.random.default_rng(0))
    bad = np.full(task.n_weights, 30.0)
    for training in (Training(restarts=0), Training(restarts=2)):
        found = fit_weights(task, training, np.random.default_rng(1), warm=good)
        assert evaluate(task, found, 1.0)[0] <= evaluate(task, good, 1.0)[0] + 1e-9
    rescued = fit_weights(task, Training(restarts=2), np.random.default_rng(1), warm=bad)
    alone = fit_weights(task, Training(restarts=0), np.random.default_rng(1), warm=bad)
    assert evaluate(task, rescued, 1.0)[0] < evaluate(task, alone, 1.0)[0] - 10


def test_starts_are_small_and_know_the_targets():
    task, _, z = problem(rows=100, order=3)
    weights = first_weights(task, np.random.default_rng(0))
    biases = weights[task.hidden * 3 :].reshape(9, -1)[:, -1]
    assert np.abs(np.delete(weights, np.flatnonzero(np.isin(weights, biases)))).max() <= 0.5
    assert biases[3:6] == pytest.approx(np.quantile(z, [1 / 6, 0.5, 5 / 6]))
    assert np.exp(biases[6:]) + task.floor == pytest.approx(1 / 3)


@pytest.mark.parametrize("order", ["bic", "hold-out"])
def test_the_order_of_a_mixture_is_found(order):
    rng = np.random.default_rng(4)
    three = np.concatenate([rng.normal(m, 0.2, 200) for m in (-3, 0, 3)])[rng.permutation(600)]
    for values, components in ((rng.normal(size=600), 1), (three, 3)):
        z = (values - values.mean()) / values.std()
        task = make_task(np.empty((0, 600)), z, 3, floor=0.01)
        training = Training(order=order, components=4)
        found = choose_order(task, training)
        assert found == components if order == "bic" else found >= components
        assert fit_network(task, training).task.order == found
        assert choose_order(task, Training(components=1)) == 1


def test_bic_counts_what_a_softmax_leaves_open():
    task, _, codes = problem(rows=90, inputs=0, levels=3)
    frequencies = (np.bincount(codes, minlength=3) + 1) / (90 + 3)
    expected = np.log(frequencies)[codes].sum() - 0.5 * 2 * np.log(90)
    assert bic_of(task, Training()) == pytest.approx(expected, rel=1e-12)
    task, _, z = problem(rows=90, inputs=0, order=1)
    gaussian = -45 * np.log(2 * np.pi) - 0.5 * np.square(z).sum() - 0.5 * 2 * np.log(90)
    assert bic_of(task, Training(components=1)) == pytest.approx(gaussian, rel=1e-12)


def test_a_network_with_as_many_parameters_as_rows_is_no_evidence():
    task, _, z = problem(rows=12, inputs=2, order=1)
    assert task.n_parameters >= 12
    alone = make_task(np.empty((0, 12)), z, 3, floor=0.01)
    expected = fit_network(alone, Training()).log_likelihood - 0.5 * task.n_parameters * np.log(12)
    assert bic_of(task, Training()) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("components", 0), ("hidden", 0), ("restarts", -1), ("iterations", 0), ("seed", -1),
        ("decay", -0.1), ("decay", np.nan), ("prior", np.inf), ("prior", 1e10), ("order", "aic"),
    ],
)  # fmt: skip
def test_bad_options_are_refused_by_name(option, value):
    with pytest.raises(OptionError, match=f"'{option}'"):
        Training(**{option: value})


def test_many_inputs_do_not_make_a_giant():
    task = make_task(np.zeros((1000, 5)), np.arange(5.0), 3, floor=0.01)
    assert task.hidden == module.MOST_HIDDEN
    assert make_task(np.zeros((1000, 5)), np.arange(5.0), 40, floor=0.01).hidden == 40
    assert make_task(np.zeros((9, 5)), np.arange(5.0), 3, floor=0.01).hidden == 5
    assert make_task(np.zeros((0, 5)), np.arange(5.0), 3, floor=0.01).hidden == 0
