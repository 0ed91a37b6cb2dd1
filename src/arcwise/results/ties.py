"""How strong the edges of a result are, by the best measure that it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from arcwise.printing import counted

if TYPE_CHECKING:
    from arcwise.graph.pdag import Pdag
    from arcwise.results.strengths import Strengths

Measure = Literal["share", "nats", ""]
NATS = "nats that the score loses without the edge"


@dataclass(frozen=True, slots=True)
class Ties:
    """How strong each edge of a result is.

    measure: "share" of the graphs that have it, "nats" that the score falls without it, "" where nothing is known.
    values: by the pairs of the pattern as it lists them. words: one line for a legend.
    """

    measure: Measure = ""
    values: Mapping[tuple[str, str], float] = field(default_factory=dict)
    words: str = ""

    def of(self, a: str, b: str) -> float | None:
        """The strength of the edge between the two, in either order; None where there is none or it is not known."""
        found = self.values.get((a, b))
        return self.values.get((b, a)) if found is None else found


def ties(pattern: Pdag, strengths: Strengths | None, support: Mapping[tuple[str, str], float]) -> Ties:
    """Shares where a table was learned from more than once, else what the score says of each edge of one graph."""
    pairs = (*pattern.directed, *pattern.undirected, *pattern.bidirected)
    if strengths is not None:
        shares = {(a, b): strengths.between(a, b).share for a, b in pairs}
        return Ties("share", shares, share_words(strengths))
    either_way = {frozenset(pair): nats for pair, nats in support.items()}
    known = {pair: either_way[frozenset(pair)] for pair in pairs if frozenset(pair) in either_way}
    return Ties("nats", known, NATS) if known else Ties()


def share_words(strengths: Strengths) -> str:
    """ "share of the 200 resamples with the edge", or of the draws of missing cells or hidden states."""
    drawn = strengths.origin is None or strengths.origin.resample == "draws"
    return f"share of the {counted(strengths.graphs, 'draw' if drawn else 'resample')} with the edge"
