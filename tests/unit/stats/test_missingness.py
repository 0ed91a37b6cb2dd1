"""Whether cells are missing by chance: found where they are not, silent where they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.stats import missingness
from arcwise.stats.missingness import missing_with, missingness_doubts


def table(n_rows, seed=0, share=0.2):
    """Two columns of levels and one of numbers, cells missing completely at random in the first two."""
    rng = np.random.default_rng(seed)
    a, b = (Column(n, Kind.DISCRETE, rng.integers(0, 3, n_rows).astype(np.uint8), ("x", "y", "z")) for n in "ab")
    gone = rng.random((2, n_rows)) < share
    c = Column("c", Kind.CONTINUOUS, rng.normal(size=n_rows))
    return Dataset((replace(a, missing=gone[0]), replace(b, missing=gone[1]), c))


@pytest.mark.parametrize("share", [0.02, 0.2, 0.9])
@pytest.mark.parametrize("n_rows", [5, 30, 200, 5000])
def test_nothing_is_said_of_chance(n_rows, share):
    for seed in range(30):
        assert missing_with(table(n_rows, seed, share)) == {}
    assert missingness_doubts(table(n_rows, 0, share)) == []


def test_a_dependence_on_levels_or_numbers_is_found():
    data = table(500)
    rng = np.random.default_rng(1)
    by_number = rng.random(500) < np.where(data.column("c").values > 0.5, 0.5, 0.1)
    by_level = rng.random(500) < np.where(data.column("b").values == 2, 0.6, 0.1)
    a = data.column("a")
    holed = replace(data, columns=(replace(a, missing=by_number), *data.columns[1:]))
    assert missing_with(holed) == {"a": ["c"]}
    holed = replace(data, columns=(replace(a, missing=by_level), *data.columns[1:]))
    assert missing_with(holed) == {"a": ["b"]}
    (said,) = missingness_doubts(holed)
    assert said.startswith("whether cells are missing depends on other columns ('a' on 'b'); ")


def test_weights_count_as_repeated_rows():
    rng = np.random.default_rng(2)
    levels = rng.integers(0, 2, 60).astype(np.uint8)
    gone = rng.random(60) < np.where(levels == 1, 0.8, 0.1)
    some = rng.integers(0, 2, 60).astype(np.uint8)
    columns = (
        Column("a", Kind.DISCRETE, levels, ("x", "y")),
        Column("b", Kind.DISCRETE, some, ("x", "y"), missing=gone),
    )
    data = Dataset(columns).weighted(rng.integers(0, 5, 60))
    assert missing_with(data) == missing_with(data.repeated()) == {"b": ["a"]}


def test_strength_is_cramers_v():
    without, of_level = np.array([30.0, 60.0, 10.0]), np.array([200.0, 150.0, 100.0])
    found = chi2_contingency(np.column_stack([without, of_level - without]), correction=False)
    assert missingness._strength(without, of_level, 10) == pytest.approx((found.statistic / 450) ** 0.5)


def test_a_complete_table_and_one_column():
    data = table(50)
    assert missing_with(Dataset((data.column("c"),))) == {}
    assert missing_with(Dataset((data.column("a"),))) == {}
