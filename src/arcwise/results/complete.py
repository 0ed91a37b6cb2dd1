"""What a result tells besides what was found: by which method, from what table, and what is doubtful about it.

One doubt is whether the rows are enough for what is asked: which of all pairs of columns are related.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from math import atanh, ceil, comb
from platform import python_version
from statistics import NormalDist

from arcwise.compiling import clock
from arcwise.data.dataset import Dataset
from arcwise.graph.pdag import Pdag
from arcwise.parts.protocols import ALL_DISCRETE, Learner, Score, ScoredSearch, resolved
from arcwise.parts.spec import inner_parts, to_spec
from arcwise.printing import printable
from arcwise.results.result import DataSummary, LearnResult, Status, describe
from arcwise.stats.determined import determined
from arcwise.stats.relations import relations

CORRELATION = 0.5  # a relation that is meant to be found
FALSE_ALARM = 0.05  # probability that any pair at all looks related by chance
POWER = 0.8  # probability that a relation of that strength is found


def complete(
    found: LearnResult, learner: Learner, table: Dataset, *, method: str, seed: int, began: float
) -> LearnResult:
    """The result of a learner on a table with everything that it can tell. began: on the clock of `compiling`."""
    score = score_of(learner)
    doubts = (*few_rows(table.n_rows, found.cpdag), *_one_level(found), *_with_relations(table, found))
    return replace(
        found,
        status=_status(found, score),
        method=method,
        spec=to_spec(learner),
        scored_with=to_spec(resolved(score, table if found.discretization is None else ALL_DISCRETE)) if score else {},
        seed=seed,
        data=DataSummary(table.n_rows, tuple(describe(table))),
        warnings=tuple(map(printable, (*table.warnings, *doubts))),
        versions=dict(_versions()),
        elapsed=clock() - began,
    )


def score_of(learner: Learner) -> Score | None:
    """The score of a search, or of the search inside a learner; None where networks are not scored."""
    if isinstance(learner, ScoredSearch):
        return learner.score
    return next((part.score for part in inner_parts(learner).values() if isinstance(part, ScoredSearch)), None)


def _status(found: LearnResult, score: Score | None) -> Status:
    """A search that was stopped before it had scored a graph has no answer. Other methods tell by themselves."""
    if found.status == "stopped" and score and (found.score is None or not found.counters.score_asked):
        return "unanswered"
    return found.status


def _one_level(found: LearnResult) -> list[str]:
    if found.discretization is None:
        return []
    flat = [name for name, cuts in found.discretization.thresholds.items() if not len(cuts)]
    why = "one level, as no threshold paid for itself" if found.rounds else "one level after discretization"
    return [f"{', '.join(flat)}: {why}, so no edge can be found"] if flat else []


def _with_relations(table: Dataset, found: LearnResult) -> Sequence[str]:
    """Columns that follow from others exactly, whatever the method; what a test said of them before, said once."""
    related = relations(table)
    sentences = [*related.values(), *determined(table, found.cpdag, found.graph, related)]
    told = [one for one in found.warnings if not any(sentence.startswith(one) for sentence in sentences)]
    return [*sentences, *told]


@cache
def _versions() -> dict[str, str]:
    packages = {name: version(name) for name in ("arcwise", "numpy", "numba")}
    return {"python": python_version(), **packages}


def rows_needed(n_columns: int) -> int:
    """Rows with which a correlation of 0.5 stands out from what chance does to all pairs of so many columns.

    Fisher's z of r has the standard deviation 1 / sqrt(N - 3), so N = 3 + ((z_a + z_b) / atanh r)^2, where z_a is the
    normal quantile of the false alarm divided by twice the number of pairs (Bonferroni), z_b that of the power.
    """
    pairs = comb(n_columns, 2)
    if not pairs:
        return 0
    normal = NormalDist()
    quantiles = normal.inv_cdf(POWER) - normal.inv_cdf(FALSE_ALARM / (2 * pairs))
    return 3 + ceil((quantiles / atanh(CORRELATION)) ** 2)


def few_rows(n_rows: int, found: Pdag) -> tuple[str, ...]:
    """What to tell where this was found in fewer rows than that; nothing where there are enough."""
    n_columns = found.n_nodes
    needed = rows_needed(n_columns)
    if n_rows >= needed:
        return ()
    pairs = comb(n_columns, 2)
    chance = "a relation may be chance" if pairs == 1 else f"some of {pairs} pairs look related by chance"
    some = "take the edges as hints, and what has no edge as undecided"
    meaning = some if found.n_edges else "no edge means undecided here"
    return (
        f"{n_rows} rows are few for {n_columns} columns: {chance}; about {needed} rows would tell a correlation of "
        f"{CORRELATION} from it, so {meaning}; add rows or drop columns",
    )
