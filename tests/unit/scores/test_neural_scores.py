"""The prequential score and BIC of networks."""

from __future__ import annotations

from itertools import pairwise
from math import exp, log

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.networks.models.inputs import in_random_order
from arcwise.networks.models.neural import choose_order
from arcwise.networks.models.training import Training, fit_weights, make_task
from arcwise.networks.simulators import random_mixture_network
from arcwise.parts.monitor import SILENT
from arcwise.scores.neural import NeuralBIC, NeuralPrequential
from arcwise.scores.neural_score import prequential
from arcwise.search import HillClimb
from tests.contract.parts import continuous_data, mixed_data, reorder_rows
from tests.contract.test_awkward_tables import CASES
from tests.oracle import neural as oracle

SCORES = [NeuralPrequential(), NeuralBIC()]
both = pytest.mark.parametrize("score", SCORES, ids=lambda score: score.kind)


def slow_prequential(x, targets, training, lam, levels=0, floor=0.0):
    """Row by row: what each row's predecessors make of it, without inputs until there are two rows for each."""
    whole = make_task(x, targets, training.hidden, levels=levels, floor=floor)
    if not levels:
        whole = whole.with_order(choose_order(whole, training))
    seen = oracle.batches(whole.rows, lam)
    total = sum(log(oracle.before_data(t, levels)) for t in targets[: seen[0]])
    rng, weights = np.random.default_rng(training.seed), {}
    for first, last in pairwise(seen):
        enough = first >= 2 * len(x)
        task, read = (whole, x) if enough else (whole.without_inputs(), x[:0])
        weights[enough] = fit_weights(task.head(first), training, rng, weights.get(enough))
        for row in range(first, last):
            z, t = oracle.outputs(weights[enough], read[:, row], task.hidden, task.outputs), targets[row]
            p = exp(z[int(t)] - oracle.log_sum(z) if levels else oracle.log_density(z, t, floor))
            if not (levels and not len(read)):  # the frequencies are smoothed already
                worth = training.prior * (levels or 1)
                p = (first * p + worth * oracle.before_data(t, levels)) / (first + worth)
            total += log(p)
    return total


@pytest.mark.parametrize("inputs", [0, 2, 9])
@pytest.mark.parametrize("levels", [0, 3])
@pytest.mark.parametrize("options", [{}, {"prior": 2.0, "restarts": 0}, {"decay": 0.1, "order": "hold-out"}])
def test_the_prequential_score_is_the_sum_of_predictions(inputs, levels, options):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(inputs, 70))
    y = x.sum(axis=0) + rng.normal(size=70)
    targets = (y > -0.5).astype(int) + (y > 0.5) if levels else (y - y.mean()) / y.std()
    floor = 0.0 if levels else 0.01
    training = Training(components=2, iterations=40, **options)
    for lam in (0.5, 1.3):
        task = make_task(x, targets, training.hidden, levels=levels, floor=floor)
        expected = slow_prequential(x, targets, training, lam, levels, floor)
        assert prequential(task, training, lam) == pytest.approx(expected, rel=1e-9)


def test_the_schedule_is_that_of_the_paper():
    assert oracle.batches(50, 0.5) == [10, 15, 23, 35, 50]
    assert oracle.batches(500, 1.0) == [10, 20, 40, 80, 160, 320, 500]
    assert oracle.batches(7, 0.5) == [7]


def test_few_rows_score_alike_with_any_parents():
    data = mixed_data(10)
    bound = NeuralPrequential(arc_prior=1.0).bind(data)
    for child in range(6):
        parents = [j for j in range(6) if j != child]
        assert bound.local_score(child, parents[:2]) == bound.local_score(child, [])
    assert bound.local_score(0, []) == pytest.approx(-10 * np.log(3))
    (warning,) = bound.warnings
    assert "10 rows" in warning
    assert NeuralPrequential().bind(mixed_data(40)).warnings == ()


@both
@pytest.mark.parametrize("data", [mixed_data(60), continuous_data(60)], ids=["mixed", "continuous"])
def test_order_of_rows_columns_and_questions_is_immaterial(score, data, monkeypatch):
    sets = np.array([[1, 2], [3, -1], [-1, -1], [5, 4]])
    expected = score.bind(data).local_scores(0, sets)
    monkeypatch.setenv("ARCWISE_THREADS", "1")
    bound = score.bind(reorder_rows(data, np.random.default_rng(0).permutation(60)))
    assert np.array_equal(bound.local_scores(0, sets[::-1])[::-1], expected)
    turned = data.select(data.names[::-1])
    assert np.array_equal(score.bind(turned).local_scores(5, np.where(sets < 0, -1, 5 - sets)), expected)
    assert score.bind(data).local_score(0, [2, 1]) == expected[0]


@both
def test_seeds_matter_and_repeat(score):
    data = mixed_data(80)
    one = [type(score)(seed=seed).bind(data).local_score(1, [3]) for seed in (0, 0, 1)]
    assert one[0] == one[1] != one[2]


def test_each_arc_costs_its_prior():
    data = mixed_data(60)
    free, dear = (NeuralPrequential(arc_prior=prior).bind(data) for prior in (1.0, 0.01))
    for parents in ([], [3], [2, 3]):
        cost = len(parents) * log(100)
        assert dear.local_score(1, parents) == pytest.approx(free.local_score(1, parents) - cost, abs=1e-9)
    with pytest.raises(OptionError, match="'arc_prior'"):
        NeuralPrequential(arc_prior=0.0)


