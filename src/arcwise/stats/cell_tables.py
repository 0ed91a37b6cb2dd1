"""Tables of what counts contribute to a discrete score."""

from __future__ import annotations

from threading import Lock

import numpy as np

from arcwise._kernels.counts.cells import CellValues
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.stats.cells import Cells

TABULATED = 512  # counts below this are looked up; a larger one costs a logarithm, but large counts are few


class CellTables:
    """Cell functions, tabulated for each pseudo-count met. Whoever works with them holds the lock."""

    def __init__(self, cells: Cells, n_rows: int) -> None:
        self.lock = Lock()
        self._cells = cells
        self._values: FloatArray = np.empty((64, min(n_rows + 1, TABULATED)))
        self._pseudo: FloatArray = np.empty(64)
        self._origin: FloatArray = np.empty(64)
        self._used: IntArray = np.zeros(1, dtype=np.intp)
        self._tell()

    def grow(self) -> None:
        self._values = np.concatenate([self._values, np.empty_like(self._values)])
        self._pseudo = np.concatenate([self._pseudo, np.empty_like(self._pseudo)])
        self._origin = np.concatenate([self._origin, np.empty_like(self._origin)])
        self._tell()

    def _tell(self) -> None:
        arrays = self._values, self._pseudo, self._origin, self._used
        self.values = CellValues(float(self._cells.ess), self._cells.spread, *arrays)
        self.plain = tuple(self.values)
