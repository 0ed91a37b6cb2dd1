"""The likelihood ratio of Gaussian families with levels as indicators."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.data.dataset import Dataset
from arcwise.independence import FisherZ, LikelihoodRatio
from tests.contract.parts import continuous_data

NO_SET = np.empty((1, 0), dtype=np.intp)


def residual_ratio(x, y, z):
    """|S_x given y, z| / |S_x given z| by regressions."""

    def left_over(target, inputs):
        design = np.column_stack([np.ones(len(target)), *inputs])
        return target - design @ np.linalg.lstsq(design, target, rcond=None)[0]

    without, with_y = left_over(x, z), left_over(x, [*z, y])
    return np.linalg.det(with_y.T @ with_y) / np.linalg.det(without.T @ without)


def test_is_bartletts_statistic():
    rng = np.random.default_rng(0)
    colour = rng.integers(0, 3, 80)
    z = rng.normal(size=80)
    y = z + 0.4 * (colour == 1) + rng.normal(size=80)
    data = Dataset.from_frame({"colour": np.array(["r", "g", "b"])[colour], "y": y, "z": z})
    result = LikelihoodRatio().bind(data).test(0, 1, [2])
    indicators = np.column_stack([colour == 1, colour == 2]).astype(float)
    ratio = residual_ratio(indicators, y[:, None], [z[:, None]])
    assert result.details["df"] == 2
    assert result.statistic == pytest.approx(-(80 - 1 - 1 - 2) * np.log(ratio), rel=1e-9)
    from scipy.stats import chi2

    assert result.value == pytest.approx(chi2.sf(result.statistic, 2), rel=1e-9)


def test_says_nearly_the_same_as_fishers_z_on_numbers():
    data = continuous_data(300)
    ours, theirs = LikelihoodRatio().bind(data), FisherZ().bind(data)
    for given in ([], [2], [2, 3], [2, 3, 4, 5]):
        assert ours.test(0, 1, given).value == pytest.approx(theirs.test(0, 1, given).value, abs=2e-3)


def test_p_values_are_even_under_independence():
    rng = np.random.default_rng(1)
    values = []
    for _ in range(400):
        group, z = rng.integers(0, 4, 60), rng.normal(size=60)
        frame = {"group": np.array(list("abcd"))[group], "x": z + rng.normal(size=60), "z": z}
        values.append(LikelihoodRatio().bind(Dataset.from_frame(frame)).test(0, 1, [2]).value)
    shares = np.histogram(values, (0, 0.05, 0.5, 1))[0] / len(values)
    assert shares == pytest.approx([0.05, 0.45, 0.5], abs=0.06)


def test_too_few_rows_for_the_dimensions_is_no_answer():
    rng = np.random.default_rng(2)
    data = Dataset.from_frame({name: rng.normal(size=6) for name in "uvwxyz"})
    bound = LikelihoodRatio().bind(data)
    assert np.isnan(bound.p_values(0, 1, np.array([[2, 3, 4, 5]]))[0])
    assert 0 < bound.p_values(0, 1, NO_SET)[0] < 1


def test_what_the_given_columns_determine_depends_on_nothing():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 50))
    bound = LikelihoodRatio().bind(Dataset.from_frame({"x": x, "y": x + y, "copy": 2 * x}))
    assert bound.test(0, 1, [2]).value == 1
    assert bound.test(0, 1, []).value < 1e-3
    assert len(bound.warnings) == 1
    assert "column 'copy' is a linear function of 'x'" in bound.warnings[0]


def test_levels_that_others_determine_are_named_once():
    rng = np.random.default_rng(5)
    group = rng.integers(0, 3, 90)
    frame = {"group": np.array(["r", "g", "b"])[group], "shade": np.array(["x", "y", "z"])[group]}
    bound = LikelihoodRatio().bind(Dataset.from_frame({**frame, "size": rng.normal(size=90)}))
    assert len(bound.warnings) == 1
    assert "column 'shade' is a linear function of 'group'" in bound.warnings[0]
    assert np.isfinite(bound.test(0, 2, [1]).value)


def test_pc_takes_a_mixed_table_with_levels_in_no_order():
    rng = np.random.default_rng(4)
    group = rng.integers(0, 3, 2000)
    x = np.array([0.0, 1.5, -1.0])[group] + rng.normal(size=2000)
    y = x + rng.normal(size=2000)
    data = Dataset.from_frame({"group": np.array(["r", "g", "b"])[group], "x": x, "y": y, "z": rng.normal(size=2000)})
    result = arcwise.learn(data, "pc", alpha=0.001)
    assert {frozenset(pair) for pair in result.cpdag.skeleton} == {frozenset(("group", "x")), frozenset(("x", "y"))}
