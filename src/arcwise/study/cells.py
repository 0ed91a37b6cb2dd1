"""The cells of an experiment: one for each combination of the values along its axes, seeded by its own name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from typing import Any, ClassVar, Protocol, runtime_checkable

from arcwise.data.text_files import as_json
from arcwise.parts.monitor import Monitor

Value = str | int | float
Axes = Mapping[str, Sequence[Value]]
Place = Mapping[str, Value]  # where a cell is along each axis
DIGEST = 8  # letters


@runtime_checkable
class Experiment(Protocol):
    """What a plan asks for under one name; a frozen dataclass whose fields are what stands in the plan."""

    kind: ClassVar[str]

    @staticmethod
    def read(entries: Mapping[str, Any], context: Any) -> Experiment:
        """What stands in a plan, checked; context: the methods and sources of the plan, see `study.context`."""
        ...

    def axes(self) -> Axes:
        """Every cell has one value of each. The first axis changes slowest, so that what is listed first ends first."""
        ...

    def task(self, place: Place) -> Mapping[str, Any]:
        """All that the outcome of this cell depends on beside its name and what is shared; what JSON can hold."""
        ...

    def shared(self) -> Mapping[str, Any]:
        """What several cells need and is too large for a task: tables that were read from files, by their names."""
        ...

    @staticmethod
    def measure(name: str, task: Mapping[str, Any], shared: Mapping[str, Any], monitor: Monitor) -> Mapping[str, Any]:
        """Work on one cell: numbers, text or lists by the names of what was measured.

        An ArcwiseError is a cell that failed, in words; `running.Stopped` is raised where the monitor asked to stop.
        """
        ...


@dataclass(frozen=True, slots=True)
class Cell:
    """name: of the experiment and the values along its axes, "simulated/1/alarm/500/steck"."""

    experiment: str
    place: Place
    name: str
    task: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The name and a digest of the task: a cell that the plan now asks for otherwise is another one."""
        return f"{self.name} {sha256(as_json(dict(self.task)).encode()).hexdigest()[:DIGEST]}"


def cells_of(name: str, experiment: Experiment, axes: Axes) -> Iterator[Cell]:
    """axes: those of the experiment, or some of the values of each."""
    for values in product(*axes.values()):
        place = dict(zip(axes, values, strict=True))
        task = {"kind": experiment.kind, **experiment.task(place)}
        yield Cell(name, place, "/".join([name, *map(str, values)]), task)


def seed_of(name: str) -> int:
    """The start of the random numbers that belong to this name."""
    return int.from_bytes(sha256(name.encode()).digest()[:6], "big")
