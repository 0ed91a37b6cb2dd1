"""A linear regression for each configuration of the discrete parents: conditional Gaussian networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, pi
from typing import Any, ClassVar, TypedDict

import numpy as np

from arcwise.data.dataset import Column, Dataset, FloatArray, IntArray, Kind
from arcwise.data.reading.door import takes_columns, takes_table
from arcwise.errors import DataError, GraphError
from arcwise.networks.columns import Columns, continuous_values, state_codes
from arcwise.networks.models.linear_gaussian import GaussianContent, LinearGaussian
from arcwise.networks.models.regression import fit_linear_gaussian
from arcwise.networks.tables import as_states
from arcwise.printing import counted, printable
from arcwise.stats.occurring import count_states

LEAST_ROWS = 10  # of a configuration with a regression of its own, and twice as many as that has parameters


class _ByStatesContent(TypedDict):
    states: list[int]
    regression: GaussianContent


class _LevelsContent(TypedDict):
    parent: str
    levels: list[str]


class ByLevelsContent(TypedDict):
    """What `RegressionsByLevels.to_dict` gives."""

    levels: list[_LevelsContent]
    regressions: list[_ByStatesContent]
    otherwise: GaussianContent


@dataclass(frozen=True, slots=True, repr=False)
class RegressionsByLevels:
    """y is normal around a regression on the continuous parents, one for each configuration of the discrete ones.

    given: the discrete parents, with the levels they are known by. regressions: by the positions of these levels.
    otherwise: a regression on all parents, in which effects of levels add up, for all other configurations.
    """

    kind: ClassVar[str] = "regressions-by-levels"
    content: ClassVar[type] = ByLevelsContent
    levels: ClassVar[tuple[str, ...]] = ()

    given: tuple[tuple[str, tuple[str, ...]], ...]
    regressions: tuple[tuple[tuple[int, ...], LinearGaussian], ...]
    otherwise: LinearGaussian

    def __post_init__(self) -> None:
        numbers = [name for name in self.parents if name not in dict(self.given)]
        if not self.given or any(self.columns.get(name) != levels for name, levels in self.given):
            raise GraphError(f"the model of {self.child!r} needs discrete parents, with the same levels everywhere")
        for states, model in self.regressions:
            fits = len(states) == len(self.given) and all(
                0 <= state < len(levels) for state, (_, levels) in zip(states, self.given, strict=True)
            )
            if not fits or model.child != self.child or list(model.parents) != numbers:
                raise GraphError(
                    f"each regression of the model of {self.child!r} needs a level of each discrete parent, and the "
                    "continuous parents"
                )
        if len({states for states, _ in self.regressions}) < len(self.regressions):
            raise GraphError(f"the model of {self.child!r} has two regressions for one configuration")

    @property
    def child(self) -> str:
        return self.otherwise.child

    @property
    def parents(self) -> tuple[str, ...]:
        return self.otherwise.parents

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        return self.otherwise.columns

    @takes_columns
    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln N(y; mean, sd^2)."""
        means, sds = self._means_and_sds(data)
        values = continuous_values(data, self.child)
        with np.errstate(over="ignore"):  # too far to tell: minus infinity
            result: FloatArray = -0.5 * np.square((0.5 * values - 0.5 * means) / sds * 2.0)
        return result - np.log(sds) - 0.5 * log(2 * pi)

    @takes_columns
    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows,) E[y | parents]."""
        return self._means_and_sds(data)[0]

    def sample(self, parents: Columns, rng: np.random.Generator) -> Column:
        means, sds = self._means_and_sds(parents)
        return Column(self.child, Kind.CONTINUOUS, means + sds * rng.standard_normal(parents.n_rows))

    def renamed(self, called: Mapping[str, str]) -> RegressionsByLevels:
        return replace(
            self,
            given=tuple((called[name], levels) for name, levels in self.given),
            regressions=tuple((states, model.renamed(called)) for states, model in self.regressions),
            otherwise=self.otherwise.renamed(called),
        )

    def normals(self, parents: Columns) -> tuple[FloatArray, FloatArray, FloatArray, float]:
        means, sds = self._means_and_sds(parents)
        own = self.otherwise
        standard = (0.5 * means - 0.5 * own.centre) / own.scale * 2.0
        return np.zeros((len(means), 1)), standard[:, None], (sds / own.scale)[:, None], 0.0

    def own_units(self, z: FloatArray) -> FloatArray:
        return self.otherwise.own_units(z)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "levels": [{"parent": name, "levels": list(levels)} for name, levels in self.given],
            "regressions": [
                {"states": list(states), "regression": model.to_dict()} for states, model in self.regressions
            ],
            "otherwise": self.otherwise.to_dict(),
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> RegressionsByLevels:
        return RegressionsByLevels(
            given=tuple((one["parent"], as_states(one["parent"], one["levels"])) for one in content["levels"]),
            regressions=tuple(
                (tuple(one["states"]), LinearGaussian.from_dict(one["regression"])) for one in content["regressions"]
            ),
            otherwise=LinearGaussian.from_dict(content["otherwise"]),
        )

    def __repr__(self) -> str:
        names = ", ".join(name for name, _ in self.given)
        return printable(
            f"RegressionsByLevels({self.child} given {', '.join(self.parents)}: "
            f"{counted(len(self.regressions), 'regression')} by {names})"
        )

    def _means_and_sds(self, data: Columns) -> tuple[FloatArray, FloatArray]:
        """Of each row, in the units of the data."""
        codes = [state_codes(data, name, levels) for name, levels in self.given]
        means, sds = np.empty(data.n_rows), np.empty(data.n_rows)
        left = np.ones(data.n_rows, dtype=np.bool_)
        for states, model in self.regressions:
            rows = np.logical_and.reduce([own == state for own, state in zip(codes, states, strict=True)])
            left &= ~rows
            _fill(model, data, np.flatnonzero(rows), means, sds)
        _fill(self.otherwise, data, np.flatnonzero(left), means, sds)
        return means, sds


@dataclass(frozen=True, slots=True)
class _Some:
    """Some rows of columns."""

    data: Columns
    rows: IntArray

    @property
    def n_rows(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> Column:
        whole = self.data.column(name)
        return replace(whole, values=whole.values[self.rows])


def _fill(model: LinearGaussian, data: Columns, rows: IntArray, means: FloatArray, sds: FloatArray) -> None:
    if len(rows):
        _, standard, _, _ = model.normals(_Some(data, rows))
        means[rows], sds[rows] = model.own_units(standard[:, 0]), model.sd


@takes_table
def fit_by_levels(data: Dataset, child: str, parents: tuple[str, ...]) -> LinearGaussian | RegressionsByLevels:
    """Least squares in each configuration of the discrete parents with enough rows, and over all of them.

    Enough are LEAST_ROWS, and twice as many as a regression has parameters, with more than one value of the child.
    Without discrete parents it is a linear Gaussian. Rows that lack a cell of these columns are left out.
    """
    data = data.select((child, *parents)).complete_rows().repeated()
    if not data.n_rows:
        raise DataError(f"no row has all of {child!r} and its parents, so there is nothing to fit; fill some cells in")
    levels = [name for name in parents if data.column(name).kind is Kind.DISCRETE]
    numbers = tuple(name for name in parents if name not in levels)
    otherwise = fit_linear_gaussian(data, child, parents)
    if not levels:
        return otherwise
    given = tuple((name, data.column(name).levels) for name in levels)
    regressions = []
    for states, rows in _configurations(data, levels):
        enough = len(rows) >= max(LEAST_ROWS, 2 * (len(numbers) + 2))
        some = data.take(rows) if enough else None
        if some is not None and np.ptp(some.column(child).values) > 0:
            regressions.append((states, fit_linear_gaussian(some, child, numbers)))
    return RegressionsByLevels(given, tuple(regressions), otherwise)


def _configurations(data: Dataset, levels: Sequence[str]) -> list[tuple[tuple[int, ...], IntArray]]:
    """Those that occur, with their rows."""
    columns = [data.column(name) for name in levels]
    codes, cards = [column.values.astype(np.intp) for column in columns], [column.cardinality for column in columns]
    states, _ = count_states(codes, cards, np.empty(0))
    found = []
    for one in states.T.tolist():
        rows = np.logical_and.reduce([own == state for own, state in zip(codes, one, strict=True)])
        found.append((tuple(one), np.flatnonzero(rows)))
    return found
