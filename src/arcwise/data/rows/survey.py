"""What a column holds, found batch by batch: its different cells with how often and where first, or their range.

Cells are kept as long as they are few. Then they are numbers, of which a `Range` says enough, or texts that are too
many to be levels: of these some are kept, and the others only counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import MAX_LEVELS, Kind
from arcwise.data.kinds import MOSTLY_NUMBERS
from arcwise.data.levels import EXACT
from arcwise.data.missing import MISSING_MARKERS
from arcwise.data.reading.raw import NO_WORDS, Words
from arcwise.data.rows.batches import MARK
from arcwise.data.rows.ranges import Range, joined, range_of

if TYPE_CHECKING:
    import polars as pl

FEW_NUMBERS = 1 << 10  # different numbers that are kept of a column of numbers; kinds ask for no more than 21
NUMBERS_IN_TEXT = 1 << 14  # different cells from which on text that is all numbers is taken as such
MANY_TEXTS = 1 << 18  # different texts that are kept
STRANGE = frozenset({"List", "Array", "Struct", "Object", "Binary", "Duration"})  # types of no numbers and no text
NO_ROWS = np.zeros(1, dtype=np.int64)
PROBE = 1 << 13  # cells that show that a column has many


@dataclass(frozen=True, slots=True, repr=False)
class How:
    """What is known of a column before it is read. words: what means missing. text: it comes from a text file.

    decodes: the text of every cell is needed, since it is said how these are written.
    """

    wanted: Kind | None = None
    words: Words = NO_WORDS
    text: bool = False
    decodes: bool = False

    def __repr__(self) -> str:
        """The same for the same, whenever it is asked."""
        texts, numbers = sorted(self.words.texts), sorted(self.words.numbers)
        return f"{self.wanted} {texts} {numbers} {self.text} {self.decodes}"

    @property
    def missing_texts(self) -> frozenset[str]:
        """Cells of text that are no value, in quotes or not."""
        bare = (MISSING_MARKERS if self.text else frozenset()) | self.words.texts
        return bare | frozenset(MARK + word for word in bare) if self.text else bare


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Rows of one column. cells: those that differ, as they come first; times: their rows; first: where they begin.

    numbers: of a column with too many cells to keep, if they are numbers. odd_texts: those among them that are not,
    each with its rows and the first of them; as_text: some are written as 01234, or have too many digits. many: the
    cells are texts, and only some are kept.
    """

    n_rows: int
    cells: pl.Series
    times: NDArray[np.int64]
    first: NDArray[np.int64]
    last: pl.Series
    numbers: Range | None = None
    odd_texts: dict[str, tuple[int, int]] = field(default_factory=dict)
    as_text: bool = False
    many: bool = False
    n_missing: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether every different cell is kept."""
        return self.numbers is None and not self.many


def nothing_yet(dtype: Any) -> Seen:
    """Of a column of this type, before its first row."""
    import polars as pl

    if is_strange(dtype):
        return replace(nothing(pl.Series([None], dtype=dtype)), times=np.zeros(1, dtype=np.int64), first=NO_ROWS[:1])
    return nothing(pl.Series([], dtype=pl.String if dtype in (pl.Categorical, pl.Enum) else dtype))


def is_strange(dtype: Any) -> bool:
    """Whether cells are neither numbers nor text, nor anything that is read as such."""
    return str(dtype).partition("(")[0] in STRANGE


def _one_cell(seen: Seen, batch: pl.Series) -> Seen:
    """Of cells that are neither numbers nor text one is enough to say so."""
    found = batch.drop_nulls().head(1)
    cells = found if len(found) and seen.cells.null_count() else seen.cells
    n_rows = seen.n_rows + len(batch)
    return replace(seen, n_rows=n_rows, cells=cells, last=cells, times=np.array([n_rows]))


def nothing(cells: pl.Series) -> Seen:
    return Seen(0, cells, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), cells)


def extended(seen: Seen, batch: pl.Series, how: How) -> Seen:
    """All that is known of the rows seen and of those behind them."""
    if not len(batch):
        return seen
    if is_strange(batch.dtype):
        return _one_cell(seen, batch)
    if batch.dtype.is_numeric():
        limit = MAX_LEVELS + 1 if how.wanted is Kind.DISCRETE else FEW_NUMBERS
        glance = batch.head(PROBE)
        if seen.numbers is not None or (limit == FEW_NUMBERS and glance.n_unique() > limit):
            return followed(seen, _as_range(batch, how, seen.n_rows), how)
    elif seen.numbers is not None:
        return followed(seen, _text_range(batch, how, seen.n_rows), how)
    elif seen.many:
        return _more_texts(seen, batch, how)
    return followed(seen, _distinct(batch, seen.n_rows), how)


def _distinct(batch: pl.Series, first_row: int) -> Seen:
    import polars as pl

    counted = (
        pl.DataFrame({"cell": batch})
        .with_row_index("first", first_row)
        .group_by("cell", maintain_order=True)
        .agg(pl.len().cast(pl.Int64).alias("times"), pl.col("first").first().cast(pl.Int64))
    )
    if batch.dtype in (pl.Categorical, pl.Enum):
        counted = counted.cast({"cell": pl.String})
    return _seen(counted, len(batch), batch.tail(1).cast(counted.schema["cell"]))


def _seen(counted: pl.DataFrame, n_rows: int, last: pl.Series) -> Seen:
    return Seen(n_rows, counted["cell"], counted["times"].to_numpy(), counted["first"].to_numpy(), last)


def followed(a: Seen, b: Seen, how: How) -> Seen:
    """The rows of `a` and, behind them, those of `b`, whose row numbers count over both."""
    import polars as pl

    if not a.n_rows or not b.n_rows or is_strange(a.cells.dtype):
        return replace(b if not a.n_rows else a, n_rows=a.n_rows + b.n_rows)
    last = b.last
    if a.many or b.many:
        return _both_many(a, b, how)
    if a.is_whole and b.is_whole:
        both = pl.concat([_counted(a), _counted(b)]).group_by("cell", maintain_order=True)
        merged = both.agg(pl.col("times").sum(), pl.col("first").first())
        return _within_limits(_seen(merged, a.n_rows + b.n_rows, last), how)
    x, y = _with_range(a, how), _with_range(b, how)
    assert x.numbers is not None
    assert y.numbers is not None
    return replace(
        x,
        n_rows=a.n_rows + b.n_rows,
        last=last,
        numbers=joined(x.numbers, y.numbers),
        odd_texts=_added(x.odd_texts, y.odd_texts),
        as_text=x.as_text or y.as_text,
    )


def _counted(seen: Seen) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame({"cell": seen.cells, "times": seen.times, "first": seen.first})


def _added(a: dict[str, tuple[int, int]], b: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    return {**b, **{cell: (n + b.get(cell, (0, 0))[0], row) for cell, (n, row) in a.items()}}


def _within_limits(seen: Seen, how: How) -> Seen:
    """The same, with a range instead of cells where these are too many."""
    n = len(seen.cells)
    if seen.cells.dtype.is_numeric():
        return _with_range(seen, how) if n > FEW_NUMBERS and how.wanted is not Kind.DISCRETE else seen
    if n <= NUMBERS_IN_TEXT or how.wanted is Kind.DISCRETE or how.decodes or not how.text:
        return seen if n <= MANY_TEXTS else _many_texts(seen, how)
    ranged = _with_range(seen, how)
    if not ranged.odd_texts and not ranged.as_text:
        return ranged
    if n <= MANY_TEXTS:
        return seen
    bad = sum(times for times, _ in ranged.odd_texts.values())
    mostly = ranged.numbers is not None and ranged.numbers.n >= MOSTLY_NUMBERS * (ranged.numbers.n + bad)
    return ranged if mostly and not ranged.as_text else _many_texts(seen, how)


def _with_range(seen: Seen, how: How) -> Seen:
    """The same with a range of its cells, of which each counts as often as it occurs.

    Their order is that of the rows where no cell occurs twice; else no number can be one more than the one before.
    """
    if seen.numbers is not None:
        return seen
    find = _as_range if seen.cells.dtype.is_numeric() else _text_range
    found = find(seen.cells, how, 0)
    numbers = found.numbers
    assert numbers is not None
    texts = {cell: (int(seen.times[place]), int(seen.first[place])) for cell, (_, place) in found.odd_texts.items()}
    n_gone = int(seen.times[missing_cells(seen.cells, how)].sum()) + sum(n for n, _ in texts.values())
    values = numbers_in(seen.cells)
    numbers = replace(
        numbers,
        n=seen.n_rows - n_gone,
        n_missing=n_gone,
        n_rows=seen.n_rows,
        odd={
            odd: (int(seen.times[values == odd].sum()), int(seen.first[values == odd].min())) for odd in numbers.odd
        },  # several cells may be one number: "-99" and "-99.0"
        by_one=numbers.by_one and bool((seen.times == 1).all()),
        end=_last_number(seen, how, numbers.end),
    )
    return replace(found, n_rows=seen.n_rows, last=seen.last, numbers=numbers, odd_texts=texts)


def _last_number(seen: Seen, how: How, otherwise: float) -> float:
    values = numbers_in(seen.last)
    return otherwise if not len(values) or np.isnan(float(values[-1])) else values[-1]


def missing_cells(cells: pl.Series, how: How) -> NDArray[np.bool_]:
    """Cells that are no value."""
    import polars as pl

    if cells.dtype.is_numeric():
        found = cells.is_null()
        found = found | cells.is_nan().fill_null(True) if cells.dtype.is_float() else found
        if how.words.numbers:
            found = found | cells.cast(pl.Float64).is_in(list(how.words.numbers)).fill_null(True)
        return found.to_numpy()
    gone = cells.is_null()
    if how.missing_texts and cells.dtype == pl.String:
        gone = gone | cells.is_in(sorted(how.missing_texts)).fill_null(True)
    return gone.to_numpy()


def numbers_in(cells: pl.Series) -> NDArray[Any]:
    """As numbers, NaN where there is none; integers without gaps keep their type."""
    import polars as pl

    if not cells.dtype.is_numeric():
        cells = cells.cast(pl.Float64, strict=False)
    if cells.null_count() or cells.dtype.is_float():
        return cells.cast(pl.Float64).fill_null(float("nan")).to_numpy()
    return cells.to_numpy()


def _as_range(batch: pl.Series, how: How, first_row: int) -> Seen:
    """The numbers of a batch; what is missing has no value."""
    gone = missing_cells(batch, how)
    whole = batch.dtype.is_integer()
    values = batch.fill_null(0).to_numpy() if whole else numbers_in(batch)
    found = range_of(values, gone if gone.any() else None, first_row)
    return replace(nothing(batch.head(0)), n_rows=len(batch), last=batch.tail(1), numbers=found)


def _text_range(batch: pl.Series, how: How, first_row: int) -> Seen:
    """The numbers in cells of text; cells that are neither numbers nor missing are kept apart."""
    values, gone = numbers_in(batch), missing_cells(batch, how)
    bad = np.isnan(values) & ~gone
    odd_texts: dict[str, tuple[int, int]] = {}
    if bad.any():
        found = _distinct(batch.filter(bad), 0)
        rows = np.flatnonzero(bad)
        odd_texts = {
            cell: (int(n), int(rows[row]) + first_row)
            for cell, n, row in zip(found.cells.to_list(), found.times, found.first, strict=True)
        }
    missing = gone | np.isnan(values)
    padded = batch.str.starts_with("0") & (batch.str.len_bytes() > 1)
    as_text = bool(padded.any() and batch.filter(padded).str.contains(r"^0\d+$").any())
    as_text = as_text or bool((np.abs(values) >= EXACT).any() and batch.str.contains(r"^[+-]?\d{16,}$").any())
    numbers = range_of(values, missing if missing.any() else None, first_row)
    empty = nothing(batch.head(0))
    return replace(empty, n_rows=len(batch), last=batch.tail(1), numbers=numbers, odd_texts=odd_texts, as_text=as_text)


def _many_texts(seen: Seen, how: How) -> Seen:
    gone = missing_cells(seen.cells, how)
    kept = np.flatnonzero(~gone)[:MANY_TEXTS]
    return replace(
        seen,
        cells=seen.cells.gather(kept),
        times=seen.times[kept],
        first=seen.first[kept],
        many=True,
        n_missing=int(seen.times[gone].sum()),
    )


def _more_texts(seen: Seen, batch: pl.Series, how: How) -> Seen:
    gone = int(np.count_nonzero(missing_cells(batch, how)))
    return replace(seen, n_rows=seen.n_rows + len(batch), n_missing=seen.n_missing + gone, last=batch.tail(1))


def _both_many(a: Seen, b: Seen, how: How) -> Seen:
    """Where one of two parts has too many texts to keep, both have."""
    import polars as pl

    x = a if a.many else _many_texts(a, how) if a.is_whole else a
    y = b if b.many else _many_texts(b, how) if b.is_whole else b
    counted = pl.concat([_counted(x), _counted(y)]).group_by("cell", maintain_order=True)
    merged = counted.agg(pl.col("times").sum(), pl.col("first").first()).head(MANY_TEXTS)
    missing = [one.n_missing if one.numbers is None else one.numbers.n_missing for one in (x, y)]
    return replace(_seen(merged, a.n_rows + b.n_rows, b.last), many=True, n_missing=sum(missing))


def shifted(seen: Seen, rows: int) -> Seen:
    """The same, with so many rows before it."""
    numbers = seen.numbers
    if numbers is not None:
        numbers = replace(numbers, odd={value: (n, row + rows) for value, (n, row) in numbers.odd.items()})
    odd_texts = {cell: (n, row + rows) for cell, (n, row) in seen.odd_texts.items()}
    return replace(seen, first=seen.first + rows, numbers=numbers, odd_texts=odd_texts)
