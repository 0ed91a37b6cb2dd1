"""Tables of a study: what its cells measured, put together as a publication does, beside the published numbers.

What runs measured is averaged first, for each place along the other axes; then it is divided by the value of a
reference (Fu divides by Bach's method, Brown by PMMHC), and what is left, mostly the networks, is put together by the
mean or the median.
"""

from __future__ import annotations

import csv
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import StringIO
from typing import Any

from arcwise.errors import OptionError, unknown_name
from arcwise.study.cells import Value
from arcwise.study.context import check_entries
from arcwise.study.plan import EXPECTED, Plan
from arcwise.study.results import Results, Row

MEASURE, RUN, AVERAGE = "measure", "run", "average"
OVER: dict[str, Callable[[list[float]], float]] = {"mean": statistics.fmean, "median": statistics.median, "sum": sum}
ENTRIES = (
    "title", "note", "experiment", "where", "rows", "columns", "measure", "measures", "divide-by", "over", "average",
    "groups", "best", "order", "digits", "runs",
)  # fmt: skip
Label = tuple[Value, ...]
RUNS = ("mean", "least, median, most")


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of a table.

    spread: the standard deviation, over the runs, of the number that each run alone would give. least, most: over
    single cells, where the table shows these. used, wanted: cells that it is made of, and those it should be.
    """

    ours: float | None = None
    spread: float | None = None
    published: float | None = None
    least: float | None = None
    most: float | None = None
    used: int = 0
    wanted: int = 0

    @property
    def difference(self) -> float | None:
        return None if self.ours is None or self.published is None else self.ours - self.published


@dataclass(frozen=True)
class Table:
    """entries: by (row, column), labels as text."""

    name: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    entries: Mapping[tuple[str, str], Entry]
    digits: int = 2
    note: str = ""
    corner: str = ""  # what the rows are
    triples: bool = False  # whether numbers are shown as (least, median, most)

    def get(self, row: str, column: str) -> Entry:
        return self.entries.get((row, column), Entry())

    @cached_property
    def has_published(self) -> bool:
        return any(entry.published is not None for entry in self.entries.values())

    def correlation(self, column: str) -> float | None:
        """Spearman's rank correlation of ours with the published numbers; None for fewer than four, or no spread."""
        pairs = [(entry.ours, entry.published) for entry in (self.get(row, column) for row in self.rows)]
        both = [(ours, published) for ours, published in pairs if ours is not None and published is not None]
        if len(both) < 4 or any(len(set(side)) < 2 for side in zip(*both, strict=True)):
            return None
        from scipy.stats import spearmanr

        first, second = zip(*both, strict=True)
        return float(spearmanr(first, second).statistic)


@dataclass(frozen=True)
class TableSpec:
    """What a plan says about a table."""

    name: str
    experiment: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    measures: tuple[str, ...]
    title: str = ""
    note: str = ""
    where: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    divide_by: Mapping[str, Value] = field(default_factory=dict)
    over: str = "mean"
    average: bool = False
    groups: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    best: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    digits: int = 2
    runs: str = "mean"

    @staticmethod
    def of(name: str, entries: Mapping[str, Any], plan: Plan) -> TableSpec:
        check_entries(f"table {name!r}", entries, ENTRIES)
        experiment = entries.get("experiment", next(iter(plan.experiments)))
        if experiment not in plan.experiments:
            raise OptionError(unknown_name(f"experiment of table {name!r}:", experiment, plan.experiments))
        axes = plan.experiments[experiment].experiment.axes()
        rows, columns = _names(entries.get("rows", "method")), _names(entries.get("columns", MEASURE))
        where = {
            axis: tuple(one) if isinstance(one, list) else (one,) for axis, one in entries.get("where", {}).items()
        }
        for axis in (*rows, *columns, *where, *entries.get("divide-by", {})):
            if axis != MEASURE and axis not in axes:
                raise OptionError(unknown_name(f"axis of table {name!r}:", axis, [*axes, MEASURE]))
        measures = _names(entries.get("measures", entries.get("measure", ())))
        if not measures or (len(measures) > 1 and MEASURE not in (*rows, *columns)):
            raise OptionError(f'table {name!r} needs one measure, or "measure" among its rows or columns')
        for entry, known in (("over", OVER), ("runs", RUNS)):
            if entries.get(entry, next(iter(known))) not in known:
                raise OptionError(unknown_name(f"{entry!r} of table {name!r}:", entries[entry], known))
        return TableSpec(
            name, experiment, rows, columns, measures,
            title=entries.get("title", name), note=entries.get("note", ""), where=where,
            divide_by=entries.get("divide-by", {}), over=entries.get("over", "mean"),
            average=bool(entries.get("average", False)), groups=entries.get("groups", {}),
            best=entries.get("best", {}), order=tuple(entries.get("order", ())), digits=int(entries.get("digits", 2)),
            runs=entries.get("runs", "mean"),
        )  # fmt: skip


