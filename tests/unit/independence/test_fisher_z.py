"""Fisher's Z: known answers, the kernel against regressions, and data that are degenerate."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.independence import FisherZ
from arcwise.parts.protocols import IndependenceTest
from arcwise.stats import group_sums
from arcwise.stats.moments import Moments
from arcwise.stats.relations import redundant_columns
from tests.oracle.independence import continuous_table, numbers, partial_correlation


def correlation_matrix(data: Dataset) -> FloatArray:
    return Moments.of(data, by_codes=True).of_columns()


def padded(sets, width):
    out = np.full((len(sets), width), -1, dtype=np.intp)
    for row, members in zip(out, sets, strict=True):
        row[: len(members)] = members
    return out


def test_is_a_part():
    assert isinstance(FisherZ(), IndependenceTest)
    assert hash(FisherZ()) == hash(FisherZ())


def test_a_correlation_of_one_half_in_28_rows():
    x = np.tile([1.0, -1.0], 14)
    noise = np.repeat([1.0, -1.0], 14)  # orthogonal to x, so that the correlation is exactly 1/2
    bound = FisherZ().bind(numbers({"x": x, "y": x + np.sqrt(3.0) * noise}))
    found = bound.test(0, 1, [])
    assert found.details["partial_correlation"] == pytest.approx(0.5, abs=1e-15)
    assert found.statistic == pytest.approx(2.7465307, abs=1e-7)
    assert found.value == pytest.approx(0.0060229, abs=1e-6)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(12, 60), st.integers(3, 7))
def test_batches_equal_regressions_however_the_sets_are_written(seed, n_rows, n_columns):
    rng = np.random.default_rng(seed)
    data = continuous_table(rng, n_rows, n_columns)
    bound = FisherZ().bind(data)
    x, y, *others = rng.permutation(n_columns).tolist()
    sets = [rng.permutation(others)[: rng.integers(0, len(others) + 1)].tolist() for _ in range(12)]
    batch = bound.p_values(x, y, padded(sets, len(others)))
    for members, value in zip(sets, batch, strict=True):
        result = bound.test(x, y, members)
        expected = partial_correlation(data, x, y, members)
        assert result.details["partial_correlation"] == pytest.approx(expected, abs=1e-9)
        assert value == result.value == bound.test(y, x, members).value
        assert {bound.test(x, y, order).value for order in list(permutations(members))[:6]} == {value}


def test_pairwise_is_the_batch_of_empty_sets():
    data = continuous_table(np.random.default_rng(0), 50, 6)
    bound = FisherZ().bind(data)
    table = bound.pairwise()
    for x in range(6):
        for y in range(6):
            if x != y:
                assert table[x, y] == bound.test(x, y, []).value


def test_too_few_rows_are_no_answer():
    data = continuous_table(np.random.default_rng(1), 5, 5)
    bound = FisherZ().bind(data)
    values = bound.p_values(0, 1, padded([(), (2,), (2, 3), (2, 3, 4)], 3))
    assert np.isfinite(values[:2]).all()
    assert np.isnan(values[2:]).all()


def test_strong_dependences_stay_apart_where_p_is_zero():
    rng = np.random.default_rng(2)
    x = rng.normal(size=5000)
    data = numbers({"x": x, "y": x + 0.2 * rng.normal(size=5000), "z": x + 0.1 * rng.normal(size=5000)})
    bound = FisherZ().bind(data)
    assert bound.test(0, 1, []).value == bound.test(0, 2, []).value == 0.0
    assert -np.inf < bound.test(0, 2, []).details["log_p"] < bound.test(0, 1, []).details["log_p"] < -745


def test_constant_columns_are_independent_of_all():
    rng = np.random.default_rng(3)
    data = numbers({"k": np.full(20, 0.1), "x": rng.normal(size=20), "y": rng.normal(size=20)})
    bound = FisherZ().bind(data)
    assert bound.test(0, 1, []).value == bound.test(0, 1, [2]).value == 1.0
    assert bound.test(1, 2, [0]).details == pytest.approx(
        {"partial_correlation": bound.corr[1, 2], "log_p": bound.test(1, 2, [0]).details["log_p"]}
    )


def test_copies_are_dependent_and_named():
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(2, 200))
    data = numbers({"copy": 3 * x - 1, "sum": x + y, "x": x, "y": y})
    bound = FisherZ().bind(data)
    assert bound.test(0, 2, []).value < 1e-200
    assert bound.test(0, 3, [2]).value == 1.0, "given its copy, a column is a constant"
    assert bound.test(1, 0, [2, 3]).value == 1.0
    assert len(bound.warnings) == 2
    assert bound.warnings[0].startswith("column 'x' is a linear function of 'copy'")
    assert bound.warnings[1].startswith("column 'y' is a linear function of 'copy', 'sum'")


def test_a_redundant_member_of_the_set_changes_nothing():
    rng = np.random.default_rng(5)
    z, other = rng.normal(size=(2, 300))
    data = numbers({"a": z + rng.normal(size=300), "b": z + rng.normal(size=300), "o": other, "z": z, "zz": 2 * z})
    bound = FisherZ().bind(data)
    for once, twice in (([3], [3, 4]), ([2, 3], [2, 3, 4])):
        rho = [bound.test(0, 1, s).details["partial_correlation"] for s in (once, twice)]
        assert rho[0] == pytest.approx(rho[1], abs=1e-12)


@pytest.mark.parametrize("scale", [1e300, 1e-300, 1.0])
def test_huge_and_tiny_numbers(scale):
    rng = np.random.default_rng(6)
    x = rng.normal(size=100)
    y = x + rng.normal(size=100)
    corr = correlation_matrix(numbers({"x": scale * x, "y": y}))
    assert corr[0, 1] == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)
    assert corr[0, 0] == corr[1, 1] == 1.0


@pytest.mark.parametrize("limits", [{}, {"STRETCH_NUMBERS": 1, "LEAST_ROWS": 7}])
def test_correlations_in_blocks_of_rows_and_on_threads(limits, monkeypatch):
    data = continuous_table(np.random.default_rng(10), 53, 6)
    for name, value in limits.items():
        monkeypatch.setattr(group_sums, name, value)
    corr = correlation_matrix(data)
    assert corr == pytest.approx(np.corrcoef([column.values for column in data.columns]), abs=1e-14)
    assert (corr == corr.T).all()
    monkeypatch.setenv("ARCWISE_THREADS", "3")
    assert (correlation_matrix(data) == corr).all()


def test_the_whole_range_of_floats_and_heavy_tails():
    rng = np.random.default_rng(7)
    data = numbers({"cauchy": rng.standard_cauchy(50), "edge": np.r_[-1.7e308, 1.7e308, np.zeros(48)]})
    assert np.isfinite(correlation_matrix(data)).all()
    assert 0 <= FisherZ().bind(data).test(0, 1, []).value <= 1


def test_more_columns_than_rows_is_said_once():
    bound = FisherZ().bind(continuous_table(np.random.default_rng(8), 6, 9))
    assert bound.warnings == ("6 rows for 9 columns: any column can look like a linear function of others",)
    assert not np.isnan(bound.pairwise()).any()


def test_levels_in_no_order_are_doubtful():
    values = np.array([0, 1, 2, 1, 0, 2, 2, 1], dtype=np.uint8)
    columns = (
        Column("colour", Kind.DISCRETE, values, ("b", "g", "r")),
        Column("grade", Kind.DISCRETE, values[::-1].copy(), ("1", "2", "3"), ordered=True),
        Column("flag", Kind.DISCRETE, values % 2, ("n", "y")),
    )
    (warning,) = FisherZ().bind(Dataset(columns)).warnings
    assert "'colour'" in warning
    assert "'grade'" not in warning
    assert "'flag'" not in warning


def test_redundant_columns_are_found_by_name_order():
    data = continuous_table(np.random.default_rng(9), 100, 4)
    assert redundant_columns(correlation_matrix(data)) == {}
    values = [column.values for column in data.columns]
    more = numbers({"a": values[0], "b": values[1], "c": values[2], "d": values[0] - 2 * values[2]})
    assert redundant_columns(correlation_matrix(more)) == {3: (0, 2)}
