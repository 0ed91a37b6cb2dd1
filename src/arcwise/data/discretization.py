"""A discretization: the thresholds of each column that was cut, and what the resulting levels mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from itertools import pairwise
from math import isfinite
from types import MappingProxyType
from typing import Any, Unpack

import numpy as np

from arcwise.checking import checked
from arcwise.data import dataset
from arcwise.data.dataset import MAX_LEVELS, CodeArray, Column, Dataset, FloatArray, IntArray, Kind, code_dtype
from arcwise.data.reading.door import Reading, TableLike, read_alike, takes_known_table
from arcwise.data.rows.room import room_for
from arcwise.errors import DataError, unknown_name
from arcwise.printing import printable

SHOWN_CUTS = 6  # thresholds that are all written out ...
FIRST_CUTS = 3  # ... of more the first and the last
MOST_WHOLE = 1e6  # below this, numbers are written out as far as the point
FEW_DIGITS = 5  # a threshold between two values of a table mostly has one digit more than they have


@checked
@dataclass(frozen=True, eq=False)
class Discretization:
    """Thresholds t_1 < ... < t_{r-1} by column name; the level of x is the number of thresholds <= x.

    orders: of columns whose values are no numbers but levels in an order, these levels; the first of them is 0, the
    second 1, and so on, so that a threshold of 1.5 stands between the second and the third.
    """

    thresholds: Mapping[str, FloatArray]
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        frozen = {name: _checked(name, values) for name, values in self.thresholds.items()}
        object.__setattr__(self, "thresholds", MappingProxyType(frozen))
        orders = {name: _checked_order(name, labels, frozen) for name, labels in self.orders.items()}
        object.__setattr__(self, "orders", MappingProxyType(orders))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Discretization):
            return NotImplemented
        mine, theirs = self.thresholds, other.thresholds
        alike = mine.keys() == theirs.keys() and all(np.array_equal(mine[name], theirs[name]) for name in mine)
        return alike and self.orders == other.orders

    def __hash__(self) -> int:
        return hash(tuple((name, cuts.tobytes()) for name, cuts in sorted(self.thresholds.items())))

    def __reduce__(self) -> tuple[type[Discretization], tuple[Any, ...]]:
        return Discretization, (dict(self.thresholds), dict(self.orders))  # a mapping proxy cannot be pickled

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}: {len(cuts) + 1}" for name, cuts in self.thresholds.items())
        return printable(f"Discretization(levels: {inside})") if inside else "Discretization()"

    def read_table(self, data: TableLike, **reading: Unpack[Reading]) -> Dataset:
        """Whatever holds a table, the columns that have thresholds read as numbers; one row is enough.

        Columns of levels in an order are read as these levels; another level is an error.
        """
        known = {name: self.orders.get(name, ()) for name in self.thresholds}
        return read_alike(data, known, others=True, **reading)

    @takes_known_table
    def apply(self, data: Dataset) -> Dataset:
        """The same table with every column that has thresholds made discrete; others stay as they are.

        Values beyond the range that was fitted fall in the lowest or the highest level; missing cells stay missing.
        """
        for name in self.thresholds:
            data.index(name)  # an unknown column is an error here, not a silent omission
        if data.elsewhere is not None:
            return data.elsewhere.cut(data, self)
        if data.n_stored > dataset.MANY_ROWS:
            return self._cut_into_one(data)
        return replace(data, columns=tuple(self._cut(column) for column in data.columns))

    def _cut_into_one(self, data: Dataset) -> Dataset:
        """The same with the codes of all columns in one matrix, as counting takes them; in a file if it is large.

        Columns that are not cut are copied into it where every column has levels then: the matrix is what is counted.
        """
        from arcwise._kernels.ranks.cutting import write_levels  # it brings the compiler along

        whole = all(column.kind is Kind.DISCRETE or column.name in self.thresholds for column in data.columns)
        place = {c.name: k for k, c in enumerate(c for c in data.columns if whole or c.name in self.thresholds)}
        cards = [len(self.thresholds[c.name]) + 1 if c.name in self.thresholds else c.cardinality for c in data.columns]
        codes = room_for((len(place), data.n_stored), code_dtype(max(cards, default=0)))
        columns = []
        for column in data.columns:
            if column.name not in place:
                columns.append(column)
                continue
            own: CodeArray = codes[place[column.name]]
            if column.name in self.thresholds and column.kind is Kind.CONTINUOUS:
                write_levels(column.values, self.thresholds[column.name], own)
                columns.append(self._with_levels(column, own))
            else:
                own[:] = self._cut(column).values
                columns.append(replace(self._cut(column), values=own))
        return replace(data, columns=tuple(columns))

    def levels(self, name: str) -> tuple[str, ...]:
        """What each level of a column means: `< 5.5`, `5.5 to 7`, `>= 7` (5.5 itself is in the second).

        Of levels in an order: `low`, `mid to high`. They are the names of levels in files, so plain letters.
        """
        places = self._thresholds_of(name)
        if name in self.orders:
            return _group_names(self.groups(name))
        cuts = _told_apart(places, 6, lambda value, digits: f"{value:.{digits}g}")
        if not cuts:
            return ("any",)
        middle = [f"{low} to {high}" for low, high in pairwise(cuts)]
        return (f"< {cuts[0]}", *middle, f">= {cuts[-1]}")

    def intervals(self, name: str, among: FloatArray | None = None) -> tuple[str, ...]:
        """The same to be read, not to be kept: `< 5.5`, `5.5 to 7`, `≥ 7`, with few digits.

        among: values of a table in order; there are as many digits as it takes to say which of them are in each level.
        """
        places = self._thresholds_of(name)
        if name in self.orders:
            return self.levels(name)
        cuts = format_numbers(places, among)
        if not cuts:
            return ("any",)
        return (f"< {cuts[0]}", *(f"{low} to {high}" for low, high in pairwise(cuts)), f"≥ {cuts[-1]}")

    def words(self, name: str) -> tuple[str, ...]:
        """The same with the name of the column, for sentences: `age < 42`, `42 ≤ age < 61.5`, `age ≥ 61.5`."""
        places = self._thresholds_of(name)
        if name in self.orders:
            return tuple(f"{name} {level}" for level in self.levels(name))
        cuts = format_numbers(places)
        if not cuts:
            return (f"any {name}",)
        middle = [f"{low} ≤ {name} < {high}" for low, high in pairwise(cuts)]
        return (f"{name} < {cuts[0]}", *middle, f"{name} ≥ {cuts[-1]}")

    def describe(self, name: str) -> str:
        """One line: `low < 5.5 ≤ high`; from four levels on: `5 levels, cut at 1.5, 2, 4.25, 6`.

        Of levels in an order: `low | mid to high`.
        """
        places = self._thresholds_of(name)
        if name in self.orders:
            return " | ".join(self.levels(name))
        cuts = format_numbers(places)
        words = {0: ("any value",), 1: ("low", "high"), 2: ("low", "middle", "high")}.get(len(cuts))
        if words is None:
            shown = cuts if len(cuts) <= SHOWN_CUTS else [*cuts[:FIRST_CUTS], "…", cuts[-1]]
            return f"{len(cuts) + 1} levels, cut at {', '.join(shown)}"
        return words[0] + "".join(f" < {cut} ≤ {word}" for cut, word in zip(cuts, words[1:], strict=True))

    def _repr_html_(self) -> str:
        from arcwise.data.showing import thresholds_as_html

        return thresholds_as_html(self)

    def groups(self, name: str) -> tuple[tuple[str, ...], ...]:
        """The levels of a column whose levels are in an order, those that became one level together."""
        if name not in self.orders:
            raise DataError(unknown_name("column of levels in an order:", name, self.orders))
        labels, cuts = self.orders[name], self.thresholds[name]
        level = np.searchsorted(cuts, np.arange(len(labels)), side="right")
        return tuple(tuple(labels[i] for i in np.flatnonzero(level == k).tolist()) for k in range(len(cuts) + 1))

    def to_dict(self) -> dict[str, Any]:
        """The thresholds of each column; of levels in an order the groups: [["low"], ["mid", "high"]]."""
        return {
            name: [list(group) for group in self.groups(name)] if name in self.orders else cuts.tolist()
            for name, cuts in self.thresholds.items()
        }

    @staticmethod
    @checked
    def from_dict(content: Mapping[str, Any]) -> Discretization:
        grouped = {name: groups for name, groups in content.items() if _is_grouped(groups)}
        orders = {name: [label for group in groups for label in group] for name, groups in grouped.items()}
        between = {name: np.cumsum([len(group) for group in groups])[:-1] - 0.5 for name, groups in grouped.items()}
        return Discretization({**content, **between}, orders)

    def _thresholds_of(self, name: str) -> FloatArray:
        try:
            return self.thresholds[name]
        except (KeyError, TypeError):
            raise DataError(unknown_name("discretized column", name, self.thresholds)) from None

    def _cut(self, column: Column) -> Column:
        if column.name not in self.thresholds:
            return column
        values = column.values
        if column.kind is not Kind.CONTINUOUS:
            if column.name not in self.orders:
                raise DataError(f"column {column.name!r} is already discrete, so it cannot be cut at thresholds")
            values = _places(column, self.orders[column.name])
        cuts = self.thresholds[column.name]
        codes: CodeArray = np.searchsorted(cuts, values, side="right").astype(code_dtype(len(cuts) + 1))  # type: ignore[assignment]
        return self._with_levels(column, codes)

    def _with_levels(self, column: Column, codes: CodeArray) -> Column:
        return Column(column.name, Kind.DISCRETE, codes, self.levels(column.name), ordered=True, missing=column.missing)


def _checked(name: str, values: Any) -> FloatArray:
    """A read-only copy of valid thresholds."""
    try:
        cuts = np.array(values, dtype=np.float64) + 0.0  # -0.0 becomes 0.0: equal thresholds have equal bytes
    except (TypeError, ValueError, OverflowError):
        cuts = np.array(np.nan)
    if cuts.ndim != 1 or not np.all(np.isfinite(cuts)) or np.any(cuts[1:] <= cuts[:-1]):
        raise DataError(f"the thresholds of column {name!r} must be finite numbers in increasing order")
    if len(cuts) >= MAX_LEVELS:
        raise DataError(f"column {name!r} has {len(cuts)} thresholds; give at most {MAX_LEVELS - 1}")
    cuts.setflags(write=False)
    return cuts


def _checked_order(name: str, labels: Sequence[str], thresholds: Mapping[str, FloatArray]) -> tuple[str, ...]:
    """Levels that stand in an order, with thresholds that leave a level on either side of each."""
    if name not in thresholds:
        raise DataError(f"there is an order for column {name!r} but no thresholds; give both")
    if isinstance(labels, str) or not labels or not all(isinstance(label, str) for label in labels):
        raise DataError(f"the order of column {name!r} must be a list of its levels")
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if list(labels).count(label) > 1)
        raise DataError(f"the order of column {name!r} has the level {twice!r} twice; name it once")
    cuts = thresholds[name]
    levels = np.searchsorted(cuts, np.arange(len(labels)), side="right")
    if len(np.unique(levels)) <= len(cuts):
        raise DataError(f"a threshold of column {name!r} has none of its {len(labels)} levels on one side; remove it")
    return tuple(labels)


def _is_grouped(content: Any) -> bool:
    """Whether this is a list of groups of levels, [["low"], ["mid", "high"]], rather than of numbers."""
    return (
        isinstance(content, list | tuple)
        and any(isinstance(one, list | tuple) for one in content)
        and all(
            isinstance(one, list | tuple) and one and all(isinstance(label, str) for label in one) for one in content
        )
    )


def _group_names(groups: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """`low`, `mid to high`; with all their levels where that would give two of them one name."""
    names = [group[0] if len(group) == 1 else f"{group[0]} to {group[-1]}" for group in groups]
    if len(set(names)) < len(names):
        names = [" or ".join(map(repr, group)) for group in groups]
    return tuple(names)


def _places(column: Column, labels: Sequence[str]) -> IntArray:
    """The place of each row's level in the order."""
    place = {label: k for k, label in enumerate(labels)}
    own = np.array([place.get(label, -1) for label in column.levels], dtype=np.intp)
    strange = np.flatnonzero(own[column.recorded] < 0)
    if len(strange):
        label = column.levels[int(column.recorded[strange[0]])]
        raise DataError(f"column {column.name!r}: {unknown_name('level', label, labels)}")
    return own[column.values]


