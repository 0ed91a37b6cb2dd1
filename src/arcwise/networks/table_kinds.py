"""Simulated tables of ordinary kinds: odd margins, curved relations, levels and numbers mixed, each with its graph.

Every kind draws a random DAG and goes through it from parents to children. "margins": a linear network with normal
noise, each column then seen through a function of its own. "curved": relations that no line describes; parents enter by
their normal scores, so that heavy tails do not hide an edge. "mixed": numbers and levels. With the same seed, relations
are the same for any number of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from scipy.special import ndtr, ndtri

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind, code_dtype
from arcwise.errors import OptionError, unknown_name
from arcwise.graph.dag import Dag
from arcwise.networks.random import random_dag
from arcwise.networks.streams import stream

FOURIER = 200  # random Fourier features of a Gaussian process
HIDDEN = 8  # units of a random neural network
Node = Callable[
    [FloatArray, FloatArray, np.random.Generator], FloatArray
]  # (parents (rows, p), noise, options) -> values


def simulate(kind: str, *, nodes: int, edges: int, rows: int, seed: int) -> tuple[Dataset, Dag]:
    """A table of this kind, and the DAG behind it."""
    if kind not in TABLE_KINDS:
        raise OptionError(unknown_name("kind of table", kind, TABLE_KINDS))
    dag = random_dag(nodes, n_edges=edges, seed=seed)
    return Dataset(tuple(TABLE_KINDS[kind](dag, rows, seed))), dag


def _streams(seed: int, kind: str, node: int) -> tuple[np.random.Generator, np.random.Generator]:
    """(options of a node, its noise): apart, so that more rows do not change the relations."""
    return stream(seed, f"{kind} relations", node), stream(seed, f"{kind} noise", node)


def _standardized(values: FloatArray) -> FloatArray:
    return (values - values.mean(axis=0)) / values.std(axis=0)


def _network(
    dag: Dag, rows: int, seed: int, kind: str, node: Node, noise: str = "normal", by_rank: bool = False
) -> dict[str, FloatArray]:
    """by_rank: parents enter a child by their normal scores."""
    from scipy.stats import rankdata

    values: dict[str, FloatArray] = {}
    entering: dict[str, FloatArray] = {}
    for name in dag.topological_order:
        options, random = _streams(seed, kind, dag.names.index(name))
        drawn = random.standard_normal(rows) if noise == "normal" else random.exponential(size=rows) - 1.0
        parents = [entering[parent] for parent in dag.parents(name)]
        own = node(np.column_stack(parents), drawn, options) if parents else drawn
        values[name] = _standardized(own)
        entering[name] = ndtri((rankdata(own) - 0.5) / rows) if by_rank else values[name]
    return values


def _weights(n: int, options: np.random.Generator) -> FloatArray:
    return options.uniform(0.5, 1.5, n) * options.choice([-1.0, 1.0], n)


def _linear_node(parents: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    return parents @ _weights(parents.shape[1], options) + options.uniform(0.5, 1.5) * noise


# Margins: a linear network seen through a function of each column.


def _lognormal(x: FloatArray, options: np.random.Generator) -> FloatArray:
    return np.exp(options.uniform(0.5, 1.5) * x)


def _rounded(x: FloatArray, options: np.random.Generator) -> FloatArray:
    """To 5 to 10 values of equal distance, which are no whole numbers."""
    n_values = int(options.integers(5, 11))
    step = 4.0 / n_values
    return 1.37 * np.clip(np.floor((x + 2.0) / step), 0, n_values - 1)


def _half_zeros(x: FloatArray, options: np.random.Generator) -> FloatArray:
    return np.maximum(x - options.uniform(-0.25, 0.25), 0.0)


def _counts(x: FloatArray, options: np.random.Generator) -> FloatArray:
    """Poisson counts with extra zeros, by their quantiles."""
    from scipy.stats import poisson

    zeros, rate = options.uniform(0.0, 0.3), options.uniform(1.0, 8.0)
    return np.asarray(poisson.ppf(np.maximum(ndtr(x) - zeros, 0.0) / (1.0 - zeros), rate), dtype=np.float64).clip(0.0)


MONOTONE: tuple[Callable[[FloatArray], FloatArray], ...] = (
    lambda x: x**3,
    lambda x: np.sign(x) * np.sqrt(np.abs(x)),
    np.sinh,
    np.tanh,
    np.exp,
    lambda x: -np.exp(-x),
    lambda x: x + 2.0 * np.tanh(3.0 * (x - 1.0)),
)


def _monotone(x: FloatArray, options: np.random.Generator) -> FloatArray:
    return MONOTONE[int(options.integers(len(MONOTONE)))](x)


def _grid(x: FloatArray, options: np.random.Generator) -> FloatArray:
    return np.round(x / (step := options.uniform(0.1, 0.3))) * step


def _outliers(x: FloatArray, options: np.random.Generator) -> FloatArray:
    """One value in fifty is somewhere else altogether."""
    away = options.random(len(x)) < 0.02
    return np.where(away, 20.0 * options.standard_normal(len(x)), x)


MARGINS: dict[str, Callable[[FloatArray, np.random.Generator], FloatArray]] = {
    "log-normal": _lognormal,
    "rounded": _rounded,
    "half-zeros": _half_zeros,
    "counts": _counts,
    "monotone-margins": _monotone,
    "grid": _grid,
    "outliers": _outliers,
}

# Curved relations.


def _process(x: FloatArray, options: np.random.Generator) -> FloatArray:
    """A draw from a Gaussian process of length scale 1 and variance 1, by random Fourier features."""
    frequencies = options.standard_normal((x.shape[1], FOURIER))
    phases, heights = options.uniform(0.0, 2.0 * np.pi, FOURIER), options.standard_normal(FOURIER)
    return np.cos(x @ frequencies + phases) @ heights * np.sqrt(2.0 / FOURIER)


def _noisy(signal: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    """The signal of variance 1 and noise of standard deviation .3 to .7."""
    return _standardized(signal) + options.uniform(0.3, 0.7) * noise


def _additive_processes(parents: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    parts = (_standardized(_process(x[:, None], options)) for x in parents.T)
    return _noisy(sum(parts, np.zeros(len(noise))), noise, options)


def _joint_process(parents: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    return _noisy(_process(parents, options), noise, options)


def _sines(parents: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    n = parents.shape[1]
    waves = np.sin(options.uniform(1.5, 3.0, n) * parents + options.uniform(0.0, 2.0 * np.pi, n))
    return _noisy(_standardized(waves) @ _weights(n, options), noise, options)


def _quadratics(parents: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    n = parents.shape[1]
    parts = _standardized((parents - options.uniform(-0.7, 0.7, n)) ** 2)
    return _noisy(parts @ _weights(n, options), noise, options)


def _tanh_network(parents: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    inner = 1.5 * options.standard_normal((parents.shape[1], HIDDEN))
    units = np.tanh(parents @ inner + options.standard_normal(HIDDEN))
    return _noisy(units @ options.standard_normal(HIDDEN), noise, options)


def _interactions(parents: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    """Products of each parent and the next one besides a linear part."""
    n = parents.shape[1]
    signal = parents @ _weights(n, options)
    if n > 1:
        signal = signal + (parents * np.roll(parents, -1, axis=1))[:, : n if n > 2 else 1] @ _weights(
            n if n > 2 else 1, options
        )
    return _noisy(signal, noise, options)


def _multiplicative(parents: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    """A bent function of the parents times noise that is positive."""
    level = np.exp(0.5 * parents @ _weights(parents.shape[1], options))
    return level * np.exp(options.uniform(0.3, 0.7) * noise)


def _products(parents: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    """The cube root of the product of all parents' shifted values."""
    signal = np.prod(parents + options.uniform(0.5, 1.5, parents.shape[1]), axis=1)
    return _noisy(np.cbrt(signal), noise, options)


