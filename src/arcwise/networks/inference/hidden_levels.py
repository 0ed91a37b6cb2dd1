"""Rows of levels some of whose cells are hidden, in a network of tables: what the others say about them, exactly.

Each row is asked by itself, with tables of its hidden nodes only, so that it does not matter how many different
patterns of hidden cells there are. The work grows with the largest group of hidden nodes that depend on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.evidence import buckets
from arcwise.data.dataset import BoolArray, FloatArray, IntArray
from arcwise.errors import OptionError
from arcwise.networks.inference.orders import smallest_tables
from arcwise.stats.threads import map_threads, n_threads

MOST_ROOM = 2**25  # numbers in the tables of one row: 256 MiB
MOST_WORK = 2**34  # numbers in those of all rows: a few minutes
FEWEST = 200  # rows for which a thread is worth its start
PARTS = 8  # of the rows, when counts are added: as many on any number of threads, so that sums are the same
MOST_COUNTS = 2**23  # numbers in the counts of all parts
NEGLIGIBLE = 1e-12  # likelihood of a level, next to the largest, that is left out where tables would be too large
# About these rows from first to before last, in this room; the part.
Ask = Callable[[buckets.Rows, int, int, buckets.Room, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class HiddenLevels:
    """codes: (rows, nodes) uint16, whatever stands in hidden cells; hidden: which are.

    read: of nodes whose hidden cells were read with noise, (rows, levels) the likelihood of each level, the largest of
    a cell 1; NaN where there is no reading. What is recorded, below, includes what is read.
    tables: of each node, an axis for each parent in order, its own levels last.

    Sums are exact with `least` 0. Levels whose reading is less than `least` times as likely as the likeliest one are
    left out of a row; where tables would be too large, those below NEGLIGIBLE are.
    """

    parents: Sequence[Sequence[int]]
    codes: NDArray[np.uint16]
    hidden: BoolArray
    read: Mapping[int, FloatArray] = field(default_factory=dict)
    least: float = 0.0

    def log_densities(self, tables: Sequence[FloatArray]) -> FloatArray:
        """(rows,) ln p(recorded cells)."""
        network, found = self._network(tables), np.empty(len(self.codes))

        def ask(rows: buckets.Rows, first: int, last: int, room: buckets.Room, _: int) -> None:
            buckets.log_densities(network, rows, first, last, room, found)

        self._each(network, buckets.NO, ask)
        return found

    def posteriors(self, tables: Sequence[FloatArray], target: int) -> FloatArray:
        """(rows, levels) P(level of the target | the recorded cells of all others); NaN in impossible rows."""
        hidden = self.hidden.copy()
        hidden[:, target] = True
        others = {node: likelihoods for node, likelihoods in self.read.items() if node != target}
        asked = HiddenLevels(self.parents, self.codes, hidden, others, self.least)
        network, found = asked._network(tables, target), np.empty((len(self.codes), tables[target].shape[-1]))

        def ask(rows: buckets.Rows, first: int, last: int, room: buckets.Room, _: int) -> None:
            buckets.posteriors(network, rows, target, first, last, room, found)

        asked._each(network, target, ask)
        return found

    def shares(self, tables: Sequence[FloatArray]) -> list[FloatArray]:
        """For each node (hidden cells, levels): P(level | the recorded cells of the row), the rows in order."""
        network, cards = self._network(tables), np.array([table.shape[-1] for table in tables])
        widths = self.hidden @ cards
        starts = np.cumsum(widths) - widths
        flat = np.empty(int(widths.sum()))

        def ask(rows: buckets.Rows, first: int, last: int, room: buckets.Room, _: int) -> None:
            buckets.shares(network, rows, first, last, room, starts, flat)

        self._each(network, buckets.EVERY, ask)
        found, at = [], starts.copy()
        for v, card in enumerate(cards.tolist()):
            rows = self.hidden[:, v].nonzero()[0]
            found.append(flat[at[rows, None] + np.arange(card)])
            at[rows] += card
        return found

    def draw(self, tables: Sequence[FloatArray], rng: np.random.Generator) -> NDArray[np.uint16]:
        """The codes with one draw of the hidden cells, all of a row together, in the order of the rows."""
        network, drawn = self._network(tables), self.codes.copy()
        counts = np.count_nonzero(self.hidden, axis=1)
        starts, uniform = np.cumsum(counts) - counts, rng.random(int(counts.sum()))

        def ask(rows: buckets.Rows, first: int, last: int, room: buckets.Room, _: int) -> None:
            buckets.draw(network, rows._replace(codes=drawn), first, last, room, starts, uniform)

        self._each(network, buckets.EVERY, ask)
        return drawn

    def expected_counts(
        self, tables: Sequence[FloatArray], weights: FloatArray
    ) -> tuple[list[FloatArray], FloatArray, dict[int, FloatArray]]:
        """(the expected count of each cell of each table, ln p of the recorded cells of each row, P(level) as `read`).

        The last are 0 where there is no reading.
        """
        network, logs = self._network(tables), np.empty(len(self.codes))
        parts = min(PARTS, max(MOST_COUNTS // len(network.tables), 1))
        counts, found = np.zeros((parts, len(network.tables))), np.zeros(len(self.codes) * sum(self._widths))

        def ask(rows: buckets.Rows, first: int, last: int, room: buckets.Room, part: int) -> None:
            buckets.add_counts(network, rows, weights, first, last, room, counts[part], logs, found)

        self._each(network, buckets.NO, ask, parts)
        total, ends = counts.sum(axis=0), (*network.first[1:].tolist(), len(network.tables))
        pairs = zip(tables, network.first.tolist(), ends, strict=True)
        return [total[first:last].reshape(table.shape) for table, first, last in pairs], logs, self._by_node(found)

    def work(self, tables: Sequence[FloatArray]) -> float:
        """Numbers in the tables of all rows when counts are expected: the time that takes is in proportion."""
        return float(self._sizes(self._network(tables), buckets.NO, self._rows(self.least)).sum())

    def _sizes(self, network: buckets.Network, wanted: int, rows: buckets.Rows) -> FloatArray:
        sizes = np.empty(len(self.codes))
        buckets.sizes(network, rows, wanted, _room(len(network.cards), 0), sizes)
        return sizes

    def _rows(self, least: float) -> buckets.Rows:
        starts = np.full(len(self.parents), -1, dtype=np.int64)
        starts[list(self.read)] = np.cumsum([0, *self._widths[:-1]]) if self.read else []
        read = np.concatenate([np.empty((len(self.codes), 0)), *self.read.values()], axis=1)
        return buckets.Rows(self.codes, self.hidden, starts, np.ascontiguousarray(read), least)

    @property
    def _widths(self) -> list[int]:
        return [likelihoods.shape[1] for likelihoods in self.read.values()]

    def _by_node(self, found: FloatArray) -> dict[int, FloatArray]:
        """What is laid out as all likelihoods, for each node."""
        parts = np.split(found.reshape(len(self.codes), -1), np.cumsum(self._widths), axis=1)
        return dict(zip(self.read, parts, strict=False))

    def _each(self, network: buckets.Network, wanted: int, ask: Ask, parts: int | None = None) -> None:
        """Ask about all rows, in so many parts."""
        n_rows = len(self.codes)
        if not n_rows:
            return
        rows = self._rows(self.least)
        sizes = self._sizes(network, wanted, rows)
        if self.read and _is_too_large(sizes):
            rows = self._rows(max(self.least, NEGLIGIBLE))
            sizes = self._sizes(network, wanted, rows)
        _check_size(sizes)
        count = max(1, min(n_threads(), n_rows // FEWEST)) if parts is None else parts
        edges = list(pairwise(n_rows * part // count for part in range(count + 1)))

        def ask_part(part: int) -> None:
            first, last = edges[part]
            ask(rows, first, last, _room(len(network.cards), int(sizes[first:last].max(initial=0))), part)

        map_threads(ask_part, range(count))

    def _network(self, tables: Sequence[FloatArray], last: int | None = None) -> buckets.Network:
        """last: the node that is eliminated last."""
        cards = np.array([table.shape[-1] for table in tables], dtype=np.int64)
        families: list[list[int]] = [[] for _ in tables]
        members, strides = [], []
        for node, own in enumerate(self.parents):
            shape = tables[node].shape
            for axis, member in enumerate((*own, node)):
                families[member].append(node)
                members.append(member)
                strides.append(prod(shape[axis + 1 :]))
        counts = [len(own) + 1 for own in self.parents]
        sizes = [table.size for table in tables]
        share = self.hidden.mean(axis=0) if len(self.hidden) else np.ones(len(cards))
        # A node that is hidden in a share h of the rows makes a table larger by 1 + h (levels - 1) on average.
        logs = np.log1p(share * (cards - 1)).tolist()
        order = smallest_tables(
            [(*own, node) for node, own in enumerate(self.parents)], logs, () if last is None else (last,)
        )
        return buckets.Network(
            tables=np.concatenate([table.ravel() for table in tables]),
            first=np.cumsum([0, *sizes[:-1]], dtype=np.int64),
            cards=cards,
            members_from=np.cumsum([0, *counts], dtype=np.int64),
            members=np.array(members, dtype=np.int64),
            strides=np.array(strides, dtype=np.int64),
            families_from=np.cumsum([0, *map(len, families)], dtype=np.int64),
            families=np.array([family for own in families for family in own], dtype=np.int64),
            order=np.array(order, dtype=np.int64),
            upward=_upward(self.parents),
        )


def _upward(parents: Sequence[Sequence[int]]) -> IntArray:
    """All nodes, children before parents."""
    children = np.bincount([parent for own in parents for parent in own], minlength=len(parents))
    waiting, order = np.flatnonzero(children == 0).tolist(), []
    while waiting:
        node = waiting.pop()
        order.append(node)
        for parent in parents[node]:
            children[parent] -= 1
            if not children[parent]:
                waiting.append(parent)
    return np.array(order, dtype=np.int64)


def _room(n_nodes: int, size: int) -> buckets.Room:
    return buckets.Room(
        numbers=np.empty(size),
        cards=np.zeros(n_nodes, dtype=np.int64),
        low=np.zeros(n_nodes, dtype=np.int64),
        place=np.zeros(n_nodes, dtype=np.int64),
        node=np.zeros(n_nodes, dtype=np.int64),
        bucket=np.zeros(n_nodes, dtype=np.int64),
        scope=np.zeros((n_nodes, n_nodes), dtype=np.bool_),
        axes=np.zeros((n_nodes, n_nodes), dtype=np.int64),
        shape=np.zeros((n_nodes, 5), dtype=np.int64),
        odometer=np.zeros((3, n_nodes + 1), dtype=np.int64),
    )


def _is_too_large(sizes: FloatArray) -> bool:
    return bool(sizes.max() > MOST_ROOM or sizes.sum() > MOST_WORK)


def _check_size(sizes: FloatArray) -> None:
    if _is_too_large(sizes):
        raise OptionError(
            f"the exact answer needs tables of {sizes.max():.3g} numbers for one row, {sizes.sum():.3g} for all "
            f"(limits {MOST_ROOM:,} and {MOST_WORK:,}): too many missing cells depend on each other, or too many "
            "hidden states; ask for fewer rows, or give more columns"
        )
