"""The bundled data sets are the published ones, with the kinds that the study gave them."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise import datasets
from arcwise.data.dataset import Kind
from arcwise.errors import OptionError
from arcwise.results.columns import describe

# Fu (2005), Table V-10: discrete columns, continuous columns, and the largest, smallest and mean number of distinct
# values of the continuous ones. Where our kinds differ (see the notes of each data set) the printed counts are in
# the comment and the cardinalities still agree.
TABLE = {
    "abalone": (1, 8, 2429, 28, 759.25),
    "australian": (9, 6, 350, 23, 188.50),
    "breast": (1, 9, 10, 9, 9.89),  # printed: 1 and 10
    "cars1": (2, 6, 346, 13, 125.83),  # printed: 1 and 7
    "heart": (9, 5, 144, 39, 72.20),
    "housing": (1, 13, 504, 9, 235.62),
    "pima": (1, 8, 517, 17, 156.75),
    "vehicle": (1, 18, 424, 13, 79.4),
}


def test_names() -> None:
    assert datasets.names() == tuple(sorted([*TABLE, "cleve", "cleve_296"]))


@pytest.mark.parametrize("name", datasets.names())
def test_size_and_kinds_are_as_stated(name: str) -> None:
    data, info = datasets.load(name), datasets.info(name)
    assert (data.n_rows, data.n_columns) == (info.rows, info.columns)
    assert {column.name for column in data.columns if column.kind is Kind.DISCRETE} == set(info.discrete)
    assert data.warnings == ()
    for text in (info.source, info.licence, info.citation, info.notes):
        assert text.strip()


@pytest.mark.parametrize("name", TABLE)
def test_cardinalities_of_the_published_table(name: str) -> None:
    n_discrete, n_continuous, largest, smallest, mean = TABLE[name]
    data = datasets.load(name)
    assert data.kinds.count(Kind.DISCRETE) == n_discrete
    distinct = [summary.n_distinct for summary in describe(data) if summary.kind is Kind.CONTINUOUS]
    assert len(distinct) == n_continuous
    assert (max(distinct), min(distinct)) == (largest, smallest)
    assert np.mean(distinct) == pytest.approx(mean, abs=0.05)


def test_cleve() -> None:
    for name in ("cleve", "cleve_296"):
        data = datasets.load(name)
        assert (data.kinds.count(Kind.DISCRETE), data.kinds.count(Kind.CONTINUOUS)) == (8, 6)
    numbers = [summary.n_distinct for summary in describe(datasets.load("cleve")) if summary.kind is Kind.CONTINUOUS]
    assert np.mean(sorted(numbers)[1:]) == pytest.approx(74.80)  # the published mean, which leaves ca out


def test_unknown_name() -> None:
    with pytest.raises(OptionError, match="unknown data set 'abalon'; did you mean 'abalone'"):
        datasets.load("abalon")
    with pytest.raises(OptionError, match="did you mean 'heart'"):
        datasets.info("hart")
