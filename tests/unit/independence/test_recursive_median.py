"""The recursive-median test: against its definition in plain Python, its promises, and Margaritis's experiments."""

from __future__ import annotations

from math import exp, isnan, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.independence import margaritis as module
from arcwise.independence.margaritis import MultiResolution, RecursiveMedian
from arcwise.networks import FUNCTION_PAIRS, lambda_network, meander, v_network
from arcwise.parts.protocols import IndependenceTest
from arcwise.parts.spec import to_spec, with_options
from tests.oracle.median import recursive_median, without_copies
from tests.reference.run_margaritis import RULES, chi_squared

NAMES = ("x", "y", "za", "zb", "zc")


def dataset(columns, discrete):
    made = []
    for name, values, is_discrete in zip(NAMES, columns, discrete, strict=False):
        if is_discrete:
            levels = tuple(str(k) for k in range(int(max(values)) + 1))
            made.append(Column(name, Kind.DISCRETE, np.array(values, dtype=np.uint16), levels))
        else:
            made.append(Column(name, Kind.CONTINUOUS, np.array(values, dtype=float)))
    return Dataset(tuple(made))


@st.composite
def tables(draw):
    """Lists of values and which of them are discrete: ties, constants, many and few levels, dependence or none."""
    n = draw(st.integers(1, 130))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    base = rng.normal(size=n)
    columns, discrete = [], []
    for _ in range(2 + draw(st.integers(1, 3))):
        values = base * draw(st.sampled_from([0, 1, 4])) + rng.normal(size=n)
        form = draw(st.sampled_from(["plain", "plain", "tied", "whole", "few levels", "many levels", "constant"]))
        if form == "tied":
            values = np.round(values * 3)
        elif form == "whole":
            values = np.round(values)
        elif form == "few levels":
            values = np.digitize(values, [-1, 0.5])
        elif form == "many levels":
            values = np.abs(values * 30).astype(int)
        elif form == "constant":
            values = np.zeros(n)
        columns.append(values.tolist())
        discrete.append(form.endswith("levels"))
    return columns, discrete


def run(columns, discrete, **options):
    bound = RecursiveMedian(**options).bind(dataset(columns, discrete))
    return bound.test(0, 1, list(range(2, len(columns))))


@given(
    tables(),
    st.sampled_from([0.5, 0.3]),
    st.sampled_from([None, None, 1, 3, 4]),
    st.sampled_from([1, 1, 6]),
    st.sampled_from(["rows", "range"]),
)
@settings(max_examples=150)
def test_is_the_definition(table, prior, resolutions, min_leaf, slice_weights):
    columns, discrete = table
    options = {"prior": prior, "resolutions": resolutions, "min_leaf": min_leaf, "slice_weights": slice_weights}
    result = run(columns, discrete, **options)
    columns = without_copies(columns, discrete)
    if len(set(columns[0])) == 1 or len(set(columns[1])) == 1:
        assert result.value == 1, "a constant depends on nothing"
        return
    log_i, log_u = recursive_median(columns[0], columns[1], columns[2:], discrete, **options)
    if log_i == pytest.approx(log(prior), abs=1e-9):
        assert isnan(result.value)
        assert isnan(result.details["log_I"])
    else:
        assert result.value == pytest.approx(exp(log_i), rel=1e-8)
        assert result.details["log_I"] == pytest.approx(log_i, rel=1e-8)
    assert result.details["U"] == pytest.approx(exp(log_u), rel=1e-8)
    assert 1 <= result.details["slices"] <= len(columns[0])


@pytest.mark.parametrize("seed", range(3))
def test_is_the_definition_with_more_rows(seed):
    data = (lambda_network(1, 2, 450, seed), v_network(1, 2, 450, seed), meander(450, seed))[seed]
    columns = [column.values.tolist() for column in data.columns]
    log_i, log_u = recursive_median(columns[0], columns[1], columns[2:], [False] * 3)
    result = run(columns, [False] * 3)
    assert (result.value, result.details["U"]) == pytest.approx((exp(log_i), exp(log_u)), rel=1e-9)


