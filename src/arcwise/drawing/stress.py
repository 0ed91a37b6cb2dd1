"""Places in the plane so that distances are like those in the graph (Gansner, Koren, North 2004: stress majorization).

Minimise sum over pairs w_ij (|x_i - x_j| - d_ij)^2 with w_ij = d_ij^-2, d_ij the length of the shortest path, beginning
from classical scaling. No direction is better than another, but where arrows must lead down, as in DiG-CoLa (Dwyer and
Koren 2005), each step is followed by a projection on that.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
STEPS, STILL = 200, 3e-4
SWEEPS = 4  # over the arrows, after each step


def stressed(
    lengths: Sequence[tuple[int, int, float]], n: int, below: Sequence[tuple[int, int, float]] = ()
) -> FloatArray:
    """(n, 2): places for the nodes of a connected graph with edges (i, j, length); y of j below that of i, by at least
    so much, for each of `below`."""
    distances = _distances(lengths, n)
    places = _scaled(distances)
    if below:
        places = _turned_down(places, below)
    weights = distances + np.eye(n)
    weights = 1.0 / weights**2 - np.eye(n)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.inv(laplacian + 1.0 / n)  # the constant vector, which moves nothing, is taken out
    for _ in range(STEPS):
        apart = np.hypot(*(places[:, None] - places).transpose(2, 0, 1)) + np.eye(n)
        pull = weights * distances / np.maximum(apart, 1e-9)
        moved = inverse @ ((np.diag(pull.sum(axis=1)) - pull) @ places)
        for _ in range(SWEEPS):
            _project(moved[:, 1], below)
        done = np.abs(moved - places).max() < STILL * distances.max()
        places = moved
        if done:
            break
    return places if below else _lying(places)


def _distances(lengths: Sequence[tuple[int, int, float]], n: int) -> FloatArray:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import shortest_path

    i, j, length = zip(*lengths, strict=True)
    graph = coo_array((length, (i, j)), shape=(n, n)).tocsr()
    return np.asarray(shortest_path(graph, directed=False), dtype=np.float64)


def _scaled(distances: FloatArray) -> FloatArray:
    """Classical scaling, with a little noise that keeps twins apart; the same for the same distances."""
    n = len(distances)
    centring = np.eye(n) - 1.0 / n
    values, vectors = np.linalg.eigh(-0.5 * centring @ distances**2 @ centring)
    best = vectors[:, :-3:-1] * np.sqrt(np.maximum(values[:-3:-1], 0.0))
    if best.shape[1] < 2:
        best = np.hstack([best, np.zeros((n, 2 - best.shape[1]))])
    signs = np.array([1.0 if axis[np.argmax(np.abs(np.round(axis, 6)))] > 0 else -1.0 for axis in best.T])
    chance = Random(0)
    noise = np.array([[chance.uniform(-1, 1) for _ in range(2)] for _ in range(n)])
    return best * signs + 0.02 * distances.max() * noise


def _turned_down(places: FloatArray, below: Sequence[tuple[int, int, float]]) -> FloatArray:
    """Turned so that the arrows lead down as much as they can."""
    i, j, _ = map(np.array, zip(*below, strict=True))
    along = (places[j] - places[i]).sum(axis=0)
    length = float(np.hypot(*along))
    if length < 1e-9:
        return places
    cos, sin = along[1] / length, along[0] / length
    return places @ np.array([[cos, sin], [-sin, cos]])


def _project(y: FloatArray, below: Sequence[tuple[int, int, float]]) -> None:
    """Both ends of an arrow that leads up, or not far enough down, go half of the way."""
    for i, j, least in below:
        missing = least - (y[j] - y[i])
        if missing > 0:
            y[i] -= missing / 2
            y[j] += missing / 2


def _lying(places: FloatArray) -> FloatArray:
    """The longest extent across."""
    centred = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned = centred @ axes.T
    signs = np.array([1.0 if axis[np.argmax(np.abs(np.round(axis, 6)))] > 0 else -1.0 for axis in turned.T])
    return turned * signs
