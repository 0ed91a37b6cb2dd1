"""Working on the cells of a plan: on several processes or a cluster, each kept when it is finished."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from arcwise.checking import checked
from arcwise.parts.monitor import SILENT, Monitor
from arcwise.running import Store
from arcwise.running import run as run_pieces
from arcwise.study.experiments import KINDS
from arcwise.study.figures import check_figure
from arcwise.study.plan import Plan
from arcwise.study.results import Results
from arcwise.study.tables.spec import TableSpec

# A learner looks at its limit now and then. A process that does not is ended when so many times as much is over, and
# what it may take to load and compile what it needs, which does not count.
GRACE, LOADING = 1.25, 60.0


@checked
def run(
    plan: Plan,
    store: str | Path,
    *,
    quick: bool = False,
    workers: int | None = None,
    scheduler: Any = None,
    retry: bool = False,
    monitor: Monitor = SILENT,
) -> Results:
    """Work on all cells of the plan, or on those of its quick part, that the store does not have yet.

    What comes out depends neither on the order nor on the number of workers. retry: cells that failed are tried again.
    """
    _check_what_is_made(plan)
    cells = plan.cells(quick=quick)
    run_pieces(
        measure,
        plan.shared(),
        {cell.key: {"name": cell.name, **cell.task, "limit": plan.limit} for cell in cells},
        workers=workers,
        scheduler=scheduler,
        store=Store(store, what(plan)),
        monitor=monitor,
        phase=plan.name,
        limit=GRACE * plan.limit + LOADING,
        again=retry,
    )
    return Results.load(plan, store, quick=quick)


def _check_what_is_made(plan: Plan) -> None:
    """Refuse tables and figures that could not be made of the results, before there are any."""
    for name, entries in plan.tables.items():
        TableSpec.of(name, entries, plan)
    for name, entries in plan.figures.items():
        check_figure(name, entries)


def what(plan: Plan) -> dict[str, Any]:
    """What a store holds. Options are in the keys of the cells, so that a plan may grow."""
    return {"work": "study", "study": plan.name, "arcwise": version("arcwise")}


def measure(shared: Mapping[str, Any], task: Mapping[str, Any], monitor: Monitor) -> Mapping[str, Any]:
    """What was measured in one cell. What keeps it from that is kept as its failure: it would come again."""
    return KINDS[task["kind"]].measure(task["name"], task, shared, monitor)
