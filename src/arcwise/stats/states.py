"""How many states the values of a column show, and which: by themselves, or with what neighbouring columns say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arcwise._kernels.evidence.states import Context, Fit, fit_states
from arcwise.data.dataset import BoolArray, FloatArray, IntArray
from arcwise.data.states import FREEDOM, States

BINS = 400  # of a long column: a mixture sees no more in its rows
OUTER = 0.005  # share of the rows beyond the ends of an even grid of means
ALONE = 1.0  # price of a parameter, in nats, where a column is looked at by itself: what is too many is merged later
AMONG = 2.0  # where its neighbours are looked at, too
IN_VAIN = 2  # numbers of states in a row that are no better, after which more are not tried
STEPS, TOLERANCE = 300, 0.005  # of a fit by itself: at most so many, until one gains less nats
GLANCE, LOOK = 4, 15  # steps of a fit with neighbours: of every candidate, and of the best
TINY = 5e-324  # the smallest standard deviation that is one
LEAST_VARIANCE = 1e-5  # of a state, as a share of the column's
PRIOR = 1.0  # rows that the prior of a configuration is worth
FEWEST = 8  # rows of a state that may be split
LOOKED = 2_000  # rows by which splits and merges are judged
FIRM = 0.9  # probability of the present state of a row when a fit begins


@dataclass(frozen=True, slots=True)
class Emission:
    """What densities states have. common: one variance for all states of a column; heavy: Student's tails."""

    common: bool = True
    heavy: bool = False

    @property
    def freedom(self) -> float:
        return FREEDOM if self.heavy else 0.0


def states_of(values: FloatArray, emission: Emission, most: int) -> States:
    """The states that values show by themselves; one where they show none."""
    centre, scale, units, counts = _binned(values)
    best: tuple[float, Fit] | None = None
    in_vain = 0
    for k in range(1, most + 1):
        fits = [_fitted(units, counts, means, emission) for means in _starts(units, counts, k)]
        found, fit = max(fits, key=lambda one: one[0])
        value = found - ALONE * _own_parameters(k, emission)
        in_vain = 0 if best is None or value > best[0] else in_vain + 1
        best = (value, fit) if not in_vain else best
        if in_vain == IN_VAIN:
            break
    assert best is not None  # one state at least
    return _as_states(best[1], counts, centre, scale, emission)


def _own_parameters(k: int, emission: Emission) -> int:
    """Shares, means and variances."""
    return 2 * k - 1 + (1 if emission.common else k)


def _binned(values: FloatArray) -> tuple[float, float, FloatArray, FloatArray]:
    """(centre, scale, values in these units, counts): means of narrow bins where there are many values."""
    centre, scale, units = in_units(values)
    units = np.sort(units)
    if len(units) <= 2 * BINS or units[0] == units[-1]:
        return centre, scale, units, np.ones(len(units))
    edges = np.linspace(units[0], units[-1], BINS + 1)[1:-1]
    place = np.searchsorted(edges, units, side="right")
    counts, sums = np.bincount(place, minlength=BINS), np.bincount(place, weights=units, minlength=BINS)
    some = counts > 0
    return centre, scale, sums[some] / counts[some], counts[some].astype(np.float64)


def in_units(values: FloatArray) -> tuple[float, float, FloatArray]:
    """(centre, scale, values in these units): their mean and standard deviation, also of values as large as any."""
    top = float(np.abs(values).max(initial=0.0)) or 1.0
    shrunk = values / top
    centre = float(shrunk.mean())
    spread = float(shrunk.std())
    scale = spread if spread > 0.0 else max(abs(centre), 1.0)
    return top * centre, top * scale, (shrunk - centre) / scale


def _starts(units: FloatArray, counts: FloatArray, k: int) -> Iterator[FloatArray]:
    """Means to begin with: at quantiles, and on an even grid."""
    reached = np.cumsum(counts) / counts.sum()
    yield units[np.searchsorted(reached, (np.arange(k) + 0.5) / k)]
    if k > 1:
        low, high = units[np.searchsorted(reached, [OUTER, 1.0 - OUTER])]
        yield np.linspace(low, high, 2 * k + 1)[1::2]


