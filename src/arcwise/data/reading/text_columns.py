"""Cells of a text table to a raw column: numbers when every cell that is not missing is one, else text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from arcwise.data.dataset import Kind
from arcwise.data.levels import EXACT, whole_numbers
from arcwise.data.reading.delimited import TextTable
from arcwise.data.reading.missing_words import MISSING_MARKERS, Words
from arcwise.data.reading.notation import spelled_numbers
from arcwise.data.reading.raw import Numbers, Raw, Text

if TYPE_CHECKING:
    import polars as pl


def text_column(table: TextTable, position: int, wanted: Kind | None, words: Words) -> Raw:
    """The raw column at a position. wanted: its kind, if the caller has declared it; a discrete one keeps its text.

    words: what the caller calls missing. Codes with leading zeros are text.
    """
    import polars as pl

    cells = table.cells.to_series(position)
    text = Text(table.names[position], cells, MISSING_MARKERS, words.texts, table.mark)
    if wanted is Kind.DISCRETE:
        return text
    numbers = cells.cast(pl.Float64, strict=False)
    if numbers.null_count() > cells.null_count():
        gone = _no_value_at_all(text, numbers)
        if (gone != (numbers.is_null() & cells.is_not_null())).any():  # some cells are neither numbers nor missing
            spelled = spelled_numbers(
                text.name,
                cells.set(gone, None),
                lambda row: ("line", table.line(row)),
                decimal_comma=table.delimiter == ";",
            )
            return text if spelled is None else Numbers(text.name, _floats(spelled.values), note=spelled.note)
        if text.mark and not numbers.count() and cells.str.starts_with(text.mark).any():
            return text  # words in quotes, and no number that is meant as one
    values = _floats(numbers)
    if wanted is Kind.CONTINUOUS:
        return Numbers(text.name, values)
    if _has_leading_zeros(cells, values):
        return text
    return _exact(text.name, cells, values) or Numbers(text.name, values, cells=cells)


def _exact(name: str, cells: pl.Series, values: NDArray[np.float64]) -> Numbers | None:
    """The column as 64-bit integers if it holds some that float64 cannot tell apart, and nothing else."""
    import polars as pl

    if not (np.abs(values) >= EXACT).any():
        return None
    gone = np.isnan(values)
    for dtype in (pl.Int64, pl.UInt64):
        whole = cells.cast(dtype, strict=False)
        if (whole.is_null().to_numpy() == gone).all():
            return Numbers(name, whole.fill_null(0).to_numpy(), gone if gone.any() else None, cells=cells)
    return None


def _no_value_at_all(text: Text, numbers: pl.Series) -> pl.Series:
    """Where the cell is no number but a word that means "no value", in quotes or not.

    Quotes around such a word make it text among text; in a column of numbers it still is no number.
    """
    words = sorted(text.markers | text.words)
    quoted = [text.mark + word for word in words] if text.mark else []
    return numbers.is_null() & text.cells.is_in([*words, *quoted]).fill_null(False)


def _floats(numbers: pl.Series) -> NDArray[np.float64]:
    values = numbers.to_numpy()  # null becomes NaN
    return values if values.dtype == np.float64 else values.astype(np.float64)


def _has_leading_zeros(cells: pl.Series, values: NDArray[np.float64]) -> bool:
    """Whether a whole number is written as 01234: a code, which loses its zero as a number."""
    if whole_numbers(values[:64][~np.isnan(values[:64])]) is None:
        return False
    padded = cells.str.starts_with("0") & (cells.str.len_bytes() > 1)
    return bool(padded.any() and cells.filter(padded).str.contains(r"^0\d+$").any())
