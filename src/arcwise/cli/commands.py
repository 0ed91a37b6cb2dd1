"""The commands of the program, wired together."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer
from typer.main import get_command

from arcwise import compiling
from arcwise.cli.blanket import blanket
from arcwise.cli.bootstrap import bootstrap
from arcwise.cli.compare import compare
from arcwise.cli.complete import complete
from arcwise.cli.discretize import discretize
from arcwise.cli.fit import fit
from arcwise.cli.inputs import option
from arcwise.cli.learn import learn
from arcwise.cli.main import TRACEBACK
from arcwise.cli.methods import methods
from arcwise.cli.metrics import metrics
from arcwise.cli.predict import predict
from arcwise.cli.query import query
from arcwise.cli.score import score
from arcwise.cli.simulate import simulate
from arcwise.cli.study import study
from arcwise.cli.test import test
from arcwise.cli.views.screen import print_text
from arcwise.cli.warm import warm

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=False, rich_markup_mode=None)
COMMANDS = (
    learn, bootstrap, compare, discretize, fit, query, predict, blanket, complete, simulate, score, metrics, test,
    methods, warm,
)  # fmt: skip
for command in COMMANDS:
    app.command()(command)
app.add_typer(study, name="study")


def invoke(arguments: list[str]) -> int:
    """Run one command; its exit code. Errors are passed on."""
    program = get_command(app)
    try:
        with compiling.announced(), program.make_context("arcwise", arguments) as context:
            program.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


def _print_version(wanted: bool) -> None:
    if wanted:
        print_text(f"arcwise {version('arcwise')}")
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool, option("--version", "Print the version: arcwise --version", is_eager=True, callback=_print_version)
    ] = False,
    traceback: Annotated[
        bool, typer.Option(TRACEBACK, help="Show where an internal error came from; works after a command too.")
    ] = False,
) -> None:
    """Learn the structure of Bayesian networks from continuous, discrete and mixed data.

    Example: arcwise learn @abalone --draw abalone.svg
    """
