"""The bound form of every score that is computed from a correlation matrix: a Gaussian BIC, and BGe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma, log, pi

import numpy as np

from arcwise._kernels.gaussian.families import Factored, family_scores, toggle_row
from arcwise.data.dataset import BoolArray, FloatArray, IntArray
from arcwise.printing import listed
from arcwise.stats.moments import Moments

PIVOT_FLOOR = 1e-10  # what is left over of a column that others determine: far above rounding, far below any noise
MOST_WORK = 1 << 28  # multiplications of one kernel call
DECISIVE = 0.5  # a row with more than this share of a column's variance decides its correlations alone
LARGE = log(1e4)  # of ln(v / t): about the cost of two arcs more for each arc


class FactoredScore:
    """A score that a kernel reads from a correlation matrix. `warnings`: what is doubtful about this data here."""

    def __init__(self, factored: Factored, warnings: tuple[str, ...] = ()) -> None:
        self.factored, self.warnings = factored, warnings
        self._plain = tuple(factored)
        self._widest = int(np.diff(factored.starts).max(initial=1))  # most dimensions of a column

    def local_score(self, child: int, parents: Sequence[int]) -> float:
        return float(self.local_scores(child, np.array([list(parents)], dtype=np.intp))[0])

    def correlated(self) -> Factored | None:
        return self.factored if (np.diff(self.factored.starts) == 1).all() else None

    def toggle_row(self, child: int, parents: IntArray, may_add: BoolArray) -> FloatArray | None:
        """None for a family so wide that its neighbours would take one kernel call too long."""
        if len(may_add) * ((len(parents) + 1) * self._widest) ** 3 > MOST_WORK:
            return None
        return toggle_row(self._plain, child, parents, np.ascontiguousarray(may_add))

    def local_scores(self, child: int, parent_sets: IntArray) -> FloatArray:
        sets = np.ascontiguousarray(parent_sets, dtype=np.intp)
        if len(sets) > 1 and len(sets) * ((sets.shape[1] + 1) * self._widest) ** 3 > MOST_WORK:
            return np.concatenate([self.local_scores(child, half) for half in np.array_split(sets, 2)])
        return family_scores(self._plain, child, sets)


def bic_of(moments: Moments, log_arc_prior: float) -> FactoredScore:
    """ln p(child | parents) at its maximum, less (ln N / 2) for each parameter.

    -(N/2) [ln|S| + a ln(2 pi) + a] - (ln N / 2) (a + a (a + 1) / 2 + a b), S the covariance of the child's a dimensions
    given the parents' b: there are a means, a (a + 1) / 2 covariances and a b coefficients.
    """
    n_rows, sizes = moments.n_rows, moments.sizes
    half_log_rows = 0.5 * log(max(n_rows, 1))
    log_sds = np.add.reduceat(np.append(moments.log_sds, 0.0), moments.starts[:-1]) * (sizes > 0)
    own = -n_rows * (log_sds + sizes * 0.5 * (1.0 + log(2 * np.pi))) - half_log_rows * sizes * (sizes + 3) / 2
    d = len(moments.log_sds)
    factored = Factored(
        correlations=moments.correlations,
        starts=moments.starts,
        floors=np.full(d, PIVOT_FLOOR),
        own=own,
        base=np.zeros(d + 1),
        power=np.full(d + 1, n_rows / 2),
        det_weight=0.0,
        costs=_costs(sizes, half_log_rows, log_arc_prior),
        most_rank=n_rows - 1,
    )
    return FactoredScore(factored, notes_on(moments))


def _costs(sizes: IntArray, half_log_rows: float, log_arc_prior: float) -> FloatArray:
    """Of every arc, worked out in the memory of one matrix, which for a wide table is much of what there is.

    An arc at a constant column costs a parameter, whatever arcs are worth, so that it never pays.
    """
    at_least_one, present = np.maximum(sizes, 1).astype(np.float64), sizes > 0
    costs: FloatArray = np.outer(at_least_one, at_least_one)
    costs *= half_log_rows
    np.subtract(costs, log_arc_prior, out=costs, where=present & present[:, None])
    return costs


def notes_on(moments: Moments) -> tuple[str, ...]:
    """What makes linear relations doubtful here."""
    sizes, notes = moments.sizes, []
    extreme = [
        name
        for name, first, size in zip(moments.names, moments.starts[:-1], sizes, strict=True)
        if size == 1 and moments.n_rows >= 20 and moments.top_shares[first] > DECISIVE
    ]
    if extreme:
        notes.append(
            f"{listed(extreme)}: one row has most of the variance, so that a linear relation rests on it; "
            "take logarithms or ranks, or use a method that discretizes"
        )
    if moments.n_rows <= sizes.sum():
        notes.append(
            f"{moments.n_rows} rows for {sizes.sum()} dimensions: a family with many parents fits by chance; "
            "limit max_parents"
        )
    return tuple(notes)


@dataclass(frozen=True, slots=True)
class NormalWishart:
    """Prior of the mean, N(nu, (a_mu W)^-1), and of the precision W, Wishart(T^-1, a_w); a = a_w - n.

    T = t I with t = a_mu (a - 1) / (a_mu + 1), or t times the variances if standardized.
    """

    a_mu: float
    a: float
    nu: float | None
    standardize: bool

    @property
    def log_t(self) -> float:
        return log(self.a_mu) + log(self.a - 1.0) - log(self.a_mu + 1.0)


def bge_of(moments: Moments, prior: NormalWishart, log_arc_prior: float) -> FactoredScore:
    """Local scores ln p(i, P) - ln p(P), l parents.

    With R = T + S + (N a_mu / (N + a_mu)) (mean - nu)(mean - nu)', S the centred scatter, s_j^2 = R_jj, C = R scaled to
    ones, and Gamma_{l+1}(x + 1/2) / Gamma_l(x) = pi^{l/2} Gamma(x + 1/2), the published formula becomes

        (1/2) ln(a_mu / (N + a_mu)) - (N/2) ln pi + lnG((N + a + l + 1)/2) - lnG((a + l + 1)/2)
        + ((a + 1)/2) ln t_i - (N + a + 1) ln s_i - ((N + a + l + 1)/2) ln C_i|P - (1/2) ln|C_P|
        - sum_{j in P} [(ln s_i - ln t_i / 2) + (ln s_j - ln t_j / 2)].
    """
    n_rows, a, d = moments.n_rows, prior.a, len(moments.log_sds)
    log_t = prior.log_t + (2.0 * moments.log_sds if prior.standardize else np.zeros(d))
    log_s, scaled = _joined(moments, prior, log_t)
    present = moments.sizes > 0
    own, price = np.zeros(len(present)), np.zeros(len(present))
    own[present] = 0.5 * log(prior.a_mu / (n_rows + prior.a_mu)) - 0.5 * n_rows * log(pi)
    own[present] += (a + 1.0) / 2.0 * log_t - (n_rows + a + 1.0) * log_s
    price[present] = log_s - 0.5 * log_t
    costs = np.add.outer(price, price)
    costs -= log_arc_prior
    # A constant column has no share in the model; an arc at it costs what it does in the BIC, so that it never pays.
    costs[~present, :] = costs[:, ~present] = 0.5 * log(max(n_rows, 1))
    half = (a + 1.0 + np.arange(d + 1)) / 2.0
    factored = Factored(
        correlations=scaled,
        starts=moments.starts,
        # T adds at least t_j to every pivot of R, which rounding must not take away.
        floors=np.maximum(PIVOT_FLOOR, np.exp(log_t - 2.0 * log_s)),
        own=own,
        base=np.array([lgamma(n_rows / 2.0 + x) - lgamma(x) for x in half]),
        power=np.asarray(n_rows / 2.0 + half, dtype=np.float64),
        det_weight=0.5,
        costs=costs,
        most_rank=d,
    )
    return FactoredScore(factored, (*notes_on(moments), *_notes_on_units(moments, prior)))


def _joined(moments: Moments, prior: NormalWishart, log_t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(ln s, C): by logarithms, since the squares of large or small units are no numbers."""
    n_rows = moments.n_rows
    log_scatter = log(max(n_rows, 1)) + 2.0 * moments.log_sds
    log_squares = np.logaddexp(log_t, log_scatter)
    if prior.nu is None:
        log_s = 0.5 * log_squares
        share = np.exp(0.5 * log_scatter - log_s)
        scaled = moments.correlations * np.outer(share, share)
    else:
        largest = np.finfo(np.float64).max / 2
        away = np.clip(moments.means, -largest, largest) - np.clip(prior.nu, -largest, largest)
        with np.errstate(divide="ignore"):  # a mean that is nu
            log_away = np.log(np.abs(away)) + 0.5 * log(max(n_rows, 1) * prior.a_mu / (n_rows + prior.a_mu))
        log_s = 0.5 * np.logaddexp(log_squares, 2.0 * log_away)
        share, pull = np.exp(0.5 * log_scatter - log_s), np.sign(away) * np.exp(log_away - log_s)
        scaled = moments.correlations * np.outer(share, share) + np.outer(pull, pull)
    np.fill_diagonal(scaled, 1.0)
    return log_s, scaled


def _notes_on_units(moments: Moments, prior: NormalWishart) -> tuple[str, ...]:
    """T = t I takes variances near t for granted, so that the units of the columns matter.

    Two independent columns of variance v gain by an arc when (1 + N v / t)^2 < N / 2 or so; if v is large, an arc costs
    ln(v / t) more than between columns of variance t.
    """
    if prior.standardize:
        return ()
    present = [name for name, size in zip(moments.names, moments.sizes, strict=True) if size]
    ratios = 2.0 * moments.log_sds - prior.log_t  # ln(v / t)
    low = [name for name, ratio in zip(present, ratios, strict=True) if ratio < 1.0 - 0.5 * log(2 * moments.n_rows)]
    high = [name for name, ratio in zip(present, ratios, strict=True) if ratio > LARGE]
    usual = f"BGe presumes a variance near {np.exp(prior.log_t):.2g} (set standardize=true)"
    notes = []
    if low:
        notes.append(f"{listed(low)}: varying so little, it may show arcs that are not there, since {usual}")
    if high:
        notes.append(f"{listed(high)}: varying so much, it may hide arcs that are there, since {usual}")
    return tuple(notes)
