"""Groups of nodes that are joined more closely than others: greedy modularity (Clauset, Newman, Moore 2004).

Of all pairs of groups, the two whose union raises the modularity Q most become one, as long as Q rises. With e_ab the
share of the edges' ends that join a and b, and a_a the share of all ends that are in a, it rises by
2 (e_ab - a_a a_b).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence


def communities(n: int, pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The nodes 0..n-1 in groups, the largest first; ties, of sizes and of merges, by the numbers of nodes."""
    members = {node: [node] for node in range(n)}
    share: dict[int, dict[int, float]] = {node: {} for node in range(n)}
    ends = dict.fromkeys(range(n), 0.0)
    for i, j in pairs:
        for one, other in ((i, j), (j, i)):
            share[one][other] = share[one].get(other, 0.0) + 1 / (2 * len(pairs))
            ends[one] += 1 / (2 * len(pairs))
    waiting: list[tuple[float, int, int]] = []

    def offer(a: int, b: int) -> None:
        gain = 2 * (share[a][b] - ends[a] * ends[b])
        if gain > 0:
            heapq.heappush(waiting, (-round(gain, 12), min(a, b), max(a, b)))

    for a, near in share.items():
        for b in near:
            if a < b:
                offer(a, b)
    while waiting:
        gain, a, b = heapq.heappop(waiting)
        if b not in share[a] if a in members else True:
            continue  # one of the two has gone into another group
        if gain != -round(2 * (share[a][b] - ends[a] * ends[b]), 12):
            continue  # one of them has grown since: the right number waits elsewhere
        members[a] = sorted(members[a] + members.pop(b))
        ends[a] += ends.pop(b)
        for other, part in share.pop(b).items():
            del share[other][b]
            if other != a:
                share[a][other] = share[a].get(other, 0.0) + part
                share[other][a] = share[a][other]
        for other in share[a]:
            offer(a, other)
    return sorted(members.values(), key=lambda nodes: (-len(nodes), nodes))
