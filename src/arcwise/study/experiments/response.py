"""The parents of one column, the response: found on bins (A1) or with the neural score (A2), as Monti and Cooper ask.

A1 cuts every column into bins of equal frequency and searches the parents with the K2 score; A2 searches with the
prequential score of neural networks on the values as they are. Both then train a network for the response on the
values as they are, and are judged by rows that they have not seen: mean squared error, and minus the log density.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, cast

import numpy as np

from arcwise.checking import shown
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize.bins.equal_frequency import EqualFrequency
from arcwise.errors import DataError, OptionError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.learners.two_stage import TwoStage
from arcwise.networks.models.fit import fit
from arcwise.networks.network import Network
from arcwise.networks.simulators import random_mixture_network
from arcwise.parts.monitor import Monitor, with_deadline
from arcwise.parts.protocols import Learner
from arcwise.problem import Problem
from arcwise.running import Stopped
from arcwise.scores import K2, NeuralPrequential
from arcwise.search import K2Search
from arcwise.stats.threads import at_most
from arcwise.study.cells import Axes, Place, seed_of
from arcwise.study.context import Context, check_entries, numbers, texts, whole
from arcwise.study.sources import Wanted, make

Order = Literal["bic", "hold-out"]
ALGORITHMS = ("A1", "A2")
ORDERS = ("bic", "hold-out")
REAL = ("responses", "test-share")
SIMULATED = ("rows", "parents", "components", "test-rows")
ENTRIES = (*REAL, *SIMULATED, "orders", "bins", "runs")
WARM_ROWS = 60
_warm: set[Order] = set()  # what this process has its kernels for


@dataclass(frozen=True, kw_only=True)
class Response:
    """responses: the column of each source that is asked about; none: simulated mixtures of linear models.

    orders: how the number of components of a network is chosen. bins: of A1. test_share: of the rows of a real table.
    rows, parents, components: of the simulated tables, with as many test_rows each.
    """

    kind: ClassVar[str] = "response"

    responses: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    test_share: float = 0.25
    rows: tuple[int, ...] = (300,)
    parents: tuple[int, ...] = (2,)
    components: tuple[int, ...] = (3,)
    test_rows: int = 1000
    orders: tuple[str, ...] = ("bic",)
    bins: tuple[int, ...] = (3,)
    runs: int = 1
    tables: Mapping[str, Dataset] = field(default_factory=dict)  # what was read from files, by source

    @staticmethod
    def read(entries: Mapping[str, Any], context: Context) -> Response:
        check_entries("it", entries, ENTRIES)
        orders = tuple(texts("orders", entries.get("orders", ["bic"])))
        for order in orders:
            if order not in ORDERS:
                raise OptionError(unknown_name("order", order, ORDERS))
        given: dict[str, Any] = {
            "orders": orders,
            "bins": numbers("bins", entries.get("bins", [3]), whole_from=2),
            "runs": whole("runs", entries.get("runs", 1)),
        }
        if "responses" in entries:
            _leave_out(entries, SIMULATED, "a real table has its rows and parents")
            return Response(**given, **_real(entries, context))
        _leave_out(entries, REAL, "simulated tables have test-rows")
        for name in ("rows", "parents", "components"):
            given |= {name: numbers(name, entries[name], whole_from=1)} if name in entries else {}
        return Response(**given, test_rows=whole("test-rows", entries.get("test-rows", 1000)))

    def axes(self) -> Axes:
        """Both algorithms and all orders are given the same table."""
        where: dict[str, Any] = {"run": tuple(range(1, self.runs + 1))}
        if self.responses:
            where |= {"source": tuple(self.responses)}
        else:
            where |= {"rows": self.rows, "parents": self.parents, "components": self.components}
        return {**where, "bins": self.bins, "order": self.orders, "algorithm": ALGORITHMS}

    def task(self, place: Place) -> Mapping[str, Any]:
        how = {name: place[name] for name in ("bins", "order", "algorithm")}
        if self.responses:
            name = str(place["source"])
            table = {**self.sources[name], "response": self.responses[name], "test-share": self.test_share}
        else:
            table = {name: place[name] for name in ("rows", "parents", "components")} | {"test-rows": self.test_rows}
        return {"table": table, **how}

    def shared(self) -> Mapping[str, Any]:
        return self.tables

    @staticmethod
    def measure(name: str, task: Mapping[str, Any], shared: Mapping[str, Any], monitor: Monitor) -> Mapping[str, Any]:
        """A cell of A2 looks at what A1 finds, too: arcs that it adds and omits, and how much longer it takes."""
        seed = seed_of("/".join(name.split("/")[:-2]))
        with at_most(1):
            asked = _asked(task["table"], shared, seed)
            ways = {"A1": _on_bins(asked.response, task["bins"]), "A2": _neural(asked.response, task["order"])}
            ending = with_deadline(monitor, task["limit"])

            def found_by(algorithm: str) -> Found:
                found = asked.found(ways[algorithm], cast(Order, task["order"]), ending)
                if monitor.should_stop():
                    raise Stopped
                if found is None:
                    raise DataError(f"it took longer than {task['limit']:g} seconds")
                return found

            if task["order"] not in _warm:
                few = replace(asked, train=asked.train.take(slice(0, WARM_ROWS)))
                for learner in ways.values():
                    few.found(learner, task["order"], ending)
                _warm.add(task["order"])
            found = found_by(task["algorithm"])
            values = asked.judged(found)
            if task["algorithm"] == "A2":
                first = found_by("A1")
                values |= {
                    "added-to-A1": len(found.parents - first.parents),
                    "omitted-of-A1": len(first.parents - found.parents),
                    "time-ratio": found.seconds / first.seconds,
                }
            return values


def _leave_out(entries: Mapping[str, Any], names: tuple[str, ...], why: str) -> None:
    for name in names:
        if name in entries:
            raise OptionError(f"{name} has no meaning here, as {why}; leave it out")


def _real(entries: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """The entries of real tables; a response must be a continuous column of its table."""
    responses = entries["responses"]
    if not isinstance(responses, Mapping) or not all(isinstance(one, str) for one in responses.values()):
        raise OptionError(f"responses must have a column for each source, not {shown(responses)}")
    sources, tables = context.chosen_sources(list(responses))
    for name, response in responses.items():
        if "data" not in sources[name]:
            raise OptionError(f"source {name!r} is not a table; leave responses out to simulate tables")
        data = tables[sources[name]["data"]]
        if response not in data.names:
            raise OptionError(unknown_name(f"column of source {name!r}:", response, data.names))
        if data.column(response).kind is not Kind.CONTINUOUS:
            raise OptionError(f"the response {response!r} of source {name!r} is discrete; choose a continuous column")
    share = entries.get("test-share", 0.25)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        raise OptionError(f"test-share must be a number between 0 and 1, not {shown(share)}")
    return {"responses": dict(responses), "sources": sources, "tables": tables, "test_share": float(share)}


@dataclass(frozen=True, slots=True)
class Found:
    """seconds: of one thread, to find the parents and to train their network."""

    parents: frozenset[str]
    network: Network
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """A table whose continuous columns have mean 0 and variance 1. truth: the parents behind it, where known.

    ideal: mean squared error, and log score, of who knows the truth.
    """

    train: Dataset
    test: Dataset
    response: str
    own_names: Mapping[str, str]
    truth: frozenset[str] | None = None
    ideal: tuple[float, float] | None = None

    def found(self, learner: Learner, order: Order, monitor: Monitor) -> Found | None:
        """None where there was not the time. Only the response is foretold, so only its network is trained."""
        began = time.thread_time()
        problem = Problem.of(self.train, rng=np.random.default_rng(0), monitor=monitor)
        answer = learner.solve(problem)
        if answer.status != "converged" or answer.graph is None:
            return None
        parents = answer.graph.parents(self.response)
        family = Dag([*parents, self.response], [(parent, self.response) for parent in parents])
        network = fit(family, self.train, "neural", order=order)
        return Found(frozenset(parents), network, time.thread_time() - began)

    def judged(self, found: Found) -> dict[str, Any]:
        values: dict[str, Any] = {
            "parents": len(found.parents),
            "chosen": sorted(self.own_names[name] for name in found.parents),
            "mse": found.network.mean_squared_error(self.response, self.test),
            "log-score": found.network.log_score(self.response, self.test) / self.test.n_rows,
            "seconds": found.seconds,
        }
        if self.truth is not None:
            values |= {"added": len(found.parents - self.truth), "omitted": len(self.truth - found.parents)}
        if self.ideal is not None:
            values |= dict(zip(("true-mse", "true-log-score"), self.ideal, strict=True))
        return values


def _asked(table: Mapping[str, Any], shared: Mapping[str, Any], seed: int) -> _Asked:
    if "data" in table:
        return _given(shared[table["data"]], table, seed)
    network = random_mixture_network(table["parents"], table["components"], seed=seed)
    hidden, names = network.shuffled(seed)
    response, rows = names[network.response or ""], table["rows"]
    raw = hidden.sample(rows + table["test-rows"], seed)
    data, test = _standardized(raw), raw.take(slice(rows, None))
    spread = float(raw.column(response).values.std())
    residuals = test.column(response).values - hidden.conditional_mean(test)
    return _Asked(
        train=data.take(slice(0, rows)),
        test=data.take(slice(rows, None)),
        response=response,
        own_names={new: old for old, new in names.items()},
        truth=frozenset(hidden.dag.parents(response)),
        ideal=(
            float(np.mean(np.square(residuals / spread))),
            float(-np.mean(hidden.log_density(test, response)) - np.log(spread)),
        ),
    )


def _given(data: Dataset, table: Mapping[str, Any], seed: int) -> _Asked:
    wanted = Wanted(None, max(1, round(table["test-share"] * data.n_stored)), None, seed)
    split = make({"data": "it"}, wanted, {"it": _standardized(data)})
    assert split.test is not None
    here = next(name for name, own in split.own_names.items() if own == table["response"])
    return _Asked(train=split.train, test=split.test, response=here, own_names=split.own_names)


def _standardized(data: Dataset) -> Dataset:
    """Continuous columns with mean 0 and variance 1, so that errors of several tables can be compared."""

    def scaled(column: Column) -> Column:
        spread = column.recorded.std()
        return replace(column, values=(column.values - column.recorded.mean()) / (spread if spread > 0 else 1.0))

    return Dataset(tuple(scaled(one) if one.kind is Kind.CONTINUOUS else one for one in data.columns))


def _on_bins(response: str, bins: int) -> Learner:
    return TwoStage(discretizer=EqualFrequency(bins=bins), search=K2Search(score=K2(), response=response))


def _neural(response: str, order: Order) -> Learner:
    return K2Search(score=NeuralPrequential(order=order), response=response)
