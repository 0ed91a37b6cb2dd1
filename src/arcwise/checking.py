"""Values held against their announced types: the arguments of public functions, the options of parts, files of JSON.

The annotations of a signature are what is checked, so that no function repeats them: one line above a function or a
dataclass does it. A value of another type is an OptionError that names the argument; what a number may be beyond its
type (a range) is for the function to say. Annotations that nothing can be held against (arrays, names imported for
type checkers only) are passed over.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, wraps
from inspect import Parameter, signature
from math import isfinite, isnan
from numbers import Integral, Real
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

from arcwise.errors import OptionError

Checked = TypeVar("Checked", bound=Callable[..., Any])
# (place inside the value, what belongs there, what stands there); None: nothing is wrong
Fault = tuple[str, str, Any] | None
Check = Callable[[Any], Fault]

WHOLE = 1 << 63  # whole numbers go to compiled code, which counts with 64 bits
SHOWN = 60  # characters of a wrong value
Seed = Annotated[int, "any size"]  # random numbers may start from more than 64 bits
LISTS = (tuple, list, set, frozenset)
WORDS = {type(None): "none", int: "a whole number", float: "a number", bool: "true or false", str: "text"}


def checked(thing: Checked) -> Checked:
    """The same function, or class with the same constructor, that refuses arguments of other types than announced."""
    if not isinstance(thing, type):
        return _guarded(thing, "argument", f" of {thing.__name__}")  # type: ignore[return-value]
    constructor: Any = thing.__init__  # type: ignore[misc]
    thing.__init__ = _guarded(constructor, "option", "", thing)  # type: ignore[misc]
    return thing


def _guarded(function: Callable[..., Any], what: str, of: str, owner: type | None = None) -> Callable[..., Any]:
    names = tuple(signature(function).parameters)
    checks: dict[str, Check] = {}
    ready = False

    @wraps(function)
    def guarded(*args: Any, **options: Any) -> Any:
        nonlocal ready
        if not ready:  # when first used: annotations may name what is defined later
            checks.update(_checks(function, owner))
            ready = True
        for argument, value in (*zip(names, args, strict=False), *options.items()):
            check = checks.get(argument)
            fault = check(value) if check is not None else None
            if fault is not None:
                raise OptionError(f"{what} {argument + fault[0]!r}{of} must be {fault[1]}, not {shown(fault[2])}")
        return function(*args, **options)

    return guarded


def _checks(function: Callable[..., Any], owner: type | None) -> dict[str, Check]:
    """The check of each argument whose annotation can be held against a value."""
    known = vars(sys.modules[(owner or function).__module__])
    from_fields = owner is not None and hasattr(owner, "__dataclass_fields__")
    found: dict[str, Check] = {}
    for name, parameter in signature(function).parameters.items():
        if parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            continue
        hint = parameter.annotation
        if isinstance(hint, str):
            try:
                hint = eval(hint, dict(known))  # the module's own annotation
            except NameError:
                continue
        elif hint is Parameter.empty or (from_fields and hint is Any):
            continue
        check = check_of(hint)
        if check is not None:
            found[name] = check
    return found


def misfit(content: Any, schema: Any) -> str | None:
    """What is wrong with content read from a file, in words: "entry 'nodes[2].name' must be text, not 5"."""
    fault = (check_of(schema, True) or (lambda value: None))(content)
    if fault is None:
        return None
    place, wanted, value = fault
    where = f"entry {place.removeprefix('.')!r}" if place else "it"
    return f"{where} must be {wanted}, not {shown(value)}"


def words(hint: Any) -> str:
    """The type in plain English."""
    if get_origin(hint) is Literal:
        return " or ".join(repr(value) for value in get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        return _words_of_any(get_args(hint))
    if get_origin(hint) is Annotated:
        return words(get_args(hint)[0])
    origin = get_origin(hint) or hint
    if origin in LISTS or (isinstance(origin, type) and origin.__module__ == "collections.abc"):
        return _container_words(origin, get_args(hint))
    if is_typeddict(hint):
        return "a dict"
    if isinstance(getattr(hint, "kind", None), str):  # a part goes by its kind
        return repr(hint.kind)
    return WORDS.get(origin, f"a {getattr(origin, '__name__', str(origin))}")


def _words_of_any(choices: tuple[Any, ...]) -> str:
    """Names that are listed for editors' sake, beside any text, are not listed here."""
    listed = (choice for choice in choices if not (str in choices and get_origin(choice) is Literal))
    return " or ".join(dict.fromkeys(map(words, listed)))


