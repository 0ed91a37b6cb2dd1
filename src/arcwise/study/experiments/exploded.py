"""Levels of a column split into several values each, and put together again: how often, as the rows grow more.

Tran calls such a table exploded (chapter 4). The graph is given, the other columns stay as they are, and the search
for thresholds begins with one between any two values. A table whose values were drawn with equal conditional
distributions, as for his table 5.1, has the same distribution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, cast

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.discretize.loop.learn_policy import WorkingTable
from arcwise.discretize.thresholds.neighbourhood import Family, Neighbourhood
from arcwise.errors import OptionError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.networks.streams import stream
from arcwise.parts.monitor import Monitor
from arcwise.parts.protocols import Partition
from arcwise.running import Stopped
from arcwise.stats.threads import at_most
from arcwise.study.cells import Axes, Place, seed_of
from arcwise.study.context import Context, check_entries, numbers, texts, whole
from arcwise.study.drawn_tables import joint, probabilities, weighted
from arcwise.study.policies import chosen_policies, policy_of

ENTRIES = ("networks", "levels", "most", "explosions", "rows", "methods", "tables", "runs")
SPLIT = "X1"
NETWORKS: dict[str, tuple[tuple[str, str], ...]] = {
    "parent": (("X1", "X2"),),
    "child": (("X2", "X1"),),
    "two children": (("X1", "X2"), ("X1", "X3")),
    "one of two parents": (("X1", "X2"), ("X3", "X2")),
}
EXPLOSIONS = ("drawn", "random", "exact")
# The thesis's: level 1 in shares of 1/3 and 2/3, level 2 in 2/7, 4/7 and 1/7, level 3 as it is. So 21 rows of each
# configuration can be divided without a rest.
SHARES = ((1, 2), (2, 4, 1), (1,))
WHOLE = 21


@dataclass(frozen=True, kw_only=True)
class Exploded:
    """networks: what the column is in them. levels: of all columns. most: values that a level is split into.

    explosions: "random" gives each row one of the values of its level, in the shares of the thesis; "drawn" the same in
    drawn shares; "exact" divides the rows of each configuration in the shares of the thesis, so that nothing
    distinguishes values of one level.
    tables: networks, with a table each, in one cell.
    """

    kind: ClassVar[str] = "exploded"

    methods: Mapping[str, Mapping[str, Any]]
    rows: tuple[int, ...]
    networks: tuple[str, ...] = ("parent",)
    levels: tuple[int, ...] = (3,)
    explosions: tuple[str, ...] = ("drawn",)
    most: int = 4
    tables: int = 20
    runs: int = 1

    @staticmethod
    def read(entries: Mapping[str, Any], context: Context) -> Exploded:
        check_entries("it", entries, ENTRIES)
        found = Exploded(
            methods=chosen_policies(context, entries.get("methods")),
            rows=numbers("rows", entries.get("rows"), whole_from=2),
            networks=_known("networks", entries.get("networks", ["parent"]), NETWORKS),
            levels=numbers("levels", entries.get("levels", [3]), whole_from=2),
            explosions=_known("explosions", entries.get("explosions", ["drawn"]), EXPLOSIONS),
            most=whole("most", entries.get("most", 4)),
            tables=whole("tables", entries.get("tables", 20)),
            runs=whole("runs", entries.get("runs", 1)),
        )
        if found.explosions != ("drawn",) and found.levels != (len(SHARES),):
            raise OptionError(f"the thesis's shares are those of {len(SHARES)} levels; set levels = [{len(SHARES)}]")
        if "exact" in found.explosions and any(n % WHOLE for n in found.rows):
            raise OptionError(f'the explosion "exact" divides {WHOLE} rows at a time; let rows be multiples of that')
        return found

    def axes(self) -> Axes:
        return {
            "run": tuple(range(1, self.runs + 1)),
            "network": self.networks,
            "levels": self.levels,
            "explosion": self.explosions,
            "rows": self.rows,
            "method": tuple(self.methods),
        }

    def task(self, place: Place) -> Mapping[str, Any]:
        what = {name: place[name] for name in ("network", "levels", "explosion", "rows")}
        return {**what, "most": self.most, "tables": self.tables, "method": dict(self.methods[str(place["method"])])}

    def shared(self) -> Mapping[str, Any]:
        return {}

    @staticmethod
    def measure(name: str, task: Mapping[str, Any], shared: Mapping[str, Any], monitor: Monitor) -> Mapping[str, Any]:
        """Shares of tables: restored; else levels joined that differ, levels left apart that do not, or both.

        All methods are given the same tables, and tables of all sizes have the same networks.
        """
        seed = seed_of("/".join(name.split("/")[:-2]))
        outcomes: list[tuple[int, int]] = []
        with at_most(1):
            for i in range(task["tables"]):
                if monitor.should_stop():
                    raise Stopped
                data, origin, dag = _exploded(task, seed, i)
                outcomes.append(_errors(found_thresholds(task["method"], data, dag), data, origin))
        joined, apart = np.array(outcomes).T > 0
        return {
            "restored": float(np.mean(~joined & ~apart)),
            "only joined": float(np.mean(joined & ~apart)),
            "only apart": float(np.mean(apart & ~joined)),
            "both": float(np.mean(joined & apart)),
            "thresholds lost": float(np.mean([lost for lost, _ in outcomes])),
            "thresholds too many": float(np.mean([extra for _, extra in outcomes])),
        }


def _known(entry: str, value: Any, known: Sequence[str] | Mapping[str, Any]) -> tuple[str, ...]:
    chosen = tuple(texts(entry, value))
    if not chosen:
        raise OptionError(f"{entry} is empty; name some of {', '.join(known)}")
    for one in chosen:
        if one not in known:
            raise OptionError(unknown_name(f"entry of {entry}:", one, known))
    return chosen


def _exploded(task: Mapping[str, Any], seed: int, i: int) -> tuple[Dataset, IntArray, Dag]:
    """(the table, whose column X1 has values 0, 1, 2, ...; the level that each value comes from; the graph)."""
    arcs = NETWORKS[task["network"]]
    names = tuple(sorted({name for arc in arcs for name in arc}))
    dag = Dag(names, arcs)
    tables, draws = stream(seed, "exploded: tables", i), stream(seed, "exploded: rows", i, task["rows"])
    behind = joint(tables, dag, task["levels"])
    exact = task["explosion"] == "exact"
    rows = task["rows"] // WHOLE if exact else task["rows"]
    counts = draws.multinomial(rows, behind.ravel()).reshape(behind.shape)
    shares = [np.array(one) / sum(one) for one in SHARES]
    if task["explosion"] == "drawn":
        shares = [probabilities(tables, int(n)) for n in tables.integers(1, task["most"] + 1, task["levels"])]
    if exact:
        pieces = [[counts[level] * round(WHOLE * share) for share in own] for level, own in enumerate(shares)]
    else:
        pieces = [_divided(counts[level], own, draws) for level, own in enumerate(shares)]
    origin = np.repeat(np.arange(task["levels"]), [len(own) for own in shares])
    levels = weighted(names, np.array([piece for own in pieces for piece in own])).repeated()
    numbers = Column(SPLIT, Kind.CONTINUOUS, levels.columns[0].values.astype(np.float64))
    return Dataset((numbers, *levels.columns[1:])), origin, dag


def _divided(counts: IntArray, shares: FloatArray, rng: np.random.Generator) -> list[IntArray]:
    """Each row of a level becomes one of its values."""
    drawn = rng.multinomial(counts.ravel(), shares)
    return [drawn[:, k].reshape(counts.shape) for k in range(len(shares))]


class _Finding(Protocol):
    """What the search of every policy can do: find a partition, whatever the present one is."""

    def find(self, around: Neighbourhood) -> tuple[Partition, int]: ...


def found_thresholds(method: Mapping[str, Any], data: Dataset, dag: Dag) -> FloatArray:
    """Those that the method's search for one column ends with, when it begins with all, as it is published."""
    policy, score = policy_of(method)
    values = np.unique(data.column(SPLIT).values)
    table = WorkingTable(data, Discretization({SPLIT: (values[1:] + values[:-1]) / 2}), policy.most_levels(data.n_rows))
    at = {name: position for position, name in enumerate(data.names)}
    families = [Family(at[c], tuple(at[p] for p in dag.parents(c) if p != SPLIT)) for c in dag.children(SPLIT)]
    around = table.around(at[SPLIT], [at[p] for p in dag.parents(SPLIT)], families)
    partition, _ = cast(_Finding, policy.searcher(score, data.n_rows)).find(around)
    inner = partition.starts[1:-1]
    return (around.values[inner - 1] + around.values[inner]) / 2


def _errors(thresholds: FloatArray, data: Dataset, origin: IntArray) -> tuple[int, int]:
    """(thresholds that are missing between values of different levels, those between values of one level)."""
    values = np.unique(data.column(SPLIT).values)
    between = (values[1:] + values[:-1]) / 2
    level = origin[values.astype(np.intp)]
    wanted = {float(at) for at in between[level[1:] != level[:-1]]}
    found = {float(at) for at in thresholds}
    return len(wanted - found), len(found - wanted)
