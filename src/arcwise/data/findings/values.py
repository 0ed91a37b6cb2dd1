"""What is odd about the values of a column of numbers: codes for missing, spikes, tails, round numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Kind
from arcwise.data.findings.finding import Finding, Severity
from arcwise.data.kinds import Typed
from arcwise.data.levels import label_numbers, number_label, whole_numbers
from arcwise.data.sentinels import NINES, sentinels
from arcwise.printing import counted, na_option

SPIKE = 5  # times as many rows as any value near it
SPIKE_ROWS = 5
NEAR = 10  # values on the inner side that a spike is held against
GAP = 5.0  # times the usual step between values: zeros as far from all others are no measurements
REAL_ZEROS = 0.6  # of the rows with zeros: then they are what the column is about
MANY_ZEROS = 0.3
TAIL = 8.0  # (99 % quantile - median) / (75 % quantile - median): 3.5 of a normal, 5.6 of an exponential distribution
TAIL_ROWS = 50
HEAPED = 0.35  # of whole numbers that end in 0, of which there would be 0.1
HEAP_ROWS, HEAP_RANGE = 100, 30


def codes_for_missing(column: Typed) -> list[Finding]:
    """-99 and the like, zeros that lie apart, infinite numbers; the changes call them missing."""
    found = [_infinite(column)]
    codes = sentinels(column)
    if codes is not None:
        proposal = f"take {'it' if len(codes.words) == 1 else 'them'} as missing"
        change = {"na": codes.words}
        found += [Finding("sentinel", column.name, Severity.CHANGES, codes.told(), proposal, change)]
    elif column.kind is Kind.CONTINUOUS:
        found += [_spike(column), _apart_zeros(column)]
    return [finding for finding in found if finding is not None]


def shapes(column: Typed) -> list[Finding]:
    """Many zeros, tails and heaps: nothing is wrong with them, but methods differ in what they make of them."""
    if column.kind is not Kind.CONTINUOUS:
        return []
    values = column.present()
    return [finding for finding in (_zeros(column, values), _tail(column, values), _heaps(column, values)) if finding]


def _infinite(column: Typed) -> Finding | None:
    if column.kind is Kind.CONTINUOUS:
        infinite = np.isinf(column.values)
    elif column.labels and not {"inf", "-inf"}.isdisjoint(column.labels):
        infinite = np.isinf(label_numbers(column.labels))[column.values]
    else:
        return None
    if not infinite.any():
        return None
    evidence = f"{counted(int(infinite.sum()), 'infinite value')}, the first in row {int(np.argmax(infinite)) + 1:,}"
    return Finding("infinite", column.name, Severity.SETTLE, evidence, "take it as missing", {"na": ("inf", "-inf")})


def _spike(column: Typed) -> Finding | None:
    """99 in a column of ages up to 97, in many rows: at the end of the range, and far more often than what is near."""
    values = column.present()
    if len(values) < TAIL_ROWS:
        return None
    distinct, rows = np.unique(values, return_counts=True)
    if len(distinct) <= NEAR or np.any(np.isinf(distinct)):
        return None
    for place, near in ((-1, slice(-1 - NEAR, -1)), (0, slice(1, 1 + NEAR))):
        code, n = float(distinct[place]), int(rows[place])
        if code in NINES and n >= SPIKE_ROWS and n >= SPIKE * int(rows[near].max()):
            word = number_label(code)
            evidence = f"{word} in {counted(n, 'row')}, at least {SPIKE} times as many as any value near it"
            change = {"na": (word,)}
            return Finding("sentinel", column.name, Severity.CHANGES, evidence, "take it as missing", change)
    return None


def _apart_zeros(column: Typed) -> Finding | None:
    """Zeros among positive numbers that begin far from zero: not measured rather than measured as nothing."""
    values = column.present()
    zeros = int(np.count_nonzero(values == 0))
    if zeros < 3 or zeros > REAL_ZEROS * len(values):
        return None
    others = np.unique(values[values != 0])
    if len(others) <= NEAR or others[0] <= 0 or others[0] < GAP * _step(others):
        return None
    evidence = f"0 in {counted(zeros, 'row')}, and all others are {number_label(others[0])} or more"
    return Finding("zero-spike", column.name, Severity.CHANGES, evidence, "take 0 as missing", {"na": ("0",)})


def _step(distinct: NDArray[Any]) -> float:
    """The usual step between values in the lower half of them."""
    return float(np.median(np.diff(distinct[: max(len(distinct) // 2, 3)])))


def _zeros(column: Typed, values: NDArray[Any]) -> Finding | None:
    zeros = int(np.count_nonzero(values == 0))
    if len(values) < TAIL_ROWS or zeros < MANY_ZEROS * len(values) or values.min() < 0:
        return None
    evidence = f"0 in {counted(zeros, 'row')}, {zeros / len(values):.0%} of them"
    proposal = f"if 0 means not measured, say so with {na_option(column.name, '0')}"
    return Finding("zero-spike", column.name, Severity.NOTE, evidence, proposal)


def _tail(column: Typed, values: NDArray[Any]) -> Finding | None:
    if len(values) < TAIL_ROWS:
        return None
    low, quarter, middle, three, high = np.quantile(values, [0.01, 0.25, 0.5, 0.75, 0.99])
    right = (high - middle) / (three - middle) if three > middle else 0.0
    left = (middle - low) / (middle - quarter) if middle > quarter else 0.0
    if max(right, left) < TAIL:
        return None
    end = values.max() if right >= left else values.min()
    evidence = f"half of the rows lie between {_told(quarter)} and {_told(three)}, but one is {_told(end)}"
    logarithm = (
        "; for Gaussian ones, give its logarithm" if right >= left and values.min() > 0 else ", Gaussian ones do"
    )
    proposal = f"methods that cut columns do not mind{logarithm}"
    return Finding("heavy-tail", column.name, Severity.NOTE, evidence, proposal)


def _told(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _heaps(column: Typed, values: NDArray[Any]) -> Finding | None:
    """Round numbers far more often than others: somebody read a scale and rounded, now and then."""
    if len(values) < HEAP_ROWS or values.max() - values.min() < HEAP_RANGE:
        return None
    whole = whole_numbers(values)
    if whole is None or len(np.unique(whole)) <= HEAP_RANGE // 2:
        return None
    share = float(np.mean(whole % 10 == 0))
    zeros = float(np.mean(whole == 0))
    if not HEAPED <= share - zeros < 0.95:
        return None
    evidence = f"{share:.0%} of its whole numbers end in 0, where 10% would"
    return Finding("heaping", column.name, Severity.NOTE, evidence, "thresholds near round numbers mean little")
