"""A sketch is never farther off than it says: for any order of the numbers, any division, any merges."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.rows.sketch import Sketch, merged
from arcwise.errors import DataError

SHARES = np.array([0.0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0])


def numbers(order: str, n: int, rng: np.random.Generator) -> np.ndarray:
    values = (
        np.round(rng.normal(size=n), rng.integers(1, 6)) if order != "ties" else rng.integers(0, 5, n).astype(float)
    )
    if order == "rising":
        return np.sort(values)
    if order == "falling":
        return np.sort(values)[::-1]
    if order == "inward":  # from both ends to the middle
        ends = np.sort(values)
        return np.ravel(np.column_stack([ends[: n // 2], ends[::-1][: n // 2]]))
    return values


def check(sketch: Sketch, values: np.ndarray) -> None:
    assert sketch.n == len(values)
    assert sum(len(level) << h for h, level in enumerate(sketch.levels)) == len(values)
    ordered = np.sort(values)
    for x in [*np.quantile(ordered, SHARES), ordered[0] - 1, ordered[-1] + 1]:
        true = int(np.searchsorted(ordered, x, "right"))
        assert -sketch.under <= sketch.rank(float(x)) - true <= sketch.over
    for share, value in zip(SHARES, sketch.quantiles(SHARES), strict=True):
        below, upto = np.searchsorted(ordered, value, "left"), np.searchsorted(ordered, value, "right")
        assert below - sketch.error <= max(np.ceil(share * len(values)), 1) <= upto + sketch.error


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["mixed", "rising", "falling", "inward", "ties"]),
    st.lists(st.integers(0, 3000), min_size=1, max_size=12),
    st.integers(0, 2**32 - 1),
)
def test_ranks_and_quantiles_keep_the_bound(order: str, sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = numbers(order, sum(sizes) + 2, rng)
    pieces = np.split(values, np.cumsum(sizes))
    one = Sketch(capacity=64)
    for piece in pieces:
        one = one.add(piece)
    check(one, values)
    tree = [Sketch(capacity=64).add(piece) for piece in pieces]
    while len(tree) > 1:
        tree = [merged(tree[k : k + 2]) for k in range(0, len(tree), 2)]
    check(tree[0], values)


def test_few_numbers_are_exact() -> None:
    values = np.random.default_rng(1).normal(size=2048)
    sketch = merged(Sketch().add(piece) for piece in np.split(values, 8))
    assert sketch.error == 0
    np.testing.assert_array_equal(sketch.quantiles([0.5, 1.0]), np.sort(values)[[1023, 2047]])
    assert (sketch.low, sketch.high) == (values.min(), values.max())


def test_the_bound_is_small() -> None:
    """Half a percent of a million numbers, one value after another and in large pieces."""
    values = np.random.default_rng(2).normal(size=1_000_000)
    sketch = merged(Sketch().add(piece) for piece in np.array_split(values, 1000))
    assert 0 < sketch.error < 0.005 * len(values)
    assert Sketch().add(values).error < 0.001 * len(values)
    assert sum(map(len, sketch.levels)) < 20_000
    check(sketch, values)


def test_a_sketch_is_kept_as_json() -> None:
    for sketch in (Sketch(), Sketch(capacity=8).add(np.arange(100.0))):
        again = Sketch.from_dict(json.loads(json.dumps(sketch.to_dict())))
        assert again.to_dict() == sketch.to_dict()


def test_what_cannot_be() -> None:
    with pytest.raises(DataError, match="no numbers has no quantiles"):
        Sketch().quantiles([0.5])
    with pytest.raises(DataError, match="different capacities"):
        Sketch(capacity=8).merge(Sketch())
