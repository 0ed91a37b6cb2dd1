"""The graphs of an equivalence class, as far as they differ in the parents of some nodes; and the network on each.

p(rest | do(x)) = p(all) / p(x | parents of x), so that of a graph of the class only the parents of what is set matter
(Maathuis, Kalisch and Bühlmann 2009, IDA). All graphs of a class can have the same joint distribution: families that a
graph does not share with the fitted one get their numbers from the fitted joint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.errors import GraphError
from arcwise.graph.adjacency import BoolArray
from arcwise.graph.dag import Dag
from arcwise.graph.equivalence import best_effort_extension, equivalent
from arcwise.graph.pdag import Pdag
from arcwise.networks.inference.bucket_tree import Given
from arcwise.networks.models.linear_gaussian import SMALLEST, Effects, LinearGaussian, Slope, standardized
from arcwise.networks.models.protocol import ConditionalModel
from arcwise.networks.models.table import Table

if TYPE_CHECKING:
    from arcwise.networks.network import Network

MOST_MEMBERS = 64
SAME = 1e-6  # effects of a column that is no parent may differ by this much, in standard deviations
Edge = tuple[str, str]


class NoModelError(GraphError):
    """The joint distribution cannot be written down on this graph."""


@dataclass(frozen=True, slots=True)
class Members:
    """Graphs that differ in the directions of `edges`, the arrows chosen in each; `limited`: there are more."""

    edges: tuple[Edge, ...]
    graphs: tuple[Dag, ...]
    chosen: tuple[tuple[bool, ...], ...]  # of each graph and edge: whether it points as the edge is written
    limited: bool


def sound_pattern(dag: Dag, pattern: Pdag | None) -> tuple[Pdag, bool]:
    """The class that is looked at, and whether it is that of the pattern: one which no DAG has is replaced."""
    if pattern is None:
        return dag.cpdag(), True
    own = pattern.reordered(dag.names)
    found = _extension(dag, own.directed_matrix, own.undirected_matrix)
    if pattern.bidirected or found is None or not equivalent(found, dag.adjacency):
        return dag.cpdag(), False
    return own, True


def members(dag: Dag, pattern: Pdag, names: Sequence[str]) -> Members:
    """One graph of the class for each way in which the undirected edges at these nodes may point."""
    edges = tuple(edge for edge in pattern.undirected if set(edge) & set(names))
    found: list[tuple[BoolArray, tuple[bool, ...]]] = []
    for one in _oriented(dag, pattern, edges):
        if len(found) == MOST_MEMBERS:
            return Members(edges, *_named(dag, found), limited=True)
        found.append(one)
    return Members(edges, *_named(dag, found), limited=False)


def _named(
    dag: Dag, found: Sequence[tuple[BoolArray, tuple[bool, ...]]]
) -> tuple[tuple[Dag, ...], tuple[tuple[bool, ...], ...]]:
    return tuple(Dag.from_adjacency(dag.names, adj) for adj, _ in found), tuple(chosen for _, chosen in found)


def _oriented(dag: Dag, pattern: Pdag, edges: Sequence[Edge]) -> Iterator[tuple[BoolArray, tuple[bool, ...]]]:
    """Edge after edge both ways, as long as a graph of the class has these directions."""

    def deeper(
        directed: BoolArray, lines: BoolArray, chosen: tuple[bool, ...]
    ) -> Iterator[tuple[BoolArray, tuple[bool, ...]]]:
        extension = _extension(dag, directed, lines)
        if extension is None or not equivalent(extension, dag.adjacency):
            return
        if len(chosen) == len(edges):
            yield extension, chosen
            return
        a, b = (dag.index(end) for end in edges[len(chosen)])
        for forward in (True, False):
            more, fewer = directed.copy(), lines.copy()
            more[(a, b) if forward else (b, a)] = True
            fewer[a, b] = fewer[b, a] = False
            yield from deeper(more, fewer, (*chosen, forward))

    yield from deeper(pattern.directed_matrix, pattern.undirected_matrix, ())


def _extension(dag: Dag, directed: BoolArray, lines: BoolArray) -> BoolArray | None:
    """A DAG with these arrows and colliders, as near as may be to the given one; None where there is none.

    Free edges run along the order of the nodes, so that few families differ from the fitted ones.
    """
    order = [dag.index(name) for name in dag.topological_order]
    found = best_effort_extension(directed[np.ix_(order, order)], lines[np.ix_(order, order)])
    if not found.consistent:
        return None
    result = np.zeros_like(found.adjacency)
    result[np.ix_(order, order)] = found.adjacency
    return result


@dataclass(frozen=True, eq=False)
class Joint:
    """The joint distribution of a fitted network, from which families of other graphs are taken."""

    network: Network
    _known: dict[tuple[str, tuple[str, ...]], ConditionalModel] = field(default_factory=dict)

    def on(self, dag: Dag) -> Network:
        """The same distribution on a graph of the class; NoModelError where there is no such model."""
        models = tuple(self._family(name, dag.parents(name)) for name in self.network.names)
        return self.network.changed(dag=dag.reordered(self.network.names), models=models, pattern=None)

    def _family(self, child: str, parents: tuple[str, ...]) -> ConditionalModel:
        own = self.network.model(child)
        if sorted(own.parents) == sorted(parents):
            return own
        key = (child, parents)
        if key not in self._known:
            others = [self.network.model(parent) for parent in parents]
            if isinstance(own, Table) and all(isinstance(other, Table) for other in others):
                self._known[key] = self._table(own, parents)
            elif isinstance(own, LinearGaussian) and all(isinstance(o, Table | LinearGaussian) for o in others):
                self._known[key] = self._linear(own, parents)
            else:
                given = f"given {' and '.join(map(repr, parents))}" if parents else "without parents"
                raise NoModelError(f"there is no exact model of {child!r} ({own.kind}) {given}")
        return self._known[key]

    def _table(self, own: Table, parents: tuple[str, ...]) -> Table:
        """P(child | parents) from the joint; uniform where the parents are impossible."""
        network = self.network
        wanted = [network.dag.index(name) for name in (*parents, own.child)]
        joint = network.bucket_tree.joint(wanted, Given({}, {}))[1]
        total = joint.sum(axis=-1, keepdims=True)
        cells = np.divide(joint, total, out=np.full_like(joint, 1.0 / joint.shape[-1]), where=total > 0.0)
        levels = tuple(network.model(parent).levels for parent in parents)
        return Table(own.child, own.levels, parents, levels, cells, own.ordered)

    def _linear(self, own: LinearGaussian, parents: tuple[str, ...]) -> LinearGaussian:
        """The regression on the new parents: slopes from the covariance given all levels, effects from the means."""
        moments = self._moments
        at = moments.position
        numbers = [parent for parent in parents if parent in at]
        chosen, v = [at[parent] for parent in numbers], at[own.child]
        slopes = np.linalg.solve(moments.covariance[np.ix_(chosen, chosen)], moments.covariance[chosen, v])
        variance = float(moments.covariance[v, v] - slopes @ moments.covariance[chosen, v])
        start = float(moments.means[v] - slopes @ moments.means[chosen])
        terms: list[Slope | Effects] = []
        for parent, slope in zip(numbers, slopes.tolist(), strict=True):
            model = moments.models[at[parent]]
            terms.append(Slope(parent, model.centre, model.scale, slope))
        for column, effects in moments.effects.items():
            shift = effects[v] - slopes @ effects[chosen]
            if column in parents:
                terms.append(Effects(column, self.network.model(column).levels, tuple(shift.tolist())))
            elif np.ptp(shift) > SAME:
                raise NoModelError(f"there is no exact model of {own.child!r} without {column!r}")
            else:
                start += float(shift.mean())
        terms += [  # a parent without any effect is one still
            Effects(parent, levels, (0.0,) * len(levels))
            for parent in parents
            if (levels := self.network.model(parent).levels) and parent not in moments.effects
        ]
        sd = max(own.scale * np.sqrt(max(variance, 0.0)), SMALLEST)
        return LinearGaussian(own.child, tuple(terms), own.centre + own.scale * start, own.scale, float(sd))

    @cached_property
    def _moments(self) -> _Moments:
        return _moments(self.network)


@dataclass(frozen=True, eq=False)
class _Moments:
    """All continuous nodes given all levels, in units of their scale from their centre: jointly normal.

    means: with all effects 0. effects: of each discrete column (nodes, levels), what each level adds to the means.
    """

    models: Sequence[LinearGaussian]
    position: dict[str, int]
    means: FloatArray
    covariance: FloatArray
    effects: dict[str, FloatArray]


def _moments(network: Network) -> _Moments:
    models = [model for model in network.models if isinstance(model, LinearGaussian)]
    for model in network.models:
        if not model.levels and not isinstance(model, LinearGaussian):
            raise NoModelError(f"there is no exact joint distribution with {model.child!r} ({model.kind})")
    position = {model.child: i for i, model in enumerate(models)}
    n = len(models)
    slopes, starts, sds = np.zeros((n, n)), np.zeros(n), np.zeros(n)
    effects: dict[str, FloatArray] = {}
    for i, model in enumerate(models):
        sds[i] = model.sd / model.scale
        for term in model.terms:
            if isinstance(term, Effects):
                effects.setdefault(term.parent, np.zeros((n, len(term.levels))))[i] = term.weights
            else:
                parent = models[position[term.parent]]
                slopes[i, position[term.parent]] = term.weight * parent.scale / term.scale
                starts[i] += term.weight * float(standardized(np.array([parent.centre]), term.centre, term.scale)[0])
    total = np.linalg.inv(np.eye(n) - slopes)
    spread = total * sds
    return _Moments(
        models, position, total @ starts, spread @ spread.T, {name: total @ own for name, own in effects.items()}
    )
