"""What is doubtful about learned thresholds: columns that mirror each other, and more levels than the rows can fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.copies import near_copies
from arcwise.data.discretization import Discretization
from arcwise.graph.dag import Dag
from arcwise.printing import counted, listed, option

if TYPE_CHECKING:  # it brings the compiled kernels along
    from arcwise.discretize.loop.learn_policy import WorkingTable


def threshold_doubts(table: WorkingTable, graph: Dag, cuts: Discretization, most: int | None) -> list[str]:
    """One sentence each. most: levels that a column was allowed; None: any number, and then many are doubtful."""
    data = table.data
    said, mirrored = _near_copies(table, graph)
    many = {} if most is not None else _many_levels(data.n_rows, cuts, mirrored)
    if many:
        fill = histogram_bins(data.n_rows)
        columns = listed([f"{name!r} ({levels:,})" for name, levels in many.items()])
        said.append(
            f"more levels than {counted(data.n_rows, 'row')} fill: {columns}; such columns are functions of others, or "
            f"rows come in groups that share values, and new groups will not be foretold; for fewer levels learn with "
            f"--method optimal --set max_levels={fill}"
        )
    return said


def histogram_bins(n_rows: int) -> int:
    """2 N^(1/3): as many bins as a histogram of N rows should have (the Rice rule)."""
    return max(2, int(2 * np.cbrt(n_rows)))


def _many_levels(n_rows: int, cuts: Discretization, mirrored: set[str]) -> dict[str, int]:
    levels = {name: len(thresholds) + 1 for name, thresholds in cuts.thresholds.items() if name not in mirrored}
    return {name: r for name, r in levels.items() if r > histogram_bins(n_rows)}


def _near_copies(table: WorkingTable, graph: Dag) -> tuple[list[str], set[str]]:
    """Of neighbours that are nearly the same each cut of one asks for a cut of the other, without end."""
    columns = {table.data.names[i]: table.data.columns[i] for i in table.continuous}
    orders = {table.data.names[i]: table.order[i] for i in table.continuous}
    pairs = [(columns[a], columns[b]) for a, b in graph.edges if a in columns and b in columns]
    said, mirrored = list[str](), set[str]()
    for group in near_copies(pairs, orders):
        names = listed([repr(column.name) for column in group])
        finest = max(group, key=lambda column: len(np.unique(column.values)))
        others = [column.name for column in group if column is not finest]
        remedy = f"the other with {option('drop', others[0])}" if len(others) == 1 else "the others"
        said.append(
            f"columns {names} are nearly the same but for rounding or a bend, so their thresholds mirror each other "
            f"and need not mean anything; keep {finest.name!r}, the finest, and leave out {remedy}"
        )
        mirrored |= {column.name for column in group}
    return said, mirrored
