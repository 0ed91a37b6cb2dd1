"""Options that belong together, as one value: a dataclass of them stands for one parameter of a command."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar, cast

Command = TypeVar("Command", bound=Callable[..., None])


def grouped(**groups: type) -> Callable[[Command], Command]:
    """The same command with the options of each group in place of the parameter of this name, which takes a keyword."""
    options = {name: signature(group, eval_str=True).parameters for name, group in groups.items()}

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_options(**given: Any) -> None:
            made = {name: group(**{one: given.pop(one) for one in options[name]}) for name, group in groups.items()}
            command(**given, **made)

        parameters: list[Parameter] = []
        for name, own in signature(command, eval_str=True).parameters.items():
            inside = options[name].values() if name in options else ()
            parameters += [one.replace(kind=Parameter.KEYWORD_ONLY) for one in inside] or [own]
        with_options.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        with_options.__annotations__ = {one.name: one.annotation for one in parameters}
        return cast("Command", with_options)

    return decorate
