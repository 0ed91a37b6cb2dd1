"""What a count contributes to a discrete score, and tables of it.

A family's data term is sum_jk f(N_jk) - sum_j g(N_j), with f(k) = ln Gamma(a + k) - ln Gamma(a) for a Dirichlet prior
with pseudo-count a in each cell (g likewise with their sum), or f(k) = g(k) = k ln k for the log-likelihood.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwise.data.dataset import FloatArray, IntArray

TABULATED = 512  # counts below this are looked up; a larger one costs a logarithm, but large counts are few


@dataclass(frozen=True, slots=True)
class Cells:
    """Which cell functions: pseudo-counts `ess` in all (BDeu, `spread`) or in each cell (K2); below 0, k ln k."""

    ess: float
    spread: bool = True

    def pseudo_counts(self, q: float, r: int) -> tuple[float, float]:
        """(of a cell, of a configuration) in a family with q configurations and r levels."""
        if self.ess < 0:
            return self.ess, self.ess
        a = self.ess / (q * r) if self.spread else self.ess
        return a, a * r


LOG_LIKELIHOOD = Cells(-1.0)


class CellTables:
    """Tabulated cell functions, one for each pseudo-count met. Not to be shared between threads."""

    def __init__(self, n_rows: int) -> None:
        self._values: FloatArray = np.empty((64, min(n_rows + 1, TABULATED)))
        self._pseudo: FloatArray = np.empty(64)
        self._origin: FloatArray = np.empty(64)
        self._used: IntArray = np.zeros(1, dtype=np.intp)

    def arrays(self) -> tuple[FloatArray, FloatArray, FloatArray, IntArray]:
        """(values, pseudo, origin, used) as the kernels take them."""
        return self._values, self._pseudo, self._origin, self._used

    def grow(self) -> None:
        self._values = np.concatenate([self._values, np.empty_like(self._values)])
        self._pseudo = np.concatenate([self._pseudo, np.empty_like(self._pseudo)])
        self._origin = np.concatenate([self._origin, np.empty_like(self._origin)])
