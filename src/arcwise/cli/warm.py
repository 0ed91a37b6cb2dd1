"""`arcwise warm`: compile all kernels now, so that no later run has to."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset

Names = Annotated[
    list[str] | None, typer.Argument(metavar="[METHOD]...", help="Only these methods: arcwise warm steck ges")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors: arcwise warm --quiet")]

KINDS = ("continuous", "discrete", "mixed")
ROWS = 80
MANY_ROWS = 40_000  # more than one block of rows, which are counted in parallel


def warm(methods: Names = None, quiet: Quiet = False) -> None:
    """Compile the numerical kernels of all methods, so that no later run has to: for images and shared machines.

    Every method learns from small made-up tables, in parallel processes. What is compiled already stays as it is.

    Example: arcwise warm
    """
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    from arcwise import catalog
    from arcwise.cli.screen import note
    from arcwise.contracts.summary import duration
    from arcwise.stats.threads import n_threads

    names = [catalog.method(name).name for name in methods or catalog.METHODS]
    began = time.monotonic()
    tasks = [(name, kind) for kind in KINDS for name in names]
    tasks += [] if methods else [("fit", kind) for kind in KINDS] + [("many rows", "discrete")]
    compiled = 0
    with ProcessPoolExecutor(n_threads(), get_context("spawn")) as pool, _bar(len(tasks), quiet) as advance:
        waiting = {pool.submit(run, *task): task for task in tasks}
        try:
            for done in as_completed(waiting):
                compiled += done.result()
                advance(" ".join(waiting[done]))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if not quiet:
        passed = duration(time.monotonic() - began)
        note(f"compiled {compiled} kernels in {passed}" if compiled else "all kernels were compiled already")


def run(name: str, kind: str) -> int:
    """One task, in a process of its own: how many kernels were compiled."""
    from arcwise import api, compiling

    before = compiling.state().kernels
    with compiling.watched(lambda now: None):
        if name == "fit":
            _fit(made_up(kind, ROWS), kind)
        else:
            table = made_up(kind, MANY_ROWS if name == "many rows" else ROWS)
            api.learn(table, "hill-climb" if name == "many rows" else name)
    return compiling.state().kernels - before


def _fit(table: Dataset, kind: str) -> None:
    """Every model that such columns can have."""
    from arcwise.graph.dag import Dag
    from arcwise.models.fit import fit

    dag = Dag(table.names, list(zip(table.names, table.names[1:], strict=False)))
    for model in {"continuous": ("gaussian", "neural"), "discrete": ("cpt", "neural"), "mixed": ("neural",)}[kind]:
        net = fit(dag, table, model)
        net.log_density(table)
        net.sample(10, seed=0)


def made_up(kind: str, n_rows: int) -> Dataset:
    """A chain of five columns: numbers, levels, or numbers with two columns of levels among them."""
    import numpy as np

    from arcwise.data.dataset import Dataset

    rng = np.random.default_rng(0)
    values = np.cumsum(rng.normal(size=(5, n_rows)), axis=0)
    levels = [f"level {c}" for c in range(3)]
    columns: dict[str, object] = {}
    for j, row in enumerate(values):
        cut = np.digitize(row, [-0.5, 0.5])
        discrete = kind == "discrete" or (kind == "mixed" and j in (1, 4))
        columns[f"x{j}"] = [levels[c] for c in cut] if discrete else row
    return Dataset.from_frame(columns)


@contextmanager
def _bar(total: int, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A function that is told of every task done; it shows a bar on a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda task: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from arcwise.cli.screen import console

    parts = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        TextColumn("compiling"), *parts, TextColumn("{task.description}"), console=console(stderr=True)
    ) as progress:
        bar = progress.add_task("", total=total)
        yield lambda task: progress.update(bar, advance=1, description=task)
