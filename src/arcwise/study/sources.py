"""Where the tables of a study come from: networks that are sampled, data that are given, and simulations.

Columns are in another order, and under other names, in every run: files list parents before children, and a learner
that breaks ties by position or by name would profit from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.errors import DataError, OptionError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.networks.bundled import load as load_network
from arcwise.networks.columns import continuous_dataset
from arcwise.networks.network import Network
from arcwise.networks.random import random_dag, random_gaussian_network
from arcwise.networks.simulators import add_noise
from arcwise.networks.streams import stream
from arcwise.networks.table_kinds import TABLE_KINDS, simulate

READINGS = ("all", "half", "intervals", "states")


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What a method is given, and what it is judged by: the graph behind the rows, and rows that it has not seen.

    own_names: of the columns, by the names that they have here, in the order of the source.
    """

    train: Dataset
    truth: Dag | None
    test: Dataset | None
    own_names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """rows: None for all that there are. noise: the standard deviation of readings of states, None for the states."""

    rows: int | None
    test_rows: int
    noise: float | None
    seed: int


def make(source: Mapping[str, Any], wanted: Wanted, shared: Mapping[str, Any]) -> Table:
    """The table of one run. source: as `checked_source` gives it."""
    if "data" in source:
        return _given(shared[source["data"]], wanted)
    if wanted.rows is None:
        raise OptionError("a network or simulation needs the number of rows to sample: rows = [500]")
    rows = wanted.rows + wanted.test_rows
    if "network" in source:
        net, names = network(source["network"], shared).shuffled(wanted.seed)
        data = _read(net.sample(rows, wanted.seed), wanted, source.get("readings", "all"))
        own = {new: old for old, new in names.items()}
        return _divided(data, net.dag, wanted, own)
    data, dag = SIMULATIONS[source["simulate"]](source, rows, wanted.seed)
    data, names = disguised(data, wanted.seed)
    own = {new: old for old, new in names.items()}
    renamed = Dag(data.names, [(names[a], names[b]) for a, b in dag.edges])
    return _divided(data, renamed, wanted, own)


def network(name: str, read: Mapping[str, Any]) -> Network:
    """One that was read from a file, or a bundled one."""
    return read[name] if name in read else _bundled(name)


@cache
def _bundled(name: str) -> Network:
    return load_network(name)


def disguised(data: Dataset, seed: int) -> tuple[Dataset, dict[str, str]]:
    """The columns in random order under random labels (v01, v02, ...), and the new name of each old one."""
    rng = stream(seed, "disguised table")
    width = len(str(data.n_columns))
    labels = rng.permutation(data.n_columns)
    names = {name: f"v{label + 1:0{width}d}" for name, label in zip(data.names, labels, strict=True)}
    columns = [replace(data.columns[i], name=names[data.names[i]]) for i in rng.permutation(data.n_columns)]
    return Dataset(tuple(columns), weights=data.weights), names


def _divided(data: Dataset, dag: Dag, wanted: Wanted, own_names: Mapping[str, str]) -> Table:
    test = data.take(slice(wanted.rows, None)) if wanted.test_rows else None
    return Table(data.take(slice(0, wanted.rows)), dag, test, own_names)


def _given(data: Dataset, wanted: Wanted) -> Table:
    """Rows of a real table: those to judge by are drawn first, then those to learn from."""
    hidden, names = disguised(data, wanted.seed)
    own = {new: old for old, new in names.items()}
    n, rows = hidden.n_stored, wanted.rows
    asked = wanted.test_rows + (rows or 2)
    if asked > n:
        raise DataError(f"the table has {n:,} rows, and the plan asks for {asked:,}; ask for fewer")
    if not wanted.test_rows and rows is None:
        return Table(hidden, None, None, own)
    order = stream(wanted.seed, "rows of a table").permutation(n)
    test = hidden.take(np.sort(order[: wanted.test_rows])) if wanted.test_rows else None
    kept = order[wanted.test_rows :] if rows is None else order[wanted.test_rows : wanted.test_rows + rows]
    return Table(hidden.take(np.sort(kept)), None, test, own)


def _read(states: Dataset, wanted: Wanted, readings: str) -> Dataset:
    """States, or numbers that were read off them: of all columns, of every other one, or anywhere in an interval."""
    if readings == "states":
        return states
    if readings == "intervals":
        return _in_intervals(states, wanted.seed)
    if not wanted.noise:
        return states
    noisy = add_noise(states, sigma=wanted.noise, seed=wanted.seed)
    if readings == "all":
        return noisy
    every_other = (states.columns[i] if i % 2 else noisy.columns[i] for i in range(states.n_columns))
    return Dataset(tuple(every_other))


def _in_intervals(states: Dataset, seed: int) -> Dataset:
    """Each state an interval of its own width, and values even within it."""
    columns = []
    for i, column in enumerate(states.columns):
        rng = stream(seed, "intervals of states", i)
        edges = np.concatenate([[0.0], np.cumsum(rng.uniform(0.5, 2.0, column.cardinality))])
        values = rng.uniform(edges[column.values], edges[column.values + 1])
        columns.append(Column(column.name, Kind.CONTINUOUS, values))
    return Dataset(tuple(columns))


