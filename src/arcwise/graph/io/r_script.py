"""Scripts that make a graph in R with the package bnlearn. They are written, never read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn

from arcwise.checking import checked
from arcwise.errors import FileError
from arcwise.graph.dag import Dag
from arcwise.graph.io.assemble import Graph, edges_by_kind
from arcwise.graph.modelstring import fits, model_terms
from arcwise.graph.pdag import Pdag

ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
# All but plain characters are escapes: a script is read alike whatever encoding R takes it to have, and no name can
# end a string, a line or a comment.
SPECIAL = re.compile(r'[^ -~]|[\\"]')


@checked
def to_r(graph: Graph) -> str:
    """A script after which `graph` is a bn object: source("net.R").

    A Dag goes through a model string where that holds its names. bnlearn has an undirected edge as two arcs; of an edge
    in both directions it knows nothing, so that becomes an undirected one, with a comment.
    """
    if not graph.names:
        raise FileError("bnlearn has no graph without nodes; add a node")
    for name in graph.names:
        if not name:
            raise FileError("node name '' is empty, which bnlearn refuses; rename the node")
    what = "directed acyclic graph" if isinstance(graph, Dag) else "partially directed graph"
    lines = [
        f"# A {what} for the package bnlearn of R, written by arcwise.",
        '# Once: install.packages("bnlearn"). Then source() this file: `graph` is a bn object, for use in',
        "# graphviz.plot(graph), arcs(graph), bn.fit(graph, data) or compare(graph, another).",
        "library(bnlearn)",
        "",
    ]
    if isinstance(graph, Dag) and all(map(fits, graph.names)):
        terms = model_terms((name, graph.parents(name)) for name in graph.topological_order)
        lines += ["graph <- model2network(paste0(", listed_r(terms), "))"]
    else:
        lines += _by_arcs(graph)
    return "\n".join([*lines, ""])


def _by_arcs(graph: Graph) -> list[str]:
    lines = ["graph <- empty.graph(c(", listed_r(graph.names), "))"]
    pairs = []
    for kind, tail, head in edges_by_kind(graph):
        pairs += [(tail, head)] if kind == "directed" else [(tail, head), (head, tail)]
        if kind == "bidirected":
            lines.append(f"# Evidence is in conflict, {quoted(tail)} <-> {quoted(head)}: an undirected edge here.")
    if pairs:
        # A pattern may have what bnlearn takes for a cycle.
        option = ", check.cycles = FALSE" if isinstance(graph, Pdag) else ""
        arcs = ",\n".join(f"  {quoted(tail)}, {quoted(head)}" for tail, head in pairs)
        shape = 'ncol = 2, byrow = TRUE, dimnames = list(NULL, c("from", "to"))'
        lines += [f"arcs(graph{option}) <- matrix(c(", arcs, f"), {shape})"]
    return lines


def listed_r(texts: Iterable[str]) -> str:
    """Strings of R, one on each line: R reads no more than 4095 bytes of a line that is typed or pasted."""
    return ",\n".join(f"  {quoted(text)}" for text in texts)


def quoted(text: str) -> str:
    """The text as a string of R, in plain ASCII."""
    return '"' + SPECIAL.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    if sign == "\0" or "\ud800" <= sign <= "\udfff":
        raise FileError(f"{sign!r} is no character of a string in R; rename what has it")
    # Never \x: R refuses strings in which both it and \u occur.
    return ESCAPES.get(sign) or (f"\\u{ord(sign):04x}" if sign <= "\uffff" else f"\\U{ord(sign):08x}")


def refuse_r(text: str) -> NoReturn:
    """In place of a reader."""
    raise FileError("scripts for R are written, not read; give the graph as .json, .dot, .graphml or .cyjs")
