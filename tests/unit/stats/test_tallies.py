"""Every question answered by tallies alone, as of rows that are elsewhere, has the last bits of the quick ways."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.errors import DataError
from arcwise.stats import contingency, packing
from arcwise.stats import counts as counts_module
from arcwise.stats.cells import LOG_LIKELIHOOD, Cells
from arcwise.stats.counts import Counts
from arcwise.stats.occurring import count_states, merge_states, numbered
from arcwise.stats.packing import shape_of
from arcwise.stats.tallies import Blocks
from tests.oracle.counting import discrete_table

CELLS = [Cells(1.0), Cells(1.0, spread=False), LOG_LIKELIHOOD]


class Parts:
    """Tallies of a table whose rows are in several places: answers of all places added up."""

    def __init__(self, data, ends):
        cards = np.array(data.cardinalities)
        self.shape = shape_of(cards, data.n_rows, data.n_stored)
        self.places = [
            Blocks(data.take(slice(a, b)), shape=self.shape) for a, b in zip([0, *ends], [*ends, None], strict=True)
        ]
        self.n_counted = sum(place.n_counted for place in self.places)
        self.cards = cards

    def base(self, child, plan):
        found = [place.base(child, plan) for place in self.places]
        return sum(totals for totals, _ in found), sum(table for _, table in found)

    def dense(self, *asked):
        return sum(place.dense(*asked) for place in self.places)

    def occurring(self, members):
        return merge_states([place.occurring(members) for place in self.places], self.cards[members].tolist())

    def pairs(self, x):
        return sum(place.pairs(x) for place in self.places)

    def levels(self):
        return sum(place.levels() for place in self.places)


@dataclass
class Far:
    """A table in which only Counts sees no rows."""

    data: object
    ends: list[int]

    def counts(self):
        counts = Counts(self.data)
        counts.tallies, counts.here, counts._block = Parts(self.data, self.ends), None, None
        counts.__dict__.pop("constant", None)
        return counts


def table(seed, weights=None, n_rows=400):
    rng = np.random.default_rng(seed)
    data = discrete_table(rng, [3, 2, 20, 4, 1, 3, 200, 2], n_rows)
    return data if weights is None else data.weighted(rng.integers(1, weights, n_rows))


def sets_of(rng, others, n=12, most=4):
    sets = np.full((n, most), -1, dtype=np.intp)
    for row in sets:
        chosen = rng.choice(others, rng.integers(0, most + 1), replace=False)
        row[: len(chosen)] = chosen
    return sets


@pytest.mark.parametrize("weights", [None, 3, 40])
@pytest.mark.parametrize("ends", [[], [100], [1, 17, 200, 399]])
def test_families_from_several_places(ends, weights):
    data, rng = table(1, weights), np.random.default_rng(2)
    here, far = Counts(data), Far(data, ends).counts()
    for child in (0, 2, 3):
        others = [u for u in range(8) if u != child]
        batches = [
            sets_of(rng, others),
            np.array([[u] for u in others]),
            np.array([[others[0], u] for u in others[1:]]),
        ]
        for sets in batches:
            for cells in CELLS:
                one, other = here.family_sums(child, sets, cells), far.family_sums(child, sets, cells)
                assert np.array_equal(one[0], other[0])
                assert np.array_equal(one[1], other[1])
    assert np.array_equal(here.table([2, 0, 3]), far.table([2, 0, 3]))
    assert np.array_equal(here.constant, far.constant)
    for x in range(8):
        assert np.array_equal(here.tables_with_later(x), far.tables_with_later(x))


@pytest.mark.parametrize("weights", [None, 3, 40])
@pytest.mark.parametrize("per_row", [0, 4])
@pytest.mark.parametrize("pearson", [False, True])
@pytest.mark.parametrize("rule", [0, 1, 2])
def test_tests_from_several_places(monkeypatch, rule, pearson, per_row, weights):
    monkeypatch.setattr(counts_module, "TEST_CELLS_PER_ROW", per_row)
    data, rng = table(3, weights), np.random.default_rng(4)
    here, far = Counts(data), Far(data, [5, 300]).counts()
    for least in (0.0, 0.5):
        rules = tuple(here.rules(pearson=pearson, rule=rule, min_per_cell=least))
        assert tuple(map(str, far.rules(pearson=pearson, rule=rule, min_per_cell=least))) == tuple(map(str, rules))
        for x, y in ((0, 3), (5, 1), (2, 6), (0, 4)):
            sets = sets_of(rng, [u for u in range(8) if u not in (x, y)], most=3)
            for one, other in zip(here.tests(x, y, sets, rules), far.tests(x, y, sets, rules), strict=True):
                assert np.array_equal(one, other, equal_nan=True)
        for x in range(7):
            for one, other in zip(here.pairs(x, rules), far.pairs(x, rules), strict=True):
                assert np.array_equal(one, other, equal_nan=True)


def test_tables_are_counted_some_at_a_time(monkeypatch):
    data, rng = table(5), np.random.default_rng(6)
    sets = sets_of(rng, [1, 2, 3, 5, 7])
    here, far = Counts(data), Far(data, [77]).counts()
    rules = tuple(here.rules())
    monkeypatch.setattr(contingency, "FLAT_CELLS", 100)
    assert np.array_equal(here.family_sums(0, sets, CELLS[0])[0], far.family_sums(0, sets, CELLS[0])[0])
    assert np.array_equal(here.tests(0, 6, sets, rules)[0], far.tests(0, 6, sets, rules)[0])


@pytest.mark.parametrize("block_rows", [64, 100])
def test_many_blocks_answer_as_one_does(monkeypatch, block_rows):
    data, rng = table(7), np.random.default_rng(8)
    whole = Counts(data)
    rules = tuple(whole.rules(min_per_cell=0.1))
    sets = sets_of(rng, [1, 2, 3, 4, 5, 7])
    asked = [
        lambda counts: counts.family_sums(0, sets, CELLS[0]),
        lambda counts: counts.tests(0, 6, sets, rules),
        lambda counts: counts.pairs(0, rules),
        lambda counts: (counts.constant, counts.tables_with_later(2)),
    ]
    expected = [ask(whole) for ask in asked]
    monkeypatch.setattr(packing, "BLOCK_ROWS", block_rows)
    blocks = Counts(data)
    assert len(blocks.here.packed.blocks) > 1
    for ask, one in zip(asked, expected, strict=True):
        for a, b in zip(one, ask(blocks), strict=True):
            assert np.array_equal(a, b, equal_nan=True)


@given(st.integers(0, 10_000), st.integers(1, 80), st.booleans(), st.lists(st.integers(1, 60), max_size=3))
@settings(max_examples=60, deadline=None)
def test_states_that_occur(seed, n_columns, weighted, ends):
    rng = np.random.default_rng(seed)
    cards = rng.integers(1, 5, n_columns).tolist()
    rows = rng.integers(0, 12, 60)  # so that some are equal
    columns = [rng.integers(0, card, 12)[rows] for card in cards]
    times = rng.integers(1, 9, 60) if weighted else np.zeros(0, dtype=np.intp)
    twin: dict[tuple[int, ...], int] = {}
    for i, state in enumerate(zip(*columns, strict=True)):
        twin[state] = twin.get(state, 0) + (int(times[i]) if weighted else 1)
    states, counts = count_states(columns, cards, times)
    assert dict(zip(zip(*states.tolist(), strict=True), counts.tolist(), strict=True)) == twin
    assert list(zip(*states.tolist(), strict=True)) == sorted(twin)
    places = [0, *sorted(ends), 60]
    parts = [count_states([column[a:b] for column in columns], cards, times[a:b]) for a, b in pairwise(places)]
    merged = merge_states(parts, cards)
    assert np.array_equal(merged[0], states)
    assert np.array_equal(merged[1], counts)


def test_numbers_of_states():
    states = np.array([[0, 0, 1, 1], [0, 2, 2, 2], [1, 0, 0, 1]])
    assert numbered(states[:0]).tolist() == [0, 0, 0, 0]
    assert numbered(states[:1]).tolist() == [0, 0, 1, 1]
    assert numbered(states[:2]).tolist() == [0, 1, 2, 2]
    assert numbered(states).tolist() == [0, 1, 2, 3]


def test_more_rows_than_can_be_counted_are_refused():
    data = table(9)
    data.__dict__["n_rows"] = 2**31
    with pytest.raises(DataError, match=r"2,147,483,648 rows; at most 2,147,483,647 can be counted"):
        Counts(data)