def _linear(source: Mapping[str, Any], rows: int, seed: int) -> tuple[Dataset, Dag]:
    """Linear relations with normal noise, every column of variance 1."""
    dag = random_dag(source["nodes"], n_edges=source["edges"], seed=seed)
    return random_gaussian_network(dag, seed=seed).standardized().sample(rows, seed), dag


BENDS: tuple[Callable[[FloatArray], FloatArray], ...] = (
    lambda x: np.sin(2 * x),
    np.square,
    np.abs,
    lambda x: np.exp(-np.square(x)),
)


def _additive(source: Mapping[str, Any], rows: int, seed: int) -> tuple[Dataset, Dag]:
    """Each column a sum of bent functions of its parents, and noise of standard deviation .3."""
    dag = random_dag(source["nodes"], n_edges=source["edges"], seed=seed)
    rng = stream(seed, "additive network")
    values: dict[str, FloatArray] = {}
    for name in dag.topological_order:
        parents = dag.parents(name)
        own = (0.3 if parents else 1.0) * rng.standard_normal(rows)
        for parent in parents:
            x = values[parent]
            own = own + BENDS[rng.integers(len(BENDS))]((x - x.mean()) / x.std())
        values[name] = own
    return continuous_dataset(dag.names, [values[name] for name in dag.names]), dag


LEVELS = (2, 4)  # the fewest and the most levels of a simulated column
STRENGTH = 1.5  # the most that a level of a parent, or a standard deviation of a number, moves a child


def _mixed(source: Mapping[str, Any], rows: int, seed: int) -> tuple[Dataset, Dag]:
    """Every other column of levels. Each parent adds to the mean of a number, or to the log odds of every level."""
    dag = random_dag(source["nodes"], n_edges=source["edges"], seed=seed)
    rng = stream(seed, "mixed network")
    has_levels = dict(zip(dag.names, rng.permutation(len(dag.names)) % 2 == 1, strict=True))
    columns: dict[str, Column] = {}
    for name in dag.topological_order:
        parents = [columns[parent] for parent in dag.parents(name)]
        if has_levels[name]:
            count = int(rng.integers(LEVELS[0], LEVELS[1] + 1))
            odds = rng.gumbel(size=(rows, count)) + sum(_moved(parent, count, rng) for parent in parents)
            levels = tuple(f"s{i + 1}" for i in range(count))
            columns[name] = Column(name, Kind.DISCRETE, odds.argmax(axis=1), levels)
        else:
            values = rng.standard_normal((rows, 1)) + sum(_moved(parent, 1, rng) for parent in parents)
            columns[name] = Column(name, Kind.CONTINUOUS, (values / values.std())[:, 0])
    return Dataset(tuple(columns[name] for name in dag.names)), dag


def _moved(parent: Column, targets: int, rng: np.random.Generator) -> FloatArray:
    """What a parent adds, row by row, to each of the targets: something for each level, or a multiple of its number.

    The same even steps in a random order, which begins one further on with every level. So no two levels add the same
    to all targets, and no parent the same to each of them: odds that rise together stay as they are.
    """
    n_inputs = parent.cardinality if parent.kind is Kind.DISCRETE else 1
    size = max(n_inputs, targets, 2)
    steps = rng.permutation(np.linspace(-STRENGTH, STRENGTH, size))
    strengths = steps[(np.arange(n_inputs)[:, None] + np.arange(targets)) % size]
    return strengths[parent.values] if parent.kind is Kind.DISCRETE else parent.values[:, None] * strengths


Simulation = Callable[[Mapping[str, Any], int, int], tuple[Dataset, Dag]]


def _ordinary(kind: str) -> Simulation:
    return lambda source, rows, seed: simulate(kind, nodes=source["nodes"], edges=source["edges"], rows=rows, seed=seed)


SIMULATIONS: dict[str, Simulation] = {
    "linear": _linear,
    "additive": _additive,
    "mixed": _mixed,
    **{kind: _ordinary(kind) for kind in TABLE_KINDS},
}


def checked_source(name: str, table: Mapping[str, Any], read: Mapping[str, Any]) -> dict[str, Any]:
    """What a plan says about a source, checked. read: networks from files; tables are read elsewhere."""
    kinds = [kind for kind in ("network", "data", "simulate") if kind in table]
    if len(kinds) != 1:
        raise OptionError(f"source {name!r} needs one of network, data and simulate")
    known = {"network": ("network", "readings"), "simulate": ("simulate", "nodes", "edges")}
    for entry in table:
        if kinds[0] != "data" and entry not in known[kinds[0]]:
            raise OptionError(unknown_name(f"entry of source {name!r}:", entry, known[kinds[0]]))
    if kinds[0] == "network":
        network(table["network"], read)
        if table.get("readings", "all") not in READINGS:
            raise OptionError(unknown_name(f"readings of source {name!r}:", table["readings"], READINGS))
    if kinds[0] == "simulate":
        if table["simulate"] not in SIMULATIONS:
            raise OptionError(unknown_name(f"simulation of source {name!r}:", table["simulate"], SIMULATIONS))
        for entry in ("nodes", "edges"):
            if type(table.get(entry)) is not int or table[entry] < 1:
                raise OptionError(f"source {name!r} needs {entry}, a whole number from 1")
        if table["edges"] > (most := table["nodes"] * (table["nodes"] - 1) // 2):
            raise OptionError(f"source {name!r} has {table['edges']} edges, and {table['nodes']} nodes allow {most}")
    return dict(table)
