"""Conditional densities by product kernels: what the rows near a point say, whatever the shape of the relation.

    p(y | x) = (sum_i w_i(x) K(y, y_i) + g(y)) / (sum_i w_i(x) + 1),

over the rows i of the fit. w is the product of kernels of the parents, 1 at the row itself: normal ones of numbers,
those of Aitchison and Aitken (1976) of levels. The prior g is worth one row: without parents it is Student's density
with 3 degrees of freedom, or even shares of levels; with parents it is the density without them. So a point without
neighbours has the marginal density, few rows are not trusted too far, and every value has a density. Why kernels: the
methods that go with it (kernel generalized variance, tests by medians) assume no shape either, and any other family
would judge their graphs by an assumption that they do not make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from math import isfinite
from typing import Any, ClassVar, TypedDict

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import BoolArray, Column, Dataset, FloatArray, Kind, code_dtype
from arcwise.data.reading.door import takes_columns, takes_table
from arcwise.errors import DataError, GraphError
from arcwise.networks.columns import Columns, continuous_values, state_codes
from arcwise.networks.models import bandwidths
from arcwise.networks.models.bandwidths import for_more_rows, height_of, rates_of
from arcwise.networks.models.densities import log_before_data
from arcwise.networks.models.inputs import (
    FARTHEST_INPUT,
    Standard,
    StandardContent,
    in_random_order,
    on_grid,
    sd_floor,
    standard_from_dict,
)
from arcwise.networks.tables import as_states
from arcwise.printing import printable
from arcwise.stats.threads import map_threads

MOST_ROWS = 5_000  # that a density keeps; of more, a random sample
JUDGED = 500  # rows by which bandwidths are chosen; those of more rows follow by a rule
PART = 256  # points that a thread is asked about at once
COMPONENTS = 24  # normal densities that stand for those of all rows, where one number is integrated over
LEAST_LOG = -700.0  # ln of the least share of one of these
FAR = 3.0  # sd of the normal density that stands for Student's there


class _NumberContent(StandardContent):
    name: str
    values: list[float]
    width: float


class _LevelsContent(TypedDict):
    name: str
    levels: list[str]
    values: list[int]
    width: float


class KernelContent(TypedDict):
    """What `KernelDensity.to_dict` and `KernelTable.to_dict` give."""

    child: _NumberContent | _LevelsContent
    parents: list[_NumberContent | _LevelsContent]
    marginal: float
    ordered: bool


@dataclass(frozen=True, slots=True, eq=False)
class Smoothed:
    """A column: its values in the rows that are kept, and the bandwidth. Standardized numbers, or codes of `levels`.

    width: h of numbers, in standard deviations; of levels the weight of a row with another level, from 0 to 1.
    """

    name: str
    values: FloatArray
    width: float
    standard: Standard | None = None
    levels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)
        values.setflags(write=False)
        object.__setattr__(self, "values", values)
        good = isfinite(self.width) and self.width > 0 and np.isfinite(values).all()
        if not good or (self.standard is None) != bool(self.levels):
            raise GraphError(f"column {self.name!r} needs a bandwidth above 0 and finite values")
        if self.levels and not (self.width <= 1 and np.isin(values, np.arange(len(self.levels))).all()):
            raise GraphError(f"column {self.name!r} needs codes of its levels and a bandwidth of at most 1")

    def points(self, data: Columns) -> FloatArray:
        """(n_rows,) of a table, as `values` are."""
        if self.standard is None:
            return state_codes(data, self.name, self.levels).astype(np.float64)
        values = self.standard.standardized(continuous_values(data, self.name))
        return np.clip(values, -FARTHEST_INPUT, FARTHEST_INPUT)

    def to_dict(self) -> dict[str, Any]:
        own = {"name": self.name, "width": self.width}
        if self.standard is None:
            return {**own, "levels": list(self.levels), "values": self.values.astype(int).tolist()}
        return {**own, **asdict(self.standard), "values": self.values.tolist()}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Smoothed:
        name, values, width = content["name"], np.array(content["values"], dtype=np.float64), float(content["width"])
        if "levels" in content:
            return Smoothed(name, values, width, levels=as_states(name, content["levels"]))
        return Smoothed(name, values, width, standard_from_dict(content))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Kernel:
    """What models of numbers and of levels share: the rows that are kept, and how near a point is to each.

    marginal: the bandwidth of the child without its parents.
    """

    content: ClassVar[type] = KernelContent

    own: Smoothed
    near: tuple[Smoothed, ...]
    marginal: float
    ordered: bool = False

    def __post_init__(self) -> None:
        if {len(one.values) for one in (self.own, *self.near)} != {len(self.own.values)} or not len(self.own.values):
            raise GraphError(f"the model of {self.child!r} needs as many values of each of its columns, 1 or more")
        if not (isfinite(self.marginal) and self.marginal > 0):
            raise GraphError(f"the model of {self.child!r} needs bandwidths above 0")

    @property
    def child(self) -> str:
        return self.own.name

    @property
    def parents(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.near)

    @property
    def levels(self) -> tuple[str, ...]:
        return self.own.levels

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        return {one.name: one.levels for one in (self.own, *self.near)}

    def renamed(self, called: Mapping[str, str]) -> Any:
        own, *near = (replace(one, name=called[one.name]) for one in (self.own, *self.near))
        return replace(self, own=own, near=tuple(near))

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,  # type: ignore[attr-defined]
            "child": self.own.to_dict(),
            "parents": [one.to_dict() for one in self.near],
            "marginal": self.marginal,
            "ordered": self.ordered,
        }

    def __repr__(self) -> str:
        given = f" given {', '.join(self.parents)}" if self.parents else ""
        return printable(f"{type(self).__name__}({self.child}{given}: {len(self.own.values)} rows)")

    @property
    def _arrays(self) -> tuple[FloatArray, BoolArray, FloatArray]:
        """(rows that are kept (parents, rows), which parents have levels, rates)."""
        n = len(self.own.values)
        rows = np.stack([one.values for one in self.near]) if self.near else np.empty((0, n))
        is_levels = np.array([bool(one.levels) for one in self.near], dtype=np.bool_)
        return rows, is_levels, rates_of(np.array([one.width for one in self.near]), is_levels)

    def _points(self, data: Columns) -> FloatArray:
        found = [np.empty((0, data.n_rows)), *(one.points(data)[None] for one in self.near)]
        return np.concatenate(found)

    def _sums(self, data: Columns, values: FloatArray) -> FloatArray:
        """(n_rows, k): sum of w_i values[i], for values (rows that are kept, k)."""
        from arcwise._kernels.smoothing.products import weighted_sums

        if not self.near:
            return np.tile(values.sum(axis=0), (data.n_rows, 1))
        points, arrays = self._points(data), self._arrays
        values = np.ascontiguousarray(values)

        def ask(part: slice) -> FloatArray:
            return weighted_sums(np.ascontiguousarray(points[:, part]), *arrays, values)

        return _in_parts(ask, data.n_rows, values.shape[1])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class KernelDensity(Kernel):
    """A continuous child given parents of any kind."""

    kind: ClassVar[str] = "kernel-density"

    @takes_columns
    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln p(child | parents)."""
        from arcwise._kernels.smoothing.products import smoothed

        z, points, (rows, is_levels, rates) = self._own_points(data), self._points(data), self._arrays
        own, rate = self.own.values, 0.5 / self.own.width**2

        def ask(part: slice) -> FloatArray:
            return smoothed(np.ascontiguousarray(points[:, part]), z[part], rows, own, is_levels, rates, rate)

        found = _in_parts(ask, data.n_rows, 2)
        joint = found[:, 0] * height_of(self.own.width, 0) + self._before(z)
        return np.log(joint) - np.log1p(found[:, 1]) - self._standard.log_unit

    @takes_columns
    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows,) E[child | parents]."""
        z = self.own.values
        sums = self._sums(data, np.stack([z, np.ones(len(z))], axis=1))
        before = z.sum() / (len(z) + 1) if self.near else 0.0
        return self._standard.own_units((sums[:, 0] + before) / (sums[:, 1] + 1.0))

    def sample(self, parents: Columns, rng: np.random.Generator) -> Column:
        from arcwise._kernels.smoothing.products import picked

        n, kept = parents.n_rows, len(self.own.values)
        uniform, noise, outside = rng.random((4, n)), rng.standard_normal(n), rng.standard_t(3, n) / np.sqrt(3)
        sums = self._sums(parents, np.ones((kept, 1)))[:, 0]
        points, arrays = self._points(parents), self._arrays
        near = picked(points, *arrays, uniform[0])
        within = self.own.values[near] + self.own.width * noise
        anyone = self.own.values[(uniform[1] * kept).astype(np.intp)] + self.marginal * noise
        prior = np.where(uniform[2] * (kept + 1) < (1.0 if self.near else kept + 1), outside, anyone)
        values = np.where(uniform[3] * (sums + 1.0) < 1.0, prior, within)
        return Column(self.child, Kind.CONTINUOUS, self._standard.own_units(values))

    def normals(self, parents: Columns) -> tuple[FloatArray, FloatArray, FloatArray, float]:
        """About so: rows with nearly the same value of the child stand for one normal density, as wide as they are."""
        z = self.own.values
        edges = np.quantile(z, np.linspace(0.0, 1.0, COMPONENTS + 1)[1:-1])
        bins = np.searchsorted(edges, z, side="right")
        counts = np.bincount(bins)
        some = counts.nonzero()[0]
        means = np.bincount(bins, z)[some] / counts[some]
        apart = np.maximum(np.bincount(bins, z * z)[some] / counts[some] - means**2, 0.0)
        shares = self._sums(parents, (bins[:, None] == some).astype(np.float64))
        n, total = len(shares), shares.sum(axis=1, keepdims=True) + 1.0
        wide = 1.0 / (len(z) + 1) if self.near else 1.0
        with np.errstate(divide="ignore"):
            logs = np.log(np.concatenate([shares, np.full((n, 1), 1.0 - wide), np.full((n, 1), wide)], axis=1) / total)
        places = np.concatenate([means, [z.mean(), 0.0]])
        sds = np.concatenate([np.sqrt(apart + self.own.width**2), [max(float(z.std()), self.marginal), FAR]])
        return np.maximum(logs, LEAST_LOG), np.tile(places, (n, 1)), np.tile(sds, (n, 1)), 0.0

    def own_units(self, z: FloatArray) -> FloatArray:
        return self._standard.own_units(z)

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> KernelDensity:
        return KernelDensity(*_read(content))

    @property
    def _standard(self) -> Standard:
        assert self.own.standard is not None  # of a continuous child
        return self.own.standard

    def _own_points(self, data: Columns) -> FloatArray:
        return self._standard.standardized(continuous_values(data, self.child))

    def _before(self, z: FloatArray) -> FloatArray:
        """The prior's density, in standard deviations."""
        prior = np.exp(log_before_data(z))
        if not self.near:
            return prior
        own = self.own.values
        sums = _in_parts(lambda part: _without_parents(z[part], own, self.marginal), len(z), 1)[:, 0]
        return (sums * height_of(self.marginal, 0) + prior) / (len(own) + 1)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class KernelTable(Kernel):
    """A discrete child given parents of any kind. Its prior is (N_k + 1 / r) / (N + 1), as in a table."""

    kind: ClassVar[str] = "kernel-table"

    @takes_columns
    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln P(child | parents)."""
        codes = state_codes(data, self.child, self.levels)
        return np.log(self.expected(data)[np.arange(data.n_rows), codes])

    @takes_columns
    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows, levels) the probability of each level."""
        return self._probabilities(data)

    def _probabilities(self, data: Columns) -> FloatArray:
        r, codes = len(self.levels), self.own.values.astype(np.intp)
        is_level = (codes[:, None] == np.arange(r)).astype(np.float64)
        before = (is_level.sum(axis=0) + 1.0 / r) / (len(codes) + 1.0)
        if not self.near:
            return np.tile(before, (data.n_rows, 1))
        sums, width = self._sums(data, is_level), self.own.width
        total = sums.sum(axis=1, keepdims=True)
        smooth = ((1.0 - width) * sums + width * total) * height_of(width, r)
        return (smooth + before) / (total + 1.0)

    def sample(self, parents: Columns, rng: np.random.Generator) -> Column:
        edges = np.cumsum(self._probabilities(parents), axis=1)[:, :-1]
        codes = np.count_nonzero(edges <= rng.random(parents.n_rows)[:, None], axis=1)
        values = codes.astype(code_dtype(len(self.levels)))
        return Column(self.child, Kind.DISCRETE, values, levels=self.levels, ordered=self.ordered)

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> KernelTable:
        return KernelTable(*_read(content))


