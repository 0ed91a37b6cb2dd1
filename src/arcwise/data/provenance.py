"""How a table came in: the options it was read with, and what of it was left out on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

ROLES = ("continuous", "discrete", "ordered", "drop")  # a column has one of them


@dataclass(frozen=True, slots=True)
class Provenance:
    """left_out: columns that were not used though nobody said so. n_dropped: rows that were not, for a missing cell.

    reading: the options that said something, as lists, texts and numbers; a recipe with all that it says.
    """

    left_out: tuple[str, ...] = ()
    n_dropped: int = 0
    reading: Mapping[str, Any] = field(default_factory=dict)

    def then(self, later: Provenance) -> Provenance:
        """That of a table which was read again, with more options."""
        named = {name for role in ROLES for name in later.reading.get(role, ())}
        before = {  # what was said of the role of these columns counts no more
            option: _without(value, named) if option in ROLES else value for option, value in self.reading.items()
        }
        both = {option: _both(before[option], later.reading[option]) for option in before if option in later.reading}
        return Provenance(
            tuple(dict.fromkeys((*self.left_out, *later.left_out))),
            self.n_dropped + later.n_dropped,
            as_said({**before, **later.reading, **both}),
        )

    def to_dict(self) -> dict[str, Any]:
        return {"left_out": list(self.left_out), "n_dropped": self.n_dropped, "reading": dict(self.reading)}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Provenance:
        """The inverse of `to_dict`, of content that was checked."""
        return Provenance(tuple(content["left_out"]), content["n_dropped"], content["reading"])


NOT_KNOWN = Provenance()


class ProvenanceContent(TypedDict):
    left_out: list[str]
    n_dropped: int
    reading: dict[str, Any]


def kept_once(options: Mapping[str, Any]) -> dict[str, Any]:
    """The same options, of which none can be looked at only once."""
    return {name: list(value) if isinstance(value, Iterator) else value for name, value in options.items()}


def as_said(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that say something, as JSON keeps them."""
    said = {name: _plain(value) for name, value in options.items()}
    said = {name: value for name, value in said.items() if value not in (None, [], {})}
    for role in ROLES:
        if role in said and not isinstance(said[role], Mapping):  # names may be numbers, as in a data frame
            said[role] = [str(name) for name in (said[role] if isinstance(said[role], list) else [said[role]])]
    return said


def _without(value: Any, names: set[str]) -> Any:
    """Names, or the orders of columns, without these columns."""
    if isinstance(value, Mapping):
        return {name: order for name, order in value.items() if name not in names}
    return [name for name in value if name not in names]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, str):
        return value
    if isinstance(value, set | frozenset):
        return sorted(map(_plain, value), key=str)  # the order of a set differs from run to run
    if isinstance(value, Iterable):
        return [_plain(one) for one in value]
    return value.item() if hasattr(value, "item") else value  # numbers of NumPy


def _both(first: Any, second: Any) -> Any:
    """What two readings say with one option; where it can only be one thing, the second."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return {**first, **second}
    if isinstance(first, list) and isinstance(second, list):
        return [*first, *(one for one in second if one not in first)]
    return second
