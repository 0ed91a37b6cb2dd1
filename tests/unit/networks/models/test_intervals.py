"""Densities of cut columns: of the values themselves, comparable between any two models."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

import arcwise
from arcwise import datasets
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.discretize import EqualFrequency
from arcwise.errors import GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.networks import Network
from arcwise.networks.models.fit import fit
from arcwise.networks.models.intervals import Intervals, Tail


def table(**values):
    return Dataset(tuple(Column(name, Kind.CONTINUOUS, np.asarray(column)) for name, column in values.items()))


def intervals(values, thresholds, within="even"):
    return Intervals.of(
        Column("x", Kind.CONTINUOUS, np.asarray(values, dtype=float)), np.asarray(thresholds, dtype=float), within
    )


def test_known_numbers():
    """Two rows below 0 at distances 1 and 3, three inside (0, 4), one at distance 2 above."""
    values = [-1.0, -3.0, 1.0, 2.0, 3.0, 6.0]
    cut, sd = intervals(values, [0, 4]), np.std(values)
    assert (cut.low.shape, cut.high.shape) == (4, 3)
    assert (cut.low.scale, cut.high.scale) == pytest.approx((4 + sd, 2 + sd))
    assert (cut.low.end, cut.high.end) == pytest.approx((4, 3))  # half the usual gap, 2, beyond the last
    assert cut.means == pytest.approx((-2, 2, 6))
    # The marginal likelihoods: of an exponential with rate Gamma(2, sd), of an end with p(end) = (sd / 10) / end^2.
    falls = [6 * sd**2 / (4 + sd) ** 4, 2 * sd**2 / (2 + sd) ** 3]
    lasts = [sd / 10 / (3 * 4**3), sd / 10 / (2 * 3**2)]
    even = [b / (a + b) for a, b in zip(falls, lasts, strict=True)]
    assert (cut.low.even, cut.high.even) == pytest.approx(even)
    low, high = 4 / (4 + sd), 3 / (2 + sd)
    expected = [
        (1 - even[0]) * low * (1 + 1 / (4 + sd)) ** -5 + even[0] * 3 / 4 / 4,
        1 / 4,
        1 / 4,
        (1 - even[1]) * high + even[1] * 2 / 3 / 3,
        (1 - even[1]) * high * (1 + 5 / (2 + sd)) ** -4 + even[1] * 2 / 3 / 3 * (3 / 5) ** 3,
    ]
    assert np.exp(cut.log_density(np.array([-1.0, 0.0, 3.9, 4.0, 9.0]))) == pytest.approx(expected)


def test_a_level_that_ends_is_even_and_one_that_falls_off_is_not():
    rng = np.random.default_rng(4)
    even = intervals(rng.random(500), [0.5])
    assert min(even.low.even, even.high.even) > 0.999
    assert np.exp(even.log_density(np.array([0.1, 0.9]))) == pytest.approx([2, 2], rel=0.02)
    ones = intervals(np.repeat([1.0, 2.0, 3.0], [300, 50, 40]), [1.5])
    assert np.exp(ones.log_density(np.array([1.0]))) == pytest.approx(1.0, rel=0.01)  # from 0.5 to 1.5
    normal = intervals(rng.standard_normal(500), [-1.0, 1.0])
    assert max(normal.low.even, normal.high.even) < 1e-3
    drawn = even.sample(np.repeat([0, 1], 5_000), rng).values
    assert (drawn.min(), drawn.max()) == pytest.approx((0.0, 1.0), abs=0.1)
    assert drawn.mean() == pytest.approx(0.5, abs=0.01)
    assert np.quantile(drawn, [0.25, 0.75]) == pytest.approx([0.25, 0.75], abs=0.02)
    assert 0.5 - even.low.mean == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("thresholds", [[], [0.3], [-1.0, 0.0, 0.1, 2.0], [5.0], [-9.0, 9.0]])
def test_every_level_integrates_to_one(thresholds):
    cut = intervals(np.random.default_rng(0).normal(size=40), thresholds)
    edges = [-np.inf, *(thresholds or [cut.centre]), np.inf]
    for low, high in pairwise(edges):
        area = quad(lambda x: np.exp(cut.log_density(np.array([x]))[0]), low, high)[0]
        assert area == pytest.approx(1.0 if thresholds else 0.5, abs=1e-6)


def test_many_rows_give_exponential_tails():
    excess = np.random.default_rng(1).exponential(3.0, size=200_000)
    cut = intervals(np.concatenate([-excess, excess]), [0.0])
    at = np.array([0.5, 4.0, 12.0])
    np.testing.assert_allclose(cut.log_density(at), -np.log(3) - at / 3, atol=0.05)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=12),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=5, unique=True),
)
def test_any_numbers_are_safe(values, cuts):
    cut = intervals(values, np.unique(np.array(cuts) + 0.0))
    ends = np.finfo(float).max
    far = np.array([*values, *cuts, -ends, 0.0, ends])
    assert np.isfinite(cut.log_density(far)).all()
    assert Intervals.from_dict(json.loads(json.dumps(cut.to_dict(), allow_nan=False))).to_dict() == cut.to_dict()
    codes = np.arange(len(cut.means)).repeat(20)
    drawn = cut.sample(codes, np.random.default_rng(0)).values
    np.testing.assert_array_equal(np.searchsorted(cut.thresholds, drawn, side="right"), codes)
    assert (np.diff(cut.means) >= 0).all()


def test_samples_have_the_density_of_the_network():
    """The mean log density of a sample is minus the entropy, which is known here."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=3000)
    data = table(x=x, y=np.tanh(x) + 0.4 * rng.normal(size=3000))
    net = fit(Dag(["x", "y"], [("x", "y")]), data, discretization=EqualFrequency(bins=4).fit(data))
    new = net.sample(60_000, seed=1)
    cut = net.discretization.apply(new)
    plain = net.to_bayesian_network()
    np.testing.assert_allclose(
        np.bincount(cut.column("y").values) / 60_000, plain.marginal("y"), atol=5 * np.sqrt(0.25 / 60_000)
    )
    probabilities = plain.joint(["x", "y"])
    entropy = -(probabilities * np.log(probabilities)).sum()
    for i, name in enumerate(("x", "y")):
        spread, share = net.intervals[i], plain.marginal(name)
        widths = np.log(np.diff(spread.thresholds))
        tails = [(t.shape + 1) / t.shape - np.log(t.shape / t.scale) for t in (spread.low, spread.high)]
        entropy += share @ [tails[0], *widths, tails[1]]
    found = -net.log_density(new)
    assert found.mean() == pytest.approx(entropy, abs=5 * found.std() / np.sqrt(60_000))


