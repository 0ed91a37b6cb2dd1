"""The `arcwise` program: its commands, and what becomes of errors, Ctrl-C and closed pipes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from traceback import print_exc
from typing import Annotated

import typer
from typer.main import get_command

from arcwise import compiling
from arcwise.cli.discretize import discretize
from arcwise.cli.fit import fit
from arcwise.cli.learn import INTERRUPTED, learn
from arcwise.cli.methods import methods
from arcwise.cli.metrics import metrics
from arcwise.cli.score import score
from arcwise.cli.screen import note, prepare_streams
from arcwise.cli.simulate import simulate
from arcwise.cli.test import test
from arcwise.cli.warm import warm
from arcwise.errors import ArcwiseError

WRONG_INPUT = 2
INTERNAL_ERROR = 70
CLOSED_PIPE = 141  # what a shell reports for a program ended by SIGPIPE
TRACEBACK = "--traceback"

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=False, rich_markup_mode=None)
for command in (learn, discretize, fit, simulate, score, metrics, test, methods, warm):
    app.command()(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"arcwise {version('arcwise')}")
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version: arcwise --version"),
    ] = False,
    traceback: Annotated[
        bool, typer.Option(TRACEBACK, help="Show where an internal error came from; works after a command too.")
    ] = False,
) -> None:
    """Learn the structure of Bayesian networks from continuous, discrete and mixed data.

    Example: arcwise learn @abalone --draw abalone.svg
    """


def run() -> None:
    """Entry point of the program."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command and return the exit code; an error is one line on stderr."""
    prepare_streams()
    given = [word for word in arguments if word != TRACEBACK] or ["--help"]
    try:
        code = _invoke(given)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout once more at exit; nobody reads it, so it goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except ArcwiseError as error:
        return _fail(f"error: {error}", WRONG_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", INTERRUPTED)
    except Exception as error:
        if hasattr(error, "format_message"):  # a usage error; its class has moved between versions of typer
            return _fail(f"error: {_usage_text(error)}", WRONG_INPUT)
        if TRACEBACK in arguments:
            print_exc()
            return INTERNAL_ERROR
        reason = f"{type(error).__name__}: {error}"
        return _fail(f"internal error: {reason}; run again with {TRACEBACK}", INTERNAL_ERROR)
    return code


def _invoke(arguments: list[str]) -> int:
    program = get_command(app)
    try:
        with compiling.announced(), program.make_context("arcwise", arguments) as context:
            program.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


def _fail(text: str, code: int) -> int:
    note(" ".join(text.split()))
    return code


def _usage_text(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "arcwise"
    message = str(error.format_message()).rstrip(".")  # type: ignore[attr-defined]
    return f"{message}; see {path} --help"
