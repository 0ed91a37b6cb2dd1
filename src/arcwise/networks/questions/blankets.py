"""The Markov blanket of a node: what hides it from all others, and how strong each tie is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.networks.inference.bucket_tree import Given
from arcwise.networks.inference.normal import linear_form
from arcwise.networks.models.linear_gaussian import LinearGaussian
from arcwise.networks.models.table import Table
from arcwise.networks.questions.ask import relevant
from arcwise.printing import counted, printable

if TYPE_CHECKING:
    import polars as pl

    from arcwise.networks.network import Network

ROLES = {
    "parent": "parents",
    "child": "children",
    "neighbour": "neighbours (the data fit either direction)",
    "conflict": "neighbours with conflicting evidence of direction",
    "spouse": "spouses (other parents of a child)",
}
NATS, SHARE = "nats", "share"
INFORMATION = "nats: what an edge says about the child that its other parents do not"
Strength = tuple[float | None, str]  # and why there is none
Tie = Callable[[str, str], Strength]  # of two neighbours


@dataclass(frozen=True, slots=True)
class Relative:
    """One member of a blanket: its role, how strong the tie is, and of a spouse the child that is shared.

    strength: the share of graphs with the edge, or what it says in nats; of a spouse that of its edge to the child.
    None where there is no such number, and `reason` says why.
    """

    name: str
    role: str
    strength: float | None
    child: str | None = None
    reason: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Blanket:
    """All relatives of a node. measure: what strengths are, "nats" or "share" (of `graphs` graphs), "" if not known.

    words: the same in one line.
    """

    name: str
    relatives: tuple[Relative, ...]
    measure: str
    graphs: int | None = None
    words: str = ""

    @property
    def parents(self) -> tuple[Relative, ...]:
        return self._of("parent")

    @property
    def children(self) -> tuple[Relative, ...]:
        return self._of("child")

    @property
    def neighbours(self) -> tuple[Relative, ...]:
        """Joined to the node by an edge of which data and knowledge do not tell the direction."""
        return self._of("neighbour", "conflict")

    @property
    def spouses(self) -> tuple[Relative, ...]:
        """Other parents of a child, one for each child, if they are no neighbours themselves."""
        return self._of("spouse")

    @property
    def names(self) -> tuple[str, ...]:
        """Everyone once."""
        return tuple(dict.fromkeys(relative.name for relative in self.relatives))

    def table(self) -> pl.DataFrame:
        """A polars table, one line for each relative."""
        import polars as pl

        types = {"name": pl.String, "role": pl.String, "strength": pl.Float64, "child": pl.String, "reason": pl.String}
        return pl.DataFrame([[getattr(one, key) for key in types] for one in self.relatives], types, orient="row")

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, ready for JSON."""
        groups = {
            key: [_content(one) for one in getattr(self, key)]
            for key in ("parents", "children", "neighbours", "spouses")
        }
        return {"name": self.name, "measure": self.measure, "graphs": self.graphs, **groups}

    def __str__(self) -> str:
        from arcwise.networks.questions.answer_text import aligned, shortened

        lines = [f"Markov blanket of {shortened(self.name)}: {counted(len(self.names), 'column')}"]
        for role, head in ROLES.items():
            group = self._of(role)
            if group:
                lines += ["", head]
                lines += aligned([(shortened(one.name), self._words(one), _through(one)) for one in group], right=(1,))
        lines += ["", *(f"({line})" for line in self._legend())] if self.relatives else []
        return "\n".join(lines)

    def __repr__(self) -> str:
        return printable(f"Blanket({self.name}: {', '.join(self.names)})")

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def _of(self, *roles: str) -> tuple[Relative, ...]:
        return tuple(one for one in self.relatives if one.role in roles)

    def _words(self, one: Relative) -> str:
        if one.strength is None:
            return ""
        if self.measure == SHARE:
            return f"{one.strength:.0%}"
        return f"{one.strength:.3g} nats" if abs(one.strength) < 1000 else f"{one.strength:,.0f} nats"

    def _legend(self) -> list[str]:
        reasons = list(dict.fromkeys(printable(one.reason) for one in self.relatives if one.reason))
        if all(one.strength is None for one in self.relatives):
            return reasons
        return [self.words, *reasons]


def _content(one: Relative) -> dict[str, Any]:
    found: dict[str, Any] = {"name": one.name, "strength": one.strength}
    found |= {} if one.child is None else {"child": one.child}
    return found | ({"reason": one.reason} if one.reason else {})


def _through(one: Relative) -> str:
    from arcwise.networks.questions.answer_text import shortened

    return "" if one.child is None else f"through {shortened(one.child, 24)}"


