"""Missing cells: the words that mean "no value", in text files or to the caller, and what becomes of such cells."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, get_args

import numpy as np

from arcwise.data.column_names import matching
from arcwise.data.complete import counts_by_name
from arcwise.data.dataset import Kind, Missing, WeightArray
from arcwise.data.kinds import Typed
from arcwise.data.levels import drop_unused, label_numbers, number_label, wide_code_dtype
from arcwise.data.reading.raw import BoolArray, Levels, Numbers, Origin, Raw, Text, Words, rows_of
from arcwise.errors import DataError, OptionError, unknown_name
from arcwise.printing import counted, option

# Cells that mean "no value" in a text file, written exactly so and not in quotes; what spreadsheets write for a
# formula that failed is no value either.
MISSING_MARKERS = frozenset(
    {"", "NA", "N/A", "n/a", "<NA>", "#N/A", "#N/A N/A", "#NA", "NaN", "nan", "NAN", "-NaN", "-nan"}
    | {"null", "NULL", "Null", "None", "?", ".", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"}
    | {"#NULL!", "#VALUE!", "#DIV/0!", "#REF!", "#NAME?", "#NUM!"}
)
# Levels that mean the same in some tables; small letters.
DOUBTFUL_WORDS = frozenset(
    {"na", "n.a.", "n.a", "nan", "null", "nil", "missing", "not available", "-", "--", "---", "*", "#", "(null)"}
)
Cell = str | int | float
NaWords = Cell | Iterable[Cell] | Mapping[str, Cell | Iterable[Cell]]


def looks_missing(label: str) -> bool:
    """Whether a level reads as "no value" though it was kept: quoted in a text file, or text in a data frame."""
    return label in MISSING_MARKERS or label.strip().casefold() in DOUBTFUL_WORDS


def settle_words(na: NaWords | None, names: Sequence[str]) -> dict[str, Words]:
    """The caller's words for each column. A text such as "age=-99" or "lab_*=-99" means these columns only."""
    everywhere: list[Cell] = []
    said: list[tuple[str, list[Cell]]] = []
    if isinstance(na, Mapping):
        said = [(str(given), _as_cells(cells)) for given, cells in na.items()]  # a data frame's names may be numbers
    else:
        for cell in _as_cells(na):
            given, _, word = cell.rpartition("=") if isinstance(cell, str) else ("", "", "")
            if given.strip():
                said.append((given if given in names else given.strip(), [word]))
            else:
                everywhere.append(cell)
    own: dict[str, list[Cell]] = {}
    for given, cells in said:
        for name in matching(given, names, "na"):
            own.setdefault(name, []).extend(cells)
    found = {name: [*everywhere, *own.get(name, ())] for name in names}
    return {name: _words(cells) for name, cells in found.items() if cells}


def _as_cells(cells: Any) -> list[Cell]:
    """A single word is one word, not its letters; None and NaN are missing as they are."""
    several = isinstance(cells, Iterable) and not isinstance(cells, str | bytes)
    return [cell for cell in (cells if several else [cells]) if not _is_void(cell)]


def _is_void(cell: Any) -> bool:
    return type(cell).__name__ in ("NoneType", "NAType", "NaTType") or (isinstance(cell, float) and math.isnan(cell))


def _words(cells: Iterable[Cell]) -> Words:
    texts: set[str] = set()
    numbers: set[float] = set()
    for cell in cells:
        text = cell.strip() if isinstance(cell, str) else _number_text(cell)
        number = float(label_numbers([text])[0])
        texts.add(text)
        if not np.isnan(number):
            numbers.add(number)
            texts |= {number_label(number), str(number)}  # -99 is found as -99.0, too
    return Words(frozenset(texts), tuple(sorted(numbers)))


def _number_text(cell: Any) -> str:
    try:
        return number_label(cell)
    except OverflowError:  # an integer beyond the range of floats
        return str(cell)
    except (TypeError, ValueError):
        raise DataError(f"na takes the words and numbers that mean missing, not {cell!r}; leave it out") from None


def without_words(raw: Raw, words: Words) -> Raw:
    """The same column with these words missing."""
    if not words.texts:
        return raw
    if isinstance(raw, Text):
        return replace(raw, words=raw.words | words.texts, numbers=words.numbers)
    if isinstance(raw, Numbers):
        hit = np.isin(raw.values, words.numbers)
        return replace(raw, missing=_either(raw.missing, hit)) if hit.any() else raw
    return without_levels(raw, words)


