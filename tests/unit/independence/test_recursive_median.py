"""The recursive-median test: against its definition in plain Python, its promises, and Margaritis's experiments."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.contracts.protocols import IndependenceTest
from arcwise.contracts.spec import to_spec, with_options
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.independence import recursive_median as module
from arcwise.independence.multi_resolution import MultiResolution
from arcwise.independence.recursive_median import RecursiveMedian
from arcwise.networks import FUNCTION_PAIRS, lambda_network, meander, v_network
from tests.oracle.median import recursive_median
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


@given(tables(), st.sampled_from([0.5, 0.3]), st.integers(1, 4), st.sampled_from([1, 1, 6]))
@settings(max_examples=100)
def test_is_the_definition(table, prior, resolutions, min_leaf):
    columns, discrete = table
    options = {"prior": prior, "resolutions": resolutions, "min_leaf": min_leaf}
    log_i, log_u = recursive_median(columns[0], columns[1], columns[2:], discrete, **options)
    result = run(columns, discrete, **options)
    assert result.value == pytest.approx(exp(log_i), rel=1e-8)
    assert result.details["U"] == pytest.approx(exp(log_u), rel=1e-8)
    assert 1 <= result.details["slices"] <= len(columns[0])


@pytest.mark.parametrize("seed", range(3))
def test_is_the_definition_with_more_rows(seed):
    data = (lambda_network(1, 2, 450, seed), v_network(1, 2, 450, seed), meander(450, seed))[seed]
    columns = [column.values.tolist() for column in data.columns]
    log_i, log_u = recursive_median(columns[0], columns[1], columns[2:], [False] * 3)
    result = run(columns, [False] * 3)
    assert (result.value, result.details["U"]) == pytest.approx((exp(log_i), exp(log_u)), rel=1e-9)


@given(tables())
@settings(max_examples=40)
def test_only_ranks_count_and_neither_order_of_rows_nor_of_columns(table):
    columns, discrete = table
    wanted = run(columns, discrete)
    grown = [v if d else (np.sinh(np.array(v) / 20) * 1e3).tolist() for v, d in zip(columns, discrete, strict=True)]
    assert run(grown, discrete) == wanted
    order = np.random.default_rng(len(columns[0])).permutation(len(columns[0]))
    assert run([np.array(v)[order].tolist() for v in columns], discrete) == wanted
    data = dataset(columns, discrete).select(NAMES[: len(columns)][::-1])
    last = len(columns) - 1
    bound = RecursiveMedian().bind(data)
    assert bound.test(last, last - 1, range(last - 1)) == wanted
    assert bound.test(last - 1, last, range(last - 1)[::-1]) == wanted


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
    assert alone.details == {"U": 1.0, "slices": 1.0}


def test_nothing_to_tell_is_exactly_a_half():
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=333).tolist(), rng.normal(size=333).tolist()
    assert run([x, [2.0] * 333, z], [False] * 3).value == 0.5
    assert run([[0] * 333, x, z], [True, False, False]).value == 0.5
    assert run([[1.0], [2.0], [3.0]], [False] * 3).value == 0.5
    assert run([[1.0], [2.0], [3.0]], [False] * 3).details["U"] == 0.5
    assert run([x, z, [1.0] * 333], [False] * 3).details["U"] == 1.0  # a constant Z changes nothing


def test_levels_of_a_given_column_are_slices():
    """Within each level of Z, X and Y are tied together one way or the other; over all levels that cancels out."""
    rng = np.random.default_rng(3)
    level = rng.integers(0, 4, 2000)
    x = rng.normal(size=2000)
    y = np.where(level % 2, x, -x) + 0.5 * rng.normal(size=2000)
    result = run([x.tolist(), y.tolist(), level.tolist()], [False, False, True])
    assert result.value < 1e-6
    assert result.details == {"U": 1.0, "slices": 4.0}
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
        assert 0 <= result.value <= 1
        assert 0 <= result.details["U"] <= 1
    levels = np.arange(60).tolist()
    assert 0 <= run([levels, levels, levels], [True] * 3).value <= 1


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
    assert to_spec(part) == {"kind": "recursive-median", "prior": 0.5, "resolutions": 3, "min_leaf": 8}
    assert with_options(part, {"min_leaf": "1"}) == RecursiveMedian()
    with pytest.raises(OptionError, match="'min_leaf' must be an int of 1 or more, not 0"):
        RecursiveMedian(min_leaf=0)
    with pytest.raises(OptionError, match="'prior' must lie between 0 and 1, not nan"):
        RecursiveMedian(prior=float("nan"))
