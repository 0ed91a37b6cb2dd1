"""Options that every command has, wherever they stand: how many threads, and whether to say what is done."""

from __future__ import annotations

from copy import copy
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, cast, get_args

from arcwise.cli.inputs import Command, option


def set_threads(threads: int | None) -> int | None:
    if threads is not None:
        from arcwise.stats.threads import threads as use

        use(threads)
    return threads


def set_verbose(verbose: bool) -> bool:
    if verbose:
        from arcwise.cli.views.steps import tell

        tell()
    return verbose


Threads = Annotated[
    int | None,
    option("--threads", "Use so many threads; the answer stays the same: --threads 2", "N", callback=set_threads),
]
Verbose = Annotated[
    bool,
    option("--verbose -v", "Say on stderr what is done, and how long it takes: --verbose", callback=set_verbose),
]


def everywhere(command: Command) -> Command:
    """The same command with these options; its own page of help leaves them to that of the program."""

    @wraps(command)
    def with_options(**given: Any) -> None:
        command(**{name: value for name, value in given.items() if name not in added})

    added = {
        "threads": Parameter("threads", Parameter.KEYWORD_ONLY, default=None, annotation=_hidden(Threads)),
        "verbose": Parameter("verbose", Parameter.KEYWORD_ONLY, default=False, annotation=_hidden(Verbose)),
    }
    own = signature(command, eval_str=True)
    parameters = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in own.parameters.values()] + [*added.values()]
    with_options.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {one.name: one.annotation for one in parameters}
    return cast("Command", with_options)


def _hidden(shown: Any) -> Any:
    kind, info = get_args(shown)
    again = copy(info)
    again.hidden = True
    return Annotated[kind, again]
