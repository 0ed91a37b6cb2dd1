"""Discrete rows as the counting kernels take them: codes, and beside them planes and lanes of narrow columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

import numpy as np
from llvmlite.binding import get_host_cpu_features
from numpy.typing import NDArray

from arcwise._kernels.counts.counting import ROUND, Block, Shape, pack_lanes, repack_lanes
from arcwise.data.complete import check_complete
from arcwise.data.dataset import CodeArray, Dataset, IntArray, Kind, WeightArray, code_dtype
from arcwise.data.rows.matrix import let_go, matrix_of
from arcwise.data.rows.room import room_for
from arcwise.errors import DataError
from arcwise.stats.threads import map_threads

DENSE_CELLS = 1 << 16  # a family table up to this size is always dense ...
DENSE_PER_ROW = 8  # ... and a larger one while it has at most this many cells a row
MOST_CELLS = 1 << 26  # a larger one is never laid out: each thread has one
BLOCK_ROWS = 1 << 16  # with fewer rows a second thread costs more than it saves
NARROW = 16  # most levels of a column that is counted by lanes: its lanes cost less than a pass of its own
LONG_ROWS = 1 << 20  # a longer table has planes of all narrow columns, at most twice the coded data; of others
LANE_BYTES = 1 << 26  # ... lanes may take this much beside 1.5 times the coded data
LOOSE = 1.25  # lanes that are taken over may be so many times those needed
FEW = 4  # with fewer candidates than this a pass each is cheaper than the lanes
NEVER = 1 << 30  # so many candidates there never are
KEPT_LANES = 1 << 27  # bytes of lanes that are kept for several blocks of rows
MOST_BLOCKS = 64  # a call of a kernel takes no time beside the rows of a block, nor more than some tenths of a second
GATHERED = 1 << 17  # rows of all columns that are copied at a time
STRETCH = 1 << 20  # rows that a thread packs at a time
STRIP = 1 << 12  # rows whose bits are packed at a time: those of all planes, a byte each before, stay in cache
REPEATED = 4  # rows with weights are repeated where that makes at most so many of each on average
NO_WEIGHTS: WeightArray = np.empty(0, dtype=np.int64)


class Packed(NamedTuple):
    """Blocks of rows with planes, and with lanes once these were needed; the same as plain tuples."""

    blocks: tuple[Block, ...]
    shape: Shape
    plain_blocks: tuple[tuple[Any, ...], ...]
    plain_shape: tuple[Any, ...]

    @property
    def has_lanes(self) -> bool:
        return bool(self.blocks[0].lanes.shape[1] > 0)


Before = tuple[Packed, NDArray[np.bool_]]  # what was packed for a table with the same rows; which columns are the same


def shape_of(cards: IntArray, n_rows: int, n_stored: int) -> Shape:
    """How families of such a table are planned; it depends on nothing else, so that it is the same wherever rows are.

    n_rows: with weights. A lane or a bit counts a row once, so rows are repeated as often as their weights say, unless
    that makes too many: then `few` is NEVER, as no family is counted by lanes.
    """
    repeated = n_rows <= REPEATED * n_stored
    n_counted = n_rows if repeated else n_stored
    lane_of, used = np.full(len(cards), -1, dtype=np.intp), 0
    if repeated:
        size = n_counted * len(cards) * np.dtype(code_dtype(int(cards.max(initial=0)))).itemsize
        budget = (LANE_BYTES + 1.5 * size) / max(n_counted, 1) if n_counted <= LONG_ROWS else inf
        lane_of, used = _assign_lanes(cards, budget)
    dense_cells = min(max(DENSE_CELLS, DENSE_PER_ROW * n_counted), MOST_CELLS)
    return _shape(cards, lane_of, used, dense_cells, FEW if repeated else NEVER)


def read_codes(rows: Dataset, *, repeat: bool) -> tuple[CodeArray, WeightArray]:
    """(codes of all columns, (n, N); how many times each row counts, or nothing where each counts once).

    repeat: each row stands there as often as its weight says.
    """
    for name, kind in zip(rows.names, rows.kinds, strict=True):
        if kind is not Kind.DISCRETE:
            raise DataError(f"column {name!r} is continuous and must be discretized first")
    check_complete(rows)
    columns, times = [column.values for column in rows.columns], rows.weights
    codes = matrix_of(columns)
    if codes is None or (repeat and times is not None):
        codes = _gathered(columns, code_dtype(max(rows.cardinalities, default=0)), times if repeat else None)
    return codes, NO_WEIGHTS if repeat or times is None else times


def _gathered(columns: Sequence[NDArray[Any]], dtype: type[Any], times: WeightArray | None) -> NDArray[Any]:
    """Columns one after another in one matrix, each row as often as it counts."""
    n_rows = len(columns[0]) if columns else 0
    codes = room_for((len(columns), n_rows if times is None else int(times.sum())), dtype)
    last = 0
    for first in range(0, n_rows, GATHERED):
        some = slice(first, first + GATHERED)
        often = None if times is None else times[some]
        start, last = last, last + (min(GATHERED, n_rows - first) if often is None else int(often.sum()))
        parts = [column[some] for column in columns]
        codes[:, start:last] = parts if often is None else [np.repeat(part, often) for part in parts]
    return codes


def pack(codes: CodeArray, weights: WeightArray, shape: Shape, before: Before | None) -> Packed:
    """Stretches of rows of about equal size, with planes."""
    n = codes.shape[1]
    if before is not None and before[0].has_lanes and not len(weights):
        lane_of, used = _move_lanes(shape.cards, *before)
        if used <= LOOSE * _lanes_used(shape) + ROUND:
            shape = _shape(shape.cards, lane_of, used, shape.dense_cells, shape.few)
    planes = _planes(codes, shape, before)
    n_blocks = max(min(-(-n // BLOCK_ROWS), MOST_BLOCKS), 1)
    words = [i * -(-n // 64) // n_blocks for i in range(n_blocks + 1)]
    blocks = []
    for first, last in pairwise(words):
        rows = slice(64 * first, min(64 * last, n))
        lanes = np.empty((rows.stop - rows.start, 0), dtype=np.uint64)
        blocks.append(Block(codes[:, rows], weights[rows], lanes, planes, first, last))
    return _packed(blocks, shape)


def lanes_are_kept(packed: Packed) -> bool:
    """Whether lanes are packed once for all who need them; else for some rows at a time, each time."""
    return sum(block.codes.shape[1] for block in packed.blocks) * packed.shape.n_lanes <= KEPT_LANES


def with_lanes(packed: Packed, before: Before | None) -> Packed:
    """The same with lanes; those of columns that are the same as before are taken over."""
    shape, blocks = packed.shape, []
    if before is not None and not _fits_into(before[0], shape, before[1]):
        before = None
    for b, block in enumerate(packed.blocks):
        lanes = np.zeros((block.codes.shape[1], shape.n_lanes), dtype=np.uint8)
        if before is None:
            pack_lanes(block.codes, shape.lane_of, lanes)
        else:  # bytes that are nobody's any more are 0 or 1, and nobody looks at them
            old = before[0].blocks[b].lanes.view(np.uint8)
            lanes[:, : old.shape[1]] = old[:, : lanes.shape[1]]
            repack_lanes(block.codes, shape.lane_of, shape.cards, ~before[1], lanes)
        blocks.append(block._replace(lanes=lanes.view(np.uint64)))
    return _packed(blocks, shape)


def _packed(blocks: Sequence[Block], shape: Shape) -> Packed:
    return Packed(tuple(blocks), shape, tuple(map(tuple, blocks)), tuple(shape))


def _shape(cards: IntArray, lane_of: IntArray, used: int, dense_cells: int, few: int) -> Shape:
    levels = np.where(lane_of >= 0, cards, 0)
    plane_of = np.where(lane_of >= 0, np.cumsum(levels) - levels, -1)
    n_lanes = max(-(-used // ROUND), 1) * ROUND
    return Shape(cards, lane_of, n_lanes, plane_of, plane_cells(), dense_cells, few)


def _lanes_used(shape: Shape) -> int:
    return int(np.max(np.where(shape.lane_of >= 0, shape.lane_of + shape.cards - 1, 0), initial=0))


def _planes(codes: CodeArray, shape: Shape, before: Before | None) -> NDArray[np.uint64]:
    """A bit a row for each level of the columns that have lanes."""
    n_rows = codes.shape[1]
    cards = np.where(shape.plane_of >= 0, shape.cards, 0)
    column = np.repeat(np.arange(len(cards)), cards)  # of each plane; its level:
    level = (np.arange(len(column)) - shape.plane_of[column]).astype(codes.dtype)
    planes: NDArray[np.uint64] = room_for((len(column), -(-n_rows // 64)), np.uint64)
    fresh = np.ones(len(column), dtype=np.bool_)
    if before is not None:
        old = before[0].shape.plane_of[column]
        fresh = ~before[1][column] | (old < 0)
        planes[~fresh] = before[0].blocks[0].planes[(old + level)[~fresh]]
    if fresh.any():
        _pack_planes(codes, column[fresh], level[fresh], fresh, planes)
    return planes


def _pack_planes(
    codes: CodeArray, column: IntArray, level: NDArray[Any], fresh: NDArray[np.bool_], planes: NDArray[np.uint64]
) -> None:
    """The bits of the planes that are fresh. Each thread reads stretches of rows once, and lets go of their pages."""
    n_rows = codes.shape[1]
    chosen: Any = slice(None) if fresh.all() else fresh

    def pack_stretch(start: int) -> None:
        stop = min(start + STRETCH, n_rows)
        # Made once: workers of Dask give freed memory back at once, and new pages would cost ten times the work.
        cells, same = np.empty(len(column) * STRIP, codes.dtype), np.empty(len(column) * STRIP, np.bool_)
        for first in range(start, stop, STRIP):
            last = min(first + STRIP, stop)
            shape, size = (len(column), last - first), len(column) * (last - first)
            strip, has = cells[:size].reshape(shape), same[:size].reshape(shape)
            np.take(codes[:, first:last], column, axis=0, out=strip, mode="clip")
            np.equal(strip, level[:, None], out=has)
            bits = np.packbits(has, axis=1, bitorder="little")
            planes.view(np.uint8)[chosen, first // 8 : first // 8 + bits.shape[1]] = bits
        let_go(codes[:, start:stop])

    map_threads(pack_stretch, range(0, n_rows, STRETCH))


@cache
def plane_cells() -> int:
    """Cells times lanes up to which planes are quicker than lanes: more where the processor counts bits of vectors."""
    counts_vectors = get_host_cpu_features().get("avx512vpopcntdq", False)
    return 4800 if counts_vectors else 1200


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
    used = _lanes_used(old)
    for u in np.flatnonzero(~same & (lane_of < 0) & (cards <= NARROW)):
        lane_of[u] = used
        used += int(cards[u]) - 1
    return lane_of, used


def _fits_into(before: Packed, shape: Shape, same: NDArray[np.bool_]) -> bool:
    """Whether the lanes of these columns are where they were."""
    return before.has_lanes and bool((before.shape.lane_of[same] == shape.lane_of[same]).all())