def in_signs(text: str) -> str:
    """What `words` has, typed without its signs: `age >= 61.5`."""
    return text.replace("<=", "≤").replace(">=", "≥")


def format_numbers(values: FloatArray, among: FloatArray | None = None) -> list[str]:
    """To be read: as they are if that takes few digits, else three of them and all before the point.

    There are more digits where it takes them to tell the values apart. among: values of a table in order, of which each
    text shall part the same ones as its value does.
    """

    def to_read(value: float, digits: int) -> str:
        whole = len(f"{abs(value):.0f}") if abs(value) < MOST_WHOLE else 0
        own = len(Decimal(repr(value)).normalize().as_tuple().digits)
        least = max(digits, whole, own if own <= FEW_DIGITS else 0)
        texts = (_rounded(value, enough) for enough in range(least, 18))
        return next((text for text in texts if among is None or _part_alike(float(text), value, among)), repr(value))

    return _told_apart(values, 3, to_read)


def _part_alike(one: float, other: float, values: FloatArray) -> bool:
    """Whether the same of these values, which are in order, are below the two."""
    below, below_other = np.searchsorted(values, (one, other))
    return bool(below == below_other)


def _told_apart(values: FloatArray, digits: int, write: Callable[[float, int], str]) -> list[str]:
    """Written with at least so many significant digits."""
    texts: list[str] = []
    for enough in range(digits, 18):
        texts = [write(value, enough) for value in values.tolist()]
        if len(set(texts)) == len(texts):
            break
    return texts


def _rounded(value: float, digits: int) -> str:
    """A half is rounded up: 1.5 lies between 1 and 2, and of whole numbers x < 2 says the same as x < 1.5."""
    if value == 0.0:
        return "0"
    exact = Decimal(repr(value))
    last = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    rounded = float(exact.quantize(last, ROUND_HALF_UP if value > 0 else ROUND_HALF_DOWN))
    return f"{rounded if isfinite(rounded) else value:.{digits}g}"
