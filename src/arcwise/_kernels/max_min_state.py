"""Where a max-min search stands: what max_min.py, all_sets.py and greedy_sets.py share.

state   of every column: status, size of its set, the set in the order its members joined, and for the first 0, 1, 2,
        ... of these the statistic, degrees of freedom and ln p (NaN: not worked out yet)
lists   members, loaded, wanted, index, pool, asked
answers of associations.py, then those of greedy_sets.py: columns, their best members and the answers about these
"""

import numpy as np

from arcwise._kernels.borrow import borrowing

CLOSED, OPEN, MEMBER = 0, 1, 2
FRESH, FORWARD, BACKWARD, DONE = 0, 1, 2, 3
# places in the cursor, after those of associations.py
PHASE, N_MEMBERS, N_REQUIRED, AT, JOINED, INSIDE, SIZE, DEPTH, TIES, TESTED = range(2, 12)
CURSOR = 12


@borrowing
def columns_asked(only, cards, status, asked):
    """How many columns there are to ask about, put into `asked`, and the fewest levels among them."""
    if only >= 0:
        asked[0] = only
        return 1, float(cards[only])
    n, narrowest = 0, np.inf
    for x in range(status.shape[0]):
        if status[x] == OPEN:
            asked[n] = x
            n += 1
            narrowest = min(narrowest, float(cards[x]))
    return n, narrowest
