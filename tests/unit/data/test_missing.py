"""Missing cells that a Dataset keeps: masks, what stands in their place, what becomes of them, who refuses them."""

from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from arcwise.api import learn
from arcwise.cli.inputs import _reading
from arcwise.data.complete import check_complete
from arcwise.data.dataset import MISSING_BY_DEFAULT, Column, Dataset, Kind, Missing
from arcwise.data.discretization import Discretization
from arcwise.data.ordinal import as_numbers
from arcwise.data.reading.door import as_dataset, read_alike
from arcwise.errors import DataError, OptionError

N = 12
HOLES = np.arange(N) % 4 == 1


def table(**more: Any) -> Dataset:
    """A number and a level that are missing in every fourth row, and two columns without holes."""
    columns: dict[str, Any] = {
        "x": np.where(HOLES, np.nan, np.arange(N) + 0.5),
        "t": [None if gone else "abc"[i % 3] for i, gone in enumerate(HOLES)],
        "y": np.linspace(-1.0, 1.0, N) ** 3,
        "k": [0, 1, 1, 0, 0, 1] * 2,
        **more,
    }
    return Dataset.from_frame(columns)


def test_a_mask_without_holes_is_none() -> None:
    column = Column("x", Kind.CONTINUOUS, np.zeros(3), missing=np.zeros(3, dtype=np.bool_))
    assert column.missing is None
    assert column.recorded is column.values


@pytest.mark.parametrize("kind", Kind)
def test_what_stands_in_a_missing_cell(kind: Kind) -> None:
    """Codes stay in range and numbers are NaN, whatever stood there; the arrays given are not written to."""
    missing = np.array([False, True, False])
    values = np.array([1.0, 7.0, 2.0]) if kind is Kind.CONTINUOUS else np.array([1, 2, 0], dtype=np.uint8)
    before = values.copy()
    column = Column("v", kind, values, () if kind is Kind.CONTINUOUS else ("a", "b", "c"), missing=missing)
    assert values.tolist() == before.tolist()
    assert column.values.dtype == values.dtype
    assert np.isnan(column.values[1]) if kind is Kind.CONTINUOUS else column.values[1] == 0
    assert column.recorded.tolist() == [before[0], before[2]]
    assert column.missing is not None
    assert not column.missing.flags.writeable
    assert missing.flags.writeable


def test_counts_of_missing_cells() -> None:
    data = table()
    assert not data.is_complete
    assert data.missing_counts() == {"x": 3, "t": 3}
    assert data.n_missing == 6
    assert repr(data).endswith("2 continuous, 2 discrete; 6 cells missing)")
    whole = data.select(["y", "k"])
    assert whole.is_complete
    assert (whole.n_missing, whole.missing_counts()) == (0, {})
    assert "missing" not in repr(whole)


def test_weights_are_counted() -> None:
    weights = np.arange(N)
    data = table().weighted(weights)
    assert data.missing_counts() == {"x": 15, "t": 15}  # rows 1, 5 and 9
    assert data.repeated().missing_counts() == {"x": 15, "t": 15}
    assert data.complete_rows().n_rows == weights.sum() - 15
    assert data.complete_rows().n_stored == 8  # the first row has no weight


def test_masks_follow_their_rows() -> None:
    data = table()
    rows = [9, 0, 1, 1]
    for taken, want in (
        (data.take(rows), [True, False, True, True]),
        (data.take(slice(4, 6)), [False, True]),
        (data.take(HOLES), [True, True, True]),
        (data.by_name().take([1]), [True]),
        (data.select(["t", "x"]).take([0, 1]), [False, True]),
    ):
        for name in ("x", "t"):
            assert taken.column(name).missing.tolist() == want  # type: ignore[union-attr]
        assert not taken.is_complete
    assert data.take([0, 2]).is_complete
    assert data.take([0, 2]).column("x").missing is None


def test_complete_rows() -> None:
    data = table()
    whole = data.complete_rows()
    assert whole.is_complete
    assert whole.column("x").values.tolist() == data.column("x").values[~HOLES].tolist()
    assert whole.column("t").levels == ("a", "b", "c")
    assert whole.complete_rows() is whole


def test_exports_have_nulls_and_are_read_back() -> None:
    data = table()
    frames = data.to_polars(), data.to_pandas(), data.to_arrow()
    assert frames[0].null_count().row(0) == (3, 3, 0, 0)
    assert frames[1].isna().sum().tolist() == [3, 3, 0, 0]
    assert [column.null_count for column in frames[2].columns] == [3, 3, 0, 0]
    assert data.head(2)["t"].to_list() == ["a", None]
    for frame in frames:
        assert_same(Dataset.from_frame(frame), data)


