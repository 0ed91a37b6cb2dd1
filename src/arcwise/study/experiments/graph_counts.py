"""How many graphs there are on a few nodes, and how many classes of equivalent ones (Tran 2013, table 2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from arcwise.graph.enumerate import class_numbers, count_dags
from arcwise.parts.monitor import Monitor
from arcwise.study.cells import Axes, Place
from arcwise.study.context import Context, check_entries, numbers

MOST_LISTED = 5  # nodes whose graphs are listed one by one: 29,281


@dataclass(frozen=True, kw_only=True)
class GraphCounts:
    kind: ClassVar[str] = "graph-counts"

    nodes: tuple[int, ...]

    @staticmethod
    def read(entries: Mapping[str, Any], context: Context) -> GraphCounts:
        check_entries("it", entries, ("nodes",))
        return GraphCounts(nodes=numbers("nodes", entries.get("nodes"), whole_from=1))

    def axes(self) -> Axes:
        return {"nodes": self.nodes}

    def task(self, place: Place) -> Mapping[str, Any]:
        return {"nodes": place["nodes"]}

    def shared(self) -> Mapping[str, Any]:
        return {}

    @staticmethod
    def measure(name: str, task: Mapping[str, Any], shared: Mapping[str, Any], monitor: Monitor) -> Mapping[str, Any]:
        nodes = task["nodes"]
        listed = {"classes": len(set(class_numbers(nodes).tolist()))} if nodes <= MOST_LISTED else {}
        return {"graphs": count_dags(nodes), **listed}