@both
def test_constant_columns_change_nothing(score):
    data = mixed_data(60)
    extra = (
        Column("fixed", Kind.CONTINUOUS, np.full(60, 2.5)),
        Column("same", Kind.DISCRETE, np.zeros(60, dtype=np.uint8), ("only", "never")),
    )
    bound = score.bind(Dataset((*data.columns, *extra)))
    for child in (0, 1):
        assert bound.local_score(child, [6, 7]) == bound.local_score(child, [])
        assert bound.local_score(child, [2, 6, 7]) == bound.local_score(child, [2])
    assert np.array_equal(bound.local_scores(6, np.array([[0], [-1]])), [0.0, 0.0])
    assert np.array_equal(bound.local_scores(7, np.array([[0], [-1]])), [0.0, 0.0])


@both
def test_units_only_add_a_constant(score):
    data = continuous_data(60)
    bound = score.bind(data)
    big = Dataset(tuple(Column(c.name, c.kind, c.values * 2.0**900) for c in data.columns))
    shift = 60 * 900 * np.log(2)
    for parents in ([], [1], [2, 3]):
        assert score.bind(big).local_score(0, parents) + shift == pytest.approx(bound.local_score(0, parents))


@both
def test_independent_columns_are_better_off_without_parents(score):
    gains = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        codes = rng.integers(3, size=60).astype(np.uint8)
        data = Dataset(
            (
                Column("a", Kind.CONTINUOUS, rng.normal(size=60)),
                Column("b", Kind.CONTINUOUS, rng.normal(size=60)),
                Column("c", Kind.DISCRETE, codes, ("u", "v", "w")),
            )
        )
        bound = score.bind(data)
        alone = [bound.local_score(child, []) for child in range(3)]
        gains.append([bound.local_score(0, [1]) - alone[0], bound.local_score(2, [0]) - alone[2]])
    assert np.all(np.mean(gains, axis=0) < -0.5)


@both
def test_a_bend_that_no_line_shows_is_found(score):
    rng = np.random.default_rng(3)
    x = rng.normal(size=200)
    data = Dataset(
        (
            Column("x", Kind.CONTINUOUS, x),
            Column("y", Kind.CONTINUOUS, x**2 + 0.3 * rng.normal(size=200)),
            Column("z", Kind.DISCRETE, (np.abs(x) > 0.7).astype(np.uint8), ("in", "out")),
        )
    )
    bound = score.bind(data)
    assert bound.local_score(1, [0]) > bound.local_score(1, []) + 50
    assert bound.local_score(2, [0]) > bound.local_score(2, []) + 20


def test_the_remedies_find_parents_that_the_plain_score_misses():
    """Weights of ten rows are no start for more, and one sure error of theirs outweighs all the rest."""
    net = random_mixture_network(2, 3, seed=7)
    data = net.sample(300, seed=7)
    child, parents = data.index(net.response), [data.index(name) for name in net.dag.parents(net.response)]
    plain = NeuralPrequential(decay=0.0, prior=0.0, restarts=0).bind(data)
    assert plain.local_score(child, parents) < plain.local_score(child, [])
    bound = NeuralPrequential().bind(data)
    assert bound.local_score(child, parents) > bound.local_score(child, []) + 50


@both
@pytest.mark.parametrize("name", CASES)
def test_awkward_tables_are_learned_without_harm(score, name):
    frame = {n: np.asarray(v, dtype=float) for n, v in CASES[name].items()}
    data = Dataset(tuple(Column(n, Kind.CONTINUOUS, v) for n, v in frame.items()))
    result = HillClimb(score=score).learn(data, rng=np.random.default_rng(0), monitor=SILENT)
    assert np.isfinite(result.score)
    constant = {n for n, v in frame.items() if np.ptp(v / 2) == 0}
    assert constant.isdisjoint(n for edge in result.graph.edges for n in edge)


def test_doubts_are_named():
    rng = np.random.default_rng(0)
    many = rng.integers(60, size=300)
    data = Dataset(
        (
            Column("tail", Kind.CONTINUOUS, np.where(np.arange(300) == 5, 1e6, rng.normal(size=300))),
            Column("fine", Kind.CONTINUOUS, rng.normal(size=300)),
            Column("rich", Kind.DISCRETE, many.astype(np.uint8), tuple(map(str, range(60)))),
        )
    )
    far, rich = NeuralBIC().bind(data).warnings
    assert "'tail'" in far
    assert "'fine'" not in far
    assert "'rich'" in rich


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf])
def test_a_bad_growth_is_refused(value):
    with pytest.raises(OptionError, match="'lam'"):
        NeuralPrequential(lam=value)


@both
def test_bad_options_are_refused(score):
    for option, value in (("components", 0), ("hidden", 0), ("decay", -1.0), ("iterations", 0), ("seed", -1)):
        with pytest.raises(OptionError, match=f"'{option}'"):
            type(score)(**{option: value})


def test_the_random_order_keeps_rows_together():
    data = mixed_data(50)
    first, _ = in_random_order(data, 0)
    rows = sorted(zip(*(c.values.tolist() for c in data.columns), strict=True))
    assert sorted(zip(*(c.values.tolist() for c in first.columns), strict=True)) == rows
    other, _ = in_random_order(data, 1)
    assert not np.array_equal(first.column("alpha").values, other.column("alpha").values)