def assert_same(one: Dataset, other: Dataset) -> None:
    assert one.names == other.names
    for a, b in zip(one.columns, other.columns, strict=True):
        assert (a.kind, a.levels) == (b.kind, b.levels)
        np.testing.assert_array_equal(a.values, b.values)
        np.testing.assert_array_equal(a.missing, b.missing)  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_arrays_of_numbers(dtype: Any) -> None:
    values = np.arange(12, dtype=dtype).reshape(6, 2) + dtype(0.5)
    mask = np.zeros((6, 2), dtype=np.bool_)
    mask[[1, 4], [0, 1]] = True
    for array in (np.where(mask, dtype("nan"), values), np.ma.array(values, mask=mask)):
        data = Dataset.from_frame(array)
        for column, gone in zip(data.columns, mask.T, strict=True):
            np.testing.assert_array_equal(column.missing, gone)  # type: ignore[arg-type]
            np.testing.assert_array_equal(np.isnan(column.values), gone)
            np.testing.assert_array_equal(column.recorded, values.T[data.index(column.name)][~gone])


def test_the_default_is_one() -> None:
    assert MISSING_BY_DEFAULT == "learn" == get_args(Missing)[0]
    assert _reading()["missing"] == MISSING_BY_DEFAULT


def test_policies_on_a_dataset() -> None:
    data = table()
    assert as_dataset(data) is data
    assert as_dataset(data, missing="learn") is data
    with pytest.raises(DataError, match=r"missing values in 'x' \(3\), 't' \(3\)"):
        as_dataset(data, missing="error")
    dropped = as_dataset(data, missing="drop")
    assert_same(dropped, data.complete_rows())
    assert dropped.decisions == data.decisions
    assert "dropped 3 of 12 rows with missing values in 'x' (3), 't' (3)" in dropped.warnings
    with pytest.raises(DataError, match=r"continuous columns cannot become a level, as in 'x' \(3\)"):
        as_dataset(data, missing="state")
    states = as_dataset(data, missing="state", drop="x")
    assert states.column("t").levels == ("a", "b", "c", "missing")
    assert as_dataset(data.take(~HOLES), missing="error").is_complete
    with pytest.raises(OptionError, match="dorp"):
        as_dataset(data, missing="dorp")  # type: ignore[arg-type]
    # what lacks cells is left out, so nothing has to be settled
    assert as_dataset(data, missing="error", drop=["x", "t"]).names == ("y", "k")


def test_policies_on_a_dataset_with_weights() -> None:
    weights = np.arange(N) % 3 + 1
    data = table().weighted(weights)
    dropped = as_dataset(data, missing="drop")
    assert dropped.weights is not None
    assert dropped.weights.tolist() == weights[~HOLES].tolist()
    n = int(weights[HOLES].sum())
    assert f"dropped {n} of {weights.sum()} rows with missing values in 'x' ({n}), 't' ({n})" in dropped.warnings
    called = as_dataset(data, na={"k": [0]}, missing="drop")
    assert called.n_rows == weights[~HOLES & (data.column("k").values == 1)].sum()
    kept = as_dataset(data, na={"k": [0]})
    assert kept.missing_counts()["k"] == weights[data.column("k").values == 0].sum()


def test_a_column_declared_otherwise_keeps_its_holes() -> None:
    data = as_dataset(table(z=[1, None, 3, 4] * 3), discrete="z", continuous="k")
    assert data.column("z").levels == ("1", "3", "4")
    np.testing.assert_array_equal(data.column("z").missing, HOLES)  # type: ignore[arg-type]
    again = as_dataset(data, continuous="z")
    np.testing.assert_array_equal(np.isnan(again.column("z").values), HOLES)
    assert again.missing_counts() == {"x": 3, "t": 3, "z": 3}


def test_a_column_without_a_value_is_left_out_unless_it_is_known() -> None:
    empty = {"x": [None, None], "t": [None, None], "y": [0.5, 1.5]}
    assert as_dataset(empty).names == ("y",)
    assert "columns 'x', 't' have no value in any row, left out" in as_dataset(empty).warnings
    known = {"x": (), "t": ("a", "b"), "y": ()}
    for frame in (empty, pd.DataFrame(empty, dtype=object), pl.DataFrame(empty), pa.table(empty)):
        data = read_alike(frame, known)
        assert data.kinds == (Kind.CONTINUOUS, Kind.DISCRETE, Kind.CONTINUOUS)
        assert data.column("t").levels == ("a", "b")
        assert data.missing_counts() == {"x": 2, "t": 2}
    with pytest.raises(DataError, match="column 'z' has no value"):
        read_alike({**empty, "z": [None, None]}, known, others=True)


