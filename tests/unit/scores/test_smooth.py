"""Scores of smooth relations: slow twins, what each form finds, invariance, and awkward tables."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise._kernels.features.smooth_regression import parts_of
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.networks.table_kinds import simulate
from arcwise.scores import Smooth, SmoothRegression
from tests.oracle import smooth as oracle
from tests.oracle.kgv import numbers

KINDS = ("additive-processes", "interactions", "varying-spread", "counts", "logistic", "latent-classes")
FAMILIES = [(0, [1]), (0, [1, 2]), (3, [4, 5, 6]), (7, [0, 2, 3]), (5, [1, 6])]


def table(kind, rows=400, seed=1):
    return simulate(kind, nodes=8, edges=12, rows=rows, seed=seed)[0].by_name()


def told(data, most):
    """(features of each column, whether a column has levels without an order)."""
    return oracle.blocks(data, most), [not oracle.has_order(column) for column in data.columns]


@pytest.mark.parametrize("kind", KINDS)
def test_closed_forms_against_twins(kind):
    data = table(kind)
    blocks, nominal = told(data, 3)
    additive = Smooth(form="additive", features=3, arc_prior=1.0).bind(data)
    canonical = Smooth(form="canonical", features=3, arc_prior=1.0).bind(data)
    for child, parents in FAMILIES:
        own, given_ = blocks[child], [blocks[p] for p in parents]
        first = own if nominal[child] else own[:, :1]
        expected = oracle.additive(first, given_, [nominal[p] for p in parents], 0.0)
        assert additive.local_score(child, parents) == pytest.approx(expected, abs=1e-5)
        assert canonical.local_score(child, parents) == pytest.approx(oracle.canonical(own, given_, 0.0), abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_regressions_against_a_twin_of_their_parts(kind):
    """The score is the likelihood of the parts that were let in, less their price: never more, and hardly less."""
    data = table(kind)
    score = SmoothRegression(features=3, arc_prior=1.0).bind(data)
    blocks, _ = told(data, 3)
    price = log(data.n_rows) / 2
    for child, parents in FAMILIES:
        at, products, spread, tail, skew = parts_of(score.data, child, np.array(parents))
        starts = score.data.families.starts
        features = np.column_stack(oracle.blocks(data, 3))
        # the features of the score are in an order of their rows' own; likelihoods do not depend on it
        design = [features[:, f] for f in at] + [features[:, f] * features[:, g] for f, g in products]
        design = np.column_stack(design)
        assert (np.searchsorted(starts, at, side="right") - 1 == np.array(sorted_in(parents, starts, at))).all()
        if data.columns[child].levels:
            k = len(np.unique(data.columns[child].values))
            expected = oracle.logistic(data.columns[child].values, design) - price * (k - 1) * design.shape[1]
            assert score.local_score(child, parents) == pytest.approx(expected, abs=0.2)
            continue
        z = blocks[child][:, 0]
        bent = np.arcsinh(z) * tail - skew
        target, slopes = np.sinh(bent), np.log(np.cosh(bent) * tail / np.sqrt(1 + z * z))
        left = (
            target
            - np.column_stack([np.ones(len(z)), design])
            @ np.linalg.lstsq(np.column_stack([np.ones(len(z)), design]), target, rcond=None)[0]
        )
        gained = -len(z) / 2 * log(np.mean(left**2)) + slopes.sum()
        if len(spread):
            gained += oracle.spread(left, features[:, spread])
        n_parts = design.shape[1] + len(spread) + (tail != 1.0) + (skew != 0.0)
        assert score.local_score(child, parents) == pytest.approx(gained - price * n_parts, abs=0.6)


def sorted_in(parents, starts, at):
    """The parent that each feature belongs to."""
    return [next(p for p in parents if starts[p] <= feature < starts[p + 1]) for feature in at]


def test_a_linear_relation_costs_one_parameter():
    rng = np.random.default_rng(0)
    x = rng.normal(size=2000)
    data = numbers(x, x + rng.normal(size=2000))
    score = Smooth(form="additive", arc_prior=1.0).bind(data).local_score(1, [0])
    blocks, _ = told(data, 1)
    rho = np.mean(blocks[0][:, 0] * blocks[1][:, 0])
    assert score == pytest.approx(-1000 * log(1 - rho**2) - log(2000) / 2, rel=1e-9)


@pytest.mark.parametrize("curve", [np.square, np.abs], ids=["square", "absolute"])
@pytest.mark.parametrize("seed", range(5))
def test_a_relation_without_correlation_is_found_in_a_hundred_rows(curve, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=100)
    y = curve(x) + 0.5 * rng.normal(size=100)
    data = numbers(x, (y - y.mean()) / y.std())
    for score in (Smooth(), Smooth(form="additive"), SmoothRegression()):
        assert score.bind(data).local_score(1, [0]) > 5.0


def test_what_each_score_can_see():
    """Products of parents and a spread that varies are no additive curves."""
    rng = np.random.default_rng(3)
    a, b, e = rng.normal(size=(3, 3000))
    of_product, of_spread = numbers(a, b, a * b + 0.5 * e), numbers(a, b, np.exp(0.7 * a) * e)
    blind, regression = Smooth(form="additive").bind(of_product), SmoothRegression().bind(of_product)
    assert blind.local_score(2, [0, 1]) < 0
    assert regression.local_score(2, [0, 1]) > 500
    blind, canonical = Smooth(form="additive").bind(of_spread), Smooth().bind(of_spread)
    assert blind.local_score(2, [0]) < 0
    assert canonical.local_score(2, [0]) > 100
    assert SmoothRegression().bind(of_spread).local_score(2, [0]) > 300
    assert SmoothRegression().bind(of_spread).local_score(2, [0, 1]) < SmoothRegression().bind(of_spread).local_score(
        2, [0]
    )


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([np.exp, np.tanh, lambda x: x**3, lambda x: 5 * x - 7]))
def test_increasing_functions_of_columns_change_nothing(seed, increasing):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(4, 120))
    x[3] = x[0] ** 2 + x[1] + rng.normal(size=120)
    before, after = numbers(*x), numbers(x[0], increasing(x[1]), x[2], increasing(x[3]))
    for score in (Smooth(), Smooth(form="additive"), SmoothRegression()):
        one, other = score.bind(before), score.bind(after)
        for child, parents in ((3, [0, 1]), (1, [3]), (0, [1, 2, 3])):
            assert one.local_score(child, parents) == other.local_score(child, parents)


def test_weights_are_repeated_rows():
    data = table("logistic", 150)
    weighted = data.weighted(np.random.default_rng(0).integers(0, 4, 150))
    for score in (Smooth(features=3), Smooth(form="additive", features=3), SmoothRegression(features=3)):
        one, other = score.bind(weighted), score.bind(weighted.repeated())
        for child, parents in FAMILIES:
            assert one.local_score(child, parents) == pytest.approx(
                other.local_score(child, parents), rel=1e-9, abs=1e-7
            )


def test_constants_and_copies():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 80))
    data = numbers(x, np.full(80, 3.0), x, y, np.repeat(0.0, 80))
    for score in (Smooth(), Smooth(form="additive"), SmoothRegression()):
        bound = score.bind(data)
        assert bound.local_score(1, [0]) < 0
        assert bound.local_score(0, [1]) < 0
        assert bound.local_score(4, [1]) < 0
        assert np.isfinite(bound.local_score(0, [2]))
        assert np.isfinite(bound.local_score(3, [0, 2]))
        assert bound.local_score(0, [2]) > 100
        assert bound.local_score(3, [0, 2]) < bound.local_score(3, [0])


def test_few_rows_are_told_and_are_no_evidence():
    rng = np.random.default_rng(0)
    data = numbers(*rng.normal(size=(6, 8)))
    bound = Smooth().bind(data)
    assert "8 rows for up to 3 features" in bound.warnings[0]
    assert bound.local_score(0, [1, 2, 3, 4, 5]) < 0


def test_a_long_table_is_judged_by_a_sample_and_this_is_said():
    rng = np.random.default_rng(0)
    x = rng.normal(size=3000)
    data = numbers(x, x**2 + rng.normal(size=3000))
    bound = SmoothRegression(rows=1000).bind(data)
    assert bound.warnings == ("what the curves explain was judged by 1,000 of 3,000 rows",)
    assert bound.local_score(1, [0]) > 100


def test_levels_with_thousands_of_weights_have_a_stand_in():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 60, 2000)
    levels = Column("c", Kind.DISCRETE, codes.astype(np.uint8), tuple(map(str, range(60))))
    other = Column("x", Kind.CONTINUOUS, codes % 7 + rng.normal(size=2000))
    bound = SmoothRegression().bind(Dataset((levels, other)))
    assert np.isfinite(bound.local_score(0, [1]))
    assert bound.local_score(1, [0]) > 100


@pytest.mark.parametrize(("options", "said"), [({"features": 0}, "features"), ({"arc_prior": 0.0}, "arc_prior")])
def test_options(options, said):
    for score in (Smooth, SmoothRegression):
        with pytest.raises(OptionError, match=said):
            score(**options)


@pytest.mark.parametrize("kind", ["additive-processes", "latent-classes"])
@pytest.mark.parametrize("form", ["additive", "canonical"])
def test_batches_that_have_parents_in_common_equal_single_scores(kind, form):
    data = table(kind, 200)
    bound = Smooth(form=form, features=3).bind(data)
    sets = np.array([[2, 5, -1], [2, 5, 1], [5, 2, 4], [3, 5, 2], [2, 5, 6]], dtype=np.intp)
    single = [bound.local_score(7, [v for v in parents if v >= 0]) for parents in sets.tolist()]
    assert bound.local_scores(7, sets) == pytest.approx(single, abs=1e-9)
