"""Columns that repeat another column: found when they are exact copies, and only then."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.copies import near_copies
from arcwise.data.dataset import Column, Kind
from arcwise.data.reading.door import as_dataset as from_frame

RNG = np.random.default_rng(11)
X = RNG.normal(size=200)
K = RNG.integers(0, 3, size=200)


def copy_warnings(frame: dict[str, object], **options: list[str]) -> list[str]:
    data = from_frame(frame, **options)  # type: ignore[arg-type]
    return [warning for warning in data.warnings if "cop" in warning]


@pytest.mark.parametrize(
    "copy",
    [X, -X, 3 * X + 7, X * 1e-9, X * 1e200 + 1e190, X * 1e-200, 1e6 + X, X[:] * 1e300 * 1e7],
    ids=["equal", "negative", "affine", "small", "huge", "tiny", "offset", "largest"],
)
def test_affine_copies(copy: np.ndarray) -> None:
    found = copy_warnings({"x": X, "other": RNG.normal(size=200), "y": copy})
    assert found == ["column 'y' is a copy of 'x', equal or but for scale and offset; keep one of them"]


@pytest.mark.parametrize("near", [X + 1e-4 * RNG.normal(size=200), X**3, np.sort(X), RNG.permutation(X)])
def test_near_copies_are_not_copies(near: np.ndarray) -> None:
    assert copy_warnings({"x": X, "y": near}) == []


def test_equal_fingerprints_are_not_enough() -> None:
    """Two columns with the same projection on the vector that picks candidates, and correlation 0.99."""
    golden = np.arange(200) * 0.6180339887498949
    weights = golden - np.floor(golden) - 0.5
    basis, _ = np.linalg.qr(np.column_stack([np.ones(200), weights, RNG.normal(size=(200, 2))]))
    one, other = (10 * basis[:, 1] + basis[:, i] for i in (2, 3))
    assert np.corrcoef(one, other)[0, 1] > 0.98
    assert abs((one - other) @ weights) < 1e-12
    assert copy_warnings({"x": one, "y": other}) == []


def test_relabelled_copies_of_any_type() -> None:
    frame = {"k": K, "text": np.array(["z", "x", "y"])[K], "shifted": (K + 1) % 3, "free": RNG.integers(0, 3, size=200)}
    found = copy_warnings(frame)
    assert found == ["columns 'text', 'shifted' are copies of 'k', equal or with its levels renamed; keep one of them"]


def test_equal_counts_are_not_enough() -> None:
    assert copy_warnings({"k": K, "shuffled": RNG.permutation(K)}) == []


def test_merging_levels_is_not_copying() -> None:
    assert copy_warnings({"k": K, "merged": np.minimum(K, 1)}) == []


def test_unobserved_levels_do_not_hide_a_copy() -> None:
    import pandas as pd

    wide = pd.Categorical(np.array(["a", "b", "c"])[K], categories=["q", "c", "b", "a", "r"])
    assert len(copy_warnings({"k": K, "wide": pd.Series(wide)})) == 1


def test_groups_are_apart_and_in_column_order() -> None:
    y = RNG.normal(size=200)
    found = copy_warnings({"b": y, "a": X, "b2": 2 * y, "a2": X, "a3": -X, "k": K})
    assert [warning.split(", equal")[0] for warning in found] == [
        "column 'b2' is a copy of 'b'",
        "columns 'a2', 'a3' are copies of 'a'",
    ]


def test_many_columns_stay_quick() -> None:
    import time

    table = {f"c{i}": column for i, column in enumerate(RNG.normal(size=(2000, 50)))}
    table["twin"] = table["c7"] * 5
    start = time.perf_counter()
    found = copy_warnings(table)
    assert found == ["column 'twin' is a copy of 'c7', equal or but for scale and offset; keep one of them"]
    assert time.perf_counter() - start < 5.0  # comparing all pairs would take minutes


def near(**values: np.ndarray) -> list[list[str]]:
    """Groups among all pairs of these columns, by name."""
    columns = [Column(name, Kind.CONTINUOUS, np.asarray(v, dtype=float)) for name, v in values.items()]
    pairs = [(a, b) for i, a in enumerate(columns) for b in columns[i + 1 :]]
    return [[column.name for column in group] for group in near_copies(pairs)]


@pytest.mark.parametrize(
    "copy",
    [np.round(X, 1), np.round(-2.9 * X), np.exp(X), X + 0.02 * RNG.normal(size=200), np.floor(3 * X)],
    ids=["rounded", "scaled and rounded", "bent", "a little noise", "coarse"],
)
def test_near_copies(copy: np.ndarray) -> None:
    assert near(y=copy, x=np.round(X, 2), other=RNG.normal(size=200)) == [["x", "y"]]


@pytest.mark.parametrize(
    "other",
    [X + 0.2 * RNG.normal(size=200), X**2, 3 * X + 7, (X > 0) + (X > 1), np.zeros(200)],
    ids=["related", "not monotone", "exact copy", "classes", "constant"],
)
def test_what_is_no_near_copy(other: np.ndarray) -> None:
    assert near(x=X, y=other) == []


def test_near_copies_come_in_groups() -> None:
    y = RNG.normal(size=200)
    found = near(b=y, a=X, b2=np.round(y, 1), a3=np.round(X, 1), a2=np.exp(X), free=RNG.normal(size=200))
    assert found == [["a", "a2", "a3"], ["b", "b2"]]


def test_few_rows_say_nothing_of_near_copies() -> None:
    assert near(x=X[:25], y=np.exp(X[:25])) == []
