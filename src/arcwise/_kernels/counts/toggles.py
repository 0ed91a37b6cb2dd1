"""The families around one: each column toggled in turn."""

import numpy as np

from arcwise._kernels.compiled import kernel


@kernel
def additions(child, members, candidates, cards, max_parents, max_table, itself):
    """(near, sets): columns that may join these parents of the child, and the parents with each of them.

    candidates[u, v]: u may be a parent of v. cards: levels of each column. max_table: most cells of a family's table.
    itself: the child comes last in `near`, with the parents as they are, -1 in the place of one more.
    """
    n, size = candidates.shape[0], members.shape[0]
    cells = float(cards[child])
    for m in range(size):
        cells *= cards[members[m]]
    near = np.empty(n, dtype=np.int64)
    n_near = 0
    if size < max_parents:
        for u in range(n):
            if u != child and candidates[u, child] and cells * cards[u] <= max_table:
                near[n_near] = u
                n_near += 1
                for m in range(size):
                    if members[m] == u:
                        n_near -= 1
    if itself:
        near[n_near] = child
        n_near += 1
    sets = np.empty((n_near, size + 1), dtype=np.int64)
    for i in range(n_near):
        for m in range(size):
            sets[i, m] = members[m]
        sets[i, size] = near[i] if near[i] != child else -1
    return near[:n_near], sets


@kernel
def sizes(parent_sets):
    """How many parents each set has; -1 is none."""
    found = np.zeros(parent_sets.shape[0])
    for s in range(parent_sets.shape[0]):
        for m in range(parent_sets.shape[1]):
            found[s] += parent_sets[s, m] >= 0
    return found
