"""`--set option=value` texts as a mapping for `catalog.configure`."""

from __future__ import annotations

from collections.abc import Iterable

from arcwise.errors import OptionError


def read_settings(given: Iterable[str] | None) -> dict[str, str]:
    """The last of several for the same option counts."""
    settings: dict[str, str] = {}
    for text in given or ():
        path, _, value = (piece.strip() for piece in text.partition("="))
        if not path or not value:
            raise OptionError(f"--set needs OPTION=VALUE, such as --set ess=10, not {text!r}")
        settings[path] = value
    return settings
