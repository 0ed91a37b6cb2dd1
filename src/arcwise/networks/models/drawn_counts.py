"""Counts of tables from draws of the missing cells, where their exact expectation would take too long.

Data augmentation (Tanner and Wong 1987): in turns the missing cells are drawn given their rows and the tables, and the
tables are estimated from the rows as they are. The mean of the counts over many turns stands for their expectation.
"""

from __future__ import annotations

import numpy as np

from arcwise.data.dataset import Dataset, FloatArray, code_dtype
from arcwise.graph.dag import Dag
from arcwise.networks.streams import stream
from arcwise.stats.hidden import HiddenCells

BURN_IN, KEPT, SWEEPS = 60, 120, 2


def drawn_counts(dag: Dag, table: Dataset) -> dict[str, FloatArray]:
    """Of each node: an axis for each parent, its own levels last. The columns are discrete, in the order of the nodes.

    The rows have an order of their own, and the random numbers always begin alike: the counts depend on the table only.
    """
    whole, rng = table.repeated(), stream(0, "network fitted to draws")
    cards = np.array(whole.cardinalities)
    codes = np.empty((whole.n_rows, len(cards)), dtype=code_dtype(int(cards.max())))
    hidden = np.zeros(codes.shape, dtype=np.bool_)
    for j, column in enumerate(whole.columns):
        codes[:, j] = column.values
        if column.missing is not None:
            hidden[:, j] = column.missing
            known = column.recorded if len(column.recorded) else np.arange(column.cardinality)
            codes[column.missing, j] = rng.choice(known, int(column.missing.sum()))
    cells = HiddenCells(codes, cards, hidden)
    families = {name: [whole.index(member) for member in (*dag.parents(name), name)] for name in dag.names}
    found = {name: np.zeros(int(np.prod(cards[family]))) for name, family in families.items()}
    for turn in range(BURN_IN + KEPT):
        cells.follow(dag.adjacency)
        cells.sweep(SWEEPS, rng)
        for name, family in families.items() if turn >= BURN_IN else ():
            at = np.ravel_multi_index(tuple(cells.codes[:, family].T.astype(np.intp)), tuple(cards[family]))
            found[name] += np.bincount(at, minlength=len(found[name])) / KEPT
    return {name: counts.reshape(cards[families[name]]) for name, counts in found.items()}
