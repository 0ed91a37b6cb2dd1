"""Margaritis and Thrun's test: against its definition in plain Python, and its promises."""

from __future__ import annotations

from math import exp, isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.independence.boundaries import Axis, largest, log_bayes_factor
from arcwise.independence.margaritis import MultiResolution
from arcwise.parts.protocols import IndependenceTest
from arcwise.parts.spec import to_spec, with_options
from tests.oracle.median import log_independence, mixture, without_copies

NOTHING = np.empty((1, 0), dtype=np.intp)
BOUNDARIES = ("quantile", "average", "max")


def table(x, y, discrete=(False, False), names=("x", "y")):
    columns = []
    for name, values, is_discrete in zip(names, (x, y), discrete, strict=True):
        if is_discrete:
            levels = tuple(str(k) for k in range(int(max(values)) + 1))
            columns.append(Column(name, Kind.DISCRETE, np.array(values, dtype=np.uint16), levels))
        else:
            columns.append(Column(name, Kind.CONTINUOUS, np.array(values, dtype=float)))
    return Dataset(tuple(columns))


def value(data, **options):
    return MultiResolution(**options).bind(data).test(0, 1, []).value


@st.composite
def pairs(draw):
    n = draw(st.integers(1, 90))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    base = rng.normal(size=n)
    discrete = draw(st.tuples(st.booleans(), st.booleans()))
    columns = []
    for is_discrete in discrete:
        grain = draw(st.sampled_from([0.0, 0.2, 1.0, 5.0]))
        values = base * draw(st.sampled_from([0, 1, 5])) + rng.normal(size=n)
        if is_discrete:
            columns.append((np.abs(values) * (1 + grain)).astype(int).tolist())
        else:
            columns.append((np.round(values / grain) if grain else values).tolist())
    return *columns, discrete


@given(pairs(), st.sampled_from([0.5, 0.2, 0.9]), st.sampled_from([None, None, 1, 3, 5]))
@settings(max_examples=100)
def test_is_the_definition(pair, prior, resolutions):
    x, y, discrete = pair
    result = MultiResolution(prior=prior, resolutions=resolutions).bind(table(x, y, discrete)).test(0, 1, [])
    x, y = without_copies([x, y], discrete)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert result.value == 1
        return
    factor = mixture([x], [y], discrete[:1], discrete[1:], resolutions)
    assert result.statistic == pytest.approx(factor, rel=1e-10, abs=1e-10)
    log_i = log_independence(factor, prior) if abs(factor) > 1e-8 else nan  # no evidence, no answer
    assert result.value == pytest.approx(exp(log_i), rel=1e-8, abs=1e-300, nan_ok=True)
    assert result.details["log_I"] == pytest.approx(log_i, rel=1e-8, nan_ok=True)


@pytest.mark.parametrize("boundaries", BOUNDARIES)
@pytest.mark.parametrize("prior", [0.5, 0.25])
def test_nothing_depends_on_a_constant(boundaries, prior):
    rng = np.random.default_rng(1)
    options = {"boundaries": boundaries, "prior": prior}
    assert value(table([3.0], [4.0]), **options) == 1
    assert value(table([0], [4.0], (True, False)), **options) == 1
    assert value(table(np.zeros(300), rng.normal(size=300)), **options) == 1
    assert value(table(rng.normal(size=300), np.zeros(300, dtype=int), (False, True)), **options) == 1


@pytest.mark.parametrize("boundaries", BOUNDARIES)
def test_rows_written_again_change_nothing(boundaries):
    rng = np.random.default_rng(9)
    for y in rng.normal(size=(5, 60)):
        x = rng.normal(size=60)
        again = MultiResolution(boundaries=boundaries).bind(table(np.repeat(x, 5), np.repeat(y, 5)))
        assert again.test(0, 1, []).value == value(table(x, y), boundaries=boundaries)
        assert again.warnings == ("240 rows of 300 repeat others and count once",)


def test_the_finer_the_grid_the_more_rows():
    """b bins want b^2 rows, so that chance is not taken for dependence more often than with three grids."""
    rng = np.random.default_rng(10)
    wrong = dict.fromkeys((3, None), 0)
    for _ in range(60):
        pair = table(*rng.normal(size=(2, 1000)))
        for resolutions in wrong:
            wrong[resolutions] += value(pair, resolutions=resolutions) < 0.5
    assert wrong[None] <= wrong[3] <= 2
    for n, b in ((15, 1), (16, 2), (63, 2), (64, 3), (255, 3), (256, 4)):
        pair = table(*rng.normal(size=(2, n)))
        assert value(pair) == value(pair, resolutions=b) == value(pair, resolutions=12)


@pytest.mark.parametrize("boundaries", BOUNDARIES)
@given(pair=pairs())
@settings(max_examples=25)
def test_only_ranks_count_and_neither_order_of_rows_nor_of_columns(boundaries, pair):
    x, y, discrete = pair
    wanted = value(table(x, y, discrete), boundaries=boundaries)
    assert isnan(wanted) or 0 <= wanted <= 1
    wanted = pytest.approx(wanted, rel=0, abs=0, nan_ok=True)
    grown = [v if d else (np.sinh(np.array(v) / 20) * 1e3).tolist() for v, d in zip((x, y), discrete, strict=True)]
    assert value(table(*grown, discrete), boundaries=boundaries) == wanted
    order = np.random.default_rng(len(x)).permutation(len(x))
    assert value(table(np.array(x)[order], np.array(y)[order], discrete), boundaries=boundaries) == wanted
    turned = MultiResolution(boundaries=boundaries).bind(table(y, x, discrete[::-1], ("y", "x")))
    assert turned.test(0, 1, []).value == wanted
    assert turned.test(1, 0, []).value == wanted


