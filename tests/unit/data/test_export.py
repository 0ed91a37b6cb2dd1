"""Tables out of a Dataset, and back in."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import arcwise
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError

DATA = Dataset(
    (
        Column("x", Kind.CONTINUOUS, np.array([0.5, -1.25, 3.0, 7.5])),
        Column("grade", Kind.DISCRETE, np.array([2, 0, 2, 0], dtype=np.uint8), ("low", "middle", "high"), ordered=True),
        Column("town", Kind.DISCRETE, np.array([2, 0, 1, 0], dtype=np.uint8), ("Bonn", "Riga", "York")),
        Column("sex", Kind.DISCRETE, np.array([0, 1, 1, 0], dtype=np.uint8), ("f", "m")),
        Column("n", Kind.DISCRETE, np.array([0, 1, 1, 0], dtype=np.uint8), ("3", "10"), ordered=True),
    )
)


@pytest.mark.parametrize("method", ["to_pandas", "to_polars", "to_arrow"])
def test_round_trip(method: str) -> None:
    again = Dataset.from_frame(getattr(DATA, method)())
    for one, other in zip(again.columns, DATA.columns, strict=True):
        assert (one.name, one.kind, one.levels) == (other.name, other.kind, other.levels)
        np.testing.assert_array_equal(one.values, other.values)
        if method != "to_polars" or one.cardinality > 2:  # of two levels polars always has an order
            assert one.ordered == (other.ordered and other.kind is Kind.DISCRETE)


def test_what_the_tables_hold() -> None:
    frame = DATA.to_pandas()
    assert frame["x"].tolist() == [0.5, -1.25, 3.0, 7.5]
    assert frame["grade"].tolist() == ["high", "low", "high", "low"]
    assert frame["grade"].cat.categories.tolist() == ["low", "middle", "high"]
    assert DATA.to_polars().schema["sex"] == pl.Enum(["f", "m"])
    assert DATA.to_arrow().column("n").to_pylist() == ["3", "10", "10", "3"]
    frame.loc[0, "x"] = 100.0  # a copy
    assert DATA.column("x").values[0] == 0.5


def test_head() -> None:
    assert DATA.head(2).rows() == [(0.5, "high", "York", "f", "3"), (-1.25, "low", "Bonn", "m", "10")]
    assert DATA.head().height == 4
    assert DATA.head(0).height == 0


def test_samples_and_cut_tables_are_tables_too() -> None:
    data = arcwise.datasets.load("cars1")
    result = arcwise.learn(data, "equal-frequency")
    assert result.discretization is not None
    cut = result.discretization.apply(data.to_pandas())
    assert isinstance(cut.to_pandas()["mpg"].dtype, pd.CategoricalDtype)
    assert result.fit(data.to_polars()).sample(5, seed=1).head(3).shape == (3, 8)
    assert arcwise.networks.load("alarm").sample(4, seed=1).to_pandas().shape == (4, 37)


@pytest.mark.parametrize(("library", "method"), [("pandas", "to_pandas"), ("pyarrow", "to_arrow")])
def test_a_library_that_is_not_there(monkeypatch: pytest.MonkeyPatch, library: str, method: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(DataError, match=f"{library} is not installed; install it with 'pip install {library}'"):
        getattr(DATA, method)()
