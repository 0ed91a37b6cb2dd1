"""The softmax network as a conditional model."""

from __future__ import annotations

import json

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError
from arcwise.networks.models.neural import SoftmaxNetwork, fit_neural
from arcwise.networks.models.training import Perceptron
from tests.contract.parts import mixed_data, reorder_rows

LEVELS = ("low", "mid", "high")


def table(n_rows=600, seed=0):
    """y depends on the number x and the level of c."""
    rng = np.random.default_rng(seed)
    x = rng.normal(10, 4, n_rows)
    c = rng.integers(2, size=n_rows)
    logits = np.stack([np.zeros(n_rows), (x - 10) / 2 + c, c * (10 - x)])
    y = np.array([rng.choice(3, p=p) for p in (np.exp(logits) / np.exp(logits).sum(axis=0)).T])
    truth = (logits - np.logaddexp.reduce(logits, axis=0))[y, np.arange(n_rows)]
    columns = (
        Column("x", Kind.CONTINUOUS, x),
        Column("c", Kind.DISCRETE, c.astype(np.uint8), ("no", "yes")),
        Column("y", Kind.DISCRETE, y.astype(np.uint8), LEVELS, ordered=True),
    )
    return Dataset(columns), truth


def test_predictions_approach_the_truth():
    data, _ = table(2_000)
    fresh, truth = table(2_000, seed=1)
    model = fit_neural(data, "y", ("x", "c"))
    assert isinstance(model, SoftmaxNetwork)
    assert model.parents == ("c", "x")
    assert -model.log_density(fresh).mean() < -truth.mean() * 1.02
    probabilities = model.expected(fresh)
    assert probabilities.shape == (2_000, 3)
    assert probabilities.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    chosen = probabilities[np.arange(2_000), fresh.column("y").values]
    assert model.log_density(fresh) == pytest.approx(np.log(chosen), rel=1e-12)


def test_without_parents_it_is_the_laplace_estimate():
    data, _ = table(50)
    counts = np.bincount(data.column("y").values, minlength=3)
    model = fit_neural(data, "y", ())
    assert model.expected(data)[0] == pytest.approx((counts + 1) / 53, rel=1e-12)
    half = fit_neural(data, "y", (), prior=0.5)
    assert half.expected(data)[7] == pytest.approx((counts + 0.5) / 51.5, rel=1e-12)
    literal = fit_neural(data, "y", (), prior=0.0)
    assert literal.expected(data)[7] == pytest.approx((counts + 1) / 53, rel=1e-12)


def test_the_uniform_distribution_keeps_the_share_of_one_row_a_level():
    data, _ = table(97)
    model = fit_neural(data, "y", ("x",), iterations=500, decay=0.0)
    assert model.share == pytest.approx(3 / 100)
    assert model.expected(data).min() >= 0.01 - 1e-15
    assert fit_neural(data, "y", ("x",), prior=0.0).share == 0.0


def test_a_written_model_reads_back_bit_by_bit():
    data, _ = table()
    for parents in ((), ("x",), ("c", "x")):
        model = fit_neural(data, "y", parents)
        content = json.loads(json.dumps(model.to_dict(), allow_nan=False))
        again = SoftmaxNetwork.from_dict(content)
        assert np.array_equal(again.log_density(data), model.log_density(data))
        assert again.to_dict() == model.to_dict()
        assert again.to_dict()["kind"] == "softmax-network"
        drawn = [m.sample(data, np.random.default_rng(3)) for m in (model, again)]
        assert np.array_equal(drawn[0].values, drawn[1].values)
        assert drawn[0].levels == LEVELS
        assert drawn[0].ordered


def test_samples_have_the_probabilities():
    data, _ = table(60)
    model = fit_neural(data, "y", ("c", "x"))
    many = Dataset(tuple(Column(c.name, c.kind, np.repeat(c.values[:4], 20_000), c.levels) for c in data.columns))
    drawn = model.sample(many, np.random.default_rng(0)).values.reshape(4, -1)
    for row in range(4):
        frequencies = np.bincount(drawn[row], minlength=3) / 20_000
        assert frequencies == pytest.approx(model.expected(many)[row * 20_000], abs=0.015)


def test_levels_are_found_by_label():
    data, _ = table()
    model = fit_neural(data, "y", ("c",))
    turned = Column("c", Kind.DISCRETE, (1 - data.column("c").values).astype(np.uint8), ("yes", "no"))
    other = Dataset((turned, data.column("y")))
    assert np.array_equal(model.log_density(other), model.log_density(data))
    strange = Dataset((Column("c", Kind.DISCRETE, np.zeros(3, dtype=np.uint8), ("maybe",)), data.column("y")))
    with pytest.raises(DataError, match="'maybe'"):
        model.expected(strange)


def test_levels_that_did_not_occur_are_possible():
    data, _ = table()
    few = Dataset(tuple(Column(c.name, c.kind, c.values[data.column("y").values != 1], c.levels) for c in data.columns))
    for parents in ((), ("x", "c")):
        model = fit_neural(few, "y", parents)
        probability = model.expected(few)[:, 1]
        assert np.all(probability > 0)
        assert np.all(probability < 0.02)
        assert np.isfinite(model.log_density(data)).all()


def test_the_order_of_rows_and_parents_does_not_matter():
    data = mixed_data(80)
    shuffled = reorder_rows(data, np.random.default_rng(0).permutation(80))
    one = fit_neural(data, "delta", ("alpha", "echo"))
    other = fit_neural(shuffled, "delta", ("echo", "alpha"))
    assert one.to_dict() == other.to_dict()
    assert fit_neural(data, "delta", ("alpha", "echo"), seed=1).to_dict() != one.to_dict()


def test_a_damaged_network_is_refused():
    with pytest.raises(GraphError, match="needs 14 weights"):
        Perceptron(1, 3, 2, np.zeros(13))
    with pytest.raises(GraphError, match="finite"):
        Perceptron(1, 3, 2, np.full(14, np.nan))


def test_parts_that_do_not_fit_are_refused():
    data, _ = table(40)
    content = fit_neural(data, "y", ("x", "c")).to_dict()
    for key, value in (("parents", content["parents"][:1]), ("levels", ["low", "high"]), ("share", 1.0)):
        with pytest.raises(GraphError, match="'y'"):
            SoftmaxNetwork.from_dict({**content, key: value})


def test_no_rows_are_refused():
    with pytest.raises(DataError, match="no rows"):
        fit_neural(Dataset((Column("y", Kind.DISCRETE, np.zeros(0, dtype=np.uint8), ("a",)),)), "y", ())
