"""Discrete rows as the counting kernels take them: codes, and beside them the lanes of narrow columns."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.counts.counting import ROUND, Block, Shape, pack_lanes, repack_lanes
from arcwise.data.dataset import CodeArray, IntArray, Kind, WeightArray, code_dtype
from arcwise.data.rows import Rows
from arcwise.errors import DataError

NARROW = 16  # most levels of a column that is counted by lanes: its lanes cost less than a pass of its own
LANE_BYTES = 1 << 26  # lanes may take this much beside 1.5 times the coded data
LOOSE = 1.25  # lanes that are taken over may be so many times those needed
FEW = 4  # with fewer candidates than this a pass each is cheaper than the lanes
NEVER = 1 << 30  # so many candidates there never are
REPEATED = 4  # rows with weights are repeated where that makes at most so many of each on average
NO_WEIGHTS: WeightArray = np.empty(0, dtype=np.int64)


class Packed(NamedTuple):
    """Blocks of rows with lanes, and the same as plain tuples."""

    blocks: tuple[Block, ...]
    shape: Shape
    plain_blocks: tuple[tuple[Any, ...], ...]
    plain_shape: tuple[Any, ...]


def read_codes(rows: Rows) -> tuple[CodeArray, WeightArray]:
    """(codes of all columns, (n, N); how many times each row counts, or nothing where each counts once).

    A lane or a bit counts a row once, so rows are repeated as often as their weights say, unless that makes too many.
    """
    for name, kind in zip(rows.names, rows.kinds, strict=True):
        if kind is not Kind.DISCRETE:
            raise DataError(f"column {name!r} is continuous and must be discretized first")
    codes: NDArray[Any] = np.empty((len(rows.names), rows.n_stored), code_dtype(max(rows.cardinalities, default=0)))
    weights, first = [NO_WEIGHTS], 0
    for columns, of_rows in rows.blocks():
        last = first + len(columns[0])
        for row, values in zip(codes, columns, strict=True):
            row[first:last] = values
        first = last
        if of_rows is not None:
            weights.append(of_rows)
    times = np.concatenate(weights)
    if len(times) and rows.n_rows <= REPEATED * rows.n_stored:
        return np.repeat(codes, times, axis=1), NO_WEIGHTS
    return codes, times


def blocks_of(codes: CodeArray, weights: WeightArray, block_rows: int) -> tuple[Block, ...]:
    """Stretches of rows of about equal size, without lanes."""
    n = codes.shape[1]
    bounds = np.linspace(0, n, -(-n // block_rows) + 1).astype(int).tolist()
    return tuple(Block(codes[:, a:b], weights[a:b], np.empty((b - a, 0), np.uint64)) for a, b in pairwise(bounds))


def pack(
    blocks: tuple[Block, ...], cards: IntArray, dense_cells: int, before: tuple[Packed, NDArray[np.bool_]] | None
) -> Packed:
    """The blocks with lanes. before: what was packed for a table with the same rows, and which columns are the same."""
    n_rows, code_bytes = sum(block.codes.shape[1] for block in blocks), sum(block.codes.nbytes for block in blocks)
    budget = (LANE_BYTES + 1.5 * code_bytes) / max(n_rows, 1)
    few, lane_of, used = FEW, np.full(len(cards), -1, dtype=np.intp), 0
    if any(len(block.weights) for block in blocks):
        few, before = NEVER, None
    else:
        lane_of, used = _assign_lanes(cards, budget)
        if before is not None:
            taken_over = _move_lanes(cards, *before)
            if taken_over[1] <= LOOSE * used + ROUND:
                lane_of, used = taken_over
            else:
                before = None
    shape = Shape(cards, lane_of, dense_cells, few)
    packed = []
    for b, block in enumerate(blocks):
        lanes = np.zeros((block.codes.shape[1], -(-used // ROUND) * ROUND), dtype=np.uint8)
        if before is None:
            pack_lanes(block.codes, lane_of, lanes)
        else:  # bytes that are nobody's any more are 0 or 1, and nobody looks at them
            old = before[0].blocks[b].lanes.view(np.uint8)
            lanes[:, : old.shape[1]] = old[:, : lanes.shape[1]]
            repack_lanes(block.codes, lane_of, cards, ~before[1], lanes)
        packed.append(block._replace(lanes=lanes.view(np.uint64)))
    return Packed(tuple(packed), shape, tuple(map(tuple, packed)), tuple(shape))


def _assign_lanes(cards: IntArray, budget: float) -> tuple[IntArray, int]:
    """First lane of each column (-1: counted by a pass of its own), fewest levels first, within the byte budget."""
    lane_of = np.full(len(cards), -1, dtype=np.intp)
    used = 0
    for u in np.argsort(cards, kind="stable"):
        lanes = int(cards[u]) - 1
        if cards[u] > NARROW or used + lanes > budget:
            break
        lane_of[u] = used
        used += lanes
    return lane_of, used


def _move_lanes(cards: IntArray, before: Packed, same: NDArray[np.bool_]) -> tuple[IntArray, int]:
    """The lanes of columns that are the same stay where they are; others keep theirs if they fit, or get new ones."""
    old = before.shape
    lane_of = np.where(same | ((old.lane_of >= 0) & (cards <= old.cards)), old.lane_of, -1)
    used = int(np.max(np.where(old.lane_of >= 0, old.lane_of + old.cards - 1, 0), initial=0))
    for u in np.flatnonzero(~same & (lane_of < 0) & (cards <= NARROW)):
        lane_of[u] = used
        used += int(cards[u]) - 1
    return lane_of, used
