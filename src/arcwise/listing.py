"""The methods and their options as tables that people read: in a terminal, in a notebook, with help()."""

from __future__ import annotations

import shutil
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from textwrap import wrap
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from arcwise.checking import words
from arcwise.parts.meanings import meanings
from arcwise.parts.spec import members
from arcwise.presets import DEFAULT_METHOD, Method
from arcwise.results.sections import Block, Grid, Section, Words, as_html, as_text

WIDEST = 120  # characters; longer lines are hard to read
SHOWN_NAMES = 6  # of parts that may stand in a place


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a method. path: how `learn` and --set call it. short: its last word, where that is enough."""

    path: str
    short: str
    default: Any
    allowed: str
    meaning: str

    @property
    def text(self) -> str:
        """The default as --set takes it."""
        return as_set(self.default)


def _printed(headline: list[Words], sections: list[Section]) -> str:
    return as_text(headline, sections, _width())


def _width() -> int:
    return min(shutil.get_terminal_size().columns, WIDEST)


class MethodTable(tuple[Method, ...]):
    """The presets, in a tuple that prints as a table by family."""

    def __str__(self) -> str:
        return _printed(*self._sections())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(*self._sections())

    def _sections(self) -> tuple[list[Words], list[Section]]:
        note = "* is what learn() does where no method is named; options(name) lists what a method can be told"
        return [Words(note)], by_family(self)


def by_family(methods: Iterable[Method]) -> list[Section]:
    """The methods of each family, in a line each; a star marks the default."""
    families: dict[str, list[Method]] = {}
    for method in methods:
        families.setdefault(method.family, []).append(method)
    longest = max((len(one.name) for found in families.values() for one in found), default=0) + 1
    return [
        Section(family, blocks=(Grid(tuple((_starred(one, longest), one.summary) for one in found)),))
        for family, found in families.items()
    ]


def _starred(method: Method, width: int) -> str:
    return f"{method.name}{'*' if method.name == DEFAULT_METHOD else ''}".ljust(width)


class OptionTable(tuple[Option, ...]):
    """The options of a method, in a tuple that prints as a table."""

    method: Method

    @staticmethod
    def of(method: Method, family_of: Callable[[str, Any], Iterable[str]]) -> OptionTable:
        """family_of: the names of all that can stand in the place of a part, by its path and what stands there; none:
        only its own options can be changed.
        """
        rows = sorted(_rows(method.learner, "", family_of), key=lambda row: row[0].count("."))
        last = [path.rpartition(".")[2] for path, *_ in rows]
        table = OptionTable(
            Option(path, word if last.count(word) == 1 else "", default, allowed, meaning)
            for word, (path, default, allowed, meaning) in zip(last, rows, strict=True)
        )
        table.method = method
        return table

    def __str__(self) -> str:
        width = _width()
        rows = [one for one in self if not self._is_within_a_list(one)]
        if not rows or _leaves_room(rows, width):
            return _printed(*self._sections())
        headline, (section,) = self._sections()  # a path is to be typed, so never cut: each has a line of its own
        lines = as_text(headline, [Section(section.title, section.note)], width).splitlines()
        for one in rows:
            lines.append(f"  {one.path} = {one.text}")
            lines += wrap(f"{one.meaning}; {one.allowed}", width, initial_indent=" " * 6, subsequent_indent=" " * 6)
        return "\n".join([*lines, *(wrap(one.text, width)[0] for one in section.blocks if isinstance(one, Words))])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(*self._sections())

    def _sections(self) -> tuple[list[Words], list[Section]]:
        method = self.method
        headline = [Words(f"{method.name}: {method.summary}", "title"), Words(f"{method.family}; {method.paper}")]
        if not self:
            return [*headline, Words("It has no options.")], []
        own = [one for one in self if not self._is_within_a_list(one)]
        rows = tuple((one.path, one.text, one.allowed, one.meaning) for one in own)
        blocks: list[Block] = [Grid(rows, ("option", "default", "may be", "meaning"))]
        if len(own) < len(self):
            blocks.append(Words(f"and {len(self) - len(own)} of the parts in a list: list(options({method.name!r}))"))
        example = next((one for one in own if one.short and type(one.default) in (int, float)), own[0])
        how = f"learn(data, {method.name!r}, {(example.short or example.path).replace('.', '__')}=...)"
        return headline, [Section("options", f"by path, or by the last word where only one has it: {how}", (*blocks,))]

    def _is_within_a_list(self, option: Option) -> bool:
        """Whether it is one of a part among several, such as each of the methods that auto chooses from."""
        return any(isinstance(one.default, tuple) and option.path.startswith(f"{one.path}.") for one in self)


def _leaves_room(options: Sequence[Option], width: int) -> bool:
    """Whether a table has room for whole paths and defaults: the columns beside them give way as long as wider."""
    path, default = max(len(one.path) for one in options), max(len(one.text) for one in options)
    return path + default + 2 * max(path, default) + 4 * 2 <= width


def _rows(
    part: Any, prefix: str, family_of: Callable[[str, Any], Iterable[str]]
) -> Iterable[tuple[str, Any, str, str]]:
    """(path, default, what it may be, meaning) of every option; those of a part inside follow the part itself."""
    kind: Any = type(part)
    hints, said = get_type_hints(kind), meanings(kind)
    for option in fields(part):
        path, value = prefix + option.name, getattr(part, option.name)
        inner = members(value) or ({"": value} if is_dataclass(value) else {})
        if not inner:
            yield path, value, _allowed(hints[option.name]), said[option.name]
            continue
        known = list(family_of(path, next(iter(inner.values()))))
        if known:
            more = f", ... ({len(known)})" if len(known) > SHOWN_NAMES else ""
            several = "names, such as " if isinstance(value, tuple) else ""
            default = tuple(inner) if isinstance(value, tuple) else value.kind
            yield path, default, f"{several}{', '.join(known[:SHOWN_NAMES])}{more}", said[option.name]
        for name, one in inner.items():
            yield from _rows(one, f"{path}.{name}." if name else f"{path}.", family_of)


def _allowed(hint: Any) -> str:
    """ "whole number or none", "joint or sum"."""
    choices = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    said = []
    for choice in choices:
        if get_origin(choice) is Literal:
            said += [str(value) for value in get_args(choice)]
        elif get_origin(choice) is tuple:
            said.append("names")
        else:
            said.append(words(choice).removeprefix("a "))
    *first, last = dict.fromkeys(said)
    return f"{', '.join(first)} or {last}" if first else last


def as_set(value: Any) -> str:
    """A value as --set takes it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(as_set, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
