"""Tables of a study: what is simulated is what it says, disguised, with the truth beside it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata

import arcwise
from arcwise import metrics
from arcwise.data.dataset import Kind
from arcwise.errors import OptionError
from arcwise.networks.table_kinds import FAMILIES, TABLE_KINDS, simulate
from arcwise.study.sources import SIMULATIONS, Wanted, checked_source, make

MIXED = {"simulate": "mixed", "nodes": 12, "edges": 14}
SIMULATED = [{"simulate": kind, "nodes": 8, "edges": 9} for kind in SIMULATIONS]


def wanted(rows=400, seed=1, noise=None, test_rows=100):
    return Wanted(rows, test_rows, noise, seed)


@pytest.mark.parametrize("source", SIMULATED, ids=lambda source: source["simulate"])
def test_simulations_have_rows_truth_and_disguise(source):
    table = make(source, wanted(), {})
    assert (table.train.n_rows, table.test.n_rows) == (400, 100)
    assert table.truth.names == table.train.names == table.test.names
    assert table.truth.n_edges == 9
    assert set(table.own_names) == set(table.train.names)
    assert sorted(table.own_names.values()) == sorted(f"X{i}" for i in range(1, 9))
    assert list(table.train.names) != sorted(table.train.names)
    again, other = make(source, wanted(), {}), make(source, wanted(seed=2), {})
    assert again.train.columns[0].values.tolist() == table.train.columns[0].values.tolist()
    assert again.truth == table.truth != other.truth


def test_every_kind_is_of_one_family_and_can_be_named_in_a_plan():
    kinds = [kind for family in FAMILIES.values() for kind in family]
    assert sorted(kinds) == sorted(TABLE_KINDS)
    assert set(SIMULATIONS) == {"linear", "additive", "mixed", *kinds}


@pytest.mark.parametrize("kind", TABLE_KINDS)
def test_ordinary_tables_are_those_of_their_seed(kind):
    """The same seed gives the same table, and another one another graph, whatever the place of the kind in a plan."""
    (first, dag), (again, same), (_, other) = (simulate(kind, nodes=9, edges=12, rows=60, seed=s) for s in (3, 3, 4))
    assert dag == same != other
    assert dag.n_edges == 12
    for one, two in zip(first.columns, again.columns, strict=True):
        assert (one.name, one.kind, one.levels) == (two.name, two.kind, two.levels)
        assert one.values.tobytes() == two.values.tobytes()


@pytest.mark.parametrize("kind", TABLE_KINDS)
def test_more_rows_of_ordinary_tables_have_the_same_relations(kind):
    """The graph, the kinds and levels of columns, and who depends on whom how strongly stay as they are."""
    few, dag = simulate(kind, nodes=8, edges=10, rows=4000, seed=5)
    many, same = simulate(kind, nodes=8, edges=10, rows=8000, seed=5)
    assert dag == same
    assert [(c.name, c.kind, c.levels) for c in few.columns] == [(c.name, c.kind, c.levels) for c in many.columns]
    numbers = [i for i, column in enumerate(few.columns) if column.kind is Kind.CONTINUOUS]
    ranks = [np.column_stack([rankdata(data.columns[i].values) for i in numbers]) for data in (few, many)]
    close = np.abs(np.corrcoef(ranks[0].T) - np.corrcoef(ranks[1].T)).max()
    assert close < 0.1
    for one, two in zip(few.columns, many.columns, strict=True):
        if one.kind is Kind.DISCRETE:
            shares = [np.bincount(c.values, minlength=c.cardinality) / len(c.values) for c in (one, two)]
            assert np.abs(shares[0] - shares[1]).max() < 0.05


def test_mixed_tables_are_half_and_half():
    for seed in range(5):
        table = make(MIXED, wanted(seed=seed), {})
        levels = [column for column in table.train.columns if column.kind is Kind.DISCRETE]
        numbers = [column for column in table.train.columns if column.kind is Kind.CONTINUOUS]
        assert len(levels) == len(numbers) == 6
        assert all(2 <= column.cardinality <= 4 for column in levels)
        assert all(abs(column.values.std() - 1) < 0.3 for column in numbers)


def test_every_parent_of_a_mixed_table_tells_something():
    """Twins of two, three and four levels and numbers: no edge is without effect, so all of them can be found."""
    found = []
    for seed in range(4):
        table = make(MIXED, wanted(20_000, seed), {})
        found.append(metrics.skeleton_errors(arcwise.learn(table.train, "gaussian").cpdag, table.truth))
    assert sum(one.omission for one in found) == 0
    assert np.mean([one.f1 for one in found]) > 0.95


def test_states_stay_as_they_are_whatever_the_noise():
    states = make({"network": "child", "readings": "states"}, wanted(noise=0.35), {}).train
    plain = make({"network": "child"}, wanted(), {}).train
    assert {column.kind for column in states.columns} == {Kind.DISCRETE}
    assert [c.values.tolist() for c in states.columns] == [c.values.tolist() for c in plain.columns]
    noisy = make({"network": "child"}, wanted(noise=0.35), {}).train
    assert {column.kind for column in noisy.columns} == {Kind.CONTINUOUS}


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        (
            {"simulate": "mixd", "nodes": 5, "edges": 3},
            "unknown simulation of source 's': 'mixd'; did you mean 'mixed'",
        ),
        ({"simulate": "mixed", "nodes": 5}, "source 's' needs edges, a whole number from 1"),
        ({"simulate": "mixed", "nodes": True, "edges": 1}, "source 's' needs nodes, a whole number from 1"),
        ({"simulate": "linear", "nodes": 4, "edges": 7}, "source 's' has 7 edges, and 4 nodes allow 6"),
        ({"network": "child", "readings": "some"}, "unknown readings of source 's': 'some'"),
    ],
)
def test_what_a_plan_may_not_say(entries, words):
    with pytest.raises(OptionError) as error:
        checked_source("s", entries, {})
    assert words in str(error.value)
