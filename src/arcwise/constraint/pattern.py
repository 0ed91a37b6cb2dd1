"""What a learner tells about the pattern that it found."""

from __future__ import annotations

from arcwise.constraint.orient import Pattern
from arcwise.errors import GraphError
from arcwise.graph.adjacency import arrow_text, find_cycle
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.printing import listed


def extension(cpdag: Pdag) -> Dag | None:
    """A DAG with the arrows and colliders of the pattern; None where there is none."""
    try:
        return cpdag.extension()
    except GraphError:  # conflicting colliders: no DAG has them all
        return None


def contradictions(pattern: Pattern, cpdag: Pdag, has_graph: bool) -> list[str]:
    """One sentence for each way in which the separating sets do not fit one DAG."""
    names, warnings = cpdag.names, []
    if cpdag.bidirected:
        edges = listed([f"{a} <-> {b}" for a, b in cpdag.bidirected])
        warnings.append(f"the separating sets contradict each other about the direction of {edges}")
    if pattern.refused:
        triples = listed([f"{names[c.x]} -> {names[c.y]} <- {names[c.z]}" for c in pattern.refused])
        warnings.append(f"left out, as they contradict other arrows: {triples}")
    cycle = find_cycle(pattern.directed)
    if cycle is not None:
        path = arrow_text(names[i] for i in [*cycle, cycle[0]])
        warnings.append(f"the separating sets contradict each other: their arrows form the cycle {path}")
    elif not has_graph and not cpdag.bidirected:
        warnings.append("no DAG has the edges of the pattern without further colliders, so there is no single graph")
    return warnings
