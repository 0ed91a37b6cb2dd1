from __future__ import annotations

import numpy as np

from arcwise.discretize.bins.cuts import midpoints

LARGEST = float(np.finfo(np.float64).max)


def middle(low: float, high: float) -> float:
    return float(midpoints(np.array([low]), np.array([high]))[0])


def test_plain_midpoints() -> None:
    assert midpoints(np.array([1.0, -3.0]), np.array([2.0, 5.0])).tolist() == [1.5, 1.0]


def test_neighbouring_floats_are_parted_by_the_upper_one() -> None:
    second = float(np.nextafter(1.0, 2.0))
    third = float(np.nextafter(second, 2.0))
    assert middle(1.0, second) == second  # the midpoint rounds down to 1.0
    assert middle(second, third) == third  # here it rounds up
    assert middle(0.0, 5e-324) == 5e-324
    assert middle(-5e-324, 0.0) == 0.0


def test_sums_that_overflow() -> None:
    assert middle(0.75 * LARGEST, LARGEST) == 0.875 * LARGEST
    assert middle(-LARGEST, -0.75 * LARGEST) == -0.875 * LARGEST
    assert middle(-LARGEST, LARGEST) == 0.0


def test_denormals_keep_their_last_bit() -> None:
    assert middle(1 * 5e-324, 5 * 5e-324) == 3 * 5e-324