def _container_words(origin: Any, items: tuple[Any, ...]) -> str:
    if origin is Callable:
        return "a function"
    if issubclass(origin, Mapping) or origin is dict:
        return "a dict"
    if origin is tuple and items and items[-1] is not ...:
        return f"a list of {len(items)}"
    item = items[0] if items else Any
    return {str: "a list of names", int: "a list of whole numbers", float: "a list of numbers"}.get(item, "a list")


def shown(value: Any) -> str:
    """The value itself if it is short and plain, else what it is."""
    if isinstance(value, int) and abs(value) >= WHOLE * WHOLE:
        return f"a number of about {int(abs(value).bit_length() * 0.30103) + 1} digits"
    if isinstance(value, type):
        return f"the class {value.__name__}; write {value.__name__}()"
    if value is None or isinstance(value, str | bytes | int | float):
        text = repr(value)
        return text if len(text) <= SHOWN else text[:SHOWN] + "..."
    if isinstance(getattr(value, "kind", None), str):
        return repr(value.kind)
    if type(value) in (list, tuple, dict):
        return f"a {type(value).__name__} of {len(value)}"
    return f"a {type(value).__name__}"


def check_of(hint: Any, strict: bool = False) -> Check | None:
    """The check of a type; None where there is nothing to check. strict: content of JSON, whose numbers are finite."""
    try:
        return _check_of(hint, strict)
    except TypeError:  # a hint that cannot be hashed
        return None


@cache
def _check_of(hint: Any, strict: bool) -> Check | None:
    origin = get_origin(hint)
    if origin is Annotated:
        whole = get_args(hint)[0] is int
        return (lambda value: None if _is_whole(value) else ("", words(int), value)) if whole else None
    if origin is Literal:
        return _one_of(get_args(hint), words(hint))
    if origin in (Union, types.UnionType):
        return _any_of(get_args(hint), strict)
    if hint is type(None) or hint is None:
        return lambda value: None if value is None else ("", "none", value)
    if hint in SIMPLE:
        fits = _is_finite if strict and hint is float else SIMPLE[hint]
        return lambda value: None if fits(value) else ("", _number_words(hint, value), value)
    if is_typeddict(hint):
        return _record(hint)
    if origin is None:
        return _instance(hint)
    return _container(origin, get_args(hint), words(hint), strict)


def _is_whole(value: Any) -> bool:
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def _is_int(value: Any) -> bool:
    return _is_whole(value) and -WHOLE <= value < WHOLE