@takes_table
@checked
def fit_kernel(data: Dataset, child: str, parents: tuple[str, ...]) -> KernelDensity | KernelTable:
    """Bandwidths by cross-validated likelihood (see `bandwidths`); of a child without parents, too.

    Rows that lack a cell of these columns are left out; of more than MOST_ROWS a random sample is kept, the same
    whatever the order of rows and columns. A bandwidth is at least 0.01 standard deviations of its column, and half the
    usual gap between its values: rounded values say nothing about densities that are narrower.
    """
    data = data.select([child, *parents]).complete_rows()
    if not data.n_rows:
        raise DataError(f"no row has all of {child!r} and its parents, so there is nothing to fit; fill some cells in")
    table, _ = in_random_order(data, 0)
    table = table.take(slice(0, MOST_ROWS))
    columns = [_column(table.column(name)) for name in (child, *parents)]
    floors = np.array([1.0 if one.levels else sd_floor(one.values) for one in columns])
    judged = bandwidths.Columns(
        np.stack([one.values[:JUDGED] for one in columns]), tuple(len(one.levels) for one in columns), floors
    )
    own = bandwidths.Columns(judged.rows[:1], judged.cards[:1], floors[:1])
    marginal, before = _marginal(own)
    if parents:
        widths = for_more_rows(bandwidths.bandwidths(judged, before), judged, table.n_rows)
        alone = float(for_more_rows(np.array([marginal]), own, table.n_rows)[0])
    else:
        widths = for_more_rows(np.array([marginal]), own, table.n_rows)
        alone = float(widths[0])
    first, *near = (replace(one, width=float(h)) for one, h in zip(columns, widths, strict=True))
    if first.levels:
        return KernelTable(first, tuple(near), alone, table.column(child).ordered)
    return KernelDensity(first, tuple(near), alone)


