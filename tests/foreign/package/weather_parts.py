"""A score, a test and a discretizer as another package would write them: with the protocols and nothing else."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import ClassVar

import numpy as np
from scipy.stats import norm

from arcwise.data.dataset import Dataset, Kind
from arcwise.discretize import Discretization
from arcwise.parts.protocols import TestResult


@dataclass(frozen=True, kw_only=True)
class RightGuesses:
    """Rows that the commonest level among rows with the same parents guesses right, less a price for each guess."""

    kind: ClassVar[str] = "right-guesses"
    accepts: ClassVar[frozenset[Kind]] = frozenset({Kind.DISCRETE})
    score_equivalent: ClassVar[bool] = False
    price: float = 3.0

    def bind(self, data: Dataset) -> BoundGuesses:
        return BoundGuesses([column.values for column in data.columns], self.price)


@dataclass(frozen=True)
class BoundGuesses:
    codes: list[np.ndarray]
    price: float
    warnings: tuple[str, ...] = ()

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        columns = [self.codes[parent].tolist() for parent in sorted(parents)]
        given = zip(*columns, strict=True) if columns else repeat(())
        seen: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
        for parent_levels, level in zip(given, self.codes[child].tolist(), strict=False):
            seen[parent_levels][level] += 1
        return float(sum(max(levels.values()) for levels in seen.values()) - self.price * len(seen))

    def local_scores(self, child: int, parent_sets: np.ndarray) -> np.ndarray:
        return np.array([self.local_score(child, [u for u in row if u >= 0]) for row in parent_sets])


@dataclass(frozen=True, kw_only=True)
class SignCorrelation:
    """Fisher's Z of columns of which only the side of their median is left."""

    kind: ClassVar[str] = "sign-correlation"
    accepts: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.DISCRETE})
    level: ClassVar[float] = 0.05

    def bind(self, data: Dataset) -> BoundSigns:
        signs = [np.where(column.values > np.median(column.values), 1.0, -1.0) for column in data.columns]
        return BoundSigns(np.corrcoef(signs), data.n_rows)


@dataclass(frozen=True)
class BoundSigns:
    correlation: np.ndarray
    n_rows: int
    warnings: tuple[str, ...] = ()
    first_batch: int = 1

    def test(self, x: int, y: int, given: Sequence[int]) -> TestResult:
        inverse = np.linalg.pinv(self.correlation[np.ix_([x, y, *given], [x, y, *given])])
        rho = -inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1])
        z = np.sqrt(self.n_rows - len(given) - 3) * np.arctanh(np.clip(abs(rho), 0, 1 - 1e-12))
        return TestResult(float(2 * norm.sf(z)), float(z))

    def p_values(self, x: int, y: int, given_sets: np.ndarray) -> np.ndarray:
        return np.array([self.test(x, y, [u for u in row if u >= 0]).value for row in given_sets])


@dataclass(frozen=True, kw_only=True)
class Halves:
    """Every column cut at its median, or another quantile."""

    kind: ClassVar[str] = "halves"
    quantile: float = 0.5

    def fit(self, data: Dataset) -> Discretization:
        numbers = [column for column in data.columns if column.kind is Kind.CONTINUOUS]
        return Discretization({one.name: np.quantile(one.values, [self.quantile]) for one in numbers})
