"""Values as TOML writes them; the standard library only reads it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_SHORT = {'"': '\\"', "\\": "\\\\"}


def quoted(text: str) -> str:
    """A string of TOML."""
    return f'"{"".join(_letter(sign) for sign in text)}"'


def key(text: str) -> str:
    """A name before an equals sign or a point, in quotes where it needs them."""
    return text if _BARE.fullmatch(text) else quoted(text)


def _letter(sign: str) -> str:
    return _SHORT.get(sign, sign if sign.isprintable() else f"\\U{ord(sign):08x}")


def toml_value(value: Any) -> str:
    """Text, numbers, true and false, lists and tables of these."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key(str(name))} = {toml_value(entry)}" for name, entry in value.items())
        return f"{{{inside}}}"
    if isinstance(value, Sequence):
        return f"[{', '.join(toml_value(entry) for entry in value)}]"
    return repr(value)
