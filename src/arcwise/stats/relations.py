"""Columns that others make up exactly: sums (s = p + q, also with factors and an offset) and products (s = p q^2).

Where such a relation holds, any of its columns follows from the others, so which of them are joined is arbitrary.

A relation of all rows is one of any of them. So it is looked for in some rows, somewhat more than there are columns,
and what is found there is tried on the whole columns, those of long tables stretch by stretch: O(n^3) whatever the
number of rows, and O(rows) a relation. A product is a sum of logarithms. Where cells are missing, relations are looked
for in the rows that have all columns, if there are enough, and must hold in all rows that have theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import BoolArray, Column, Dataset, FloatArray, IntArray, Kind
from arcwise.data.levels import are_numbers, label_numbers
from arcwise.printing import listed
from arcwise.stats.on_all_rows import Remainder, seen_rows, share_left
from arcwise.stats.ordered import is_long, ordered

FEWEST_ROWS = 20  # and twice the columns: with fewer, columns of few values can add up by chance
SOME_ROWS = 256  # looked at first, or somewhat more than there are columns
SHOWN = 6  # columns of a relation that is written out
TRACE = 1e-8  # a smaller share than this is rounding
ZERO_ONE = np.array([0.0, 1.0])
Scaling = Callable[[FloatArray], FloatArray]
NEGLIGIBLE = 1e-10  # less of its variance than this, and a column is taken for a linear function of others
PART_OF = 1e-3  # a share of another column this small is not worth naming
SMALL_TILE, SMALL_DEPTH = 32, 256
UNTHREADED = 64  # LAPACK factors matrices up to this size in one thread


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """A column's numbers, or its codes and the numbers that they stand for."""

    values: NDArray[Any]
    labels: FloatArray | None = None
    missing: BoolArray | None = None
    least: float | None = None  # the lowest of all rows, where these are some

    def at(self, rows: IntArray | slice = slice(None)) -> FloatArray:
        return self.values[rows] if self.labels is None else self.labels[self.values[rows]]

    def lowest(self) -> float:
        if self.least is not None:
            return self.least
        return float(np.nanmin(self.values if self.labels is None else self.labels))


@dataclass(frozen=True, slots=True)
class Relation:
    """`name` is the offset and the sum of these factors times these columns, or in logarithms."""

    name: str
    others: tuple[str, ...]
    factors: tuple[float, ...]
    offset: float


def relations(data: Dataset) -> dict[str, str]:
    """A sentence for each column that is exactly a sum or a product of others, those before it by name if possible.

    Copies are not named here: the gate names them.
    """
    columns = data.by_name()
    with np.errstate(all="ignore"):  # ln 0 and factors beyond all floats: such relations are passed over
        return _relations(columns)


def _relations(columns: Dataset) -> dict[str, str]:
    whole = columns
    if is_long(columns):
        columns = replace(seen_rows(columns), weights=None)
    numbers = {column.name: values for column in columns.columns if (values := _numbers(column)) is not None}
    sums = _found(numbers, columns, _as_it_is)
    if columns is not whole:
        sums = [relation for relation in sums if _on_all_rows(relation, numbers, whole, logs=False)]
    for relation in sums:
        del numbers[relation.name]
    # The logarithm of a column of two values is a linear function of it, so such columns alone have no other products.
    finer = any(values.labels is None or len(values.labels) > 2 for values in numbers.values())
    products = _found(numbers, columns, _log_size) if finer else []
    if columns is not whole:
        products = [relation for relation in products if _on_all_rows(relation, numbers, whole, logs=True)]
        numbers = (
            {name: replace(one, least=_lowest(whole, name, one)) for name, one in numbers.items()} if products else {}
        )
    said = {relation.name: _sum_words(relation) for relation in sums if len(relation.others) > 1}
    return said | {relation.name: _product_words(relation, numbers) for relation in products}


def linear_words(name: str, others: Sequence[str]) -> str:
    """What to say of a column that is a linear function of others."""
    what = f"column {name!r} is a linear function of {_names(others)}"
    return f"{what}, so its edges are arbitrary; leave one of them out"


def _names(others: Sequence[str]) -> str:
    return listed([repr(name) for name in others])


def _sum_words(relation: Relation) -> str:
    said = linear_words(relation.name, relation.others)
    if len(relation.others) > SHOWN:
        return said
    terms = [f"{_factor(f)}{name!r}" for f, name in zip(relation.factors, relation.others, strict=True)]
    if relation.offset:
        terms.append(f"{relation.offset:+.4g}".replace("-", "- ").replace("+", "+ "))
    return f"{said} ({relation.name!r} = {' '.join(terms).removeprefix('+ ')})"


