"""The commands of the program, wired together."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Any, ClassVar

import typer
from typer.main import get_command

from arcwise import compiling
from arcwise.cli.blanket import blanket
from arcwise.cli.bootstrap import bootstrap
from arcwise.cli.check import check
from arcwise.cli.code import code
from arcwise.cli.compare import compare
from arcwise.cli.complete import complete
from arcwise.cli.completion import VARIABLE, answer, completing
from arcwise.cli.discretize import discretize
from arcwise.cli.draw import draw
from arcwise.cli.everywhere import Threads, Verbose, everywhere
from arcwise.cli.fit import fit
from arcwise.cli.inputs import option
from arcwise.cli.learn import learn
from arcwise.cli.main import TRACEBACK
from arcwise.cli.methods import methods
from arcwise.cli.metrics import metrics
from arcwise.cli.predict import predict
from arcwise.cli.program import Program
from arcwise.cli.query import query
from arcwise.cli.report import report
from arcwise.cli.score import score
from arcwise.cli.simulate import simulate
from arcwise.cli.study import study
from arcwise.cli.test import test
from arcwise.cli.to_stdout import to_stdout
from arcwise.cli.views.screen import print_text
from arcwise.cli.views.steps import end as end_steps
from arcwise.cli.warm import warm

# What each is for in a line of the page of help; the page of a command begins with its own words.
GROUPS: dict[str, dict[Callable[..., None] | typer.Typer, str]] = {
    "Learn a network": {
        learn: "Learn a network from a table.",
        bootstrap: "How sure each edge is: learn from many resamples.",
        compare: "Which method suits a table: judge them by unseen rows.",
        methods: "List the methods, or one of them with its options.",
        report: "Write a saved result as a page to look at.",
        draw: "Draw a graph, a saved result or a network.",
    },
    "Look at a table": {
        check: "All that is odd about a table, and a recipe that settles it.",
        code: "Code a table in many files, larger than memory.",
        discretize: "Cut continuous columns into levels.",
        test: "Are two columns independent, given others?",
    },
    "Use a network": {
        fit: "Give a graph its numbers: a model for every node.",
        query: "Probabilities and means, given evidence or an intervention.",
        predict: "Predict a column in each row of a table.",
        blanket: "The columns that tell all there is to know about one.",
        complete: "Fill in the missing cells of a table.",
        simulate: "Draw rows from a network.",
    },
    "Judge a network": {
        score: "Score a graph on a table, node by node.",
        metrics: "Compare a learned graph with the true one.",
    },
    "Run many": {
        study: "Many methods on many tables by a plan.",
        warm: "Compile all methods now, so that no run has to.",
    },
}


def _name(command: Any) -> str:
    return "study" if command is study else str(command.__name__)


class Arcwise(Program):
    GROUPS: ClassVar = {title: [_name(one) for one in commands] for title, commands in GROUPS.items()}


app = typer.Typer(
    cls=Arcwise, context_settings={"help_option_names": ["-h", "--help"]}, pretty_exceptions_enable=False,
    no_args_is_help=False, rich_markup_mode=None,
)  # fmt: skip
for command, line in (pair for commands in GROUPS.values() for pair in commands.items()):
    if isinstance(command, typer.Typer):
        for within in command.registered_commands:
            within.callback = everywhere(completing(within.callback)) if within.callback else None
        app.add_typer(command, name=_name(command), short_help=line)
    else:
        app.command(short_help=line)(everywhere(to_stdout(completing(command))))


def invoke(arguments: list[str]) -> int:
    """Run one command; its exit code. Errors are passed on."""
    program = get_command(app)
    if os.environ.get(VARIABLE):
        answer(program, arguments)
    try:
        with compiling.announced(), program.make_context("arcwise", arguments, obj=tuple(arguments)) as context:
            program.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    finally:
        end_steps()
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
    threads: Threads = None,
    verbose: Verbose = False,
    traceback: Annotated[bool, typer.Option(TRACEBACK, help="Show where an internal error came from.")] = False,
) -> None:
    """Learn the structure of Bayesian networks from continuous, discrete and mixed data.

    Example: arcwise learn @abalone --draw abalone.svg

    -v, --threads and --traceback may also stand behind a command. 'arcwise learn --help' explains one of them.
    """