def blanket_of(
    pattern: Pdag, name: str, tie: Tie, measure: str, *, graphs: int | None = None, words: str = ""
) -> Blanket:
    """That of a pattern alone: spouses are those of its arrows, and ends in conflict may both be arrowheads."""
    pointing = {node: (*pattern.parents(node), *_in_conflict(pattern, node)) for node in pattern.names}
    return Blanket(name, _relatives(pattern, pointing, name, tie), measure, graphs, words)


def _relatives(roles: Pdag, pointing: Mapping[str, Sequence[str]], name: str, tie: Tie) -> tuple[Relative, ...]:
    """Neighbours as `roles` has them, spouses by those that are `pointing` at a node; the strongest first of each."""
    roles.index(name)
    pairs = [(role, other) for role, others in _neighbours(roles, name) for other in others]
    found = [_relative(other, role, tie(name, other)) for role, other in pairs]
    found += [
        _relative(spouse, "spouse", tie(spouse, child), child)
        for child, parents in pointing.items()
        if name in parents
        for spouse in parents
        if spouse != name and not roles.adjacent(spouse, name)
    ]
    order = list(ROLES)
    found.sort(key=lambda one: (order.index(one.role), -(one.strength or 0.0), one.name, one.child or ""))
    return tuple(found)


def _relative(name: str, role: str, strength: Strength, child: str | None = None) -> Relative:
    return Relative(name, role, strength[0], child, strength[1])


def _neighbours(pattern: Pdag, name: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    yield "parent", pattern.parents(name)
    yield "child", pattern.children(name)
    yield "neighbour", pattern.neighbors(name)
    yield "conflict", _in_conflict(pattern, name)


def _in_conflict(pattern: Pdag, name: str) -> tuple[str, ...]:
    return tuple(b if a == name else a for a, b in pattern.bidirected if name in (a, b))


def blanket_of_network(network: Network, name: str) -> Blanket:
    """See `Network.blanket`: members and arrows are those of the fitted graph.

    The pattern says only which edges have no direction, or conflicting ones. Its own arrows do not decide: where no
    graph has all of them, its blanket could miss members.
    """

    def tie(a: str, b: str) -> Strength:
        return information(network, a, b) if a in network.dag.parents(b) else information(network, b, a)

    pointing = {node: network.dag.parents(node) for node in network.names}
    return Blanket(name, _relatives(_in_doubt(network), pointing, name, tie), NATS, words=INFORMATION)


def _in_doubt(network: Network) -> Pdag:
    """The fitted graph without the directions that the pattern does not have; one that was not learned has all."""
    dag, pattern = network.dag, network.pattern
    if pattern is None:
        return Pdag.from_dag(dag)
    doubtful = {frozenset(pair) for pair in (*pattern.undirected, *pattern.bidirected)}
    arrows = [edge for edge in dag.edges if frozenset(edge) not in doubtful]
    return Pdag(dag.names, arrows, pattern.undirected, pattern.bidirected)


def information(network: Network, parent: str, child: str) -> Strength:
    """I(child; parent | other parents) under the network, in nats."""
    models = relevant(network, (child,))
    if all(isinstance(model, Table) for model in models):
        try:
            return _of_tables(network, parent, child), ""
        except OptionError:
            return None, f"no nats of {child}: its table together with those above it is too large"
    if all(isinstance(model, LinearGaussian) for model in models):
        return _of_gaussians(network, parent, child), ""
    return None, "no nats where levels, or models without a closed form, are above numbers"


def _of_tables(network: Network, parent: str, child: str) -> float:
    """sum p(j, k) ln p(k | j) / p(k | other parents of j)."""
    family = network.model(child).parents
    joint = network.bucket_tree.joint([network.dag.index(name) for name in (*family, child)], Given({}, {}))[1]
    axis = family.index(parent)
    rest = joint.sum(axis=axis, keepdims=True)
    there = joint > 0.0
    ratio = joint * rest.sum(axis=-1, keepdims=True) / np.where(there, joint.sum(axis=-1, keepdims=True) * rest, 1.0)
    return max(float((joint[there] * np.log(ratio[there])).sum()), 0.0)


def _of_gaussians(network: Network, parent: str, child: str) -> float:
    """ln (sd of the child given its other parents / sd given all) of jointly normal numbers."""
    models = relevant(network, (child,))
    names = [model.child for model in models]
    form = linear_form(Dag(names, [(above, model.child) for model in models for above in model.parents]), models)
    covariance, v = form.covariance(), names.index(child)
    others = [names.index(name) for name in network.model(child).parents if name != parent]
    slopes = np.linalg.solve(covariance[np.ix_(others, others)], covariance[others, v])
    variance = float(covariance[v, v] - slopes @ covariance[others, v])
    return max(0.5 * float(np.log(variance / form.sds[v] ** 2)), 0.0)
