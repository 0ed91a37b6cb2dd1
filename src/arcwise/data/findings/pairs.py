"""Columns that say the same as others, or nearly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwise.data.copies import NEAR_ROWS, copies, nearly_ordered_alike
from arcwise.data.dataset import FloatArray, IntArray, Kind
from arcwise.data.findings.finding import Finding, Severity
from arcwise.data.kinds import Typed

AGREE = 0.98  # of the rows in which levels of two columns correspond, and the smaller levels, too
SOME_ROWS = 500  # tell which pairs are worth a look
LIKELY = 0.97
STEPS = 0.8  # of the steps from row to row, those alike less the others: 0.92 where 2 rows of 100 disagree


def same_columns(columns: Sequence[Typed]) -> list[Finding]:
    """Copies and near copies; the change leaves the later one out."""
    found, gone = [], set()
    for first, *others in copies(columns):
        how = "with its levels renamed" if first.kind is Kind.DISCRETE else "but for scale and offset"
        for other in others:
            gone.add(other.name)
            evidence = f"the same as {first.name!r}, equal or {how}"
            found.append(_leave_out("copy", other.name, evidence))
    left = [column for column in columns if column.name not in gone]
    for first, other, evidence in (*_near_numbers(left), *_near_levels(left)):
        if first.name not in gone and other.name not in gone:
            gone.add(other.name)
            found.append(_leave_out("near-copy", other.name, evidence))
    return found


def _leave_out(code: str, name: str, evidence: str) -> Finding:
    proposal = "leave the column out: one of them says it all"
    return Finding(code, name, Severity.CHANGES, evidence, proposal, {"drop": True})


def _near_numbers(columns: Sequence[Typed]) -> list[tuple[Typed, Typed, str]]:
    """Pairs of columns of numbers of which the one is a monotone function of the other, up to rounding."""
    numbers = [column for column in columns if column.kind is Kind.CONTINUOUS and np.isfinite(column.present()).all()]
    if len(numbers) < 2 or len(numbers[0].values) < NEAR_ROWS:
        return []
    found = []
    for a, b in _likely(numbers):
        first, other = numbers[a], numbers[b]
        rows = ~(np.isnan(first.values) | np.isnan(other.values))
        if np.count_nonzero(rows) >= NEAR_ROWS and nearly_ordered_alike(first.values[rows], other.values[rows]):
            r = float(np.corrcoef(first.values[rows], other.values[rows])[0, 1])
            found.append(
                (first, other, f"nearly {first.name!r}: correlation {r:.4f}, and nearly the same order of rows")
            )
    return found


def _likely(columns: Sequence[Typed]) -> list[tuple[int, int]]:
    """Pairs whose rank correlation in some rows is high; missing cells count as the middle."""
    step = max(len(columns[0].values) // SOME_ROWS, 1)
    ranks: FloatArray = np.array([_ranks(column.values[::step]) for column in columns])
    size = np.sqrt((ranks * ranks).sum(axis=1))
    ranks /= np.where(size > 0, size, 1.0)[:, None]
    holes = np.array([np.isnan(column.values).mean() for column in columns])
    near = np.abs(ranks @ ranks.T) >= LIKELY - 0.5 * np.maximum.outer(holes, holes)
    return [(int(a), int(b)) for a, b in np.argwhere(np.triu(near, 1))]


def _ranks(values: FloatArray) -> FloatArray:
    there = ~np.isnan(values)
    ranks = np.zeros(len(values))
    order = np.argsort(values[there], kind="stable")
    own = np.empty(len(order))
    own[order] = np.arange(len(order)) - (len(order) - 1) / 2
    ranks[there] = own
    return ranks


def _near_levels(columns: Sequence[Typed]) -> list[tuple[Typed, Typed, str]]:
    """Pairs of discrete columns whose levels correspond one to one in nearly all rows, and in each level."""
    discrete = [column for column in columns if column.kind is Kind.DISCRETE and 1 < len(column.labels) <= 50]
    pairs = [(discrete[a], discrete[b]) for a, b in _changing_together(discrete)]
    pairs = [(a, b) for a, b in pairs if len(a.labels) == len(b.labels)]
    shares = [_agreement(*pair) for pair in pairs]
    alike = [(*pair, share) for pair, share in zip(pairs, shares, strict=True) if share >= AGREE]
    return [(a, b, f"agrees with {a.name!r} in {share:.1%} of the rows") for a, b, share in alike]


def _changing_together(columns: Sequence[Typed]) -> list[tuple[int, int]]:
    """Pairs that stay or change together from one row to the next, mostly, as far as the first rows tell.

    A row in which levels do not correspond spoils two steps.
    """
    if len(columns) < 2:
        return []
    codes = np.array([column.values[:SOME_ROWS] for column in columns])
    there = np.array(
        [np.ones(codes.shape[1], np.bool_) if c.missing is None else ~c.missing[:SOME_ROWS] for c in columns]
    )
    known = there[:, 1:] & there[:, :-1]
    steps = np.where(codes[:, 1:] == codes[:, :-1], -1.0, 1.0).astype(np.float32) * known
    both = known.astype(np.float32) @ known.astype(np.float32).T
    return [(int(a), int(b)) for a, b in np.argwhere(np.triu(steps @ steps.T >= STEPS * both, 1))]


def _agreement(a: Typed, b: Typed) -> float:
    """The share of rows in which each level of one goes with the level of the other that it mostly goes with.

    0 if that is the same level for two of them, or if some level goes with it hardly more than by chance.
    """
    rows = np.ones(len(a.values), dtype=np.bool_)
    for column in (a, b):
        rows &= True if column.missing is None else ~column.missing
    k = len(a.labels)
    if not rows.any():
        return 0.0
    joint: IntArray = np.bincount(a.values[rows].astype(np.intp) * k + b.values[rows], minlength=k * k).reshape(k, k)
    best = joint.argmax(axis=1)
    if len(set(best.tolist())) < k:
        return 0.0
    matched = joint[np.arange(k), best]
    if (matched < AGREE * 0.9 * np.maximum(joint.sum(axis=1), joint.sum(axis=0)[best])).any():
        return 0.0
    return float(matched.sum() / joint.sum())
