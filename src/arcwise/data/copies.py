"""Columns that say the same: equal up to relabelling (discrete), up to an affine map or up to rounding (continuous).

Of columns with missing cells the rows count in which both have a value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import BoolArray, Column, FloatArray, IntArray, Kind
from arcwise.data.kinds import Typed

SAME_CORRELATION = 1e-12  # |r| this near to 1 is an exact copy
SAME_SIGNATURE = 1e-6  # columns whose signatures differ by more cannot be copies
FIRST_ROWS = 1000  # these tell most columns apart
NEAR = 0.995  # share of the possible rank correlation: above it, a column tells another to a tenth of its spread
NEAR_ROWS = 30  # with fewer rows a strong relation puts them in the same order by chance, or none looks like one
NEAR_VALUES = 5  # a column with fewer values is no number, rounded, but a few classes


def copies(columns: Sequence[Typed]) -> list[list[Typed]]:
    """Groups of two or more columns that determine one another exactly, in column order.

    O(cells + columns log columns): only columns with equal fingerprints are compared. Constant columns are
    left out, since a constant is no copy of anything.
    """
    groups: list[list[Typed]] = []
    for kind, find in ((Kind.DISCRETE, _relabelled), (Kind.CONTINUOUS, _affine)):
        alike = [column for column in columns if column.kind is kind]
        whole = [column for column in alike if column.missing is None]
        found = find(whole)
        groups += found if len(whole) == len(alike) else _with_incomplete(found, alike)
    position = {column.name: i for i, column in enumerate(columns)}
    groups = [sorted(group, key=lambda column: position[column.name]) for group in groups]
    return sorted(groups, key=lambda group: position[group[0].name])


def _relabelled(columns: Sequence[Typed]) -> list[list[Typed]]:
    """One-to-one relabellings stay the same from one row to the next in the same rows, and have the same level counts
    once sorted; of those with both, hash the canonical codes."""
    some = np.array([column.values[:FIRST_ROWS] for column in columns])
    stays = np.packbits(some[:, 1:] == some[:, :-1], axis=1) if columns else some
    groups = _grouped(columns, map(bytes, stays))
    for mark in (_level_counts, _partition_hash):
        groups = [group for alike in groups for group in _grouped(alike, [mark(one.values) for one in alike])]
    return [group for group in groups if (group[0].values != group[0].values[0]).any()]


def _grouped(columns: Sequence[Typed], marks: Iterable[bytes]) -> list[list[Typed]]:
    """Groups of two or more columns with the same mark."""
    groups: dict[bytes, list[Typed]] = {}
    for column, mark in zip(columns, marks, strict=True):
        groups.setdefault(mark, []).append(column)
    return [group for group in groups.values() if len(group) > 1]


def _level_counts(codes: NDArray[Any]) -> bytes:
    counts = np.bincount(codes)
    return np.sort(counts[counts > 0]).tobytes()


def _partition_hash(codes: NDArray[Any]) -> bytes:
    """Hash of the codes relabelled by first appearance, which two relabellings of one column share."""
    n = len(codes)
    first = np.full(int(codes.max()) + 1, n, dtype=np.intp)
    for some in (codes[:FIRST_ROWS], codes):  # the first rows mostly show every code
        if first.max() == n:
            first[some[::-1]] = np.arange(len(some) - 1, -1, -1)  # the last assignment wins: the first row of each code
    rank = np.empty(len(first), dtype=np.uint16 if len(first) < 1 << 16 else np.uint32)
    rank[np.argsort(first)] = np.arange(len(first))
    return blake2b(rank[codes].tobytes(), digest_size=16).digest()


def _with_incomplete(groups: list[list[Typed]], columns: Sequence[Typed]) -> list[list[Typed]]:
    """The groups of complete columns with the columns of one kind that lack cells; these are compared by pairs."""
    firsts = {id(group[0]) for group in groups}
    others = {id(column) for group in groups for column in group} - firsts
    left = [column for column in columns if id(column) not in others]  # one stands for all of its group
    for a, b in _candidates(left):
        if not _agree(left[a], left[b]):
            continue
        touched = [group for group in groups if any(one is left[a] or one is left[b] for one in group)]
        groups = [group for group in groups if all(group is not one for one in touched)]
        merged = {id(one): one for one in (left[a], left[b], *(one for group in touched for one in group))}
        groups.append(list(merged.values()))
    return groups


def _candidates(columns: Sequence[Typed]) -> list[tuple[int, int]]:
    """Pairs, one of them incomplete, that may be copies as far as the first rows tell.

    From one row to the next two copies stay or change together (discrete), or rise and fall together or against each
    other (continuous; ties may differ by rounding). With a sign for each step, 0 where one of its rows is missing, the
    products of two such columns sum to the number of steps that both have.
    """
    some = np.array([column.values[:FIRST_ROWS] for column in columns])
    there = np.array([_recorded(column, FIRST_ROWS) for column in columns])
    before, after, known = some[:, :-1], some[:, 1:], there[:, 1:] & there[:, :-1]
    if columns[0].kind is Kind.DISCRETE:
        signs = np.where(before == after, -1, 1)
    else:
        signs = (after > before).astype(np.int8) - (after < before)
    steps = (signs * known).astype(np.float32)
    together = np.abs(steps @ steps.T)
    whole = np.array([column.missing is None for column in columns])
    possible = (together >= NEAR * (np.abs(steps) @ np.abs(steps).T)) & ~np.logical_and.outer(whole, whole)
    return [(int(a), int(b)) for a, b in np.argwhere(np.triu(possible, 1))]


def _recorded(column: Typed, n_rows: int | None = None) -> BoolArray:
    if column.missing is None:
        return np.ones(len(column.values[:n_rows]), dtype=np.bool_)
    return ~column.missing[:n_rows]


def _agree(a: Typed, b: Typed) -> bool:
    """Whether two columns of one kind are copies in the rows that both have, if these are enough to tell."""
    rows = _recorded(a) & _recorded(b)
    if np.count_nonzero(rows) < min(NEAR_ROWS, -(-len(rows) // 2)):
        return False
    x, y = a.values[rows], b.values[rows]
    if a.kind is Kind.CONTINUOUS:
        return _is_affine_copy(x, y)
    return bool((x != x[0]).any()) and _partition_hash(x) == _partition_hash(y)


def _affine(columns: Sequence[Typed]) -> list[list[Typed]]:
    """y = a x + b has the standardized values of x or their negatives.

    So both have the same |projection| on any vector: that picks candidates, and the correlation decides.
    """
    if len(columns) < 2:
        return []
    golden = np.arange(len(columns[0].values)) * 0.6180339887498949
    weights = golden - np.floor(golden) - 0.5
    marked: list[tuple[float, Typed]] = []
    for column in columns:
        centred = _centred(column.values)
        if centred is not None:
            marked.append((abs(float(centred @ weights)) / math.sqrt(centred @ centred), column))
    marked.sort(key=lambda item: (item[0], item[1].name))
    groups: list[tuple[float, list[Typed]]] = []
    for signature, column in marked:
        for seen, members in reversed(groups):
            if signature - seen > SAME_SIGNATURE * (1.0 + signature):
                groups.append((signature, [column]))
                break
            if _is_affine_copy(column.values, members[0].values):
                members.append(column)
                break
        else:
            groups.append((signature, [column]))
    return [members for _, members in groups if len(members) > 1]


def _is_affine_copy(x: FloatArray, y: FloatArray) -> bool:
    a, b = _centred(x), _centred(y)
    if a is None or b is None:
        return False
    return abs(float(a @ b)) >= (1.0 - SAME_CORRELATION) * math.sqrt(a @ a) * math.sqrt(b @ b)


def _centred(values: FloatArray) -> FloatArray | None:
    """Deviations from the mean, scaled when their squares would leave the range of floats; None if constant."""
    with np.errstate(over="ignore"):
        deviations: FloatArray = values - values[0]
    largest = max(-float(deviations.min()), float(deviations.max()))
    if largest == 0.0:
        return None
    if not 1e-100 < largest < 1e100:
        deviations = values / largest - values[0] / largest if largest < math.inf else values * 1e-200
    deviations -= deviations.mean()
    return deviations


def near_copies(
    pairs: Iterable[tuple[Column, Column]], orders: Mapping[str, IntArray] | None = None
) -> list[list[Column]]:
    """Groups of continuous columns of which one is nearly another, rounded or bent, by name; exact copies are left out.

    Only the given pairs are compared: O(rows) a column in them and a pair. orders: rows in the order of a column's
    values, for columns that were sorted before.
    """
    ranks: dict[str, _Ranks] = {}
    groups: list[dict[str, Column]] = []
    for a, b in pairs:
        for column in (a, b):
            if column.name not in ranks:
                order = orders[column.name] if orders else np.argsort(column.values, kind="stable")
                ranks[column.name] = _middle_ranks(column.values, order)
        if not _nearly_the_same(ranks[a.name], ranks[b.name]) or _is_affine_copy(a.values, b.values):
            continue
        touched = [group for group in groups if a.name in group or b.name in group]
        groups = [group for group in groups if group not in touched]
        groups.append({a.name: a, b.name: b} | {name: column for group in touched for name, column in group.items()})
    return sorted(([group[name] for name in sorted(group)] for group in groups), key=lambda group: group[0].name)


def nearly_ordered_alike(x: FloatArray, y: FloatArray) -> bool:
    """Whether one of two columns is nearly the other, rounded or bent."""
    a, b = (_middle_ranks(values, np.argsort(values, kind="stable")) for values in (x, y))
    return _nearly_the_same(a, b)


@dataclass(frozen=True, slots=True, eq=False)
class _Ranks:
    """Ranks of a column's rows, tied ones sharing the mean of theirs, less the mean of all; and in rising order."""

    of_rows: FloatArray
    rising: FloatArray
    n_values: int


def _middle_ranks(values: FloatArray, order: IntArray) -> _Ranks:
    ordered = values[order]
    first = np.concatenate([[0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1, [len(values)]])
    middles = (first[1:] + first[:-1] - len(values)) / 2
    rising = np.repeat(middles, np.diff(first))
    of_rows = np.empty(len(values))
    of_rows[order] = rising
    return _Ranks(of_rows, rising, len(middles))


def _nearly_the_same(a: _Ranks, b: _Ranks) -> bool:
    if len(a.rising) < NEAR_ROWS or min(a.n_values, b.n_values) < NEAR_VALUES:
        return False
    return same_order(a, b) >= NEAR


def same_order(a: _Ranks, b: _Ranks) -> float:
    """|rank correlation| of two columns as a share of the highest that their ties allow.

    1: one is a monotone function of the other, or both of something finer. A constant column has the order of none.
    """
    product = float(a.of_rows @ b.of_rows)
    most = float(a.rising @ (b.rising if product > 0 else -b.rising[::-1]))
    return abs(product) / most if most > 0 else 0.0
