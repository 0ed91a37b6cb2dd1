"""Exact answers about nodes with levels, given evidence about some: sums over all others, one node after another.

With the evidence put in, each family P(node | parents) is a table of its other nodes. It goes into the *bucket* of the
first of them in the order of elimination. The product of a bucket, summed over its own node, is its message to the
bucket of the next node in it. What the last buckets send is p(evidence). On the way back each bucket learns what the
bucket above it knows of the nodes that they share, and then has P(its nodes | evidence): a tree of cliques, in which
two passes answer the question about every node (Dechter 1999; Lauritzen and Spiegelhalter 1988).

The axes of every table are in one order, the node that is eliminated first last. So tables are multiplied as they lie,
and a sum is over the last axis. Rows by the thousand are the affair of `hidden_levels`; here tables are large.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, log, prod
from typing import NamedTuple

import numpy as np

from arcwise.data.dataset import FloatArray
from arcwise.errors import OptionError
from arcwise.networks.inference.elimination import with_ancestors
from arcwise.networks.inference.orders import best_order

LARGEST_TABLE = 2**24  # numbers: 128 MiB
MOST_NUMBERS = 2**26  # in all tables together: half a GiB
PLANS = 64  # kept: the next question is mostly about the same nodes
ALL = slice(None)
LEAST = 1e-60  # tables whose largest number is less are scaled: looked at for small ones, and now and then
SMALL, OFTEN = 4096, 4
Scope = tuple[int, ...]
Table = tuple[Scope, FloatArray]


class Family(NamedTuple):
    """P(node | parents) as a table of the nodes without a code; `axes` puts these into the order of all tables."""

    node: int
    members: Scope
    axes: tuple[int, ...]
    scope: Scope
    bucket: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What does not depend on the numbers. The last bucket has the nodes that are kept, and none of its own.

    place: the bucket of each node. scopes: the nodes of each bucket. up: which bucket gets the message of each.
    """

    families: tuple[Family, ...]
    place: Mapping[int, int]
    scopes: tuple[Scope, ...]
    up: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Given:
    """codes: the level of a node. weights: how probable the evidence is for each level of a node, up to a factor."""

    codes: Mapping[int, int]
    weights: Mapping[int, FloatArray]

    @property
    def nodes(self) -> frozenset[int]:
        return frozenset((*self.codes, *self.weights))


