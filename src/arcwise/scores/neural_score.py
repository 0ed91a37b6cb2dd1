"""The bound form of the scores that train networks for every family, and the prediction of batches of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.data.complete import check_complete
from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.networks.models.densities import log_before_data, log_densities, prior_share
from arcwise.networks.models.inputs import Input, in_random_order, on_grid, sd_floor
from arcwise.networks.models.neural import choose_order
from arcwise.networks.models.training import Task, Training, fit_weights, make_task
from arcwise.printing import listed
from arcwise.stats.threads import map_threads

MANY_LEVELS = 50  # of a column: each is an input, and an output
CROWDED = 0.1  # half of a column within so many standard deviations: its network takes their values for equal
FIRST_ROWS = 10  # predicted before anything is learned
ROWS_PER_INPUT = 2  # with fewer a network without inputs predicts


@dataclass(frozen=True, slots=True, eq=False)
class _Variable:
    """A column as an input (width, n_rows), and as a target with what `make_task` must know about it.

    alone: what tasks with this target share.
    """

    inputs: FloatArray
    targets: NDArray[Any]
    levels: int
    floor: float
    log_unit: float
    alone: dict[tuple[int, int], FloatArray] = field(default_factory=dict)

    @staticmethod
    def of(column: Column) -> _Variable:
        known = Input.of(column)
        inputs = on_grid(known.encode(Dataset((column,))))
        if known.standard is None:
            return _Variable(inputs, column.values, column.cardinality, 0.0, 0.0)
        z = on_grid(known.standard.standardized(column.values))
        return _Variable(inputs, z, 0, sd_floor(z), known.standard.log_unit)


class NeuralScore:
    """What `worth` says about each family, made of standardized columns and indicators of levels.

    Rows are put into an order that depends on their contents and the seed only, parents go by their contents, too, and
    every training begins with the same random numbers: names, units and the order of rows, columns and questions change
    nothing. warnings: what makes these scores doubtful or slow here.
    """

    def __init__(
        self, data: Dataset, worth: Callable[[Task], float], *, hidden: int, seed: int, log_arc_prior: float = 0.0
    ) -> None:
        check_complete(data, "a neural score")
        table, places = in_random_order(data, seed)
        columns = table.columns
        self._worth, self._hidden, self._log_arc_prior = worth, hidden, log_arc_prior
        self._place, self._n_rows = np.argsort(places), data.n_rows
        self._variables = [_Variable.of(column) for column in columns]
        self.warnings = _doubts(columns, self._variables, self._n_rows)

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return float(self.local_scores(child, np.array([list(parents)], dtype=np.intp))[0])

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        """Some trainings for each set; the sets are shared over the threads. A constant child scores 0."""
        variable = self._variables[child]
        if not len(variable.inputs):
            return np.zeros(len(parent_sets))
        families = [sorted((int(u) for u in row if u >= 0), key=self._place.__getitem__) for row in parent_sets]

        def score(parents: list[int]) -> float:
            arcs = sum(len(self._variables[u].inputs) > 0 for u in parents)
            prior = self._log_arc_prior * arcs
            return self._worth(self._task(variable, parents)) - self._n_rows * variable.log_unit + prior

        return np.array(map_threads(score, families), dtype=np.float64)

    def _task(self, child: _Variable, parents: list[int]) -> Task:
        """A constant parent adds no input, so that it changes nothing."""
        read = np.concatenate([np.empty((0, self._n_rows)), *(self._variables[u].inputs for u in parents)])
        task = make_task(read, child.targets, self._hidden, levels=child.levels, floor=child.floor)
        return replace(task, alone=child.alone)


def _doubts(columns: Sequence[Column], variables: Sequence[_Variable], n_rows: int) -> tuple[str, ...]:
    found = []
    if n_rows <= FIRST_ROWS:
        found.append(
            f"the table has no more than {FIRST_ROWS} rows, too few to train a network on: arcs are hardly found; "
            "collect more rows"
        )
    pairs = zip(columns, variables, strict=True)
    crowded = [repr(column.name) for column, variable in pairs if n_rows and _is_crowded(column, variable)]
    if crowded:
        found.append(
            f"a few far values dominate {listed(crowded)}, so that a network hardly tells the others apart; take the "
            "logarithm or clip"
        )
    rich = [repr(column.name) for column in columns if column.cardinality > MANY_LEVELS]
    if rich:
        found.append(
            f"each level of {listed(rich)} is an input of a network, and with more than {MANY_LEVELS} that takes long "
            "and teaches little; merge levels or leave the column out"
        )
    return tuple(found)


def _is_crowded(column: Column, variable: _Variable) -> bool:
    """Half of the values lie close together once standardized, without being equal."""
    if column.kind is Kind.DISCRETE:
        return False
    values, z = column.values, variable.targets
    quarter = len(z) // 4
    low, high = np.argpartition(values, (quarter, -quarter - 1))[[quarter, -quarter - 1]]
    return bool(z[high] - z[low] < CROWDED and values[high] > values[low])


def prequential(task: Task, training: Training, lam: float) -> float:
    """sum over the rows of ln p(target | inputs, weights trained on all rows before its batch).

    The order of a mixture is chosen once, on all rows. Every training begins with the weights of the one before, and,
    since those are often a poor optimum for more rows, with a few random starts. Until there are rows enough for the
    inputs they are left out, so that all families predict the first batches alike.
    """
    task = task.with_order(choose_order(task, training)) if task.order else task
    rng = np.random.default_rng(training.seed)
    weights: FloatArray | None = None
    batches = list(_batches(task.rows, lam))
    total = _before_data(task.head(batches[0]))
    used = task.without_inputs() if task.n_inputs else task
    for seen, last in pairwise(batches):
        if used is not task and seen >= ROWS_PER_INPUT * task.n_inputs:
            used, weights = task, None
        trained_on = used.head(seen)
        weights = fit_weights(trained_on, training, rng, weights)
        share = prior_share(trained_on, training.prior)
        total += float(log_densities(used.head(last), weights, share)[seen:].sum())
    return total


def _batches(rows: int, lam: float) -> Iterator[int]:
    """Rows seen after each batch: the first ones, then lam as many again, until there are no more."""
    seen = min(rows, FIRST_ROWS)
    yield seen
    while seen < rows:
        seen = min(rows, seen + max(1, ceil(lam * seen)))
        yield seen


def _before_data(task: Task) -> float:
    """ln p of rows under 1 / r for each of r levels, Student's t for standardized numbers."""
    if task.order:
        return float(log_before_data(task.target_values()).sum())
    return -task.rows * float(np.log(task.outputs))
