"""What is doubtful about a result: weak edges, columns that could be read otherwise, warnings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from arcwise.data.dataset import Kind
from arcwise.printing import SHOWN, counted, listed, option, printable
from arcwise.results.sections import Block, Items, Section, Words
from arcwise.results.summary_network import Edge, edges_of, strength_words
from arcwise.results.ties import Measure

if TYPE_CHECKING:
    from arcwise.results.result import LearnResult

# Less than that is no strong evidence for an edge (Kass and Raftery 1995: strong from odds of 20 to 1, e^3).
WEAK_NATS = 3.0
WEAK_SHARE = 0.5  # the averaged network leaves out what fewer graphs have
POSSIBLE_SHARE = 0.3  # pairs without an edge that are named
SHOWN_WARNINGS = 6
NOTES = re.compile(r"^(?:for the order of the columns: )?scored with ")  # no doubts, but how it was done
FIRST = re.compile(r"^stopped\b| rows? (?:is|are) few for |\ba random sample of ")  # what is said about everything else


def doubts(result: LearnResult, details: bool = False) -> Section | None:
    """None where nothing is doubtful."""
    found = [*_weak_edges(result), *_weak_directions(result), *_possible_edges(result), *_kinds(result)]
    lost = () if result.data is None else result.data.provenance.left_out  # named with the headline, explained last
    warnings = sorted(
        (one for one in result.warnings if not NOTES.search(one)),
        key=lambda one: (FIRST.search(one) is None, any(repr(name) in one for name in lost)),
    )
    shown = warnings if details else warnings[:SHOWN_WARNINGS]
    first = [one for one in shown if FIRST.search(one)]
    items = tuple(printable(one) for one in (*first, *found, *(one for one in shown if one not in first)))
    if not items:
        return None
    blocks: list[Block] = [Items(items)]
    if len(shown) < len(warnings):
        blocks.append(Words(f"and {counted(len(warnings) - len(shown), 'warning')} more: --details prints all"))
    return Section("doubtful", "", tuple(blocks))


def left_out(result: LearnResult) -> list[str]:
    """Rows and columns of the table that were not used; why, and how to keep them, is said with what is doubtful."""
    if result.data is None:
        return []
    came = result.data.provenance
    found = [f"rows left out, for a missing value: {came.n_dropped:,}"] if came.n_dropped else []
    names = listed([repr(name) for name in came.left_out])
    return [*found, *([printable(f"columns left out: {names}")] if names else [])]


def notes(result: LearnResult) -> list[str]:
    """How it was done, as far as the learner tells."""
    return [printable(one) for one in result.warnings if NOTES.search(one)]


def weak(edge: Edge, measure: Measure) -> bool:
    """Whether little speaks for an edge."""
    return edge.strength is not None and edge.strength < (WEAK_SHARE if measure == "share" else WEAK_NATS)


def _weak_edges(result: LearnResult) -> Iterator[str]:
    measure = result.ties.measure
    edges = [edge for edge in edges_of(result) if weak(edge, measure)]
    if not edges:
        return
    least = f"in less than {WEAK_SHARE:.0%} of the graphs" if measure == "share" else f"below {WEAK_NATS:g} nats"
    named = listed([f"{edge.words} {strength_words(edge.strength, measure)}" for edge in edges[::-1]])
    yield f"{counted(len(edges), 'weak edge')}, {least}: {named}"


def _weak_directions(result: LearnResult) -> Iterator[str]:
    """Of edges that are found often enough, but in fewer than half of the graphs in this direction."""
    measure = result.ties.measure
    edges = [edge for edge in edges_of(result) if edge.this_way is not None and not weak(edge, measure)]
    doubtful = sorted(
        (edge for edge in edges if (edge.this_way or 0.0) < WEAK_SHARE), key=lambda edge: edge.this_way or 0.0
    )
    if doubtful:
        named = listed([f"{edge.words} {edge.this_way:.0%}" for edge in doubtful])
        yield f"{counted(len(doubtful), 'direction')} found in less than {WEAK_SHARE:.0%} of the graphs: {named}"


def _possible_edges(result: LearnResult) -> Iterator[str]:
    """Pairs that are joined in some of the graphs, though not here."""
    if result.strengths is None:
        return
    joined = {frozenset(pair) for pair in result.cpdag.skeleton}
    others = [one for one in result.strengths.edges(POSSIBLE_SHARE) if frozenset((one.a, one.b)) not in joined]
    if others:
        named = listed([f"{one.a} — {one.b} {one.share:.0%}" for one in others])
        yield f"no edge here, but in {POSSIBLE_SHARE:.0%} or more of the graphs: {named}"


def _kinds(result: LearnResult) -> Iterator[str]:
    """Columns whose values could be read the other way."""
    columns = [] if result.data is None else [column for column in result.data.columns if column.doubtful]
    for kind, words, other in (
        (Kind.CONTINUOUS, "read as numbers, but could be levels", "discrete"),
        (Kind.DISCRETE, "read as levels, but could be numbers", "continuous"),
    ):
        names = [column.name for column in columns if column.kind is kind]
        if names:
            remedy = option(other, *names) if len(names) <= SHOWN else f"as with {option(other, names[0])}"
            yield f"{listed(list(map(repr, names)))}: {words}; if so: {remedy}"
