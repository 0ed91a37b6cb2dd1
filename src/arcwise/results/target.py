"""What a result says about one column: its Markov blanket, and how the column differs between levels of each member.

The differences are comparisons in the table, one member at a time. They are not effects of an intervention, and what
other columns contribute is not taken out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from arcwise.data.dataset import BoolArray, Column, Dataset, FloatArray, IntArray, Kind, WeightArray
from arcwise.data.discretization import Discretization
from arcwise.networks.questions.blankets import Relative, blanket_of
from arcwise.results.sections import Section
from arcwise.results.ties import Measure

if TYPE_CHECKING:
    from arcwise.results.result import LearnResult

# Of two levels that say yes and no, yes is the one to count.
YES = {"yes": "no", "true": "false", "1": "0", "y": "n", "t": "f", "positive": "negative", "present": "absent"}
MOST_LEVELS = 8  # of a member or a target that are compared, the most frequent ones ...
MOST_INTERVALS = 12  # ... and of a member that was cut; with more, thresholds near eighths of the rows are kept
LEAST_ROWS = 20  # behind each side of the largest difference, where there are two such groups
Cut = Literal["levels", "thresholds", "thirds"]


@dataclass(frozen=True, slots=True)
class Group:
    """The rows in which a member has one level.

    values: of a discrete target the share of each level that is compared, of a continuous one its mean; errors: their
    standard errors, None of a mean of one row. spread: standard deviation of a continuous target.
    """

    level: str
    rows: int
    values: tuple[float, ...]
    errors: tuple[float | None, ...]
    spread: float | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """Between the two groups that differ most. of: what is compared, a level of the target or its mean."""

    of: str
    low_level: str
    high_level: str
    low: float
    high: float
    error: float | None

    @property
    def size(self) -> float:
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class Member:
    """A column of the target's Markov blanket. roles: as `networks.questions.blankets` calls them.

    children: those that a spouse shares with the target. cut: how its rows were grouped, at what was learned or in
    thirds. missing: rows left out, as one of the two cells is missing. n_levels: all there are, compared or not.
    """

    name: str
    role: str
    children: tuple[str, ...]
    strength: float | None
    cut: Cut
    groups: tuple[Group, ...]
    missing: int
    n_levels: int
    difference: Difference | None


@dataclass(frozen=True, slots=True)
class About:
    """What is known of one column; members are its Markov blanket, the strongest first.

    compared: the levels whose shares are compared, or ("mean",); n_levels: all that there are, 0 of numbers.
    measure, words: what strengths are, as `Ties` has it.
    """

    target: str
    kind: Kind
    n_rows: int
    n_missing: int
    compared: tuple[str, ...]
    n_levels: int
    overall: Group
    members: tuple[Member, ...]
    thresholds: str
    measure: Measure
    words: str
    directed: bool

    def sections(self) -> tuple[Section, ...]:
        """For printing, together with the rest of a result or alone."""
        from arcwise.results.target_text import sections

        return sections(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, ready for JSON."""
        return {**asdict(self), "kind": str(self.kind)}

    def __str__(self) -> str:
        from arcwise.results.sections import as_text
        from arcwise.results.summary import WIDTH

        return as_text((), self.sections(), WIDTH).lstrip("\n")

    def _repr_html_(self) -> str:
        from arcwise.results.sections import as_html

        return as_html((), self.sections())


def about(result: LearnResult, name: str, data: Dataset) -> About:
    """data: the table that was learned from, or another one with the same columns."""
    from arcwise.results.summary_columns import cut_words

    target, rows = data.column(name), _Rows.of(data)
    outcome = _Outcome.of(target, rows)
    ties = result.ties
    blanket = blanket_of(result.cpdag, name, lambda a, b: (ties.of(a, b), ""), ties.measure)
    members = [
        _member(group, data.column(group[0].name), outcome, rows, result.discretization)
        for group in _by_name(blanket.relatives)
    ]
    members.sort(key=lambda one: (one.role == "spouse", -(one.strength or 0.0), one.name))
    everyone = rows.chosen(target)
    return About(
        target=name,
        kind=target.kind,
        n_rows=rows.count(everyone),
        n_missing=rows.count(~everyone),
        compared=outcome.compared,
        n_levels=0 if target.kind is Kind.CONTINUOUS else len(np.unique(target.recorded)),
        overall=outcome.group("all rows", everyone),
        members=tuple(members),
        thresholds=cut_words(result, name),
        measure=ties.measure,
        words=ties.words,
        directed=not result.only_skeleton,
    )


def _by_name(relatives: tuple[Relative, ...]) -> Iterator[list[Relative]]:
    """A spouse stands once for each child that it shares."""
    found: dict[str, list[Relative]] = {}
    for one in relatives:
        found.setdefault(one.name, []).append(one)
    yield from found.values()


