"""Tables with fewer rows than their pairs of columns ask for."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise.problem import few_rows, rows_needed


def test_the_rows_needed_grow_with_the_logarithm_of_the_pairs():
    # n = 2: 3 + ((1.95996 + 0.84162) / 0.54931)^2 = 29.01; n = 20, 190 pairs: 3 + ((3.6492 + 0.8416) / 0.5493)^2 = 69.8
    assert [rows_needed(n) for n in (0, 1, 2, 20)] == [0, 0, 30, 70]
    needed = [rows_needed(n) for n in (2, 5, 10, 50, 100, 1000, 10_000)]
    assert needed == sorted(needed)
    assert needed[-1] < 200


def test_so_many_rows_find_a_correlation_and_no_chance_ones():
    """Pearson's r against the bound of all pairs: found in 4 of 5 tables, any false one in 1 of 20."""
    n_columns, tables, rng = 10, 2000, np.random.default_rng(1)
    n_rows = rows_needed(n_columns)
    bound = np.tanh(3.2608 / np.sqrt(n_rows - 3))  # the normal quantile of 1 - 0.05 / 90
    found = alarms = 0
    for _ in range(tables):
        table = rng.normal(size=(n_columns, n_rows))
        table[1] = 0.5 * table[0] + np.sqrt(0.75) * table[1]
        strong = np.abs(np.corrcoef(table)) > bound
        found += strong[0, 1]
        alarms += np.triu(strong[1:, 1:], 1).any()
    assert 0.77 < found / tables < 0.83
    assert alarms / tables < 0.05


@pytest.mark.parametrize("method", ["steck", "hill-climb", "pc", "mmhc", "kgv", "tpda", "neural"])
def test_too_few_rows_are_told_with_how_many_would_do(method):
    rng = np.random.default_rng(0)
    few = arcwise.learn(rng.normal(size=(12, 6)), method)
    assert [w for w in few.warnings if w.startswith("12 rows are few for 6 columns") and "about 51 rows" in w]
    assert not [
        w for w in arcwise.learn(rng.normal(size=(60, 6)), method).warnings if "rows are few for 6 columns" in w
    ]


def test_what_to_make_of_it_depends_on_whether_there_are_edges():
    assert "no edge means undecided" in few_rows(10, 5, edges=False)[0]
    assert "take the edges as hints" in few_rows(10, 5)[0]
    assert "a relation may be chance" in few_rows(10, 2)[0]
    assert few_rows(1000, 5) == ()
