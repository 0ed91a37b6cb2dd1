"""Bayesian networks over discrete nodes, with all their conditional probability tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np

from arcwise.checking import Seed, checked
from arcwise.data.accepting import takes_known_table
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind, code_dtype
from arcwise.data.reading.door import Reading, TableLike, read_alike
from arcwise.data.reading.json_files import check_content, load_json
from arcwise.data.text_files import write_text
from arcwise.errors import GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.networks import ancestral, inference, relevance, tables
from arcwise.networks.columns import state_codes
from arcwise.networks.streams import checked_rows, stream

FORMAT = "discrete-bn-1"


class NodeContent(TypedDict):
    name: str
    states: list[str]
    parents: list[str]
    cpt: list[float]


class NetworkContent(TypedDict):
    """What `BayesianNetwork.to_dict` gives; a file may leave out its name and source."""

    nodes: list[NodeContent]


@checked
@dataclass(frozen=True, eq=False, repr=False)
class BayesianNetwork:
    """An immutable discrete network; `states`, `parents` and `cpts` are in the order of `names`.

    `cpts[i]` has one axis per parent, in the order of `parents[i]`, and the node's own states last (or is
    given flat, in C order). Rows are normalised here. Two networks are equal when names, states, parents and
    tables are, whatever their titles.
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    parents: tuple[tuple[str, ...], ...]
    cpts: tuple[FloatArray, ...]
    title: str = ""
    source: str = ""
    dag: Dag = field(init=False)

    def __post_init__(self) -> None:
        names = tuple(self.names)
        if not names:
            raise GraphError("a network needs at least one node")
        for what, parts in (("states", self.states), ("parents", self.parents), ("cpts", self.cpts)):
            if len(parts) != len(names):
                raise GraphError(f"{what} has {len(parts)} entries for {len(names)} nodes; give one per node")
        parents = tuple(tables.as_labels(n, "parents", p) for n, p in zip(names, self.parents, strict=True))
        edges = [(p, name) for name, own in zip(names, parents, strict=True) for p in own]
        dag = Dag(names, edges)
        states = tuple(tables.as_states(n, s) for n, s in zip(names, self.states, strict=True))
        of = dict(zip(names, states, strict=True))
        cpts: list[FloatArray] = []
        for name, own, cpt in zip(names, parents, self.cpts, strict=True):
            table = tables.as_table(name, cpt, tuple(len(of[n]) for n in (*own, name)))
            tables.normalise_rows(name, table, own, [of[p] for p in own])
            table.setflags(write=False)
            cpts.append(table)
        settled = {"names": names, "states": states, "parents": parents, "cpts": tuple(cpts), "dag": dag}
        for attribute, value in settled.items():
            object.__setattr__(self, attribute, value)

    @cached_property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of states of each node."""
        return tuple(len(states) for states in self.states)

    @cached_property
    def n_parameters(self) -> int:
        """Free parameters: (states - 1) per row, summed over all tables."""
        return sum(tables.n_free(cpt.shape) for cpt in self.cpts)

    def cpt(self, name: str) -> FloatArray:
        """The read-only table of `name`: axes are its parents in order, then its own states."""
        return self.cpts[self.dag.index(name)]

    @checked
    def sample(self, n: int, seed: Seed) -> Dataset:
        """`n` independent rows, columns in the network's order, levels the declared states.

        O(n * nodes * log states). With the same seed, a shorter sample is the head of a longer one.
        """
        rows = checked_rows(n, len(self.names))
        codes: list[IntArray] = [np.empty(0, dtype=np.intp)] * len(self.names)
        for i in self._topological:
            configuration = self._configurations(i, codes, rows)
            uniform = stream(seed, "network sample", i).random(rows)
            codes[i] = ancestral.draw_states(self._edges[i], configuration, uniform)
        return Dataset(
            tuple(
                Column(name, Kind.DISCRETE, code.astype(code_dtype(len(states))), levels=states, ordered=True)
                for name, states, code in zip(self.names, self.states, codes, strict=True)
            )
        )

    def read_table(self, data: TableLike, **reading: Unpack[Reading]) -> Dataset:
        """Whatever holds a table, its columns read with the states of the nodes; one row is enough."""
        return read_alike(data, dict(zip(self.names, self.states, strict=True)), **reading)

    @takes_known_table
    def log_likelihood(self, data: Dataset) -> FloatArray:
        """Log probability of each row, shape (n_rows,): minus infinity where the network excludes the row.

        Columns are matched by name and levels by label; other columns of `data` are ignored.
        """
        codes = [state_codes(data, name, s) for name, s in zip(self.names, self.states, strict=True)]
        total = np.zeros(data.n_rows)
        for i, cpt in enumerate(self.cpts):
            cell = self._configurations(i, codes, data.n_rows) * cpt.shape[-1] + codes[i]
            with np.errstate(divide="ignore"):
                total += np.log(cpt.ravel()[cell])
        return total

    def marginal(self, name: str) -> FloatArray:
        """Exact distribution of one node, shape (states,)."""
        return self.joint((name,))

    @checked
    def joint(self, names: Sequence[str]) -> FloatArray:
        """Exact joint distribution, one axis per name in the order given; exponential in the treewidth."""
        wanted = [self.dag.index(name) for name in names]
        if not wanted or len(set(wanted)) < len(wanted):
            raise OptionError(f"the joint of {list(names)} needs at least one name and each name once")
        return inference.joint(self.cpts, self._parent_indices, wanted)

    @takes_known_table
    def predict(self, name: str, data: Dataset) -> FloatArray:
        """(n_rows, states): the exact P(name | all other columns that are nodes) of each row.

        Nodes without a column are summed over; rows that the network excludes get NaN.
        """
        target = self.dag.index(name)
        present = {i for i, node in enumerate(self.names) if node in data.names and i != target}
        unknown, families = relevance.requisite(self._parent_indices, target, present)
        used = {i for family in families for i in (*self._parent_indices[family], family)} - set(unknown)
        codes = {i: state_codes(data, self.names[i], self.states[i]) for i in present & used}
        cpts = {i: self.cpts[i] for i in families}
        return inference.posterior(cpts, self._parent_indices, target, codes, data.n_rows)

    @checked
    def renamed(self, new_names: Mapping[str, str]) -> BayesianNetwork:
        """The same network with new names for the nodes that `new_names` mentions (old name to new)."""
        for name in new_names:
            self.dag.index(name)
        names = tuple(new_names.get(name, name) for name in self.names)
        parents = tuple(tuple(new_names.get(p, p) for p in own) for own in self.parents)
        return BayesianNetwork(names, self.states, parents, self.cpts, self.title, self.source)

    @checked
    def reordered(self, names: Iterable[str]) -> BayesianNetwork:
        """The same network with its nodes in this order."""
        order = self.dag.reordered(names).names
        at = [self.dag.index(name) for name in order]
        states, parents = (tuple(part[i] for i in at) for part in (self.states, self.parents))
        return BayesianNetwork(order, states, parents, tuple(self.cpts[i] for i in at), self.title, self.source)

    @checked
    def shuffled(self, seed: Seed) -> tuple[BayesianNetwork, dict[str, str]]:
        """Nodes in random order under random labels (v01, v02, ...), and the new name of each old one.

        Accuracy studies use this: files list parents before children, and a learner that breaks ties by
        position or by name would profit from it.
        """
        rng = stream(seed, "shuffled network")
        width = len(str(len(self.names)))
        labels = rng.permutation(len(self.names))
        new_names = {name: f"v{label + 1:0{width}d}" for name, label in zip(self.names, labels, strict=True)}
        order = [self.names[i] for i in rng.permutation(len(self.names))]
        return self.reordered(order).renamed(new_names), new_names

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, ready for JSON; tables are flat, in C order."""
        rows = zip(self.names, self.states, self.parents, self.cpts, strict=True)
        nodes = [
            {"name": name, "states": list(states), "parents": list(parents), "cpt": cpt.ravel().tolist()}
            for name, states, parents, cpt in rows
        ]
        return {"format": FORMAT, "name": self.title, "source": self.source, "nodes": nodes}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> BayesianNetwork:
        """The inverse of `to_dict`."""
        if not isinstance(content, Mapping) or content.get("format") != FORMAT:
            raise GraphError(f'this is no network: it must be a mapping with "format": "{FORMAT}"')
        check_content(content, NetworkContent, GraphError)
        nodes = content["nodes"]
        names, states, parents, cpts = (tuple(node[key] for node in nodes) for key in NodeContent.__annotations__)
        title, source = (str(content.get(key) or "") for key in ("name", "source"))
        net = BayesianNetwork(names, states, parents, cpts, title, source)
        for name, own, given in zip(net.names, net.parents, cpts, strict=True):
            tables.check_sums(name, given, own, [net.states[net.dag.index(p)] for p in (*own, name)])
        return net

    @checked
    def save(self, path: str | Path) -> None:
        """Write JSON (gzipped if the name ends in .gz); every bit of every table is kept."""
        write_text(path, json.dumps(self.to_dict(), separators=(",", ":")))

    @staticmethod
    @checked
    def load(path: str | Path) -> BayesianNetwork:
        """Read a file written by `save`."""
        return load_json(path, "saved network", BayesianNetwork.from_dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        if (self.names, self.states, self.parents) != (other.names, other.states, other.parents):
            return False
        return all(np.array_equal(mine, theirs) for mine, theirs in zip(self.cpts, other.cpts, strict=True))

    def __hash__(self) -> int:
        return hash((self.names, self.states, self.parents))

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickled arrays are writable again; going through the constructor keeps the network immutable.
        return BayesianNetwork, (self.names, self.states, self.parents, self.cpts, self.title, self.source)

    def __repr__(self) -> str:
        title = f"{self.title!r}: " if self.title else ""
        return (
            f"BayesianNetwork({title}{len(self.names)} nodes, {self.dag.n_edges} edges, {self.n_parameters} parameters)"
        )

    @cached_property
    def _parent_indices(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(self.dag.index(p) for p in own) for own in self.parents)

    @cached_property
    def _topological(self) -> tuple[int, ...]:
        return tuple(self.dag.index(name) for name in self.dag.topological_order)

    @cached_property
    def _edges(self) -> tuple[FloatArray, ...]:
        return tuple(ancestral.cumulative_edges(cpt) for cpt in self.cpts)

    def _configurations(self, node: int, codes: Sequence[IntArray], n_rows: int) -> IntArray:
        own = self._parent_indices[node]
        return ancestral.parent_codes([codes[p] for p in own], [self.cardinalities[p] for p in own], n_rows)
