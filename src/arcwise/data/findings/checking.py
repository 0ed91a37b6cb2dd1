"""All that is odd about a table at once, also about one that cannot be read yet; nothing of it ends the check.

A column is looked at three times: as text, then as what the text was found to be, then without what means missing. So
a column of "1,234.50", "n.d." and "-99.00" is found to have thousands, a word and a sentinel, and each finding's change
is made before the next look. The changes of all findings are the recipe.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np

from arcwise.data.choices import Choices, settle
from arcwise.data.column_names import told_apart
from arcwise.data.dataset import Dataset, Kind
from arcwise.data.findings.finding import Finding, Severity
from arcwise.data.findings.labels import about_levels, about_words
from arcwise.data.findings.pairs import same_columns
from arcwise.data.findings.report import Report
from arcwise.data.findings.values import codes_for_missing, shapes
from arcwise.data.findings.view import View
from arcwise.data.findings.writing import how_written
from arcwise.data.identifiers import names_rows
from arcwise.data.kinds import MAX_DISCRETE, Typed
from arcwise.data.levels import label_numbers
from arcwise.data.missing import settle_words
from arcwise.data.notation import leading_zeros
from arcwise.data.reading.columns import coded, doubtful_points, raw_column, read_column, totals_row, typed_column
from arcwise.data.reading.door import Reading, TableLike, check_options, in_this_process, open_table
from arcwise.data.reading.raw import NO_WORDS, Levels, Numbers, Origin, Source, Words, as_source
from arcwise.data.recipe import ColumnRecipe, Recipe
from arcwise.data.validate import check_rows
from arcwise.errors import DataError
from arcwise.printing import counted

ENOUGH_ROWS = 20_000  # to see how numbers are written that all have one notation
MOST_LEVELS = 50  # of a column, which are kept in the recipe


def check(data: TableLike, **reading: Unpack[Reading]) -> Report:
    """Everything that is odd about a table, each with its evidence and a proposed change of how it is read.

    data: what `learn` takes, also a table that it cannot read; "-" is standard input. reading: what is known already,
    as for `read`; missing cells are looked at as such, whatever becomes of them later. The report prints itself. Its
    recipe makes all proposed changes: `report.save_recipe("clean.toml")`, then `learn(data, recipe="clean.toml")`.
    """
    check_options(reading)
    return in_this_process(_check, data, reading)


def _check(data: TableLike, reading: Reading) -> Report:
    source = as_source(data) if isinstance(data, Dataset) else open_table(data)
    check_rows(source.n_rows, source.label, least=1)
    names, findings = told_apart(source.names), _names(source)
    source = replace(source, names=names)
    weights = reading.get("weights")
    before, about_recipe = _fitting(Recipe.of(reading.get("recipe")), names, weights)
    findings += about_recipe
    choices = settle(names, {**reading, "recipe": before})
    looks = [_look(source, name, choices) for name in choices.kept if name != weights]
    raws = [look.raw for look in looks if look.raw is not None]
    findings += _totals(raws)
    _header_again(looks)
    for name, cell in doubtful_points(raws).items():
        evidence = f"three digits behind every point, as in {cell!r}, and other columns have decimal commas"
        proposal = "take points as marks of thousands; they may be decimals, too, so look at them"
        thousands = Finding("thousands", name, Severity.SETTLE, evidence, proposal, {"thousands": "."})
        next(look for look in looks if look.name == name).take([thousands])
    for look in looks:
        findings += look.findings
    kept = [look.column for look in looks if look.column is not None and not look.dropped]
    twins = same_columns(kept)
    findings += twins
    gone = {finding.column for finding in findings if finding.change.get("drop")}
    if len(kept) - len(twins) > source.n_rows:
        evidence = f"{counted(len(kept) - len(twins), 'column')} and {counted(source.n_rows, 'row')}"
        proposal = "most edges cannot be told from chance; leave columns out, or get more rows"
        findings.append(Finding("few-rows", "", Severity.CHANGES, evidence, proposal))
    columns = {look.name: look.recipe() for look in looks if look.name not in gone}
    dropped = [name for name in names if name in gone or name not in choices.kept]
    recipe = Recipe(columns, tuple(dropped), others="drop")
    return Report(source.label, source.n_rows, len(names), tuple(findings), recipe)


def _names(source: Source) -> list[Finding]:
    """What is wrong with the names, and what the columns are called instead."""
    findings = []
    for position, (name, new) in enumerate(zip(source.names, told_apart(source.names), strict=True), start=1):
        if new == name:
            continue
        code, evidence = "unnamed", f"column {position} has no name"
        if name.strip():
            code, evidence = (
                "repeated-name",
                f"columns {source.names.index(name) + 1} and {position} are both called {name!r}",
            )
        findings.append(Finding(code, new, Severity.SETTLE, evidence, f"call it {new!r}", {"name": new}))
    return findings


def _fitting(recipe: Recipe | None, names: Sequence[str], weights: str | None) -> tuple[Recipe | None, list[Finding]]:
    """What a recipe says of the columns that there are, and where it does not fit the table."""
    if recipe is None:
        return None, []
    lost = [name for name in recipe.columns if name not in names]
    findings = [
        Finding("lost-column", name, Severity.SETTLE, f"{recipe.told} reads it, and the table has it not",
                "add the column, or take it out of the recipe") for name in lost
    ]  # fmt: skip
    known = {*recipe.columns, *recipe.drop, weights}
    if recipe.others == "drop":
        findings += [
            Finding("new-column", name, Severity.CHANGES, f"{recipe.told} does not know it, so it is left out",
                    "add it to the recipe") for name in names if name not in known
        ]  # fmt: skip
    kept = {name: own for name, own in recipe.columns.items() if name in names}
    return replace(recipe, columns=kept), findings


@dataclass(slots=True)
class _Look:
    """A column while it is looked at. how: what is said or found about how it is read; column: what it is then."""

    name: str
    how: ColumnRecipe
    read: Callable[[ColumnRecipe], tuple[Typed, str, Numbers | Levels]]
    note: str = ""
    raw: Numbers | Levels | None = None
    column: Typed | None = None
    fault: DataError | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def plain(self) -> bool:
        """Whether it is numbers without any marks."""
        return isinstance(self.raw, Numbers) and not self.raw.note

    @property
    def dropped(self) -> bool:
        return any(finding.change.get("drop") for finding in self.findings)

    def take(self, found: Sequence[Finding]) -> None:
        """Note findings, make their changes and read the column anew."""
        self.findings += found
        changes: dict[str, Any] = {}
        for finding in found:
            for entry, value in finding.change.items():
                changes[entry] = (*changes.get("na", self.how.na), *value) if entry == "na" else value
        if not changes or self.dropped:
            return
        self.how = replace(self.how, **changes)
        self.look()

    def look(self) -> None:
        try:
            self.column, self.note, self.raw = self.read(self.how)
            self.fault = None
        except DataError as fault:
            self.column, self.raw, self.fault = None, None, fault

    def recipe(self) -> ColumnRecipe:
        """How the column is read from now on: also its kind, and its levels where they are not too many."""
        if self.column is None:
            return self.how
        levels = self.column.labels if len(self.column.labels) <= MOST_LEVELS else ()
        ordered = self.column.ordered and len(self.column.labels) > 2
        return replace(self.how, kind="ordered" if ordered else self.column.kind.value, levels=levels)


def _look(source: Source, name: str, choices: Choices) -> _Look:
    def read(how: ColumnRecipe) -> tuple[Typed, str, Numbers | Levels]:
        words = dict(choices.words)
        if how.na:
            more = settle_words({name: list(how.na)}, source.names)[name]
            own = words.get(name, NO_WORDS)
            words[name] = replace(own, texts=own.texts | more.texts, numbers=(*own.numbers, *more.numbers))
        fresh = replace(choices, how={name: how}, words=words)
        raw = coded([read_column(source, name, fresh)])[0]
        return *typed_column(raw, how, recorded=name in choices.recorded), raw

    own = choices.of(name)
    given = choices.words.get(name, NO_WORDS)
    look = _Look(name, own, read)
    look.look()
    if look.fault is not None and own.is_ordered and name not in choices.recorded:
        raise look.fault  # an order that does not fit is a mistake in what was asked
    if look.column is not None and look.column.missing is not None and look.column.missing.all():
        look.findings.append(
            Finding("empty", name, Severity.NOTE, "no value in any row", "leave the column out", {"drop": True})
        )
        return look
    _look_at_text(look, source, given)
    if look.dropped:
        return look
    if look.column is None:
        look.findings.append(_until_mended(name, str(look.fault)))
        return look
    if (finding := _naming(look.column)) is not None:
        look.take([finding])
        return look
    if look.column is not None:
        codes = [] if look.how.dates else codes_for_missing(look.column)  # days and seconds are counted, not measured
        look.take([*codes, *about_words(look.column)])
    if look.note:
        evidence, _, proposal = look.note.removeprefix(f"column {name!r} has ").partition("; ")
        look.findings.append(Finding("new-level", name, Severity.CHANGES, evidence, proposal))
    if isinstance(look.raw, Numbers) and look.raw.doubt and "unit" not in {finding.code for finding in look.findings}:
        evidence, _, proposal = look.raw.doubt.removeprefix(f"column {name!r} has ").partition("; ")
        look.findings.append(Finding("unit", name, Severity.CHANGES, evidence, proposal))
    if look.column is not None:
        odd = [] if look.how.dates else shapes(look.column)
        look.findings += _constant(look.column) or [*odd, *about_levels(look.column)]
    return look


def _look_at_text(look: _Look, source: Source, words: Words) -> None:
    """Whether its text is numbers or dates in some notation, where nobody has said what it is."""
    if look.how.decodes or look.how.wanted is Kind.DISCRETE:
        return
    if look.plain and not (look.column is not None and _may_be_days(look.column)):
        return
    try:
        levels = coded([raw_column(source, look.name, words, Kind.DISCRETE)])[0]
    except DataError:  # cells that are neither numbers nor text
        return
    if isinstance(levels, Numbers) or levels.origin is not Origin.TEXT:
        return
    is_number = look.column is not None and look.column.origin is Origin.NUMBER
    # Where one notation fits them all, some rows tell which.
    enough = ENOUGH_ROWS if is_number and len(levels.labels) > ENOUGH_ROWS else None
    view = View.of(levels, semicolons=source.delimiter == ";", first=enough)
    severity = Severity.SETTLE if look.fault is not None else Severity.CHANGES
    if is_number and not look.plain:
        severity = Severity.NOTE
    look.take(how_written(view, severity))
    if look.column is not None and look.column.origin is Origin.TEXT and _are_numbers(look.column.labels):
        evidence = f"{counted(len(look.column.labels), 'different number')} that are stored as text"
        change = {"kind": Kind.CONTINUOUS.value}
        look.take([Finding("text-numbers", look.name, Severity.SETTLE, evidence, "read them as numbers", change)])


def _may_be_days(column: Typed) -> bool:
    """Whether all numbers are like 20240301."""
    values = column.present()
    days = column.kind is Kind.CONTINUOUS and len(values) > 0 and values.min() >= 19000101 and values.max() <= 20991231
    return bool(days) and bool((values % 1 == 0).all())


def _are_numbers(labels: Sequence[str]) -> bool:
    """Whether text is many plain numbers, and no codes."""
    many = len(labels) > MAX_DISCRETE and not leading_zeros(labels)
    return many and not np.isnan(label_numbers(labels)).any()


def _until_mended(name: str, fault: str) -> Finding:
    evidence = fault.partition(";")[0].removeprefix(f"column {name!r} ").removeprefix("has ")
    proposal = "leave the column out until it is mended"
    return Finding("unreadable", name, Severity.SETTLE, evidence, proposal, {"drop": True})


def _naming(column: Typed) -> Finding | None:
    try:
        left = names_rows(column)
    except DataError as fault:
        return _until_mended(column.name, str(fault))
    if left is None:
        return None
    evidence = re.split(", so it looks like |, left out", left.why)[0].removeprefix(f"column {column.name!r} has ")
    return Finding(left.what, column.name, Severity.NOTE, evidence, "leave the column out", {"drop": True})


def _constant(column: Typed) -> list[Finding]:
    values = column.present()
    if not len(values) or (values != values[0]).any():
        return []
    value = column.labels[int(values[0])] if column.kind is Kind.DISCRETE else f"{values[0]:g}"
    evidence, proposal = f"{value!r} in all {counted(len(values), 'row')}", "leave the column out"
    if empty := len(column.values) - len(values):
        evidence = f"{value!r} in {counted(len(values), 'row')}, and no value in the other {empty:,}"
        proposal += "; if no value means no, write that into the table"
    return [Finding("constant", column.name, Severity.NOTE, evidence, proposal, {"drop": True})]


def _header_again(looks: Sequence[_Look]) -> None:
    """Where columns of numbers have their own name in a cell, it is no level of the others either."""
    raws = {look.name: look.raw for look in looks}
    levels = {name: raw for name, raw in raws.items() if isinstance(raw, Levels) and raw.origin is Origin.TEXT}
    own = [look for look in looks if look.name in look.how.na]
    for look in looks:
        if own and look.name in levels and look.name in levels[look.name].labels and not look.dropped:
            evidence = f"the column's own name, {look.name!r}, in a row"
            change = {"na": (look.name,)}
            look.take([Finding("repeated-header", look.name, Severity.CHANGES, evidence, "take it as missing", change)])
            look.findings = [finding for finding in look.findings if finding.code not in ("rare-levels", "many-levels")]
            look.findings += about_levels(look.column) if look.column is not None else []


def _totals(raws: Sequence[Numbers | Levels]) -> list[Finding]:
    return [
        Finding("totals-row", name, Severity.SETTLE, f"{cell!r} in the last row", "take this row out of the table")
        for name, cell in totals_row(raws).items()
    ]
