"""`-` as the name of a file: what would be written there goes to stdout, and all else that is printed to stderr.

A file is known by its suffix, and `-` has none. So each kind has one: results are JSON, tables CSV, graphs the language
of Graphviz, pictures SVG, pages HTML.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from functools import wraps
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import typer

from arcwise.cli.inputs import Command
from arcwise.cli.views.screen import print_data
from arcwise.errors import OptionError

STDOUT = "-"
TABLES = ("simulate", "predict", "complete", "discretize")  # commands whose --out is a table
SUFFIXES = {
    "graph": ".dot",
    "draw": ".svg",
    "table": ".csv",
    "completed": ".csv",
    "strengths": ".csv",
    "report": ".html",
}


def to_stdout(command: Command) -> Command:
    """The same command, in which `-` stands for stdout where an option names a file to write."""
    kinds = {**SUFFIXES, "out": _kind_of_out(command.__name__)}
    own = signature(command, eval_str=True).parameters
    files = [name for name, one in own.items() if name in kinds and _is_option(one.annotation)]

    @wraps(command)
    def with_stdout(**given: Any) -> None:
        chosen = [name for name in files if given.get(name) == STDOUT]
        if not chosen:
            command(**given)
            return
        if len(chosen) > 1 or given.get("json"):
            flags = [*(f"--{name} -" for name in chosen), *(["--json"] if given.get("json") else [])]
            raise OptionError(f"{' and '.join(flags)} both print to stdout; keep one of them")
        with TemporaryDirectory(prefix="arcwise-") as folder:
            path = Path(folder) / f"stdout{kinds[chosen[0]]}"
            try:
                with redirect_stdout(sys.stderr):
                    command(**{**given, chosen[0]: str(path), **({"quiet": True} if "quiet" in own else {})})
            finally:  # a run that was stopped has its answer, too
                if path.exists():
                    print_data(path.read_text(encoding="utf-8"))

    return cast("Command", with_stdout)


def _kind_of_out(name: str) -> str:
    return ".csv" if name in TABLES else {"draw": ".svg", "report": ".html"}.get(name, ".json")


def _is_option(annotation: Any) -> bool:
    """Whether it is typed behind a flag; an argument names a file to read."""
    return any(isinstance(one, typer.models.OptionInfo) for one in getattr(annotation, "__metadata__", ()))
