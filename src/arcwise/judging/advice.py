"""Which of several methods to take, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arcwise.judging.paired import EQUAL
from arcwise.printing import counted, listed, plus_minus
from arcwise.results.comparison import Compared, Gap

NOISE = 1.0  # standard errors: what is behind by no more is as good
MATTERS = 1.0  # nats a row: what is behind by more is worse; where one row decides, the error is as large as the gap


def recommend(order: Sequence[Compared], gaps: Mapping[tuple[str, str], Gap]) -> tuple[str | None, str]:
    """The simplest of those that are as good as the best, and a sentence or two that say so.

    order: the best first. Simple is what has few edges.
    """
    judged = [one for one in order if one.standing == "judged"]
    if not judged:
        return None, "No method could be judged, so there is nothing to recommend."
    best = judged[0]
    alike = [one for one in judged[1:] if _alike(one)]
    simple = min((best, *alike), key=lambda one: one.edges or 0)
    if simple is not best:
        return simple.name, (
            f"{simple.name} predicts unseen rows as well as the best, {best.name}, within the noise "
            f"({_nats(gaps[best.name, simple.name])} behind), with fewer edges: {simple.edges} instead of {best.edges}."
        )
    if best.impossible:
        rows = counted(best.impossible, "held-out row")
        return best.name, f"Every method calls some held-out rows impossible; {best.name} the fewest, {rows}."
    if alike:
        return best.name, (
            f"{best.name} predicts unseen rows best, with the fewest edges of those that do as well "
            f"within the noise ({listed([one.name for one in alike])})."
        )
    if len(judged) == 1:
        return best.name, f"{best.name} is the only one that was judged."
    second = judged[1]
    if second.behind is None:
        rows = counted(second.impossible, "held-out row")
        return (
            best.name,
            f"{best.name} is the only one that thinks every held-out row possible; {second.name} excludes {rows}.",
        )
    return best.name, (
        f"{best.name} predicts unseen rows best: {_nats(gaps[best.name, second.name])} above {second.name}, the next."
    )


def _alike(one: Compared) -> bool:
    if one.behind is None or one.behind_error is None:
        return False
    return one.behind <= max(min(NOISE * one.behind_error, MATTERS), EQUAL)


def _nats(gap: Gap) -> str:
    """ "0.31 ± 0.04 nats a row"."""
    assert gap.mean is not None
    assert gap.error is not None
    return f"{plus_minus(gap.mean, gap.error)} nats a row"
