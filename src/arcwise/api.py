"""What `import arcwise` offers: read a table, learn a network, list the methods."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np

from arcwise import catalog
from arcwise.contracts.knowledge import NONE, Knowledge
from arcwise.contracts.monitor import SILENT, Monitor, stop_on_interrupt, with_deadline
from arcwise.contracts.protocols import Learner
from arcwise.contracts.results import DataSummary, LearnResult
from arcwise.contracts.spec import to_spec
from arcwise.data.dataset import Dataset
from arcwise.data.describe import describe
from arcwise.data.reading import read
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag


def methods() -> tuple[catalog.Method, ...]:
    """Every preset: name, family, the data it accepts, its paper and its options."""
    return tuple(catalog.METHODS.values())


def learn(
    data: Any,
    method: str | Learner = catalog.DEFAULT_METHOD,
    *,
    knowledge: Knowledge | None = None,
    start: Dag | None = None,
    seed: int = 0,
    deadline: float | None = None,
    monitor: Monitor | None = None,
    **options: Any,
) -> LearnResult:
    """Learn a network from a Dataset, a data frame, a NumPy array or a file.

    method: a preset (see `methods()`) or a learner put together by hand. `options` change single settings by their
    path (`search__score__ess=10`) or, where it is unambiguous, by the last word (`ess=10`).
    start: graph to start from, for searches that start from one. deadline: seconds after which the best graph so far
    is returned. Ctrl-C does the same; a second one interrupts. The result's `status` is then "stopped".
    """
    began = time.perf_counter()
    table = as_dataset(data)
    name, learner = _learner(method, options)
    if not isinstance(seed, int) or seed < 0:
        raise OptionError(f"the seed must be a whole number from 0, not {seed!r}")
    if deadline is not None and deadline <= 0:
        raise OptionError(f"the deadline must be a number of seconds above 0, not {deadline!r}")
    watcher = monitor or SILENT
    with ExitStack() as stack:
        watcher = stack.enter_context(stop_on_interrupt(watcher))
        if deadline is not None:
            watcher = with_deadline(watcher, deadline)
        result = learner.learn(
            table,
            rng=np.random.default_rng(seed),
            knowledge=knowledge or NONE,
            monitor=watcher,
            start=start,
        )
    return replace(
        result,
        method=name,
        spec=to_spec(learner),
        seed=seed,
        elapsed=time.perf_counter() - began,
        data=DataSummary(table.n_rows, tuple(describe(table))),
        warnings=(*table.warnings, *_one_level(result), *result.warnings),
        versions=dict(_versions()),
    )


def as_dataset(data: Any) -> Dataset:
    """A Dataset as it is; a path is read, anything else is taken for a frame or an array."""
    if isinstance(data, Dataset):
        return data
    return read(data) if isinstance(data, str | Path) else Dataset.from_frame(data)


def _learner(method: str | Learner, options: Mapping[str, Any]) -> tuple[str, Learner]:
    name, learner = (method, catalog.method(method).learner) if isinstance(method, str) else (method.kind, method)
    return name, catalog.configure(learner, options)


def _one_level(result: LearnResult) -> list[str]:
    if result.discretization is None:
        return []
    flat = [name for name, cuts in result.discretization.thresholds.items() if not len(cuts)]
    return [f"{', '.join(flat)}: one level after discretization, so no edge can be found"] if flat else []


@cache
def _versions() -> dict[str, str]:
    packages = {name: version(name) for name in ("arcwise", "numpy", "numba")}
    return {"python": python_version(), **packages}
