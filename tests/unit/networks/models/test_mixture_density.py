"""The mixture density network as a conditional model."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import GraphError
from arcwise.networks.models.inputs import Standard, sd_floor
from arcwise.networks.models.neural import MixtureDensityNetwork, fit_neural
from tests.contract.parts import mixed_data, reorder_rows
from tests.contract.test_awkward_tables import CASES


def numbers(**columns):
    return Dataset(tuple(Column(n, Kind.CONTINUOUS, np.asarray(v, dtype=float)) for n, v in columns.items()))


def two_lines(n_rows, seed):
    """y = 2 x + e with probability 0.4, else -x + 3 + e / 2; with the true log density."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, n_rows)
    first = rng.random(n_rows) < 0.4
    y = np.where(first, 2 * x, 3 - x) + np.where(first, 1.0, 0.5) * rng.normal(size=n_rows) * 0.5

    def normal(mean, sd):
        return -0.5 * ((y - mean) / sd) ** 2 - np.log(sd) - 0.5 * np.log(2 * np.pi)

    truth = np.logaddexp(np.log(0.4) + normal(2 * x, 0.5), np.log(0.6) + normal(3 - x, 0.25))
    return numbers(x=x, y=y), truth


def test_two_known_lines_are_recovered():
    data, _ = two_lines(1_500, 0)
    fresh, truth = two_lines(4_000, 1)
    model = fit_neural(data, "y", ("x",))
    assert isinstance(model, MixtureDensityNetwork)
    assert model.components >= 2
    assert -model.log_density(fresh).mean() < -truth.mean() * 1.02
    expected = 0.4 * 2 * fresh.column("x").values + 0.6 * (3 - fresh.column("x").values)
    assert np.sqrt(np.mean((model.expected(fresh) - expected) ** 2)) < 0.15


@pytest.mark.parametrize("parents", [(), ("x",), ("x", "d")])
def test_densities_integrate_to_one_in_the_units_of_the_column(parents):
    data, _ = two_lines(300, 2)
    level = Column("d", Kind.DISCRETE, (np.arange(300) % 3).astype(np.uint8), ("a", "b", "c"))
    data = Dataset((*data.columns, level))
    scaled = Dataset((data.column("x"), level, Column("y", Kind.CONTINUOUS, 1e6 + 500 * data.column("y").values)))
    model = fit_neural(scaled, "y", parents)
    grid = 1e6 + 500 * np.linspace(-25, 30, 20_001)
    for row in (0, 1, 2):
        many = [Column(c.name, c.kind, np.repeat(c.values[row], len(grid)), c.levels) for c in (scaled.columns[:2])]
        density = np.exp(model.log_density(Dataset((*many, Column("y", Kind.CONTINUOUS, grid)))))
        assert np.trapezoid(density, grid) == pytest.approx(1.0, abs=1e-3)
        mean = np.trapezoid(density * (grid - 1e6), grid)
        assert model.expected(scaled)[row] - 1e6 == pytest.approx(mean, abs=2.0)


def test_one_component_without_parents_is_a_gaussian():
    y = np.random.default_rng(0).gamma(2.0, 3.0, 200)
    model = fit_neural(numbers(y=y), "y", (), components=1, prior=0.0)
    expected = -0.5 * ((y - y.mean()) / y.std()) ** 2 - np.log(y.std()) - 0.5 * np.log(2 * np.pi)
    assert model.log_density(numbers(y=y)) == pytest.approx(expected, rel=1e-4)
    assert model.expected(numbers(y=y))[0] == pytest.approx(y.mean())


def test_a_written_model_reads_back_bit_by_bit():
    data = mixed_data(200)
    for parents in ((), ("bravo",), ("delta", "echo", "bravo")):
        model = fit_neural(data, "alpha", parents)
        again = MixtureDensityNetwork.from_dict(json.loads(json.dumps(model.to_dict(), allow_nan=False)))
        assert np.array_equal(again.log_density(data), model.log_density(data))
        assert np.array_equal(again.expected(data), model.expected(data))
        assert again.to_dict() == model.to_dict()
        assert again.parents == tuple(sorted(parents))


def test_parts_that_do_not_fit_are_refused():
    data, _ = two_lines(40, 0)
    content = fit_neural(data, "y", ("x",)).to_dict()
    for key, value in (("parents", []), ("share", -0.1), ("floor", 0.0), ("centre", np.inf)):
        with pytest.raises(GraphError, match="'y'"):
            MixtureDensityNetwork.from_dict({**content, key: value})


