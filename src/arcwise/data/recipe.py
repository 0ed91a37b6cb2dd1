"""How a table is read, column by column, and kept in a file: next month's table is read the same way.

A recipe is TOML. What it says about a column holds for the column of that name; `others` says what becomes of columns
that it does not name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from arcwise.checking import checked, misfit
from arcwise.data.dataset import Kind
from arcwise.data.text_files import parsed, read_text, write_text
from arcwise.data.times import Order, origin
from arcwise.data.toml import key, quoted, toml_value
from arcwise.errors import ArcwiseError, FileError, OptionError, unknown_name

FORMAT = "arcwise-recipe-1"
MARKS = {"comma": ",", "point": ".", "space": " ", "apostrophe": "'", "either": ",."}
DECIMALS, THOUSANDS = (",", ".", ",."), (",", ".", " ", "'")
OTHERS = ("read", "drop")


@checked
@dataclass(frozen=True, slots=True)
class ColumnRecipe:
    """How one column is read. What is empty is left to what its cells look like.

    kind: continuous, discrete, or ordered (discrete, its levels in an order). na: words and numbers that mean missing.
    decimal, thousands: the marks in its numbers. negative: (5) is -5 ("parentheses"), or 5- is ("behind"). percent: 12%
    is 12 ("points") or 0.12 ("fraction"). units: what stands behind or before its numbers, with what each is multiplied
    by. dates: their order, times or durations; since: the day from which days are counted. censored: `<0.5` is 0.5
    ("number"), missing, or a level of its own in a column of ordered levels. merge: levels that are spellings of
    others; levels that differ in case and spaces only are merged with it. levels: those that are known, in their order;
    of an ordered column all that there may be.
    """

    kind: Literal["continuous", "discrete", "ordered", ""] = ""
    na: tuple[str, ...] = ()
    decimal: str = ""
    thousands: str = ""
    negative: Literal["parentheses", "behind", ""] = ""
    percent: Literal["points", "fraction", ""] = ""
    units: Mapping[str, float] = field(default_factory=dict)
    dates: Order | Literal["found", ""] = ""
    since: str = ""
    censored: Literal["number", "missing", "level", ""] = ""
    merge: Mapping[str, str] | None = None
    levels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, known in (("decimal", DECIMALS), ("thousands", THOUSANDS)):
            mark = MARKS.get(getattr(self, name), getattr(self, name))
            object.__setattr__(self, name, mark)
            if mark and mark not in known:
                words = [word for word, one in MARKS.items() if one in known]
                raise OptionError(f"{name} must be {' or '.join(words)}, not {mark!r}")
        if self.decimal and self.decimal == self.thousands:
            raise OptionError(f"{self.decimal!r} cannot mark both decimals and thousands; keep one of them")
        if self.since:
            origin(self.since)
        if len(set(self.levels)) < len(self.levels):
            raise OptionError("levels must differ from each other; keep one of those that are the same")
        if self.is_ordered and len(self.levels) == 1:
            raise OptionError("an order needs two levels or more, such as small,medium,large")
        if any(not unit.strip() or not 0 < factor < float("inf") for unit, factor in self.units.items()):
            raise OptionError("units are words, each with a number above 0 that it is multiplied by")
        if self.dates and self.is_notation:
            raise OptionError("a column is read as dates or as numbers in some notation, not as both")

    @property
    def wanted(self) -> Kind | None:
        """The kind that is declared; text that is decoded may be declared to be anything."""
        return Kind.DISCRETE if self.is_ordered else Kind(self.kind) if self.kind else None

    @property
    def is_ordered(self) -> bool:
        """Whether its levels are said to be in an order."""
        return self.kind == "ordered"

    @property
    def is_notation(self) -> bool:
        """Whether it says how the numbers are written."""
        signs = self.percent or self.units or self.censored or self.negative
        return bool(self.decimal or self.thousands or signs)

    @property
    def decodes(self) -> bool:
        """Whether the text of the cells is needed."""
        return bool(self.is_notation or self.dates or self.merge is not None)

    def to_dict(self) -> dict[str, Any]:
        """What is not empty."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in found.items() if value or (name == "merge" and value is not None)}


NOTHING_SAID = ColumnRecipe()
_LISTS = ("na", "levels")


