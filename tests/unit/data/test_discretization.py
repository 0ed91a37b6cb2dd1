from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization, format_numbers
from arcwise.errors import DataError


def cut(**thresholds: Any) -> Discretization:
    return Discretization({name: np.array(values, dtype=np.float64) for name, values in thresholds.items()})


def table(*values: float) -> Dataset:
    return Dataset((Column("x", Kind.CONTINUOUS, np.array(values, dtype=np.float64)),))


def test_a_threshold_belongs_to_the_upper_level() -> None:
    column = cut(x=[1.0, 2.5]).apply(table(0.0, 1.0, 2.0, 2.5, 3.0)).columns[0]
    assert column.values.tolist() == [0, 1, 1, 2, 2]
    assert column.values.dtype == np.uint8
    assert column.kind is Kind.DISCRETE
    assert column.ordered
    assert column.levels == ("< 1", "1 to 2.5", ">= 2.5")


def test_values_beyond_the_fitted_range_fall_in_the_end_levels() -> None:
    assert cut(x=[1.0, 2.5]).apply(table(-1e300, 1e300)).columns[0].values.tolist() == [0, 2]


def test_columns_without_thresholds_stay() -> None:
    data = Dataset(
        (
            Column("x", Kind.CONTINUOUS, np.array([1.0, 2.0])),
            Column("y", Kind.CONTINUOUS, np.array([1.0, 2.0])),
            Column("z", Kind.DISCRETE, np.array([0, 1], dtype=np.uint8), ("a", "b")),
        ),
        warnings=("kept",),
    )
    applied = cut(y=[1.5]).apply(data)
    assert applied.columns[0] is data.columns[0]
    assert applied.columns[2] is data.columns[2]
    assert applied.columns[1].values.tolist() == [0, 1]
    assert applied.warnings == ("kept",)


def test_codes_widen_with_the_number_of_levels() -> None:
    data = table(*np.arange(300.0))
    assert cut(x=np.arange(255) + 0.5).apply(data).columns[0].values.dtype == np.uint8
    wide = cut(x=np.arange(299) + 0.5).apply(data).columns[0]
    assert wide.values.dtype == np.uint16
    assert wide.values.tolist() == list(range(300))


def test_the_largest_number_of_levels() -> None:
    full = cut(x=np.arange(65_535) + 0.5).apply(table(0.0, 65_535.0)).columns[0]
    assert full.values.tolist() == [0, 65_535]
    assert len(set(full.levels)) == full.cardinality == 65_536
    with pytest.raises(DataError, match="column 'x' has 65536 thresholds; give at most 65535"):
        cut(x=np.arange(65_536))


def test_applying_to_an_unknown_or_a_discrete_column() -> None:
    with pytest.raises(DataError, match="unknown column 'weight'"):
        cut(weight=[1.0]).apply(table(1.0))
    data = Dataset((Column("x", Kind.DISCRETE, np.array([0], dtype=np.uint8), ("a",)),))
    with pytest.raises(DataError, match="column 'x' is already discrete"):
        cut(x=[1.0]).apply(data)


@pytest.mark.parametrize(
    "values", [[2.0, 1.0], [1.0, 1.0], [0.0, -0.0], [np.nan], [np.inf], [[1.0]], 3.0, ["a"], [None], [10**400]]
)
def test_invalid_thresholds(values: Any) -> None:
    with pytest.raises(DataError, match="thresholds of column 'x' must be finite numbers in increasing order"):
        Discretization({"x": values})


def test_thresholds_are_copied_and_read_only() -> None:
    mine = np.array([1.0, 2.0])
    found = Discretization({"x": mine})
    mine[0] = 9.0
    assert found.thresholds["x"].tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        found.thresholds["x"][0] = 5.0
    with pytest.raises(TypeError):
        found.thresholds["y"] = mine  # type: ignore[index]


def test_thresholds_as_far_apart_as_floats_go(recwarn: pytest.WarningsRecorder) -> None:
    largest = float(np.finfo(np.float64).max)
    assert cut(x=[-largest, largest]).thresholds["x"].tolist() == [-largest, largest]
    assert len(recwarn) == 0