def _varying_spread(parents: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    """The mean stays, or nearly so; the parents set the spread."""
    n = parents.shape[1]
    spread = np.exp(parents @ _weights(n, options) / np.sqrt(n))
    return 0.3 * parents @ _weights(n, options) / np.sqrt(n) + spread * noise


def _bent_monotone(parents: FloatArray, noise: FloatArray, options: np.random.Generator) -> FloatArray:
    parts = np.column_stack([_standardized(_monotone(x, options)) for x in parents.T])
    return _noisy(parts @ _weights(parents.shape[1], options), noise, options)


CURVED: dict[str, Node] = {
    "additive-processes": _additive_processes,
    "joint-processes": _joint_process,
    "sines": _sines,
    "quadratics": _quadratics,
    "tanh-networks": _tanh_network,
    "interactions": _interactions,
    "products": _products,
    "multiplicative-noise": _multiplicative,
    "varying-spread": _varying_spread,
    "bent-monotone": _bent_monotone,
}

# Numbers and levels.


def _levels(name: str, codes: IntArray, count: int) -> Column:
    labels = tuple(f"s{i + 1}" for i in range(count))
    return Column(name, Kind.DISCRETE, codes.astype(code_dtype(count)), labels)


def _mixed(dag: Dag, rows: int, seed: int, kind: str) -> list[Column]:
    """Half of the columns of 2 to 4 levels.

    logistic: parents move the log odds of each level. conditional-gaussian: each configuration of parents with levels
    has a regression on the numbers of its own; columns of levels come first, so that no number is a parent of one.
    probit: a level is the highest of latent normal variables.
    """
    drawn = stream(seed, f"{kind} levels").permutation(len(dag.names)) % 2 == 1
    has_levels = dict(zip(dag.names, drawn, strict=True))
    if kind == "conditional-gaussian":
        has_levels = {name: place < len(dag.names) // 2 for place, name in enumerate(dag.topological_order)}
    columns: dict[str, Column] = {}
    for name in dag.topological_order:
        options, random = _streams(seed, kind, dag.names.index(name))
        parents = [columns[parent] for parent in dag.parents(name)]
        count = int(options.integers(2, 5)) if has_levels[name] else 0
        if count:
            shape = (rows, count)
            noise = random.gumbel(size=shape) if kind == "logistic" else 1.3 * random.standard_normal(shape)
            moved = sum((_moved(parent, count, options) for parent in parents), np.zeros(shape))
            columns[name] = _levels(name, np.argmax(moved + noise, axis=1), count)
            continue
        numbers = [parent for parent in parents if parent.kind is Kind.CONTINUOUS]
        levels = [parent for parent in parents if parent.kind is Kind.DISCRETE]
        if kind == "conditional-gaussian" and levels:
            cell = np.zeros(rows, dtype=np.intp)
            for parent in levels:
                cell = cell * parent.cardinality + parent.values
            n_cells = int(np.prod([parent.cardinality for parent in levels]))
            mean = 2.0 * options.standard_normal(n_cells)[cell]
            for parent in numbers:
                mean = mean + options.normal(0.0, 1.2, n_cells)[cell] * parent.values
            own = mean + options.uniform(0.4, 1.2, n_cells)[cell] * random.standard_normal(rows)
        else:
            own = random.standard_normal(rows) + sum((_moved(p, 1, options)[:, 0] for p in parents), np.zeros(rows))
        columns[name] = Column(name, Kind.CONTINUOUS, _standardized(own))
    return [columns[name] for name in dag.names]


def _moved(parent: Column, targets: int, options: np.random.Generator) -> FloatArray:
    """What a parent adds, row by row, to each target: something for each level, or a multiple of its number."""
    if parent.kind is Kind.DISCRETE:
        return 1.3 * options.standard_normal((parent.cardinality, targets))[parent.values]
    return parent.values[:, None] * _weights(targets, options)


def _latent_classes(dag: Dag, rows: int, seed: int, kind: str) -> list[Column]:
    """A linear network with normal noise, of which every other column is seen as one of 2 to 5 ordered classes."""
    values = _network(dag, rows, seed, kind, _linear_node)
    seen = stream(seed, f"{kind} classes").permutation(len(dag.names)) % 2 == 1
    columns = []
    for i, name in enumerate(dag.names):
        options, count = stream(seed, f"{kind} cuts", i), 0
        if seen[i]:
            count = int(options.integers(2, 6))
            cuts = np.sort(options.uniform(-1.2, 1.2, count - 1))
            found = np.searchsorted(cuts, values[name])
            labels = tuple(str(k + 1) for k in range(count))
            columns.append(Column(name, Kind.DISCRETE, found.astype(np.uint8), labels, ordered=True))
        else:
            columns.append(Column(name, Kind.CONTINUOUS, values[name]))
    return columns


def _numbers(values: Mapping[str, FloatArray], names: tuple[str, ...]) -> list[Column]:
    return [Column(name, Kind.CONTINUOUS, values[name]) for name in names]


def _of_margin(margin: str) -> Callable[[Dag, int, int], list[Column]]:
    def columns(dag: Dag, rows: int, seed: int) -> list[Column]:
        values = _network(dag, rows, seed, "linear", _linear_node)
        seen = {name: MARGINS[margin](values[name], stream(seed, margin, i)) for i, name in enumerate(dag.names)}
        return _numbers(seen, dag.names)

    return columns


def _of_node(
    kind: str, node: Node, noise: str = "normal", by_rank: bool = False
) -> Callable[[Dag, int, int], list[Column]]:
    return lambda dag, rows, seed: _numbers(_network(dag, rows, seed, kind, node, noise, by_rank), dag.names)


def _of_mixed(kind: str) -> Callable[[Dag, int, int], list[Column]]:
    return lambda dag, rows, seed: _mixed(dag, rows, seed, kind)


FAMILIES: dict[str, tuple[str, ...]] = {
    "linear": ("linear-normal", "linear-exponential"),
    "margins": tuple(MARGINS),
    "curved": tuple(CURVED),
    "mixed": ("logistic", "conditional-gaussian", "probit", "latent-classes"),
}
TABLE_KINDS: dict[str, Callable[[Dag, int, int], list[Column]]] = {
    "linear-normal": _of_node("linear", _linear_node),
    "linear-exponential": _of_node("linear", _linear_node, "exponential"),
    **{margin: _of_margin(margin) for margin in MARGINS},
    **{kind: _of_node(kind, node, by_rank=True) for kind, node in CURVED.items()},
    **{kind: _of_mixed(kind) for kind in ("logistic", "conditional-gaussian", "probit")},
    "latent-classes": lambda dag, rows, seed: _latent_classes(dag, rows, seed, "latent-classes"),
}
