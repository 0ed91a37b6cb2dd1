"""What a shell completes behind an option: methods, bundled tables and networks after an @, columns of the table.

Where there is nothing to offer, shells offer files.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any

import typer

from arcwise.cli.inputs import Command

VARIABLE = "_ARCWISE_COMPLETE"  # a shell asks by it
BYTES = 1_000_000  # of a header, at most


def completing(command: Command) -> Command:
    """The same command; shells know what can follow its options, by their names."""
    for parameter in signature(command, eval_str=True).parameters.values():
        for info in getattr(parameter.annotation, "__metadata__", ()):
            if parameter.name in OFFERS and hasattr(info, "autocompletion"):
                info.autocompletion = OFFERS[parameter.name]
    return command


def answer(program: Any, arguments: list[str]) -> None:
    """What a shell asked for; the process ends with it."""
    _join_bundled()
    program.main(args=arguments, prog_name="arcwise", standalone_mode=False)


def _join_bundled() -> None:
    """Bash takes the @ of @cars1 for a word of its own, but puts what is offered in the place of both."""
    words, place = os.environ.get("COMP_WORDS", "").split("\n"), os.environ.get("COMP_CWORD", "")
    if os.environ.get(VARIABLE) == "complete_bash" and place.isdigit() and "@" in words:
        at = words.index("@")
        os.environ["COMP_WORDS"] = "\n".join([*words[:at], "".join(words[at : at + 2]), *words[at + 2 :]])
        if int(place) > at:
            os.environ["COMP_CWORD"] = str(int(place) - 1)


def _methods(incomplete: str) -> list[str]:
    from typing import get_args

    from arcwise.method_names import MethodName

    return _beginning(get_args(MethodName), incomplete)


def _bundled_tables(incomplete: str) -> list[str]:
    if not incomplete.startswith("@"):
        return []
    from arcwise import datasets

    return _beginning((f"@{name}" for name in datasets.names()), incomplete)


def _bundled_networks(incomplete: str) -> list[str]:
    if not incomplete.startswith("@"):
        return []
    from arcwise import networks

    return _beginning((f"@{name}" for name in networks.names()), incomplete)


def _columns(ctx: typer.Context, incomplete: str) -> list[str]:
    """The columns of DATA; of a list with commas its last entry is completed."""
    before, comma, last = incomplete.rpartition(",")
    data = ctx.params.get("data") or next(iter(ctx.args), "")  # an option without its value ends the reading of words
    return [before + comma + name for name in _beginning(_header(str(data)), last)]


def _header(data: str) -> list[str]:
    if data.startswith("@"):
        from arcwise import datasets

        return list(datasets.load(data[1:]).names)
    if Path(data).suffix.lower() not in (".csv", ".tsv", ".txt"):
        import polars as pl

        return pl.scan_parquet(data).collect_schema().names()
    with open(data, encoding="utf-8-sig") as file:
        line = file.readline(BYTES)
    separator = max(",;\t|", key=line.count)
    return next(csv.reader([line.rstrip("\r\n")], delimiter=separator), [])


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _silent(offer: Callable[..., list[str]]) -> Callable[..., list[str]]:
    """A key was pressed: nobody wants to hear why there is nothing to offer."""

    @wraps(offer)
    def found(*arguments: Any, **named: Any) -> list[str]:
        with suppress(Exception):
            return offer(*arguments, **named)
        return []

    return found


_BY_NAME: dict[Callable[..., list[str]], tuple[str, ...]] = {
    _methods: ("method", "methods"),
    _bundled_tables: ("data",),
    _bundled_networks: ("network",),
    _columns: ("continuous", "discrete", "ordered", "drop", "weights", "target", "given"),
}
OFFERS = {name: _silent(offer) for offer, names in _BY_NAME.items() for name in names}
