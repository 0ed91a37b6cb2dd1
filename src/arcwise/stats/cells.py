"""Tabulated cell functions: what a count contributes to a discrete score.

A family's data term is sum_jk f(N_jk) - sum_j g(N_j). f and g are named by their pseudo-count: ln Gamma(a + k) -
ln Gamma(a) for a > 0, and k ln k for the special value LOG_LIKELIHOOD.
"""

from __future__ import annotations

import threading
from math import lgamma

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray

LOG_LIKELIHOOD = -1.0
TABULATED = 4096  # counts below this are looked up, larger ones computed (one logarithm each)


class CellTables:
    """Grows one row of tabulated values for each pseudo-count asked for. Safe to share between threads."""

    def __init__(self, n_rows: int) -> None:
        self._size = min(n_rows + 1, TABULATED)
        self._slots: dict[float, int] = {}
        self._lock = threading.Lock()
        self.values: FloatArray = np.empty((0, self._size))
        self.shift: FloatArray = np.empty(0)
        self.origin: FloatArray = np.empty(0)

    def slots(self, pseudo_counts: FloatArray) -> IntArray:
        """Row of each pseudo-count's cell function."""
        wanted = pseudo_counts.tolist()
        try:
            return np.array([self._slots[a] for a in wanted], dtype=np.intp)
        except KeyError:
            self._add(sorted(set(wanted)))
            return np.array([self._slots[a] for a in wanted], dtype=np.intp)

    def arrays(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(values, shift, origin) as the kernels take them, of one moment: rows are only ever appended."""
        with self._lock:
            return self.values, self.shift, self.origin

    def _add(self, pseudo_counts: list[float]) -> None:
        from arcwise._kernels.cells import cell_function

        with self._lock:
            new = [a for a in pseudo_counts if a not in self._slots]
            if not new:
                return
            rows = [cell_function(a, self._size) for a in new]
            self.values = np.vstack([self.values, *rows])
            self.shift = np.append(self.shift, new)
            self.origin = np.append(self.origin, [lgamma(a) if a > 0 else 0.0 for a in new])
            for a in new:
                self._slots[a] = len(self._slots)