def is_number(value: Any) -> bool:
    """A number that a float can hold; NaN is none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return not isnan(float(value))
    except OverflowError:
        return False


def _is_finite(value: Any) -> bool:
    return is_number(value) and isfinite(value)


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")  # NumPy's, which is not imported here


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


SIMPLE: dict[Any, Callable[[Any], bool]] = {int: _is_int, float: is_number, bool: _is_bool, str: _is_text}


def _number_words(hint: Any, value: Any) -> str:
    return f"{WORDS[hint]} of at most 64 bits" if hint is int and _is_whole(value) else WORDS[hint]


def _one_of(choices: tuple[Any, ...], wanted: str) -> Check:
    def check(value: Any) -> Fault:
        fits = any(isinstance(value, type(choice)) and value == choice for choice in choices)
        return None if fits else ("", wanted, value)

    return check


def _any_of(choices: tuple[Any, ...], strict: bool) -> Check | None:
    # None first: mostly it is that, and whether a value has what a protocol asks for takes long to tell
    checks = [check_of(choice, strict) for choice in sorted(choices, key=lambda choice: choice is not type(None))]
    if any(check is None for check in checks):
        return None
    wanted = _words_of_any(choices)

    def check(value: Any) -> Fault:
        faults = []
        for one in checks:
            fault = one(value)  # type: ignore[misc]
            if fault is None:
                return None
            faults.append(fault)
        inside = [fault for fault in faults if fault[0]]  # of the right kind, but for a part of it
        return inside[0] if len(inside) == 1 else ("", wanted, value)

    return check


def _instance(hint: Any) -> Check | None:
    """Of this class, or with what a protocol asks for; a class itself is no instance."""
    if not isinstance(hint, type) or hint in (object, Any):
        return None
    if getattr(hint, "_is_protocol", False) and not getattr(hint, "_is_runtime_protocol", False):
        return None
    if hint.__module__.startswith("numpy._typing"):  # whatever can become an array
        return None
    wanted = words(hint)
    return lambda value: None if isinstance(value, hint) and not isinstance(value, type) else ("", wanted, value)


def _container(origin: Any, items: tuple[Any, ...], wanted: str, strict: bool) -> Check | None:
    if origin is Callable:
        return lambda value: None if callable(value) and not isinstance(value, type) else ("", wanted, value)
    if not isinstance(origin, type) or origin.__module__ == "numpy":
        return None
    if issubclass(origin, Mapping):
        return _mapping(check_of(items[0], strict), check_of(items[1], strict), wanted)
    if origin is tuple and items and items[-1] is not ...:
        return _fixed([check_of(item, strict) for item in items], wanted)
    if origin in LISTS or issubclass(origin, Iterable):
        item = items[0] if items else Any
        return _several(origin, check_of(item, strict), wanted, QUICK.get(item))
    return None


def _all_text(values: Collection[Any]) -> bool:
    return set(map(type, values)) <= {str}


def _all_finite(values: Collection[Any]) -> bool:
    try:
        return set(map(type, values)) <= {float, int} and isfinite(sum(values))
    except OverflowError:
        return False


# Whether all values are surely of a type, in one go: long lists are mostly sound, and tables of networks very long.
QUICK: dict[Any, Callable[[Collection[Any]], bool]] = {str: _all_text, float: _all_finite}


def _several(origin: type, item: Check | None, wanted: str, quick: Callable[[Collection[Any]], bool] | None) -> Check:
    allowed: Any = origin if origin not in LISTS else (list, tuple)
    lone_text = origin in LISTS  # which would fall apart into letters; a Sequence may be text

    def check(value: Any) -> Fault:
        if type(value) is not tuple and type(value) is not list:
            if not isinstance(value, allowed) and not (hasattr(value, "dtype") and getattr(value, "ndim", 0) == 1):
                return "", wanted, value
            if isinstance(value, str | bytes):
                return ("", wanted, value) if lone_text or isinstance(value, bytes) else None
            if not isinstance(value, list | tuple | set | frozenset | dict):
                return None  # what can be walked through once only is left alone
        if item is None:
            return None
        if quick is not None and quick(value):
            return None
        for i, one in enumerate(value):
            fault = item(one)
            if fault is not None:
                return f"[{i}]{fault[0]}", fault[1], fault[2]
        return None

    return check


def _fixed(items: list[Check | None], wanted: str) -> Check:
    def check(value: Any) -> Fault:
        if not isinstance(value, list | tuple) or len(value) != len(items):
            return "", wanted, value
        for i, (item, one) in enumerate(zip(items, value, strict=True)):
            fault = item(one) if item is not None else None
            if fault is not None:
                return f"[{i}]{fault[0]}", fault[1], fault[2]
        return None

    return check


def _mapping(key: Check | None, item: Check | None, wanted: str) -> Check:
    def check(value: Any) -> Fault:
        if not isinstance(value, Mapping):
            return "", wanted, value
        for name, one in value.items():
            fault = key(name) if key is not None else None
            if fault is not None:
                return ".keys", fault[1], fault[2]
            fault = item(one) if item is not None else None
            if fault is not None:
                return f"[{shown(name)}]{fault[0]}", fault[1], fault[2]
        return None

    return check


def _record(schema: Any) -> Check:
    """A dict with the entries that a TypedDict announces; more may be there."""
    hints = get_type_hints(schema, include_extras=True)
    checks = {name: check_of(hint, True) for name, hint in hints.items()}
    required: frozenset[str] = schema.__required_keys__

    def check(value: Any) -> Fault:
        if not isinstance(value, Mapping):
            return "", "a dict", value
        for name, item in checks.items():
            if name not in value:
                if name in required:
                    return "", f"a dict with the entry {name!r}", value
                continue
            fault = item(value[name]) if item is not None else None
            if fault is not None:
                return f".{name}{fault[0]}", fault[1], fault[2]
        return None

    return check
