"""Means, spreads and correlations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwise.data import dataset
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError
from arcwise.stats import group_sums, moments
from arcwise.stats.dimensions import dimensions
from arcwise.stats.moments import Moments
from tests.oracle.counting import discrete_table
from tests.oracle.gaussian import continuous_table, embedding, matrix


def correlated(rng, n_rows, n):
    return rng.standard_normal((n_rows, n)) @ rng.standard_normal((n, n)) + rng.normal(0, 3, n)


@given(st.integers(0, 10**6), st.integers(2, 400), st.integers(1, 11))
def test_against_numpy(seed, n_rows, n):
    values = correlated(np.random.default_rng(seed), n_rows, n)
    found = Moments.of(continuous_table(values))
    assert found.n_rows == n_rows
    assert found.starts.tolist() == list(range(n + 1))
    assert found.means == pytest.approx(values.mean(axis=0), rel=1e-12, abs=1e-12)
    assert np.exp(found.log_sds) == pytest.approx(values.std(axis=0), rel=1e-12)
    assert found.correlations == pytest.approx(np.corrcoef(values.T).reshape(n, n), abs=1e-12)
    assert np.array_equal(found.correlations, found.correlations.T)


def test_blocks_add_up_and_threads_change_no_bit(monkeypatch):
    values = correlated(np.random.default_rng(1), 5000, 7)
    whole = Moments.of(continuous_table(values))
    monkeypatch.setattr(group_sums, "STRETCH_NUMBERS", 7 * 300)
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("ARCWISE_THREADS", threads)
        found.append(Moments.of(continuous_table(values)))
    assert found[0].correlations == pytest.approx(whole.correlations, abs=1e-13)
    for other in found[1:]:
        assert np.array_equal(other.correlations, found[0].correlations)
        assert np.array_equal(other.means, found[0].means)
        assert np.array_equal(other.log_sds, found[0].log_sds)


@pytest.mark.parametrize("unit", [1e300, 1e-300, 1e-9])
def test_units_do_not_matter(unit):
    values = np.random.default_rng(2).standard_normal((50, 3))
    values[:, 1] += values[:, 0]
    plain, scaled = Moments.of(continuous_table(values)), Moments.of(continuous_table(values * unit))
    assert scaled.correlations == pytest.approx(plain.correlations, abs=1e-13)
    assert scaled.log_sds - plain.log_sds == pytest.approx(np.full(3, np.log(unit)), rel=1e-13)
    assert scaled.means == pytest.approx(plain.means * unit, rel=1e-10)


def test_the_largest_and_the_smallest_numbers():
    """The sum of two of these is no number any more; the difference of two of those is the least there is."""
    large, small = np.array([1.7e308, -1.7e308, 1e308, 0.0]), np.array([0.0, 5e-324, 0.0, 5e-324])
    found = Moments.of(continuous_table(np.column_stack([large, small])))
    expected = np.corrcoef(large / 1e308, small / 5e-324)[0, 1]
    assert found.correlations[0, 1] == pytest.approx(expected, rel=1e-12)
    assert found.log_sds == pytest.approx(
        [np.log((large / 1e308).std()) + 308 * np.log(10), np.log(2.5e-324 / 1e-300) - 300 * np.log(10)], rel=1e-3
    )


def test_a_far_mean_and_a_trend_lose_no_digits():
    noise = np.random.default_rng(3).standard_normal((20_000, 2)).round(6)
    noise[:, 1] += noise[:, 0]
    noise[:300] += 50.0  # the rows from which the shift is taken are unlike the others
    plain, far = Moments.of(continuous_table(noise)), Moments.of(continuous_table(noise + 2.0**30))
    assert far.correlations[0, 1] == pytest.approx(plain.correlations[0, 1], abs=1e-9)
    assert far.log_sds == pytest.approx(plain.log_sds, abs=1e-9)


def test_discrete_columns_are_indicators_without_the_most_frequent_level():
    data = discrete_table(np.random.default_rng(4), [3, 2, 4], 200)
    found = Moments.of(data)
    assert found.starts.tolist() == [0, 2, 3, 6]
    kept = [
        (data.columns[j].values == v).astype(float)
        for j in range(3)
        for v in range(data.columns[j].cardinality)
        if v != np.bincount(data.columns[j].values).argmax()
    ]
    assert found.correlations == pytest.approx(np.corrcoef(kept), abs=1e-12)
    order = np.random.default_rng(5).permutation(200)
    shuffled = Dataset(tuple(Column(c.name, c.kind, c.values[order], c.levels) for c in data.columns))
    assert np.array_equal(Moments.of(shuffled).correlations, found.correlations)


def test_constant_columns_and_levels_that_never_occur_have_no_dimension():
    data = Dataset(
        (
            Column("a", Kind.CONTINUOUS, np.full(6, 0.1)),
            Column("b", Kind.DISCRETE, np.array([0, 2, 2, 0, 2, 0], dtype=np.uint8), ("x", "y", "z")),
            Column("c", Kind.DISCRETE, np.ones(6, dtype=np.uint8), ("x", "y")),
        )
    )
    found = Moments.of(data)
    assert found.starts.tolist() == [0, 0, 1, 1]
    assert embedding(data.columns[1]).shape == (6, 1)


def test_share_of_one_row():
    values = np.array([0.0, 0.0, 0.0, 8.0])
    assert Moments.of(continuous_table(values[:, None])).top_shares == pytest.approx([36 / 48])


def test_too_many_levels_are_refused_by_name(monkeypatch):
    monkeypatch.setattr(moments, "MOST_DIMENSIONS", 5)
    data = discrete_table(np.random.default_rng(6), [3, 6], 100, ["few", "many"])
    with pytest.raises(DataError, match=r"'many' with its 6 levels"):
        Moments.of(data)
    with pytest.raises(DataError, match="some columns"):
        Moments.of(continuous_table(np.random.default_rng(7).standard_normal((9, 6))))


def test_levels_by_their_codes():
    data = discrete_table(np.random.default_rng(8), [3, 1, 4], 200)
    found = Moments.of(data, by_codes=True)
    assert found.starts.tolist() == [0, 1, 1, 2]
    codes = [data.columns[j].values.astype(float) for j in (0, 2)]
    assert found.correlations == pytest.approx(np.corrcoef(codes), abs=1e-12)
    assert found.of_columns()[1].tolist() == [0.0, 1.0, 0.0]
    assert found.of_columns()[0, 2] == found.correlations[0, 1]


def test_blocks_of_rows_change_nothing_but_rounding(monkeypatch):
    data = continuous_table(correlated(np.random.default_rng(9), 5000, 4)).weighted(np.arange(5000) % 4)
    whole = Moments.of(data)
    monkeypatch.setattr(dataset, "BLOCK_ROWS", 700)
    parts = Moments.of(data)
    assert parts.n_rows == whole.n_rows == 7500
    assert parts.correlations == pytest.approx(whole.correlations, abs=1e-13)
    assert parts.log_sds == pytest.approx(whole.log_sds, abs=1e-13)


@pytest.mark.parametrize("table", ["numbers", "levels", "both"])
def test_weights_stand_for_repeated_rows(table):
    rng = np.random.default_rng(10)
    number, level = continuous_table(correlated(rng, 300, 4)), discrete_table(rng, [3, 2, 4], 300, ["p", "q", "r"])
    columns = {"numbers": number.columns, "levels": level.columns, "both": number.columns + level.columns}
    data = Dataset(columns[table]).weighted(rng.integers(0, 6, 300))
    weighted, repeated = Moments.of(data), Moments.of(data.repeated())
    assert weighted.n_rows == repeated.n_rows == data.n_rows > data.n_stored
    assert weighted.starts.tolist() == repeated.starts.tolist()
    for name in ("means", "log_sds", "correlations", "top_shares"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name), rel=1e-12, abs=1e-13)
    if table == "levels":  # sums of indicators are whole numbers
        assert np.array_equal(weighted.correlations, repeated.correlations)


def test_large_weights_are_exact():
    """A thousand million rows in two: 0 and 1 in the shares 1/4 and 3/4."""
    found = Moments.of(continuous_table(np.array([[0.0], [1.0]])).weighted([2**28, 3 * 2**28]))
    assert found.n_rows == 2**30
    assert (found.means[0], np.exp(2 * found.log_sds[0])) == (0.75, pytest.approx(3 / 16, rel=1e-14))


def test_the_most_frequent_level_is_that_of_the_weights():
    level = Column("p", Kind.DISCRETE, np.array([0, 0, 1], dtype=np.uint8), ("x", "y"))
    other = Column("q", Kind.CONTINUOUS, np.array([1.0, 2.0, 4.0]))
    data = Dataset((level, other)).weighted([1, 1, 5])
    assert Moments.of(data).correlations[0, 1] < 0  # the indicator is that of x, which is with the lower numbers


def test_matrix_gives_the_table_back():
    values = np.arange(6.0).reshape(3, 2)
    assert np.array_equal(matrix(continuous_table(values)), values)


@given(st.integers(0, 10**6), st.integers(1, 700), st.integers(1, 6), st.booleans())
def test_who_holds_which_groups_changes_no_bit(seed, n_rows, n, weighted):
    rng = np.random.default_rng(seed)
    data = continuous_table(correlated(rng, n_rows, n))
    if weighted:
        data = data.weighted(rng.integers(1, 4, n_rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group_sums, "GROUP_ROWS", 32)
        dims = [dim for of_column in dimensions(data, False) for dim in of_column]
        question = group_sums.GroupSums(tuple(dims), np.zeros(len(dims)))
        whole = question.of(data, 0)
        n_groups = -(-n_rows // 32)
        cuts = sorted({0, n_groups, *rng.integers(0, n_groups, 3).tolist()})
        parts = [question.of(data.take(slice(32 * a, 32 * b)), 32 * a) for a, b in pairwise(cuts)]
        half = len(parts) // 2
        in_a_tree = [question.join(some) for some in (parts[:half], parts[half:]) if some]
        for joined in (question.join(parts), question.join(in_a_tree)):
            assert joined.keys() == whole.keys()
            assert all(np.array_equal(a, b) for key in whole for a, b in zip(whole[key], joined[key], strict=True))


def test_wide_and_narrow_tables_are_summed_alike():
    values = np.random.default_rng(3).standard_normal((300, 515))
    found = Moments.of(continuous_table(values))
    assert found.correlations == pytest.approx(np.corrcoef(values.T), abs=1e-12)
    assert np.array_equal(found.correlations, found.correlations.T)
    assert found.correlations.flags.c_contiguous


def test_moments_of_the_last_table_are_kept_while_it_lives():
    numbers = Dataset.from_frame(np.random.default_rng(0).normal(size=(50, 3)), names=["a", "b", "c"])
    levels = Dataset.from_frame({"a": ["x", "y", "z"] * 10, "b": ["u", "v"] * 15})
    assert Moments.of(numbers) is Moments.of(numbers, by_codes=True)  # no levels: the same either way
    assert len(Moments.of(levels).means) == 3
    assert len(Moments.of(levels, by_codes=True).means) == 2
    again = Moments.of(Dataset(numbers.columns))
    assert again is not Moments.of(numbers)
    assert np.array_equal(again.correlations, Moments.of(numbers).correlations)
