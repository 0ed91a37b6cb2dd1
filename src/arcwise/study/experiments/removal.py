"""Thresholds of a column removed one at a time, and what the score of the rest says (Tran 2013, table 5.1).

Two columns, X1 -> X2. Values of X1 in one group have the same conditional distribution of X2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Any, ClassVar

import numpy as np

from arcwise.checking import shown
from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.discretize import joint_score
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.networks.streams import stream
from arcwise.parts.monitor import Monitor
from arcwise.scores import MDL
from arcwise.stats.threads import at_most
from arcwise.study.cells import Axes, Place, seed_of
from arcwise.study.context import Context, check_entries, numbers, whole
from arcwise.study.drawn_tables import probabilities, weighted
from arcwise.study.policies import chosen_policies, policy_of

ENTRIES = ("groups", "parent", "child", "levels", "rows", "methods", "runs")
NAMES = ("X1", "X2")
GRAPH = Dag(NAMES, [NAMES])


@dataclass(frozen=True, kw_only=True)
class Removal:
    """groups: of the values of X1, "12|345|6". parent: probabilities of the values, none: drawn for each run.

    child: the distribution of X2 for each group, none: drawn, over so many levels.
    """

    kind: ClassVar[str] = "removal"

    methods: Mapping[str, Mapping[str, Any]]
    groups: str
    rows: tuple[int, ...]
    parent: tuple[float, ...] | None = None
    child: tuple[tuple[float, ...], ...] | None = None
    levels: int = 3
    runs: int = 1

    @staticmethod
    def read(entries: Mapping[str, Any], context: Context) -> Removal:
        check_entries("it", entries, ENTRIES)
        groups = entries.get("groups", "")
        if not isinstance(groups, str) or groups.replace("|", "") != "123456789"[: len(groups.replace("|", ""))]:
            raise OptionError(f'groups must be the values 1, 2, 3, ... with | between groups, "12|3", not {groups!r}')
        n_groups, n_values = len(groups.split("|")), len(groups.replace("|", ""))
        if n_values < 2 or not all(groups.split("|")):
            raise OptionError(f'groups must have two values or more, and no empty group, "12|3", not {groups!r}')
        parent = entries.get("parent")
        child = entries.get("child")
        if parent is not None:
            parent = _distribution("parent", parent, n_values)
        if child is not None:
            if not isinstance(child, list) or len(child) != n_groups:
                raise OptionError(f"child must have a distribution for each of the {n_groups} groups")
            levels = len(child[0]) if isinstance(child[0], list) else 0
            child = tuple(_distribution("child", one, max(levels, 2)) for one in child)
        return Removal(
            methods=chosen_policies(context, entries.get("methods")),
            groups=groups,
            rows=numbers("rows", entries.get("rows"), whole_from=2),
            parent=parent,
            child=child,
            levels=whole("levels", entries.get("levels", 3), 2) if child is None else len(child[0]),
            runs=whole("runs", entries.get("runs", 1)),
        )

    def axes(self) -> Axes:
        return {
            "run": tuple(range(1, self.runs + 1)),
            "rows": self.rows,
            "method": tuple(self.methods),
            "partition": partitions(self.groups),
        }

    def task(self, place: Place) -> Mapping[str, Any]:
        return {
            "groups": self.groups,
            "parent": self.parent,
            "child": self.child,
            "levels": self.levels,
            "rows": place["rows"],
            "method": dict(self.methods[str(place["method"])]),
            "partition": place["partition"],
        }

    def shared(self) -> Mapping[str, Any]:
        return {}

    @staticmethod
    def measure(name: str, task: Mapping[str, Any], shared: Mapping[str, Any], monitor: Monitor) -> Mapping[str, Any]:
        """score: of the partition. change: how much worse that is than all thresholds; below 0 it is better.

        no worse: whether the thresholds are removed by the thesis's rule, which takes a tie for that, too.
        Description lengths also have their local part, in which X1, without parents, has no parameters of its own
        (the thesis) or r - 1 of them.
        """
        policy, score = policy_of(task["method"])
        with at_most(1):
            data = _table(task, seed_of("/".join(name.split("/")[:-2])))
            seen = np.unique(data.columns[0].values)

            def value(partition: str) -> tuple[float, int]:
                cuts = _thresholds(partition, seen)
                return joint_score(policy, data, GRAPH, Discretization({"X1": cuts}), score=score), len(cuts) + 1

            (all_of_them, most), (found, r) = value(_single(task["groups"])), value(task["partition"])
        values = {"score": found, "change": all_of_them - found, "no worse": float(found >= all_of_them)}
        if not isinstance(policy.network_score(score), MDL):
            return values
        per_level = log(data.n_rows) / 2
        rest = log(task["levels"]) + 3 * log(2)  # names of X2's levels, numbers of parents, and the parent
        change = values["change"] + per_level * (most - r)
        return values | {
            "DL local": -found - rest - per_level * (r - 1),
            "DL local (1 for none)": -found - rest,
            "change (0 for none)": change,
            "no worse (0 for none)": float(change <= 0),
        }


def _distribution(entry: str, value: Any, length: int) -> tuple[float, ...]:
    if not isinstance(value, list) or len(value) != length or not all(_is_share(one) for one in value):
        raise OptionError(f"{entry} must be {length} probabilities, not {shown(value)}")
    if abs(sum(value) - 1) > 1e-9:
        raise OptionError(f"{entry} must be probabilities that add up to 1, not {sum(value):g}")
    return tuple(map(float, value))


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1


def _single(groups: str) -> str:
    return "|".join(groups.replace("|", ""))


def partitions(groups: str) -> tuple[str, ...]:
    """All thresholds, each of them removed, and those between the groups alone."""
    values = groups.replace("|", "")
    one_less = ("|".join([*values[:k], values[k : k + 2], *values[k + 2 :]]) for k in range(len(values) - 1))
    return tuple(dict.fromkeys([_single(groups), *one_less, groups]))


def _thresholds(partition: str, seen: FloatArray) -> FloatArray:
    """Those of a partition that have a value on either side."""
    sizes = np.cumsum([len(group) for group in partition.split("|")])[:-1]
    cuts = sizes + 0.5
    level = np.searchsorted(cuts, seen)
    return cuts[np.unique(level)[1:] - 1]


def _table(task: Mapping[str, Any], seed: int) -> Dataset:
    """Rows of X1, as numbers from 1, and of X2."""
    groups = task["groups"].split("|")
    drawn = stream(seed, "removal: tables")
    parent = probabilities(drawn, sum(map(len, groups))) if task["parent"] is None else np.array(task["parent"])
    child = probabilities(drawn, len(groups), task["levels"]) if task["child"] is None else np.array(task["child"])
    behind = parent[:, None] * np.repeat(child, [len(group) for group in groups], axis=0)
    counts = stream(seed, "removal: rows").multinomial(task["rows"], behind.ravel()).reshape(behind.shape)
    levels = weighted(NAMES, counts).repeated()
    numbered = Column("X1", Kind.CONTINUOUS, levels.columns[0].values.astype(np.float64) + 1)
    return Dataset((numbered, *levels.columns[1:]))
