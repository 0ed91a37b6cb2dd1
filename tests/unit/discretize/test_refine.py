"""Thresholds for a known network."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.ordinal import as_numbers
from arcwise.discretize import EqualFrequency, Friedman, Monti, Steck
from arcwise.discretize.bins.distinct import Distinct
from arcwise.discretize.loop.learn_policy import WorkingTable
from arcwise.discretize.loop.refine import refine
from arcwise.discretize.policies.friedman import TopDown
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.scores import BDeu, total
from tests.contract.parts import mixed_data, reorder_rows

POLICIES = [Friedman(), Monti(), Steck(), TopDown(), TopDown(mode="single-pass")]
NETWORK = [("alpha", "bravo"), ("alpha", "delta"), ("bravo", "charlie"), ("echo", "charlie"), ("echo", "foxtrot")]


@pytest.fixture(params=POLICIES, ids=str)
def policy(request):
    return request.param


@pytest.fixture(scope="module")
def data():
    return mixed_data(400)


@pytest.fixture(scope="module")
def dag(data):
    return Dag(data.names, NETWORK)


def joint(policy, data, cuts, dag):
    table = WorkingTable(data, cuts)
    network = total(policy.network_score(BDeu()), dag, cuts.apply(data))
    return network + sum(policy.column_term(table.values[i], table.starts[i]) for i in table.continuous)


def test_thresholds_get_better_until_none_gains(policy, data, dag):
    first = refine(policy, data, dag)
    assert set(first.thresholds) == {c.name for c in data.columns if c.kind is Kind.CONTINUOUS}
    assert joint(policy, data, first, dag) > joint(policy, data, EqualFrequency().fit(data), dag)
    assert refine(policy, data, dag, first) == first


def test_order_of_rows_columns_and_nodes_is_immaterial(policy, data, dag):
    want = refine(policy, data, dag)
    shuffled = reorder_rows(data, np.random.default_rng(0).permutation(data.n_rows)).select(reversed(data.names))
    assert refine(policy, shuffled, dag) == want
    assert refine(policy, data, Dag(sorted(data.names), NETWORK)) == want


@pytest.mark.parametrize("mode", ["single-pass", "auto"])
def test_from_the_full_resolution_as_in_the_thesis(mode):
    """Two nodes of six ordinal values each that stand for three and for two."""
    rng = np.random.default_rng(1)
    x, levels = rng.integers(0, 6, 8000), tuple("123456")
    low = np.array([0.9, 0.9, 0.5, 0.5, 0.5, 0.1])[x] > rng.random(8000)
    y = np.where(low, rng.integers(0, 2, 8000), rng.integers(2, 6, 8000))
    columns = [Column(n, Kind.DISCRETE, v.astype(np.uint8), levels, ordered=True) for n, v in (("x", x), ("y", y))]
    data = as_numbers(Dataset(tuple(columns)))
    cuts = refine(TopDown(mode=mode), data, Dag("xy", [("x", "y")]), Distinct().fit(data))
    assert {name: t.tolist() for name, t in cuts.thresholds.items()} == {"x": [1.5, 4.5], "y": [1.5]}


def test_the_equivalent_sample_size_reaches_the_policy(data, dag):
    assert refine(Steck(), data, dag, score=BDeu(ess=1.0)) == refine(Steck(), data, dag)
    assert refine(Steck(), data, dag, score=BDeu(ess=200.0)) != refine(Steck(), data, dag)
    with pytest.raises(OptionError, match="ess"):
        refine(Steck(), data, dag, score=BDeu(ess=0.0))


def test_thresholds_to_start_from_may_leave_levels_empty(data, dag):
    given = {name: [-100.0, 1.0, 1.0000001, 100.0] for name in EqualFrequency().fit(data).thresholds}
    cuts = refine(TopDown(), data, dag, Discretization(given))
    for column in cuts.apply(data).columns:
        assert np.all(np.bincount(column.values, minlength=column.cardinality) > 0)


def test_discrete_data_has_no_thresholds(data, dag):
    discrete = EqualFrequency().fit(data).apply(data)
    assert not refine(TopDown(), discrete, dag).thresholds


def test_names_must_fit(data, dag):
    with pytest.raises(GraphError, match="column 'charlie' is no node of the network"):
        refine(TopDown(), data, Dag(["alpha", "bravo"]))
    with pytest.raises(GraphError, match="node 'golf' of the network is no column of the data"):
        refine(TopDown(), data, Dag([*data.names, "golf"]))
    with pytest.raises(DataError, match="lack column 'alpha'"):
        refine(TopDown(), data, dag, Discretization({}))
    start = EqualFrequency().fit(data).thresholds
    with pytest.raises(DataError, match="unknown column 'golf'"):
        refine(TopDown(), data, dag, Discretization({**start, "golf": [0.5]}))
    with pytest.raises(DataError, match="column 'delta' is discrete"):
        refine(TopDown(), data, dag, Discretization({**start, "delta": [0.5]}))


class StopAtOnce:
    def report(self, progress):
        pass

    def should_stop(self):
        return True


def test_a_stop_returns_the_thresholds_so_far(data, dag):
    assert refine(TopDown(), data, dag, monitor=StopAtOnce()) == EqualFrequency().fit(data)
