"""Networks of hidden states: what they say is what every combination of states says together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad

import arcwise
from arcwise import networks
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.states import States
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.networks import Network
from arcwise.networks.inference import hidden_levels
from arcwise.networks.inference.hidden_levels import HiddenLevels
from arcwise.networks.inference.hidden_rows import HiddenRows
from arcwise.networks.models import hidden_states
from arcwise.networks.models.expectation import Prior
from arcwise.networks.models.fit import fit
from arcwise.networks.models.intervals import Intervals
from arcwise.networks.models.readings import Readings
from tests.oracle import readings as slow
from tests.unit.networks.holes import random_tables, with_holes


def states_of(k: int, heavy: bool = False, own: bool = False) -> States:
    sds = tuple(0.3 + 0.1 * s * own for s in range(k))
    return States(tuple(float(s) for s in range(k)), sds, (1 / k,) * k, heavy)


def some_network(seed: int, heavy: bool = False) -> Network:
    """Levels, a column that is cut, and others that are read."""
    net = random_tables(seed, nodes=5, edges=6)
    names = net.names
    values = Column(names[0], Kind.CONTINUOUS, np.linspace(0.0, 1.0, 20))
    cut = Intervals.of(values, np.linspace(0.0, 1.0, len(net.states[0]) + 1)[1:-1])
    labels = Discretization({names[0]: cut.thresholds}).apply(Dataset((values,))).columns[0].levels
    models = []
    for model in net.models:
        pairs = zip(model.parents, model.parent_levels, strict=True)
        known = tuple(labels if parent == names[0] else levels for parent, levels in pairs)
        models.append(replace(model, parent_levels=known, levels=labels if model.child == names[0] else model.levels))
    many = {name: states_of(len(net.model(name).levels), heavy, heavy) for name in names[1:4]}
    strays = {names[2]: (0.5, 2.0, 0.1)}
    read = tuple(Readings(name, own, *strays.get(name, ())) for name, own in many.items())
    return Network(net.dag, tuple(models), (cut,), readings=read)


@pytest.mark.parametrize("seed", range(5))
def test_densities_and_predictions_are_sums_over_all_states(seed):
    net = some_network(seed, heavy=seed == 2)
    data = net.sample(8, seed)
    if seed > 2:
        data = with_holes(data, 0.3, seed)
    found = net.log_density(data)
    predicted = {name: net.expected(name, data) for name in net.names}
    for row in range(8):
        assert found[row] == pytest.approx(slow.log_density(net, data, row), abs=1e-9)
        for name in net.names:
            want = slow.probabilities(net, data, row, name)
            if name in net.numbers:
                assert predicted[name][row] == pytest.approx(want @ np.array(net.numbers[name].means), abs=1e-9)
                want_levels = net.level_probabilities(name, data)[row]
                np.testing.assert_allclose(want_levels, want, atol=1e-9)
            else:
                np.testing.assert_allclose(predicted[name][row], want, atol=1e-9)


def test_expected_counts_are_sums_of_posteriors():
    net = some_network(1)
    data = net.sample(6, 1)
    rows = HiddenRows.of(net.models, net.cut(data), readings=net.read)
    levels = HiddenLevels(rows.parents, rows.codes, rows.hidden_levels, rows.read)
    counts, _, shares = levels.expected_counts(rows.tables, np.ones(6))
    want = slow.expected_counts(net, data)
    for name, own in zip(net.names, counts, strict=True):
        np.testing.assert_allclose(own, want[name], atol=1e-9)
    for j, own in shares.items():
        np.testing.assert_allclose(own.sum(axis=0), want[net.names[j]].reshape(-1, own.shape[1]).sum(axis=0))


def test_one_node_given_its_parents():
    net = some_network(0)
    data = net.sample(5, 3)
    name = next(name for name in net.read if net.model(name).parents)
    family = data.select([*net.model(name).parents, name])
    rest = family.select(net.model(name).parents)
    found = net.log_density(data, name)
    shares = net.level_probabilities(name, data, "parents")
    for row in range(5):
        want = slow.log_density(net, family, row) - slow.log_density(net, rest, row)
        assert found[row] == pytest.approx(want, abs=1e-9)
        np.testing.assert_allclose(shares[row], slow.probabilities(net, family, row, name), atol=1e-9)
    root = next(name for name in net.names if not net.model(name).parents)
    assert net.level_probabilities(root, data, "parents") == pytest.approx(np.tile(net.marginal(root), (5, 1)))
    assert net.mean_squared_error(name, data, "parents") > 0
    total = quad(lambda x: np.exp(net.log_density(_with_value(data, name, x), name)[0]), -10, 15, limit=200)[0]
    assert total == pytest.approx(1.0, abs=1e-6)


def _with_value(data: Dataset, name: str, x: float) -> Dataset:
    first = data.take(np.array([0]))
    column = Column(name, Kind.CONTINUOUS, np.array([x]))
    return replace(first, columns=tuple(column if c.name == name else c for c in first.columns))


def test_states_given_as_levels_need_no_reading():
    net = some_network(0)
    data = net.sample(5, 3)
    name = next(iter(net.read))
    model = net.model(name)
    codes = np.zeros(5, dtype=np.uint8)
    levels = Column(name, Kind.DISCRETE, codes, model.levels)
    known = replace(data, columns=tuple(levels if c.name == name else c for c in data.columns))
    for row in range(5):
        assert net.log_density(known)[row] == pytest.approx(slow.log_density(net, known, row), abs=1e-9)


def test_levels_left_out_of_large_tables_lose_nothing_that_shows(monkeypatch):
    net = some_network(1)
    data = net.sample(30, 4)
    exact = net.log_density(data)
    sizes = HiddenRows.of(net.models, net.cut(data), readings=net.read).work()
    monkeypatch.setattr(hidden_levels, "MOST_WORK", 0.99 * sizes)
    near = net.log_density(data)
    assert near == pytest.approx(exact, abs=1e-9)
    assert (near <= exact + 1e-12).all()
    monkeypatch.setattr(hidden_levels, "MOST_WORK", 10)
    with pytest.raises(OptionError, match="too many hidden states"):
        net.log_density(data)


def test_saved_renamed_sampled_and_completed(tmp_path):
    net = some_network(1, heavy=True)
    data = net.sample(20, 2)
    assert [c.kind for c in data.columns] == [Kind.CONTINUOUS] * 4 + [Kind.DISCRETE]
    net.save(tmp_path / "net.json")
    again = Network.load(tmp_path / "net.json")
    assert again == net
    assert np.array_equal(again.log_density(data), net.log_density(data))
    called = net.renamed({net.names[1]: "a [b] <i>"})
    assert called.read.keys() == {"a [b] <i>", *net.names[2:4]}
    holes = with_holes(data, 0.4, 5)
    for how in ("probable", "draw"):
        filled = net.complete(holes, how=how, seed=1)
        assert filled.table.is_complete
        name = net.names[1]
        column = next(column for column in filled.columns if column.name == name)
        assert column.rows.tolist() == holes.column(name).missing.nonzero()[0].tolist()
    row = int(column.rows[0])
    shares = slow.probabilities(net, holes, row, name)
    filled = next(c for c in net.complete(holes).columns if c.name == name)
    assert filled.values[0] == pytest.approx(shares @ np.array(net.read[name].means))


def test_a_large_sample_gives_the_densities_of_its_network():
    net = some_network(1)
    values = net.sample(50_000, 1).column(net.names[1]).values
    share = net.marginal(net.names[1])
    states = replace(net.read[net.names[1]].states, shares=tuple(share))
    grid = np.linspace(-1, 3, 9)
    density = [quad(lambda x: np.exp(states.log_density(np.array([x]))[0]), a, b)[0] for a, b in zip(grid, grid[1:])]  # noqa: B905, RUF007
    assert np.histogram(values, grid)[0] / 50_000 == pytest.approx(density, abs=0.01)


def noisy_rows(n: int, seed: int = 1) -> tuple[Network, Dataset]:
    net = random_tables(4, nodes=5, edges=5)
    return net, networks.add_noise(net.sample(n, seed), seed=seed)


def first_states(net: Network, data: Dataset) -> dict[str, States]:
    found = {}
    for name, levels in zip(net.names, net.states, strict=True):
        k = len(levels)
        found[name] = States(tuple(1.1 + s for s in range(k)), (0.5,) * k, (1 / k,) * k)
    return found


def test_every_step_raises_the_posterior(monkeypatch):
    monkeypatch.setattr(hidden_states, "EXCLUDED", 0.0)
    net, data = noisy_rows(150)
    fitted = hidden_states._Fit(net.dag, data, first_states(net, data), Prior())
    values = [fitted.step() for _ in range(12)]
    assert (np.diff(values) > -1e-12).all()
    assert values[-1] > values[0] + 0.05


def test_a_fit_finds_what_was_simulated_in_any_order_of_the_rows():
    net, data = noisy_rows(2_000)
    found = fit(net.dag, data, "states", states=first_states(net, data))
    assert not found.warnings
    for name in net.names:
        assert found.read[name].states.sds[0] == pytest.approx(0.35, abs=0.03)
        assert found.read[name].means == pytest.approx(np.arange(len(found.read[name].means)) + 1, abs=0.1)
    for mine, true in zip(found.to_bayesian_network().cpts, net.cpts, strict=True):
        assert np.abs(mine - true).mean() < 0.08
    order = np.random.default_rng(1).permutation(2_000)
    again = fit(net.dag, data.take(order), "states", states=first_states(net, data))
    assert again == found
    truth = Network(net.dag, net.models, readings=found.readings)
    test = networks.add_noise(net.sample(2_000, 9), seed=9)
    loss = truth.log_density(test).mean() - found.log_density(test).mean()
    assert -0.01 < loss < 0.05


def test_the_method_fits_its_states(tmp_path):
    _, data = noisy_rows(600)
    result = arcwise.learn(data, "hidden-states")
    assert result.model == "states"
    net = result.fit(data)
    assert net.read.keys() == result.states.keys()
    assert net.log_density(data).mean() > result.fit(data, "cpt").log_density(data).mean()
    result.save(tmp_path / "result.json")
    assert arcwise.LearnResult.load(tmp_path / "result.json").fit(data) == net
    with_gaps = with_holes(data, 0.1, 3)
    assert np.isfinite(result.fit(with_gaps).log_density(with_gaps)).all()


def test_columns_without_states_are_cut():
    net, data = noisy_rows(300)
    states = first_states(net, data)
    name = net.names[0]
    del states[name]
    cuts = Discretization({name: np.array([1.5])})
    found = fit(net.dag, data, "states", discretization=cuts, states=states)
    assert found.cuts.keys() == {name}
    assert found.log_density(data.take(np.array([3])))[0] == pytest.approx(slow.log_density(found, data, 3))


def test_wrong_requests():
    net, data = noisy_rows(30)
    states = first_states(net, data)
    with pytest.raises(OptionError, match="the model 'cpt' has no hidden states"):
        fit(net.dag, data, "cpt", states=states)
    with pytest.raises(DataError, match="is continuous and a probability table needs levels"):
        fit(net.dag, data, "states", states={net.names[0]: states[net.names[0]]})
    own = Readings(net.names[0], states[net.names[0]])
    with pytest.raises(GraphError, match="cut twice"):
        Network(net.dag, net.models, readings=(own, own))
    with pytest.raises(GraphError, match="which its model has not"):
        Network(net.dag, net.models, readings=(Readings(net.names[0], states_of(7)),))


@pytest.mark.parametrize("values", [[1.0] * 6, [0.0, 0.0, 0.0, 1e300, 1e300, -1e300], [1.0, 2.0]])
def test_any_values_have_a_finite_density(values):
    x = np.array(values)
    data = Dataset((Column("x", Kind.CONTINUOUS, x),))
    found = fit(arcwise.Dag(["x"]), data, "states", states={"x": States((0.0, 1.0), (1.0, 1.0), (0.5, 0.5))})
    assert np.isfinite(found.log_density(data)).all()


def test_a_stray_value_costs_little_and_says_nothing():
    net, data = noisy_rows(400)
    found = fit(net.dag, data, "states", states=first_states(net, data))
    name = net.names[0]
    usual, stray = (found.log_density(_with_value(data, name, x))[0] for x in (1.0, 60.0))
    assert usual - 30 < stray < usual
    shares = [found.level_probabilities(net.names[1], _with_value(data, name, x))[0] for x in (60.0, 1e6)]
    np.testing.assert_allclose(shares[0], shares[1], atol=1e-9)
    own = found.read[name]
    assert quad(lambda x: np.exp(own.log_densities(np.array([x]))[0, 0]), -np.inf, np.inf, limit=200, points=None)[
        0
    ] == pytest.approx(1.0, abs=1e-4)
    with pytest.raises(GraphError, match="a scale above 0"):
        replace(own, scale=0.0)


def test_states_on_repeated_values_are_no_spikes():
    values = np.random.default_rng(1).integers(0, 4, 500).astype(float)
    data = Dataset((Column("x", Kind.CONTINUOUS, values),))
    states = States((0.0, 1.0, 2.0, 3.0), (1e-3,) * 4, (0.25,) * 4)
    found = fit(arcwise.Dag(["x"]), data, "states", states={"x": states})
    assert found.read["x"].states.sds[0] == pytest.approx(0.5)  # half the gap between values
