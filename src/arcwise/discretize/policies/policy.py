"""What the policy scores have in common: the scores of networks they share a loop with."""

from __future__ import annotations

from arcwise.checking import shown
from arcwise.errors import OptionError
from arcwise.parts.protocols import Partition, PolicyScore, tolerance
from arcwise.scores.dirichlet import K2, BDeu
from arcwise.scores.likelihood import MDL

NetworkScore = BDeu | K2 | MDL


def improves(new: Partition, old: Partition) -> bool:
    """The local score rises, and so does the joint score, by as much: each family counts once."""
    return new.score > old.score + tolerance(old.score)


def check_score(policy: PolicyScore, score: object) -> None:
    """Refuse a score that the policy cannot share a loop with."""
    if not isinstance(score, policy.scores):
        wanted = " or ".join(repr(known.kind) for known in policy.scores)
        raise OptionError(f"the policy {policy.kind!r} needs a search with the score {wanted}, not {shown(score)}")
