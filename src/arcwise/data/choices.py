"""The options of reading, and a recipe beside them, settled for the columns of one table.

What is said of a column by its name comes before what a pattern says of it. What options say overrules the recipe, and
that is told.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwise.data.column_names import matching
from arcwise.data.dataset import Kind
from arcwise.data.levels import number_label
from arcwise.data.missing import NaWords, settle_words
from arcwise.data.reading.raw import NO_WORDS, Words
from arcwise.data.recipe import NOTHING_SAID, ColumnRecipe, Recipe
from arcwise.data.times import read_order
from arcwise.data.validate import Names
from arcwise.errors import DataError, OptionError
from arcwise.printing import listed, option, order_option

# Names of columns, "size=small,medium,large" with the order of their levels, or {"size": ["small", "medium", "large"]}.
Orders = Names | Mapping[str, Sequence[Any] | None]
PerColumn = str | Iterable[str] | Mapping[str, Any]  # "price=comma", several of these, or {"price": "comma"}
MARK_OPTIONS = ("decimal", "thousands")
USUAL = {  # where only a name is given
    "negative": "parentheses",
    "percent": "points",
    "units": "",
    "dates": "",
    "censored": "number",
    "merge": "",
}
ADDED = ("units", "merge")  # to what the recipe has of them
NOTATIONS = (*MARK_OPTIONS, *USUAL)


@dataclass(frozen=True, slots=True)
class Choices:
    """kept: columns that are read. how: what is said about them. words: what means missing. notes: what is doubtful.

    marks: of decimals and thousands in columns of which nothing else is said. unknown: columns that a recipe leaves
    out since it does not know them. recorded: columns of which a recipe says how they are read.
    """

    kept: tuple[str, ...]
    how: Mapping[str, ColumnRecipe]
    words: Mapping[str, Words]
    notes: tuple[str, ...] = ()
    marks: ColumnRecipe = NOTHING_SAID
    unknown: tuple[str, ...] = ()
    recorded: frozenset[str] = frozenset()

    def of(self, name: str) -> ColumnRecipe:
        return self.how.get(name, NOTHING_SAID)

    @property
    def kinds(self) -> dict[str, Kind]:
        """Those that are declared."""
        return {name: own.wanted for name, own in self.how.items() if own.wanted is not None and name in self.kept}


def settle(names: Sequence[str], reading: Mapping[str, Any]) -> Choices:
    """What options and recipe say about the columns of these names."""
    recipe = Recipe.of(reading.get("recipe"))
    known = (*names, *(name for name in (recipe.columns if recipe else ()) if name not in names))
    orders = read_orders(reading.get("ordered"), known)
    role = _roles(
        known,
        {
            "continuous": _as_names(reading.get("continuous")),
            "discrete": _as_names(reading.get("discrete")),
            "ordered": tuple(orders),
            "drop": _as_names(reading.get("drop")),
        },
    )
    said: dict[str, dict[str, Any]] = {name: {"kind": kind} for name, kind in role.items() if kind != "drop"}
    for column, levels in _orders_of(orders, known).items():
        if role[column] == "ordered" and levels:
            said[column]["levels"] = levels
    marks: dict[str, str] = {}
    for entry in NOTATIONS:
        for name, value in _per_column(entry, reading.get(entry), known):
            if name is None:
                marks[entry] = value
            else:
                said.setdefault(name, {}).update(_entries(entry, value, said.get(name, {})))
    how = {name: _recipe_of(name, entries) for name, entries in said.items()}
    gone = {name for name, kind in role.items() if kind == "drop"}
    for name in gone & {one for one, own in how.items() if own.decodes}:
        raise DataError(f"column {name!r} is dropped, but it is also said how to read it; keep one of them")
    notes: list[str] = []
    unknown: tuple[str, ...] = ()
    if recipe is not None:
        how, dropped, notes = _with_recipe(recipe, names, how, gone, reading.get("weights"))
        gone, unknown = gone | dropped, tuple(name for name in names if name in dropped - set(recipe.drop))
    kept = tuple(name for name in names if name not in gone)
    if not kept:
        raise DataError("every column is dropped; keep at least one")
    words, recorded = _words(names, reading.get("na"), recipe), frozenset(recipe.columns if recipe else ())
    return Choices(kept, how, words, tuple(notes), _marks(marks), unknown, recorded)


def _marks(given: Mapping[str, Any]) -> ColumnRecipe:
    return ColumnRecipe(**given) if given else NOTHING_SAID


def _roles(names: Sequence[str], chosen: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """What each column that is named was named for; only one thing each, but a name comes before a pattern."""
    role: dict[str, str] = {}
    literal: set[str] = set()
    for asked_for, listed_names in chosen.items():
        for given in listed_names:
            for name in matching(given, names, asked_for):
                if given != name and name in literal:
                    continue
                before = role.get(name, asked_for)
                if before != asked_for and (given != name or name in literal):
                    raise DataError(
                        f"column {name!r} is named in both {before} and {asked_for}; keep it in one of them"
                    )
                role[name] = asked_for
                if given == name:
                    literal.add(name)
    return role


def read_orders(given: Orders | None, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The names and patterns that are called ordered, each with its levels; with none where these tell their order."""
    if isinstance(given, Mapping):
        said = [(str(name), _levels(str(name), levels)) for name, levels in given.items()]
    else:
        said = [_split_order(text, names) for text in _as_names(given)]
    orders: dict[str, tuple[str, ...]] = {}
    for name, levels in said:
        if orders.get(name, levels) != levels:
            raise OptionError(f"column {name!r} is named in ordered twice, with different orders; give its order once")
        orders[name] = levels
    return orders


