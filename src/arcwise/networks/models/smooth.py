"""Smooth regressions: a column as a sum of curves of its parents, and of products of two, with a spread of its own.

A continuous child is told by its normal score z, a piecewise linear function of its values: with features f of the
parents (normal scores and Legendre polynomials of their ranks, or contrasts of levels)

    theta(z) = b_0 + sum b_f f + sum c_fg f g + sigma e,   ln sigma^2 = d_0 + sum d_f f,   e ~ N(0, 1),

theta(z) = sinh(tail asinh(z) - skew) (Jones and Pewsey 2009) a bent scale. A discrete child has a multinomial logistic
regression on the same terms. Which terms there are, the score `smooth-regression` says: those that its BIC lets in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from math import inf, isfinite, log, log1p
from typing import Any, ClassVar, NamedTuple, TypedDict

import numpy as np
from scipy.special import eval_legendre, ndtr, ndtri

from arcwise.checking import checked
from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.data.reading.door import takes_columns, takes_table
from arcwise.data.row_order import sorted_rows
from arcwise.errors import DataError, GraphError
from arcwise.networks.columns import Columns, continuous_values, state_codes
from arcwise.networks.models import inputs
from arcwise.networks.models.densities import HALF_LOG_TWO_PI, log_before_data
from arcwise.networks.models.inputs import Standard, StandardContent
from arcwise.networks.models.logistic import fit_weights
from arcwise.networks.models.softmax import SoftmaxModel, check_weights, linear_outputs
from arcwise.networks.tables import as_states
from arcwise.printing import printable
from arcwise.stats.row_sample import sample_of

MOST_ROWS = 1 << 14  # that a model is fitted to; of more, a random sample
MOST_KNOTS = 64
ROUNDS, HALVINGS = 8, 5  # of fitting curves and spread in turn; of a step
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(41)  # of the standard normal distribution
PLACES: FloatArray = ndtri((np.arange(24) + 0.5) / 24)  # of the normal densities that stand for a bent one
LEAST_WIDTH = 0.01
FARTHEST = 40.0  # standard deviations: beyond any score
MOST_EXPONENT = 12.0  # ln of a variance: rows far from those of the fit


class MarginContent(StandardContent):
    values: list[float]
    scores: list[float]
    ends: list[list[float]]
    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class Margin:
    """A continuous column and its normal score: scores[i] at values[i], straight between them and beyond.

    ends: between which scores a value stands; apart where many rows have it. mean, sd: of scores where nothing is known
    of the column, as which they are normal.
    """

    standard: Standard
    values: tuple[float, ...]
    scores: tuple[float, ...]
    ends: tuple[tuple[float, float], ...]
    mean: float = 0.0
    sd: float = 1.0

    def __post_init__(self) -> None:
        for ladder in (self.values, self.scores):
            if not ladder or not all(map(isfinite, ladder)) or not all(a < b for a, b in pairwise(ladder)):
                raise GraphError("the values and the scores of a smooth model must be finite numbers that increase")
        if not len(self.values) == len(self.scores) == len(self.ends):
            raise GraphError("a smooth model needs a score, and ends, for each value")
        if not all(low <= score <= high for score, (low, high) in zip(self.scores, self.ends, strict=True)):
            raise GraphError("each score of a smooth model must lie between its ends")
        if not (isfinite(self.mean) and isfinite(self.sd) and self.sd > 0):
            raise GraphError("the mean of the scores of a smooth model must be finite, their sd positive")

    @staticmethod
    def of(values: FloatArray) -> Margin:
        """Knots about evenly spaced in normal scores, more of more rows, and at values that many rows have.

        All values where these are few.
        """
        found, sizes = np.unique(values, return_counts=True)
        after = np.cumsum(sizes)
        most = int(np.clip(2 * round(len(values) ** (1 / 3)), 8, MOST_KNOTS))
        many = sizes * most > len(values)
        if len(found) <= MOST_KNOTS and len(values) > 2 * len(found):
            many[:] = True
        farthest = -ndtri(0.5 / len(values))
        levels = ndtr(np.linspace(-farthest, farthest, most + 1))
        kept = np.searchsorted(after, levels * len(values), side="left")
        kept = np.unique(np.concatenate([[0, len(found) - 1], np.minimum(kept, len(found) - 1), many.nonzero()[0]]))
        scores = ndtri((after - sizes / 2)[kept] / len(values))
        low, high = (
            np.where(many, ndtri(np.clip(s / len(values), 0, 1)), np.nan)[kept] for s in (after - sizes, after)
        )
        low, high = (np.where(np.isnan(end), scores, np.clip(end, -FARTHEST, FARTHEST)) for end in (low, high))
        rows = np.interp(values, found[kept], scores)
        centre, spread = float(rows.mean()), float(rows.std()) or 1.0
        scores, low, high = ((one - centre) / spread for one in (scores, low, high))
        ends = tuple(zip(low.tolist(), high.tolist(), strict=True))
        standard = Standard.of(values)
        return Margin(
            standard, tuple(found[kept].tolist()), tuple(scores.tolist()), ends, -centre / spread, 1.0 / spread
        )

    @property
    def is_constant(self) -> bool:
        return len(self.values) < 2

    @property
    def is_piled(self) -> bool:
        """Whether many rows have one value."""
        from arcwise.stats.ranks import PILE

        return any(
            ndtr((high - self.mean) / self.sd) - ndtr((low - self.mean) / self.sd) > PILE for low, high in self.ends
        )

    @property
    def has_steps(self) -> bool:
        """Whether the column has these values only."""
        return all(low < high for low, high in self.ends)

    def score(self, values: FloatArray) -> FloatArray:
        """Beyond the last knots as steep as between the last two."""
        x, z = np.array(self.values), np.array(self.scores)
        found: FloatArray = np.interp(values, x, z)
        if self.is_constant:
            return found
        slopes = self._slopes
        with np.errstate(over="ignore"):
            found = np.where(values < x[0], z[0] + (values - x[0]) * slopes[0], found)
            found = np.where(values > x[-1], z[-1] + (values - x[-1]) * slopes[-1], found)
        return np.clip(found, -inputs.FARTHEST_INPUT, inputs.FARTHEST_INPUT)

    def log_slope(self, values: FloatArray) -> FloatArray:
        """ln of the slope of the score."""
        place = np.clip(np.searchsorted(self.values, values, side="right") - 1, 0, len(self.values) - 2)
        found: FloatArray = np.log(self._slopes)[place]
        return found

    def value(self, scores: FloatArray) -> FloatArray:
        """The inverse, within the values that were seen."""
        found: FloatArray = np.interp(scores, np.ravel(self.ends), np.repeat(self.values, 2))
        return found

    @property
    def _slopes(self) -> FloatArray:
        with np.errstate(over="ignore"):
            slopes: FloatArray = np.diff(self.scores) / np.diff(self.values)
        return np.clip(slopes, np.finfo(float).tiny, np.finfo(float).max)

    def to_dict(self) -> dict[str, Any]:
        ends = [list(both) for both in self.ends]
        known = {
            "values": list(self.values),
            "scores": list(self.scores),
            "ends": ends,
            "mean": self.mean,
            "sd": self.sd,
        }
        return {**asdict(self.standard), **known}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Margin:
        values, scores = (tuple(float(one) for one in content[key]) for key in ("values", "scores"))
        ends = tuple((float(both[0]), float(both[-1])) for both in content["ends"] if both)
        mean, sd = float(content["mean"]), float(content["sd"])
        return Margin(inputs.standard_from_dict(content), values, scores, ends, mean, sd)


class _NumberContent(TypedDict):
    name: str
    margin: MarginContent
    basis: list[list[float]]


class _LevelsContent(TypedDict):
    name: str
    levels: list[str]
    heights: list[list[float]]


SmoothInputContent = _NumberContent | _LevelsContent


@dataclass(frozen=True, slots=True)
class SmoothInput:
    """A parent: its features, orthonormal over the rows of the fit.

    Of levels heights[level] are the features there. Of numbers row k of `basis` makes feature k of 1, the normal score
    and the Legendre polynomials of the rank.
    """

    name: str
    levels: tuple[str, ...] = ()
    heights: tuple[tuple[float, ...], ...] = ()
    margin: Margin | None = None
    basis: tuple[tuple[float, ...], ...] = ()

    def __post_init__(self) -> None:
        table = self.heights if self.margin is None else self.basis
        if len({len(row) for row in table}) > 1 or (self.margin is None and len(table) != len(self.levels)):
            raise GraphError(f"the features of {self.name!r} in a smooth model must have one length")

    @staticmethod
    def of(column: Column, most: int) -> SmoothInput:
        from arcwise.stats.ranks import Cells, is_ordered

        if column.kind is Kind.DISCRETE:
            rows = np.bincount(column.values, minlength=column.cardinality)
            heights = Cells(column.name, None, rows, nominal=not is_ordered(column)).features(most)
            return SmoothInput(column.name, column.levels, tuple(tuple(row.tolist()) for row in heights))
        margin = Margin.of(column.values)
        if margin.is_constant:
            return SmoothInput(column.name, margin=margin)
        raw, basis = _raw(margin.score(column.values), min(most, len(margin.values) - 1)), list[FloatArray]()
        for k in range(1, len(raw)):
            row = np.eye(len(raw))[k]
            for _ in range(2):
                for other in (np.eye(len(raw))[0], *basis):
                    row = row - np.mean((row @ raw) * (other @ raw)) * other
            spread = np.sqrt(np.mean(np.square(row @ raw)))
            if spread > 1e-3:
                basis.append(row / spread)
        return SmoothInput(column.name, margin=margin, basis=tuple(tuple(row.tolist()) for row in basis))

    @property
    def width(self) -> int:
        return len(self.basis) if self.margin is not None else len(self.heights[0]) if self.heights else 0

    def features(self, data: Columns) -> FloatArray:
        """(width, n_rows). Numbers beyond those of the fit count as the farthest one."""
        if self.margin is None:
            return np.ascontiguousarray(np.array(self.heights)[state_codes(data, self.name, self.levels)].T)
        if not self.basis:
            return np.empty((0, data.n_rows))
        z = np.clip(
            self.margin.score(continuous_values(data, self.name)), self.margin.scores[0], self.margin.scores[-1]
        )
        return np.array(self.basis) @ _raw(z, len(self.basis[0]) - 1)

    def to_dict(self) -> dict[str, Any]:
        if self.margin is not None:
            return {"name": self.name, "margin": self.margin.to_dict(), "basis": [list(row) for row in self.basis]}
        return {"name": self.name, "levels": list(self.levels), "heights": [list(row) for row in self.heights]}

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> SmoothInput:
        name = content["name"]
        table = tuple(tuple(float(one) for one in row) for row in content["basis" if "basis" in content else "heights"])
        if "basis" in content:
            return SmoothInput(name, margin=Margin.from_dict(content["margin"]), basis=table)
        return SmoothInput(name, as_states(name, content["levels"]), table)


def _raw(z: FloatArray, most: int) -> FloatArray:
    """1, the score and the polynomials of degree 2, 3, ... of the rank."""
    t = 2.0 * ndtr(z) - 1.0
    return np.stack([np.ones(len(z)), z, *(eval_legendre(k, t) for k in range(2, most + 1))])


class Parts(NamedTuple):
    """The terms of a regression by the places of features: single ones, products of two, and those of the spread."""

    features: tuple[int, ...] = ()
    products: tuple[tuple[int, int], ...] = ()
    spread: tuple[int, ...] = ()


class PartsContent(TypedDict):
    features: list[int]
    products: list[list[int]]
    spread: list[int]


def _parts(content: Mapping[str, Any], known: Sequence[SmoothInput]) -> Parts:
    width = sum(one.width for one in known)
    pairs = tuple((int(one[0]), int(one[1])) for one in content["products"] if len(one) == 2)
    places = (*content["features"], *content["spread"], *(place for pair in pairs for place in pair))
    if len(pairs) != len(content["products"]) or not all(0 <= place < width for place in places):
        raise GraphError(f"the terms of a smooth model must be places of its {width} features")
    return Parts(tuple(content["features"]), pairs, tuple(content["spread"]))


def _terms(features: FloatArray, parts: Parts) -> FloatArray:
    """(terms, rows): features, then products."""
    products = [features[f] * features[g] for f, g in parts.products]
    return np.concatenate([features[list(parts.features)], np.reshape(products, (-1, features.shape[1]))])


def _features(known: Sequence[SmoothInput], data: Columns) -> FloatArray:
    return np.concatenate([np.empty((0, data.n_rows)), *(one.features(data) for one in known)])


class SmoothCurvesContent(PartsContent):
    """What `SmoothCurves.to_dict` gives."""

    child: str
    margin: MarginContent
    parents: list[SmoothInputContent]
    weights: list[float]
    spreads: list[float]
    tail: float
    skew: float
    share: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SmoothCurves:
    """A continuous child. weights, spreads: the constant first, then those of the terms.

    share: that of Student's density with 3 degrees of freedom, which stands for values before any data.
    """

    kind: ClassVar[str] = "smooth-curves"
    content: ClassVar[type] = SmoothCurvesContent
    levels: ClassVar[tuple[str, ...]] = ()

    child: str
    margin: Margin
    inputs: tuple[SmoothInput, ...]
    parts: Parts
    weights: tuple[float, ...]
    spreads: tuple[float, ...]
    tail: float
    skew: float
    share: float

    def __post_init__(self) -> None:
        terms = len(self.parts.features) + len(self.parts.products)
        if len(self.weights) != terms + 1 or len(self.spreads) != len(self.parts.spread) + 1:
            raise GraphError(f"the model of {self.child!r} needs a weight for each of its terms, and one more")
        numbers = (*self.weights, *self.spreads, self.tail, self.skew)
        if not all(map(isfinite, numbers)) or self.tail <= 0 or not 0 <= self.share < 1:
            raise GraphError(f"the weights of the model of {self.child!r} must be finite, its share from 0 to below 1")

    @property
    def parents(self) -> tuple[str, ...]:
        return tuple(sorted(one.name for one in self.inputs))

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        return {self.child: (), **{one.name: one.levels for one in self.inputs}}

    @takes_columns
    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln p(child | parents)."""
        values = continuous_values(data, self.child)
        outside = log_before_data(self.margin.standard.standardized(values)) - self.margin.standard.log_unit
        if self.margin.is_constant:
            return outside
        z = self.margin.score(values)
        mean, sd = self._mean_and_sd(data)
        bent = self.tail * np.arcsinh(z) - self.skew
        within = -HALF_LOG_TWO_PI - 0.5 * np.square((np.sinh(bent) - mean) / sd) - np.log(sd)
        within += np.logaddexp(bent, -bent) - log(2.0) + log(self.tail) - 0.5 * np.log1p(z * z)
        within += self.margin.log_slope(values)
        found: FloatArray = np.logaddexp(log1p(-self.share) + within, log(self.share) + outside)
        return found

    @takes_columns
    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows,) E[child | parents]."""
        total = np.zeros(data.n_rows)
        if self.margin.is_constant:
            return total + self.margin.values[0]
        mean, sd = self._mean_and_sd(data)
        for node, weight in zip(NODES, WEIGHTS / WEIGHTS.sum(), strict=True):
            total += weight * self._value(mean + sd * node)
        centre = float(self.margin.standard.own_units(np.zeros(1))[0])
        return (1.0 - self.share) * total + self.share * centre

    def sample(self, parents: Columns, rng: np.random.Generator) -> Column:
        n = parents.n_rows
        noise, uniform, outside = rng.standard_normal(n), rng.random(n), rng.standard_t(3, n) / np.sqrt(3)
        if self.margin.is_constant:
            return Column(self.child, Kind.CONTINUOUS, np.full(n, self.margin.values[0]))
        mean, sd = self._mean_and_sd(parents)
        far = self.margin.standard.own_units(outside)
        if self.margin.has_steps:
            far = self.margin.value(self.margin.score(far))
        values = np.where(uniform < self.share, far, self._value(mean + sd * noise))
        return Column(self.child, Kind.CONTINUOUS, values)

    def normals(self, parents: Columns) -> tuple[FloatArray, FloatArray, FloatArray, float]:
        """About so: normal densities at quantiles of the noise, as wide as these are apart."""
        mean, sd = self._mean_and_sd(parents)
        points = self._value(mean[:, None] + sd[:, None] * PLACES) if not self.margin.is_constant else None
        if points is None:
            points = np.full((parents.n_rows, len(PLACES)), self.margin.values[0])
        z = self.margin.standard.standardized(points)
        apart = np.diff(z, axis=1)
        widths = np.concatenate([apart[:, :1], (apart[:, 1:] + apart[:, :-1]) / 2, apart[:, -1:]], axis=1)
        logs = np.full(z.shape, -log(len(PLACES)))
        return logs, z, np.maximum(widths, LEAST_WIDTH), self.share

    def own_units(self, z: FloatArray) -> FloatArray:
        return self.margin.standard.own_units(z)

    def renamed(self, called: Mapping[str, str]) -> SmoothCurves:
        known = tuple(replace(one, name=called[one.name]) for one in self.inputs)
        return replace(self, child=called[self.child], inputs=known)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "child": self.child,
            "margin": self.margin.to_dict(),
            "parents": [one.to_dict() for one in self.inputs],
            **_parts_to_dict(self.parts),
            "weights": list(self.weights),
            "spreads": list(self.spreads),
            "tail": self.tail,
            "skew": self.skew,
            "share": self.share,
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> SmoothCurves:
        known = tuple(SmoothInput.from_dict(one) for one in content["parents"])
        return SmoothCurves(
            child=content["child"],
            margin=Margin.from_dict(content["margin"]),
            inputs=known,
            parts=_parts(content, known),
            weights=tuple(float(one) for one in content["weights"]),
            spreads=tuple(float(one) for one in content["spreads"]),
            tail=float(content["tail"]),
            skew=float(content["skew"]),
            share=float(content["share"]),
        )

    def __repr__(self) -> str:
        return printable(f"SmoothCurves({self.child}{_given(self.parents)}: {_counted(self.parts)})")

    def _mean_and_sd(self, data: Columns) -> tuple[FloatArray, FloatArray]:
        features = _features(self.inputs, data)
        mean = self.weights[0] + np.array(self.weights[1:]) @ _terms(features, self.parts)
        exponents = self.spreads[0] + np.array(self.spreads[1:]) @ features[list(self.parts.spread)]
        return mean, np.exp(0.5 * np.clip(exponents, -2 * MOST_EXPONENT, MOST_EXPONENT))

    def _value(self, bent: FloatArray) -> FloatArray:
        """Values of the column where the bent scale has these."""
        with np.errstate(over="ignore"):
            return self.margin.value(np.sinh((np.arcsinh(bent) + self.skew) / self.tail))


class SmoothLevelsContent(PartsContent):
    """What `SmoothLevels.to_dict` gives."""

    child: str
    levels: list[str]
    ordered: bool
    parents: list[SmoothInputContent]
    weights: list[list[float]]
    share: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SmoothLevels(SoftmaxModel):
    """A discrete child: multinomial logistic regression on the terms.

    weights: of each level, the constant last; none of a level without rows.
    """

    kind: ClassVar[str] = "smooth-levels"
    content: ClassVar[type] = SmoothLevelsContent

    child: str
    levels: tuple[str, ...]
    inputs: tuple[SmoothInput, ...]  # type: ignore[assignment]
    parts: Parts
    weights: tuple[tuple[float, ...], ...]
    share: float
    ordered: bool = False

    def __post_init__(self) -> None:
        check_weights(
            self.child, self.levels, self.weights, len(self.parts.features) + len(self.parts.products) + 1, self.share
        )

    def outputs(self, data: Columns) -> FloatArray:
        return linear_outputs(self.weights, _terms(_features(self.inputs, data), self.parts))

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "child": self.child,
            "levels": list(self.levels),
            "ordered": self.ordered,
            "parents": [one.to_dict() for one in self.inputs],
            **_parts_to_dict(self.parts),
            "weights": [list(row) for row in self.weights],
            "share": self.share,
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> SmoothLevels:
        known = tuple(SmoothInput.from_dict(one) for one in content["parents"])
        return SmoothLevels(
            child=content["child"],
            levels=as_states(content["child"], content["levels"]),
            inputs=known,
            parts=_parts(content, known),
            weights=tuple(tuple(float(weight) for weight in row) for row in content["weights"]),
            share=float(content["share"]),
            ordered=content["ordered"],
        )

    def __repr__(self) -> str:
        levels = f"{len(self.levels)} levels"
        return printable(f"SmoothLevels({self.child}{_given(self.parents)}: {levels}, {_counted(self.parts)})")


def _parts_to_dict(parts: Parts) -> dict[str, Any]:
    return {
        "features": list(parts.features),
        "products": [list(pair) for pair in parts.products],
        "spread": list(parts.spread),
    }


def _given(parents: Sequence[str]) -> str:
    return f" given {', '.join(parents)}" if parents else ""


def _counted(parts: Parts) -> str:
    return f"{len(parts.features)} curve features, {len(parts.products)} products, {len(parts.spread)} of the spread"


@takes_table
@checked
def fit_smooth(data: Dataset, child: str, parents: tuple[str, ...]) -> SmoothCurves | SmoothLevels:
    """The terms that the score `smooth-regression` lets in, with weights fitted together.

    Rows that lack a cell of these columns are left out; of more than MOST_ROWS a random sample is fitted to. No level
    is quite impossible, and no value: the share of what was thought before any data is that of one row.
    """
    from arcwise.stats.ranks import features_for

    table = data.select([child, *sorted(parents)]).complete_rows()
    if not table.n_rows:
        raise DataError(f"no row has all of {child!r} and its parents, so there is nothing to fit; fill some cells in")
    if table.n_rows > MOST_ROWS:
        table = sample_of(table, MOST_ROWS, np.random.default_rng(0))
    table = table.take(sorted_rows(table))
    most = features_for(table.n_rows)
    own, known = table.column(child), tuple(SmoothInput.of(table.column(name), most) for name in sorted(parents))
    features, share = _features(known, table), 1.0 / (table.n_rows + 1.0)
    parts, tail, skew = _found(table, known, features, most)
    if own.kind is Kind.DISCRETE:
        weights = fit_weights(_terms(features, parts), own.values, own.cardinality)
        return SmoothLevels(child, own.levels, known, parts._replace(spread=()), weights, share, own.ordered)
    margin = Margin.of(own.values)
    if not parts.features:
        return SmoothCurves(child, margin, known, Parts(), (margin.mean,), (2.0 * log(margin.sd),), 1.0, 0.0, share)
    z = margin.score(own.values)
    target = np.sinh(tail * np.arcsinh(z) - skew)
    fitted, spreads = _curves_and_spread(target, _terms(features, parts), features[list(parts.spread)])
    return SmoothCurves(child, margin, known, parts, fitted, spreads, tail, skew, share)


def _found(table: Dataset, known: Sequence[SmoothInput], features: FloatArray, most: int) -> tuple[Parts, float, float]:
    """(terms, tail, skew) that pay. table: the child, then its parents."""
    from arcwise._kernels.features.smooth_families import SmoothFamilies
    from arcwise._kernels.features.smooth_regression import parts_of
    from arcwise._kernels.features.smooth_rows import Regression
    from arcwise.stats.ranks import is_ordered

    own, n = table.columns[0], table.n_rows
    child = SmoothInput.of(own, most)
    if not child.width or not len(features):
        return Parts(), 1.0, 0.0
    block = np.ascontiguousarray(np.concatenate([child.features(table), features]))
    told = [(child, own), *zip(known, table.columns[1:], strict=True)]
    told = [(one, column) for one, column in told if one.width]
    starts = np.concatenate([[0], np.cumsum([one.width for one, _ in told])]).astype(np.int64)
    nominal = np.array([not is_ordered(column) for _, column in told])
    codes, cards = np.zeros((len(told), n), dtype=np.int64), np.zeros(len(told), dtype=np.int64)
    for j, (one, column) in enumerate(told):
        if column.kind is Kind.DISCRETE:
            codes[j], cards[j] = column.values, column.cardinality
        elif one.margin is not None and one.margin.is_piled:
            cards[j] = -1
    families = SmoothFamilies(block @ block.T / n, starts, nominal, n, 0.5 * log(max(n, 2)), 0.0, False)
    data = Regression(families, block, codes, cards, np.ones(n), False)
    at, products, spread, tail, skew = parts_of(data, 0, np.arange(1, len(told)))
    at, products, spread = (found - child.width for found in (at, products, spread))
    pairs = tuple((int(f), int(g)) for f, g in products)
    return Parts(tuple(at.tolist()), pairs, tuple(spread.tolist())), tail, skew


def _curves_and_spread(
    target: FloatArray, terms: FloatArray, spread: FloatArray
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """(weights, spreads), by least squares and Fisher's scoring in turn."""
    n = len(target)
    design = np.concatenate([np.ones((1, n)), terms])
    slopes, best = np.zeros(len(spread)), inf
    weights, kept = np.zeros(len(design)), slopes
    for _ in range(ROUNDS):
        root = np.exp(-0.5 * (slopes @ spread))
        trial = np.linalg.lstsq((design * root).T, target * root, rcond=None)[0]
        squares = np.square(target - trial @ design)
        loss = _loss(squares, slopes, spread)
        if loss > best - 1e-6 * n and best < inf:
            break
        best, weights, kept = loss, trial, slopes
        slopes = _scored(squares, slopes, spread)
    squares = np.square(target - weights @ design)
    variance = max(float(np.mean(squares * np.exp(-(kept @ spread)))), 1e-12)
    return tuple(weights.tolist()), (log(variance), *kept.tolist())


def _loss(squares: FloatArray, slopes: FloatArray, spread: FloatArray) -> float:
    """Minus the log-likelihood of residuals, up to a constant."""
    exponents = slopes @ spread
    variance = float(np.mean(squares * np.exp(-exponents)))
    return 0.5 * len(squares) * (log(max(variance, 1e-300)) + float(exponents.mean()))


def _scored(squares: FloatArray, slopes: FloatArray, spread: FloatArray) -> FloatArray:
    """The slopes after a step of Fisher's scoring, as far as it leads to less loss."""
    if not len(slopes):
        return slopes
    ratios = squares * np.exp(-(slopes @ spread))
    centred = spread - spread.mean(axis=1, keepdims=True)
    gradient = centred @ (ratios / max(ratios.mean(), 1e-300) - 1.0)
    step = np.linalg.lstsq(centred @ centred.T, gradient, rcond=None)[0]
    now = _loss(squares, slopes, spread)
    for halved in range(HALVINGS):
        trial = slopes + step * 0.5**halved
        if _loss(squares, trial, spread) < now:
            return trial
    return slopes