def test_slices_are_weighted_by_their_range_when_asked():
    """Half of the rows lie in 1 % of the range of Z, and only there X and Y depend on each other."""
    rng = np.random.default_rng(8)
    z = np.concatenate([0.01 * rng.random(1000), 0.01 + 0.99 * rng.random(1000)])
    x, e, f = rng.normal(size=(3, 2000))
    y = np.where(np.arange(2000) < 1000, x + 0.3 * e, f)
    columns = [x.tolist(), y.tolist(), z.tolist()]
    by_rows = run(columns, [False] * 3)
    by_range = run(columns, [False] * 3, slice_weights="range")
    assert by_rows.value < 0.05
    assert by_range.value > 0.8, "the dependent half has one hundredth of the weight"
    moved = [columns[0], columns[1], (z * 7 - 100).tolist()]
    assert run(moved, [False] * 3, slice_weights="range").value == pytest.approx(by_range.value, rel=1e-9)
    huge = [columns[0], columns[1], (2 * (z - 0.5) * 1.7e308).tolist()]
    assert run(huge, [False] * 3, slice_weights="range").value == pytest.approx(by_range.value, rel=1e-9)


def test_levels_have_no_range():
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(2, 400)).tolist()
    level = rng.choice([0, 1, 50], 400).tolist()
    by_rows = run([x, y, level], [False, False, True])
    assert run([x, y, level], [False, False, True], slice_weights="range") == by_rows


def numbers_of(result):
    return pytest.approx([result.value, *result.details.values()], rel=0, abs=0, nan_ok=True)


@given(tables())
@settings(max_examples=40)
def test_only_ranks_count_and_neither_order_of_rows_nor_of_columns(table):
    columns, discrete = table
    wanted = numbers_of(run(columns, discrete))
    grown = [v if d else (np.sinh(np.array(v) / 20) * 1e3).tolist() for v, d in zip(columns, discrete, strict=True)]
    order = np.random.default_rng(len(columns[0])).permutation(len(columns[0]))
    data = dataset(columns, discrete).select(NAMES[: len(columns)][::-1])
    last = len(columns) - 1
    bound = RecursiveMedian().bind(data)
    for result in (
        run(grown, discrete),
        run([np.array(v)[order].tolist() for v in columns], discrete),
        bound.test(last, last - 1, range(last - 1)),
        bound.test(last - 1, last, range(last - 1)[::-1]),
    ):
        assert [result.value, *result.details.values()] == wanted


def test_batches_threads_and_interrupted_calls_change_nothing(monkeypatch):
    data = dataset([np.random.default_rng(k).normal(size=400).tolist() for k in range(5)], [False] * 5)
    bound = RecursiveMedian().bind(data)
    sets = [(), (2,), (3,), (2, 4), (4, 3, 2)]
    padded = np.full((len(sets), 3), -1)
    for row, members in zip(padded, sets, strict=True):
        row[: len(members)] = members
    wanted = [bound.test(0, 1, members).value for members in sets]
    assert bound.p_values(0, 1, padded).tolist() == wanted
    assert bound.p_values(0, 1, padded[:0]).tolist() == []
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    monkeypatch.setattr(module, "BUDGET", 500)
    assert bound.p_values(1, 0, padded).tolist() == wanted


def test_without_given_columns_it_is_the_multi_resolution_test():
    data = lambda_network(1, 3, 500, seed=1)
    pair = MultiResolution().bind(data).test(0, 1, [])
    alone = RecursiveMedian().bind(data).test(0, 1, [])
    assert (alone.value, alone.statistic) == (pair.value, pair.statistic)
    assert alone.details == {"log_I": pytest.approx(log(alone.value)), "U": 1.0, "slices": 1.0}


@pytest.mark.parametrize("prior", [0.5, 0.4, 0.7])
def test_constants_are_independent_of_everything(prior):
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=333).tolist(), rng.normal(size=333).tolist()
    assert run([x, [2.0] * 333, z], [False] * 3, prior=prior).value == 1
    assert run([[0] * 333, x, z], [True, False, False], prior=prior).value == 1
    assert run([[1.0], [2.0], [3.0]], [False] * 3, prior=prior).value == 1


@pytest.mark.parametrize("prior", [0.5, 0.4, 0.7])
def test_rows_that_tell_nothing_give_no_answer(prior):
    """Y is a function of Z, so that it is constant at every value of Z: how X depends on it cannot be seen."""
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=333), rng.normal(size=333)
    level = rng.integers(0, 5, 333)
    for columns, discrete in (
        ([x, z**3, z], [False] * 3),
        ([x, level % 2, level], [False, True, True]),
        ([x[:2], z[:2], [0, 1]], [False, False, True]),
    ):
        result = run([list(v) for v in columns], discrete, prior=prior)
        assert isnan(result.value)
        assert isnan(result.details["log_I"])


