"""Artificial data of papers, made anew: Margaritis (2005), Monti and Cooper.

Margaritis: Lambda and V networks of three nodes, and MEANDER. The paper states neither the law of the inputs nor the
size of the noise. Inputs here are N(0, 1), and noise of standard deviation 0.25 is the level at which its published
decisions come out. Monti and Cooper: networks of a response, its parents, and the parents' parents, in which every
conditional density is a finite mixture of linear models; and continuous data made from discrete data by Gaussian noise
around the state's number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np

from arcwise.checking import Seed, checked
from arcwise.data.complete import check_complete
from arcwise.data.dataset import Dataset, FloatArray, Kind
from arcwise.data.reading.door import takes_table
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.graph.adjacency import check_nodes
from arcwise.graph.dag import Dag
from arcwise.machine import check_fits
from arcwise.networks.columns import continuous_dataset
from arcwise.networks.models.linear_mixture import LinearMixture
from arcwise.networks.network import Network
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


@checked
class MixtureNetwork(Network):
    """A way to make a network of linear mixtures; `parents` and `mixtures` are in the order of `names`.

    With the same seed, a shorter sample is the head of a longer one.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        parents: tuple[tuple[str, ...], ...],
        mixtures: tuple[LinearMixture, ...],
        response: str,
    ) -> None:
        if not len(names) == len(parents) == len(mixtures):
            raise GraphError(f"{len(names)} nodes need as many parent sets and mixtures")
        dag = Dag(names, [(p, name) for name, own in zip(names, parents, strict=True) for p in own])
        models = tuple(
            replace(mixture, child=name, parents=tuple(own))
            for name, own, mixture in zip(names, parents, mixtures, strict=True)
        )
        super().__init__(dag, models, response=response, numbered=True)

    @property
    def mixtures(self) -> tuple[LinearMixture, ...]:
        return self.models  # type: ignore[return-value]


@checked
def random_mixture_network(
    n_parents: int = 2, n_components: int = 3, *, n_variables: int = 12, seed: Seed
) -> MixtureNetwork:
    """A random response with `n_parents` parents; every other variable is a parent of one of these.

    So the others are ancestors of the response that its parents screen off. Weights are normalised uniform
    numbers, standard deviations uniform on [1, 10], coefficients uniform in magnitude on [1, K + 1] with a
    random sign. Which parents the others point to is open in the paper: here one each, drawn uniformly.
    """
    if n_components < 1:
        raise OptionError(f"n_components {n_components} is too small; give 1 or more")
    check_nodes(n_variables)
    check_fits(8 * 4 * n_components * 2 * n_variables, f"{n_components:,} components", "ask for fewer", OptionError)
    if not 1 <= n_parents < n_variables:
        raise OptionError(f"n_parents {n_parents} must be from 1 to n_variables - 1 = {n_variables - 1}")
    rng = stream(seed, "mixture network")
    width = len(str(n_variables))
    names = tuple(f"X{i + 1:0{width}d}" for i in range(n_variables))
    response, *others = rng.permutation(n_variables).tolist()
    chosen, ancestors = others[:n_parents], others[n_parents:]
    parents: list[list[int]] = [[] for _ in names]
    parents[response] = sorted(chosen)
    for ancestor in sorted(ancestors):
        parents[chosen[int(rng.integers(n_parents))]].append(ancestor)
    return MixtureNetwork(
        names=names,
        parents=tuple(tuple(names[p] for p in own) for own in parents),
        mixtures=tuple(_random_mixture(len(own), n_components, rng) for own in parents),
        response=names[response],
    )


def _random_mixture(n_parents: int, k: int, rng: np.random.Generator) -> LinearMixture:
    weights = rng.random(k)
    shape = (k, 1 + n_parents)
    coefficients = rng.uniform(1, k + 1, shape) * rng.choice([-1.0, 1.0], shape)
    return LinearMixture(weights / weights.sum(), coefficients, rng.uniform(1, 10, k))


@takes_table
@checked
def add_noise(data: Dataset, *, sigma: float = 0.35, seed: Seed = 0) -> Dataset:
    """State number (1, 2, ..., r in the order of the levels) plus N(0, sigma^2); every column continuous.

    With sigma 0.35 a value crosses the midpoint to a neighbour with probability 0.1531 if its state is an
    interior one, 0.0766 if it is the first or the last.
    """
    sd = checked_sd("sigma", sigma)
    check_complete(data, "adding noise")
    for column in data.columns:
        if column.kind is not Kind.DISCRETE:
            raise DataError(f"column {column.name!r} is continuous already; add noise to discrete ones only")
    values = (
        column.values + 1.0 + sd * stream(seed, "noise", i).standard_normal(data.n_rows)
        for i, column in enumerate(data.columns)
    )
    return continuous_dataset(data.names, values)
