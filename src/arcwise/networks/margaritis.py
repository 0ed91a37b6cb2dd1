"""The artificial data of Margaritis (2005): Lambda and V networks of three nodes, and MEANDER.

The paper states neither the law of the inputs nor the size of the noise. Inputs here are N(0, 1), and noise
of standard deviation 0.25 is the level at which its published decisions come out.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np

from arcwise.checking import Seed, checked
from arcwise.data.dataset import Dataset, FloatArray
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.networks.columns import continuous_dataset
from arcwise.networks.streams import checked_rows, checked_sd, stream

FUNCTIONS: tuple[Callable[[FloatArray], FloatArray], ...] = (
    lambda x: x,
    lambda x: 2 * np.sin(x),
    lambda x: np.log(np.abs(x)),
    lambda x: 1 / (x / 5 + 1),
    np.exp,
)
"""The paper's f1 to f5."""

FUNCTION_PAIRS = tuple(combinations_with_replacement(range(1, 6), 2))
"""The 15 pairs (a, b) with a <= b of its tables."""

LAMBDA_DAG = Dag(("X", "Y", "Z"), [("Z", "X"), ("Z", "Y")])
V_DAG = Dag(("X", "Y", "Z"), [("X", "Z"), ("Y", "Z")])


@checked
def lambda_network(a: int, b: int, n: int, seed: Seed, noise: float = 0.25) -> Dataset:
    """X <- Z -> Y: Z ~ N(0, 1), X = f_a(Z) + e1, Y = f_b(Z) + e2. X and Y are independent given Z."""
    f, g = _function(a), _function(b)
    z, e1, e2 = _normals("Lambda network", n, seed)
    sd = checked_sd("noise", noise)
    return continuous_dataset(("X", "Y", "Z"), (f(z) + sd * e1, g(z) + sd * e2, z))


@checked
def v_network(a: int, b: int, n: int, seed: Seed, noise: float = 0.25) -> Dataset:
    """X -> Z <- Y: X, Y ~ N(0, 1), Z = f_a(X) + f_b(Y) + e. X and Y are dependent given Z."""
    f, g = _function(a), _function(b)
    x, y, e = _normals("V network", n, seed)
    return continuous_dataset(("X", "Y", "Z"), (x, y, f(x) + g(y) + checked_sd("noise", noise) * e))


@checked
def meander(n: int, seed: Seed) -> Dataset:
    """A spiral with X and Y independent given Z only: its joint law changes quickly along Z.

    Z is the mixture 0.75 N(0, 1/5) + 0.25 N(1, 1/3) (standard deviations), X = Z/10 + sin(2 pi Z)/2 + 0.1 e,
    Y = Z/5 + sin(2 pi Z + 0.35) + 0.1 e'.
    """
    normal, e1, e2 = _normals("meander", n, seed)
    first = stream(seed, "meander", 3).random(len(normal)) < 0.75
    z = np.where(first, normal / 5, 1 + normal / 3)
    x = z / 10 + np.sin(2 * np.pi * z) / 2 + 0.1 * e1
    y = z / 5 + np.sin(2 * np.pi * z + 0.35) + 0.1 * e2
    return continuous_dataset(("X", "Y", "Z"), (x, y, z))


def _function(number: int) -> Callable[[FloatArray], FloatArray]:
    if number not in range(1, 6):
        raise OptionError(f"there is no function f{number}; give a number from 1 to 5")
    return FUNCTIONS[number - 1]


def _normals(purpose: str, n: int, seed: Seed) -> tuple[FloatArray, ...]:
    rows = checked_rows(n, 3)
    return tuple(stream(seed, purpose, part).standard_normal(rows) for part in range(3))
