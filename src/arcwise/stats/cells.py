"""What a count contributes to a discrete score.

A family's data term is sum_jk f(N_jk) - sum_j g(N_j), with f(k) = ln Gamma(a + k) - ln Gamma(a) for a Dirichlet prior
with pseudo-count a in each cell (g likewise with their sum), or f(k) = g(k) = k ln k for the log-likelihood.
"""

from __future__ import annotations

from dataclasses import dataclass


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