def test_levels_and_descriptions() -> None:
    found = cut(one=[], two=[5.5], three=[1.5, 2.5], four=[1, 2, 3])
    assert found.levels("one") == ("any",)
    assert found.levels("two") == ("< 5.5", ">= 5.5")
    assert found.levels("four") == ("< 1", "1 to 2", "2 to 3", ">= 3")
    assert found.describe("one") == "any value"
    assert found.describe("two") == "low < 5.5 ≤ high"
    assert found.describe("three") == "low < 1.5 ≤ middle < 2.5 ≤ high"
    assert found.describe("four") == "4 levels, cut at 1, 2, 3"
    assert repr(cut(a=[], b=[1.0])) == "Discretization(levels: a: 1, b: 2)"
    assert repr(cut()) == "Discretization()"


def test_asking_about_a_column_that_was_not_cut() -> None:
    for ask in (cut(height=[1.0]).levels, cut(height=[1.0]).describe):
        with pytest.raises(DataError, match=r"unknown discretized column 'heigt'; did you mean 'height'\?"):
            ask("heigt")


def test_numbers_get_as_many_digits_as_tell_them_apart() -> None:
    assert format_numbers(np.array([1 / 3, 2 / 3])) == ["0.333", "0.667"]
    assert format_numbers(np.array([0.125, 1234.5])) == ["0.125", "1234.5"]  # as they are, where that is short
    assert format_numbers(np.array([-1234.5, 17.65])) == ["-1234.5", "17.65"]
    assert format_numbers(np.array([12345.5, 18570.0])) == ["12346", "18570"]
    assert format_numbers(np.array([1000.1, 1000.2])) == ["1000.1", "1000.2"]
    assert format_numbers(np.array([1000.123456, 1000.234567])) == ["1000.1", "1000.2"]
    assert format_numbers(np.array([0.0, np.finfo(np.float64).max, 1e-300])) == ["0", "1.8e+308", "1e-300"]
    assert format_numbers(np.array([100.0, 100.001])) == ["100", "100.001"]
    assert cut(x=[1 / 3]).levels("x") == ("< 0.333333", ">= 0.333333")
    close = np.array([1.0, np.nextafter(1.0, 2.0)])
    assert len(set(format_numbers(close))) == 2
    assert len(set(cut(x=close).levels("x"))) == 3


@given(
    st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), min_size=2, max_size=40, unique=True),
    st.lists(st.integers(0, 38), min_size=1, max_size=5, unique=True),
)
def test_what_is_written_is_true_of_every_value_of_the_table(values: list[float], after: list[int]) -> None:
    table = np.sort(values)
    cuts = np.unique([(table[k] + table[k + 1]) / 2 for k in after if k + 1 < len(table)])
    texts = [float(text) for text in format_numbers(cuts, table)]
    for text, threshold in zip(texts, cuts, strict=True):
        assert ((table < text) == (table < threshold)).all()


def test_of_many_thresholds_the_first_and_the_last_are_written() -> None:
    assert cut(x=range(6)).describe("x") == "7 levels, cut at 0, 1, 2, 3, 4, 5"
    assert cut(x=range(25)).describe("x") == "26 levels, cut at 0, 1, 2, …, 24"


def test_equality_and_hash() -> None:
    first, second = cut(a=[1.0], b=[2.0, 3.0]), cut(b=[2.0, 3.0], a=[1.0])
    assert first == second
    assert hash(first) == hash(second)
    for other in (cut(a=[1.0]), cut(a=[1.5], b=[2.0, 3.0]), cut(a=[1.0], c=[2.0, 3.0]), cut(a=[1.0], b=[2.0])):
        assert first != other
    assert first != first.to_dict()
    assert len({first, second, cut(a=[1.0])}) == 2


def test_negative_zero_is_zero() -> None:
    assert cut(x=[-0.0]) == cut(x=[0.0])
    assert hash(cut(x=[-0.0])) == hash(cut(x=[0.0]))
    assert cut(x=[-0.0]).levels("x") == ("< 0", ">= 0")


def test_round_trips() -> None:
    found = cut(a=[], b=[0.1, 1 / 3, np.pi], c=[-1e300, 5e-324])
    assert Discretization.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    assert list(Discretization.from_dict(found.to_dict()).thresholds) == ["a", "b", "c"]
    assert pickle.loads(pickle.dumps(found)) == found
    assert copy.deepcopy(found) == found
    assert not pickle.loads(pickle.dumps(found)).thresholds["b"].flags.writeable
