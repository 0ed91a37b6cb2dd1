"""What a DAG says beyond the pattern that it stands for: the directions that were chosen by convention."""

from __future__ import annotations

from arcwise.data.wording import listed
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pairs, Pdag
from arcwise.printing import printable


def chosen_directions(pattern: Pdag, dag: Dag) -> Pairs:
    """The edges of `dag` that are no arrows of `pattern`, (tail, head), sorted by name. Both have the same skeleton."""
    decided = set(pattern.directed)
    return tuple(edge for edge in dag.edges if edge not in decided)


def chosen_words(pattern: Pdag, dag: Dag) -> str:
    """One line that names them and says why the pattern left them open; empty where it decides all."""
    lines, conflicts = set(pattern.undirected), set(pattern.bidirected)
    reasons: dict[str, list[str]] = {}
    for tail, head in chosen_directions(pattern, dag):
        pair = (min(tail, head), max(tail, head))
        why = "turned round: on a cycle"
        if pair in lines:
            why = "fits either direction"
        elif pair in conflicts:
            why = "conflicting evidence"
        reasons.setdefault(why, []).append(f"{tail} -> {head}")
    parts = "; ".join(f"{listed(edges)} ({why})" for why, edges in sorted(reasons.items()))
    return printable(f"directions chosen by convention: {parts}") if parts else ""
