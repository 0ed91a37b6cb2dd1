"""What holds for every discretizer alike."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize import EqualFrequency, EqualWidth, FreedmanDiaconis, Scott, Sturges
from arcwise.errors import OptionError
from arcwise.parts.protocols import Discretizer
from arcwise.parts.spec import to_spec, with_options

PARTS: list[Any] = [EqualWidth(), EqualFrequency(), Sturges(), Scott(), FreedmanDiaconis()]


@pytest.mark.parametrize("part", PARTS)
def test_shape_of_a_part(part: Any) -> None:
    assert isinstance(part, Discretizer)
    assert part.reference
    assert part == type(part)()
    assert hash(part) == hash(type(part)())
    assert to_spec(part)["kind"] == part.kind
    with pytest.raises(FrozenInstanceError):
        part.bins = 4
    with pytest.raises(TypeError):
        type(part)(3)


def test_kinds_are_the_words_of_the_documentation() -> None:
    kinds = [part.kind for part in PARTS]
    assert kinds == ["equal-width", "equal-frequency", "sturges", "scott", "freedman-diaconis"]


@pytest.mark.parametrize("part", PARTS)
def test_only_continuous_columns_are_cut(part: Any) -> None:
    rng = np.random.default_rng(0)
    data = Dataset(
        (
            Column("size", Kind.CONTINUOUS, rng.standard_normal(50)),
            Column("colour", Kind.DISCRETE, np.zeros(50, dtype=np.uint8), ("red",)),
            Column("same", Kind.CONTINUOUS, np.full(50, 2.0)),
        )
    )
    cut = part.fit(data)
    assert list(cut.thresholds) == ["size", "same"]
    assert len(cut.thresholds["size"]) > 0
    assert len(cut.thresholds["same"]) == 0
    assert cut.apply(data).columns[1] is data.columns[1]


def test_a_table_without_continuous_columns_has_an_empty_discretization() -> None:
    data = Dataset((Column("colour", Kind.DISCRETE, np.zeros(5, dtype=np.uint8), ("red",)),))
    assert [dict(part.fit(data).thresholds) for part in PARTS] == [{}] * len(PARTS)


@pytest.mark.parametrize("part", [EqualWidth, EqualFrequency])
@pytest.mark.parametrize("bins", [0, -1, 65_537, 2.0, "3", True, None])
def test_bins_out_of_range(part: Any, bins: Any) -> None:
    with pytest.raises(OptionError, match=r"option 'bins' must be (an int from 1 to 65536|a whole number), not "):
        part(bins=bins)


def test_numbers_of_numpy_are_numbers() -> None:
    part: Any = EqualWidth(bins=np.int64(3))  # type: ignore[arg-type]
    assert json.dumps(to_spec(part)) == json.dumps(to_spec(EqualWidth(bins=3)))


@pytest.mark.parametrize("part", [Scott, FreedmanDiaconis])
@pytest.mark.parametrize("dimension", [0, -2, 1.5, False])
def test_dimension_out_of_range(part: Any, dimension: Any) -> None:
    with pytest.raises(OptionError, match=r"option 'dimension' must be (an int of 1 or more|a whole number), not "):
        part(dimension=dimension)


def test_options_are_read_from_text() -> None:
    assert with_options(EqualFrequency(), {"bins": "5"}) == EqualFrequency(bins=5)
    with pytest.raises(OptionError, match="'bins' must be an int from 1 to 65536, not 0"):
        with_options(EqualWidth(), {"bins": "0"})