def correlated(n_rows, seed):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n_rows)
    b = 0.7 * a + 0.7 * rng.normal(size=n_rows)
    return table(a=a, b=b, c=0.5 * a - 0.5 * b + 0.7 * rng.normal(size=n_rows))


def test_on_gaussian_data_the_coarsest_bins_are_worst():
    train, test = correlated(2000, 1), correlated(2000, 2)
    dag = Dag(["a", "b", "c"], [("a", "b"), ("a", "c"), ("b", "c")])

    def judged(bins):
        return fit(dag, train, discretization=EqualFrequency(bins=bins).fit(train)).log_density(test).mean()

    found = [judged(2), judged(3), judged(5), fit(dag, train, "gaussian").log_density(test).mean()]
    assert found == sorted(found)
    assert found[-1] - found[0] > 0.3


@pytest.mark.parametrize("model", ["cpt", "gaussian", "neural"])
def test_units_shift_every_model_alike(model):
    """In a unit c times smaller every density of that column is c times smaller, whatever the model."""
    data, factor = correlated(300, 5), 1024.0
    column = data.column("b")
    scaled = Dataset(tuple(Column("b", Kind.CONTINUOUS, factor * c.values) if c is column else c for c in data.columns))
    dag = Dag(["a", "b", "c"], [("a", "b"), ("b", "c")])
    found = []
    for one in (data, scaled):
        cuts = EqualFrequency(bins=4).fit(one) if model == "cpt" else None
        found.append(fit(dag, one, model, discretization=cuts).log_density(one))
    np.testing.assert_allclose(found[1], found[0] - np.log(factor), rtol=1e-9, atol=1e-9)


def test_units_that_are_no_power_of_two():
    data = correlated(300, 6)
    dag = Dag(["a", "b", "c"], [("a", "b"), ("b", "c")])
    scaled = table(a=data.column("a").values, b=2.54 * data.column("b").values, c=data.column("c").values)
    cuts = EqualFrequency(bins=4).fit(data).thresholds
    other = Discretization({**cuts, "b": 2.54 * cuts["b"]})
    found = fit(dag, scaled, discretization=other).log_density(scaled)
    np.testing.assert_allclose(
        found, fit(dag, data, discretization=Discretization(cuts)).log_density(data) - np.log(2.54)
    )


def test_a_column_with_one_level_has_a_density():
    data = datasets.load("cars1")
    cuts = Discretization({c.name: np.empty(0) for c in data.columns if c.kind is Kind.CONTINUOUS})
    net = fit(Dag(data.names), data, discretization=cuts)
    assert np.isfinite(net.log_density(data)).all()
    again = Network.from_dict(json.loads(json.dumps(net.to_dict())))
    assert again == net
    np.testing.assert_array_equal(again.log_density(data), net.log_density(data))
    assert net.predict("mpg", data)[0] == pytest.approx(data.column("mpg").values.mean())


def test_learned_thresholds_of_real_data():
    """Every method's fit is judged in the same unit, and the trivial network is the worst."""
    data = datasets.load("cars1")
    found = {m: arcwise.learn(data, m).fit(data).log_density(data).mean() for m in ("equal-frequency", "equal-width")}
    cuts = EqualFrequency(bins=2).fit(data)
    empty = fit(Dag(data.names), data, discretization=cuts).log_density(data).mean()
    assert min(found.values()) > empty + 1