def _marginal(own: bandwidths.Columns) -> tuple[float, FloatArray]:
    """(the bandwidth of the child without parents, its density in each row by the others, as a prior worth one row)."""
    values, card = own.rows[0], own.cards[0]
    n = len(values)
    if card:
        counts = np.bincount(values.astype(np.intp), minlength=card)[values.astype(np.intp)]
        return 1.0, (counts - 1.0 + 1.0 / card) / n
    prior = np.exp(log_before_data(values))
    width = float(bandwidths.bandwidths(own, prior)[0])
    sums = _without_parents(values, values, width)[:, 0] - 1.0  # its own kernel is 1
    return width, (np.maximum(sums, 0.0) * height_of(width, 0) + prior) / n


def _without_parents(z: FloatArray, own: FloatArray, width: float) -> FloatArray:
    """(points, 1): sum over rows of exp(-(z - own_i)^2 / (2 width^2))."""
    from arcwise._kernels.smoothing.products import smoothed

    none = np.zeros(0, dtype=np.bool_), np.zeros(0)
    found = smoothed(np.empty((0, len(z))), z, np.empty((0, len(own))), own, *none, 0.5 / width**2)
    return found[:, :1]


def _column(column: Column) -> Smoothed:
    if column.kind is Kind.DISCRETE:
        return Smoothed(column.name, column.values.astype(np.float64), 1.0, levels=column.levels)
    standard = Standard.of(column.values)
    z = np.clip(standard.standardized(column.values), -FARTHEST_INPUT, FARTHEST_INPUT)
    return Smoothed(column.name, on_grid(z), 1.0, standard)


def _read(content: Mapping[str, Any]) -> tuple[Smoothed, tuple[Smoothed, ...], float, bool]:
    near = tuple(Smoothed.from_dict(one) for one in content["parents"])
    return Smoothed.from_dict(content["child"]), near, float(content["marginal"]), content["ordered"]


def _in_parts(ask: Callable[[slice], FloatArray], n: int, width: int) -> FloatArray:
    """(n, width): the answers about all points, some at a time on each thread."""
    parts = [slice(start, min(start + PART, n)) for start in range(0, n, PART)]
    return np.concatenate([np.empty((0, width)), *map_threads(ask, parts)])
