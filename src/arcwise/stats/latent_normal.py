"""Correlations of the normal variables behind columns in which values repeat, or some come from elsewhere.

Where many rows have the same value (few values, ordered levels, a pile at zero), ranks say less than the variable
behind a column does, and correlations of normal scores are nearer to zero than those of these variables. So a column
has ties if its cells leave out more than `LOST` of the variance of a normal variable,

    1 - sum_c (phi(t_c) - phi(t_c+1))^2 / p_c,    t_c the thresholds Phi^-1 of the rows below, p_c the share of a cell.

Levels have an order if they are said to have one: two levels of anything are no normal variable seen through a cut.

A pair with such a column has the correlation of a bivariate normal that makes its counts most probable, given the
thresholds of both columns (two steps: Olsson 1979; Olsson, Drasgow and Dorans 1982): polychoric if both have ties,
polyserial if one has, the other one then with its normal scores. For that, neighbouring cells are merged until there
are few, each a pile or of about equally many rows; then a pair's rows need to be counted once, wherever they are.

Where a share a of a column's values comes from elsewhere and is at its ends, the others have the ranks that are left,
thresholds Phi^-1((u - a / 2) / (1 - a)), and cells the shares of a mixture: see `_kernels.ranks.latent_pairs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import pi
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from arcwise.data.dataset import Block, Dataset, FloatArray, IntArray, Kind, WeightArray
from arcwise.data.rows.elsewhere import asked
from arcwise.printing import listed
from arcwise.stats.ranks import Cells, cells_of
from arcwise.stats.threads import map_threads

LOST = 0.01  # of the variance of a normal variable, in a column with ties
TIED_CELLS = 16  # of a column with ties, at most
FINE_CELLS = 256  # of one without
STRIP = 16  # pairs whose tables a thread counts at a time
MOST_COUNTS = 1 << 24  # that are held at once
LEAST_EIGENVALUE = 1e-6
NOISE = 0.8  # of the matrix, in units of the error that ties add to a correlation: docs/methods/copula.md
FEW_ASTRAY = 0.01  # share of values from elsewhere that is tried first
ASTRAY = (
    0.0,
    0.0025,
    0.005,
    0.01,
    0.015,
    0.02,
    0.03,
    0.04,
    0.06,
    0.08,
)  # shares that are tried, less than a cell each side
RELATED = 0.25  # least correlation that tells values from elsewhere apart
LEAST_ROWS = 500  # with fewer the cells at the ends have too few rows
MOST_MISFIT = 1.6  # three standard deviations of chi-squared with 49 degrees of freedom, a degree
PAIRS = np.arange(0, TIED_CELLS, 2)  # cells that are put together for it
LEAST_TAIL = 1e-4
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

    known: for each column the share of its variance that is known, 1 for those without ties. astray: the share of its
    values that come from elsewhere.
    """

    correlations: FloatArray
    known: FloatArray
    shrunk: float
    astray: FloatArray


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
    begins, scores, thresholds = _merged(cells.rows.tobytes(), most)
    starts = begins.astype(np.float64) if cells.cuts is None else cells.cuts[begins]
    return Merged(column, starts[1:], scores, thresholds)


