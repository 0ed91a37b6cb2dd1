"""Correlations of the normal variables behind columns in which values repeat.

Where many rows have the same value (few values, ordered levels, a pile at zero), ranks say less than the variable
behind a column does, and correlations of normal scores are nearer to zero than those of these variables. So a column
has ties if its cells leave out more than `LOST` of the variance of a normal variable,

    1 - sum_c (phi(t_c) - phi(t_c+1))^2 / p_c,    t_c the thresholds Phi^-1 of the rows below, p_c the share of a cell.

Levels have an order if they are said to have one: two levels of anything are no normal variable seen through a cut.

A pair with such a column has the correlation of a bivariate normal that makes its counts most probable, given the
thresholds of both columns (two steps: Olsson 1979; Olsson, Drasgow and Dorans 1982): polychoric if both have ties,
polyserial if one has, the other one then with its normal scores. For that, neighbouring cells are merged until there
are few, each a pile or of about equally many rows; then a pair's rows need to be counted once, wherever they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import pi
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from arcwise.data.dataset import Block, Dataset, FloatArray, IntArray, Kind, WeightArray
from arcwise.data.rows.elsewhere import asked
from arcwise.stats.ranks import Cells, cells_of
from arcwise.stats.threads import map_threads

LOST = 0.01  # of the variance of a normal variable, in a column with ties
TIED_CELLS = 16  # of a column with ties, at most
FINE_CELLS = 256  # of one without
STRIP = 16  # pairs whose tables a thread counts at a time
MOST_COUNTS = 1 << 24  # that are held at once
LEAST_EIGENVALUE = 1e-6
NOISE = 0.8  # of the matrix, in units of the error that ties add to a correlation: docs/methods/copula.md
MOST_VALUES = 4096  # of a column without ties that one with ties is compared with


@dataclass(frozen=True, eq=False)
class Merged:
    """A column in few cells. cuts: the first values of all cells but the first, or their first codes.

    scores: their mean normal scores. thresholds: Phi^-1 of the share of rows below each cell but the first.
    """

    column: int
    cuts: FloatArray
    scores: FloatArray
    thresholds: FloatArray

    @property
    def n_cells(self) -> int:
        return len(self.cuts) + 1


class Latent(NamedTuple):
    """shrunk: the share by which correlations were brought nearer to zero, so that the matrix is positive definite.

    known: for each column the share of its variance that is known, 1 for those without ties.
    """

    correlations: FloatArray
    known: FloatArray
    shrunk: float


def known_share(shares: FloatArray) -> float:
    """Of the variance of a normal variable: what is known of it if its cell is, cells having these shares."""
    shares = shares[shares > 0.0]
    edges = ndtri(np.cumsum(shares)[:-1].clip(0.0, 1.0))
    densities = np.concatenate([[0.0], np.exp(-0.5 * edges**2) / np.sqrt(2.0 * pi), [0.0]])
    return float(np.sum(np.diff(densities) ** 2 / shares))


def merged(column: int, cells: Cells, most: int) -> Merged:
    """Neighbouring cells of a column with an order put together, so that at most so many are left.

    A cell with more rows than its part stays alone; the others are filled up to equal parts of what is left.
    """
    present = np.flatnonzero(cells.rows)
    rows = cells.rows[present]
    first = np.arange(len(present)) if len(present) <= most else _firsts(rows, most)
    begins = present[first]
    starts = begins.astype(np.float64) if cells.cuts is None else cells.cuts[begins]
    total = np.add.reduceat(rows, first) if len(first) else rows
    n = max(int(total.sum()), 1)
    scores = np.add.reduceat(cells.normal_scores[present] * rows, first) / total if len(first) else np.zeros(0)
    return Merged(column, starts[1:], scores, ndtri(np.cumsum(total)[:-1] / n))


def _firsts(rows: WeightArray, most: int) -> IntArray:
    """Where merged cells begin, so that there are at most so many: piles alone, between them equally many rows.

    A cell is a pile if it has at least its part, the same for all where a pile counts as no more than that.
    """
    for wanted in range(most, 0, -1):  # fewer where what is left over between piles makes too many
        part = _part(rows, wanted)
        pile = rows >= part
        height = np.minimum(rows, part)
        upto = np.cumsum(height)
        of_part = ((upto - height / 2) / part).astype(np.intp)
        begins = np.concatenate([[True], (np.diff(of_part) > 0) | pile[1:] | pile[:-1]])
        if np.count_nonzero(begins) <= most:
            break
    return np.flatnonzero(begins)


def _part(rows: WeightArray, wanted: int) -> float:
    """p with sum min(rows, p) = wanted p."""
    falling = np.sort(rows)[::-1]
    left = int(rows.sum()) - np.concatenate([[0], np.cumsum(falling)[: wanted - 1]])  # without the greatest few
    return float(np.min(left / (wanted - np.arange(len(left)))))


@dataclass(frozen=True)
class JointCounts:
    """How many rows there are in each cell of the tables of pairs of columns, one table after another."""

    columns: tuple[Merged, ...]
    pairs: tuple[tuple[int, int], ...]  # of places in `columns`

    def of(self, rows: Dataset, first: int) -> WeightArray:
        from arcwise._kernels.ranks.latent_pairs import add_joint_counts

        starts, widths = _starts(self.columns, self.pairs)
        out = np.zeros(starts[-1], dtype=np.int64)
        pairs = np.array(self.pairs, dtype=np.intp)
        places = np.column_stack([starts[:-1], widths])
        none = np.empty(0, dtype=np.int64)
        for block in rows.blocks():
            codes = np.array(map_threads(partial(_codes, block), self.columns))
            weights = none if block.weights is None else block.weights
            strips = [slice(at, at + STRIP) for at in range(0, len(pairs), STRIP)]
            tables = [(codes, weights, pairs[strip], places[strip], out) for strip in strips]
            map_threads(lambda table: add_joint_counts(*table), tables)
        return out

    def join(self, answers: Sequence[WeightArray]) -> WeightArray:
        return np.sum(answers, axis=0)


def _codes(block: Block, column: Merged) -> NDArray[np.uint8]:
    return np.searchsorted(column.cuts, block.columns[column.column], side="right").astype(np.uint8)


def _starts(columns: Sequence[Merged], pairs: Sequence[tuple[int, int]]) -> tuple[IntArray, IntArray]:
    """(where the table of each pair begins, with the end; how wide it is)."""
    sizes = [columns[i].n_cells * columns[j].n_cells for i, j in pairs]
    widths = np.array([columns[j].n_cells for _, j in pairs], dtype=np.intp)
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.intp)]).astype(np.intp), widths


def latent_correlations(data: Dataset, starts: IntArray, correlations: FloatArray) -> Latent:
    """The correlations of normal scores (one dimension of each column with an order), mended for all pairs with ties.

    starts: the dimensions of each column are starts[j]..starts[j + 1] - 1.
    """
    from arcwise._kernels.ranks.latent_pairs import polychoric, polyserial

    every, known = cells_of(data), np.ones(data.n_columns)
    in_order = [
        j
        for j, column in enumerate(data.columns)
        if starts[j + 1] > starts[j] and (column.kind is Kind.CONTINUOUS or column.ordered)
    ]
    for j in in_order:
        if every[j].n_values < every[j].rows.sum():
            known[j] = known_share(every[j].shares) / _known_apart(int(every[j].rows.sum()))
    has_ties = known < 1.0 - LOST
    known[~has_ties] = 1.0
    if not has_ties.any():
        return Latent(correlations, known, 0.0)
    plain = [merged(j, every[j], FINE_CELLS) for j in in_order if not has_ties[j]]
    columns = (*plain, *(merged(j, every[j], TIED_CELLS) for j in in_order if has_ties[j]))
    pairs = [(i, j) for j in range(len(plain), len(columns)) for i in range(j)]
    out = correlations.copy()

    def correlate(pair_and_counts: tuple[tuple[int, int], WeightArray]) -> None:
        pair, counts = pair_and_counts
        one, other = columns[pair[0]], columns[pair[1]]
        table = counts.reshape(one.n_cells, other.n_cells)
        if pair[0] < len(plain):
            rho = polyserial(table, one.scores, other.thresholds)
        else:
            rho = polychoric(table, one.thresholds, other.thresholds)
        a, b = starts[one.column], starts[other.column]
        out[a, b] = out[b, a] = rho

    for some in _batches(columns, pairs):
        at, _ = _starts(columns, some)
        counts = asked(data, JointCounts(columns, tuple(some)))
        map_threads(correlate, list(zip(some, np.split(counts, at[1:-1]), strict=True)))
    noise = NOISE * float(np.sqrt(np.mean(1.0 / known**2 - 1.0) / max(data.n_rows, 1)))
    mended, shrunk = positive_definite(out, max(noise, LEAST_EIGENVALUE))
    return Latent(mended, known, shrunk)


def _known_apart(n_rows: int) -> float:
    """`known_share` of so many rows without equal values."""
    n = min(n_rows, MOST_VALUES)
    return known_share(np.full(n, 1.0 / n))


def _batches(columns: Sequence[Merged], pairs: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    found: list[list[tuple[int, int]]] = [[]]
    held = 0
    for i, j in pairs:
        size = columns[i].n_cells * columns[j].n_cells
        if held + size > MOST_COUNTS and found[-1]:
            found.append([])
            held = 0
        found[-1].append((i, j))
        held += size
    return found


def positive_definite(correlations: FloatArray, least: float) -> tuple[FloatArray, float]:
    """(1 - s) C + s I with the least s of 0 or more whose smallest eigenvalue is at least so large, and s."""
    smallest = float(np.linalg.eigvalsh(correlations)[0]) if len(correlations) else 1.0
    if smallest >= least:
        return correlations, 0.0
    shrunk = (least - smallest) / (1.0 - smallest)
    mended = (1.0 - shrunk) * correlations
    np.fill_diagonal(mended, 1.0)
    return mended, shrunk


def notes_on_shrinking(latent: Latent) -> tuple[str, ...]:
    """One sentence if the matrix had to be mended."""
    if not latent.shrunk:
        return ()
    return (
        f"the matrix of latent correlations was shrunk by {latent.shrunk:.2g}: where many values are equal, pairs of "
        "columns are correlated one by one, and did not fit together; more rows would help",
    )
