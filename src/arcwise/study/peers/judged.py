"""What a peer learned from a table, in the form that methods of arcwise are measured in."""

from __future__ import annotations

import time
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.text_files import as_json
from arcwise.discretize.bins.equal_frequency import EqualFrequency
from arcwise.errors import DataError, OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.results.result import LearnResult
from arcwise.study.measures import Learned
from arcwise.study.peers.asked import REMEDY, Algorithm, Asked, View
from arcwise.study.peers.catalog import PEERS
from arcwise.study.sources import Table

WARM = 10.0  # seconds: with so many it does not matter that a process loads a library when it first uses it
_used: set[str] = set()  # methods that this process has used


def learned_by(method: Mapping[str, Any], table: Table, seed: int) -> Learned:
    """method: as `checked_peer` gives it.

    seconds: of the processor, from our table to the graph, with the libraries' own threads. The network is judged
    with the conditional model of the methods of arcwise that take columns for the same: "cpt" like equal-frequency,
    "gaussian" like gaussian.
    """
    peer = PEERS[method["peer"]]
    algorithm = peer.algorithms[method["algorithm"]]
    by = method[algorithm.word]
    view, model = algorithm.choices[by]
    program = f"{peer.distribution} {_version(peer.distribution)}"
    if view is View.NUMBERS:
        _check_numbers(table.train)

    def once() -> tuple[Dag | Pdag, Discretization | None, float]:
        began = time.process_time()
        cuts = _cuts(algorithm, table.train, method["bins"]) if view is View.LEVELS else None
        data = table.train if cuts is None else cuts.apply(table.train)
        found = algorithm.run(Asked(data, by, seed))
        return found, cuts, time.process_time() - began

    found, cuts, seconds = once()
    known = as_json(dict(method))
    if known not in _used and seconds < WARM:
        found, cuts, seconds = once()
    _used.add(known)
    return Learned(table, _result(found, cuts, model), seconds, program)


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        raise OptionError(f"{distribution} is not installed; install it ({REMEDY}), then run with --retry") from None


def _check_numbers(data: Dataset) -> None:
    if any(column.kind is not Kind.CONTINUOUS for column in data.columns):
        raise DataError("this method of another library takes numbers only, and the table has levels; leave it out")


def _cuts(algorithm: Algorithm, data: Dataset, bins: int) -> Discretization | None:
    """None where there is nothing to cut."""
    if all(column.kind is Kind.DISCRETE for column in data.columns):
        return None
    return algorithm.cut(data, bins) if algorithm.cut else EqualFrequency(bins=bins).fit(data)


def _result(found: Dag | Pdag, cuts: Discretization | None, model: str) -> LearnResult:
    """A pattern without any direction has a graph, too: the peer looked for directions, and found that all will do."""
    if isinstance(found, Dag):
        return LearnResult(found.cpdag(), found, discretization=cuts, model=model)
    directions = found.directed or found.bidirected
    graph = None if directions else found.best_effort_extension()[0]
    return LearnResult(found, graph, discretization=cuts, model=model)
