"""Discretizer cuts new rows at the thresholds that it has found."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import arcwise
from arcwise.discretize import EqualWidth
from arcwise.sklearn import Discretizer


def table() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    height = rng.normal(170, 10, size=120)
    return pd.DataFrame({
        "height": height, "weight": height - 100 + rng.normal(size=120), "colour": ["red", "blue", "green"] * 40
    })  # fmt: skip


def test_codes_are_those_of_arcwise() -> None:
    X = table()
    cutter = Discretizer(options={"bins": 4}).fit(X)
    data = arcwise.Dataset.from_frame(X)
    cuts = arcwise.discretize.EqualFrequency(bins=4).fit(data)
    assert cutter.discretization_ == cuts
    assert {name: len(found) for name, found in cutter.thresholds_.items()} == {"height": 3, "weight": 3}
    codes = cutter.transform(X)
    assert codes.dtype == np.int64
    assert np.array_equal(codes, np.column_stack([column.values for column in cuts.apply(data).columns]))
    assert np.bincount(codes[:, 0]).tolist() == [30, 30, 30, 30]


def test_new_rows_are_cut_at_the_same_thresholds() -> None:
    cutter = Discretizer(options={"bins": 3}).fit(table())
    low, high = cutter.thresholds_["height"]
    new = pd.DataFrame({"height": [0.0, low, np.nextafter(high, 0), high, 1e6], "weight": 70.0, "colour": "red"})
    assert cutter.transform(new)[:, 0].tolist() == [0, 1, 1, 2, 2]
    assert cutter.transform(new.iloc[:1]).shape == (1, 3)


def test_missing_cells_and_unseen_levels_are_nan() -> None:
    cutter = Discretizer().fit(table())
    new = pd.DataFrame({"height": [170.0, np.nan], "weight": [70.0, 70.0], "colour": ["yellow", "blue"]})
    codes = cutter.transform(new)
    assert np.isnan(codes).tolist() == [[False, False, True], [True, False, False]]
    assert codes[1, 2] == cutter.levels_["colour"].index("blue")
    words = Discretizer(encode="labels").fit(table()).transform(new)
    assert words[1, 2] == "blue"
    assert pd.isna(words).tolist() == np.isnan(codes).tolist()


def test_a_column_without_any_recorded_cell() -> None:
    cutter = Discretizer().fit(table())
    new = pd.DataFrame({"height": [170.0, 180.0], "weight": [70.0, 70.0], "colour": [None, None]})
    assert np.isnan(cutter.transform(new)).tolist() == [[False, False, True]] * 2


def test_labels() -> None:
    X = table()
    cutter = Discretizer(encode="labels", options={"bins": 2}).fit(X)
    (cut,) = cutter.thresholds_["height"]
    words = cutter.transform(X)
    assert set(words[X["height"] < cut, 0]) == {cutter.levels_["height"][0]} == {f"< {cut:.6g}"}
    assert words[:, 2].tolist() == X["colour"].tolist()


def test_frames_come_out_where_they_are_asked_for() -> None:
    X = table().set_index(np.arange(120) + 5)
    cutter = Discretizer().set_output(transform="pandas")
    found = cutter.fit_transform(X)
    assert isinstance(found, pd.DataFrame)
    assert found.columns.tolist() == cutter.get_feature_names_out().tolist() == ["height", "weight", "colour"]
    assert found.index.equals(X.index)
    assert set(found.dtypes) == {np.dtype(np.int64)}
    in_polars = clone(cutter).set_output(transform="polars").fit_transform(pl.from_pandas(X))
    assert isinstance(in_polars, pl.DataFrame)
    assert np.array_equal(in_polars.to_numpy(), found.to_numpy())


def test_names_of_an_array() -> None:
    cutter = Discretizer().fit(table()[["height", "weight"]].to_numpy())
    assert cutter.get_feature_names_out().tolist() == list(cutter.thresholds_) == ["x0", "x1"]


def test_thresholds_found_with_a_network() -> None:
    X = table()
    cutter = Discretizer("steck", random_state=4).fit(X)
    assert cutter.discretization_ == arcwise.learn(X, "steck", seed=4).discretization
    assert len(cutter.thresholds_["height"]) > 0  # the weight follows from it


def test_parts_in_place_of_names() -> None:
    cutter = clone(Discretizer(EqualWidth(bins=5))).fit(table())
    steps = np.diff(cutter.thresholds_["height"])
    assert len(steps) == 3
    assert np.allclose(steps, steps[0])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"method": "gaussian"}, "'gaussian' gives no thresholds"),
        ({"method": "equal-frequenzy"}, "did you mean 'equal-frequency'"),
        ({"method": 3}, "must be a discretizer"),
        ({"encode": "code"}, "did you mean 'codes'"),
        ({"options": {"bin": 3}}, "unknown option 'bin'"),
    ],
)
def test_wrong_parameters(given: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Discretizer(**given).fit(table())


def test_before_fit_there_is_nothing() -> None:
    with pytest.raises(NotFittedError):
        Discretizer().transform(table())
