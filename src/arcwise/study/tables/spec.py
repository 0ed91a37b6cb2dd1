"""What a plan says about a table, checked against the experiment that the table is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arcwise.checking import shown
from arcwise.errors import OptionError, unknown_name
from arcwise.study.cells import Axes, Value
from arcwise.study.context import check_entries
from arcwise.study.plan import Plan
from arcwise.study.tables.table import MEAN, SHOWN

MEASURE, RUN = "measure", "run"
OVER = ("mean", "median", "sum")
TESTS = ("wilcoxon", "welch")
ENTRIES = (
    "title", "note", "experiment", "where", "rows", "columns", "measure", "measures", "divide-by", "minus", "over",
    "average", "groups", "column-groups", "best", "order", "digits", "show", "compare", "test",
)  # fmt: skip
NOT_COMPARED = ("divide-by", "minus", "over", "average", "groups", "column-groups", "best", "show")


@dataclass(frozen=True, slots=True)
class Best:
    """Of several values along the rows' axis the one with the least (or largest) `by`, table by table."""

    of: tuple[Value, ...]
    by: str
    largest: bool = False


@dataclass(frozen=True, slots=True)
class Compare:
    """Cells with one value along an axis, against those with another. test: whether the difference is by chance."""

    axis: str
    first: Value
    second: Value
    test: str


@dataclass(frozen=True, kw_only=True)
class TableSpec:
    """What a plan says about a table. reference: what it divides by, or subtracts.

    groups, column_groups: labels for several values along the first axis of the rows, and of the columns.
    """

    name: str
    experiment: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    measures: tuple[str, ...]
    title: str = ""
    note: str = ""
    where: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    reference: Mapping[str, Value] = field(default_factory=dict)
    minus: bool = False
    over: str = "mean"
    average: bool = False
    groups: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    column_groups: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    best: Mapping[str, Best] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    digits: int = 2
    show: str = MEAN
    compare: Compare | None = None

    @staticmethod
    def of(name: str, entries: Mapping[str, Any], plan: Plan) -> TableSpec:
        check_entries(f"table {name!r}", entries, ENTRIES)
        experiment = entries.get("experiment", next(iter(plan.experiments)))
        if experiment not in plan.experiments:
            raise OptionError(unknown_name(f"experiment of table {name!r}:", experiment, plan.experiments))
        axes = plan.experiments[experiment].experiment.axes()
        rows, columns = names_in(entries.get("rows", "method")), names_in(entries.get("columns", MEASURE))
        where = {axis: values_in(one) for axis, one in entries.get("where", {}).items()}
        if "divide-by" in entries and "minus" in entries:
            raise OptionError(f"table {name!r} cannot both divide by a reference and subtract one; leave one out")
        reference, groups = entries.get("divide-by", entries.get("minus", {})), entries.get("groups", {})
        column_groups = entries.get("column-groups", {})
        for axis in (*rows, *columns, *where, *reference):
            if axis != MEASURE and axis not in axes:
                raise OptionError(unknown_name(f"axis of table {name!r}:", axis, [*axes, MEASURE]))
        measures = names_in(entries.get("measures", entries.get("measure", ())))
        if not measures or (len(measures) > 1 and MEASURE not in (*rows, *columns)):
            raise OptionError(f'table {name!r} needs one measure, or "measure" among its rows or columns')
        for entry, known in (("over", OVER), ("show", SHOWN), ("test", TESTS)):
            if entries.get(entry, known[0]) not in known:
                raise OptionError(unknown_name(f"{entry!r} of table {name!r}:", entries[entry], known))
        best = {label: _best(name, label, rule) for label, rule in entries.get("best", {}).items()}
        own = axes.get(rows[0], ())
        for axis, values in where.items():
            _check_values(name, axis, values, axes[axis])
        for axis, value in reference.items():
            own_values = measures if axis == MEASURE else axes[axis]
            _check_values(name, axis, (value,), (*own_values, *groups, *column_groups, *best))
        for members in (*groups.values(), *(rule.of for rule in best.values())):
            _check_values(name, rows[0], members, own)
        for members in column_groups.values():
            _check_values(name, columns[0], members, axes.get(columns[0], ()))
        return TableSpec(
            name=name, experiment=experiment, rows=rows, columns=columns, measures=measures,
            title=entries.get("title", name), note=entries.get("note", ""), where=where, reference=reference,
            minus="minus" in entries,
            over=entries.get("over", OVER[0]), average=bool(entries.get("average", False)), groups=groups,
            column_groups=column_groups, best=best,
            order=tuple(entries.get("order", ())), digits=int(entries.get("digits", 2)),
            show=entries.get("show", MEAN), compare=_compare(name, entries, axes, (*rows, *columns, *where)),
        )  # fmt: skip


def names_in(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def values_in(value: Any) -> tuple[Value, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _check_values(name: str, axis: str, values: Sequence[Value], known: Sequence[Value]) -> None:
    for value in values:
        if value not in known:
            raise OptionError(
                unknown_name(f"value along {axis!r} of table {name!r}:", str(value), [str(one) for one in known])
            )


def _best(name: str, label: str, rule: Any) -> Best:
    where = f"best.{label} of table {name!r}"
    if not isinstance(rule, Mapping) or not rule.get("of") or not isinstance(rule.get("by"), str):
        raise OptionError(f'{where} needs what it is the best of, and by what: {{of = ["a", "b"], by = "shd"}}')
    check_entries(where, rule, ("of", "by", "largest"))
    return Best(values_in(rule["of"]), rule["by"], bool(rule.get("largest", False)))


def _compare(name: str, entries: Mapping[str, Any], axes: Axes, taken: Sequence[str]) -> Compare | None:
    if "compare" not in entries:
        if "test" in entries:
            raise OptionError(f"table {name!r} has a test, but says nothing to compare; add compare")
        return None
    given = entries["compare"]
    pair = next(iter(given.items())) if isinstance(given, Mapping) and len(given) == 1 else ("", None)
    axis, values = pair
    if not isinstance(values, list) or len(values) != 2 or values[0] == values[1]:
        raise OptionError(
            f"compare of table {name!r} must name an axis and two values along it, such as "
            f'{{method = ["mmhc", "pc"]}}, not {shown(given)}'
        )
    if axis not in axes or axis in taken:
        free = [one for one in axes if one not in (*taken, RUN)]
        raise OptionError(unknown_name(f"axis that table {name!r} can compare along:", axis, free))
    _check_values(name, axis, values, axes[axis])
    for entry in NOT_COMPARED:
        if entry in entries:
            raise OptionError(f"table {name!r} compares single cells, so {entry!r} has no meaning; leave it out")
    return Compare(axis, values[0], values[1], entries.get("test", TESTS[0]))
