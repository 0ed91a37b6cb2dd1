"""The single numbers that a table is made of: which cells belong to it, and where in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from arcwise.study.cells import Cell, Value
from arcwise.study.cells import Place as CellPlace
from arcwise.study.results import Results, Row
from arcwise.study.tables.spec import MEASURE, RUN, TableSpec

Label = tuple[Value, ...]
Place = tuple[Label, Label]  # a row and a column


@dataclass(frozen=True, slots=True)
class Number:
    """One measured number: where it belongs in the table, what else distinguishes it, and which run it is from.

    side: where its cell is along the axis that the table compares along, None where it compares nothing.
    """

    row: Label
    column: Label
    rest: Label
    run: Value
    value: float
    side: Value | None = None


def numbers_of(results: Results, spec: TableSpec) -> Iterator[Number]:
    """Those of all cells of the table that did not fail."""
    axes = list(results.plan.experiments[spec.experiment].experiment.axes())
    side = None if spec.compare is None else spec.compare.axis
    others = [axis for axis in axes if axis not in (*spec.rows, *spec.columns, RUN, side)]
    first = spec.rows[0]
    for label, row in _labelled([row for row in _finished(results, spec) if row.error is None], spec):
        own = row.cell.place
        at = {**own, first: label} if first != MEASURE else dict(own)
        rest = tuple(own[axis] for axis in others) + ((own[first],) if spec.groups else ())
        rest += (own[spec.columns[0]],) if spec.column_groups else ()
        for measure, column in product(spec.measures, _column_labels(spec, own)):
            value = row.values.get(measure)
            if isinstance(value, bool | int | float):
                full = {**at, **column, MEASURE: measure}
                yield Number(
                    tuple(full[axis] for axis in spec.rows),
                    tuple(full[axis] for axis in spec.columns),
                    rest,
                    own.get(RUN, 1),
                    float(value),
                    None if side is None else own[side],
                )


def planned_of(results: Results, spec: TableSpec) -> dict[Place, int]:
    """How many cells each number should be made of; the best of several count as one.

    Rows and columns are in the order of the plan, the first part of a label before the second.
    """
    counts = _counts(results.plan.cells(), spec)
    orders = [
        {value: at for at, value in enumerate(dict.fromkeys(values))}
        for values in zip(*((*row, *column) for row, column in counts), strict=True)
    ]

    def order(place: Place) -> list[int]:
        return [known[value] for known, value in zip(orders, (*place[0], *place[1]), strict=True)]

    return {place: counts[place] for place in sorted(counts, key=order)}


def answered_of(results: Results, spec: TableSpec) -> dict[Place, int]:
    """How many of these cells are finished and did not fail."""
    return _counts([row.cell for row in results.rows if row.error is None], spec)


def _counts(cells: Iterable[Cell], spec: TableSpec) -> dict[Place, int]:
    found: dict[Place, int] = {}
    first = spec.rows[0]
    counted_for = {label: rule.of[0] for label, rule in spec.best.items()}
    for cell in cells:
        if not _belongs(cell, spec):
            continue
        value = cell.place.get(first, "")
        labels = [*_labels(spec, value), *(label for label, member in counted_for.items() if member == value)]
        for label in labels if first != MEASURE else [""]:
            for measure, column in product(spec.measures, _column_labels(spec, cell.place)):
                at = {**cell.place, **column, MEASURE: measure}
                at |= {first: label} if first != MEASURE else {}
                place = tuple(at[a] for a in spec.rows), tuple(at[a] for a in spec.columns)
                found[place] = found.get(place, 0) + 1
    return found


def failures_of(results: Results, spec: TableSpec) -> dict[str, int]:
    """How many cells of the table failed, by what kept them from it."""
    return dict(Counter(row.error for row in _finished(results, spec) if row.error is not None))


def _belongs(cell: Cell, spec: TableSpec) -> bool:
    place, compare = cell.place, spec.compare
    if cell.experiment != spec.experiment or any(place[axis] not in spec.where[axis] for axis in spec.where):
        return False
    return compare is None or place[compare.axis] in (compare.first, compare.second)


def _finished(results: Results, spec: TableSpec) -> list[Row]:
    return list(results.where(lambda row: _belongs(row.cell, spec)))


def _labels(spec: TableSpec, value: Value) -> list[Value]:
    """Under which labels a value of the row axis appears: groups of which it is a member, else its own."""
    found: list[Value] = [label for label, members in spec.groups.items() if value in members]
    hidden = spec.groups and not found
    of_best = any(value in rule.of for rule in spec.best.values())
    return found or ([] if hidden or of_best else [value])


def _column_labels(spec: TableSpec, place: CellPlace) -> list[dict[str, Value]]:
    """Under which labels a cell appears along the first axis of the columns; {} stands for its own value."""
    if not spec.column_groups:
        return [{}]
    axis = spec.columns[0]
    return [{axis: label} for label, members in spec.column_groups.items() if place[axis] in members]


def _labelled(rows: list[Row], spec: TableSpec) -> list[tuple[Value, Row]]:
    """Each row under the labels of its value; of several values the best one, table by table, under its own label."""
    axis = spec.rows[0]
    found = [(label, row) for row in rows for label in _labels(spec, row.cell.place.get(axis, ""))]
    for label, rule in spec.best.items():
        by_table: dict[Label, list[Row]] = {}
        for row in rows:
            if row.cell.place[axis] in rule.of and rule.by in row.values:
                by_table.setdefault(tuple(v for a, v in row.cell.place.items() if a != axis), []).append(row)
        pick = max if rule.largest else min
        found += [(label, pick(own, key=lambda row: row.values[rule.by])) for own in by_table.values()]
    return found
