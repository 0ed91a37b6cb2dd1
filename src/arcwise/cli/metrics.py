"""`arcwise metrics`: how far a learned graph is from the true one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from arcwise.cli.inputs import AsJson, argument, read_pattern
from arcwise.cli.views.screen import console, plain_table, print_json
from arcwise.printing import printable

if TYPE_CHECKING:
    from arcwise.graph.dag import Dag
    from arcwise.graph.pdag import Pairs, Pdag

    Graph = Dag | Pdag

ERRORS = {
    "extra": "edges that are not in the true graph",
    "missing": "true edges that were not found",
    "reversed": "directed the wrong way round",
    "unoriented": "undirected, but directed in the true graph",
    "overoriented": "directed, but undirected in the true graph",
    "conflicting": "bidirected in one of the graphs only",
}


def metrics(
    learned: Annotated[str, argument("LEARNED", "A graph file, a saved result or a .bif file: result.json")],
    true: Annotated[str, argument("TRUE", "Likewise, or a bundled network: @alarm")],
    json: AsJson = False,
) -> None:
    """Compare a learned graph with the true one.

    DAGs are compared by their equivalence classes, patterns as they are.

    Example: arcwise metrics result.json @alarm
    """
    one, other = read_pattern(learned), read_pattern(true)
    if json:
        print_json(_content(one, other))
    else:
        _show(one, other)


def _content(learned: Graph, true: Graph) -> dict[str, Any]:
    from arcwise.metrics import edge_errors, shd

    found = edge_errors(learned, true)
    return {
        "shd": {name: shd(learned, true, convention=name) for name in ("tsamardinos", "fu")},
        "learned_edges": learned.n_edges,
        "true_edges": true.n_edges,
        "correct": found.n_correct,
        "precision": found.precision,
        "recall": found.recall,
        "f1": found.f1,
        **{name: [list(pair) for pair in pairs] for name, pairs in _errors(learned, true).items()},
    }


def _errors(learned: Graph, true: Graph) -> dict[str, Pairs]:
    from arcwise.metrics import edge_errors

    found = edge_errors(learned, true)
    lists = {"extra": found.extra, "missing": found.missing}
    return {name: lists.get(name, getattr(found.orientation, name, ())) for name in ERRORS}


def _show(learned: Graph, true: Graph) -> None:
    from rich.text import Text

    from arcwise.metrics.edges import patterns

    content, (got, want) = _content(learned, true), patterns(learned, true)
    screen = console()
    facts = plain_table("", "")
    facts.show_header = False
    rates = f"{content['precision']:.3f}, recall {content['recall']:.3f}, F1 {content['f1']:.3f} (skeleton)"
    rows = {
        "SHD": f"{content['shd']['tsamardinos']} (Tsamardinos), {content['shd']['fu']} (Fu)",
        "edges": f"{content['learned_edges']} learned, {content['true_edges']} true, {content['correct']} right",
        "precision": rates,
    }
    for label, value in rows.items():
        facts.add_row(Text(label, "dim"), value)
    screen.print(facts)
    for name, pairs in _errors(learned, true).items():
        if pairs:
            edges = [_edge(want if name == "missing" else got, a, b) for a, b in pairs]
            screen.print()
            screen.print(Text.assemble((f"{name} ({len(pairs)})", "bold"), (f"  {ERRORS[name]}", "dim")))
            screen.print(Text("\n".join(_packed(edges, screen.width))))


def _packed(items: list[str], width: int) -> list[str]:
    """The items with commas between them, in lines that never break inside an item."""
    lines = [""]
    for i, item in enumerate(items):
        piece = item + "," * (i < len(items) - 1)
        if lines[-1] and len(lines[-1]) + 1 + len(piece) > width:
            lines.append(piece)
        else:
            lines[-1] = f"{lines[-1]} {piece}".lstrip()
    return lines


def _edge(graph: Pdag, a: str, b: str) -> str:
    i, j = graph.index(a), graph.index(b)
    a, b = printable(a), printable(b)
    if graph.directed_matrix[i, j]:
        return f"{a} → {b}"
    if graph.directed_matrix[j, i]:
        return f"{b} → {a}"
    return f"{a} {'—' if graph.undirected_matrix[i, j] else '↔'} {b}"
