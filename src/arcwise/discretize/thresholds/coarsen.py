"""The top-down search for thresholds: start from all of them and remove those that do not pay."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from arcwise._kernels.thresholds import coarsening as kernels
from arcwise._kernels.thresholds.coarsening import Levels, information
from arcwise._kernels.types import Int32Array
from arcwise.data.dataset import FloatArray, IntArray
from arcwise.discretize.policies.policy import improves
from arcwise.discretize.thresholds.grow import GreedySearch
from arcwise.discretize.thresholds.neighbourhood import Neighbourhood
from arcwise.errors import OptionError
from arcwise.parts.protocols import Partition, tolerance

MOST_EXHAUSTIVE = 1000  # levels to choose from: the time grows with their square
AUTO_LEVELS = 100  # "auto" agglomerates down to this many levels and is exhaustive from there
WORK = 20_000_000  # entries a kernel call may touch, well under a second


@dataclass(frozen=True, slots=True, eq=False)
class TopDownSearch:
    """Friedman and Goldszmidt's local score, searched from all thresholds downwards; f tabulates k ln k up to N."""

    mode: str
    scored: GreedySearch
    f: FloatArray

    def evaluate(self, around: Neighbourhood, starts: IntArray) -> Partition:
        return self.scored.evaluate(around, starts)

    def accepts(self, around: Neighbourhood, new: Partition, present: IntArray) -> bool:
        return improves(new, self.evaluate(around, present))

    def improve(self, around: Neighbourhood, present: IntArray) -> tuple[Partition | None, int]:
        """What the mode finds; where the present levels are better, the best of the ways to join these.

        So no threshold stays, not even one that the column began with, whose removal would shorten the description.
        """
        new, calls = self.find(around)
        old, calls = self.evaluate(around, present), calls + 1
        if old.n_levels > 1 and not improves(new, old) and not np.array_equal(new.starts, present):
            here = levels_at(around, present, self.f)
            starts, more = (exhaustive if old.n_levels <= MOST_EXHAUSTIVE else agglomerative)(here, around)
            new, calls = self.evaluate(around, starts), calls + more
        return (new if improves(new, old) else None), calls

    def find(self, around: Neighbourhood) -> tuple[Partition, int]:
        """(the partition reached, number of partitions, or of single levels, whose score was worked out)."""
        search = {
            "auto": join_then_choose,
            "single-pass": single_pass,
            "agglomerative": agglomerative,
            "exhaustive": exhaustive,
        }[self.mode]
        inner = np.flatnonzero(around.values[1:] != around.values[:-1]) + 1
        every_value = np.concatenate([[0], inner, [around.n_rows]]).astype(np.intp)
        starts, calls = search(levels_at(around, every_value, self.f), around)
        return self.evaluate(around, starts), calls


def levels_at(around: Neighbourhood, starts: IntArray, f: FloatArray) -> Levels:
    signs = around.signs.copy()
    signs[-1] = -1.0  # N I has - sum_k F(n_k)
    kept = _parts(around)
    codes = around.codes[kept]
    groups, counts = np.empty(codes.shape, dtype=np.int32), np.empty(codes.shape, dtype=np.int32)
    lengths = np.empty((len(codes), len(starts) - 1), dtype=np.int32)
    levels = Levels(groups, counts, lengths, starts, signs[kept], f)
    kernels.count_levels(codes, levels)
    return levels


def _parts(around: Neighbourhood) -> slice:
    """Without parents part 0 is one group, the same as the levels' own part: the two cancel and are left out."""
    return slice(1, -1) if around.sizes[0] == 1 else slice(None)


def constants(around: Neighbourhood) -> FloatArray:
    """FriedmanLocal.constant for r = 1..m levels: what does not depend on where the thresholds stand."""
    r = np.arange(1.0, around.n_distinct + 1)
    parameters = around.q * (r - 1) + r * float(np.sum(around.child_q * (around.child_levels - 1)))
    names = x_log_x(r[-1:] - 1) - x_log_x(r - 1) - x_log_x(r[-1] - r)  # (m - 1) H((r - 1) / (m - 1))
    return -(np.log(r) + 0.5 * log(around.n_rows) * parameters + names)


def x_log_x(k: FloatArray) -> FloatArray:
    """k ln k for whole numbers, 0 for 0."""
    return k * np.log(np.maximum(k, 1.0))


def allowance(around: Neighbourhood) -> float:
    """tau: a threshold that loses no more than this of N I does not pay for itself when all others stand.

    tau = (c / 2) ln N - (m - 1) H(1 / (m - 1)) + ln(m / (m - 1)), c = q + sum over children of (q_c / r) (r_c - 1).
    """
    by_levels = constants(around)
    return float(by_levels[-2] - by_levels[-1]) if len(by_levels) > 1 else 0.0


def single_pass(levels: Levels, around: Neighbourhood) -> tuple[IntArray, int]:
    """Tran: remove at once every threshold whose removal alone makes the description no longer. O(total table size)."""
    losses = kernels.single_losses(levels)
    margin = tolerance(information(levels) + float(constants(around)[-1]))
    stays = losses > allowance(around) + margin  # threshold 0 is the lower end of the first level: its loss is infinite
    return np.append(levels.starts[:-1][stays], levels.starts[-1]), levels.n_levels + 1


