"""Tables that a fitted network is used on: its kinds and levels, one row or many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import arcwise
from arcwise.errors import ArcwiseError, DataError

DATA = arcwise.datasets.load("cars1")
RESULT = arcwise.learn(DATA, "equal-frequency")
NET = RESULT.fit(DATA)
FRAME = pd.DataFrame({c.name: [float(c.levels[v]) for v in c.values] if c.levels else c.values for c in DATA.columns})


@pytest.mark.parametrize("cast", [int, float, str, lambda x: f"{x:.1f}"], ids=["3", "3.0", "text", "text 3.0"])
def test_levels_are_found_however_they_are_written(cast: Any) -> None:
    frame = FRAME.assign(cylinders=[cast(x) for x in FRAME["cylinders"].astype(int)])
    np.testing.assert_array_equal(NET.log_density(frame), NET.log_density(DATA))


def test_one_row() -> None:
    for i in (0, 100):
        row = FRAME.iloc[[i]]
        np.testing.assert_array_equal(NET.expected("origin", row)[0], NET.expected("origin", DATA)[i])
        np.testing.assert_array_equal(NET.log_density(pl.from_pandas(row))[0], NET.log_density(DATA)[i])
        np.testing.assert_array_equal(
            NET.expected("origin", FRAME.iloc[i].to_dict())[0], NET.expected("origin", DATA)[i]
        )
    cut = RESULT.discretization.apply(FRAME.iloc[[3]])
    assert cut.n_rows == 1
    assert cut.column("mpg").levels == RESULT.discretization.levels("mpg")


def test_few_rows_are_not_doubted_and_other_columns_not_looked_at() -> None:
    rows = FRAME.head(4).assign(name=["a", "b", "c", "d"], when=pd.Timestamp("2020-01-01"))
    np.testing.assert_array_equal(NET.log_density(rows), NET.log_density(DATA)[:4])


def test_columns_may_be_cut_already() -> None:
    cut = RESULT.discretization.apply(DATA)
    np.testing.assert_array_equal(NET.log_density(cut.to_pandas()), NET.log_density(cut))
    np.testing.assert_array_equal(NET.log_density(cut.to_polars().head(1)), NET.log_density(cut)[:1])


def test_a_level_that_was_never_seen() -> None:
    frame = FRAME.head(5).assign(cylinders=[8, 8, 7, 8, 8])
    with pytest.raises(DataError, match=r"column 'cylinders', row 3: unknown level '7'"):
        NET.log_density(frame)


def test_missing_cells() -> None:
    frame = FRAME.head(5).copy()
    frame.loc[2, "mpg"] = np.nan
    with pytest.raises(DataError, match=r"missing values in 'mpg' \(1\)"):
        NET.log_density(frame, missing="error")
    whole, holed = NET.log_density(DATA)[:5], NET.log_density(frame)
    np.testing.assert_allclose(np.delete(holed, 2), np.delete(whole, 2))
    assert np.isfinite(holed[2])
    kept = NET.log_density(frame, missing="drop")
    np.testing.assert_array_equal(kept, NET.log_density(DATA)[[0, 1, 3, 4]])
    np.testing.assert_array_equal(NET.log_density(frame.fillna(-1.0), na={"mpg": [-1]}, missing="drop"), kept)


def test_no_rows() -> None:
    with pytest.raises(DataError, match="the table has no rows; give at least 1 row of data"):
        NET.log_density(FRAME.head(0))


def test_a_few_rows_are_fitted_with_the_kinds_that_were_learned() -> None:
    few = FRAME.iloc[:9]
    net = RESULT.fit(few)
    assert net.model("cylinders").levels == DATA.column("cylinders").levels
    with pytest.raises(ArcwiseError, match="unknown column"):
        RESULT.fit(few.drop(columns=["mpg"]))


def test_true_and_false() -> None:
    rng = np.random.default_rng(1)
    x = rng.random(60) < 0.5
    y = np.where(x, rng.random(60) < 0.9, rng.random(60) < 0.2)
    result = arcwise.learn({"x": ["True" if v else "False" for v in x], "y": y}, "hill-climb")
    net = result.fit({"x": x, "y": y})
    assert net.model("x").levels == ("False", "True")
    np.testing.assert_array_equal(
        net.log_density({"x": x, "y": y}), net.log_density({"x": [str(v) for v in x], "y": [str(v) for v in y]})
    )
