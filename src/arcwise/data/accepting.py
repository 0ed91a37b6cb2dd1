"""Functions that take data take whatever holds a table: a line above their definition says so."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

from arcwise.data.dataset import Dataset
from arcwise.data.reading.door import Reading, as_dataset, read_alike

Result = TypeVar("Result")
OPTIONS = tuple(Reading.__annotations__)


def takes_table(function: Callable[..., Result]) -> Callable[..., Result]:
    """The same function; its parameter `data` may be anything that `as_dataset` takes, with the options of reading."""
    return _converting(function, lambda owner, data, reading: as_dataset(data, **reading))


def takes_known_table(method: Callable[..., Result]) -> Callable[..., Result]:
    """The same for a method of something that knows the columns: its `read_table` reads them."""
    return _converting(method, lambda owner, data, reading: owner.read_table(data, **reading))


def takes_columns(method: Callable[..., Result]) -> Callable[..., Result]:
    """The same for a method of something whose `columns` are known by their levels."""
    return _converting(method, lambda owner, data, reading: read_alike(data, owner.columns, **reading).repeated())


def _converting(function: Callable[..., Result], read: Callable[[Any, Any, Any], Dataset]) -> Callable[..., Result]:
    position = list(signature(function).parameters).index("data")

    @wraps(function)
    def with_table(*args: Any, **options: Any) -> Result:
        reading = {name: options.pop(name) for name in OPTIONS if name in options}
        if len(args) > position:
            table = read(args[0], args[position], reading)
            args = (*args[:position], table, *args[position + 1 :])
        elif "data" in options:
            options["data"] = read(args[0] if args else None, options["data"], reading)
        return function(*args, **options)

    return with_table