def test_independent_where_the_data_do_not_lower_the_probability():
    """The level is P: what is near it on the upper side is no edge, whatever P."""
    data = dataset([np.random.default_rng(k).normal(size=300).tolist() for k in (1, 2, 3)], [False] * 3)
    for prior in (0.1, 0.4, 0.5, 0.9):
        part = RecursiveMedian(prior=prior)
        assert part.level == prior
        assert part.bind(data).test(0, 1, []).value > prior
        assert part.bind(data).test(0, 1, [2]).value > prior


def test_u_is_no_larger_than_the_rows_can_show():
    """Where Z is constant: that of a Z which halves each cell of {X, Y}. Two rows say little, many all."""
    rng = np.random.default_rng(1)
    seen = []
    for n in (2, 8, 40, 200, 1000, 5000):
        x, y = rng.normal(size=(2, n))
        result = run([x.tolist(), y.tolist(), [0] * n], [False, False, True])
        at_best = run([[*x, *x], [*y, *y], [0] * n + [1] * n], [False, False, True])
        assert result.details["U"] < at_best.details["U"] < 1, "twice as many rows, and a Z that halves every cell"
        seen.append(result.details["U"])
    assert seen == sorted(seen)
    assert 0.5 < seen[0] < 0.6
    assert seen[-1] > 0.999
    strong = run([x.tolist(), (x + 0.1 * y).tolist(), [0] * 5000], [False, False, True])
    assert strong.value < 0.001
    assert strong.value == pytest.approx(0.5 * (1 - strong.details["U"]))


@pytest.mark.parametrize("n", [100, 400, 1500])
@pytest.mark.parametrize("times", [2, 5])
@pytest.mark.parametrize("kind", ["dependent", "independent"])
def test_rows_written_again_change_nothing(n, times, kind):
    rng = np.random.default_rng(n)
    z, e, f = rng.normal(size=(3, n))
    y = z + (0.96 * e + 0.28 * f if kind == "dependent" else f)
    columns = [z + e, y, z]
    once = run([v.tolist() for v in columns], [False] * 3)
    again = RecursiveMedian().bind(dataset([np.repeat(v, times).tolist() for v in columns], [False] * 3))
    assert again.test(0, 1, [2]) == once
    assert again.warnings == (f"{(times - 1) * n:,} rows of {times * n:,} repeat others and count once",)
    assert (once.value < 0.5) == (kind == "dependent")


def test_groups_of_five_equal_rows_are_dependent():
    """corr(X, Y | Z) = 0.96 between the groups."""
    for seed in range(20):
        z, e, f = np.random.default_rng(seed).normal(size=(3, 100))
        columns = [np.repeat(v, 5).tolist() for v in (z + e, z + 0.96 * e + 0.28 * f, z)]
        assert run(columns, [False] * 3).value < 0.4


@pytest.mark.parametrize("n_levels", [3, 10, 40])
def test_levels_of_z_that_change_nothing_do_not_have_to_be_cut(n_levels):
    """Cutting into slices that say less must not win: with many levels of a few rows each, chance looks like a link."""
    wrong = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(size=(2, 200))
        z = rng.integers(0, n_levels, 200)
        wrong += run([x.tolist(), y.tolist(), z.tolist()], [False, False, True]).value < 0.5
    assert wrong <= 1


def test_fine_structure_is_seen_where_there_are_rows_for_it():
    """Three resolutions, 8 bins, see none of these at any size."""
    rng = np.random.default_rng(2)
    x, y, far = rng.random((3, 40_000))
    same_colour = (np.floor(16 * x) + np.floor(16 * y)) % 2 == 0
    pairs = {
        "stripes": (x[:20_000], (8 * x[:20_000]) % 1),
        "sine": (x[:20_000], np.sin(16 * np.pi * x[:20_000]) + 0.3 * y[:20_000]),
        "checkerboard": (x[same_colour][:19_000], y[same_colour][:19_000]),
    }
    for a, b in pairs.values():
        z = far[: len(a)] < 0.5
        data = dataset([a.tolist(), b.tolist(), z.astype(int).tolist()], [False, False, True])
        for held in ([], [2]):
            assert RecursiveMedian(resolutions=3).bind(data).test(0, 1, held).value > 0.9
            assert RecursiveMedian().bind(data).test(0, 1, held).value < 1e-3