def _fitted(units: FloatArray, counts: FloatArray, means: FloatArray, emission: Emission) -> tuple[float, Fit]:
    context = _no_context(len(units))
    fit = _room(len(units), len(means), context)
    away = -0.5 * ((units[:, None] - means) * len(means)) ** 2
    shares = np.exp(away - away.max(axis=1, keepdims=True))
    fit.shares[:] = shares / shares.sum(axis=1, keepdims=True)
    return _run(units, counts, context, fit, emission, STEPS, TOLERANCE), fit


def _run(
    units: FloatArray, counts: FloatArray, context: Context, fit: Fit, emission: Emission, steps: int, tolerance: float
) -> float:
    common, freedom = emission.common, emission.freedom
    return fit_states(units, counts, context, fit, common, freedom, LEAST_VARIANCE, PRIOR, steps, tolerance)


def _as_states(fit: Fit, counts: FloatArray, centre: float, scale: float, emission: Emission) -> States:
    order = np.argsort(fit.means, kind="stable")
    shares = counts @ fit.shares / counts.sum()
    means, sds = centre + scale * fit.means[order], np.maximum(scale * np.sqrt(fit.variances[order]), TINY)
    return States(tuple(means.tolist()), tuple(sds.tolist()), tuple(shares[order].tolist()), emission.heavy)


def _no_context(n_rows: int) -> Context:
    none = np.zeros((0, n_rows), dtype=np.int32)
    no_sizes = np.zeros(0, dtype=np.int64)
    return Context(np.zeros(n_rows, dtype=np.int32), none, none, no_sizes, no_sizes)


def _room(n_rows: int, k: int, context: Context) -> Fit:
    kids = len(context.cards)
    return Fit(
        shares=np.empty((n_rows, k)),
        means=np.zeros(k),
        variances=np.ones(k),
        own_table=np.empty((int(context.own.max(initial=0)) + 1, k)),
        kid_tables=np.empty((kids, int((context.n_groups * context.cards).max(initial=0)), k)),
        kid_totals=np.empty((kids, int(context.n_groups.max(initial=0)), k)),
        sums=np.empty((4, k)),
    )


class Neighbours:
    """What a network and the states of other columns, as drawn, say about one column in each row."""

    def __init__(self, adj: BoolArray, j: int, codes: NDArray[np.integer], cards: IntArray) -> None:
        """adj[a, b] means a -> b; codes: (rows, columns)."""
        own, n_own = _configurations(codes, cards, np.flatnonzero(adj[:, j]))
        kids, groups, sizes = [], [], []
        children = np.flatnonzero(adj[j])
        for child in children:
            others = [parent for parent in np.flatnonzero(adj[:, child]).tolist() if parent != j]
            group, n_groups = _configurations(codes, cards, others)
            groups.append(group)
            kids.append(group * np.int32(cards[child]) + codes[:, child])
            sizes.append(n_groups)
        shape = (len(children), len(codes))
        self.context = Context(
            own=own,
            kids=np.array(kids, dtype=np.int32).reshape(shape),
            groups=np.array(groups, dtype=np.int32).reshape(shape),
            cards=np.array([int(cards[child]) for child in children], dtype=np.int64),
            n_groups=np.array(sizes, dtype=np.int64),
        )
        self._n_own, self._given = n_own, (adj, j, codes, cards)

    def of(self, rows: IntArray) -> Neighbours:
        """The same for some of the rows."""
        if len(rows) == len(self.context.own):
            return self
        adj, j, codes, cards = self._given
        return Neighbours(adj, j, codes[rows], cards)

    def parameters(self, k: int, emission: Emission) -> int:
        """Free ones of k states, in the configurations that occur."""
        tables = (k - 1) * self._n_own + k * int((self.context.n_groups * (self.context.cards - 1)).sum())
        return tables + _own_parameters(k, emission) - (k - 1)


def _configurations(
    codes: NDArray[np.integer], cards: IntArray, columns: Sequence[int] | IntArray
) -> tuple[NDArray[np.int32], int]:
    """The joint levels of these columns as numbers from 0 of those that occur, and how many they are."""
    joint, size = np.zeros(len(codes), dtype=np.int64), 1
    for column in columns:
        joint = joint * int(cards[column]) + codes[:, column]
        size *= int(cards[column])
        if size > len(codes):  # before they grow beyond 64 bits
            seen, joint = np.unique(joint, return_inverse=True)
            size = len(seen)
    seen, joint = np.unique(joint, return_inverse=True)
    return joint.astype(np.int32), max(len(seen), 1)


