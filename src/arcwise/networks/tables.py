"""Conditional probability tables: the shape they must have, rows that sum to 1, and samples of all rows at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from arcwise.data.dataset import FloatArray, IntArray
from arcwise.errors import GraphError

# A row this close to 1 is left as it is. Dividing by a sum leaves an error of about states * 1e-16, so
# normalising twice equals normalising once, and files keep every bit of a table.
ROW_TOLERANCE = 1e-12
# A row of a file may miss 1 by what its digits explain: by no more than the first, and by the second in any case, as
# programs count in single precision or cut digits off. The third is for comparing sums of decimal fractions.
MOST_SLACK, LEAST_SLACK, ROUNDING = 0.1, 1e-5, 1e-9
MOST_PARENTS = 60  # an array has at most 64 axes
MOST_STATES = 2**16  # codes of a discrete column have at most 16 bits


def as_table(node: str, cpt: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """A float64 copy of `cpt`, which must have `shape` (the parents' cardinalities, then the node's own).

    A flat list in C order is the same thing.
    """
    if len(shape) > MOST_PARENTS + 1:
        raise GraphError(f"node {node!r} has {len(shape) - 1} parents; at most {MOST_PARENTS} are possible")
    try:
        table = np.array(cpt, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise GraphError(f"the CPT of node {node!r} is not an array of numbers of shape {shape}") from None
    if table.shape == (prod(shape),):
        table = table.reshape(shape)
    if table.shape != shape:
        raise GraphError(
            f"the CPT of node {node!r} has shape {table.shape} but its parents and states need {shape}; "
            "give one axis per parent, in the order of the parents, and the node's states last"
        )
    return table


def normalise_rows(
    node: str, table: FloatArray, parents: Sequence[str], parent_states: Sequence[tuple[str, ...]]
) -> None:
    """Divide every row by its sum, in place; a row that is no distribution is an error."""
    rows = table.reshape(-1, table.shape[-1])
    if rows.min() >= 0 and rows.max() < 2 and np.abs(rows.sum(axis=1) - 1).max() <= ROW_TOLERANCE:
        return  # as most tables are; NaN is none
    largest = rows.max(axis=1)
    wrong = ~((rows.min(axis=1) >= 0) & np.isfinite(largest) & (largest > 0))  # NaN compares false: wrong too
    if wrong.any():
        row = int(np.argmax(wrong))
        given = configuration_text(row, parents, parent_states)
        raise GraphError(
            f"the CPT of node {node!r} has the row {_short(rows[row])}{given}; "
            "a row needs finite probabilities of 0 or more that are not all 0"
        )
    with np.errstate(over="ignore"):  # an infinite sum is merely uneven
        uneven = np.abs(rows.sum(axis=1) - 1) > ROW_TOLERANCE
    if uneven.any():
        scaled = rows[uneven] / largest[uneven, None]  # first to [0, 1]: the sum can then not overflow
        rows[uneven] = scaled / scaled.sum(axis=1, keepdims=True)


def check_sums(node: str, given: ArrayLike, parents: Sequence[str], states: Sequence[tuple[str, ...]]) -> None:
    """Refuse a table of a file with a row whose sum is off by more than printing its numbers explains.

    given: the probabilities as they were read, in C order; states: those of the parents, then the node's own.
    """
    rows = np.asarray(given, dtype=np.float64).reshape(-1, len(states[-1]))
    off = np.abs(rows.sum(axis=1) - 1)
    for row in np.flatnonzero(off > LEAST_SLACK).tolist():
        if off[row] > slack([repr(value) for value in rows[row].tolist()], rows.shape[1]):
            raise GraphError(sum_text(node, rows[row], configuration_text(row, parents, states[:-1])))


def slack(numbers: Iterable[str], n_states: int) -> float:
    """How far the sum of a row may be from 1, given how its numbers were printed.

    With d decimals, or with d digits in all, each of them is off by at most half a unit of the last digit.
    """
    exact = min(max(map(_decimals, numbers)), max(map(_digits, numbers)))
    return float(min(max(0.5 * n_states * 10.0**-exact, LEAST_SLACK), MOST_SLACK) + ROUNDING)


def sum_text(node: str, row: FloatArray, given: str = "") -> str:
    """The sentence about a row that is no distribution."""
    return f"the probabilities of node {node!r}{given}, {_short(row)}, sum to {row.sum():.6g} and not to 1; mend them"


def _digits(number: str) -> int:
    return len(number.lower().partition("e")[0].lstrip("+0.").replace(".", ""))


def _decimals(number: str) -> float:
    mantissa, _, power = number.lower().partition("e")
    return len(mantissa.partition(".")[2]) - min(max(float(power or 0), -400.0), 400.0)


def configuration_text(row: int, parents: Sequence[str], parent_states: Sequence[tuple[str, ...]]) -> str:
    """` given A='x', B='y'` for row number `row` of a CPT; nothing for a node without parents."""
    if not parents:
        return ""
    codes = np.unravel_index(row, [len(states) for states in parent_states])
    parts = [f"{p}={s[int(c)]!r}" for p, s, c in zip(parents, parent_states, codes, strict=True)]
    return " given " + ", ".join(parts)


def as_labels(node: str, what: str, labels: Iterable[str]) -> tuple[str, ...]:
    """A tuple of strings; a lone string would fall apart into its letters."""
    if isinstance(labels, str):
        raise GraphError(f"the {what} of node {node!r} are the lone string {labels!r}; give a tuple of strings")
    result = tuple(labels)
    for label in result:
        if not isinstance(label, str):
            raise GraphError(f"{label!r} among the {what} of node {node!r} is no string; give strings only")
    return result


def as_states(node: str, states: Iterable[str]) -> tuple[str, ...]:
    """The states as a tuple of distinct strings, 1 to 65,536 of them."""
    result = as_labels(node, "states", states)
    if not 1 <= len(result) <= MOST_STATES:
        raise GraphError(f"node {node!r} has {len(result)} states; give 1 to {MOST_STATES}")
    if len(set(result)) < len(result):
        twice = next(a for a, b in pairwise(sorted(result)) if a == b)
        raise GraphError(f"node {node!r} has the state {twice!r} twice; state labels must be distinct")
    return result


def n_free(shape: tuple[int, ...]) -> int:
    """Free parameters of a CPT: rows times (states - 1)."""
    return prod(shape[:-1]) * (shape[-1] - 1)


def _short(row: FloatArray) -> str:
    shown = ", ".join(f"{value:.6g}" for value in row[:6])
    return f"({shown}{', ...' if len(row) > 6 else ''})"


def parent_codes(codes: Sequence[IntArray], cardinalities: Sequence[int], n_rows: int) -> IntArray:
    """Mixed-radix number of each row's parent configuration, the last parent fastest (C order of the CPT)."""
    if not codes:
        return np.zeros(n_rows, dtype=np.intp)
    code = codes[0].astype(np.intp)
    for parent, cardinality in zip(codes[1:], cardinalities[1:], strict=True):
        code *= cardinality
        code += parent
    return code