def without_levels(raw: Levels, words: Words) -> Levels:
    """The same column with these levels missing."""
    kept = [i for i, label in enumerate(raw.labels) if label.strip() not in words.texts]
    if len(kept) == len(raw.labels):
        return raw
    place = np.zeros(len(raw.labels), dtype=raw.codes.dtype)
    place[kept] = np.arange(len(kept))
    gone = np.ones(len(raw.labels), dtype=np.bool_)
    gone[kept] = False
    labels = tuple(raw.labels[i] for i in kept)
    return replace(raw, codes=place[raw.codes], labels=labels, missing=_either(raw.missing, gone[raw.codes]))


def _either(missing: Any, hit: Any) -> Any:
    return hit if missing is None else missing | hit


def check_policy(missing: str) -> None:
    """Refuse a policy that does not exist."""
    if not isinstance(missing, str) or missing not in get_args(Missing):
        raise OptionError(unknown_name("way to treat missing values", str(missing), get_args(Missing)))


class Settled(NamedTuple):
    """What became of missing cells. rows: the rows that are left, None for all; n_dropped: how many are not."""

    columns: list[Typed]
    warnings: list[str]
    rows: BoolArray | None = None
    n_dropped: int = 0


def settle_missing(
    columns: Sequence[Typed], policy: Missing, *, least: int = 2, weights: WeightArray | None = None
) -> Settled:
    """The columns with their missing cells treated as the policy says; "learn" leaves them as they are.

    least: rows that must be left. weights: how many times each row counts.
    """
    gaps = [column for column in columns if column.missing is not None and column.missing.any()]
    if not gaps:
        return Settled([column if column.missing is None else replace(column, missing=None) for column in columns], [])
    if policy == "learn":
        return Settled(list(columns), [])
    counts = _counts(gaps, weights)
    if policy == "error":
        raise DataError(
            f"missing values in {counts_by_name(counts)}; drop their rows with --missing drop (missing='drop'), make "
            f"them a level of discrete columns with --missing state (missing='state'), keep them as missing with "
            f"--missing learn (missing='learn'), or fill them in yourself"
        )
    if policy == "drop":
        return _dropped(columns, gaps, least, weights)
    numbers = [column for column in gaps if column.kind is Kind.CONTINUOUS]
    if numbers:
        raise DataError(
            f"missing values in continuous columns cannot become a level, as in "
            f"{counts_by_name(_counts(numbers, weights))}; drop their rows with --missing drop (missing='drop'), "
            f"fill them in, or declare the column discrete"
        )
    with_levels = [_with_level(column) if column in gaps else replace(column, missing=None) for column in columns]
    return Settled(with_levels, [f"missing values became a level of their own in {counts_by_name(counts)}"])


def _counts(gaps: Sequence[Typed], weights: WeightArray | None) -> dict[str, int]:
    return {
        column.name: rows_of(column.missing, column.once) if weights is None else _times(column.missing, weights)
        for column in gaps
        if column.missing is not None
    }


def _times(rows: BoolArray, weights: WeightArray | None) -> int:
    return int(np.count_nonzero(rows) if weights is None else weights[rows].sum())


def _dropped(columns: Sequence[Typed], gaps: Sequence[Typed], least: int, weights: WeightArray | None) -> Settled:
    gap: BoolArray = np.logical_or.reduce([column.missing for column in gaps if column.missing is not None])
    n, n_dropped, counts = _times(np.ones_like(gap), weights), _times(gap, weights), _counts(gaps, weights)
    if n - n_dropped < least:
        worst = max(counts, key=counts.__getitem__)
        left = "no row" if n == n_dropped else "only one row"
        raise DataError(
            f"{left} of {n:,} would be left without the rows that have missing values, most of them in "
            f"{worst!r} ({counts[worst]:,}); leave that column out with "
            f"{option('drop', worst)} or fill its values in"
        )
    kept = [_keep_rows(column, ~gap) for column in columns]
    told = f"dropped {n_dropped:,} of {counted(n, 'row')} with missing values in {counts_by_name(counts)}"
    return Settled(kept, [told], ~gap, n_dropped)


def _keep_rows(column: Typed, rows: BoolArray) -> Typed:
    """Only the rows marked; levels that were observed, not declared, go when no row is left with them."""
    values, labels = column.values[rows], column.labels
    if column.kind is Kind.DISCRETE and column.origin is not Origin.CATEGORY:
        values, labels = drop_unused(values, labels)
    return replace(column, values=values, labels=labels, missing=None)


def _with_level(column: Typed) -> Typed:
    """A last level for the missing cells. A level without a place in the order makes the column unordered."""
    label = "missing"
    while label in column.labels:
        label = f"({label})"
    labels = (*column.labels, label)
    values = column.values.astype(wide_code_dtype(len(labels)))
    values[column.missing] = len(labels) - 1
    return replace(column, values=values, labels=labels, ordered=False, missing=None)
