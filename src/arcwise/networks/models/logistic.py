"""Multinomial logistic regression: a discrete column given continuous and discrete parents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypedDict

import numpy as np
from numpy.typing import NDArray

from arcwise.data.complete import check_complete
from arcwise.data.dataset import Dataset, FloatArray, IntArray
from arcwise.data.reading.door import takes_table
from arcwise.data.row_order import sorted_rows
from arcwise.errors import DataError
from arcwise.networks.columns import Columns
from arcwise.networks.models import inputs
from arcwise.networks.models.densities import log_probabilities
from arcwise.networks.models.inputs import Input, InputContent, encode
from arcwise.networks.models.softmax import SoftmaxModel, check_weights, linear_outputs
from arcwise.networks.tables import as_states
from arcwise.printing import printable

PRECISION = 1.0  # of the normal prior of a slope, for inputs in standard deviations
MOST_INPUTS = 4096
MOST_STEPS, GRADIENT = 1000, 1e-7  # of L-BFGS; the largest slope of the objective, per row, where it ends


class LogisticContent(TypedDict):
    """What `Logistic.to_dict` gives."""

    child: str
    levels: list[str]
    ordered: bool
    parents: list[InputContent]
    weights: list[list[float]]
    share: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Logistic(SoftmaxModel):
    """P(child = k | parents) = (1 - share) softmax(weights (x, 1))_k + share / levels.

    x: continuous parents standardized, discrete ones as indicators of levels. `weights` has a row for each level, the
    intercept last; a level without rows in the fit has minus infinity as its intercept, written as no row at all.
    """

    kind: ClassVar[str] = "logistic"
    content: ClassVar[type] = LogisticContent

    child: str
    levels: tuple[str, ...]
    inputs: tuple[Input, ...]
    weights: tuple[tuple[float, ...], ...]  # of each level; an empty one: it had no rows
    share: float
    ordered: bool = False

    def __post_init__(self) -> None:
        check_weights(self.child, self.levels, self.weights, sum(one.width for one in self.inputs) + 1, self.share)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "child": self.child,
            "levels": list(self.levels),
            "ordered": self.ordered,
            "parents": [inputs.to_dict(one) for one in self.inputs],
            "weights": [list(row) for row in self.weights],
            "share": self.share,
        }

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> Logistic:
        return Logistic(
            child=content["child"],
            levels=as_states(content["child"], content["levels"]),
            inputs=tuple(inputs.from_dict(one) for one in content["parents"]),
            weights=tuple(tuple(float(weight) for weight in row) for row in content["weights"]),
            share=float(content["share"]),
            ordered=content["ordered"],
        )

    def __repr__(self) -> str:
        given = f" given {', '.join(self.parents)}" if self.parents else ""
        return printable(f"Logistic({self.child}{given}: {len(self.levels)} levels)")

    def outputs(self, data: Columns) -> FloatArray:
        return linear_outputs(self.weights, encode(self.inputs, data))


@takes_table
def fit_logistic(data: Dataset, child: str, parents: tuple[str, ...], smoothing: float) -> Logistic:
    """Weights that maximise sum ln softmax - (1 / 2) sum of squared slopes; intercepts are free.

    The prior N(0, 1) of a slope, for an input in standard deviations, says that parents rarely change odds by more than
    ten to one per standard deviation, and is worth about four rows; it keeps separable levels finite and makes the
    maximum unique. `smoothing` rows are spread evenly over the levels, as in a table: without parents the model is the
    table of the counts. No probability is below smoothing / (levels (rows + smoothing)).
    """
    data = data.select((child, *parents)).repeated()
    check_complete(data, "a logistic regression")
    data = data.take(sorted_rows(data))  # so that sums do not depend on the order of the rows
    own = data.column(child)
    known = tuple(Input.of(data.column(name)) for name in parents)
    width = sum(one.width for one in known)
    if width > MOST_INPUTS:
        raise DataError(
            f"the {len(parents)} parents of column {child!r} make {width} inputs (each level of a discrete one is "
            f"one), more than {MOST_INPUTS}; use fewer parents or levels"
        )
    weights = fit_weights(encode(known, data), own.values, own.cardinality)
    share = smoothing / (data.n_rows + smoothing)
    return Logistic(child, own.levels, known, weights, share, own.ordered)


def fit_weights(x: FloatArray, codes: NDArray[Any], n_levels: int) -> tuple[tuple[float, ...], ...]:
    """The weights of each level, the intercept last; none of a level without rows. x: (inputs, rows)."""
    from scipy.optimize import minimize

    rows = np.bincount(codes, minlength=n_levels)
    seen = rows.nonzero()[0]
    places = np.searchsorted(seen, codes)
    start = np.zeros((len(seen), len(x) + 1))
    start[:, -1] = np.log(rows[seen] / len(codes))
    if len(x) and len(seen) > 1:
        found = minimize(
            _objective, start.ravel(), (np.vstack([x, np.ones(len(codes))]), places), method="L-BFGS-B", jac=True,
            options={"maxiter": MOST_STEPS, "maxfun": 2 * MOST_STEPS, "gtol": GRADIENT, "ftol": 0.0, "maxcor": 30},
        )  # fmt: skip
        start = found.x.reshape(start.shape)
    weights: list[tuple[float, ...]] = [()] * n_levels
    for level, row in zip(seen.tolist(), start - start.mean(axis=0), strict=True):
        weights[level] = tuple(row.tolist())
    return tuple(weights)


def _objective(flat: FloatArray, x: FloatArray, codes: IntArray) -> tuple[float, FloatArray]:
    """(minus the log posterior, its gradient), both per row. x: (width + 1, rows), the last ones 1."""
    weights = flat.reshape(-1, len(x))
    slopes = weights.copy()
    slopes[:, -1] = 0.0
    logs, n = log_probabilities(weights @ x, 0.0), len(codes)
    value = -logs[codes, np.arange(n)].sum() + 0.5 * PRECISION * np.square(slopes).sum()
    errors = np.exp(logs)
    errors[codes, np.arange(n)] -= 1.0
    return float(value / n), ((errors @ x.T + PRECISION * slopes) / n).ravel()
