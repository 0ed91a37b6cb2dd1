"""Hand networks and graphs to pgmpy and pyAgrum, as their own types."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from arcwise.checking import checked
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.networks.network import Network


@checked
def to_pgmpy(net: Network) -> Any:
    """A pgmpy DiscreteBayesianNetwork with the same names, states and tables."""
    models = _import("pgmpy.models", "pgmpy")
    factors = _import("pgmpy.factors.discrete", "pgmpy")
    model = models.DiscreteBayesianNetwork()
    model.add_nodes_from(net.names)
    model.add_edges_from(net.dag.edges)
    states = dict(zip(net.names, net.states, strict=True))
    for name, parents, cpt in zip(net.names, net.parents, net.cpts, strict=True):
        # pgmpy keeps one column per parent configuration, the last parent fastest, and the node in the rows.
        table = factors.TabularCPD(
            variable=name,
            variable_card=cpt.shape[-1],
            values=cpt.reshape(-1, cpt.shape[-1]).T,
            evidence=list(parents),
            evidence_card=list(cpt.shape[:-1]),
            state_names={n: list(states[n]) for n in (name, *parents)},
        )
        model.add_cpds(table)
    return model


@checked
def dag_to_pgmpy(dag: Dag) -> Any:
    """A pgmpy DAG: the structure without tables."""
    graph = _import("pgmpy.base", "pgmpy").DAG()
    graph.add_nodes_from(dag.names)
    graph.add_edges_from(dag.edges)
    return graph


@checked
def to_pyagrum(net: Network) -> Any:
    """A pyAgrum BayesNet with the same names, states and tables."""
    gum = _import("pyagrum", "pyagrum")
    model = gum.BayesNet(net.title)
    for name, states in zip(net.names, net.states, strict=True):
        model.add(gum.LabelizedVariable(name, name, list(states)))
    for name, parents in zip(net.names, net.parents, strict=True):
        for parent in parents:
            model.addArc(parent, name)
    for name, parents, cpt in zip(net.names, net.parents, net.cpts, strict=True):
        # pyAgrum's flat order: the node fastest, then the first parent, the last parent slowest.
        axes = (*reversed(range(len(parents))), len(parents))
        model.cpt(name).fillWith(np.transpose(cpt, axes).ravel().tolist())
    return model


@checked
def dag_to_pyagrum(dag: Dag) -> Any:
    """A pyAgrum DAG; its nodes are numbers, namely the positions in `dag.names`."""
    graph = _import("pyagrum", "pyagrum").DAG()
    for position in range(len(dag.names)):
        graph.addNodeWithId(position)
    for tail, head in np.argwhere(dag.adjacency).tolist():
        graph.addArc(tail, head)
    return graph


def _import(module: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise OptionError(f"this export needs the package {package}; run: pip install {package}") from None
