"""Parts as plain data and back: every part is a frozen dataclass of options, so its fields are its specification."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import field, fields, is_dataclass, replace
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from arcwise.checking import words
from arcwise.errors import OptionError, unknown_name

Part = TypeVar("Part")
LATER = "later"  # of the metadata of a field: see `later`


def to_spec(part: Any) -> dict[str, Any]:
    """{"kind": ..., option: value, ...}, nested parts likewise. Round trip: `catalog.from_spec`."""
    spec: dict[str, Any] = {"kind": part.kind}
    for option in fields(part):
        value = getattr(part, option.name)
        if not (option.metadata.get(LATER) and value == option.default):
            spec[option.name] = to_spec(value) if is_dataclass(value) else _plain(value)
    return spec


def later(default: Any) -> Any:
    """An option that a part got when specifications of it had been stored: at its default it is left out of them.

    So what is stored under an earlier specification, such as the results of a study, is still found.
    """
    return field(default=default, metadata={LATER: True})


def kinds_of(part: Any) -> tuple[Any, ...]:
    """The kind of a part and those of the parts inside it, nested as they are."""
    inner = (part for _, part in _walk(part, "", deep=False) if is_dataclass(part))
    return (part.kind, *map(kinds_of, inner))


def members(value: Any) -> dict[str, Any]:
    """The parts in a tuple of parts by kind (a second one of a kind: "boss-2"); none in anything else."""
    if not isinstance(value, tuple) or not all(map(is_dataclass, value)):
        return {}
    found: dict[str, Any] = {}
    for part in value:
        again = sum(one.kind == part.kind for one in found.values())
        found[f"{part.kind}-{again + 1}" if again else part.kind] = part
    return found


def _plain(value: Any) -> Any:
    """As JSON gives it back: lists for tuples, Python's numbers for NumPy's."""
    if isinstance(value, tuple):
        return [to_spec(item) if is_dataclass(item) else _plain(item) for item in value]
    return value.item() if hasattr(value, "dtype") else value


def describe(part: Any) -> str:
    """The part in a few words: its kind and its options."""
    return ", ".join([part.kind, *(f"{path}={value}" for path, value in option_paths(part).items())])


def with_options(part: Part, options: Mapping[str, Any]) -> Part:
    """A copy with options changed by dotted path: {"search.score.ess": 10}. Text is read as the option's type.

    All at once: an option may need another one to be valid.
    """
    return _with_options(part, "", options)


def option_paths(part: Any, prefix: str = "") -> dict[str, Any]:
    """Every option of a part by dotted path, with its present value; a tuple of parts by their names."""
    return parts_and_options(part, prefix)[1]


def parts_and_options(part: Any, prefix: str = "") -> tuple[dict[str, Any], dict[str, Any]]:
    """The parts inside a part, and its options, by dotted path."""
    found = dict(_walk(part, prefix))
    inner = {path: value for path, value in found.items() if is_dataclass(value)}
    return inner, {path: tuple(members(value)) or value for path, value in found.items() if path not in inner}


def _walk(part: Any, prefix: str, deep: bool = True) -> Iterator[tuple[str, Any]]:
    for option in fields(part):
        path, value = prefix + option.name, getattr(part, option.name)
        yield path, value
        for name, member in members(value).items():
            yield f"{path}.{name}", member
            if deep:
                yield from _walk(member, f"{path}.{name}.")
        if is_dataclass(value) and deep:
            yield from _walk(value, f"{path}.")


def _with_options(part: Part, prefix: str, options: Mapping[str, Any]) -> Part:
    """The same for a part that stands at `prefix` in another; paths without it."""
    names = [option.name for option in fields(part)]  # type: ignore[arg-type]
    changes: dict[str, Any] = {}
    for key, value in _by_first_word(options):
        if key not in names:
            path = key if not isinstance(value, dict) else f"{key}.{next(iter(value))}"
            raise OptionError(unknown_name("option", prefix + path, [prefix + name for name in option_paths(part)]))
        if not isinstance(value, dict):
            changes[key] = _read_option(part, prefix, key, value)
            continue
        old = changes.get(key, getattr(part, key))
        if not is_dataclass(old) and not members(old):
            path = f"{prefix}{key}.{next(iter(value))}"
            raise OptionError(f"option {path!r} does not exist: {key!r} has no options of its own")
        within = f"{prefix}{key}."
        changes[key] = _with_options(old, within, value) if is_dataclass(old) else _with_members(old, within, value)
    return replace(part, **changes)  # type: ignore[type-var]


def _with_members(parts: tuple[Any, ...], prefix: str, options: Mapping[str, Any]) -> tuple[Any, ...]:
    """The same for a tuple of parts."""
    found = members(parts)
    for name, value in _by_first_word(options):
        if name not in found:
            raise OptionError(unknown_name("option", prefix + name, [prefix + known for known in found]))
        found[name] = _with_options(found[name], f"{prefix}{name}.", value) if isinstance(value, dict) else value
    return tuple(found.values())


def _by_first_word(options: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Values by the first word of their paths, those of whole words first; those of longer paths as a dictionary."""
    yield from ((path, value) for path, value in options.items() if "." not in path)
    longer: dict[str, dict[str, Any]] = {}
    for path, value in options.items():
        word, dot, rest = path.partition(".")
        if dot:
            longer.setdefault(word, {})[rest] = value
    yield from longer.items()


def _read_option(part: Any, prefix: str, key: str, value: Any) -> Any:
    old, path = getattr(part, key), prefix + key
    if is_dataclass(old) and not is_dataclass(value):
        raise OptionError(f"option {path!r} is made of parts; set one of {', '.join(option_paths(old, path + '.'))}")
    kind: Any = type(part)
    return _read(path, _hints(kind)[key], value)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(path: str, hint: Any, value: Any) -> Any:
    """Read text as the option's type; other values must already have it."""
    choices = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    if value == "none" and type(None) in choices:  # before it is taken for a name
        return None
    for choice in choices:
        try:
            return _read_as(choice, value)
        except ValueError:
            continue
    wanted = " or ".join(_type_name(choice) for choice in choices)
    raise OptionError(f"option {path!r} must be {wanted}, not {value!r}")


def _read_as(choice: Any, value: Any) -> Any:
    if get_origin(choice) is Literal:
        if value in get_args(choice):
            return value
    elif choice is type(None):
        if value is None or value == "none":
            return None
    elif choice is bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "false"):
            return value.lower() == "true"
    elif get_origin(choice) is tuple:  # of names; on the command line with commas between them
        if isinstance(value, str):
            return tuple(name.strip() for name in value.split(","))
        if isinstance(value, list | tuple) and all(isinstance(name, str) or is_dataclass(name) for name in value):
            return tuple(value)
    elif choice is int:
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            return int(value)
    elif choice is float:
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return float(value)
    elif (isinstance(choice, type) and isinstance(value, choice)) or is_dataclass(value):
        return value
    raise ValueError


def _type_name(choice: Any) -> str:
    return "names with commas between them" if get_origin(choice) is tuple else words(choice)
