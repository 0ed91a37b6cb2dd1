"""The synthetic networks of Monti and Cooper: a response, its parents, and the parents' parents.

Every conditional density is a finite mixture of linear models.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwise.checking import Seed, checked
from arcwise.errors import GraphError, OptionError
from arcwise.graph.adjacency import check_nodes
from arcwise.graph.dag import Dag
from arcwise.machine import check_fits
from arcwise.networks.models.linear_mixture import LinearMixture
from arcwise.networks.network import Network
from arcwise.networks.streams import stream


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
