"""Orientation errors: how the edges that both graphs have are directed."""

from __future__ import annotations

from dataclasses import dataclass

from arcwise.checking import checked
from arcwise.metrics.pairs import (
    BACKWARD,
    BIDIRECTED,
    FORWARD,
    NONE,
    UNDIRECTED,
    Graph,
    Pairs,
    pair_names,
    pair_states,
    patterns,
)


@dataclass(frozen=True, slots=True)
class OrientationErrors:
    """The shared adjacencies (pairs with the smaller name first), each in exactly one of these lists."""

    correct: Pairs
    reversed: Pairs  # directed in both, opposite ways
    unoriented: Pairs  # undirected in the learned graph, directed in the true one
    overoriented: Pairs  # directed in the learned graph, undirected in the true one
    conflicting: Pairs  # bidirected in one graph only

    @property
    def wrong(self) -> Pairs:
        """All errors together."""
        return tuple(sorted(self.reversed + self.unoriented + self.overoriented + self.conflicting))

    @property
    def n_wrong(self) -> int:
        return len(self.wrong)


@checked
def orientation_errors(learned: Graph, true: Graph) -> OrientationErrors:
    """Sort the adjacencies that both graphs have by how their orientations agree. Dags count as CPDAGs."""
    one, other = patterns(learned, true)
    got, want = pair_states(one), pair_states(other)
    both = (got != NONE) & (want != NONE)
    arrow_got, arrow_want = ((states == FORWARD) | (states == BACKWARD) for states in (got, want))
    return OrientationErrors(
        correct=pair_names(one.names, both & (got == want)),
        reversed=pair_names(one.names, arrow_got & arrow_want & (got != want)),
        unoriented=pair_names(one.names, (got == UNDIRECTED) & arrow_want),
        overoriented=pair_names(one.names, arrow_got & (want == UNDIRECTED)),
        conflicting=pair_names(one.names, both & ((got == BIDIRECTED) != (want == BIDIRECTED))),
    )
