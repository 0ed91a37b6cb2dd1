"""Sets in batches: every set once, in order, whatever the size of the batches."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arcwise.constraint import separate as module
from arcwise.constraint.separate import LARGEST_BATCH, Separation, Separations, batches, separate, subsets
from arcwise.parts.protocols import TestResult


def never():
    return False


class Told:
    """A test that says `values[set]`, 0 for others, and remembers what it was asked."""

    def __init__(self, values, first_batch):
        self.values, self.first_batch, self.asked = values, first_batch, []

    def test(self, x, y, given):
        return TestResult(self.values.get(tuple(given), 0.0))

    def p_values(self, x, y, given_sets):
        sets = [tuple(row) for row in given_sets.tolist()]
        self.asked += sets
        return np.array([self.test(x, y, s).value for s in sets])


def test_sets_of_both_sides_come_once():
    found = list(subsets([1, 2, 3], [2, 3, 4], 2))
    assert found == [(1, 2), (1, 3), (2, 3), (4, 2), (4, 3)]
    assert list(subsets([], [5], 0)) == [()]
    assert list(subsets([1], [1, 2], 2)) == [(2, 1)]
    rng = np.random.default_rng(0)
    for _ in range(50):
        near, also = (np.flatnonzero(rng.random(7) < 0.6).tolist() for _ in range(2))
        for size in range(5):
            got = [frozenset(s) for s in subsets(near, also, size)]
            assert len(got) == len(set(got))
            assert set(got) == {frozenset(s) for s in (*combinations(near, size), *combinations(also, size))}


@pytest.mark.parametrize("first", [1, 3, 256])
def test_batches_hold_all_sets_in_order_and_grow(first):
    sizes, sets = [], []
    for batch in batches(combinations(range(14), 4), 4, first):
        sizes.append(len(batch))
        sets += [tuple(row) for row in batch.tolist()]
    assert sets == list(combinations(range(14), 4))
    assert sizes[0] == first
    assert max(sizes) <= LARGEST_BATCH
    assert sizes[:-1] == sorted(sizes[:-1])
    assert [batch.shape for batch in batches(combinations(range(3), 0), 0, first)] == [(1, 0)]
    assert list(batches(combinations(range(3), 5), 5, first)) == []


@pytest.mark.parametrize("first", [1, 2, 64])
def test_the_first_separating_set_is_found_and_counted_alike_in_any_batches(first):
    values = {(0, 1): np.nan, (0, 3): 0.3, (1, 2): 0.9, (0, 2): 0.0499}
    answer = separate(Told(values, first), 0.05, (8, 9), 2, [0, 1, 2, 3], [], never)
    assert (answer.found.given, answer.found.value) == ((0, 3), 0.3)
    assert (answer.tests, answer.skipped) == (3, 1)
    answer = separate(Told(values, first), 0.95, (8, 9), 2, [0, 1, 2], [2, 3], never)
    assert answer.found is None
    assert (answer.tests, answer.skipped) == (4, 1)


def test_a_wish_to_stop_is_heard_between_batches():
    test = Told({}, 2)
    answers = iter([False, False, True])
    answer = separate(test, 0.05, (8, 9), 1, range(8), [], lambda: next(answers))
    assert answer.found is None
    assert test.asked == [(u,) for u in range(6)]


def test_separations_are_those_of_a_dictionary(monkeypatch):
    rng = np.random.default_rng(3)
    values = np.where(np.triu(rng.random((6, 6)) < 0.6, 1), rng.random((6, 6)), np.nan)
    plain = {(x, y): Separation((), values[x, y]) for x, y in np.argwhere(~np.isnan(values)).tolist()}
    found = Separations(values)
    assert found == plain
    for pair, given in (((0, 1), (2, 3)), ((4, 5), (1,)), ((2, 3), ())):
        plain[pair] = found[pair] = Separation(given, 0.25)
    assert found == plain
    assert len(found) == len(plain) == len(list(found))
    assert set(found) == set(plain)
    apart = next(pair for pair in combinations(range(6), 2) if pair not in plain)
    assert apart not in found
    with pytest.raises(KeyError):
        found[apart]
    assert found.listed("abcdef") == ({pair: one.given for pair, one in plain.items()}, [])
    assert Separations() == {}
    monkeypatch.setattr(module, "MOST_LISTED", 5)
    some, told = found.listed("abcdef")
    assert some == {(0, 1): (2, 3), (4, 5): (1,), (2, 3): ()}
    assert told[0].startswith(f"{len(plain) - 3} pairs of the 6 columns are independent by themselves")