def test_damaged_tails_are_refused():
    good = intervals([1.0, 2.0, 3.0], [2.0])
    for tail in (Tail(0.0, 1.0), Tail(2.0, np.inf)):
        with pytest.raises(GraphError, match="tails and means of the cut column 'x' must be finite"):
            Intervals("x", good.thresholds, 2.0, tail, good.high, good.means)


SHAPES = pytest.mark.parametrize("within", ["histogram", "kernel"])


@SHAPES
@pytest.mark.parametrize("thresholds", [[], [0.3], [-1.0, 0.0, 0.1, 2.0], [5.0], [-9.0, 9.0]])
def test_every_level_with_bars_integrates_to_one(within, thresholds):
    cut = intervals(np.random.default_rng(0).normal(size=200), thresholds, within)
    edges = [-np.inf, *thresholds, np.inf]
    bars = cut.bars.edges
    for low, high in pairwise(edges):
        inner = bars[(bars > low) & (bars < high)]
        ends = [max(low, inner.min(initial=high) - 1e-9) if np.isinf(low) else low, *inner]
        pieces = [*ends, high] if np.isfinite(high) else ends
        # Within a bar the density is even, or the tail's besides: small steps are enough.
        fine = [np.linspace(a, b, 41) for a, b in pairwise(pieces)]
        area = sum(np.exp(cut.log_density(0.5 * (own[1:] + own[:-1]))) @ np.diff(own) for own in fine)
        for a, b in ((-np.inf, pieces[0]), (pieces[-1], np.inf)):
            if (np.isinf(low) and np.isinf(a)) or (np.isinf(high) and np.isinf(b)):
                area += quad(lambda x: np.exp(cut.log_density(np.array([x]))[0]), a, b, limit=200)[0]
        assert area == pytest.approx(1.0, abs=2e-4)


@SHAPES
def test_bars_follow_the_rows_of_a_level(within):
    rng = np.random.default_rng(1)
    values, new = (np.concatenate([rng.beta(2, 8, 20_000), 1 + rng.beta(8, 2, 20_000)]) for _ in range(2))
    even, shaped = intervals(values, [0.0, 1.0, 2.0]), intervals(values, [0.0, 1.0, 2.0], within)
    gain = shaped.log_density(new).mean() - even.log_density(new).mean()
    x = np.linspace(0, 1, 10_001)[1:-1]
    beta = 72 * x * (1 - x) ** 7
    assert gain == pytest.approx((beta * np.log(beta)).mean(), abs=0.02)  # what is there to gain


@SHAPES
def test_bars_on_repeated_values_are_no_spikes(within):
    rng = np.random.default_rng(2)
    ages = rng.integers(20, 70, 5_000).astype(float)
    cut = intervals(ages, [40.0], within)
    assert np.exp(cut.log_density(np.arange(21.0, 39.0))).max() < 2 / 20
    zeros = np.concatenate([np.zeros(3_000), rng.exponential(1.0, 3_000)])
    for values in (zeros, np.full(50, 3.0), np.array([1.0]), np.array([1e300, -1e300, 0.0])):
        for thresholds in ([], [1.0], [0.5, 2.0]):
            found = intervals(values, thresholds, within)
            assert np.isfinite(found.log_density(values)).all()
            assert np.isfinite(found.log_density(np.array([-1e9, 7.0, 1e9]))).all()


@SHAPES
def test_bars_are_sampled_and_saved(within, tmp_path):
    rng = np.random.default_rng(3)
    data = table(x=rng.normal(size=3_000), y=rng.exponential(size=3_000))
    cuts = Discretization({"x": np.array([-0.5, 0.5]), "y": np.array([])})
    net = fit(Dag(["x", "y"]), data, "cpt", discretization=cuts, within=within)
    drawn = net.sample(20_000, seed=1)
    for name in ("x", "y"):
        mine, theirs = (np.quantile(own.column(name).values, [0.05, 0.3, 0.5, 0.7, 0.95]) for own in (drawn, data))
        assert mine == pytest.approx(theirs, abs=0.1)
    net.save(tmp_path / "net.json")
    again = Network.load(tmp_path / "net.json")
    assert again == net
    assert np.array_equal(again.log_density(data), net.log_density(data))
    content = net.to_dict()
    content["intervals"][0]["bars"]["shares"][0] += 0.5
    with pytest.raises(GraphError, match="must sum to 1 in each of its levels"):
        Network.from_dict(content)
    with pytest.raises(OptionError, match="did you mean 'kernel'"):
        fit(Dag(["x", "y"]), data, "cpt", discretization=cuts, within="kernal")
    with pytest.raises(OptionError, match="unknown option of model 'gaussian' 'within'"):
        fit(Dag(["x", "y"]), data, "gaussian", within=within)


def test_a_network_of_an_earlier_version_has_no_bars():
    data = table(x=np.arange(20.0))
    net = fit(Dag(["x"]), data, "cpt", discretization=Discretization({"x": np.array([9.5])}))
    content = net.to_dict()
    del content["intervals"][0]["bars"], content["readings"]
    assert Network.from_dict(content) == net
