"""From single numbers to an entry of a table.

What runs measured is averaged first, for each place along the other axes; then it is divided by the value of a
reference (Fu divides by Bach's method, Brown by PMMHC), or that is subtracted; and what is left, mostly the networks,
is put together by the mean or the median.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence

from arcwise.study.cells import Value
from arcwise.study.tables.numbers import Label, Number
from arcwise.study.tables.spec import TableSpec
from arcwise.study.tables.table import MEAN, SPREAD, Entry

TOGETHER: dict[str, Callable[[list[float]], float]] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "sum": sum,
}
Reference = Mapping[tuple[Label, Label, Label], float] | None


def reference_of(numbers: Sequence[Number], spec: TableSpec) -> Reference:
    """At the reference's place: means over the runs to divide by, each run's to subtract; None where there is none."""
    if not spec.reference:
        return None
    sums: dict[tuple[Label, Label, Label], list[float]] = {}
    for one in numbers:
        if all(_at(one, axis, spec) == value for axis, value in spec.reference.items()):
            sums.setdefault(_stripped(one, spec), []).append(one.value)
    return {place: statistics.fmean(values) for place, values in sums.items()}


def entry_of(numbers: Sequence[Number], reference: Reference, spec: TableSpec, wanted: int) -> Entry:
    values = [(one, one.value) for one in numbers]
    if reference is not None:
        bases = [(one, reference.get(_stripped(one, spec))) for one in numbers]
        if spec.minus:
            values = [(one, one.value - base) for one, base in bases if base is not None]
        else:
            values = [(one, one.value / base) for one, base in bases if base]
    if not values:
        return Entry(wanted=wanted, signed=spec.minus)
    plain = [value for _, value in values]
    if spec.show == SPREAD:
        spread = statistics.stdev(plain) if len(plain) > 1 else None
        return Entry(statistics.fmean(plain), spread, used=len(plain), wanted=wanted)
    if spec.show != MEAN:
        return Entry(statistics.median(plain), least=min(plain), most=max(plain), used=len(plain), wanted=wanted)
    runs = dict.fromkeys(one.run for one, _ in values)
    alone = [_together([(one, value) for one, value in values if one.run == run], spec) for run in runs]
    spread = statistics.stdev(alone) if len(alone) > 1 else None
    return Entry(_together(values, spec), spread, used=len(values), wanted=wanted, signed=spec.minus)


def _together(values: list[tuple[Number, float]], spec: TableSpec) -> float:
    """The mean over runs for each place, then over the places as the table has it."""
    places: dict[Label, list[float]] = {}
    for one, value in values:
        places.setdefault(one.rest, []).append(value)
    return float(TOGETHER[spec.over]([statistics.fmean(own) for own in places.values()]))


def _at(one: Number, axis: str, spec: TableSpec) -> Value | None:
    for axes, label in ((spec.rows, one.row), (spec.columns, one.column)):
        if axis in axes:
            return label[axes.index(axis)]
    return None


def _stripped(one: Number, spec: TableSpec) -> tuple[Label, Label, Label]:
    """The place without the axes that the reference is named by. A difference is one within a run."""
    row = tuple(value for axis, value in zip(spec.rows, one.row, strict=True) if axis not in spec.reference)
    column = tuple(value for axis, value in zip(spec.columns, one.column, strict=True) if axis not in spec.reference)
    return row, column, (*one.rest, one.run) if spec.minus else one.rest
