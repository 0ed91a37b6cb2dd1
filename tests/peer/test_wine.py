"""Classes of wine (scikit-learn's table), from half of the rows."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.queries import wine_accuracies


@pytest.mark.slow
def test_at_least_95_percent_are_right() -> None:
    right = wine_accuracies(splits=20)
    assert len(right) == 20
    assert np.mean(right) >= 0.95
