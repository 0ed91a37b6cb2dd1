"""Folds: every row in one of them, whatever the order in which rows and columns came, and however rows are counted."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from arcwise.errors import OptionError
from arcwise.judging.folds import Folds
from tests.contract.parts import continuous_data, discrete_data, mixed_data
from tests.contract.test_missing_cells import with_holes
from tests.oracle.paired import held_out

TABLES = {"discrete": discrete_data, "continuous": continuous_data, "mixed": mixed_data}


def rows(data):
    """The rows as tuples, as often as they count."""
    whole = data.repeated().by_name()
    return list(zip(*(column.values.tolist() for column in whole.columns), strict=True))


def foretold(folds, k):
    stored = folds.owner[folds.held_out(k)]
    return [tuple(column.values[i].item() for column in folds.table.columns) for i in stored]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("weighted", [False, True])
def test_each_row_is_foretold_once_and_learned_from_otherwise(table, weighted):
    data = TABLES[table](60)
    if weighted:
        data = data.weighted(np.random.default_rng(1).integers(0, 5, 60))
    folds = Folds.of(data, 4, seed=3)
    sizes = [len(folds.held_out(k)) for k in range(4)]
    assert max(sizes) - min(sizes) <= 1
    assert sorted(np.concatenate([folds.held_out(k) for k in range(4)]).tolist()) == list(range(data.n_rows))
    for k, (learned, out) in enumerate(held_out(data, 4, 3)):
        assert Counter(rows(folds.train(k))) == Counter(learned)
        assert Counter(foretold(folds, k)) == Counter(out)


def test_orders_of_rows_and_columns_change_nothing():
    data = mixed_data(80)
    rng = np.random.default_rng(2)
    other = data.select(list(rng.permutation(data.names))).take(rng.permutation(80))
    for k in range(3):
        one, two = Folds.of(data, 3, 5), Folds.of(other, 3, 5)
        assert rows(one.train(k)) == rows(two.train(k))
        assert foretold(one, k) == foretold(two, k)


def test_a_weight_is_as_good_as_a_repeated_row():
    data = mixed_data(40)
    weights = np.random.default_rng(3).integers(0, 4, 40)
    one, two = Folds.of(data.weighted(weights), 3, 1), Folds.of(data.take(np.repeat(np.arange(40), weights)), 3, 1)
    for k in range(3):
        assert sorted(rows(one.train(k))) == sorted(rows(two.train(k)))
        assert sorted(rows(one.train(k, 20))) == sorted(rows(two.train(k, 20)))
        assert foretold(one, k) == foretold(two, k)


def test_missing_cells_stay_missing():
    data = with_holes(mixed_data(60))
    folds = Folds.of(data, 3, 1)
    whole = sum(folds.train(k).n_missing for k in range(3))
    assert whole == 2 * data.n_missing


def test_a_sample_is_the_beginning_of_a_larger_one():
    folds = Folds.of(continuous_data(100), 5, 2)
    few, more, all_of_them = (set(rows(folds.train(1, most))) for most in (10, 30, None))
    assert (len(few), len(more), len(all_of_them)) == (10, 30, 80)
    assert few < more < all_of_them
    assert len(folds.held_out(1, 7)) == 7
    assert set(folds.held_out(1, 7).tolist()) < set(folds.held_out(1).tolist())


def test_seeds_differ():
    data = continuous_data(50)
    assert Folds.of(data, 5, 1).held_out(0).tolist() != Folds.of(data, 5, 2).held_out(0).tolist()


@pytest.mark.parametrize(("n", "words"), [(1, "at least 2"), (6, "the table has 5 rows")])
def test_folds_that_cannot_be_are_refused(n, words):
    with pytest.raises(OptionError, match=words):
        Folds.of(continuous_data(5), n, 1)
