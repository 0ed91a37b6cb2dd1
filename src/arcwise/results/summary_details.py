"""How a result came about: the choice of a method, scores, and counts of what was done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from arcwise.errors import GraphError
from arcwise.printing import counted, printable
from arcwise.results.sections import Block, Grid, Items, Section
from arcwise.results.summary_doubts import notes

if TYPE_CHECKING:
    from arcwise.results.result import LearnResult


def details(result: LearnResult) -> Section:
    rows = tuple((printable(label), printable(value)) for label, value in _facts(result))
    said = tuple(notes(result))
    blocks: tuple[Block, ...] = (Grid(rows), *([Items(said)] if said else []))
    return Section("details", "", blocks)


def score_spec(spec: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The specification of the score inside that of a learner, wherever it stands.

    That of the search comes first: other parts, such as a policy, may have scores of their own.
    """
    found = spec.get("score")
    if isinstance(found, Mapping):
        return found
    values = [spec.get("search"), *spec.values()]
    parts = (part for value in values for part in (value if isinstance(value, list) else [value]))
    inner = (score_spec(part) for part in parts if isinstance(part, Mapping))
    return next((part for part in inner if part is not None), None)


def score_words(spec: Mapping[str, Any]) -> str:
    """`bdeu, ess 1`: the kind of a score and its options, without an arc prior that does nothing."""
    options = [(name, value) for name, value in spec.items() if name != "kind" and value is not None]
    shown = [f"{name} {_plain(value)}" for name, value in options if (name, value) != ("arc_prior", 1.0)]
    return ", ".join([str(spec["kind"]), *shown])


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):  # a score made of scores
        return f"({score_words(value)})"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _facts(result: LearnResult) -> Iterable[tuple[str, str]]:
    if result.choice is not None:
        yield "chosen", result.choice.words()
    spec = result.scored_with or score_spec(result.found_by)
    if result.score is not None:
        yield "score", f"{result.score:,.2f}" + (f" ({score_words(spec)})" if spec else "")
    yield from _round_facts(result)
    ends = [step for step in result.trace if step.phase == "best of"]  # of a portfolio's searches
    if ends and not result.rounds:
        yield "searches", "; ".join(f"{step.action.removesuffix(' ends')} {step.score:,.2f}" for step in ends)
    blanket = _mean_blanket(result)
    if blanket is not None:
        yield "Markov blanket", f"{blanket:.1f} columns on average"
    work = result.counters
    if work.score_asked:
        yield "evaluations", f"{work.score_computed:,} computed of {work.score_asked:,} asked"
    if work.tests:
        yield "tests", f"{work.tests:,}"
    if work.discretization_calls:
        yield "discretizations", f"{work.discretization_calls:,}"
    if work.steps or work.score_asked:
        yield "steps", f"{work.steps:,}" + (f", with {counted(work.ties, 'tie')}" if work.ties else "")
    if result.seed is not None:
        yield "seed", str(result.seed)


def _round_facts(result: LearnResult) -> Iterable[tuple[str, str]]:
    """How the loop went: the joint score of thresholds and network, and what each start came to."""
    reached: dict[str, float] = {}
    for one in result.rounds:
        reached[one.start] = max(one.joint_score, reached.get(one.start, one.joint_score))
    if reached:
        best = max(reached.values())
        ends = [step.action for step in result.trace if step.phase == "end"]
        turns = sum(one.turn > 0 for one in result.rounds)
        why = f"; {ends[0]}" if len(ends) == 1 else ""
        yield "joint score", f"{best:,.2f} with the thresholds, {counted(turns, 'round')}{why}"
    if len(reached) > 1:
        for start, score in reached.items():
            yield f"from {start}", f"{score:,.2f}" + (", kept" if score == best else "")


def _mean_blanket(result: LearnResult) -> float | None:
    """Blankets are those of the moral graph; all members of an equivalence class share it."""
    if not result.names or result.only_skeleton:
        return None
    try:
        dag = result.graph or result.cpdag.extension()
    except GraphError:  # a pattern without a DAG has no Markov blankets
        return None
    return float(dag.moral().adjacency.sum(axis=1).mean())
