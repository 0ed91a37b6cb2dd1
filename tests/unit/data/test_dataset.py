"""The Dataset itself, and its description."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind, code_dtype
from arcwise.data.reading.door import as_dataset as from_frame
from arcwise.errors import DataError
from arcwise.results.columns import describe

FRAME = {"x": [0.5, 1.5, 2.5, 9.5, 0.5, 1.5], "t": ["b", "a", "b", "b", "a", "b"], "k": [1, 2, 1, 2, 2, 2]}


def test_views_by_name() -> None:
    data = from_frame(FRAME)
    assert (data.n_rows, data.n_columns) == (6, 3)
    assert data.by_name().names == ("k", "t", "x")
    part = data.select(["t", "x"])
    assert part.names == ("t", "x")
    assert part.column("x") is data.column("x")
    assert {decision.column for decision in part.decisions} == {"t", "x"}
    assert repr(data) == "Dataset(6 rows, 3 columns: 1 continuous, 2 discrete)"


def test_codes_of_all_columns() -> None:
    data = from_frame(FRAME)
    codes = data.select(["t", "k"]).codes()
    assert codes.tolist() == [[1, 0, 1, 1, 0, 1], [0, 1, 0, 1, 1, 1]]
    with pytest.raises(DataError, match="'x' is continuous and must be discretized"):
        data.codes()
    assert (code_dtype(256), code_dtype(257)) == (np.uint8, np.uint16)


def test_unknown_column() -> None:
    with pytest.raises(DataError, match=r"unknown column 'tt'; did you mean 't'\?"):
        from_frame(FRAME).column("tt")


def test_values_are_read_only_views() -> None:
    mine = np.zeros(3)
    column = Column("x", Kind.CONTINUOUS, mine)
    with pytest.raises(ValueError, match="read-only"):
        column.values[0] = 1.0
    mine[0] = 2.0
    assert column.values[0] == 2.0


def test_a_dataset_without_columns_has_no_rows() -> None:
    assert Dataset(()).n_rows == 0


def test_description() -> None:
    x, t, k = describe(from_frame(FRAME))
    assert (x.minimum, x.median, x.maximum, x.n_distinct) == (0.5, 1.5, 9.5, 4)
    assert (x.levels, x.counts) == ((), ())
    assert x.doubtful
    assert "4 distinct values" in x.reason
    assert (t.levels, t.counts, t.n_distinct, t.minimum) == (("a", "b"), (2, 4), 2, None)
    assert k.kind is Kind.DISCRETE
    assert json.loads(json.dumps(asdict(t)))["kind"] == "discrete"


def test_description_counts_observed_levels() -> None:
    column = Column("c", Kind.DISCRETE, np.array([0, 2], dtype=np.uint8), ("a", "b", "c"))
    (summary,) = describe(Dataset((column,)))
    assert (summary.n_distinct, summary.counts, summary.reason) == (2, (1, 0, 1), "")
