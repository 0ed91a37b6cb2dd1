"""Information from counts and from correlations: against plain sums and regressions, for any number of columns."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.independence.information import GaussianInformation, Information, MutualInformation
from arcwise.stats import counts
from tests.oracle.counting import discrete_table
from tests.oracle.independence import continuous_table, levels, numbers, partial_correlation, statistic

NO_SET = np.empty((1, 0), dtype=np.intp)


def padded(sets):
    out = np.full((len(sets), max(map(len, sets))), -1)
    for row, given in zip(out, sets, strict=True):
        row[: len(given)] = given
    return out


@pytest.mark.parametrize("per_row", [0, 4])
@pytest.mark.parametrize("cards", [[2, 3, 2, 4, 3, 2, 5], [2, 60, 3, 200, 2, 40, 250]])
def test_counts_give_the_sum_of_its_definition(monkeypatch, per_row, cards):
    """With tables laid out where that pays, and never; with few levels, and with so many that numbers are hashed."""
    monkeypatch.setattr(counts, "TEST_CELLS_PER_ROW", per_row)
    data = discrete_table(np.random.default_rng(3), cards, 150)
    bound, codes = Information().bind(data), data.codes()
    for x, y in combinations(range(4), 2):
        rest = [u for u in range(7) if u not in {x, y}]
        sets = [(), (rest[0],), (rest[4], rest[1]), tuple(rest[:3]), tuple(rest)]
        expected = [statistic(codes, x, y, given, pearson=False) / (2 * 150) for given in sets]
        assert bound.information(x, y, padded(sets)) == pytest.approx(expected, abs=1e-12)
        assert bound.information(y, x, padded(sets)) == pytest.approx(expected, abs=1e-12)


def test_more_joint_states_than_a_number_can_name():
    rng = np.random.default_rng(1)
    z, x = rng.integers(0, 2, 400), rng.integers(0, 2, 400)
    y = np.where(rng.random(400) < 0.7, x, z)
    data = levels({"x": x, "y": y} | {f"z{i:02d}": z for i in range(70)})
    bound = Information().bind(data)
    one, all_70 = bound.information(0, 1, np.array([[2]]))[0], bound.information(0, 1, np.arange(2, 72)[None])[0]
    assert all_70 == pytest.approx(one, rel=1e-12)
    assert one > 0.1


def test_every_row_a_stratum_says_nothing():
    n = 300
    data = levels({"x": np.arange(n) % 2, "y": np.arange(n) % 2, "a": np.arange(n) // 20, "b": np.arange(n) % 20})
    assert Information().bind(data).information(0, 1, np.array([[2, 3]]))[0] == 0.0


def test_the_order_of_rows_does_not_change_a_bit(monkeypatch):
    monkeypatch.setattr(counts, "TEST_CELLS_PER_ROW", 0)
    data = discrete_table(np.random.default_rng(5), [3, 2, 4, 2, 3], 200)
    order = np.random.default_rng(6).permutation(200)
    turned = Dataset(tuple(Column(c.name, c.kind, c.values[order], c.levels) for c in data.columns))
    sets = np.array([[2, 3, 4], [2, 3, -1]])
    assert Information().bind(data).information(0, 1, sets).tolist() == (
        Information().bind(turned).information(0, 1, sets[:, ::-1]).tolist()
    )


@pytest.mark.parametrize("wide", [False, True])
def test_all_pairs_at_once(wide):
    cards = [700, 650, 4, 3, 2] if wide else [2, 3, 4, 2, 5]  # 455,000 cells are not laid out
    data = discrete_table(np.random.default_rng(7), cards, 300)
    bound = Information().bind(data)
    pairs = bound.pairwise_information()
    assert np.array_equal(pairs, pairs.T)
    for x, y in combinations(range(5), 2):
        assert pairs[x, y] == pytest.approx(bound.information(x, y, NO_SET)[0], abs=1e-12)


def test_correlations_give_the_logarithm_of_what_is_left():
    data = continuous_table(np.random.default_rng(8), 120, 6)
    bound = GaussianInformation(threshold=0.02).bind(data)
    for given in [(), (2,), (5, 3), (2, 3, 4, 5)]:
        rho = partial_correlation(data, 0, 1, given)
        result = bound.test(0, 1, given)
        assert result.statistic == pytest.approx(-0.5 * np.log(1 - rho**2), abs=1e-12)
        assert result.value == pytest.approx(2 ** (-result.statistic / 0.02), rel=1e-9)
    pairs = bound.pairwise_information()
    assert pairs[2, 4] == pytest.approx(bound.test(2, 4, []).statistic, abs=1e-12)
    assert not pairs.diagonal().any()


def mixed_table(rng, n_rows=200):
    colour, z = rng.integers(0, 3, n_rows), rng.normal(size=n_rows)
    y = z + 0.5 * (colour == 1) + rng.normal(size=n_rows)
    return Dataset(
        (
            Column("colour", Kind.DISCRETE, colour.astype(np.uint8), ("r", "g", "b")),
            Column("y", Kind.CONTINUOUS, y),
            Column("z", Kind.CONTINUOUS, z),
        )
    )


def test_levels_in_no_order_are_indicators():
    data = mixed_table(np.random.default_rng(9))
    colour, y, z = (np.asarray(c.values, dtype=float) for c in data.columns)
    indicators = np.column_stack([colour == 1, colour == 2]).astype(float)

    def left(target, *inputs):
        design = np.column_stack([np.ones(len(target)), *inputs])
        rest = target - design @ np.linalg.lstsq(design, target, rcond=None)[0]
        return np.linalg.slogdet(rest.T @ rest)[1]

    bound = Information().bind(data)
    expected = 0.5 * (left(indicators, z) - left(indicators, z, y))
    assert bound.information(0, 1, np.array([[2]]))[0] == pytest.approx(expected, rel=1e-9)
    assert bound.information(1, 0, np.array([[2]]))[0] == pytest.approx(expected, rel=1e-9)
    assert bound.pairwise_information()[0, 1] == pytest.approx(bound.test(0, 1, []).statistic)
    assert (bound.degrees(0, 1, [2]), bound.degrees(1, 2, [])) == (2, 1)


def test_the_columns_choose():
    rng = np.random.default_rng(10)
    counts, normal = discrete_table(rng, [2, 3, 4], 100), continuous_table(rng, 100, 3)
    ask = (0, 1, np.array([[2]]))
    assert Information().bind(counts).information(*ask) == MutualInformation().bind(counts).information(*ask)
    assert Information().bind(normal).information(*ask) == GaussianInformation().bind(normal).information(*ask)
    assert Information(threshold=0.5).bind(counts).p_values(*ask) == (
        MutualInformation(threshold=0.5).bind(counts).p_values(*ask)
    )


def test_degrees_count_strata_up_to_the_rows():
    bound = Information().bind(discrete_table(np.random.default_rng(11), [2, 3, 4, 5], 10))
    assert [bound.degrees(0, 1, given) for given in ([], [2], [2, 3])] == [2, 8, 20]


@pytest.mark.parametrize("n_rows", [2, 3, 4])
def test_too_few_rows_have_no_answer(n_rows):
    data = continuous_table(np.random.default_rng(12), n_rows, 3)
    bound = GaussianInformation().bind(data)
    assert np.isnan(bound.pairwise_information()[0, 1]) == np.isnan(bound.test(0, 1, []).value) == (n_rows < 4)
    assert np.isnan(bound.test(0, 1, [2]).value)


def test_awkward_columns_have_a_finite_answer():
    x = np.random.default_rng(13).normal(size=50)
    data = numbers({"x": x, "same": x, "constant": np.ones(50), "huge": 1e300 * x**3})
    bound = GaussianInformation().bind(data)
    pairs = bound.pairwise_information()
    assert np.isfinite(pairs).all()
    assert pairs[0, 1] > 10
    assert pairs[0, 2] == 0
    assert "linear function" in bound.warnings[0]


@pytest.mark.parametrize("part", [Information, GaussianInformation])
@pytest.mark.parametrize("threshold", [0, -1, np.inf, np.nan])
def test_the_threshold_is_checked(part, threshold):
    with pytest.raises(OptionError, match="'threshold' must be a number"):
        part(threshold=threshold)
