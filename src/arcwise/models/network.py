"""Bayesian networks with fitted conditional models: tables, linear Gaussians, or any other kind, node by node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict, Unpack, get_args

import numpy as np

from arcwise.checking import Seed, checked, misfit
from arcwise.data.accepting import takes_known_table
from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.data.discretization import Discretization
from arcwise.data.reading.door import Reading, TableLike, read_alike
from arcwise.data.reading.json_files import check_content, load_json
from arcwise.data.text_files import as_json, write_text
from arcwise.data.wording import counted, listed
from arcwise.errors import DataError, GraphError, OptionError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.models.intervals import Intervals, IntervalsContent
from arcwise.models.linear_gaussian import Effects, GaussianContent, LinearGaussian
from arcwise.models.mixture_density import MixtureContent, MixtureDensityNetwork
from arcwise.models.posterior import Evidence, given_all
from arcwise.models.protocol import ConditionalModel
from arcwise.models.softmax import SoftmaxContent, SoftmaxNetwork
from arcwise.models.table import Table, TableContent
from arcwise.networks.columns import continuous_values
from arcwise.networks.network import BayesianNetwork
from arcwise.networks.streams import checked_rows, stream
from arcwise.printing import printable

FORMAT = "arcwise-fitted-network-2"
# Every kind of conditional model that a file may hold: what it must consist of, and how it is read.
READERS: dict[str, tuple[Any, Callable[[Mapping[str, Any]], ConditionalModel]]] = {
    Table.kind: (TableContent, Table.from_dict),
    LinearGaussian.kind: (GaussianContent, LinearGaussian.from_dict),
    SoftmaxNetwork.kind: (SoftmaxContent, SoftmaxNetwork.from_dict),
    MixtureDensityNetwork.kind: (MixtureContent, MixtureDensityNetwork.from_dict),
}


class FittedContent(TypedDict):
    """What `FittedNetwork.to_dict` gives; graph and models are checked where they are read."""

    graph: dict[str, Any]
    models: list[dict[str, Any]]
    intervals: list[IntervalsContent]
    warnings: list[str]


@checked
@dataclass(frozen=True, eq=False, repr=False)
class FittedNetwork:
    """p(x) = product of p(x_i | parents of x_i); `models` are in the order of the nodes of `dag`.

    Continuous columns that have `intervals` are nodes with levels: they are cut before a table is read, and within a
    level the intervals say how values are distributed. `warnings` say what was doubtful in the fit.
    """

    dag: Dag
    models: tuple[ConditionalModel, ...]
    intervals: tuple[Intervals, ...] = ()
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.models) != self.dag.n_nodes:
            nodes, models = counted(self.dag.n_nodes, "node"), counted(len(self.models), "model")
            raise GraphError(f"a network of {nodes} got {models}; give one for each node")
        for name, model in zip(self.dag.names, self.models, strict=True):
            if model.child != name or sorted(model.parents) != list(self.dag.parents(name)):
                raise GraphError(
                    f"the model of {model.child!r} given {list(model.parents)} does not belong to node {name!r} with "
                    f"parents {list(self.dag.parents(name))}; give the models in the order of the nodes"
                )
        _check_levels(self.models)
        if len({cut.column for cut in self.intervals}) < len(self.intervals):
            raise GraphError("a column of the network is cut twice; give the intervals of each column once")
        for cut in self.intervals:
            model = self.model(cut.column)
            if not isinstance(model, Table | SoftmaxNetwork) or len(model.levels) != len(cut.means):
                raise GraphError(f"column {cut.column!r} is cut into {len(cut.means)} levels, which its model has not")

    @property
    def names(self) -> tuple[str, ...]:
        return self.dag.names

    @cached_property
    def discretization(self) -> Discretization | None:
        """The thresholds at which continuous columns are cut, if any are."""
        return Discretization({cut.column: cut.thresholds for cut in self.intervals}) if self.intervals else None

    def model(self, name: str) -> ConditionalModel:
        """The conditional model of one node."""
        return self.models[self.dag.index(name)]

    @checked
    def sample(self, n: int, seed: Seed) -> Dataset:
        """`n` independent rows; the columns have the names, kinds and levels of those that were fitted.

        A column that is cut gets values again: even within an interval, with a tail beyond the outer thresholds.
        Each node has its own random stream, which depends on its name and not on its position.
        """
        empty = np.zeros(checked_rows(n, len(self.names)))
        rows = Dataset((Column("", Kind.CONTINUOUS, empty),))  # what a node without parents gets
        drawn: dict[str, Column] = {}
        for name in self.dag.topological_order:
            model = self.model(name)
            given = Dataset(tuple(drawn[parent] for parent in model.parents)) if model.parents else rows
            drawn[name] = model.sample(given, stream(seed, f"fitted network: {name}"))
        for cut in self.intervals:
            rng = stream(seed, f"fitted network: values of {cut.column}")
            drawn[cut.column] = cut.sample(drawn[cut.column].values, rng)
        return Dataset(tuple(drawn[name] for name in self.names))

    def read_table(self, data: TableLike, **reading: Unpack[Reading]) -> Dataset:
        """Whatever holds a table, its columns read as the nodes of this network: their kinds and levels, any rows."""
        levels: dict[str, tuple[str, ...]] = {model.child: getattr(model, "levels", ()) for model in self.models}
        cut = self.discretization.thresholds if self.discretization else ()
        return read_alike(data, levels, cut=cut, **reading)

    @takes_known_table
    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln p of each row in nats: the density of continuous values times the probability of levels.

        Columns are found by name and levels by label, other columns take no part. A column that the network cuts
        counts with the density of its value, so that any two models of the same columns can be compared; given as
        levels, it has no value and counts with their probability.
        """
        cut = self._cut(data)
        total = np.zeros(data.n_rows)
        for model in self.models:
            total += self._log_density(model, data, cut)
        return total

    @takes_known_table
    def predict(self, name: str, data: Dataset, evidence: Evidence = "all") -> FloatArray:
        """(n_rows,) E[name | evidence]; for a discrete column (n_rows, levels): the probability of each level.

        evidence: "all" other columns that the table has, or the "parents" alone. See `level_probabilities` for columns
        that the network cuts: their value is the mean over the levels of that of the fitted rows.
        """
        found = self._given(name, data, evidence)
        cut = self._cuts.get(name)
        return found if cut is None else found @ np.array(cut.means)

    @takes_known_table
    def level_probabilities(self, name: str, data: Dataset, evidence: Evidence = "all") -> FloatArray:
        """(n_rows, levels) the probability of each level of a column that is discrete or cut."""
        if not isinstance(self.model(name), Table | SoftmaxNetwork):
            raise DataError(f"node {name!r} has no levels in this network; use predict")
        return self._given(name, data, evidence)

    @takes_known_table
    def mean_squared_error(self, name: str, data: Dataset, evidence: Evidence = "all") -> float:
        """mean (y - E[y | evidence])^2 of a continuous column."""
        expected = self.predict(name, data, evidence)
        if expected.ndim != 1:
            raise DataError(f"node {name!r} is discrete, so there is no squared error; use log_score")
        with np.errstate(over="ignore"):
            return float(np.mean((continuous_values(data, name) - expected) ** 2))

    @takes_known_table
    def log_score(self, name: str, data: Dataset) -> float:
        """- sum of ln p(y | parents) over the rows: lower is better; the parts of `log_density`."""
        return -float(self._log_density(self.model(name), data, self._cut(data)).sum())

    def to_bayesian_network(self) -> BayesianNetwork:
        """The same network if every node has a table; its `log_likelihood` is the `log_density` of levels."""
        tables = [model for model in self.models if isinstance(model, Table)]
        for name, model in zip(self.names, self.models, strict=True):
            if not isinstance(model, Table):
                raise GraphError(
                    f"node {name!r} has a {model.kind} model and a discrete network needs tables only; "
                    f"fit with model='cpt'"
                )
        return BayesianNetwork(
            names=self.names,
            states=tuple(table.levels for table in tables),
            parents=tuple(table.parents for table in tables),
            cpts=tuple(table.probabilities for table in tables),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, ready for JSON."""
        return {
            "format": FORMAT,
            "graph": self.dag.to_dict(),
            "models": [model.to_dict() for model in self.models],
            "intervals": [cut.to_dict() for cut in self.intervals],
            "warnings": list(self.warnings),
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> FittedNetwork:
        """The inverse of `to_dict`."""
        if not isinstance(content, Mapping) or content.get("format") != FORMAT:
            raise GraphError(
                f'this is no fitted network: it must be a mapping with "format": "{FORMAT}"; a network that an earlier '
                "version saved must be fitted again"
            )
        check_content(content, FittedContent, GraphError)
        return FittedNetwork(
            dag=Dag.from_dict(content["graph"]),
            models=tuple(_read_model(model, i) for i, model in enumerate(content["models"])),
            intervals=tuple(Intervals.from_dict(cut) for cut in content["intervals"]),
            warnings=tuple(content["warnings"]),
        )

    @checked
    def save(self, path: str | Path) -> None:
        """Write JSON (gzipped if the name ends in .gz), in one piece or not at all; every bit is kept."""
        write_text(path, as_json(self.to_dict()) + "\n")

    @staticmethod
    @checked
    def load(path: str | Path) -> FittedNetwork:
        """Read what `save` wrote."""
        return load_json(path, "saved network", FittedNetwork.from_dict)

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, FittedNetwork) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.dag, tuple(model.kind for model in self.models)))

    def __repr__(self) -> str:
        kinds = Counter(model.kind for model in self.models)
        inside = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
        nodes, edges = counted(self.dag.n_nodes, "node"), counted(self.dag.n_edges, "edge")
        return f"FittedNetwork({nodes}, {edges}: {inside})"

    def __str__(self) -> str:
        rows = [("node", "model", "parents")]
        rows += [(printable(model.child), model.kind, printable(listed(model.parents))) for model in self.models]
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        lines = [f"{node:<{widths[0]}}  {kind:<{widths[1]}}  {parents}".rstrip() for node, kind, parents in rows]
        return "\n".join([repr(self), *lines, *(f"warning: {printable(warning)}" for warning in self.warnings)])

    @cached_property
    def _cuts(self) -> dict[str, Intervals]:
        return {cut.column: cut for cut in self.intervals}

    def _log_density(self, model: ConditionalModel, data: Dataset, cut: Dataset) -> FloatArray:
        result, intervals = model.log_density(cut), self._cuts.get(model.child)
        if intervals is None or data.column(model.child).kind is Kind.DISCRETE:
            return result
        return result + intervals.log_density(data.column(model.child).values)

    def _given(self, name: str, data: Dataset, evidence: Evidence) -> FloatArray:
        own, cut = self.model(name), self._cut(data)
        if evidence not in get_args(Evidence):
            raise OptionError(unknown_name("evidence", str(evidence), get_args(Evidence)))
        return own.expected(cut) if evidence == "parents" else given_all(self.models, name, cut)

    def _cut(self, data: Dataset) -> Dataset:
        """The table with continuous columns cut where the nodes have levels; columns may be cut already."""
        return uncut(self.discretization, data).apply(data) if self.discretization else data


def uncut(discretization: Discretization, data: Dataset) -> Discretization:
    """Only the thresholds of columns that are in the table and still continuous."""
    continuous = {column.name for column in data.columns if column.kind is Kind.CONTINUOUS}
    return Discretization({name: cuts for name, cuts in discretization.thresholds.items() if name in continuous})


def _check_levels(models: Iterable[ConditionalModel]) -> None:
    """Every model must know its parents by the levels that their own models have, in the same order."""
    known = {model.child: _levels(model) for model in models}
    for model in models:
        for parent, levels in _parent_levels(model).items():
            if levels != known[parent]:
                raise GraphError(
                    f"the model of {model.child!r} has other levels of {parent!r} than the model of {parent!r}; fit "
                    "both to the same columns"
                )


def _levels(model: ConditionalModel) -> tuple[str, ...]:
    """Those of the child; none for a number."""
    return model.levels if isinstance(model, Table | SoftmaxNetwork) else ()


def _parent_levels(model: ConditionalModel) -> dict[str, tuple[str, ...]]:
    if isinstance(model, Table):
        return dict(zip(model.parents, model.parent_levels, strict=True))
    if isinstance(model, LinearGaussian):
        return {term.parent: term.levels if isinstance(term, Effects) else () for term in model.terms}
    if isinstance(model, SoftmaxNetwork | MixtureDensityNetwork):
        return {one.name: one.levels for one in model.inputs}
    return {}


def _read_model(content: Mapping[str, Any], number: int) -> ConditionalModel:
    kind = content.get("kind")
    if not isinstance(kind, str) or kind not in READERS:
        raise GraphError(unknown_name("kind of model", kind, READERS))
    schema, read = READERS[kind]
    wrong = misfit(content, schema)
    if wrong is not None:
        raise GraphError(f"in the {kind} model {number + 1}, {wrong}")
    return read(content)
