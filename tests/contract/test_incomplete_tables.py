"""Tables that lack nearly everything: any method gives an answer with its cells filled, or says what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.data.dataset import Dataset
from arcwise.errors import DataError

METHODS = ("steck", "boss", "gaussian", "pc", "mmhc", "equal-frequency", "kgv", "tpda", "hartemink")


def levels(rng, n_rows, card=3):
    return np.array(list("abcd"), dtype=object)[rng.integers(0, card, n_rows)]


def holes(values, share, rng):
    return np.where(rng.random(len(values)) < share, None if values.dtype == object else np.nan, values)


def tables():
    rng, n = np.random.default_rng(0), 60
    z = rng.normal(size=n)
    some = [holes(levels(rng, n), 0.2, rng) for _ in range(3)]
    empty = [np.where(np.arange(n) == 5, None, column) for column in some]
    return {
        "one recorded level": {"a": holes(np.full(n, "x", dtype=object), 0.3, rng), "b": some[0], "c": some[1]},
        "a row with nothing": dict(zip("abc", empty, strict=True)),
        "nine of ten": {name: holes(levels(rng, n), 0.9, rng) for name in "abcd"},
        "nine of ten numbers": {name: holes(z + rng.normal(size=n), 0.9, rng) for name in "abcd"},
        "two rows": {"a": ["x", None], "b": ["u", "v"], "c": [None, "q"]},
        "two rows of numbers": {"a": [1.5, None], "b": [2.5, 1.25], "c": [None, 0.3]},
        "one column": {"a": some[0]},
        "one column of numbers": {"a": holes(z, 0.3, rng)},
        "copies": {"a": holes(z, 0.3, rng), "b": holes(2 * z + 1, 0.3, rng), "c": holes(-z, 0.3, rng)},
        "a constant": {"a": holes(np.full(n, 2.5), 0.3, rng), "b": holes(z, 0.3, rng), "c": some[0]},
        "heavy tails": {name: holes(rng.standard_cauchy(n), 0.3, rng) for name in "abcd"},
        "both kinds": {"a": some[0], "b": holes(z, 0.3, rng), "c": holes(z + rng.normal(size=n), 0.3, rng)},
        "only numbers lack": {"a": levels(rng, n), "b": holes(z, 0.3, rng), "c": z + rng.normal(size=n)},
        "only levels lack": {"a": some[0], "b": z, "c": z + rng.normal(size=n)},
        "columns, few rows": {f"v{i:02}": holes(rng.normal(size=12), 0.3, rng) for i in range(15)},
        "very large and small": {"a": holes(z * 1e300, 0.3, rng), "b": holes(z * 1e-300, 0.3, rng), "c": some[1]},
    }


TABLES = tables()


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("method", METHODS)
def test_there_is_an_answer(method, name):
    table = TABLES[name]
    result = arcwise.learn(table, method, draws__burn_in=2, draws__least=2, draws__most=4)
    assert result.status == "converged"
    assert str(result)
    data = Dataset.from_frame(table)
    filled = result.completion.fill(data)
    assert filled.is_complete
    for column in filled.columns:
        assert np.isfinite(column.values).all()
    assert all(0 <= one.share <= 1 for one in result.completion.strengths.edges())
    if name == "a constant":
        assert set(filled.column("a").values) == {2.5}
        assert not result.cpdag.adjacency[0].any()


def test_a_column_without_a_value_is_left_out_or_refused_with_the_way_out():
    rng = np.random.default_rng(1)
    table = {"a": np.full(30, None), "b": levels(rng, 30)}
    result = arcwise.learn(table, "boss")
    assert result.names == ("b",)
    assert "column 'a' has no value in any row, left out" in result.warnings
    with pytest.raises(DataError, match=r"column 'a' has no value in any row; leave it out, as with --drop a"):
        arcwise.learn(table, "boss", continuous="a")