@dataclass(frozen=True, slots=True)
class _Rows:
    """Stored rows, and how many times each counts."""

    weights: WeightArray

    @staticmethod
    def of(data: Dataset) -> _Rows:
        stored = len(data.columns[0].values)
        return _Rows(np.ones(stored, dtype=np.int64) if data.weights is None else data.weights)

    def count(self, chosen: BoolArray) -> int:
        return int(self.weights[chosen].sum())

    def chosen(self, *columns: Column) -> BoolArray:
        """Those in which all of these cells are recorded."""
        there = np.ones(len(self.weights), dtype=np.bool_)
        for column in columns:
            if column.missing is not None:
                there &= ~column.missing
        return there


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The target, and what of it is compared."""

    column: Column
    rows: _Rows
    codes: tuple[int, ...]  # of the levels that are compared; none of a continuous target

    @staticmethod
    def of(column: Column, rows: _Rows) -> _Outcome:
        return _Outcome(column, rows, () if column.kind is Kind.CONTINUOUS else tuple(_compared_codes(column, rows)))

    @property
    def compared(self) -> tuple[str, ...]:
        return tuple(self.column.levels[code] for code in self.codes) or ("mean",)

    def group(self, level: str, chosen: BoolArray) -> Group:
        """Rows of which the target is recorded."""
        weights, values = self.rows.weights[chosen], self.column.values[chosen]
        n = int(weights.sum())
        if self.column.kind is Kind.CONTINUOUS:
            mean = float(np.average(values, weights=weights)) if n else np.nan
            squares = float((weights * (values - mean) ** 2).sum()) if n else np.nan
            spread = sqrt(squares / (n - 1)) if n > 1 else None
            error = None if spread is None else spread / sqrt(n)
            return Group(level, n, (mean,), (error,), spread)
        found = [int(weights[values == code].sum()) for code in self.codes]
        return Group(level, n, tuple(k / n if n else np.nan for k in found), tuple(_share_error(k, n) for k in found))


def _share_error(k: int, n: int) -> float:
    """The standard error of a share, sqrt(p (1 - p) / n), with two more rows of either kind (Agresti and Coull 1998).

    So that it is not 0 where none or all of a few rows have the level.
    """
    p = (k + 2) / (n + 4)
    return sqrt(p * (1 - p) / (n + 4))


def _compared_codes(column: Column, rows: _Rows) -> list[int]:
    """Of two levels the one that says yes, or the rarer one; of more all, or the most frequent."""
    chosen = rows.chosen(column)
    counts = np.bincount(column.values[chosen], rows.weights[chosen], minlength=len(column.levels)).astype(np.int64)
    there = [code for code in range(len(column.levels)) if counts[code]]
    if len(there) == 2:
        words = [column.levels[code].strip().casefold() for code in there]
        said = [code for code, word, other in zip(there, words, words[::-1], strict=True) if YES.get(word) == other]
        return said or [min(there, key=lambda code: (counts[code], -code))]
    often = sorted(there, key=lambda code: (-counts[code], code))[:MOST_LEVELS]
    return sorted(often)


def _member(
    relatives: list[Relative], column: Column, outcome: _Outcome, rows: _Rows, cuts: Discretization | None
) -> Member:
    first = relatives[0]
    there = rows.chosen(column, outcome.column)
    how, labels, codes = _levels(column, there, rows, cuts)
    present = [k for k in range(len(labels)) if rows.count(there & (codes == k))]
    most = MOST_LEVELS if how == "levels" else len(present)
    often = sorted(present, key=lambda k: (-rows.count(there & (codes == k)), k))[:most]
    groups = tuple(outcome.group(labels[k], there & (codes == k)) for k in sorted(often))
    strengths = [one.strength for one in relatives if one.strength is not None]
    return Member(
        name=first.name,
        role=first.role,
        children=tuple(one.child for one in relatives if one.child is not None),
        strength=max(strengths, default=None) if first.role != "spouse" else None,  # no edge joins a spouse to it
        cut=how,
        groups=groups,
        missing=rows.count(~there),
        n_levels=len(present),
        difference=_difference(groups, outcome.compared),
    )


def _levels(
    column: Column, there: BoolArray, rows: _Rows, cuts: Discretization | None
) -> tuple[Cut, tuple[str, ...], IntArray]:
    """How a member's rows are grouped: by its levels, at the thresholds that were learned, or in thirds."""
    if column.kind is Kind.DISCRETE:
        return "levels", column.levels, column.values
    how: Cut = "thresholds"
    places = np.zeros(0) if cuts is None else cuts.thresholds.get(column.name, np.zeros(0))
    values, weights = column.values[there], rows.weights[there]
    if not len(places):
        how, places = "thirds", _equal_parts(values, weights, 3) if len(values) else places
    elif len(places) >= MOST_INTERVALS and len(values):
        eighths = _equal_parts(values, weights, 8)
        places = places[np.unique(np.abs(places[:, None] - eighths).argmin(axis=0))]
    found = Discretization({column.name: places})
    return how, found.intervals(column.name, np.sort(values)), np.searchsorted(places, column.values, side="right")


def _equal_parts(values: FloatArray, weights: WeightArray, parts: int) -> FloatArray:
    """Places between values that part the rows into so many groups of about the same size."""
    ends = np.quantile(values, np.arange(1, parts) / parts, weights=weights, method="inverted_cdf")
    distinct = np.unique(values)
    after = np.unique(np.searchsorted(distinct, ends, side="right"))
    after = after[after < len(distinct)]
    return distinct[after - 1] / 2 + distinct[after] / 2


def _difference(groups: tuple[Group, ...], compared: tuple[str, ...]) -> Difference | None:
    """Of the two groups that differ most, by the level of the target that differs most between them."""
    enough = tuple(one for one in groups if one.rows >= LEAST_ROWS)
    groups = enough if len(enough) > 1 else groups
    if len(groups) < 2:
        return None
    best: Difference | None = None
    for k, what in enumerate(compared):
        low, high = (choose(groups, key=lambda one: one.values[k]) for choose in (min, max))
        errors = low.errors[k], high.errors[k]
        error = None if errors[0] is None or errors[1] is None else sqrt(errors[0] ** 2 + errors[1] ** 2)
        found = Difference(what, low.level, high.level, low.values[k], high.values[k], error)
        best = found if best is None or found.size > best.size else best
    return best