def _names(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def tables_of(results: Results, wanted: Sequence[str] | None = None) -> list[Table]:
    """All tables of the plan, or those named."""
    plan = results.plan
    for name in wanted or ():
        if name not in plan.tables:
            raise OptionError(unknown_name("table", name, plan.tables))
    published = published_numbers(plan)
    chosen = [name for name in plan.tables if wanted is None or name in wanted]
    return [table(results, TableSpec.of(name, plan.tables[name], plan), published.get(name, {})) for name in chosen]


def published_numbers(plan: Plan) -> dict[str, dict[tuple[str, str], float]]:
    """By table, row and column, from the file beside the plan."""
    found: dict[str, dict[tuple[str, str], float]] = {}
    for line in csv.DictReader(StringIO(plan.text_of(EXPECTED) or "")):
        try:
            found.setdefault(line["table"], {})[line["row"], line["column"]] = float(line["published"])
        except (KeyError, TypeError, ValueError):
            raise OptionError(
                f"{EXPECTED} of the study {plan.name!r} needs the columns table, row, column and published, a number; "
                f"mend the line {','.join(str(value) for value in line.values())!r}"
            ) from None
    return found


@dataclass(frozen=True, slots=True)
class _Number:
    """One measured number: where it belongs in the table, what else distinguishes it, and which run it is from."""

    row: Label
    column: Label
    rest: Label
    run: Value
    value: float


def table(results: Results, spec: TableSpec, published: Mapping[tuple[str, str], float]) -> Table:
    """The table, with a row and a column for all that was planned or published."""
    numbers = list(_numbers(results, spec))
    reference = _reference(numbers, spec)
    planned = _planned(results, spec)
    by_place: dict[tuple[Label, Label], list[_Number]] = {}
    for one in numbers:
        by_place.setdefault((one.row, one.column), []).append(one)
    entries: dict[tuple[str, str], Entry] = {}
    for place in dict.fromkeys([*planned, *by_place]):
        entry = _entry(by_place.get(place, []), reference, spec, planned.get(place, 0))
        if entry is not None:
            entries[_text(place[0]), _text(place[1])] = entry
    rows = list(dict.fromkeys([*spec.order, *(row for row, _ in entries), *(row for row, _ in published)]))
    columns = list(dict.fromkeys([column for _, column in entries] + [c for _, c in published if c != AVERAGE]))
    if spec.order:
        rows = [row for row in rows if row in spec.order]
    if spec.average:
        for row in rows:
            values = [entries.get((row, column), Entry()) for column in columns]
            ours = [one.ours for one in values if one.ours is not None]
            mean = statistics.fmean(ours) if ours and len(ours) == len(columns) else None
            entries[row, AVERAGE] = Entry(mean, used=sum(v.used for v in values), wanted=sum(v.wanted for v in values))
        columns.append(AVERAGE)
    for at, number in published.items():
        entries[at] = replace(entries.get(at, Entry()), published=number)
    return Table(
        spec.name, spec.title, tuple(rows), tuple(columns), entries, spec.digits, spec.note,
        ", ".join(spec.rows), spec.runs != "mean",
    )  # fmt: skip


def _text(label: Label) -> str:
    return ", ".join(str(value) for value in label)


def _axes(results: Results, spec: TableSpec) -> list[str]:
    return list(results.plan.experiments[spec.experiment].experiment.axes())


def _chosen(results: Results, spec: TableSpec) -> list[Row]:
    def wanted(row: Row) -> bool:
        place = row.cell.place
        return row.cell.experiment == spec.experiment and all(place[axis] in spec.where[axis] for axis in spec.where)

    return list(results.where(wanted))


def _labels(spec: TableSpec, value: Value) -> list[Value]:
    """Under which labels a value of the row axis appears: groups of which it is a member, else its own."""
    found: list[Value] = [label for label, members in spec.groups.items() if value in members]
    hidden = spec.groups and not found
    of_best = any(value in rule["of"] for rule in spec.best.values())
    return found or ([] if hidden or of_best else [value])


def _with_best(rows: list[Row], spec: TableSpec) -> list[tuple[Value, Row]]:
    """Each row under the labels of its value; of several values the best one, table by table, under its own label."""
    axis = spec.rows[0]
    found = [(label, row) for row in rows for label in _labels(spec, row.cell.place.get(axis, ""))]
    for label, rule in spec.best.items():
        largest = rule.get("largest", False)
        groups: dict[Label, list[Row]] = {}
        for row in rows:
            if row.cell.place[axis] in rule["of"] and row.error is None and rule["by"] in row.values:
                groups.setdefault(tuple(v for a, v in row.cell.place.items() if a != axis), []).append(row)
        pick = max if largest else min
        found += [(label, pick(group, key=lambda row: row.values[rule["by"]])) for group in groups.values()]
    return found


def _numbers(results: Results, spec: TableSpec) -> Iterator[_Number]:
    axes = _axes(results, spec)
    others = [axis for axis in axes if axis not in (*spec.rows, *spec.columns, RUN)]
    grouped = bool(spec.groups)
    for label, row in _with_best([row for row in _chosen(results, spec) if row.error is None], spec):
        place = {**row.cell.place, spec.rows[0]: label} if spec.rows[0] != MEASURE else dict(row.cell.place)
        for measure in spec.measures:
            value = row.values.get(measure)
            if isinstance(value, bool | int | float):
                at = {**place, MEASURE: measure}
                rest = [place[axis] for axis in others] + ([row.cell.place[spec.rows[0]]] if grouped else [])
                yield _Number(
                    tuple(at[axis] for axis in spec.rows),
                    tuple(at[axis] for axis in spec.columns),
                    tuple(rest),
                    place.get(RUN, 1),
                    float(value),
                )


def _planned(results: Results, spec: TableSpec) -> dict[tuple[Label, Label], int]:
    """How many cells each number should be made of, in the order of the plan; the best of several count as one."""
    found: dict[tuple[Label, Label], int] = {}
    first = {label: next(iter(rule["of"])) for label, rule in spec.best.items()}
    for cell in results.plan.cells():
        if cell.experiment != spec.experiment or any(cell.place[axis] not in spec.where[axis] for axis in spec.where):
            continue
        value = cell.place.get(spec.rows[0], "")
        labels = [*_labels(spec, value), *(label for label, member in first.items() if member == value)]
        for label in labels if spec.rows[0] != MEASURE else [""]:
            for measure in spec.measures:
                at = {**cell.place, MEASURE: measure}
                at |= {spec.rows[0]: label} if spec.rows[0] != MEASURE else {}
                place = tuple(at[a] for a in spec.rows), tuple(at[a] for a in spec.columns)
                found[place] = found.get(place, 0) + 1
    return found


Reference = Mapping[tuple[Label, Label, Label], float] | None


def _reference(numbers: list[_Number], spec: TableSpec) -> Reference:
    """Means over the runs at the reference's place; None where the table does not divide."""
    if not spec.divide_by:
        return None
    sums: dict[tuple[Label, Label, Label], list[float]] = {}
    for one in numbers:
        if all(_at(one, axis, spec) == value for axis, value in spec.divide_by.items()):
            sums.setdefault(_stripped(one, spec), []).append(one.value)
    return {place: statistics.fmean(values) for place, values in sums.items()}


def _at(one: _Number, axis: str, spec: TableSpec) -> Value | None:
    for axes, label in ((spec.rows, one.row), (spec.columns, one.column)):
        if axis in axes:
            return label[axes.index(axis)]
    return None


def _stripped(one: _Number, spec: TableSpec) -> tuple[Label, Label, Label]:
    """The place without the axes that the reference is named by."""
    row = tuple(value for axis, value in zip(spec.rows, one.row, strict=True) if axis not in spec.divide_by)
    column = tuple(value for axis, value in zip(spec.columns, one.column, strict=True) if axis not in spec.divide_by)
    return row, column, one.rest


def _entry(numbers: list[_Number], reference: Reference, spec: TableSpec, wanted: int) -> Entry | None:
    if not numbers:
        return Entry(wanted=wanted) if wanted else None
    values = [(one, one.value) for one in numbers]
    if reference is not None:
        bases = [(one, reference.get(_stripped(one, spec))) for one in numbers]
        values = [(one, one.value / base) for one, base in bases if base]
        if not values:
            return Entry(wanted=wanted)
    if spec.runs != "mean":
        plain = [value for _, value in values]
        return Entry(statistics.median(plain), least=min(plain), most=max(plain), used=len(plain), wanted=wanted)
    runs = dict.fromkeys(one.run for one, _ in values)
    alone = [_together([(one, value) for one, value in values if one.run == run], spec) for run in runs]
    spread = statistics.stdev(alone) if len(alone) > 1 else None
    return Entry(_together(values, spec), spread, used=len(values), wanted=wanted)


def _together(values: list[tuple[_Number, float]], spec: TableSpec) -> float:
    """The mean over runs for each place, then over the places as the table has it."""
    places: dict[Label, list[float]] = {}
    for one, value in values:
        places.setdefault(one.rest, []).append(value)
    return float(OVER[spec.over]([statistics.fmean(own) for own in places.values()]))
