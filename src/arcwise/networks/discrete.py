"""Networks of conditional probability tables."""

from __future__ import annotations

from arcwise.checking import checked
from arcwise.data.dataset import FloatArray
from arcwise.data.scales import stand_in_order
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.networks import tables
from arcwise.networks.models.table import Table
from arcwise.networks.network import Network


@checked
class BayesianNetwork(Network):
    """A way to make a network of tables; `states`, `parents` and `cpts` are in the order of `names`.

    `cpts[i]` has one axis per parent, in the order of `parents[i]`, and the node's own states last (or is given flat,
    in C order). Rows are normalised. The states of a node count as ordered where their names tell that. With the same
    seed, a shorter sample is the head of a longer one.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        states: tuple[tuple[str, ...], ...],
        parents: tuple[tuple[str, ...], ...],
        cpts: tuple[FloatArray, ...],
        title: str = "",
        source: str = "",
    ) -> None:
        if not len(names):
            raise GraphError("a network needs at least one node")
        for what, parts in (("states", states), ("parents", parents), ("cpts", cpts)):
            if len(parts) != len(names):
                raise GraphError(f"{what} has {len(parts)} entries for {len(names)} nodes; give one per node")
        own_parents = [tables.as_labels(n, "parents", p) for n, p in zip(names, parents, strict=True)]
        dag = Dag(names, [(p, name) for name, own in zip(names, own_parents, strict=True) for p in own])
        of = {name: tables.as_states(name, own) for name, own in zip(names, states, strict=True)}
        models = tuple(
            Table(name, of[name], own, tuple(of[p] for p in own), cpt, ordered=stand_in_order(of[name]))
            for name, own, cpt in zip(names, own_parents, cpts, strict=True)
        )
        super().__init__(dag, models, title=title, source=source, numbered=True)
