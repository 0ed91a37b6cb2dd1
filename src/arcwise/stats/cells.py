"""Tabulated cell functions: what a count contributes to a discrete score.

A family's data term is sum_jk f(N_jk) - sum_j g(N_j). f and g are named by their pseudo-count: ln Gamma(a + k) -
ln Gamma(a) for a > 0, and k ln k for the special value LOG_LIKELIHOOD.
"""

from __future__ import annotations

import threading
from math import lgamma

import numpy as np

from arcwise._kernels.cells import cell_function, find_slots
from arcwise.data.dataset import FloatArray, IntArray

LOG_LIKELIHOOD = -1.0
TABULATED = 4096  # counts below this are looked up, larger ones computed (one logarithm each)


class CellTables:
    """Grows one row of tabulated values for each pseudo-count asked for. Safe to share between threads.

    Rows are only ever appended, and a full array is replaced by a larger copy, so arrays once handed out stay valid.
    """

    def __init__(self, n_rows: int) -> None:
        self._n_slots = 0
        self._lock = threading.Lock()
        self._values: FloatArray = np.empty((16, min(n_rows + 1, TABULATED)))
        self._shift: FloatArray = np.empty(16)
        self._origin: FloatArray = np.empty(16)

    def slots(self, pseudo_counts: FloatArray) -> IntArray:
        """Row of each pseudo-count's cell function."""
        found, complete = find_slots(pseudo_counts, self._shift, self._n_slots)
        if not complete:
            with self._lock:
                for a in dict.fromkeys(pseudo_counts.tolist()):
                    self._add(a)
            found, _ = find_slots(pseudo_counts, self._shift, self._n_slots)
        slots: IntArray = found
        return slots

    def arrays(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(values, shift, origin) as the kernels take them."""
        return self._values, self._shift, self._origin

    def _add(self, pseudo_count: float) -> None:
        slot = self._n_slots
        if pseudo_count in self._shift[:slot]:
            return
        if slot == len(self._shift):
            self._values, self._shift, self._origin = (
                np.concatenate([array, np.empty_like(array)]) for array in (self._values, self._shift, self._origin)
            )
        self._values[slot] = cell_function(pseudo_count, self._values.shape[1])
        self._shift[slot] = pseudo_count
        self._origin[slot] = lgamma(pseudo_count) if pseudo_count > 0 else 0.0
        self._n_slots = slot + 1  # last: whoever finds the slot finds its values
