"""Linear regression with normal noise: a continuous column given continuous and discrete parents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import frexp, isfinite, log, pi
from typing import Any, ClassVar, TypedDict

import numpy as np

from arcwise.checking import checked
from arcwise.data.dataset import Column, Dataset, FloatArray, Kind
from arcwise.data.reading.door import takes_columns
from arcwise.errors import GraphError
from arcwise.networks.columns import Columns, continuous_values, state_codes
from arcwise.networks.tables import as_states
from arcwise.printing import printable

FLOOR = 1e-5  # the least noise, as a share of the child's spread: what the Gaussian scores call determined (1e-10 of
# the variance), far above rounding, far below what is measured
FARTHEST = 1e200  # standardized values end here: their weighted sums are numbers, never infinity minus infinity
LARGEST = float(np.finfo(np.float64).max)
SMALLEST = float(np.finfo(np.float64).tiny)


class _SlopeContent(TypedDict):
    parent: str
    centre: float
    scale: float
    weight: float


class _EffectsContent(TypedDict):
    parent: str
    levels: list[str]
    weights: list[float]


class GaussianContent(TypedDict):
    """What `LinearGaussian.to_dict` gives."""

    child: str
    centre: float
    scale: float
    sd: float
    parents: list[_SlopeContent | _EffectsContent]


@dataclass(frozen=True, slots=True)
class Slope:
    """The part of a continuous parent: weight (x - centre) / scale, in units of the child's scale."""

    levels: ClassVar[tuple[str, ...]] = ()

    parent: str
    centre: float
    scale: float
    weight: float

    def part(self, data: Columns) -> FloatArray:
        return self.weight * standardized(continuous_values(data, self.parent), self.centre, self.scale)

    def numbers(self) -> tuple[float, ...]:
        return (self.centre, self.scale, self.weight)


@dataclass(frozen=True, slots=True)
class Effects:
    """The part of a discrete parent: one weight for each level, in units of the child's scale.

    Over the rows of the fit the weights have mean 0, and a level without rows has weight 0.
    """

    parent: str
    levels: tuple[str, ...]
    weights: tuple[float, ...]

    def part(self, data: Columns) -> FloatArray:
        return np.array(self.weights)[state_codes(data, self.parent, self.levels)]

    def numbers(self) -> tuple[float, ...]:
        return self.weights


