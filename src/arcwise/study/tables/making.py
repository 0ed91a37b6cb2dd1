"""The tables of a plan, with a row and a column for all that was planned or published."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import StringIO

from arcwise.errors import OptionError, unknown_name
from arcwise.study.plan import EXPECTED, Plan
from arcwise.study.results import Results
from arcwise.study.tables.comparing import columns_of, compared
from arcwise.study.tables.entries import entry_of, reference_of
from arcwise.study.tables.numbers import Label, Number, Place, answered_of, failures_of, numbers_of, planned_of
from arcwise.study.tables.spec import TableSpec
from arcwise.study.tables.table import Entry, Table

AVERAGE = "average"
Entries = dict[tuple[str, str], Entry]


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


def table(results: Results, spec: TableSpec, published: Mapping[tuple[str, str], float]) -> Table:
    entries = _entries(results, spec)
    rows = list(dict.fromkeys([*spec.order, *(row for row, _ in entries), *(row for row, _ in published)]))
    columns = list(dict.fromkeys([column for _, column in entries] + [c for _, c in published if c != AVERAGE]))
    if spec.order:
        rows = [row for row in rows if row in spec.order]
    if spec.average:
        for row in rows:
            entries[row, AVERAGE] = _average([entries.get((row, column), Entry()) for column in columns])
        columns.append(AVERAGE)
    for at, number in published.items():
        entries[at] = replace(entries.get(at, Entry()), published=number)
    return Table(
        spec.name, spec.title, tuple(rows), tuple(columns), entries, spec.digits, spec.note,
        corner=", ".join(spec.rows), show=spec.show, failed=failures_of(results, spec),
    )  # fmt: skip


def _entries(results: Results, spec: TableSpec) -> Entries:
    by_place: dict[Place, list[Number]] = {}
    for one in numbers_of(results, spec):
        by_place.setdefault((one.row, one.column), []).append(one)
    reference = reference_of([one for own in by_place.values() for one in own], spec)
    planned = planned_of(results, spec)
    # What no finished cell of a column has, such as a comparison with itself, is not measured there.
    measured = {column for _, column in by_place}
    unmeasured = {column for _, column in answered_of(results, spec)} - measured
    entries: Entries = {}
    for place in dict.fromkeys([*planned, *by_place]):
        if place[1] in unmeasured:
            continue
        row, column = _text(place[0]), _text(place[1])
        own, wanted = by_place.get(place, []), planned.get(place, 0)
        if spec.compare is None:
            entries[row, column] = entry_of(own, reference, spec, wanted)
        else:
            both = compared(own, spec.compare, wanted)
            entries |= {(row, name): one for name, one in zip(columns_of(spec.compare, column), both, strict=True)}
    return entries


def _average(values: Sequence[Entry]) -> Entry:
    """The mean of a row; none where a column has no number."""
    ours = [one.ours for one in values if one.ours is not None]
    mean = statistics.fmean(ours) if ours and len(ours) == len(values) else None
    return Entry(mean, used=sum(one.used for one in values), wanted=sum(one.wanted for one in values))


def _text(label: Label) -> str:
    return ", ".join(str(value) for value in label)
