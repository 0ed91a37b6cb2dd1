"""A column between its parents and children, as a search for its thresholds sees them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.thresholds.sweep import sorted_joint
from arcwise.data.dataset import CodeArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """Rows in the order of the column's values, grouped in every way that matters to its thresholds.

    Part 0 groups by the configuration of the column's parents; parts 1 + 2c and 2 + 2c by the cells of child c without
    this column (its other parents and itself) and by the configuration of its other parents; the last is one group.
    """

    values: FloatArray
    codes: NDArray[np.uint32]
    sizes: IntArray
    signs: FloatArray
    q: float  # configurations of the column's parents
    child_q: FloatArray  # configurations of each child's other parents
    child_levels: FloatArray
    n_distinct: int
    most_levels: int  # of all columns
    weights: FloatArray  # how many continuous columns a part's family touches, as their child or parent

    @property
    def n_rows(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True)
class Family:
    """A child and its parents other than the column in question."""

    child: int
    others: tuple[int, ...]


def neighbourhood(
    values: FloatArray,
    order: IntArray,
    codes: CodeArray,
    cards: IntArray,
    parents: Sequence[int],
    children: Sequence[Family],
    continuous: Collection[int] = (),
) -> Neighbourhood:
    """values: sorted; order: the rows in that order; codes (n, N) and cards: the discrete table as it is now.

    continuous: which of the other columns have thresholds too.
    """
    groups = [tuple(parents)]
    for family in children:
        groups += [(*family.others, family.child), family.others]
    parts = np.zeros((len(groups) + 1, len(order)), dtype=np.uint32)
    sizes = np.ones(len(groups) + 1, dtype=np.intp)
    for part, members in enumerate(groups):
        sizes[part] = _group(codes, cards, members, order, parts[part])
    signs = np.ones(len(groups) + 1)
    signs[2:-1:2] = -1.0  # a child's configurations
    weights = np.ones(len(groups) + 1)  # the column itself is one
    weights[:-1] += [sum(m in continuous for m in members) for members in groups]
    weights[2:-1:2] = weights[1:-1:2]  # of the same family
    return Neighbourhood(
        values=values,
        codes=parts,
        sizes=sizes,
        signs=signs,
        q=_product(cards, parents),
        child_q=np.array([_product(cards, family.others) for family in children]),
        child_levels=np.array([float(cards[family.child]) for family in children]),
        most_levels=int(max(cards)),
        weights=weights,
        n_distinct=1 + int(np.count_nonzero(values[1:] != values[:-1])),
    )


def _product(cards: IntArray, members: Sequence[int]) -> float:
    return float(prod(int(cards[m]) for m in members))


def _group(codes: CodeArray, cards: IntArray, members: Sequence[int], order: IntArray, out: NDArray[np.uint32]) -> int:
    """Joint codes into `out`, renumbered when there could be far more of them than rows; how many there can be."""
    size = prod(int(cards[m]) for m in members)
    if size <= max(4 * len(order), 1024):
        sorted_joint(codes, cards, np.array(members, dtype=np.intp), order, out)
        return size
    joint = np.zeros(len(order), dtype=np.int64)
    for m in members:  # renumber after every column, so that no product can overflow
        joint = np.unique(joint * int(cards[m]) + codes[m][order], return_inverse=True)[1].astype(np.int64)
    out[:] = joint
    return int(joint.max()) + 1
