"""What every discretizer in the catalog promises."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise import catalog
from arcwise.data.dataset import Kind
from arcwise.data.discretization import Discretization
from arcwise.parts.protocols import Discretizer
from arcwise.parts.spec import to_spec
from tests.contract.parts import mixed_data, reorder_rows, snapshot


@pytest.fixture(params=sorted(catalog.DISCRETIZERS), scope="module")
def discretizer(request):
    return catalog.DISCRETIZERS[request.param]()


@pytest.fixture(scope="module")
def data():
    return mixed_data()


def test_is_a_frozen_serialisable_part(discretizer):
    assert isinstance(discretizer, Discretizer)
    assert catalog.from_spec(to_spec(discretizer)) == discretizer
    assert discretizer.reference


def test_cuts_the_continuous_columns_only_and_leaves_no_level_empty(discretizer, data):
    cuts = discretizer.fit(data)
    assert set(cuts.thresholds) == {c.name for c in data.columns if c.kind is Kind.CONTINUOUS}
    for column in cuts.apply(data).columns:
        assert column.kind is Kind.DISCRETE
        if column.name in cuts.thresholds:
            assert np.all(np.bincount(column.values, minlength=column.cardinality) > 0)
            assert column.cardinality == len(cuts.thresholds[column.name]) + 1 >= 2


def test_order_of_rows_and_columns_is_immaterial(discretizer, data):
    order = np.random.default_rng(0).permutation(data.n_rows)
    assert discretizer.fit(reorder_rows(data, order)) == discretizer.fit(data)
    assert discretizer.fit(data.select(reversed(data.names))) == discretizer.fit(data)


def test_data_is_not_changed(discretizer, data):
    before = snapshot(data)
    discretizer.fit(data).apply(data)
    assert snapshot(data) == before


def test_round_trip(discretizer, data):
    cuts = discretizer.fit(data)
    assert Discretization.from_dict(cuts.to_dict()) == cuts
