"""LearnDP: the thresholds of all columns, given a network (Fu 2005, Algorithm 2)."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from arcwise.discretize.loop.working import WorkingTable
from arcwise.discretize.thresholds.neighbourhood import Family
from arcwise.errors import OptionError
from arcwise.parts.monitor import Monitor, Progress
from arcwise.parts.protocols import ColumnSearch

# What a column's thresholds depend on: its parents, its children with their other parents, and the versions of these.
Surroundings = tuple[tuple[int, ...], tuple[Family, ...], tuple[int, ...]]


def learn_policy(
    table: WorkingTable,
    adj: NDArray[np.bool_],
    search: ColumnSearch,
    monitor: Monitor,
    settled: dict[int, Surroundings],
) -> tuple[set[int], int]:
    """Cut the columns of `table` anew until none gains; (columns that changed, partitions evaluated).

    Changing one column's levels changes the joint score by exactly the change of its local score, so every acceptance
    raises the joint score and the queue runs dry. `settled` remembers, from call to call, the surroundings in which a
    column was last looked at: in the same ones the search would end the same.
    """
    parents = [np.flatnonzero(adj[:, i]).tolist() for i in range(len(adj))]
    children = [np.flatnonzero(adj[i]).tolist() for i in range(len(adj))]
    queue = deque(i for i in table.continuous if table.values[i][0] < table.values[i][-1])
    able = set(queue)  # a constant column cannot be cut
    changed: set[int] = set()
    calls = 0
    while queue and not monitor.should_stop():
        i = queue.popleft()
        families = tuple(Family(c, tuple(p for p in parents[c] if p != i)) for c in children[i])
        spouses = sorted(p for family in families for p in family.others)
        blanket = list(dict.fromkeys([*parents[i], *children[i], *spouses]))
        surroundings = (tuple(parents[i]), families, tuple(table.version[j] for j in blanket))
        if settled.get(i) == surroundings:
            continue
        settled[i] = surroundings
        around = table.around(i, parents[i], families)
        name = table.data.names[i]
        try:
            new, evaluated = search.improve(around, table.starts[i])
        except OptionError as error:  # a search does not know the column's name
            raise OptionError(f"column {name!r}: {error}") from None
        calls += evaluated
        if new is not None:
            table.cut(i, new.starts)
            changed.add(i)
            monitor.report(Progress("thresholds", len(changed), message=f"{name}: {new.n_levels} levels"))
            for j in blanket:
                if j in able and j not in queue:
                    queue.append(j)
    return changed, calls
