"""What can be measured of a learned network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from arcwise import metrics
from arcwise.data.dataset import Dataset
from arcwise.errors import DataError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.judging.held_out import constant_columns, fitted
from arcwise.results.result import Counters, LearnResult
from arcwise.scores import KGV, BDeu, total
from arcwise.study.readings import families, kernel_score
from arcwise.study.sources import Table

TEST_BDEU = BDeu(ess=10, arc_prior=1 / 11)  # as Brown, Tsamardinos and Aliferis judge by


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What a method made of a table. seconds: of one thread, without compiling.

    peer: the other library that learned, with its version; none for arcwise.
    """

    table: Table
    found: LearnResult
    seconds: float
    peer: str = ""

    @property
    def counters(self) -> Counters:
        if self.peer:
            raise DataError(f"{self.peer} does not tell how much it asked for; leave out what counts its work")
        return self.found.counters

    @property
    def program(self) -> str:
        return self.peer or f"arcwise {version('arcwise')}"

    @property
    def truth(self) -> Dag:
        if self.table.truth is None:
            raise DataError("nobody knows the network behind a real table; leave out what compares with it")
        return self.table.truth

    @property
    def test(self) -> Dataset:
        if self.table.test is None:
            raise DataError("there are no rows to judge by; set test-rows in the plan")
        return self.table.test

    @property
    def pattern(self) -> Pdag:
        if self.found.only_skeleton:
            raise DataError("a skeleton has no directions; measure extra and missing edges of it")
        return self.found.cpdag

    @property
    def skeleton_errors(self) -> metrics.SkeletonErrors:
        return metrics.skeleton_errors(self.found.cpdag, self.truth)

    def kernel_score(self, penalty: float, *, both_ways: bool = False) -> float:
        """both_ways: edges of a pattern without one direction count both ways; a DAG that was found stays as it is."""
        found = self.found.cpdag if both_ways and self.found.graph is None else self.found.dag()
        return kernel_score(families(found), self.table.train, penalty)


def _density(one: Learned) -> float:
    """ln p of what is recorded in a row that was not learned from, in nats, on average."""
    network = fitted(one.found, one.table.train)
    found = network.log_density(one.test)
    for name in constant_columns(one.table.train):
        found = found - network.log_density(one.test, name)
    return float(np.mean(found))


def _graph(one: Learned) -> dict[str, list[Any]]:
    """The nodes and edges of the pattern, by the columns' own names."""
    own, pattern = one.table.own_names, one.found.cpdag
    edges = {"directed": pattern.directed, "undirected": pattern.undirected, "bidirected": pattern.bidirected}
    found = {kind: sorted([own[a], own[b]] for a, b in pairs) for kind, pairs in edges.items()}
    return {"nodes": sorted(own[name] for name in pattern.names), **found}


MEASURES: dict[str, tuple[str, Callable[[Learned], Any]]] = {
    "shd": ("structural Hamming distance, Tsamardinos's", lambda one: metrics.shd(one.pattern, one.truth)),
    "shd-fu": (
        "structural Hamming distance, Fu's",
        lambda one: metrics.shd(one.pattern, one.truth, convention="fu"),
    ),
    "edges": ("edges", lambda one: one.found.cpdag.n_edges),
    "extra": ("extra edges (commission)", lambda one: one.skeleton_errors.commission),
    "missing": ("missing edges (omission)", lambda one: one.skeleton_errors.omission),
    "errors": ("extra and missing edges", lambda one: one.skeleton_errors.commission + one.skeleton_errors.omission),
    "extra-share": ("extra edges for each true one", lambda one: one.skeleton_errors.extra_ratio),
    "missing-share": ("missing edges for each true one", lambda one: one.skeleton_errors.missing_ratio),
    "f1": ("F1 of the skeleton", lambda one: one.skeleton_errors.f1),
    "seconds": ("seconds of one thread", lambda one: round(one.seconds, 6)),
    "calls": ("scores asked for, and tests", lambda one: one.counters.score_asked + one.counters.tests),
    "computed": ("scores computed, and tests", lambda one: one.counters.score_computed + one.counters.tests),
    "tests": ("tests", lambda one: one.counters.tests),
    "cut-calls": ("scores of thresholds", lambda one: one.counters.discretization_calls),
    "kgv": ("kernel score of the network", lambda one: total(KGV(), one.found.dag(), one.table.train)),
    "kgv-half": ("kernel score with half of its penalty", lambda one: one.kernel_score(0.5)),
    "kgv-fit": ("kernel score without its penalty", lambda one: one.kernel_score(0.0)),
    "kgv-half-both-ways": (
        "kernel score with half of its penalty, edges without one direction both ways",
        lambda one: one.kernel_score(0.5, both_ways=True),
    ),
    "test-bdeu": ("BDeu of new rows", lambda one: total(TEST_BDEU, one.found.dag(), one.test)),
    "density": ("log density of new rows, nats a row", _density),
    "graph": ("the edges", _graph),
    "program": ("the library that learned, and its version", lambda one: one.program),
}


def measured(one: Learned, names: tuple[str, ...]) -> Mapping[str, Any]:
    """By name; a number that is not finite is left out, as JSON has none."""
    found = {name: MEASURES[name][1](one) for name in names}
    return {name: value for name, value in found.items() if not (isinstance(value, float) and not np.isfinite(value))}