def test_known_levels_and_missing_cells() -> None:
    data = read_alike({"t": ["b", None, "b"]}, {"t": ("a", "b")})
    assert data.column("t").values.tolist() == [1, 0, 1]
    assert data.missing_counts() == {"t": 1}
    with pytest.raises(DataError, match="row 3: unknown level 'c'"):
        read_alike({"t": ["b", None, "c"]}, {"t": ("a", "b")})


def test_a_column_with_one_recorded_value_is_constant() -> None:
    data = table(one=[None, 2.5] * 6, word=["a", None] * 6)
    assert "constant columns 'one', 'word' kept as isolated nodes" in data.warnings


def test_rows_without_a_recorded_cell() -> None:
    frame: dict[str, Any] = {"x": [0.5, None, 1.5, None], "t": ["a", None, "b", None], "w": [1, 2, 1, 3]}
    said = "2 rows have no recorded cell and say nothing"
    assert said in Dataset.from_frame({name: frame[name] for name in ("x", "t")}).warnings
    assert not any("no recorded cell" in warning for warning in Dataset.from_frame(frame).warnings)
    assert "5 rows have no recorded cell and say nothing" in Dataset.from_frame(frame, weights="w").warnings


def test_weights_must_be_complete() -> None:
    frame = {"x": [0.5, 1.5, 2.5], "w": [1, None, 2]}
    with pytest.raises(DataError, match=r"column 'w' holds the weights of the rows, but has none for 1 row; fill"):
        Dataset.from_frame(frame, weights="w")
    assert Dataset.from_frame(frame, weights="w", missing="drop").n_rows == 3


def test_copies_are_told_by_the_rows_that_both_have() -> None:
    rng = np.random.default_rng(0)
    x, k = rng.normal(size=200), rng.integers(0, 3, 200)
    gone = rng.random((4, 200)) < 0.3
    labels = np.array(["red", "green", "blue"], dtype=object)[k]
    frame = {
        "x": x,
        "scaled": np.where(gone[0], np.nan, 3 - 2 * x),
        "also": np.where(gone[1], np.nan, 5 * x),
        "noisy": np.where(gone[0], np.nan, x + 1e-3 * rng.normal(size=200)),
        "k": k,
        "named": np.where(gone[2], None, labels),
        "other": np.where(gone[3], None, np.roll(labels, 1)),
    }
    warnings = Dataset.from_frame(frame).warnings
    assert warnings == (
        "columns 'scaled', 'also' are copies of 'x', equal or but for scale and offset; keep one of them",
        "column 'named' is a copy of 'k', equal or with its levels renamed; keep one of them",
    )


def test_few_shared_rows_show_no_copies() -> None:
    """Two points lie on a line, whatever they are."""
    x = np.full(40, np.nan)
    x[:2] = 0.25, 1.75
    assert Dataset.from_frame({"x": x, "y": np.random.default_rng(1).normal(size=40)}).warnings == ()


def test_thresholds_keep_holes() -> None:
    cut = Discretization({"x": [3.0, 7.0]}).apply(table())
    column = cut.column("x")
    np.testing.assert_array_equal(column.missing, HOLES)  # type: ignore[arg-type]
    assert not column.values[HOLES].any()
    numbered = as_numbers(table(), ["t"]).column("t")
    np.testing.assert_array_equal(np.isnan(numbered.values), HOLES)


def test_the_guard() -> None:
    data = table()
    check_complete(data.complete_rows())
    with pytest.raises(DataError) as caught:
        check_complete(data, "a test by ranks")
    assert str(caught.value) == (
        "missing cells in 'x' (3), 't' (3): a test by ranks needs a complete table; drop their rows with --missing "
        "drop (missing='drop'), make them a level of discrete columns with --missing state (missing='state'), or fill "
        "them in"
    )
    with pytest.raises(DataError, match="needs a complete table"):
        data.blocks()
    with pytest.raises(DataError, match="needs a complete table"):
        data.select(["t", "k"]).codes()
    assert len(list(data.complete_rows().blocks())) == 1


def test_learning_counts_them_or_drops_their_rows() -> None:
    found = learn(table(), "boss").data
    assert found is not None
    assert (found.n_rows, found.n_missing) == (12, 6)
    assert learn(table(), "boss", missing="drop").data.n_rows == 9  # type: ignore[union-attr]


def test_a_dataset_made_by_hand() -> None:
    data = table()
    whole = data.complete_rows()
    gone = np.zeros(whole.n_stored, dtype=np.bool_)
    gone[0] = True
    holed = replace(whole, columns=tuple(replace(column, missing=gone) for column in whole.columns))
    assert whole.is_complete
    assert not holed.is_complete
    assert holed.n_missing == 4
