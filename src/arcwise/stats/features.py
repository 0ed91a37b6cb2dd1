"""Features of Mercer kernels: the sufficient statistics of the kernel generalized variance (Bach and Jordan 2003).

A column's kernel matrix K (Gaussian on standardized values, or 1[x = y] on levels) is approximated by G G', centred and
decomposed, G'G = V Lam V'. Its features are the columns of A = G V Lam^(-1/2) diag(s), s = lam / (lam + N kappa / 2),
and R_ij = A_i' A_j, R_ii = I. A row of A is a function of that row's value alone, so R is a sum over rows: features are
made for a block of rows at a time and never stored for the whole table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.features import incomplete_cholesky as kernels
from arcwise._kernels.gaussian.products import TILE, add_products
from arcwise.data.complete import check_complete
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.errors import DataError
from arcwise.stats.threads import map_threads

BLOCK_CELLS = 1 << 21  # features times rows of a block: 16 MiB
BAND = 32  # rows of R that are one piece of work
MOST_FEATURES = 1 << 14  # R then takes 2 GiB


@dataclass(frozen=True, slots=True)
class Kernel:
    """Width of the Gaussian kernel (in standard deviations), regularization, and how closely K is approximated.

    tolerance: features with s below this are left out of R.
    """

    sigma: float
    kappa: float
    tolerance: float
    max_rank: int

    @property
    def factor(self) -> float:
        """k(x, y) = exp(factor (x - y)^2)."""
        return -0.5 / self.sigma / self.sigma

    @property
    def residual(self) -> float:
        """Share of the trace of K that the incomplete Cholesky factor may miss.

        A missing share t takes up to 2 t / kappa from the dimension: at a tenth of `tolerance`, 0.2 of it.
        """
        return 0.1 * self.tolerance * self.kappa


@dataclass(frozen=True, slots=True, eq=False)
class FeatureMap:
    """How a value becomes a row of A: k(x, pivots) weights - shift; a level's row is weights[level] - shift.

    values: the column in the order of `row_order`, standardized if continuous. dimension: the effective number of
    features, trace of K (K + N kappa / 2 I)^-1. lost: share of the trace of K that is left out.
    """

    values: NDArray[Any]
    pivots: FloatArray
    weights: FloatArray
    shift: FloatArray
    dimension: float
    lost: float

    @property
    def rank(self) -> int:
        return int(self.weights.shape[1])


def row_order(data: Dataset) -> IntArray:
    """An order of the rows that depends on their contents only, so that sums do not change when rows are shuffled.

    Rows are sorted by a hash; unequal rows with equal hashes (a chance of N^2 / 2^65) would keep the order given.
    """
    total = np.zeros(data.n_rows, dtype=np.uint64)
    for column in data.columns:
        if column.kind is Kind.CONTINUOUS:
            bits = (column.values + 0.0).view(np.uint64)  # -0.0 becomes 0.0
        else:
            bits = column.values.astype(np.uint64)
        total += _mixed(bits + np.uint64(crc32(column.name.encode()) << 32))
    return np.argsort(total, kind="stable")


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A bijection of 64-bit words that spreads every bit (the finalizer of splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def standardized(values: FloatArray) -> FloatArray:
    """(x - mean) / standard deviation (ddof 0) for any finite values; zeros for a constant column."""
    if values.size == 0 or values.min() == values.max():
        return np.zeros(values.size)
    if values.max() / 2 - values.min() / 2 > np.finfo(float).max / 2:
        values = values / 2
    low, high = values.min(), values.max()
    unit: FloatArray = (values - low) / (high - low)  # in [0, 1]: nothing overflows from here on
    unit -= unit.mean()
    unit /= np.sqrt(np.mean(unit * unit))
    return unit


def feature_maps(data: Dataset, kernel: Kernel) -> list[FeatureMap]:
    """One for each column. O(N M^2) for a column with M features."""
    check_complete(data, "a kernel score")
    order = row_order(data)

    def make(column: Column) -> FeatureMap:
        values = column.values[order]
        return _of_levels(values, kernel) if column.kind is Kind.DISCRETE else _of_numbers(values, kernel)

    return map_threads(make, data.columns)


def _of_numbers(values: FloatArray, kernel: Kernel) -> FeatureMap:
    x = standardized(values)
    if not x.any():
        return _nothing(x)
    found = kernels.incomplete_cholesky(x, kernel.factor, kernel.residual * x.size, kernel.max_rank)
    lost = found.left / x.size
    directions, dimension = _directions(found.scatter, x.size, lost, kernel)
    weights = np.asarray(np.linalg.solve(found.triangle.T, directions), dtype=np.float64)
    return FeatureMap(x, found.pivots, weights, found.mean @ directions, dimension, lost)


def _of_levels(codes: NDArray[Any], kernel: Kernel) -> FeatureMap:
    """One-hot features, the commonest levels first: any row of a level leaves its other rows no residual."""
    counts = np.bincount(codes)
    if np.count_nonzero(counts) < 2:
        return _nothing(codes)
    common = np.argsort(-counts, kind="stable")[: min(np.count_nonzero(counts), kernel.max_rank)]
    left = 1.0 - np.cumsum(counts[common]) / codes.size
    common = common[: np.count_nonzero(left > kernel.residual) + 1]
    lost = 1.0 - float(counts[common].sum()) / codes.size
    share = counts[common] / codes.size
    scatter = codes.size * (np.diag(share) - np.outer(share, share))
    directions, dimension = _directions(scatter, codes.size, lost, kernel)
    weights = np.zeros((counts.size, directions.shape[1]))
    weights[common] = directions
    return FeatureMap(codes, np.empty(0), weights, share @ directions, dimension, lost)


def _directions(scatter: FloatArray, n_rows: int, lost: float, kernel: Kernel) -> tuple[FloatArray, float]:
    """V Lam^(-1/2) diag(s) for G'G = V Lam V', largest eigenvalue first, and the sum of all s.

    What K lost counts in that sum as many small eigenvalues, whose s is nearly 2 lam / (N kappa).
    """
    eigenvalues, vectors = np.linalg.eigh(scatter)
    eigenvalues = np.maximum(eigenvalues, 0.0)  # but for rounding they are not negative
    s = eigenvalues / (eigenvalues + 0.5 * n_rows * kernel.kappa)
    kept = np.flatnonzero(s >= kernel.tolerance)[::-1]
    directions = vectors[:, kept] * (s[kept] / np.sqrt(eigenvalues[kept]))
    return directions, float(s.sum()) + 2.0 * lost / kernel.kappa


def _nothing(values: NDArray[Any]) -> FeatureMap:
    """A constant column: no features, no dimension."""
    return FeatureMap(values, np.empty(0), np.empty((0, 0)), np.empty(0), 0.0, 0.0)


def correlations(maps: Sequence[FeatureMap], kernel: Kernel) -> tuple[FloatArray, IntArray]:
    """(R, starts): A_i' A_j between columns, the identity within; column v has features starts[v]..starts[v + 1] - 1.

    O(N F^2) for F features in all; memory O(F^2) and one block.
    """
    starts: IntArray = np.cumsum([0, *(part.rank for part in maps)]).astype(np.intp)
    size = int(starts[-1])
    if size > MOST_FEATURES:
        raise DataError(
            f"the {len(maps)} columns have {size:,} kernel features, and their correlations would take "
            f"{size**2 / 2**27:.1f} GiB; use fewer columns, a larger sigma or a smaller max_rank"
        )
    products = _products(maps, starts, kernel)[:size, :size] if size else np.empty((0, 0))
    lower = np.tril(products, -1)
    result = lower + lower.T
    for v, part in enumerate(maps):
        result[starts[v] : starts[v + 1], starts[v] : starts[v + 1]] = np.eye(part.rank)
    return result, starts


def _products(maps: Sequence[FeatureMap], starts: IntArray, kernel: Kernel) -> FloatArray:
    """A'A on and below the diagonal, block by block of rows; the size is rounded up to a multiple of TILE.

    The blocks depend on the data only, and every sum is formed in one way, so the number of threads changes nothing.
    """
    n_rows = len(maps[0].values)
    size = -(-int(starts[-1]) // TILE) * TILE
    step = min(max(BLOCK_CELLS // size, 256), n_rows)
    total, block = np.zeros((size, size)), np.zeros((size, step))
    bands = [(first, min(first + BAND, size)) for first in range(0, size, BAND)][::-1]  # the longest rows first
    for first in range(0, n_rows, step):
        rows = slice(first, min(first + step, n_rows))
        part = block[:, : rows.stop - first]

        def fill(v: int, part: FloatArray = part, rows: slice = rows) -> None:
            _features(maps[v], kernel, rows, part[starts[v] : starts[v + 1]])

        def add(band: tuple[int, int], part: FloatArray = part) -> None:
            add_products(part, part, *band, total)

        map_threads(fill, range(len(maps)))
        map_threads(add, bands)
    return total


def _features(source: FeatureMap, kernel: Kernel, rows: slice, out: FloatArray) -> None:
    """These rows of A, transposed, into `out`."""
    values = source.values[rows]
    if source.pivots.size:
        kernels.gaussian_features(values, kernel.factor, source.pivots, source.weights, source.shift, out)
    elif source.rank:
        out[:] = (source.weights - source.shift).T[:, values]
