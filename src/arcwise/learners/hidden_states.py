"""Continuous columns as noisy readings of hidden states, and the network of these states."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from arcwise.checking import checked
from arcwise.data.dataset import Kind
from arcwise.data.discretization import Discretization
from arcwise.data.row_order import sorted_rows
from arcwise.data.states import States
from arcwise.discretize.policies.policy import check_score
from arcwise.discretize.policies.steck import Steck
from arcwise.errors import check_least
from arcwise.learners.draws import Draws, just, learn_from_draws, paced
from arcwise.parts.protocols import ALL_DISCRETE, ScoredSearch, resolved
from arcwise.printing import counted, listed
from arcwise.problem import Answer, Problem, learn_by_solving
from arcwise.scores.dirichlet import BDeu
from arcwise.search.orders.boss import Boss

APART = 2.2  # standard deviations between means, below which two states make one bump
MANY = 0.2  # share of such columns


@checked
@dataclass(frozen=True, kw_only=True)
class HiddenStates:
    """Each value of a continuous column is a reading of a state, with noise; the network is one of the states.

    States, densities of readings and network are found together: states are drawn given network and readings (see
    `Draws`), densities estimated from them, and the number of states of each column is chosen by what its values and
    its neighbours say: split or merged where that pays for its parameters. A column whose values show
    no states takes thresholds from its neighbours instead (Steck's policy). Missing cells are drawn with the states.

    max_states: most states of a column. looks: how often states are split or merged.
    variances: "common" to all states of a column, or each its "own". tails: "normal" or "heavy" (Student's density
    with 4 degrees of freedom, for readings with outliers).
    """

    kind: ClassVar[str] = "hidden-states"
    reference: ClassVar[str] = "Tanner and Wong 1987; Friedman 1998"
    takes_missing: ClassVar[bool] = True
    cuts_columns: ClassVar[bool] = True
    reads_rows: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    model: ClassVar[str] = "states"

    search: ScoredSearch = Boss(score=BDeu(arc_prior="sparse"), restarts=3)
    draws: Draws = Draws()
    max_states: int = 12
    looks: int = 3
    variances: Literal["common", "own"] = "common"
    tails: Literal["normal", "heavy"] = "normal"

    def __post_init__(self) -> None:
        check_least(self, max_states=2, looks=0)
        check_score(Steck(), resolved(self.search.score, ALL_DISCRETE))

    learn = learn_by_solving

    def drawing(self, graphs: int) -> HiddenStates:
        return replace(self, draws=just(self.draws, graphs))

    def solve(self, problem: Problem) -> Answer:
        whole = problem.data.repeated()
        if whole.is_complete and all(kind is Kind.DISCRETE for kind in whole.kinds):
            return self.search.solve(problem)  # nothing is hidden
        from arcwise.learners.filling.states import StateFiller, StateOptions  # they bring the compiled kernels along
        from arcwise.stats.states import Emission

        order = sorted_rows(whole)
        inner = paced(problem.on(whole.take(order)))
        emission = Emission(self.variances == "common", self.tails == "heavy")
        options = StateOptions(self.search, emission, self.max_states, self.looks)
        filler = StateFiller(inner, self.draws, options, order)
        found = learn_from_draws(self.draws, filler, self.search, inner)
        names = inner.names
        # Where the probable state changes: for all who need levels, such as tables of fitted networks.
        crossings = {names[j]: states.thresholds() for j, states in filler.states.items()}
        return replace(
            found,
            states={names[j]: states for j, states in sorted(filler.states.items())},
            discretization=Discretization({**filler.discretization().thresholds, **crossings}),
            warnings=(
                *found.warnings,
                *_doubts([names[j] for j in filler.cuts], filler.states.values()),
                *_blurred(inner, filler.states),
            ),
        )


def _doubts(flat: list[str], states: Collection[States]) -> list[str]:
    if flat and not states:
        return [
            "no continuous column shows states by its values, so this method has nothing to add here: all were cut at "
            "thresholds; compare with --method steck or gaussian"
        ]
    if flat:
        columns = listed([repr(name) for name in flat])
        return [f"no states show in the values of {columns}: cut at thresholds that neighbouring columns suggest"]
    return []


def _blurred(problem: Problem, states: Mapping[int, States]) -> list[str]:
    """Where many columns have states that only follow the shape of a smooth curve, this is not the method."""
    near = [problem.names[j] for j, own in states.items() if own.separation < APART]
    if not near or len(near) < MANY * len(states):
        return []
    return [
        f"states of {listed([repr(name) for name in near])} overlap so much that they may only follow the shape of a "
        f"smooth curve ({len(near)} of {counted(len(states), 'column')} with states): this method is for noisy "
        f"readings of a few states; compare with --method steck or gaussian"
    ]
