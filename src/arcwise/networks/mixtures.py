"""The synthetic networks of Monti and Cooper: a response, its parents, and the parents' parents.

Every conditional density is a finite mixture of linear models,
p(x | pi) = sum_k a_k N(x; b_k0 + sum_j b_kj pi_j, s_k^2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Unpack

import numpy as np

from arcwise.capacity import check_fits
from arcwise.checking import Seed, checked
from arcwise.data.accepting import takes_known_table
from arcwise.data.dataset import Dataset, FloatArray
from arcwise.data.reading.door import Reading, TableLike, read_alike
from arcwise.errors import GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.names import check_nodes
from arcwise.networks.columns import continuous_dataset, continuous_values
from arcwise.networks.streams import checked_rows, stream


@checked
@dataclass(frozen=True, eq=False)
class LinearMixture:
    """K linear models: `weights` (K,) sum to 1, `coefficients` (K, 1 + parents) begin with the intercept."""

    weights: FloatArray
    coefficients: FloatArray
    sds: FloatArray

    def __post_init__(self) -> None:
        for attribute in ("weights", "coefficients", "sds"):
            try:
                array = np.array(getattr(self, attribute), dtype=np.float64)
            except (TypeError, ValueError, OverflowError):
                raise GraphError(f"the {attribute} of a mixture must be an array of numbers") from None
            array.setflags(write=False)
            object.__setattr__(self, attribute, array)
        k = self.weights.size
        if (
            self.weights.ndim != 1
            or self.coefficients.ndim != 2
            or self.sds.shape != (k,)
            or self.coefficients.shape[:1] != (k,)
        ):
            raise GraphError(f"a mixture of {k} weights needs {k} rows of coefficients and {k} sds")
        if not (k and self.weights.min() >= 0 and abs(self.weights.sum() - 1) < 1e-9 and self.sds.min() > 0):
            raise GraphError("the weights of a mixture must be 0 or more and sum to 1, its sds be positive")

    def means(self, parents: FloatArray) -> FloatArray:
        """Mean of each component in each row, shape (K, n_rows); `parents` is (parents, n_rows)."""
        result: FloatArray = self.coefficients[:, 1:] @ parents + self.coefficients[:, :1]
        return result


@checked
@dataclass(frozen=True, eq=False, repr=False)
class MixtureNetwork:
    """Continuous nodes with a linear mixture each; `parents` and `mixtures` are in the order of `names`."""

    names: tuple[str, ...]
    parents: tuple[tuple[str, ...], ...]
    mixtures: tuple[LinearMixture, ...]
    response: str
    dag: Dag = field(init=False)

    def __post_init__(self) -> None:
        if not len(self.names) == len(self.parents) == len(self.mixtures):
            raise GraphError(f"{len(self.names)} nodes need as many parent sets and mixtures")
        edges = [(p, name) for name, own in zip(self.names, self.parents, strict=True) for p in own]
        object.__setattr__(self, "dag", Dag(self.names, edges))
        self.dag.index(self.response)
        for name, own, mixture in zip(self.names, self.parents, self.mixtures, strict=True):
            if mixture.coefficients.shape[1] != 1 + len(own):
                raise GraphError(f"the mixture of node {name!r} needs an intercept and {len(own)} coefficients")

    @checked
    def sample(self, n: int, seed: Seed) -> Dataset:
        """`n` independent rows; with the same seed, a shorter sample is the head of a longer one."""
        rows = checked_rows(n, len(self.names))
        values = np.empty((len(self.names), rows))
        for name in self.dag.topological_order:
            i = self.dag.index(name)
            mixture = self.mixtures[i]
            uniform = stream(seed, "mixture component", i).random(rows)
            component = np.searchsorted(np.cumsum(mixture.weights)[:-1], uniform, side="right")
            means = mixture.means(values[[self.dag.index(p) for p in self.parents[i]]])
            noise = stream(seed, "mixture noise", i).standard_normal(rows)
            values[i] = means[component, np.arange(rows)] + mixture.sds[component] * noise
        return continuous_dataset(self.names, values)

    def read_table(self, data: TableLike, **reading: Unpack[Reading]) -> Dataset:
        """Whatever holds a table, the columns of the nodes read as numbers; one row is enough."""
        return read_alike(data, dict.fromkeys(self.names, ()), **reading)

    @takes_known_table
    def log_density(self, data: Dataset, name: str | None = None) -> FloatArray:
        """ln p(x | parents of x) of each row, shape (n_rows,), for one node; by default the response."""
        mixture, means = self._component_means(data, name)
        values = continuous_values(data, self.response if name is None else name)
        standard = (values - means) / mixture.sds[:, None]
        with np.errstate(divide="ignore"):  # a component of weight 0 adds nothing
            heights = np.log(mixture.weights / mixture.sds)[:, None] - 0.5 * np.log(2 * np.pi)
        result: FloatArray = np.logaddexp.reduce(heights - 0.5 * standard**2, axis=0)
        return result

    @takes_known_table
    def conditional_mean(self, data: Dataset, name: str | None = None) -> FloatArray:
        """E[x | parents of x] of each row, shape (n_rows,): the predictor of least squared error."""
        mixture, means = self._component_means(data, name)
        result: FloatArray = mixture.weights @ means
        return result

    def _component_means(self, data: Dataset, name: str | None) -> tuple[LinearMixture, FloatArray]:
        i = self.dag.index(self.response if name is None else name)
        columns = [continuous_values(data, parent) for parent in self.parents[i]]
        return self.mixtures[i], self.mixtures[i].means(np.array(columns).reshape(len(columns), data.n_rows))

    def __repr__(self) -> str:
        return (
            f"MixtureNetwork({len(self.names)} nodes, {self.dag.n_edges} edges, response {self.response!r} "
            f"with {len(self.dag.parents(self.response))} parents)"
        )


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
