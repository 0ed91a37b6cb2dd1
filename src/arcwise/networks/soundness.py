"""What a network must be: one model for each node, that know each other's levels, and columns cut once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arcwise.errors import GraphError
from arcwise.graph.pdag import Pdag
from arcwise.networks.models.table import Table
from arcwise.printing import counted

if TYPE_CHECKING:
    from arcwise.networks.network import Network


def check_network(network: Network) -> None:
    """GraphError says what does not fit together."""
    _check_models(network)
    _check_levels(network)
    if network.response is not None:
        network.dag.index(network.response)
    _check_pattern(network)
    _check_numbers(network)


def _check_models(network: Network) -> None:
    dag, models = network.dag, network.models
    if not dag.names:
        raise GraphError("a network needs at least one node")
    if len(models) != dag.n_nodes:
        raise GraphError(
            f"a network of {counted(dag.n_nodes, 'node')} got {counted(len(models), 'model')}; give one for each node"
        )
    for name, model in zip(dag.names, models, strict=True):
        if model.child != name or sorted(model.parents) != list(dag.parents(name)):
            raise GraphError(
                f"the model of {model.child!r} given {list(model.parents)} does not belong to node {name!r} with "
                f"parents {list(dag.parents(name))}; give the models in the order of the nodes"
            )


def _check_levels(network: Network) -> None:
    """Every model must know its parents by the levels that their own models have, in the same order."""
    known = dict(zip(network.names, network.states, strict=True))
    for model in network.models:
        for parent, levels in model.columns.items():
            if levels != known[parent]:
                raise GraphError(
                    f"the model of {model.child!r} has other levels of {parent!r} than the model of {parent!r}; "
                    "fit both to the same columns"
                )


def _check_pattern(network: Network) -> None:
    pattern = network.pattern
    if pattern is None:
        return
    if set(pattern.names) != set(network.names) or pattern.skeleton != Pdag.from_dag(network.dag).skeleton:
        raise GraphError("the pattern of a network must have the nodes and edges of its graph; give that of its class")


def _check_numbers(network: Network) -> None:
    """Columns of numbers whose nodes have levels."""
    if len(network.numbers) < len(network.intervals) + len(network.readings):
        raise GraphError("a column of the network is cut twice; give the intervals of each column once")
    for cut in network.numbers.values():
        if len(network.model(cut.column).levels) != len(cut.means):
            raise GraphError(f"column {cut.column!r} is cut into {len(cut.means)} levels, which its model has not")
    if network.readings and not all(isinstance(model, Table) for model in network.models):
        raise GraphError("a network with readings of states needs a table for every node")
