"""Random graphs, and random discrete and linear-Gaussian networks on a given graph."""

from __future__ import annotations

from math import isfinite, prod

import numpy as np

from arcwise.checking import Seed, checked
from arcwise.data.dataset import IntArray
from arcwise.errors import OptionError
from arcwise.graph.adjacency import check_nodes
from arcwise.graph.dag import Dag
from arcwise.machine import check_fits
from arcwise.networks.discrete import BayesianNetwork
from arcwise.networks.gaussian import GaussianNetwork
from arcwise.networks.network import Network
from arcwise.networks.streams import stream

LARGEST_TABLE = 10_000_000


@checked
def random_dag(
    n: int,
    *,
    seed: Seed,
    n_edges: int | None = None,
    expected_degree: float | None = None,
    max_parents: int | None = None,
) -> Dag:
    """A DAG on X1, ..., Xn in a random order, with exactly `n_edges` or with `expected_degree` on average.

    Without `max_parents` every set of `n_edges` forward pairs is equally likely, and `expected_degree` joins
    each pair independently with probability expected_degree / (n - 1). With it, edges beyond the limit of
    their head are left out at random: `n_edges` is still met, the expected degree becomes an upper bound.
    """
    if n < 1:
        raise OptionError(f"a graph of {n} nodes is impossible; ask for 1 or more")
    if (n_edges is None) == (expected_degree is None):
        raise OptionError("give exactly one of n_edges and expected_degree")
    check_fits(40 * n * (n - 1) // 2, f"the pairs of {n:,} nodes", "ask for fewer nodes", OptionError)
    check_nodes(n)
    if max_parents is not None and max_parents < 0:
        raise OptionError(f"max_parents {max_parents} is negative; give 0 or more, or None for no limit")
    rng = stream(seed, "random dag")
    order = rng.permutation(n)
    tails, heads = np.triu_indices(n, 1)
    pairs = rng.permutation(len(tails))
    if expected_degree is not None:
        if not 0 <= expected_degree <= n - 1:
            raise OptionError(f"expected_degree {expected_degree} must be from 0 to n - 1 = {n - 1}")
        pairs = pairs[rng.random(len(pairs)) * (n - 1) < expected_degree]
    if max_parents is not None:
        pairs = pairs[_rank_within(heads[pairs]) < max_parents]
    if n_edges is not None:
        if not 0 <= n_edges <= len(pairs):
            raise OptionError(f"n_edges {n_edges} must be from 0 to {len(pairs)}, the most that {n} nodes allow")
        pairs = pairs[:n_edges]
    adjacency = np.zeros((n, n), dtype=np.bool_)
    adjacency[order[tails[pairs]], order[heads[pairs]]] = True
    width = len(str(n))
    return Dag.from_adjacency([f"X{i + 1:0{width}d}" for i in range(n)], adjacency)


@checked
def random_discrete_network(
    dag: Dag, *, seed: Seed, cardinality: tuple[int, int] = (2, 4), concentration: float = 1.0
) -> Network:
    """Numbers of states uniform on the closed range `cardinality`, CPT rows Dirichlet(concentration, ...).

    A small concentration gives near-deterministic rows, a large one near-uniform rows.
    """
    low, high = cardinality
    if not 1 <= low <= high:
        raise OptionError(f"cardinality {cardinality} must be a range (low, high) with 1 <= low <= high")
    if not (isfinite(concentration) and concentration > 0):
        raise OptionError(f"concentration {concentration!r} must be a positive finite number")
    rng = stream(seed, "random discrete network")
    counts = dict(zip(dag.names, rng.integers(low, high + 1, len(dag.names)).tolist(), strict=True))
    parents = tuple(dag.parents(name) for name in dag.names)
    shapes = [tuple(counts[n] for n in (*own, name)) for name, own in zip(dag.names, parents, strict=True)]
    for name, shape in zip(dag.names, shapes, strict=True):
        if prod(shape) > LARGEST_TABLE:
            raise OptionError(
                f"node {name!r} with {len(shape) - 1} parents would need a CPT of {prod(shape)} entries "
                f"(limit {LARGEST_TABLE}); use a graph with fewer parents or a lower cardinality"
            )
    n_cells = sum(map(prod, shapes))
    check_fits(
        3 * 8 * n_cells,
        f"CPTs of {n_cells:,} entries in all",
        "use a smaller graph or a lower cardinality",
        OptionError,
    )
    cpts = tuple(
        rng.dirichlet(np.full(shape[-1], concentration), size=prod(shape[:-1])).reshape(shape) for shape in shapes
    )
    states = tuple(tuple(f"s{i + 1}" for i in range(counts[name])) for name in dag.names)
    return BayesianNetwork(dag.names, states, parents, cpts)


@checked
def random_gaussian_network(
    dag: Dag, *, seed: Seed, weights: tuple[float, float] = (0.5, 1.5), sds: tuple[float, float] = (0.5, 1.5)
) -> Network:
    """Magnitudes of the weights uniform on `weights`, signs random; noise sds uniform on `sds`; means 0."""
    for what, (low, high) in (("weights", weights), ("sds", sds)):
        if not (0 < low <= high and isfinite(high)):
            raise OptionError(f"{what} ({low}, {high}) must be a range (low, high) with 0 < low <= high")
    rng = stream(seed, "random Gaussian network")
    n = len(dag.names)
    check_fits(4 * 8 * n * n, f"the weights of {n:,} nodes", "use a smaller graph", OptionError)
    values = rng.uniform(*weights, size=(n, n)) * rng.choice([-1.0, 1.0], size=(n, n))
    noise = rng.uniform(*sds, size=n)
    return GaussianNetwork(dag.names, np.where(dag.adjacency, values, 0.0), noise, np.zeros(n))


def _rank_within(groups: IntArray) -> IntArray:
    """For each element, how many earlier elements have the same value."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.searchsorted(ordered, ordered, side="left")
    ranks = np.empty(len(groups), dtype=np.intp)
    ranks[order] = np.arange(len(groups)) - starts
    return ranks
