"""`arcwise warm`: compile all kernels now, so that no later run has to."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from arcwise.cli.inputs import option
from arcwise.cli.views.screen import console, note
from arcwise.errors import ArcwiseError
from arcwise.printing import counted, duration

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset

Names = Annotated[
    list[str] | None, typer.Argument(metavar="[METHOD]...", help="Only these methods: arcwise warm steck ges")
]
Quiet = Annotated[bool, option("--quiet -q", "Print nothing but errors: arcwise warm --quiet")]

KINDS = ("continuous", "discrete", "ordered", "mixed")  # of tables, as api.table_kind tells them apart
ROWS = 80
SOME_ROWS = 600  # with fewer the score copula does not look for values from elsewhere
MANY_ROWS = 70_000  # more than one block of rows, which are counted in parallel
# What needs kernels, too
OTHERS = [*(("fit", kind) for kind in KINDS), ("many-rows", "discrete"), ("large-tables", "continuous")]


def warm(methods: Names = None, quiet: Quiet = False) -> None:
    """Compile the numerical kernels of all methods, so that no later run has to: for images and shared machines.

    In as many processes as there are cores (the environment variable ARCWISE_THREADS changes that). What is compiled
    already stays as it is.

    Example: arcwise warm
    """
    from arcwise import catalog
    from arcwise._kernels import places
    from arcwise._kernels.ahead import compile_ahead, missing
    from arcwise.stats.threads import n_threads

    if places.to_write() is None:
        raise ArcwiseError(f"compiled kernels cannot be kept: {places.unwritable()}")
    tasks = [(catalog.method(name).name, kind) for name in methods or catalog.METHODS for kind in KINDS]
    tasks += [] if methods else OTHERS
    needs = sorted({need for task in tasks for need in missing(*task)}, key=lambda need: -need.seconds)
    began = time.monotonic()
    with _bar(len(needs), quiet) as ready:
        compile_ahead(needs, n_threads(), ready, lambda: False)
    left = len({need for task in tasks for need in missing(*task)})
    if left:
        raise ArcwiseError(
            f"{left} of {counted(len(needs), 'kernel')} could not be compiled or kept in {places.to_write()}; see "
            "that there is room, or set NUMBA_CACHE_DIR to another folder"
        )
    if not quiet:
        passed = duration(time.monotonic() - began)
        note(f"compiled {counted(len(needs), 'kernel')} in {passed}" if needs else "all kernels were compiled already")


def run(name: str, kind: str) -> None:
    """Something that needs the kernels of a task: every method learns from such a table."""
    from arcwise import api

    if name == "fit":
        _fit(made_up(kind, ROWS), kind)
    elif name == "large-tables":
        _count(made_up(kind, ROWS))
    elif name in ("copula", "smooth"):  # which has the score of copula inside
        table = made_up(kind, SOME_ROWS)
        api.learn(table, name)
        api.learn(_with_ties(table), name)
    else:
        table = made_up(kind, MANY_ROWS if name == "many-rows" else ROWS)
        api.learn(table, "hill-climb" if name == "many-rows" else name)


def _with_ties(table: Dataset) -> Dataset:
    """The first column of numbers rounded to whole ones."""
    from dataclasses import replace

    from arcwise.data.dataset import Dataset, Kind

    numbers = [column.name for column in table.columns if column.kind is Kind.CONTINUOUS][:1]
    columns = (replace(one, values=one.values.round()) if one.name in numbers else one for one in table.columns)
    return Dataset(tuple(columns))


def _fit(table: Dataset, kind: str) -> None:
    """Every model that such columns can have."""
    from arcwise.graph.dag import Dag
    from arcwise.networks.models.fit import fit

    dag = Dag(table.names, list(zip(table.names, table.names[1:], strict=False)))
    for model in {"continuous": ("gaussian", "neural"), "discrete": ("cpt", "neural")}.get(kind, ("neural",)):
        net = fit(dag, table, model)
        net.log_density(table)
        net.sample(10, seed=0)


def _count(table: Dataset) -> None:
    """Tables of counts that are large, and one that is too large to be laid out."""
    import numpy as np

    from arcwise.discretize import EqualFrequency
    from arcwise.scores import BDeu

    bound = BDeu().bind(EqualFrequency(bins=12).fit(table).apply(table))
    bound.local_scores(0, np.array([[1, 2], [1, 3], [1, 4], [1, -1]]))
    bound.local_score(0, [1, 2, 3, 4])


def made_up(kind: str, n_rows: int) -> Dataset:
    """A chain of five columns: numbers, levels, or numbers with two columns of levels (ordered or not) among them."""
    import numpy as np

    from arcwise.data.dataset import Dataset

    rng = np.random.default_rng(0)
    values = np.cumsum(rng.normal(size=(5, n_rows)), axis=0)
    columns = {f"x{j}": row for j, row in enumerate(values)}
    discrete = {"continuous": [], "discrete": list(columns)}.get(kind, ["x1", "x4"])
    for name in discrete:
        cut = np.digitize(columns[name], [-0.5, 0.5])
        columns[name] = cut if kind == "ordered" else np.array(["one", "three", "two"])[cut]
    return Dataset.from_frame(columns, **{"ordered" if kind == "ordered" else "discrete": discrete})  # type: ignore[arg-type]


@contextmanager
def _bar(total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A function that is told how many kernels are ready; it shows a bar on a terminal."""
    if quiet or not sys.stderr.isatty() or not total:
        yield lambda ready: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    parts = (TextColumn("compiling"), BarColumn(), MofNCompleteColumn(), TextColumn("kernels"), TimeElapsedColumn())
    with Progress(*parts, console=console(stderr=True), transient=True) as progress:
        bar = progress.add_task("", total=total)
        yield lambda ready: progress.update(bar, completed=ready)
