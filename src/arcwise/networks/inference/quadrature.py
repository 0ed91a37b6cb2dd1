"""The mean of a continuous column given all others, by numerical integration: for neural and mixed models.

p(x | rest) ~ p(x | parents) * product over children p(c | its parents), in one dimension for each row. A few rounds of
points find where this is large; a Gauss-Legendre rule integrates it between any two neighbouring points. The error is
at most 1e-4 standard deviations of the column for densities with several narrow peaks, and below 1e-6 for smooth ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, log1p

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.networks.models.densities import HALF_LOG_TWO_PI, log_before_data
from arcwise.networks.models.protocol import ConditionalModel, Density

FARTHEST = 8.0  # standard deviations around every component of p(x | parents); beyond is less than 1e-14 of it
FAR_POINTS = np.concatenate([-(2.0 ** np.arange(7, -3, -1)), [0.0], 2.0 ** np.arange(-2, 8)])  # of long tails
EVEN_POINTS = 65
OFFSETS = np.array([-4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0])
POWERS, NEW_POINTS = (0.05, 0.1, 0.2, 0.5), 16
NODES = 3  # of the rule between two points
BLOCK_ROWS = 1024

NEGLIGIBLE = 1e-8  # of the largest product of height and width; such an interval is left out

LogDensity = Callable[[IntArray, FloatArray], FloatArray]  # rows and standardized values -> ln p, up to a constant


def posterior_mean(own: Density, children: Sequence[ConditionalModel], data: Dataset) -> FloatArray:
    """(n_rows,) E[child of `own` | all other columns]; NaN where the children are impossible for every value."""
    if not children:
        return own.expected(data)
    used = {name for model in (own, *children) for name in (*model.parents, model.child)} - {own.child}
    table = data.select(sorted(used))
    means = [
        _block_mean(own, children, table.take(slice(start, start + BLOCK_ROWS)))
        for start in range(0, data.n_rows, BLOCK_ROWS)
    ]
    return np.concatenate([np.empty(0), *means])


def _block_mean(own: Density, children: Sequence[ConditionalModel], data: Dataset) -> FloatArray:
    logs, means, sds, share = own.normals(data)
    tops = logs - np.log(sds) - HALF_LOG_TWO_PI

    def log_density(rows: IntArray, z: FloatArray) -> FloatArray:
        parts = tops[rows] - 0.5 * np.square((z[:, None] - means[rows]) / sds[rows])
        highest = parts.max(axis=1)
        total: FloatArray = highest + np.log(np.exp(parts - highest[:, None]).sum(axis=1))
        if share:
            total = np.logaddexp(log1p(-share) + total, log(share) + log_before_data(z))
        points = _with_points(data, rows, own.child, own.own_units(z))
        for child in children:
            total += child.log_density(points)
        return total

    reach = FARTHEST * sds
    low, high = (means - reach).min(axis=1), (means + reach).max(axis=1)
    even = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, EVEN_POINTS)
    near = (means[:, :, None] + sds[:, :, None] * OFFSETS).reshape(len(means), -1)
    if share:
        near = np.concatenate([near, np.tile(FAR_POINTS, (len(means), 1))], axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        points = _refined(np.sort(np.concatenate([even, near], axis=1), axis=1), log_density)
        return own.own_units(_mean_over(*points, log_density))


def _refined(z: FloatArray, log_density: LogDensity) -> tuple[FloatArray, FloatArray]:
    """(points, ln p). Each round adds some where a power of the density is large, a low one first to find all peaks."""
    heights = _at_points(z, log_density)
    for power in POWERS:
        new = _quantiles(z, power * heights, (np.arange(NEW_POINTS) + 0.5) / NEW_POINTS)
        z, heights = np.concatenate([z, new], axis=1), np.concatenate([heights, _at_points(new, log_density)], axis=1)
        order = np.argsort(z, axis=1)
        z, heights = np.take_along_axis(z, order, axis=1), np.take_along_axis(heights, order, axis=1)
    return z, heights


def _at_points(z: FloatArray, log_density: LogDensity) -> FloatArray:
    return log_density(np.repeat(np.arange(len(z)), z.shape[1]), z.ravel()).reshape(z.shape)


def _quantiles(z: FloatArray, heights: FloatArray, shares: FloatArray) -> FloatArray:
    """(rows, shares): where the integral of exp(heights), by trapezia, reaches these shares."""
    values = np.exp(heights - heights.max(axis=1, keepdims=True))
    areas = np.diff(z, axis=1) * (values[:, 1:] + values[:, :-1])
    total = np.concatenate([np.zeros((len(z), 1)), np.cumsum(areas, axis=1)], axis=1)
    total /= total[:, -1:]
    after = np.clip((total[:, None, :] <= shares[:, None]).sum(axis=2), 1, z.shape[1] - 1)
    left, right = (np.take_along_axis(total, at, axis=1) for at in (after - 1, after))
    start, stop = (np.take_along_axis(z, at, axis=1) for at in (after - 1, after))
    part = np.divide(shares - left, right - left, out=np.zeros_like(left), where=right > left)
    return start + np.clip(part, 0.0, 1.0) * (stop - start)


def _mean_over(z: FloatArray, heights: FloatArray, log_density: LogDensity) -> FloatArray:
    """(rows,) the mean of z, integrated between the points wherever that can matter."""
    top = heights.max(axis=1)
    widths = np.diff(z, axis=1)
    sizes = np.exp(np.maximum(heights[:, 1:], heights[:, :-1]) - top[:, None]) * widths
    row, left = np.nonzero(sizes > NEGLIGIBLE * sizes.max(axis=1, keepdims=True))
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    half, start = 0.5 * widths[row, left], z[row, left]
    rows, places = np.repeat(row, NODES), (start[:, None] + half[:, None] * (1.0 + nodes)).ravel()
    shares = np.exp(log_density(rows, places) - top[rows]) * (half[:, None] * weights).ravel()
    total, first = (np.bincount(rows, weights=w, minlength=len(z)) for w in (shares, shares * places))
    return first / total


def _with_points(data: Dataset, rows: IntArray, name: str, values: FloatArray) -> Dataset:
    """These rows, one for each point, with the points in column `name`."""
    return Dataset((*data.take(rows).columns, Column(name, Kind.CONTINUOUS, values)))
