"""All graphs on the three columns of a table, each with its scores (Tran 2013, tables 2.3 and 3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from arcwise.data.dataset import Dataset, Kind
from arcwise.errors import OptionError
from arcwise.parts.monitor import Monitor
from arcwise.study.cells import Axes, Place
from arcwise.study.context import Context, check_entries
from arcwise.study.three_nodes import GRAPHS, all_scores, words


@dataclass(frozen=True, kw_only=True)
class ExactScores:
    """sources: tables with three discrete columns, the nodes 1, 2 and 3."""

    kind: ClassVar[str] = "exact-scores"

    sources: Mapping[str, Mapping[str, Any]]
    tables: Mapping[str, Dataset] = field(default_factory=dict)  # what was read from files, by source

    @staticmethod
    def read(entries: Mapping[str, Any], context: Context) -> ExactScores:
        check_entries("it", entries, ("sources",))
        sources, tables = context.chosen_sources(entries.get("sources", []))
        for name, source in sources.items():
            if "data" not in source:
                raise OptionError(f"source {name!r} is not a table; give the name of a file")
            if tables[source["data"]].kinds != (Kind.DISCRETE,) * 3:
                raise OptionError(f"source {name!r} must have three columns, all discrete; drop or declare columns")
        return ExactScores(sources=sources, tables=tables)

    def axes(self) -> Axes:
        return {"source": tuple(self.sources), "graph": tuple(range(1, len(GRAPHS) + 1))}

    def task(self, place: Place) -> Mapping[str, Any]:
        arcs = GRAPHS[int(place["graph"]) - 1]
        return {"table": self.sources[str(place["source"])]["data"], "arcs": [list(arc) for arc in arcs]}

    def shared(self) -> Mapping[str, Any]:
        return self.tables

    @staticmethod
    def measure(name: str, task: Mapping[str, Any], shared: Mapping[str, Any], monitor: Monitor) -> Mapping[str, Any]:
        data, arcs = shared[task["table"]], tuple((a, b) for a, b in task["arcs"])
        return {"arcs": words(arcs, data.names), **all_scores(data)[arcs]}