def test_samples_agree_with_the_density():
    data, _ = two_lines(400, 3)
    model = fit_neural(data, "y", ("x",))
    many = numbers(x=np.full(100_000, 1.5))
    drawn = model.sample(many, np.random.default_rng(0)).values
    grid = np.linspace(-10, 12, 4_001)
    density = np.exp(model.log_density(numbers(x=np.full(len(grid), 1.5), y=grid)))
    for power, slack in ((1, 0.02), (2, 0.1), (3, 0.5)):
        assert np.mean(drawn**power) == pytest.approx(np.trapezoid(density * grid**power, grid), abs=slack)
    share = np.trapezoid(np.where(grid < 2, density, 0.0), grid)
    assert np.mean(drawn < 2) == pytest.approx(share, abs=0.01)


def test_units_only_shift_the_log_density():
    data, _ = two_lines(150, 4)
    model = fit_neural(data, "y", ("x",))
    for unit in (2.0**40, 2.0**-900, 2.0**900):
        other = numbers(x=data.column("x").values * unit, y=data.column("y").values * unit)
        found = fit_neural(other, "y", ("x",)).log_density(other)
        assert found + np.log(unit) == pytest.approx(model.log_density(data))


def test_what_was_expected_before_keeps_the_share_of_one_row():
    data, _ = two_lines(99, 5)
    model = fit_neural(data, "y", ("x",))
    assert model.share == pytest.approx(0.01)
    far = numbers(x=[0.0], y=[model.standard.own_units(np.array([40.0]))[0]])
    expected = stats.t(3, scale=3**-0.5).logpdf(40.0) + np.log(0.01) - model.standard.log_unit
    assert model.log_density(far)[0] == pytest.approx(expected)
    assert fit_neural(data, "y", ("x",), prior=0.0).share == 0.0


def test_whole_numbers_get_no_spikes():
    rng = np.random.default_rng(6)
    y = rng.poisson(9, 800).astype(float)
    z = (y - y.mean()) / y.std()
    assert sd_floor(z) == pytest.approx(0.5 / y.std())
    assert sd_floor(rng.normal(size=800)) == 0.01
    assert sd_floor(np.zeros(5)) == 0.01
    assert sd_floor(np.array([-1.0, 1.0, 1.0])) == 0.5
    model = fit_neural(numbers(y=y), "y", ())
    assert np.exp(model.log_density(numbers(y=y))).max() < 0.25


@pytest.mark.parametrize("name", CASES)
def test_awkward_columns_give_finite_answers(name):
    data = numbers(**CASES[name])
    for child in data.names:
        for parents in ((), tuple(n for n in data.names if n != child)):
            for options in ({}, {"decay": 0.0, "prior": 0.0, "components": 2}):
                model = fit_neural(data, child, parents, **options)
                assert np.isfinite(model.log_density(data)).all()
                assert np.isfinite(model.expected(data)).all()
                assert np.isfinite(model.sample(data, np.random.default_rng(0)).values).all()


def test_values_far_beyond_the_data_give_finite_answers():
    data, _ = two_lines(60, 7)
    model = fit_neural(data, "y", ("x",))
    far = numbers(x=[1e308, -1e308, 0.0], y=[1e308, -1e308, -1e308])
    assert np.isfinite(model.log_density(far)).all()
    assert np.isfinite(model.expected(far)).all()


def test_standardizing_is_undone():
    values = np.array([1.7e308, -1.7e308, 0.0, 1e300])
    standard = Standard.of(values)
    z = standard.standardized(values)
    assert z.mean() == pytest.approx(0.0, abs=1e-15)
    assert z.std() == pytest.approx(1.0)
    assert standard.own_units(z) == pytest.approx(values, rel=1e-12, abs=1e294)
    constant = Standard.of(np.full(4, 3e200))
    assert constant.spread == 0.0
    assert np.array_equal(constant.standardized(np.full(2, 3e200)), np.zeros(2))
    assert constant.own_units(np.zeros(1))[0] == 3e200


def test_the_order_of_rows_and_parents_does_not_matter():
    data = mixed_data(80)
    shuffled = reorder_rows(data, np.random.default_rng(0).permutation(80))
    one = fit_neural(data, "alpha", ("delta", "bravo"))
    other = fit_neural(shuffled, "alpha", ("bravo", "delta"))
    assert one.to_dict() == other.to_dict()