def improved(
    values: FloatArray, codes: IntArray, states: States, neighbours: Neighbours, emission: Emission, most: int
) -> tuple[States, FloatArray] | None:
    """The states after the best split or merge, with the probability of each in each row; None: none is better.

    codes: the present state of each row. Judged by the likelihood of the column and its children given its parents,
    less AMONG for each parameter, in some of the rows where they are many: in more of them states show by themselves.
    """
    k, (centre, scale, units) = len(states), in_units(values)
    some = np.arange(0, len(values), -(-len(values) // LOOKED))
    few, own, around = units[some], codes[some], neighbours.of(some)
    candidates = [*_splits(few, own, k), *_merges(k)]
    candidates = [one for one in candidates if one.size <= most]
    if not candidates:
        return None
    now = _judged(few, own, _same(k), around, emission, LOOK)[0]
    best = max(candidates, key=lambda move: _judged(few, own, move, around, emission, GLANCE)[0])
    if _judged(few, own, best, around, emission, LOOK)[0] <= now:
        return None
    fit = _judged(units, codes, best, neighbours, emission, LOOK)[1]
    order = np.argsort(fit.means, kind="stable")
    return _as_states(fit, np.ones(len(values)), centre, scale, emission), fit.shares[:, order]


@dataclass(frozen=True, slots=True)
class _Move:
    """New states from old: the one that each becomes below the cut, and from it on."""

    size: int
    below: IntArray
    above: IntArray
    cut: float = 0.0

    def shares(self, units: FloatArray, codes: IntArray) -> FloatArray:
        """(rows, size): nearly sure that each row is in its new state."""
        new = np.where(units < self.cut, self.below[codes], self.above[codes])
        found = np.full((len(units), self.size), (1.0 - FIRM) / self.size)
        found[np.arange(len(units)), new] += FIRM
        return found


def _same(k: int) -> _Move:
    return _Move(k, np.arange(k), np.arange(k))


def _splits(units: FloatArray, codes: IntArray, k: int) -> Iterator[_Move]:
    """Each state with enough rows as two: below and above its median."""
    for state in range(k):
        own = units[codes == state]
        if len(own) >= FEWEST:
            low, high = np.arange(k), np.arange(k)
            low[state + 1 :] += 1
            high[state:] += 1
            yield _Move(k + 1, low, high, float(np.median(own)))


def _merges(k: int) -> Iterator[_Move]:
    """Each two neighbouring states as one."""
    for state in range(k - 1):
        joined = np.arange(k)
        joined[state + 1 :] -= 1
        yield _Move(k - 1, joined, joined)


def _judged(
    units: FloatArray, codes: IntArray, move: _Move, around: Neighbours, emission: Emission, steps: int
) -> tuple[float, Fit]:
    """The penalised likelihood after a move, and the fit."""
    fit = _room(len(units), move.size, around.context)
    fit.shares[:] = move.shares(units, codes)
    found = _run(units, np.ones(len(units)), around.context, fit, emission, steps, TOLERANCE)
    return found - AMONG * around.parameters(move.size, emission), fit


def estimated(values: FloatArray, codes: NDArray[np.integer], states: States, emission: Emission) -> States:
    """The states with means, spreads and shares of the values that were drawn into each, in the order they have."""
    k, (centre, scale, units) = len(states), in_units(values)
    before, weights = (np.array(states.means) - centre) / scale, np.ones(len(values))
    if emission.heavy:
        away = (units - before[codes]) / (np.array(states.sds) / scale)[codes]
        weights = (FREEDOM + 1.0) / (FREEDOM + away * away)
    rows, held = np.bincount(codes, minlength=k), np.bincount(codes, weights, minlength=k)
    sums = np.bincount(codes, weights * units, minlength=k)
    means = np.where(rows > 0, sums / np.maximum(held, 1e-300), before)
    squares = np.bincount(codes, weights * (units - means[codes]) ** 2, minlength=k)
    pooled = max(squares.sum() / len(values), LEAST_VARIANCE)
    own = (squares + 2.0 * pooled) / (rows + 2.0)
    variances = np.full(k, pooled) if emission.common else np.maximum(own, LEAST_VARIANCE)
    sds = np.maximum(scale * np.sqrt(variances), TINY)
    means = centre + scale * np.maximum.accumulate(means)  # states stay in their order
    return States(tuple(means.tolist()), tuple(sds.tolist()), tuple((rows / len(values)).tolist()), emission.heavy)
