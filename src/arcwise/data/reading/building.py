"""Columns that were read, put together as a table: missing cells are settled, rows weighted, doubts collected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from arcwise.data.dataset import Column, Dataset, Kind, Missing, WeightArray
from arcwise.data.kinds import Typed, type_column
from arcwise.data.known_levels import recoded
from arcwise.data.missing import settle_missing
from arcwise.data.provenance import Provenance
from arcwise.data.reading.columns import coded, typed_column
from arcwise.data.reading.raw import Levels, Numbers, Raw
from arcwise.data.recipe import ColumnRecipe
from arcwise.data.validate import (
    check_finite,
    check_levels,
    check_recorded,
    doubts,
    is_void,
    silent_rows,
    suspicions,
    void_doubt,
)
from arcwise.errors import DataError
from arcwise.printing import counted


def build(
    typed: Sequence[Typed],
    missing: Missing,
    notes: Sequence[str] = (),
    weights: str | None = None,
    weighted: WeightArray | None = None,
) -> Dataset:
    """Columns whose cells have been checked as a table: missing cells are settled, doubts are collected.

    notes: of the source. weights: the column that says how many times each row counts. weighted: how many times it
    did before.
    """
    void = [column for column in typed if missing != "error" and is_void(column) and not column.declared]
    if 0 < len(void) < len(typed):
        typed, notes = [column for column in typed if column not in void], (*notes, void_doubt(void))
    settled, dropped, left, n_dropped = settle_missing(typed, missing, weights=weighted)
    columns = [column for column in settled if column.name != weights]
    check_recorded(columns)
    check_levels(columns)
    suspect = suspicions([column for column in typed if column.name != weights])
    data = Dataset(
        columns=tuple(_column(column) for column in columns),
        decisions=tuple(column.decision for column in columns),
        warnings=(*notes, *dropped, *suspect, *doubts(columns)),
        weights=weighted if weighted is None or left is None else weighted[left],
        provenance=Provenance(n_dropped=n_dropped),
    )
    data = data if weights is None else _weighted(data, settled, weights)
    silent = silent_rows(data)
    return replace(data, warnings=(*data.warnings, *silent)) if silent else data


def build_alike(
    raws: Sequence[Raw],
    kinds: Mapping[str, Kind],
    levels: Mapping[str, Sequence[str]],
    orders: Mapping[str, ColumnRecipe],
    missing: Missing,
    notes: Sequence[str],
    weights: str | None,
) -> Dataset:
    """The same for columns of which more is known: discrete ones get the `levels` given for them.

    A column with levels but without a kind may still hold the numbers that are to be cut into them. orders: others that
    are said to be ordered.
    """
    typed = [
        typed_column(raw, orders[raw.name])[0]
        if raw.name in orders
        else _typed_alike(raw, kinds.get(raw.name), levels.get(raw.name, ()))
        for raw in coded(raws)
    ]
    for column in typed:
        check_finite(column)
    settled, dropped, *_ = settle_missing(typed, missing, least=1)
    check_recorded([column for column in settled if column.name not in levels and column.name != weights])
    columns = [_recoded(column, levels.get(column.name, ())) for column in settled if column.name != weights]
    data = Dataset(columns=tuple(_column(column) for column in columns), warnings=(*notes, *dropped))
    return data if weights is None else _weighted(data, settled, weights)


def _weighted(data: Dataset, columns: Sequence[Typed], name: str) -> Dataset:
    """The table whose rows count as often as the column of this name says."""
    column = next(column for column in columns if column.name == name)
    if column.missing is not None:
        n = counted(int(np.count_nonzero(column.missing)), "row")
        raise DataError(
            f"column {name!r} holds the weights of the rows, but has none for {n}; fill them in (0 leaves a row out), "
            f"or drop such rows with --missing drop (missing='drop')"
        )
    try:
        return data.weighted(column.values)
    except DataError as error:
        raise DataError(f"column {name!r} cannot weight the rows: {error}") from None


def _typed_alike(raw: Numbers | Levels, kind: Kind | None, levels: Sequence[str]) -> Typed:
    if kind is not None or not levels:
        return type_column(raw, kind)
    cut_already = isinstance(raw, Levels) and len(raw.labels) > 0 and set(raw.labels) <= set(levels)
    return type_column(raw, Kind.DISCRETE if cut_already else Kind.CONTINUOUS)


def _recoded(column: Typed, levels: Sequence[str]) -> Typed:
    return recoded(column, levels) if levels and column.kind is Kind.DISCRETE else column


def _column(typed: Typed) -> Column:
    if typed.kind is Kind.CONTINUOUS:
        return Column(typed.name, Kind.CONTINUOUS, typed.values, missing=typed.missing)
    return Column(typed.name, Kind.DISCRETE, typed.values, typed.labels, typed.ordered, typed.missing)
