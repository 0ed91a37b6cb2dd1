"""How often the scores of all 25 graphs on three nodes find the graph behind a table, as the rows grow more.

Tran shows one table of 100,000 rows (tables 2.3 and 3.1). Here many networks are drawn as he does, each with tables of
several sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from arcwise.graph.dag import Dag
from arcwise.networks.streams import stream
from arcwise.parts.monitor import Monitor
from arcwise.running import Stopped
from arcwise.stats.threads import at_most
from arcwise.study.cells import Axes, Place, seed_of
from arcwise.study.context import Context, check_entries, numbers, whole
from arcwise.study.drawn_tables import joint, weighted
from arcwise.study.three_nodes import CLASSES, GRAPHS, SCORES, TRUE, all_scores

NODES = ("X1", "X2", "X3")


@dataclass(frozen=True, kw_only=True)
class GraphRecovery:
    """rows: of the tables. levels: of each node. tables: networks, with a table each, in one cell."""

    kind: ClassVar[str] = "graph-recovery"

    rows: tuple[int, ...]
    levels: int = 6
    tables: int = 20
    runs: int = 1

    @staticmethod
    def read(entries: Mapping[str, Any], context: Context) -> GraphRecovery:
        check_entries("it", entries, ("rows", "levels", "tables", "runs"))
        return GraphRecovery(
            rows=numbers("rows", entries.get("rows"), whole_from=2),
            levels=whole("levels", entries.get("levels", 6), 2),
            tables=whole("tables", entries.get("tables", 20)),
            runs=whole("runs", entries.get("runs", 1)),
        )

    def axes(self) -> Axes:
        return {"run": tuple(range(1, self.runs + 1)), "rows": self.rows}

    def task(self, place: Place) -> Mapping[str, Any]:
        return {"rows": place["rows"], "levels": self.levels, "tables": self.tables}

    def shared(self) -> Mapping[str, Any]:
        return {}

    @staticmethod
    def measure(name: str, task: Mapping[str, Any], shared: Mapping[str, Any], monitor: Monitor) -> Mapping[str, Any]:
        """For each score: the share of tables with the right class, and of those with too many or too few edges.

        A miss with as many edges as there should be has others. The networks of a run are the same at all sizes.
        """
        truth = Dag(NODES, [(NODES[a], NODES[b]) for a, b in GRAPHS[TRUE - 1]])
        seed = seed_of(name.rpartition("/")[0])
        edges: dict[str, list[tuple[bool, int]]] = {score: [] for score in SCORES}
        with at_most(1):
            for i in range(task["tables"]):
                if monitor.should_stop():
                    raise Stopped
                behind = joint(stream(seed, "network on three nodes", i), truth, task["levels"])
                rows = stream(seed, "rows on three nodes", i, task["rows"])
                counts = rows.multinomial(task["rows"], behind.ravel()).reshape(behind.shape)
                found = all_scores(weighted(NODES, counts))
                for score, of_score in edges.items():
                    best = min(GRAPHS, key=lambda arcs: found[arcs][score])
                    of_score.append((best in CLASSES[4], len(best)))
        return {key: value for score, one in edges.items() for key, value in _shares(score, one).items()}


def _shares(score: str, found: list[tuple[bool, int]]) -> dict[str, float]:
    wanted = len(GRAPHS[TRUE - 1])
    return {
        score: float(np.mean([right for right, _ in found])),
        f"{score}: too many edges": float(np.mean([n > wanted for _, n in found])),
        f"{score}: too few edges": float(np.mean([n < wanted for _, n in found])),
    }
