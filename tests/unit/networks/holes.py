"""Tables with missing cells, for the tests of networks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwise import Dag, networks
from arcwise.networks.models.linear_gaussian import Effects, LinearGaussian, Slope
from arcwise.networks.models.table import Table
from arcwise.networks.network import Network


def with_holes(data, share, seed=0, names=None):
    """Each cell missing with the same probability, whatever it is; in these columns only."""
    rng = np.random.default_rng(seed)
    masks = {column.name: rng.random(data.n_stored) < share for column in data.columns}
    columns = (replace(c, missing=masks[c.name]) if names is None or c.name in names else c for c in data.columns)
    return replace(data, columns=tuple(columns))


def random_tables(seed, nodes=6, edges=8):
    return networks.random_discrete_network(
        networks.random_dag(nodes, seed=seed, n_edges=edges), seed=seed, cardinality=(2, 3)
    )


def mixed_network():
    """Levels above numbers: k -> m, k -> x, m -> y, x -> y, y -> z, m -> z, and w by itself below k."""
    rng = np.random.default_rng(4)
    k, m, w = ("a", "b"), ("u", "v", "o"), ("p", "q")
    tables = (
        Table("k", k, (), (), np.array([0.4, 0.6])),
        Table("m", m, ("k",), (k,), rng.dirichlet(np.ones(3), 2)),
        Table("w", w, ("k",), (k,), rng.dirichlet(np.ones(2), 2)),
    )
    numbers = (
        LinearGaussian("x", (Effects("k", k, (-0.7, 0.9)),), 5.0, 2.0, 1.1),
        LinearGaussian("y", (Slope("x", 4.0, 3.0, 0.8), Effects("m", m, (0.5, -1.0, 0.1))), -3.0, 10.0, 6.0),
        LinearGaussian("z", (Slope("y", 0.0, 5.0, -0.5), Effects("m", m, (1.0, 0.0, -1.0))), 100.0, 30.0, 20.0),
    )
    edges = [(parent, model.child) for model in (*tables, *numbers) for parent in model.parents]
    return Network(Dag(tuple(model.child for model in (*tables, *numbers)), edges), (*tables, *numbers))
