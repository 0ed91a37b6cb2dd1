"""What missing cells were in the draws that count."""

from __future__ import annotations

import numpy as np

from arcwise.data.dataset import Column, Dataset, IntArray
from arcwise.data.filled import FilledColumn
from arcwise.stats.hidden import HiddenCells, Places


class Tallies:
    """Levels by their probabilities, numbers by two moments; levels: positions of the columns.

    scales: the largest recorded number of each continuous column, in units of which its moments are kept: squares of
    the numbers themselves could be too large, or nothing.
    """

    def __init__(self, table: Dataset, cells: HiddenCells, levels: list[int], scales: dict[int, float]) -> None:
        self.draws = 0
        self._scales = scales
        self._rows = {j: np.flatnonzero(np.asarray(table.columns[j].missing)) for j in (*levels, *scales)}
        self._starts: dict[int, np.ndarray] = {}
        begin = 0
        for j in levels:
            size = len(self._rows[j]) * int(cells.cards[j])
            self._starts[j] = np.arange(begin, begin + size, int(cells.cards[j]), dtype=np.int64)
            begin += size
        self._shares = np.zeros(begin, dtype=np.float32)
        self._sums = {j: np.zeros((2, len(self._rows[j]))) for j in scales}
        self._centres: dict[int, np.ndarray] = {}
        listed = [(self._rows[j], np.full(len(self._rows[j]), j), self._starts[j]) for j in levels]
        self._places = Places(*map(np.concatenate, zip(*listed, strict=True))) if listed else None

    def add(self, cells: HiddenCells, values: dict[int, np.ndarray]) -> None:
        self.draws += 1
        if self._places is not None:
            cells.add_probabilities(self._places, self._shares)
        for j, sums in self._sums.items():
            scaled = values[j] / self._scales[j]
            away = scaled - self._centres.setdefault(j, scaled)
            sums[0] += away
            sums[1] += away * away

    def column(self, column: Column, j: int, order: IntArray) -> FilledColumn:
        rows, draws = order[self._rows[j]], max(self.draws, 1)
        by_row = np.argsort(rows)
        if j in self._sums:
            mean = self._sums[j][0] / draws
            values = self._scales[j] * (self._centres.get(j, np.zeros(len(rows))) + mean)
            sure = self._scales[j] * np.sqrt(np.maximum(self._sums[j][1] / draws - mean * mean, 0.0))
        else:
            r = column.cardinality
            first = self._starts[j][0]
            shares = self._shares[first : first + r * len(rows)].reshape(-1, r) / draws
            values, sure = shares.argmax(axis=1), shares.max(axis=1).astype(np.float64)
        return FilledColumn(column.name, column.levels, rows[by_row], values[by_row], sure[by_row])