@checked
@dataclass(frozen=True, repr=False)
class LinearGaussian:
    """y = centre + scale * (sum of the parts of the parents) + sd e, with e ~ N(0, 1).

    centre and scale are the mean and standard deviation of the child in the rows of the fit (the magnitude of a
    constant), so that weights are of the order of 1 in whatever units. What is too large for a float ends at the
    largest one: no value is ever NaN.
    """

    kind: ClassVar[str] = "gaussian"
    content: ClassVar[type] = GaussianContent
    levels: ClassVar[tuple[str, ...]] = ()

    child: str
    terms: tuple[Slope | Effects, ...]
    centre: float
    scale: float
    sd: float

    def __post_init__(self) -> None:
        for term in self.terms:
            if isinstance(term, Effects) and not 0 < len(term.levels) == len(term.weights):
                raise GraphError(f"the model of {self.child!r} needs one weight for each level of {term.parent!r}")
        numbers = [self.centre, self.scale, self.sd, *(x for term in self.terms for x in term.numbers())]
        if not all(isinstance(x, int | float) and isfinite(x) for x in numbers):
            raise GraphError(f"the model of {self.child!r} must be made of finite numbers only")
        scales = [self.scale, self.sd, *(term.scale for term in self.terms if isinstance(term, Slope))]
        if min(scales) <= 0:
            raise GraphError(f"the scales and the sd of the model of {self.child!r} must be above 0")

    @property
    def parents(self) -> tuple[str, ...]:
        return tuple(term.parent for term in self.terms)

    @property
    def determined(self) -> bool:
        """Whether the fit left no noise, so that sd is the least there is."""
        return self.sd <= 1.001 * max(FLOOR * self.scale, SMALLEST)

    @cached_property
    def _given(self) -> tuple[Slope, ...] | None:
        """The terms of a model with all scales 1, as made of given weights: their sums are taken as they are."""
        slopes = tuple(term for term in self.terms if isinstance(term, Slope) and term.scale == 1.0)
        return slopes if self.scale == 1.0 and len(slopes) == len(self.terms) else None

    @property
    def coefficients(self) -> dict[str, float]:
        """In the units of the data: slopes by parent, and `parent=level`: what a level adds to the average."""
        found: dict[str, float] = {}
        for term in self.terms:
            if isinstance(term, Slope):
                found[term.parent] = _ratio(term.weight, self.scale, term.scale)
            else:
                pairs = zip(term.levels, term.weights, strict=True)
                found |= {f"{term.parent}={level}": _within(weight * self.scale) for level, weight in pairs}
        return found

    @property
    def intercept(self) -> float:
        """The mean where continuous parents are 0 and discrete ones average."""
        slopes = [term for term in self.terms if isinstance(term, Slope)]
        standard = sum(term.weight * float(standardized(np.zeros(1), term.centre, term.scale)[0]) for term in slopes)
        return _within(self.centre + standard * self.scale)

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        return {self.child: (), **{term.parent: term.levels for term in self.terms}}

    @takes_columns
    def log_density(self, data: Dataset) -> FloatArray:
        """(n_rows,) ln N(y; mean, sd^2)."""
        values = standardized(continuous_values(data, self.child), self.centre, self.scale)
        with np.errstate(over="ignore"):  # too far to tell: minus infinity
            distances = (values - self._mean(data)) * (self.scale / self.sd)
            result: FloatArray = -0.5 * distances**2 - (log(self.sd) + 0.5 * log(2 * pi))
        return result

    @takes_columns
    def expected(self, data: Dataset) -> FloatArray:
        """(n_rows,) E[y | parents]."""
        return self.own_units(self._mean(data))

    def sample(self, parents: Columns, rng: np.random.Generator) -> Column:
        values = rng.standard_normal(parents.n_rows)
        values *= self.sd / self.scale
        if self._given is None:
            values += self._mean(parents)
            return Column(self.child, Kind.CONTINUOUS, self.own_units(values))
        for term in self._given:  # such sums have always begun with the noise
            x = continuous_values(parents, term.parent)
            values += term.weight * (x - term.centre if term.centre else x)
        if self.centre:
            values += self.centre
        return Column(self.child, Kind.CONTINUOUS, values)

    def renamed(self, called: Mapping[str, str]) -> LinearGaussian:
        terms = tuple(replace(term, parent=called[term.parent]) for term in self.terms)
        return replace(self, child=called[self.child], terms=terms)

    def normals(self, parents: Columns) -> tuple[FloatArray, FloatArray, FloatArray, float]:
        means = standardized(self.own_units(self._mean(parents)), self.centre, self.scale)[:, None]
        return np.zeros_like(means), means, np.full_like(means, self.sd / self.scale), 0.0

    def own_units(self, z: FloatArray) -> FloatArray:
        """centre + scale z, at most the largest number."""
        with np.errstate(over="ignore"):
            result: FloatArray = np.clip(self.centre + self.scale * z, -LARGEST, LARGEST)
        return result

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "child": self.child,
            "centre": self.centre,
            "scale": self.scale,
            "sd": self.sd,
            "parents": [asdict(term) for term in self.terms],
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> LinearGaussian:
        terms = tuple(_term(term) for term in content["parents"])
        centre, scale, sd = (float(content[name]) for name in ("centre", "scale", "sd"))
        return LinearGaussian(content["child"], terms, centre, scale, sd)

    def __repr__(self) -> str:
        parts = [f"{self.intercept:.4g}"]
        for term in self.terms:
            slope = isinstance(term, Slope)
            parts.append(f"{self.coefficients[term.parent]:.4g} {term.parent}" if slope else f"effect of {term.parent}")
        return printable(f"LinearGaussian({self.child} = {' + '.join(parts)}, sd {self.sd:.4g})")

    def _mean(self, data: Columns) -> FloatArray:
        """Standardized means; at most about FARTHEST times the weights."""
        mean = np.zeros(data.n_rows)
        for term in self.terms:
            mean += term.part(data)
        return mean


def standardized(values: FloatArray, centre: float, scale: float) -> FloatArray:
    """(values - centre) / scale, at most FARTHEST; in halves, so that the difference cannot overflow."""
    with np.errstate(over="ignore"):
        halves = (0.5 * values - 0.5 * centre) / scale
    return 2.0 * np.clip(halves, -0.5 * FARTHEST, 0.5 * FARTHEST)


def _ratio(a: float, b: float, c: float) -> float:
    """a b / c, with the exponents apart: nothing between can overflow."""
    (fa, ea), (fb, eb), (fc, ec) = frexp(a), frexp(b), frexp(c)
    with np.errstate(over="ignore", under="ignore"):
        return _within(float(np.ldexp(fa * fb / fc, ea + eb - ec)))


def _within(value: float) -> float:
    return float(np.clip(value, -LARGEST, LARGEST))


def _term(content: Mapping[str, Any]) -> Slope | Effects:
    if "levels" in content:
        weights = tuple(float(weight) for weight in content["weights"])
        return Effects(content["parent"], as_states(content["parent"], content["levels"]), weights)
    return Slope(content["parent"], *(float(content[name]) for name in ("centre", "scale", "weight")))
