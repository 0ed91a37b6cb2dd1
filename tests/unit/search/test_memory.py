"""Scores kept from one search to the next, when only some columns have changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arcwise.data.dataset import Column
from arcwise.problem import Memory, Problem
from arcwise.search import HillClimb, Tabu
from tests.oracle.counting import discrete_table

CARDS = [3, 2, 4, 2, 3, 2, 3]


def recut(data, changed, seed):
    """The same table with new values in some columns, of another number of levels."""
    rng = np.random.default_rng(seed)
    columns = list(data.columns)
    for i in changed:
        card = int(rng.integers(2, 6))
        codes = (columns[i].values + rng.integers(0, 2, data.n_rows)) % card
        codes[:card] = np.arange(card)
        levels = tuple(map(str, range(card)))
        columns[i] = Column(columns[i].name, columns[i].kind, codes.astype(np.uint8), levels)
    return replace(data, columns=tuple(columns))


@pytest.mark.parametrize("search", [HillClimb(), HillClimb(max_table=24, max_parents=2), Tabu(patience=5)])
@pytest.mark.parametrize("changes", [[], [[]], [[2]], [[0, 5], [1], [1, 3, 6]], [[0, 1, 2, 3, 4, 5, 6]]])
def test_memory_saves_work_and_changes_nothing(search, changes):
    data, memory = discrete_table(np.random.default_rng(5), CARDS, 500), Memory()
    tables = [data]
    for seed, changed in enumerate(changes):
        tables.append(recut(tables[-1], changed, seed))
    for turn, table in enumerate(tables):
        fresh = search.learn(table, rng=np.random.default_rng(0))
        kept = search.solve(replace(Problem.of(table, rng=np.random.default_rng(0)), memory=memory))
        assert [step.action for step in kept.trace] == [step.action for step in fresh.trace]
        assert (kept.graph, kept.score) == (fresh.graph, pytest.approx(fresh.score, rel=1e-12))
        assert kept.counters.score_asked == fresh.counters.score_asked
        partly = turn > 0 and len(changes[turn - 1]) < len(CARDS)
        if partly:
            assert kept.counters.score_computed < fresh.counters.score_computed
        else:
            assert kept.counters.score_computed == fresh.counters.score_computed
        if turn > 0 and not changes[turn - 1]:
            assert kept.counters.score_computed == 0
