"""Every error arcwise raises on purpose. The message is one sentence that names the culprit and the remedy."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

from arcwise.nearest import nearest
from arcwise.printing import printable

SHOWN = 15  # names listed when none is near


class ArcwiseError(Exception):
    """Root of all errors that a user can cause and mend; its text is safe to print, whatever names stand in it."""

    def __str__(self) -> str:
        return printable(super().__str__(), keep="\n")


class DataError(ArcwiseError):
    """The table cannot be learned from as it is."""


class FileError(ArcwiseError):
    """A file cannot be read or written."""


class ClusterError(ArcwiseError):
    """A cluster cannot work on a table, or does not answer any more."""


class GraphError(ArcwiseError):
    """A graph is not what it claims to be (a cycle, an unknown name, a double edge)."""


class OptionError(ArcwiseError):
    """An unknown method or option, or a value outside its range."""


def unknown_name(what: str, name: object, known: Iterable[str]) -> str:
    """One sentence saying that `name` is unknown, with the known ones that are near, where some are."""
    names = list(known)
    name = name if isinstance(name, str) else repr(name)[:60]
    if not names:
        return f"unknown {what} {name!r}; there are none here"
    meant = nearest(name, names)
    if meant:
        return f"unknown {what} {name!r}; did you mean {' or '.join(map(repr, meant))}?"
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    few = ", ".join(one if one.isprintable() else repr(one) for one in names[:SHOWN])
    return f"unknown {what} {name!r}; known: {few}{more}"


def check_least(part: object, **least: float) -> None:
    """Refuse options of a part that are below these; none is no limit."""
    for name, low in least.items():
        value = getattr(part, name)
        if value is not None and value < low:
            raise OptionError(f"option {name!r} must be at least {low}, not {value!r}")


def check_positive(part: object, *options: str) -> None:
    """Refuse options of a part that are no finite numbers above 0; none is passed over."""
    for name in options:
        value = getattr(part, name)
        if value is not None and not (isfinite(value) and value > 0):
            raise OptionError(f"option {name!r} must be a number above 0, not {value!r}")
