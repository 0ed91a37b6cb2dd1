"""The levels of a column put in an order: the one that somebody gives, or the one that their names tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwise.data.faults import ColumnError
from arcwise.data.kinds import Typed
from arcwise.data.known_levels import label_places, strange_cell, with_levels
from arcwise.data.levels import canonical_order, same_number, wide_code_dtype
from arcwise.data.notation import leading_zeros
from arcwise.data.reading.raw import Origin, row_of
from arcwise.data.scales import any_order, order_by_numbers, order_told, range_order, scale_order
from arcwise.printing import listed, merge_option, na_option, order_option


def in_told_order(column: Typed) -> Typed:
    """The same discrete column of which nothing is said, its levels in the order that their names tell, if they do."""
    if column.origin is not Origin.TEXT:
        return column
    if column.ordered:
        return replace(column, ordered=False) if leading_zeros(column.labels) else column
    told = order_told(column.labels)
    if told is None:
        return column
    what = "a scale" if told.by == "scale" else "ranges of numbers"
    reason = f"{column.decision.reason}, {what} from {told.labels[0]} to {told.labels[-1]}"
    return replace(_moved(column, told.labels), decision=replace(column.decision, reason=reason))


def in_said_order(column: Typed, order: Sequence[str]) -> Typed:
    """The same discrete column, called ordered: its levels as `order` has them, or else in the order that they tell."""
    if order:
        return _moved(column, order)
    if column.ordered or column.origin is Origin.BOOL or len(column.labels) < 2:
        pair = same_number(column.labels)
        if pair is not None:
            raise ColumnError(
                f"column {column.name!r} writes the same number in different ways (such as {pair[0]!r} and "
                f"{pair[1]!r}), so these levels have no order; make one of them with "
                f"{merge_option(column.name, {pair[1]: pair[0]})}",
                f"{pair[0]!r} and {pair[1]!r} are the same number",
            )
        return replace(column, ordered=True)
    told = any_order(column.labels)
    if told is None:
        unknown = f"no order of {listed([repr(label) for label in column.labels])} is known"
        raise ColumnError(
            f"column {column.name!r}: {unknown}; give it as {order_option(column.name, column.labels)}, lowest first",
            f"{unknown}: --ordered",
        )
    return _moved(column, told)


def in_recorded_order(column: Typed, known: Sequence[str]) -> tuple[Typed, str]:
    """The same ordered column, its levels as a recipe has them; new ones whose place is told come there, and a sentence
    tells of them."""
    fresh, told = with_levels(column, known)
    if not told:
        return replace(fresh, ordered=True), ""
    ways = (_as_numbers, scale_order, range_order, order_by_numbers)
    way = next((way for way in ways if way(known) == tuple(known)), None)
    order = None if way is None else way(fresh.labels)
    if order is None:
        return _moved(column, known), ""  # which says what has no place
    return _moved(fresh, order), told


def _as_numbers(labels: Sequence[str]) -> tuple[str, ...] | None:
    positions, are_numbers = canonical_order(labels)
    return tuple(labels[i] for i in positions) if are_numbers else None


def _moved(column: Typed, order: Sequence[str]) -> Typed:
    """The same column with its codes in `order`; a value that is not in it is told."""
    place = label_places(column.labels, order)
    strange = strange_cell(column, place)
    if strange is not None:
        label, row = strange[1], row_of(strange[0], column.once) + 1
        raise ColumnError(
            f"column {column.name!r} has {label!r} in row {row}, which is not in its order ({listed(list(order))}); "
            f"put it there, as with {order_option(column.name, [*order, label])}, or call it missing with "
            f"{na_option(column.name, label)}",
            f"{label!r} in row {row} is not in its order: --ordered",
        )
    table = np.maximum(place, 0).astype(wide_code_dtype(len(order)))
    codes = table[column.values] if len(table) else np.zeros(len(column.values), dtype=table.dtype)
    return replace(column, values=codes, labels=tuple(order), ordered=True)
