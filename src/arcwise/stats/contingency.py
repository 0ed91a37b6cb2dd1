"""Tests of independence of two discrete columns in the strata of others, from tallies or, in one block, from rows.

Both ways have the same last bits: a table of a test is laid out as (given columns, x, y), and evaluated by one kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.counts import contingency, strata
from arcwise._kernels.counts.contingency import Rules
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.stats.occurring import numbered
from arcwise.stats.tallies import Blocks, Tallies

CALL_WORK = 1 << 27  # rows times columns of one call of a kernel: some tenths of a second
FLAT_CELLS = 1 << 22  # cells of tables that are counted at a time
NOTHING: IntArray = np.empty((1, 0), dtype=np.intp)

Answers = tuple[FloatArray, FloatArray]  # statistics and degrees of freedom


def by_tallies(tallies: Tallies, cards: IntArray, x: int, y: int, sets: IntArray, rules: tuple[Any, ...]) -> Answers:
    """x < y given each of these sets, which are sorted and padded with -1: as the kernel `test_sets`."""
    limits = Rules(*rules)
    cells = np.where(sets >= 0, cards[sets], 1).prod(axis=1, dtype=np.float64) * float(cards[x] * cards[y])
    statistics, dfs = np.full((2, len(sets)), np.nan)
    asked = limits.n_rows >= limits.min_per_cell * cells
    for some in portions(np.flatnonzero(asked & (cells <= limits.dense_cells)), cells):
        offsets = np.concatenate([[0], np.cumsum(cells[some])]).astype(np.intp)
        extras = np.column_stack([sets[some], np.full(len(some), x)])
        flat = tallies.dense(y, NOTHING[0], extras, offsets)
        statistics[some], dfs[some] = contingency.evaluate_tables(flat, offsets, int(cards[x]), int(cards[y]), rules)
    for s in np.flatnonzero(asked & (cells > limits.dense_cells)).tolist():
        given = sets[s][sets[s] >= 0].tolist()
        statistics[s], dfs[s] = _by_states(tallies, cards, x, y, given, rules)
    return statistics, dfs


def _by_states(
    tallies: Tallies, cards: IntArray, x: int, y: int, given: list[int], rules: tuple[Any, ...]
) -> tuple[float, float]:
    """From the states that occur, where there could be too many."""
    states, counts = tallies.occurring([*given, x, y])
    z, xz = numbered(states[:-2]), numbered(states[:-1])
    yz: IntArray = np.unique(z * cards[y] + states[-1], return_inverse=True)[1]
    full = (cards[x] - 1.0) * (cards[y] - 1.0) * float(cards[given].prod(dtype=np.float64))
    found: tuple[float, float] = strata.test_states(z, xz, yz, counts, full, rules)
    return found


def pairs_by_tallies(tallies: Tallies, cards: IntArray, x: int, rules: tuple[Any, ...]) -> Answers:
    """x against each later column, given nothing."""
    limits, later = Rules(*rules), cards[x + 1 :]
    statistics, dfs = contingency.evaluate_pairs(tallies.pairs(x), later, rules)
    for i in np.flatnonzero(cards[x] * later > limits.dense_cells).tolist():
        (statistics[i],), (dfs[i],) = by_tallies(tallies, cards, x, x + 1 + i, NOTHING, rules)
    few = limits.n_rows < limits.min_per_cell * float(cards[x]) * later
    statistics[few] = dfs[few] = np.nan
    return statistics, dfs


def by_rows(here: Blocks, x: int, y: int, sets: IntArray, rules: tuple[Any, ...]) -> Answers:
    """As `by_tallies`, by kernels that go over all rows."""
    most = max(1, CALL_WORK // max(here.n_counted * (4 + sets.shape[1]), 1))
    if len(sets) > most:
        parts = [by_rows(here, x, y, sets[first : first + most], rules) for first in range(0, len(sets), most)]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    statistics: FloatArray
    dfs: FloatArray
    statistics, dfs = contingency.test_sets(here.codes, here.cards, here.weights, x, y, sets, rules)
    sparse = (dfs == contingency.SPARSE).nonzero()[0]
    if len(sparse):
        statistics[sparse], dfs[sparse] = strata.test_sets_sparsely(
            here.codes, here.cards, here.weights, x, y, sets[sparse], rules
        )
    return statistics, dfs


def pairs_by_rows(here: Blocks, x: int, rules: tuple[Any, ...]) -> Answers:
    statistics, dfs = contingency.test_pairs(here.codes, here.cards, here.weights, x, rules)
    for i in (dfs == contingency.SPARSE).nonzero()[0].tolist():
        (statistics[i],), (dfs[i],) = by_rows(here, x, x + 1 + i, NOTHING, rules)
    return statistics, dfs


def portions(chosen: IntArray, cells: NDArray[Any]) -> Iterator[IntArray]:
    """These families, as many at a time as have FLAT_CELLS cells; one at least."""
    first, taken = 0, 0.0
    for i, s in enumerate(chosen.tolist()):
        if taken and taken + cells[s] > FLAT_CELLS:
            yield chosen[first:i]
            first, taken = i, 0.0
        taken += cells[s]
    if first < len(chosen):
        yield chosen[first:]
