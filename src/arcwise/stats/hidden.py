"""Rows of levels some of whose cells are hidden: missing, or known by a likelihood only. Drawn from a network."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.evidence import gibbs
from arcwise.data.dataset import BoolArray, CodeArray, FloatArray, IntArray
from arcwise.stats.threads import map_threads, n_threads

PRIOR = 1.0  # rows that the prior of each configuration of a table is worth
FEWEST = 500  # rows for which a thread is worth its start


class Places(NamedTuple):
    """Some cells, and for each where the numbers of its levels begin."""

    rows: IntArray
    columns: IntArray
    starts: IntArray


class HiddenCells:
    """The rows while their hidden cells are drawn. `codes` are what they are now: (rows, columns), to be read only.

    Each row has a random stream of its own, numbered by its position: callers put rows into an order that does not
    depend on how they came.
    """

    def __init__(self, codes: NDArray[Any], cards: IntArray, hidden: BoolArray) -> None:
        """cards: levels of each column. hidden: which cells are drawn; `codes` are those to begin with."""
        n_rows, n_columns = codes.shape
        self.cards = np.asarray(cards, dtype=np.int64)
        self._cells = gibbs.Cells(
            codes=np.array(codes, order="C"),
            configurations=np.zeros((n_rows, n_columns), dtype=np.int32),
            hidden=np.ascontiguousarray(hidden),
            likelihood=np.ones((n_rows, 0), dtype=np.float32),
            likelihood_at=np.full(n_columns, gibbs.NONE, dtype=np.int64),
        )
        self._drawn = np.flatnonzero(np.any(hidden, axis=0))
        self._network = _network(np.zeros((n_columns, n_columns), dtype=np.bool_), self.cards)
        most = int(self.cards.max(initial=1))
        self._rooms = [np.empty(most) for _ in range(max(1, min(n_threads(), n_rows // FEWEST)))]

    @property
    def codes(self) -> CodeArray:
        return self._cells.codes

    @property
    def hidden(self) -> BoolArray:
        return self._cells.hidden

    def observe(self, likelihoods: Mapping[int, FloatArray]) -> None:
        """What is known of columns by position: (rows, levels), in proportion to p(what was recorded | level).

        They are kept in 32 bits: the largest of each row should be near 1.
        """
        at, begin = self._cells.likelihood_at, 0
        at[:] = gibbs.NONE
        for j in sorted(likelihoods):
            at[j] = begin
            begin += int(self.cards[j])
        joined = np.empty((len(self.codes), begin), dtype=np.float32)
        for j, values in likelihoods.items():
            joined[:, at[j] : at[j] + self.cards[j]] = values
        self._cells = self._cells._replace(likelihood=joined)

    def follow(self, adj: BoolArray) -> None:
        """Take this graph, with tables estimated from the rows as they are now."""
        self._network = _network(adj, self.cards)
        gibbs.settle(self._network, self._cells, PRIOR)

    def sweep(self, times: int, rng: np.random.Generator) -> int:
        """Draw every hidden cell so many times, columns in random order; how many cells changed."""
        order = rng.permutation(self._drawn)
        seed = np.uint64(rng.integers(2**64, dtype=np.uint64))
        edges = [len(self.codes) * part // len(self._rooms) for part in range(len(self._rooms) + 1)]

        def part(share: tuple[tuple[int, int], FloatArray]) -> int:
            (first, last), room = share
            return gibbs.sweep(self._network, self._cells, order, times, seed, first, last, room)

        return sum(map_threads(part, list(zip(pairwise(edges), self._rooms, strict=True))))

    def add_probabilities(self, places: Places, shares: NDArray[np.float32]) -> None:
        """Add to `shares` how probable each level of these hidden cells is, given the rest of their rows as drawn.

        Means of these over draws are closer to the truth than the shares of the draws themselves.
        """
        gibbs.add_probabilities(self._network, self._cells, *places, shares, self._rooms[0])


def _network(adj: BoolArray, cards: IntArray) -> gibbs.Network:
    """Room for the tables of a graph; adj[i, j] means i -> j."""
    n = len(cards)
    children: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    sizes = []
    for j in range(n):
        stride = 1
        for parent in adj[:, j].nonzero()[0][::-1].tolist():
            children[parent].append((j, stride))
            stride *= int(cards[parent])
        sizes.append(stride * int(cards[j]))
    flat = [pair for own in children for pair in own]
    return gibbs.Network(
        tables=np.zeros(sum(sizes)),
        first=np.cumsum([0, *sizes[:-1]], dtype=np.int64),
        cards=cards,
        children_from=np.cumsum([0, *map(len, children)], dtype=np.int64),
        children=np.array([child for child, _ in flat], dtype=np.int64),
        strides=np.array([stride for _, stride in flat], dtype=np.int64),
    )