def _factor(factor: float) -> str:
    size = f"{abs(factor):.4g}"
    return ("- " if factor < 0 else "+ ") + ("" if size == "1" else f"{size} ")


def _product_words(relation: Relation, numbers: Mapping[str, Numbers]) -> str:
    what = "power" if len(relation.others) == 1 else "product of powers"
    signed = any(numbers[name].lowest() < 0 for name in (relation.name, *relation.others))
    signs = ", but for signs" if signed else ""
    said = f"column {relation.name!r} is a {what} of {_names(relation.others)}{signs}"
    said += ", so its edges are arbitrary; leave one of them out"
    if len(relation.others) > SHOWN:
        return said
    powers = [f"{name!r}{_power(f)}" for f, name in zip(relation.factors, relation.others, strict=True)]
    scale = f"{np.exp(relation.offset):.4g} " if relation.offset else ""
    return f"{said} ({relation.name!r} = {scale}{' '.join(powers)})"


def _power(power: float) -> str:
    text = f"{power:.4g}"
    return "" if text == "1" else f"^{text}"


def _numbers(column: Column) -> Numbers | None:
    """The column as numbers, None if its levels are none; two levels are 0 and 1 if they are not numbers."""
    if column.kind is Kind.CONTINUOUS:
        return Numbers(column.values, missing=column.missing)
    if column.cardinality != 2 and not column.ordered:
        return None
    if are_numbers(column.levels) and np.isfinite(labels := label_numbers(column.levels)).all():
        return Numbers(column.values, labels, column.missing)
    return Numbers(column.values, ZERO_ONE, column.missing) if column.cardinality == 2 else None


def _as_it_is(values: FloatArray) -> FloatArray:
    return values


def _log_size(values: FloatArray) -> FloatArray:
    """ln |x|; no finite number where x = 0."""
    return np.log(np.abs(values))


def _found(numbers: Mapping[str, Numbers], columns: Dataset, scaling: Scaling) -> list[Relation]:
    """The linear relations of the columns on this scale; columns that it cannot hold are left out."""
    n_some = max(SOME_ROWS, int(1.25 * len(numbers)))
    if len(numbers) < 2 or columns.n_rows < max(FEWEST_ROWS, 2 * len(numbers)):
        return []
    there = _there(numbers)
    n_rows = columns.n_stored if there is None else len(there)
    if there is not None and n_rows < max(FEWEST_ROWS, 2 * len(numbers)):
        return []
    while True:
        some = min(n_some, n_rows)
        rows = np.arange(some) * (n_rows - 1) // max(some - 1, 1)
        candidates = _in_rows(numbers, rows if there is None else there[rows], scaling)
        holding = [whole for one in candidates if (whole := _tried(one, numbers, scaling)) is not None]
        if len(holding) == len(candidates) or n_some >= n_rows:
            return holding
        n_some *= 4


def _on_all_rows(relation: Relation, numbers: Mapping[str, Numbers], data: Dataset, *, logs: bool) -> bool:
    """Whether a relation that some rows show holds in all of them."""
    names = (relation.name, *relation.others)
    scaling = _log_size if logs else _as_it_is
    centre = float(np.nanmean(scaling(numbers[relation.name].at())))
    labels = tuple(numbers[name].labels for name in names)
    question = Remainder(np.array(relation.factors), relation.offset, centre, labels, logs)
    return share_left(data.select(names), question) <= NEGLIGIBLE


def _lowest(data: Dataset, name: str, numbers: Numbers) -> float:
    return ordered(data, name).lowest if numbers.labels is None else numbers.lowest()


def _there(numbers: Mapping[str, Numbers]) -> IntArray | None:
    """The rows in which none of the columns is missing; None: all."""
    gaps = [one.missing for one in numbers.values() if one.missing is not None]
    return np.flatnonzero(~np.logical_or.reduce(gaps)) if gaps else None


def _in_rows(numbers: Mapping[str, Numbers], rows: IntArray, scaling: Scaling) -> list[Relation]:
    """The relations that hold in these rows; their offsets are not known yet."""
    some = scaling(np.array([values.at(rows) for values in numbers.values()]))
    low, high = some.min(axis=1), some.max(axis=1)
    usable = np.flatnonzero((low < high) & np.isfinite(low) & np.isfinite(high))
    names = np.array(list(numbers), dtype=object)[usable].tolist()
    unit, sizes = _standardized(some[usable])
    found = []
    for j, weights in made_of(small_products(unit)):
        parts = np.flatnonzero(np.abs(weights) > TRACE).tolist()
        factors = tuple(float(weights[u] * (sizes[j] / sizes[u])) for u in parts)
        found.append(Relation(names[j], tuple(names[u] for u in parts), factors, 0.0))
    return found


