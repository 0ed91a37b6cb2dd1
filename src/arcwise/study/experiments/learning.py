"""Methods that learn networks from tables: the tables of several sources, sizes and kinds of noise, several times."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from arcwise.catalog import configure, from_spec
from arcwise.data.dataset import Dataset
from arcwise.data.text_files import as_json
from arcwise.errors import DataError, OptionError, unknown_name
from arcwise.learners.completed import completing
from arcwise.learners.draws import Draws
from arcwise.parts.monitor import Monitor, with_deadline
from arcwise.parts.protocols import Learner
from arcwise.problem import Problem, result
from arcwise.results.result import LearnResult
from arcwise.running import Stopped
from arcwise.stats.threads import at_most
from arcwise.study.cells import Axes, Place, seed_of
from arcwise.study.context import Context, check_entries, numbers, texts, whole
from arcwise.study.measures import MEASURES, Learned, measured
from arcwise.study.readings import one_off
from arcwise.study.sources import Table, Wanted, make

ENTRIES = ("sources", "methods", "measures", "rows", "noise", "runs", "test-rows")
WARM = 10.0  # seconds: with so many it does not matter that a process loads kernels when it first uses them
_used: set[tuple[str, int]] = set()  # methods and sizes of tables that this process has its kernels for


@dataclass(frozen=True, kw_only=True)
class Learning:
    """sources, methods: as the plan defines them, by name. rows: none for all rows of real tables."""

    kind: ClassVar[str] = "learn"

    sources: Mapping[str, Mapping[str, Any]]
    methods: Mapping[str, Mapping[str, Any]]
    measures: tuple[str, ...]
    rows: tuple[int, ...] = ()
    noise: tuple[float, ...] = ()
    runs: int = 1
    test_rows: int = 0
    tables: Mapping[str, Dataset] = field(default_factory=dict)  # what was read from files, by source

    @staticmethod
    def read(entries: Mapping[str, Any], context: Context) -> Learning:
        check_entries("it", entries, ENTRIES)
        sources, tables = context.chosen_sources(entries.get("sources", []))
        measures = tuple(texts("measures", entries.get("measures", ["edges", "seconds"])))
        for name in measures:
            if name not in MEASURES:
                raise OptionError(unknown_name("measure", name, MEASURES))
        methods = context.chosen_methods(entries.get("methods"))
        if not methods:
            raise OptionError("there are no methods; write some below [methods]")
        return Learning(
            sources=sources,
            methods=methods,
            measures=measures,
            rows=numbers("rows", entries["rows"], whole_from=2) if "rows" in entries else (),
            noise=numbers("noise", entries["noise"]) if "noise" in entries else (),
            runs=whole("runs", entries.get("runs", 1)),
            test_rows=whole("test-rows", entries.get("test-rows", 0), 0),
            tables=tables,
        )

    def axes(self) -> Axes:
        found: dict[str, Any] = {"run": tuple(range(1, self.runs + 1)), "source": tuple(self.sources)}
        found |= {"rows": self.rows} if self.rows else {}
        found |= {"noise": self.noise} if self.noise else {}
        return {**found, "method": tuple(self.methods)}

    def task(self, place: Place) -> Mapping[str, Any]:
        return {
            "source": dict(self.sources[str(place["source"])]),
            "rows": place.get("rows"),
            "noise": place.get("noise"),
            "test-rows": self.test_rows,
            "method": dict(self.methods[str(place["method"])]),
            "measures": list(self.measures),
        }

    def shared(self) -> Mapping[str, Any]:
        return self.tables

    @staticmethod
    def measure(name: str, task: Mapping[str, Any], shared: Mapping[str, Any], monitor: Monitor) -> Mapping[str, Any]:
        """All methods are given the same table: it is seeded by the name without the method."""
        table_name, _, _ = name.rpartition("/")
        wanted = Wanted(task["rows"], task["test-rows"], task["noise"], seed_of(table_name))
        with at_most(1):
            table = make(task["source"], wanted, shared)
            method, seed = task["method"], seed_of(name)
            if "one-off" in method and table.truth is not None:
                table = replace(table, truth=one_off(table.truth, list(table.own_names)))
            if "peer" in method:
                from arcwise.study.peers import learned_by

                one = learned_by(method, table, seed)
                late = one.seconds > task["limit"]
            else:
                one = _learned(method, table, seed, with_deadline(monitor, task["limit"]))
                late = one.found.status != "converged" and "time-of" not in method
            if monitor.should_stop():
                raise Stopped
            if late:
                raise DataError(f"it took longer than {task['limit']:g} seconds")
            return measured(one, tuple(task["measures"]))


def _learned(method: Mapping[str, Any], table: Table, seed: int, monitor: Monitor) -> Learned:
    """time-of: another method, whose time on this table, so many `times`, is all that this one has."""
    learner = from_spec(method["spec"])
    if "time-of" in method:
        other = _timed(from_spec(method["time-of"]), table.train, seed, monitor)[1]
        learner = configure(learner, {"seconds": max(method["times"] * other, 1e-3)})
    found, seconds = _timed(learner, table.train, seed, monitor, method["spec"])
    return Learned(table, found, seconds)


def _timed(
    learner: Learner, data: Dataset, seed: int, monitor: Monitor, spec: Mapping[str, Any] | None = None
) -> tuple[LearnResult, float]:
    """What was learned, and the time of this thread. The first time that a process does it, it does it twice."""
    known = as_json(dict(spec)) if spec is not None else repr(learner), data.n_rows
    found, seconds = _solved(learner, data, seed, monitor)
    if known not in _used and seconds < WARM and not monitor.should_stop():
        found, seconds = _solved(learner, data, seed, monitor)
    _used.add(known)
    return found, seconds


def _solved(learner: Learner, data: Dataset, seed: int, monitor: Monitor) -> tuple[LearnResult, float]:
    began = time.thread_time()
    learner = completing(learner, data, Draws())
    problem = Problem.of(data, rng=np.random.default_rng(seed), monitor=monitor)
    found = result(problem, learner.solve(problem), data.names, learner)
    return found, time.thread_time() - began
