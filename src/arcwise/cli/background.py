"""Background knowledge from a file and from the command line, together."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcwise.cli.arguments import split_edge, split_names
from arcwise.errors import ArcwiseError, FileError

if TYPE_CHECKING:
    from arcwise.parts.knowledge import Knowledge


def read_knowledge(
    file: str | None,
    required: Iterable[str] | None,
    forbidden: Iterable[str] | None,
    tiers: Iterable[str] | None,
) -> Knowledge:
    """The edges and tiers of `file` and then those of the options; the tiers of the options come last."""
    from arcwise.parts.knowledge import Knowledge

    known = _read_file(file) if file else Knowledge()
    return Knowledge(
        required=(*known.required, *(split_edge(text, "--required") for text in required or ())),
        forbidden=(*known.forbidden, *(split_edge(text, "--forbidden") for text in forbidden or ())),
        tiers=(*known.tiers, *(split_names([text]) for text in tiers or ())),
    )


def _read_file(path: str) -> Knowledge:
    """A .json or .toml file with the lists `required`, `forbidden` (of "a->b" or ["a", "b"]) and `tiers`."""
    from arcwise.data.text_files import parse_json, parsed, read_text
    from arcwise.parts.knowledge import Knowledge

    suffix = Path(path).suffix.lower()
    if suffix not in (".json", ".toml"):
        raise FileError(f"{path}: unknown suffix {suffix!r} for knowledge; use .json or .toml")
    text = read_text(path)
    try:
        content = parse_json(text) if suffix == ".json" else parsed(lambda: tomllib.loads(text))
    except FileError as error:
        raise FileError(f"{path} is not {suffix[1:].upper()} ({error}); mend that place") from None
    if not isinstance(content, dict) or not all(isinstance(entry, list) for entry in content.values()):
        raise FileError(f"{path} must hold the lists required, forbidden and tiers, or some of them")
    try:
        return Knowledge.from_dict({key: [_entry(item, key) for item in entry] for key, entry in content.items()})
    except ArcwiseError as error:
        raise FileError(f"{path}: {error}") from None


def _entry(item: Any, key: str) -> Any:
    if key != "tiers":
        return split_edge(item, key) if isinstance(item, str) else item
    if not isinstance(item, list) or not all(isinstance(name, str) for name in item):
        raise FileError(f"a tier must be a list of column names, not {item!r}")
    return item