@lru_cache(maxsize=4)  # columns without equal values all have the same rows
def _merged(rows_of_cells: bytes, most: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """(Where cells begin, their mean normal scores, their thresholds), by the rows of each cell as it was."""
    rows = np.frombuffer(rows_of_cells, dtype=np.int64)
    present = np.flatnonzero(rows)
    rows = rows[present]
    if not len(rows):
        return present, np.zeros(0), np.zeros(0)
    first = np.arange(len(rows)) if len(rows) <= most else _firsts(rows, most)
    upto, total = np.cumsum(rows), np.add.reduceat(rows, first)
    scores = np.add.reduceat(ndtri((upto - rows / 2) / upto[-1]) * rows, first) / total
    return present[first], scores, ndtri(np.cumsum(total)[:-1] / upto[-1])


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


def latent_correlations(
    data: Dataset, starts: IntArray, correlations: FloatArray, *, ties: bool = True, outliers: bool = True
) -> Latent:
    """The correlations of normal scores (one dimension of each column with an order), mended for some pairs.

    starts: the dimensions of each column are starts[j]..starts[j + 1] - 1. ties: pairs in which a column has ties.
    outliers: pairs in which values of a column come from elsewhere.
    """
    from arcwise._kernels.ranks.latent_pairs import polychoric, polyserial

    every, known = cells_of(data), np.ones(data.n_columns)
    in_order = [
        j
        for j, column in enumerate(data.columns)
        if starts[j + 1] > starts[j] and (column.kind is Kind.CONTINUOUS or column.ordered)
    ]
    for j in in_order if ties else ():
        if every[j].n_values < every[j].rows.sum():
            known[j] = known_share(every[j].shares) / _known_apart(int(every[j].rows.sum()))
    has_ties = known < 1.0 - LOST
    known[~has_ties] = 1.0
    astray = np.zeros(data.n_columns)
    if outliers:
        without = [merged(j, every[j], TIED_CELLS) for j in in_order if not has_ties[j]]
        found = _astray(data, without, correlations[np.ix_(*[[starts[one.column] for one in without]] * 2)])
        astray[[one.column for one in without]] = found
    by_cells = has_ties | (astray > 0.0)
    if not by_cells.any():
        return Latent(correlations, known, 0.0, astray)
    # A column without either is in few cells beside one with outliers, and in many beside one with ties.
    plain = [merged(j, every[j], FINE_CELLS) for j in in_order if not by_cells[j]]
    few = [merged(j, every[j], TIED_CELLS) for j in in_order if not by_cells[j] and astray.any()]
    others = [_without_astray(merged(j, every[j], TIED_CELLS), astray[j]) for j in in_order if by_cells[j]]
    columns = (*plain, *few, *others)
    n_plain, first = len(plain), len(plain) + len(few)
    pairs = [(i, j) for j in range(first, len(columns)) for i in range(first, j)]
    pairs += [
        (i + n_plain * bool(astray[columns[j].column]), j) for j in range(first, len(columns)) for i in range(n_plain)
    ]
    out = correlations.copy()

    def correlate(pair_and_counts: tuple[tuple[int, int], WeightArray]) -> None:
        pair, counts = pair_and_counts
        one, other = columns[pair[0]], columns[pair[1]]
        table = counts.reshape(one.n_cells, other.n_cells)
        if pair[0] < n_plain:
            rho = polyserial(table, one.scores, other.thresholds)
        else:
            from_elsewhere = float(astray[one.column]), float(astray[other.column])
            rho, _, _ = polychoric(table, one.thresholds, other.thresholds, from_elsewhere)
        a, b = starts[one.column], starts[other.column]
        out[a, b] = out[b, a] = rho

    for some in _batches(columns, pairs):
        at, _ = _starts(columns, some)
        counts = asked(data, JointCounts(columns, tuple(some)))
        map_threads(correlate, list(zip(some, np.split(counts, at[1:-1]), strict=True)))
    noise = NOISE * float(np.sqrt(np.mean(1.0 / known**2 - 1.0) / max(data.n_rows, 1)))
    mended, shrunk = positive_definite(out, max(noise, LEAST_EIGENVALUE))
    return Latent(mended, known, shrunk, astray)


def _without_astray(column: Merged, astray: float) -> Merged:
    """The same with the thresholds of those of its values that do not come from elsewhere."""
    if not astray:
        return column
    shares = (ndtr(column.thresholds) - 0.5 * astray) / (1.0 - astray)
    return replace(column, thresholds=ndtri(np.clip(shares, LEAST_TAIL, 1.0 - LEAST_TAIL)))


def _astray(data: Dataset, columns: Sequence[Merged], correlations: FloatArray) -> FloatArray:
    """The share of the values of each column that come from elsewhere, by its pair with the greatest correlation.

    Such values are at either end of a column and have nothing to do with others. They are looked for if some pair is
    more probable with them by more than ln N. Then all columns have the share that makes all of these pairs most
    probable, unless another one makes a column's own pair more probable by more than (ln N) / 2; and none if the counts
    of the pair are not what they should be then, as relations that turn round look like values from elsewhere.
    """
    found = np.zeros(len(columns))
    if len(columns) < 2 or data.n_rows < LEAST_ROWS:
        return found
    related = np.abs(correlations) - 2.0 * np.eye(len(columns))
    partners = related.argmax(axis=1).tolist()
    asking = [
        j
        for j, i in enumerate(partners)
        if related[j, i] >= RELATED and min(columns[i].n_cells, columns[j].n_cells) == TIED_CELLS
    ]
    pairs = sorted({(min(j, partners[j]), max(j, partners[j])) for j in asking})
    if not pairs:
        return found
    at, _ = _starts(columns, pairs)
    counts = np.split(asked(data, JointCounts(tuple(columns), tuple(pairs))), at[1:-1])
    tables = dict(zip(pairs, (one.reshape(TIED_CELLS, TIED_CELLS) for one in counts), strict=True))

    def task(j: int, share: float, of_partner: float) -> _Pair:
        i = partners[j]
        return _Pair(columns[j], columns[i], tables[j, i] if j < i else tables[i, j].T, (share, of_partner))

    def together(share: float) -> FloatArray:
        """L of each pair if both columns have this share."""
        return np.array(map_threads(_likelihood, [task(j, share, share) for j in firsts]))

    firsts = list({(min(j, partners[j]), max(j, partners[j])): j for j in asking}.values())
    least = float(np.log(data.n_rows))
    if (together(FEW_ASTRAY) - together(0.0)).max() <= least:
        return found
    usual = int(np.argmax([together(share).sum() for share in ASTRAY]))
    found[asking] = ASTRAY[usual]
    for _ in range(2):  # the second time with what was found of the partners
        tasks = [task(j, share, found[partners[j]].item()) for j in asking for share in ASTRAY]
        likelihoods = np.array(map_threads(_likelihood, tasks)).reshape(-1, len(ASTRAY))
        better = likelihoods.max(axis=1) - likelihoods[:, usual] > 0.5 * least
        found[asking] = np.take(ASTRAY, np.where(better, likelihoods.argmax(axis=1), usual))
    misfits = map_threads(_misfit, [task(j, found[j].item(), found[partners[j]].item()) for j in asking])
    found[[j for j, misfit in zip(asking, misfits, strict=True) if misfit > MOST_MISFIT]] = 0.0
    return found


class _Pair(NamedTuple):
    """Two columns with the counts of their cells, and the share of values from elsewhere of each."""

    one: Merged
    other: Merged
    counts: WeightArray
    astray: tuple[float, float]

    def fitted(self) -> tuple[float, FloatArray]:
        """(L, the shares of the cells) at the most probable correlation."""
        from arcwise._kernels.ranks.latent_pairs import polychoric

        rows, columns = (_without_astray(c, a).thresholds for c, a in zip(self[:2], self.astray, strict=True))
        return polychoric(np.ascontiguousarray(self.counts), rows, columns, self.astray)[1:]


def _likelihood(pair: _Pair) -> float:
    return pair.fitted()[0]


def _misfit(pair: _Pair) -> float:
    """G2 of the counts in fewer cells, in degrees of freedom."""
    tables = (pair.counts, pair.fitted()[1] * pair.counts.sum())
    seen, expected = (np.add.reduceat(np.add.reduceat(table, PAIRS, axis=0), PAIRS, axis=1) for table in tables)
    there = seen > 0
    deviance = 2.0 * float(np.sum(seen[there] * np.log(seen[there] / expected[there])))
    return deviance / (len(PAIRS) - 1) ** 2


def _known_apart(n_rows: int) -> float:
    """`known_share` of so many rows without equal values."""
    n = min(n_rows, MOST_VALUES)
    return known_share(np.full(n, 1.0 / n))


def _batches(columns: Sequence[Merged], pairs: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Pairs whose tables are counted at once; none where a single column has an order."""
    found: list[list[tuple[int, int]]] = []
    held = 0
    for i, j in pairs:
        size = columns[i].n_cells * columns[j].n_cells
        if not found or held + size > MOST_COUNTS:
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


def notes_on(data: Dataset, latent: Latent) -> tuple[str, ...]:
    """One sentence if some values do not count, and one if the matrix had to be mended."""
    notes = []
    names = [repr(name) for name, share in zip(data.names, latent.astray, strict=True) if share]
    if names:
        low, high = (
            f"{100.0 * share:.2g}" for share in (latent.astray[latent.astray > 0.0].min(), latent.astray.max())
        )
        notes.append(
            f"{listed(names)}: about {low if low == high else f'{low} to {high}'} % of the values, at the ends, have "
            "nothing to do with the other columns and were set aside; outliers=as-they-are counts them"
        )
    if latent.shrunk:
        notes.append(
            f"the matrix of latent correlations was shrunk by {latent.shrunk:.2g}: where values are equal, pairs of "
            "columns are correlated one by one, and did not fit together; more rows would help"
        )
    return tuple(notes)