def agglomerative(levels: Levels, around: Neighbourhood) -> tuple[IntArray, int]:
    """Remove the cheapest threshold until none is left; the best partition met, of equally good ones the coarsest.

    Equally cheap thresholds, to the tolerance for ties: the one with the fewest rows in the level that results, then
    the lowest. O(m log m) and the entries of the levels joined.
    """
    path, scores = _descent(levels, constants(around))
    return np.delete(levels.starts, path[: _last_best(scores)]), _removals_valued(levels)


def exhaustive(levels: Levels, around: Neighbourhood) -> tuple[IntArray, int]:
    """The best of all 2^(m - 1) partitions, of equally good ones the coarsest, then the one with lower thresholds.

    The information is a sum over levels and the rest depends on their number only. So the best partition of the first
    values into k levels is the best of some fewer into k - 1, and one level more: O(m^2 (parts + k)).
    """
    m = levels.n_levels
    if m > MOST_EXHAUSTIVE:
        raise OptionError(
            f"mode 'exhaustive' takes at most {MOST_EXHAUSTIVE} distinct values, but the column with values from "
            f"{around.values[0]:.6g} to {around.values[-1]:.6g} has {m}; use mode 'auto'"
        )
    by_levels = constants(around)[:m]
    most = _most_levels(levels, by_levels)
    offsets = np.concatenate([[0], np.cumsum(around.sizes[_parts(around)])]).astype(np.intp)
    tally, margin = np.zeros(int(offsets[-1]), dtype=np.int32), tolerance(information(levels))
    best, cuts = np.full((m, most), -np.inf), np.zeros((m, most), dtype=np.int32)
    stretches = kernels.Stretches(best, cuts, tally, offsets)
    step = max(1, WORK // (int(levels.lengths.sum()) + m * most))
    for first in range(0, m, step):  # call by call, so that an interrupt is heard
        kernels.best_joins(levels, stretches, margin, first, min(first + step, m))
    r = most - _last_best((best[-1] + by_levels[:most])[::-1])
    chosen = [m]
    for k in range(r - 1, 0, -1):
        chosen.append(int(cuts[chosen[-1] - 1, k]))
    return levels.starts[[0, *reversed(chosen)]], m * (m + 1) // 2


def join_then_choose(levels: Levels, around: Neighbourhood) -> tuple[IntArray, int]:
    """Agglomerate down to AUTO_LEVELS levels, or to the best if it has more, then take the best partition of these.

    So never worse than agglomerative.
    """
    if levels.n_levels <= AUTO_LEVELS:
        return exhaustive(levels, around)
    path, scores = _descent(levels, constants(around))
    starts = np.delete(levels.starts, path[: min(_last_best(scores), levels.n_levels - AUTO_LEVELS)])
    valued = _removals_valued(levels)
    if len(starts) - 1 > MOST_EXHAUSTIVE:
        return starts, valued
    starts, calls = exhaustive(levels_at(around, starts, levels.f), around)
    return starts, valued + calls


def _descent(levels: Levels, by_levels: FloatArray) -> tuple[Int32Array, FloatArray]:
    """(thresholds in the order of their removal, cheapest first; the score before each and after the last)."""
    m, starts = levels.n_levels, levels.starts
    whole = information(levels)
    grain = tolerance(whole)
    losses = kernels.single_losses(levels)
    keys = np.rint(losses / grain)
    rows = np.zeros(m, dtype=np.intp)
    rows[1:] = starts[2:] - starts[:-2]
    thresholds = kernels.Thresholds(
        before=np.arange(-1, m - 1),
        after=np.arange(1, m + 1),
        losses=losses,
        keys=keys,
        rows=rows,
        tree=kernels.start_tournament(keys, rows),
        path=np.empty(m - 1, dtype=np.int32),
        lost=np.empty(m - 1),
        spare=np.empty((2, levels.groups.shape[1]), dtype=np.int32),
    )
    own = levels._replace(groups=levels.groups.copy(), counts=levels.counts.copy(), lengths=levels.lengths.copy())
    done = 0
    while done < m - 1:  # call by call, so that an interrupt is heard
        done = kernels.remove_cheapest(own, thresholds, grain, done, WORK)
    path, lost = thresholds.path, thresholds.lost
    return path, whole - np.concatenate([[0.0], np.cumsum(lost)]) + by_levels[:m][::-1]


def _removals_valued(levels: Levels) -> int:
    """The full partition, every removal from it, and the two beside each threshold that went."""
    return 3 * levels.n_levels - 2


def _last_best(scores: FloatArray) -> int:
    """Position of the best score; of those within the tolerance the last."""
    best = float(np.max(scores))
    return int(np.flatnonzero(scores >= best - tolerance(best))[-1])


def _most_levels(levels: Levels, by_levels: FloatArray) -> int:
    """More levels than this cannot be best: even all the information there is would not repay them."""
    reached = float(np.max(_descent(levels, by_levels)[1]))
    promised = information(levels) + np.maximum.accumulate(by_levels[::-1])[::-1]  # by r levels or more
    return int(np.count_nonzero(promised >= reached - tolerance(reached)))
