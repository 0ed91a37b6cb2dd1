"""The words that mean "no value": those of text files, and those that the caller adds for all columns or for one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arcwise.data.levels import label_numbers, number_label
from arcwise.data.reading.raw import Levels, Numbers, Raw, Text
from arcwise.errors import DataError, unknown_name

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


@dataclass(frozen=True, slots=True)
class Words:
    """What the caller calls missing in one column: as text, and as numbers where the words are numbers."""

    texts: frozenset[str] = frozenset()
    numbers: tuple[float, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.texts)


NO_WORDS = Words()


def looks_missing(label: str) -> bool:
    """Whether a level reads as "no value" though it was kept: quoted in a text file, or text in a data frame."""
    return label in MISSING_MARKERS or label.strip().casefold() in DOUBTFUL_WORDS


def settle_words(na: NaWords | None, names: Sequence[str]) -> dict[str, Words]:
    """The caller's words for each column. A text such as "age=-99" means the column `age` if there is one."""
    everywhere: list[Cell] = []
    one_column: dict[str, list[Cell]] = {}
    if isinstance(na, Mapping):
        for name, cells in na.items():
            if str(name) not in names:  # a data frame's names may be numbers
                raise DataError(unknown_name("column", str(name), names) + " (named in na)")
            one_column[str(name)] = _as_cells(cells)
    else:
        for cell in _as_cells(na):
            name, _, word = cell.rpartition("=") if isinstance(cell, str) else ("", "", "")
            if name in names:
                one_column.setdefault(name, []).append(word)
            else:
                everywhere.append(cell)
    found = {name: [*everywhere, *one_column.get(name, ())] for name in names}
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
    if not words:
        return raw
    if isinstance(raw, Text):
        return replace(raw, words=raw.words | words.texts, numbers=words.numbers)
    if isinstance(raw, Numbers):
        hit = np.isin(raw.values, words.numbers)
        return replace(raw, missing=_either(raw.missing, hit)) if hit.any() else raw
    return _without_levels(raw, words)


def _without_levels(raw: Levels, words: Words) -> Levels:
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
