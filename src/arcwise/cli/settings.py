"""`--set option=value`: single options by path or last word, and whole parts by their kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from arcwise.errors import OptionError, unknown_name


def read_settings(part: Any, given: Iterable[str] | None) -> dict[str, Any]:
    """The options that these texts change in `part`, parts first, ready for `catalog.configure`.

    `score=bic` puts the part called bic where `part` has a score; the options after it may be those of the new part.
    """
    from arcwise import catalog

    settings = _split(given or ())
    parts: dict[str, Any] = {}
    for name, value in settings.items():
        path = _part_path(part, name)
        if path is not None:
            parts[path] = _part_called(value, path, _inner_parts(part)[path])
    plain = {name: value for name, value in settings.items() if _part_path(part, name) is None}
    changed = catalog.configure(part, parts)
    return parts | {_option_path(changed, name): value for name, value in plain.items()}


def _split(given: Iterable[str]) -> dict[str, str]:
    """`path=value` texts as a mapping; the last of several for the same path counts."""
    settings: dict[str, str] = {}
    for text in given:
        path, _, value = (piece.strip() for piece in text.partition("="))
        if not path or not value:
            raise OptionError(f"--set needs OPTION=VALUE, such as --set ess=10, not {text!r}")
        settings[path.replace("__", ".")] = value
    return settings


def _inner_parts(part: Any, prefix: str = "") -> dict[str, Any]:
    """The parts inside a part by dotted path."""
    found: dict[str, Any] = {}
    for option in fields(part):
        value = getattr(part, option.name)
        if is_dataclass(value):
            found[prefix + option.name] = value
            found |= _inner_parts(value, f"{prefix}{option.name}.")
    return found


def _part_path(part: Any, name: str) -> str | None:
    """The path of the inner part that `name` means, or None when it means none."""
    inner = _inner_parts(part)
    matches = [path for path in inner if path == name or path.rpartition(".")[2] == name]
    return matches[0] if len(matches) == 1 else None


def _part_called(kind: str, path: str, present: Any) -> Any:
    from arcwise import catalog

    families = (catalog.SCORES, catalog.DISCRETIZERS, catalog.LEARNERS)
    family: dict[str, Any] = next((group for group in families if present.kind in group), catalog.PARTS)
    if kind not in family:
        raise OptionError(unknown_name(f"value of option {path!r}:", kind, family))
    return family[kind]()


def _option_path(part: Any, name: str) -> str:
    """The full path where the last word is unambiguous, else the name as it is: `configure` says what is wrong."""
    from arcwise.contracts.spec import option_paths

    paths = option_paths(part)
    matches = [path for path in paths if path.rpartition(".")[2] == name]
    return matches[0] if name not in paths and len(matches) == 1 else name
