"""JSON as it was meant: each name once in an object, and numbers that are numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from arcwise.checking import misfit, shown
from arcwise.data.text_files import read_text
from arcwise.errors import ArcwiseError, FileError

Content = TypeVar("Content")


def load_json(path: str | Path, what: str, build: Callable[[Any], Content]) -> Content:
    """What `build` makes of a JSON file; an error names the file, and the line or the entry."""
    text = read_text(path)
    try:
        return build(parse_json(text))
    except ArcwiseError as error:
        raise FileError(f"{path} is no {what}: {error}") from None


def parse_json(text: str) -> Any:
    """The content of JSON text; FileError for what is no JSON, or could mean two things."""
    return parsed(lambda: json.loads(text, object_pairs_hook=_distinct, parse_constant=_refuse))


def parsed(read: Callable[[], Any]) -> Any:
    """What a parser of the standard library gives, its errors in one sentence each."""
    try:
        return read()
    except json.JSONDecodeError as error:
        raise FileError(f"line {error.lineno}: not JSON ({error.msg})") from None
    except RecursionError:
        raise FileError("lists or objects stand in each other too deep to be read") from None
    except ValueError as error:
        words = "a number has too many digits" if "integer string conversion" in str(error) else str(error)
        raise FileError(words) from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"the entry {shown(twice)} is given twice")
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")


def check_content(content: Any, schema: Any, error: type[ArcwiseError]) -> None:
    """Refuse content of another shape than the TypedDict `schema`; the error names the entry."""
    wrong = misfit(content, schema)
    if wrong is not None:
        raise error(wrong)
