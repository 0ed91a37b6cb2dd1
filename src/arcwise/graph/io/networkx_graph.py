"""Graphs as networkx objects. networkx is optional: it is asked for only here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arcwise.errors import GraphError

if TYPE_CHECKING:
    from arcwise.graph.dag import Dag
    from arcwise.graph.pdag import Pdag


def dag_to_networkx(dag: Dag) -> Any:
    """A DiGraph: nodes in the order of the names."""
    graph = _empty(dag.names)
    graph.add_edges_from(dag.edges)
    return graph


def pdag_to_networkx(pdag: Pdag) -> Any:
    """A DiGraph with edge attribute `kind`; undirected and bidirected edges are entered both ways."""
    graph = _empty(pdag.names)
    graph.add_edges_from(pdag.directed, kind="directed")
    for kind, pairs in (("undirected", pdag.undirected), ("bidirected", pdag.bidirected)):
        graph.add_edges_from(pairs, kind=kind)
        graph.add_edges_from(((b, a) for a, b in pairs), kind=kind)
    return graph


def _empty(names: tuple[str, ...]) -> Any:
    try:
        import networkx
    except ImportError:
        raise GraphError("networkx is not installed; install it with: pip install networkx") from None
    graph = networkx.DiGraph()
    graph.add_nodes_from(names)
    return graph