def test_strengths_are_compared_as_logarithms():
    """Both probabilities are below the smallest float; their logarithms are not."""
    rng = np.random.default_rng(3)
    x, e, f = rng.normal(size=(3, 5000))
    bound = RecursiveMedian().bind(dataset([x.tolist(), (x + 0.05 * e).tolist(), (x + 0.2 * f).tolist()], [False] * 3))
    nothing = np.empty((1, 0), dtype=np.intp)
    assert bound.p_values(0, 1, nothing)[0] == bound.p_values(0, 2, nothing)[0] == 0
    strong, weak = (bound.log_p_values(0, y, nothing)[0] for y in (1, 2))
    assert strong < 1.2 * weak < -1000


def test_levels_of_a_given_column_are_slices():
    """Within each level of Z, X and Y are tied together one way or the other; over all levels that cancels out."""
    rng = np.random.default_rng(3)
    level = rng.integers(0, 4, 2000)
    x = rng.normal(size=2000)
    y = np.where(level % 2, x, -x) + 0.5 * rng.normal(size=2000)
    result = run([x.tolist(), y.tolist(), level.tolist()], [False, False, True])
    assert result.value < 1e-3
    assert result.details["slices"] == 4
    free = run([x.tolist(), rng.normal(size=2000).tolist(), level.tolist()], [False, False, True])
    assert free.value > 0.8


def test_awkward_tables():
    rng = np.random.default_rng(4)
    x = rng.normal(size=60)
    cases = [
        [x, x, x],
        [x, x, -x, np.round(x)],
        [rng.standard_cauchy(60) * 1e300 / 1e3, x, x * 1e300 / 1e3],
        [np.where(np.arange(60) == 7, 1.0, 0.0), x, np.round(x)],
        [x[:5], x[5:10], x[10:15], x[15:20], x[20:25]],
        [x[:2], x[2:4], x[4:6]],
    ]
    for columns in cases:
        result = run([v.tolist() for v in columns], [False] * len(columns))
        assert isnan(result.value) or 0 <= result.value <= 1
        assert 0 <= result.details["U"] <= 1
    levels = np.arange(60).tolist()
    assert isnan(run([levels, levels, levels], [True] * 3).value)


@pytest.mark.parametrize(("a", "b"), FUNCTION_PAIRS)
def test_lambda_and_v_networks_are_told_apart(a, b):
    """Figures 5 and 6: all 15 independent, all 15 dependent, at 20,000 rows."""
    test = RecursiveMedian()
    assert test.bind(lambda_network(a, b, 20_000, seed=a + 10 * b)).test(0, 1, [2]).value > 0.75
    assert test.bind(v_network(a, b, 20_000, seed=a + 10 * b)).test(0, 1, [2]).value < 0.05


def test_meander_is_consistent_where_prediscretized_tests_fail():
    """Figure 7: I and U grow towards 1, the p-values stay near 0 although X and Y are independent given Z."""
    means = []
    for n, sets in ((1000, 20), (5000, 10), (25_000, 4)):
        results = [RecursiveMedian().bind(meander(n, seed)).test(0, 1, [2]) for seed in range(sets)]
        means.append((np.mean([r.value for r in results]), np.mean([r.details["U"] for r in results])))
    assert np.array(means)[:, 0] == pytest.approx([0.55, 0.70, 0.84], abs=0.03)
    assert np.array(means)[:, 1] == pytest.approx([0.71, 0.87, 0.96], abs=0.03)
    for rule in RULES:
        assert max(chi_squared(meander(n, 1), rule) for n in (1000, 25_000)) < 1e-6


def test_is_a_part():
    part = RecursiveMedian(min_leaf=8)
    assert isinstance(part, IndependenceTest)
    assert part.level == 0.5
    assert to_spec(part) == {
        "kind": "recursive-median",
        "prior": 0.5,
        "resolutions": None,
        "min_leaf": 8,
        "slice_weights": "rows",
    }
    assert with_options(part, {"min_leaf": "1"}) == RecursiveMedian()
    assert with_options(part, {"resolutions": "3"}) == RecursiveMedian(resolutions=3, min_leaf=8)
    with pytest.raises(OptionError, match="'min_leaf' must be at least 1, not 0"):
        RecursiveMedian(min_leaf=0)
    with pytest.raises(OptionError, match="'prior' must be a number, not nan"):
        RecursiveMedian(prior=float("nan"))
