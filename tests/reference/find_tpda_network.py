"""Makes tpda_network.json: five binary nodes on which TPDA errs although every probability is exact.

B -> A -> C, and D and E each a child of A, B and C. Cut off from each other by A alone, B and C are also joined by four
paths through the colliders D and E. TPDA begins with large conditioning sets, which open those paths, and removes the
node that lowers the information most: in these tables that is A. Random tables are tried until TPDA joins B and C at
every threshold of EPS while MMPC and PMMS, which begin with small sets, find the true skeleton.

Run: python -m tests.reference.find_tpda_network
"""

from __future__ import annotations

import json
from itertools import chain, combinations
from pathlib import Path

import numpy as np

from arcwise.constraint.tpda.tpda import TPDA
from arcwise.independence.oracle import ExactInformation
from arcwise.networks import BayesianNetwork

OUT = Path(__file__).with_name("tpda_network.json")
EPS = (1e-6, 1e-5, 1e-4, 1e-3, 2e-3)
NAMES = ("A", "B", "C", "D", "E")
PARENTS = (("B",), (), ("A",), ("A", "B", "C"), ("A", "B", "C"))


def draw(rng):
    """Tables in whole percent, so that they can be read and written down."""
    cpts = []
    for parents in PARENTS:
        percent = rng.integers(3, 98, size=2 ** len(parents))
        cpts.append(np.stack([percent, 100 - percent], axis=-1).ravel() / 100)
    return BayesianNetwork(NAMES, (("0", "1"),) * 5, PARENTS, tuple(cpts))


def tpda_skeleton(network, eps):
    test = ExactInformation(network, eps)
    return set(TPDA(test=test, unit="nats").learn(network.sample(2, 0), rng=np.random.default_rng(0)).cpdag.skeleton)


class MaxMin:
    """MMPC and PMMS in their plainest form, with the information (0 where below eps) for an association."""

    def __init__(self, network, eps, greedy):
        self.bound = ExactInformation(network, eps).bind(network.sample(2, 0))
        self.eps, self.greedy = eps, greedy

    def assoc(self, x, t, given):
        value = self.bound.test(x, t, sorted(given)).statistic
        return value if value >= self.eps else 0.0

    def least(self, x, t, pool):
        """The least association of x and t given subsets of the pool: of all, or of those a greedy search meets."""
        if not self.greedy:
            subsets = chain.from_iterable(combinations(sorted(pool), k) for k in range(len(pool) + 1))
            return min(self.assoc(x, t, given) for given in subsets)
        given, value = [], self.assoc(x, t, ())
        while value > 0 and len(given) < len(pool):
            best, node = min((self.assoc(x, t, [*given, u]), u) for u in sorted(pool - set(given)))
            if best >= value:
                break
            given, value = [*given, node], best
        return value

    def neighbours(self, t):
        found, left = set(), set(range(5)) - {t}
        while left:
            value, node = max((self.least(x, t, found), -x) for x in sorted(left))
            if value == 0:
                break
            found.add(-node)
            left.discard(-node)
        for x in sorted(found):
            if self.least(x, t, found - {x}) == 0:
                found.discard(x)
        return found

    def skeleton(self):
        near = [self.neighbours(t) for t in range(5)]
        return {(NAMES[a], NAMES[b]) for a, b in combinations(range(5), 2) if a in near[b] and b in near[a]}


def is_found(network):
    truth = {(min(edge), max(edge)) for edge in network.dag.edges}
    if any(tpda_skeleton(network, eps) != truth | {("B", "C")} for eps in reversed(EPS)):
        return False
    return all(MaxMin(network, eps, greedy).skeleton() == truth for eps in EPS for greedy in (False, True))


def main():
    rng = np.random.default_rng(7)
    tried, network = 1, draw(rng)
    while not is_found(network):
        tried, network = tried + 1, draw(rng)
    content = {**network.to_dict(), "name": "TPDA joins B and C", "source": f"find_tpda_network.py, draw {tried}"}
    OUT.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"draw {tried}: {OUT.name}")


if __name__ == "__main__":
    main()