def cumulative_edges(cpt: FloatArray) -> FloatArray:
    """Right edges of the states' intervals in [0, 1), shape (q, 2^m - 1) with 2^m >= number of states.

    State s owns [edge[s-1], edge[s]). The last state with positive probability, and the padding, get edge
    infinity: rounding of the sum can then never produce an impossible state.
    """
    n_states = cpt.shape[-1]
    rows = cpt.reshape(-1, n_states)
    width = (1 << (n_states - 1).bit_length()) - 1
    edges = np.full((len(rows), width), np.inf)
    edges[:, : n_states - 1] = np.cumsum(rows, axis=1)[:, :-1]
    last_possible = n_states - 1 - np.argmax(rows[:, ::-1] > 0, axis=1)
    edges[np.arange(width) >= last_possible[:, None]] = np.inf
    return edges


def draw_states(edges: FloatArray, configuration: IntArray, uniform: FloatArray) -> IntArray:
    """State of each row: how many edges of its configuration are <= its uniform number.

    A binary search on all rows together: log2(states) gathers of n_rows values.
    """
    width = edges.shape[1]
    flat = edges.ravel()
    start = configuration * width
    step = (width + 1) // 2
    state: IntArray = step * (flat[start + (step - 1)] <= uniform) if step else np.zeros(len(uniform), dtype=np.intp)
    while step := step // 2:
        state += step * (flat[start + state + (step - 1)] <= uniform)
    return state