@dataclass(frozen=True)
class Recipe:
    """How the columns of a table are read. drop: columns that are left out. na: what means missing everywhere.

    others: columns that it does not name are read as usual ("read") or left out with a warning ("drop").
    """

    columns: Mapping[str, ColumnRecipe] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    na: tuple[str, ...] = ()
    others: str = "read"
    source: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.others not in OTHERS:
            raise OptionError(unknown_name("way to treat other columns:", self.others, OTHERS))
        both = [name for name in self.drop if name in self.columns]
        if both:
            raise OptionError(f"column {both[0]!r} is dropped and read; keep it in one of them")

    @cached_property
    def told(self) -> str:
        """What to call it in messages."""
        return f"the recipe {self.source}" if self.source else "the recipe"

    @staticmethod
    def load(path: str | Path) -> Recipe:
        """From a TOML file."""
        text = read_text(path)
        try:
            return replace(Recipe.from_dict(parsed(lambda: tomllib.loads(text))), source=str(path))
        except ArcwiseError as error:
            raise FileError(f"{path} is no recipe: {error}") from None

    @staticmethod
    def of(given: str | Path | Recipe | Mapping[str, Any] | None) -> Recipe | None:
        """A recipe as it is, from a dict, or from the file of this name."""
        if given is None or isinstance(given, Recipe):
            return given
        if isinstance(given, Mapping):
            return Recipe.from_dict(given)
        if isinstance(given, str | Path):
            return Recipe.load(given)
        raise OptionError(f"a recipe is a file, a dict or a Recipe, not {type(given).__name__}")

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Recipe:
        """From what `to_dict` gives; what is wrong is named."""
        known = {"format", "columns", "drop", "na", "others"}
        for entry in content:
            if entry not in known:
                raise OptionError(unknown_name("entry", entry, sorted(known)))
        if content.get("format", FORMAT) != FORMAT:
            raise OptionError(f"its format is {content['format']!r}, and only {FORMAT!r} is known")
        columns = content.get("columns", {})
        if not isinstance(columns, Mapping):
            raise OptionError("columns must be a table with an entry for each column")
        return Recipe(
            {name: _column_recipe(name, entries) for name, entries in columns.items()},
            _texts(content.get("drop", ()), "drop"),
            _texts(content.get("na", ()), "na"),
            content.get("others", "read"),
        )

    def to_dict(self) -> dict[str, Any]:
        """As it stands in a file."""
        return {
            "format": FORMAT,
            "others": self.others,
            **({"na": list(self.na)} if self.na else {}),
            **({"drop": list(self.drop)} if self.drop else {}),
            "columns": {name: _plain(own.to_dict()) for name, own in self.columns.items()},
        }

    def to_toml(self, comments: Mapping[str, Sequence[str]] | None = None) -> str:
        """The text of the file. comments: lines about columns, by their names."""
        said = comments or {}
        lines = ["# How a table is read. Keep this file: next month's table is read the same way with", _HOW, ""]
        lines += [f"format = {quoted(FORMAT)}"]
        lines += [f"others = {quoted(self.others)}  # columns that are not named here: read, or drop"]
        lines += [f"na = {toml_value(self.na)}  # means missing in every column"] if self.na else []
        if self.drop:
            width = max(len(quoted(name)) for name in self.drop) + 1
            lines += ["drop = ["]
            for name in self.drop:
                because = f"  # {_line(said[name][0])}" if said.get(name) else ""
                lines += [f"    {(quoted(name) + ',').ljust(width)}{because}".rstrip()]
            lines += ["]"]
        for name, own in self.columns.items():
            lines += ["", f"[columns.{key(name)}]", *(f"# {_line(text)}" for text in said.get(name, ()))]
            lines += [f"{entry} = {toml_value(value)}" for entry, value in _plain(own.to_dict()).items()]
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path, comments: Mapping[str, Sequence[str]] | None = None) -> None:
        """Write it as TOML, whole or not at all."""
        write_text(path, self.to_toml(comments))


RecipeLike = str | Path | Recipe | Mapping[str, Any]
_HOW = '#     arcwise learn TABLE --recipe THIS-FILE        (Python: arcwise.learn(table, recipe="THIS-FILE"))'


def _line(text: str) -> str:
    """Safe in a comment."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def _plain(entries: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in entries.items()}


def _column_recipe(name: str, entries: Any) -> ColumnRecipe:
    if not isinstance(entries, Mapping):
        raise OptionError(f"what it says about column {name!r} must be a table of entries")
    known = [one.name for one in fields(ColumnRecipe)]
    given: dict[str, Any] = {}
    for entry, value in entries.items():
        if entry not in known:
            raise OptionError(unknown_name(f"entry of column {name!r}:", entry, known))
        if entry in _LISTS:
            given[entry] = _texts(value, f"{entry} of column {name!r}")
        else:
            given[entry] = value.isoformat()[:10] if isinstance(value, date) else value
    try:
        return ColumnRecipe(**given)
    except OptionError as error:
        raise OptionError(f"column {name!r}: {error}") from None


def _texts(value: Any, what: str) -> tuple[str, ...]:
    """A list of words or numbers, or one of them."""
    several = [value] if isinstance(value, str | int | float) else value
    if misfit(several, list[str | int | float] | tuple[str | int | float, ...]) is not None:
        raise OptionError(f"{what} must be a list of words or numbers")
    return tuple(str(one) for one in several)