class BucketTree:
    """A network of tables, prepared for questions. cpts: an axis for each parent in order, the node's levels last."""

    def __init__(self, cpts: Sequence[FloatArray], parents: Sequence[Sequence[int]]) -> None:
        self._cpts, self._parents = cpts, parents
        self._cards = [cpt.shape[-1] for cpt in cpts]
        self._plan = lru_cache(PLANS)(self._new_plan)

    def joint(self, wanted: Sequence[int], given: Given) -> tuple[float, FloatArray]:
        """(ln p(evidence), P(wanted | evidence)), an axis for each wanted node in the order given.

        Where the evidence is impossible: minus infinity, and NaN. Wanted nodes may have weights, but no codes.
        """
        _check_size(prod(self._cards[node] for node in wanted))
        plan = self._plan(frozenset(given.codes), frozenset((*given.nodes, *wanted)), tuple(wanted))
        found, shape = self._collect(plan, given), tuple(self._cards[node] for node in wanted)
        if found is None:
            return -inf, np.full(shape, np.nan)
        logs, _, _, tables = found
        whole, scale = _product(tables, plan.scopes[-1])
        total = float(whole.sum())
        return (logs + scale + log(total), whole / total) if total > 0.0 else (-inf, np.full(shape, np.nan))

    def marginals(self, wanted: Sequence[int], given: Given) -> tuple[float, list[FloatArray]]:
        """(ln p(evidence), P(node | evidence) of each wanted node), as `joint` of each by itself."""
        if len(wanted) == 1:
            logs, only = self.joint(wanted, given)
            return logs, [only]
        plan = self._plan(frozenset(given.codes), frozenset((*given.nodes, *wanted)), ())
        found = self._collect(plan, given)
        if found is None:
            return -inf, [np.full(self._cards[node], np.nan) for node in wanted]
        logs, tables, messages, _ = found
        _distribute(plan, tables, messages, [plan.place[node] for node in wanted])
        answers = []
        for node in wanted:
            own = tables[plan.place[node]]
            share = own.sum(axis=tuple(range(own.ndim - 1)))
            answers.append(share / share.sum())
        return logs, answers

    def _collect(
        self, plan: Plan, given: Given
    ) -> tuple[float, list[FloatArray], list[FloatArray], list[Table]] | None:
        """(ln of the scale, the product of each bucket, its message, what reaches the last); None: impossible."""
        waiting: list[list[Table]] = [[] for _ in plan.scopes]
        logs = 0.0
        for bucket, scope, table in self._reduced(plan, given):
            top = float(table.max())
            if not top > 0.0:
                return None
            if scope and top >= LEAST:
                waiting[bucket].append((scope, table))
                continue
            logs += log(top)
            if scope:
                waiting[bucket].append((scope, table / top))
        products, messages = [], []
        for i, scope in enumerate(plan.scopes[:-1]):
            product, scale = _product(waiting[i], scope)
            message = product.sum(axis=-1)
            top = float(message.max())
            if not top > 0.0:
                return None
            logs += scale + log(top)
            if len(scope) > 1:
                waiting[plan.up[i]].append((scope[:-1], message / top))
            products.append(product)
            messages.append(message)
        return logs, products, messages, waiting[-1]

    def _reduced(self, plan: Plan, given: Given) -> list[tuple[int, Scope, FloatArray]]:
        """(bucket, axes, table) of each family with the evidence put in, and of the weights of levels."""
        found = []
        for node, members, axes, scope, bucket in plan.families:
            table = self._cpts[node][tuple(given.codes.get(member, ALL) for member in members)]
            found.append((bucket, scope, np.transpose(table, axes)))
        return found + [(plan.place[node], (node,), np.asarray(own)) for node, own in given.weights.items()]

    def _new_plan(self, known: frozenset[int], asked: frozenset[int], kept: Scope) -> Plan:
        """Of all nodes only those asked about and above them matter: the rest sums to 1."""
        nodes = sorted(with_ancestors(self._parents, asked))
        families = [(*self._parents[node], node) for node in nodes]
        free = [tuple(member for member in members if member not in known) for members in families]
        order, sizes = best_order([scope for scope in free if scope], self._cards, kept)
        _check_size(max(sizes, default=1), sum(sizes))
        # Kept nodes come first in every table, in their order, then what is eliminated last.
        rank = {node: i for i, node in enumerate((*kept, *reversed(order)))}
        place = {node: min(len(rank) - 1 - i, len(order)) for node, i in rank.items()}
        members: list[set[int]] = [set() for _ in (*order, kept)]
        for scope in free:
            members[min((place[node] for node in scope), default=-1)].update(scope)
        up: list[int] = []
        for i, node in enumerate(order):
            up.append(min((place[other] for other in members[i] - {node}), default=len(order)))
            members[up[i]] |= members[i] - {node}
        scopes = [tuple(sorted(scope, key=rank.__getitem__)) for scope in free]
        placed = [
            Family(node, own, tuple(left.index(m) for m in scope), scope, min((place[m] for m in scope), default=-1))
            for node, own, left, scope in zip(nodes, families, free, scopes, strict=True)
        ]
        buckets = (*(tuple(sorted(own, key=rank.__getitem__)) for own in members[:-1]), kept)
        return Plan(tuple(placed), place, buckets, tuple(up))


def _product(tables: Sequence[Table], scope: Scope) -> tuple[FloatArray, float]:
    """(the product, scaled, and ln of the scale); the smallest table first, as long as it can be."""
    product: FloatArray = np.ones((1,) * len(scope))
    logs = 0.0
    for k, (own, table) in enumerate(sorted(tables, key=lambda one: one[1].size)):
        aligned = table[tuple(ALL if node in own else None for node in scope)]
        if product.size > 1 and product.shape == np.broadcast_shapes(product.shape, aligned.shape):
            product *= aligned
        else:
            product = product * aligned
        if product.size <= SMALL or k % OFTEN == OFTEN - 1:  # a product of hundreds of tables would vanish
            top = float(product.max())
            if 0.0 < top < LEAST:
                logs += log(top)
                product /= top
    return product, logs


def _distribute(plan: Plan, tables: list[FloatArray], messages: Sequence[FloatArray], wanted: Sequence[int]) -> None:
    """The tables of the wanted buckets, and of all above them, become P(nodes | evidence), up to a factor."""
    needed = set(wanted)
    for i in range(len(tables)):
        if i in needed:
            needed.add(plan.up[i])
    for i in sorted(needed - {len(tables)}, reverse=True):
        scope, up = plan.scopes[i], plan.up[i]
        if up == len(tables):
            continue
        others = tuple(axis for axis, node in enumerate(plan.scopes[up]) if node not in scope)
        shared = tables[up].sum(axis=others)
        change = np.divide(shared, messages[i], out=np.zeros_like(shared), where=messages[i] > 0.0)
        tables[i] *= change[..., None]


def _check_size(largest: int, total: int = 0) -> None:
    if largest > LARGEST_TABLE or total > MOST_NUMBERS:
        raise OptionError(
            f"the exact answer needs a table of {largest:,} numbers, {max(total, largest):,} in all (limits "
            f"{LARGEST_TABLE:,} and {MOST_NUMBERS:,}); ask for fewer nodes, give more evidence, or estimate it from a "
            "sample"
        )
