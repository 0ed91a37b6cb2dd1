"""Every distinct value a level."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize.bins.distinct import MOST_VALUES, Distinct
from arcwise.errors import DataError
from arcwise.parts.spec import to_spec


def table(**columns):
    return Dataset(tuple(Column(n, Kind.CONTINUOUS, np.array(v, dtype=np.float64)) for n, v in columns.items()))


def test_thresholds_are_midpoints_and_every_value_is_a_level():
    data = table(x=[3, 1, 1, 2, 10])
    cuts = Distinct().fit(data)
    assert cuts.thresholds["x"].tolist() == [1.5, 2.5, 6.5]
    assert cuts.apply(data).columns[0].values.tolist() == [2, 0, 0, 1, 3]


def test_a_constant_column_has_one_level_and_a_discrete_one_stays():
    discrete = Column("d", Kind.DISCRETE, np.zeros(3, dtype=np.uint8), ("a",))
    data = Dataset((*table(c=[7, 7, 7]).columns, discrete))
    assert {n: t.tolist() for n, t in Distinct().fit(data).thresholds.items()} == {"c": []}


@pytest.mark.parametrize("values", [[0.0, 5e-324], [1.0, np.nextafter(1.0, 2.0)], [-1.7e308, 1.7e308], [-1e300, 1e300]])
def test_neighbouring_and_huge_values_are_parted(values):
    data = table(x=values)
    assert Distinct().fit(data).apply(data).columns[0].values.tolist() == [0, 1]


def test_too_many_values_are_refused_by_name():
    at_most = table(x=np.arange(MOST_VALUES))
    assert len(Distinct().fit(at_most).thresholds["x"]) == MOST_VALUES - 1
    with pytest.raises(DataError, match=r"'height' has more than 1,000 distinct values, .*'equal-frequency'"):
        Distinct().fit(table(x=np.zeros(1001), height=np.arange(1001)))


def test_it_has_no_options():
    assert to_spec(Distinct()) == {"kind": "distinct"}