def _standardized(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rows (n, k) with mean 0 and sum of squares 1, and what half of them was divided by; neither 1e300 nor 1e-300 is
    squared."""
    low = 0.5 * values.min(axis=1, keepdims=True)
    reach = 0.5 * values.max(axis=1, keepdims=True) - low
    unit = (0.5 * values - low) / reach
    unit -= unit.mean(axis=1, keepdims=True)
    norms = np.sqrt(np.sum(unit * unit, axis=1, keepdims=True))
    return unit / norms, (reach * norms)[:, 0]


def _tried(relation: Relation, numbers: Mapping[str, Numbers], scaling: Scaling) -> Relation | None:
    """The relation with its offset, of the columns that matter, if it holds in all rows that have them."""
    own = {name: numbers[name] for name in (relation.name, *relation.others)}
    there = _there(own)
    rows = slice(None) if there is None else there
    whole = scaling(np.array([one.at(rows) for one in own.values()]))
    if not np.isfinite(whole).all():
        return None
    unit, sizes = _standardized(whole)
    shares = np.array(relation.factors) * (sizes[1:] / sizes[0])
    rest = unit[0] - np.einsum("i,ij->j", shares, unit[1:])
    if not float(np.einsum("i,i->", rest, rest)) <= NEGLIGIBLE:  # also where factors are beyond all floats
        return None
    parts = np.flatnonzero(np.abs(shares) > PART_OF).tolist()
    means = whole.mean(axis=1)
    offset = float(means[0] - np.array(relation.factors) @ means[1:])
    return Relation(
        relation.name,
        tuple(relation.others[i] for i in parts),
        tuple(relation.factors[i] for i in parts),
        offset if abs(offset) > 1e-9 * float(np.abs(whole).max()) else 0.0,
    )


def redundant_columns(corr: FloatArray) -> dict[int, tuple[int, ...]]:
    """Columns that are linear functions of columns before them: {column: those it is made of}. O(n^3)."""
    if _independent(corr):
        return {}
    return {j: tuple(np.flatnonzero(np.abs(weights) > PART_OF).tolist()) for j, weights in made_of(corr)}


def made_of(corr: FloatArray) -> Iterator[tuple[int, FloatArray]]:
    """(column, weights of all columns) for each column that is a linear function of columns before it. O(n^3).

    Cholesky's factor L of the columns that are none, column by column, with the rows of the others: row j holds what of
    j lies in the columns before it, and 1 - |L_j|^2 is what they leave of it. Sums by einsum, which has no threads to
    wait for. In NumPy, unlike the factors of _kernels/gaussian/cholesky.py: every learner looks here, and most tables
    need no kernel.
    """
    n = len(corr)
    if n <= UNTHREADED and _independent(corr):
        return
    factor, kept = np.zeros((n, n)), list[int]()
    for j in range(n):
        k = len(kept)
        inside = factor[j, :k]
        left = 1.0 - float(np.einsum("i,i->", inside, inside))
        if left > NEGLIGIBLE:
            factor[j:, k] = (corr[j:, j] - np.einsum("ij,j->i", factor[j:, :k], inside)) / np.sqrt(left)
            kept.append(j)
        else:
            from scipy.linalg import solve_triangular

            weights = np.zeros(n)
            weights[kept] = solve_triangular(factor[kept, :k], inside, lower=True, trans="T", check_finite=False)
            yield j, weights


def small_products(rows: FloatArray) -> FloatArray:
    """rows @ rows.T in tiles so small that BLAS does not divide them over threads, which hold each other up."""
    n, length = rows.shape
    products = np.empty((n, n))
    for first in range(0, n, SMALL_TILE):
        for second in range(0, first + 1, SMALL_TILE):
            a, b = rows[first : first + SMALL_TILE], rows[second : second + SMALL_TILE]
            tile = sum(a[:, k : k + SMALL_DEPTH] @ b[:, k : k + SMALL_DEPTH].T for k in range(0, length, SMALL_DEPTH))
            products[first : first + SMALL_TILE, second : second + SMALL_TILE] = tile
            products[second : second + SMALL_TILE, first : first + SMALL_TILE] = np.transpose(tile)
    return products


def _independent(corr: FloatArray) -> bool:
    try:
        return bool((np.diag(np.linalg.cholesky(corr)) ** 2 > NEGLIGIBLE).all())
    except np.linalg.LinAlgError:
        return False
