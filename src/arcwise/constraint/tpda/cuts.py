"""The question that TPDA asks: is there a set of nodes on the paths between x and y that cuts them off?"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.parts.protocols import BoundInformation, PairwiseInformation, tolerance

Given = tuple[int, ...]


class Evidence:
    """Informations, each computed once. No answer for too few rows (NaN) counts as endless: it shows no independence.

    pairs[x, y]: information given nothing. ties: choices between sets that names had to make.
    """

    def __init__(self, test: BoundInformation, n: int) -> None:
        self.test = test
        self._known: dict[tuple[int, int, Given], float] = {}
        self.ties = 0
        self.pairs = test.pairwise_information() if isinstance(test, PairwiseInformation) else _one_by_one(test, n)
        self.n_pairs = n * (n - 1) // 2

    @property
    def tests(self) -> int:
        """Informations computed."""
        return self.n_pairs + len(self._known)

    @property
    def unanswered(self) -> int:
        """Those of them that had too few rows."""
        of_pairs = np.count_nonzero(np.isnan(self.pairs[np.triu_indices(len(self.pairs), 1)]))
        return int(of_pairs) + sum(value == np.inf for value in self._known.values())

    def asked(self) -> list[tuple[int, int, Given]]:
        """(x, y, S) of every information given something."""
        return list(self._known)

    def of(self, x: int, y: int, sets: Sequence[Given]) -> FloatArray:
        """I(x; y | S) for sets S of one size, x < y; the new ones in one batch."""
        if not sets[0]:
            return _endless_for_nan(self.pairs[[x], [y]])
        new = [given for given in sets if (x, y, given) not in self._known]
        if new:
            values = self.test.information(x, y, np.array(new, dtype=np.intp))
            for given, value in zip(new, _endless_for_nan(values).tolist(), strict=True):
                self._known[x, y, given] = value
        return np.array([self._known[x, y, given] for given in sets])


def find_cut(evidence: Evidence, x: int, y: int, start: Collection[int], eps: float) -> tuple[Given, float] | None:
    """A subset of `start` with I(x; y | cut) < eps, and that information; None where the search finds none.

    Of the sets with one node less the one with the least information is next, as long as that does not rise: fewer
    open paths, less information, is what TPDA assumes. O(|start|^2) informations.
    """
    given = tuple(sorted(start))
    value = float(evidence.of(x, y, [given])[0])
    if value < eps:
        return given, value
    while len(given) > 1:
        smaller = [given[:i] + given[i + 1 :] for i in range(len(given))]
        values = evidence.of(x, y, smaller)
        least = float(values.min())
        tied = (values <= least + tolerance(least)).nonzero()[0]
        evidence.ties += len(tied) > 1
        chosen = int(tied[0])
        if values[chosen] < eps:
            return smaller[chosen], float(values[chosen])
        if values[chosen] > value + tolerance(value):
            return None
        given, value = smaller[chosen], float(values[chosen])
    return None


def _endless_for_nan(values: FloatArray) -> FloatArray:
    return np.where(np.isnan(values), np.inf, values)


def _one_by_one(test: BoundInformation, n: int) -> FloatArray:
    nothing: IntArray = np.empty((1, 0), dtype=np.intp)
    out = np.zeros((n, n))
    for x in range(n):
        for y in range(x + 1, n):
            out[x, y] = out[y, x] = test.information(x, y, nothing)[0]
    return out