def _orders_of(orders: Mapping[str, tuple[str, ...]], names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The same by the names of columns; a name comes before a pattern."""
    patterns_first = sorted(orders, key=lambda given: given in names)
    return {name: orders[given] for given in patterns_first for name in matching(given, names, "ordered")}


def _split_order(text: str, names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """(name or pattern, levels) of "size=small,medium,large"; a name may have equals signs."""
    places = [at for at, sign in enumerate(text) if sign == "="]
    if text in names or not places:
        return text, ()
    at = next((at for at in places if text[:at].strip() in names), places[0])
    levels = next(csv.reader([text[at + 1 :]], skipinitialspace=True), [])
    name = text[:at].strip()
    return name, _levels(name, [level.strip() for level in levels if level.strip()] or [""])


def _levels(name: str, given: Any) -> tuple[str, ...]:
    """The levels in their order; none where only the name is given."""
    if given is None:
        return ()
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise OptionError(f"the order of column {name!r} must be a list of its levels, not {given!r}")
    levels = tuple(one if isinstance(one, str) else _label(one) for one in given)
    if 0 < len(levels) < 2:
        told = order_option(name, ["S", "M", "L"])
        raise OptionError(f"the order of column {name!r} needs two levels or more, such as {told}")
    twice = next((level for k, level in enumerate(levels) if level in levels[:k]), None)
    if twice is not None:
        raise OptionError(f"the order of column {name!r} has the level {twice!r} twice; name it once")
    return levels


def _label(level: Any) -> str:
    """As the levels of a column of such values are called."""
    if isinstance(level, bool | np.bool_):
        return "true" if level else "false"
    return number_label(level) if isinstance(level, int | float | np.number) else str(level)


def _as_names(names: Names | None) -> tuple[str, ...]:
    """A single name is one name, not its letters; names that are numbers, as in a data frame, are read as text."""
    if names is None:
        return ()
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        return (str(names),)
    return tuple(str(name) for name in names)


def _per_column(entry: str, given: Any, names: Sequence[str]) -> list[tuple[str | None, Any]]:
    """(column, what is said about it), one after another, the last counts; None: about all columns."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        said = [(str(key), value) for key, value in given.items()]
    else:
        said = [_split(entry, text, names) for text in _as_names(given)]
    about_all = [(None, value) for key, value in said if not key]
    patterns_first = sorted(((key, value) for key, value in said if key), key=lambda item: item[0] in names)
    return [*about_all, *((name, value) for key, value in patterns_first for name in matching(key, names, entry))]


def _split(entry: str, text: str, names: Sequence[str]) -> tuple[str, Any]:
    """(name or pattern, what is said) of "price=comma"; a name may have equals signs. The name is empty for a mark."""
    name, sign, value = text.partition("=")
    while sign and name not in names and "=" in value and f"{name}={value.partition('=')[0]}" in names:
        name, value = f"{name}={value.partition('=')[0]}", value.partition("=")[2]
    if sign and text not in names:
        return name.strip(), value.strip() or value
    if entry not in MARK_OPTIONS:
        return text, USUAL[entry]
    if text in names:
        raise OptionError(f"{entry} needs COLUMN=MARK, such as {entry} {text}=comma, or a mark for all columns")
    return "", text


def _entries(entry: str, value: Any, before: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a column's recipe that an option means."""
    if entry == "dates":
        order, since = read_order(_text(entry, value))
        return {"dates": order or "found", "since": since}
    if entry == "units":
        return {"units": {**before.get("units", {}), **_units(value)}}
    if entry == "merge":
        return {"merge": {**before.get("merge", {}), **_merges(value)}}
    return {entry: _text(entry, value)}


def _text(entry: str, value: Any) -> str:
    if not isinstance(value, str):
        raise OptionError(f"{entry} takes text for each column, not {value!r}")
    return value


def _units(value: Any) -> dict[str, float]:
    """{"lb": 0.4536} as it is; of "kg" and "lb:0.4536" the factor is 1 where none is given."""
    if isinstance(value, Mapping):
        return {str(unit): float(factor) for unit, factor in value.items()}
    unit, _, factor = _text("units", value).rpartition(":") if ":" in str(value) else (value, "", "1")
    if not unit:
        raise OptionError("units needs COLUMN=UNIT, such as weight=kg, or COLUMN=UNIT:FACTOR, such as weight=lb:0.4536")
    try:
        return {unit.strip(): float(factor)}
    except ValueError:
        raise OptionError(f"the factor of the unit {unit!r} must be a number, not {factor!r}") from None


def _merges(value: Any) -> dict[str, str]:
    """{"F": "Female"} as it is; "F->Female" says the same."""
    if isinstance(value, Mapping):
        return {str(spelling): str(level) for spelling, level in value.items()}
    text = _text("merge", value)
    spelling, sign, level = text.partition("->")
    if text and not (sign and spelling and level):
        raise OptionError(f"merge needs COLUMN, or COLUMN=SPELLING->LEVEL, such as sex=F->Female, not {text!r}")
    return {spelling.strip(): level.strip()} if text else {}


def _recipe_of(name: str, entries: Mapping[str, Any]) -> ColumnRecipe:
    try:
        return ColumnRecipe(**entries)
    except OptionError as error:
        raise OptionError(f"column {name!r}: {error}") from None


def _with_recipe(
    recipe: Recipe, names: Sequence[str], said: Mapping[str, ColumnRecipe], gone: set[str], weights: str | None
) -> tuple[dict[str, ColumnRecipe], set[str], list[str]]:
    """(what holds for each column, those that the recipe leaves out, what to tell)."""
    lost = [name for name in recipe.columns if name not in names and name not in gone]
    if lost:
        which = f"column {lost[0]!r}" if len(lost) == 1 else f"columns {listed([repr(name) for name in lost])}"
        raise DataError(
            f"{recipe.told} knows the {which}, which the table has not; add what is missing, or go on without with "
            f"{option('drop', lost[0])}"
        )
    notes, how = [], dict(said)
    for name, own in recipe.columns.items():
        mine = said.get(name, NOTHING_SAID).to_dict()
        theirs = own.to_dict()
        overruled = [entry for entry, value in mine.items() if _overrules(value, theirs.get(entry, value))]
        if name in gone:
            notes.append(f"the option drop overrules {recipe.told}, which reads column {name!r}")
        elif overruled:
            said_by = {"since": "dates", "levels": "ordered", "kind": str(mine.get("kind"))}
            which = said_by.get(overruled[0], overruled[0])
            notes.append(f"the option {which} for column {name!r} overrules {recipe.told}")
        before = {entry: value for entry, value in theirs.items() if _still_holds(entry, mine, theirs)}
        both = {entry: {**before[entry], **mine[entry]} for entry in ADDED if entry in before and entry in mine}
        how[name] = _recipe_of(name, {**before, **mine, **both})
    dropped = {name for name in recipe.drop if name not in said}
    kept = [name for name in recipe.drop if name in said and name in names]
    notes += [f"the options for column {name!r} overrule {recipe.told}, which leaves it out" for name in kept]
    known = {*recipe.columns, *recipe.drop, *said, *gone, weights}
    strange = [name for name in names if name not in known]
    if strange and recipe.others == "drop":
        dropped |= set(strange)
        which = f"column {strange[0]!r}" if len(strange) == 1 else f"columns {listed([repr(n) for n in strange])}"
        notes.append(
            f"{recipe.told} does not know the {which}, left out; keep such a column by naming its kind, as with "
            f"{option('continuous', strange[0])}, or check the table anew"
        )
    return how, dropped, notes


def _overrules(mine: Any, theirs: Any) -> bool:
    """Whether an option says something else; units and spellings that the recipe has not are only added."""
    if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
        return any(theirs.get(key, value) != value for key, value in mine.items())
    return bool(mine != theirs)


def _still_holds(entry: str, mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    """Another kind takes the recipe's levels away, another mark both marks; dates and notations exclude each other."""
    if entry == "levels":
        ordered = mine.get("kind") == theirs.get("kind") == "ordered"
        return ("kind" not in mine or ordered) and "merge" not in mine
    if entry in MARK_OPTIONS and any(one in mine for one in MARK_OPTIONS):
        return False
    if "dates" in mine:
        return entry in ("kind", "na", "since")
    return not (entry in ("dates", "since") and any(one in mine for one in NOTATIONS))


def _words(names: Sequence[str], na: NaWords | None, recipe: Recipe | None) -> dict[str, Words]:
    """What means missing, by the recipe and by the options."""
    words = settle_words(na, names)
    if recipe is None:
        return words
    for given in (list(recipe.na), {name: own.na for name, own in recipe.columns.items() if name in names and own.na}):
        for name, more in settle_words(given, names).items():
            own = words.get(name, NO_WORDS)
            words[name] = Words(own.texts | more.texts, tuple(sorted({*own.numbers, *more.numbers})))
    return words