def test_decides_dependence_and_independence():
    rng = np.random.default_rng(5)
    x = rng.normal(size=2000)
    circle = np.sin(3 * x) + 0.3 * rng.normal(size=2000)
    for boundaries in ("quantile", "average"):
        assert value(table(x, rng.normal(size=2000)), boundaries=boundaries) > 0.9
        assert value(table(x, circle), boundaries=boundaries) < 1e-6
        assert value(table(x, (circle > 0).astype(int), (False, True)), boundaries=boundaries) < 1e-6


def test_boundaries_placed_at_the_maximum_see_dependence_everywhere():
    rng = np.random.default_rng(6)
    independent = [table(rng.normal(size=200), rng.normal(size=200)) for _ in range(12)]
    values = {b: np.array([value(data, boundaries=b) for data in independent]) for b in BOUNDARIES}
    assert np.sum(values["quantile"] < 0.5) <= 1
    assert np.sum(values["average"] < 0.5) <= 2
    assert np.sum(values["max"] < 0.5) >= 9
    medians = np.array([value(data, resolutions=1) for data in independent])
    assert (values["max"] <= medians + 1e-12).all()


def test_a_cut_on_each_side_is_left_where_neither_can_be_moved_to_gain():
    """Columns of six values: the five cuts of each are all tried, so the ascent ends in a peak of the 5 x 5 factors."""
    rng = np.random.default_rng(8)
    at_the_top = 0
    for _ in range(20):
        x, y = rng.integers(0, 6, (2, 60)).astype(np.int32)
        y = np.where(rng.random(60) < 0.5, x, y)
        factors = np.empty((5, 5))
        for a, b in np.ndindex(5, 5):
            factors[a, b] = log_bayes_factor(np.histogram2d(x > a, y > b, bins=2)[0].astype(int))
        peak = (factors == factors.max(axis=0)) & (factors == factors.max(axis=1)[:, None])
        reached = largest(Axis.of(x, False), Axis.of(y, False), 1)
        assert np.isclose(factors[peak], reached).any()
        at_the_top += bool(np.isclose(reached, factors.max()))
    assert 1 <= at_the_top < 20  # one coordinate at a time may end in a lower peak


def test_many_levels():
    rng = np.random.default_rng(7)
    many = np.arange(3000) % 1500
    for y, discrete in ((rng.permutation(many), True), (rng.normal(size=3000), False)):
        data = table(many, y, (True, discrete))
        for boundaries in BOUNDARIES:
            assert 0 <= value(data, boundaries=boundaries) <= 1
    x = rng.permutation(many)[:400]
    assert value(table(x, x, (True, True))) == pytest.approx(
        exp(log_independence(mixture([x.tolist()], [x.tolist()], [True], [True]), 0.5)), rel=1e-8
    )


@pytest.mark.parametrize("boundaries", BOUNDARIES)
def test_extreme_numbers(boundaries):
    rng = np.random.default_rng(2)
    x = rng.standard_cauchy(200) * 1e290
    assert value(table(x, np.cbrt(x)), boundaries=boundaries) < 1e-6
    assert 0 <= value(table([1e300, -1e300, 0.0, 5e-324, 1.0], [1.0, 2, 3, 4, 5]), boundaries=boundaries) <= 1


def test_is_a_part():
    part = MultiResolution(boundaries="average", prior=0.3)
    assert isinstance(part, IndependenceTest)
    assert to_spec(part) == {"kind": "multi-resolution", "prior": 0.3, "resolutions": None, "boundaries": "average"}
    assert with_options(part, {"boundaries": "max", "resolutions": "2"}) == MultiResolution(
        boundaries="max", prior=0.3, resolutions=2
    )
    data = table([1.0, 2, 3], [3.0, 1, 2])
    bound = part.bind(data)
    assert bound.p_values(0, 1, NOTHING).tolist() == [bound.test(0, 1, []).value]
    assert bound.p_values(0, 1, np.array([[-1, -1]])).tolist() == [bound.test(0, 1, []).value]


def test_refusals():
    with pytest.raises(OptionError, match=r"'prior' must lie between 0 and 1, not 1\.0"):
        MultiResolution(prior=1.0)
    with pytest.raises(OptionError, match="'resolutions' must be an int from 1 to 12, or none, not 13"):
        MultiResolution(resolutions=13)
    with pytest.raises(OptionError, match="'quantile' or 'average' or 'max', not 'mean'"):
        MultiResolution(boundaries="mean")
    bound = MultiResolution().bind(table([1.0, 2], [1.0, 2]).select(["x", "y"]))
    with pytest.raises(OptionError, match="'multi-resolution' is for pairs and cannot condition on 'y'"):
        bound.test(0, 1, [1])
