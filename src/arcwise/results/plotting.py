"""Pictures of results: their network with all that they know about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from arcwise.drawing.picture import Picture, picture
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.printing import counted
from arcwise.results.ties import share_words

if TYPE_CHECKING:
    from arcwise.results.result import LearnResult
    from arcwise.results.strengths import Strengths


class Looks(TypedDict, total=False):
    """What `plot` of a result takes beside path and title, as `arcwise.drawing.draw` explains it."""

    target: str | None
    against: Dag | Pdag | None
    around: str | None
    distance: int
    whole: bool


def plot_result(result: LearnResult, path: str | Path | None, title: str | None, **looks: Unpack[Looks]) -> Picture:
    """The pattern with the strengths of its edges and the kinds of its columns. Without a title: method and rows."""
    ties, other = result.ties, looks.get("against")
    if other is not None and result.only_skeleton:
        looks["against"] = without_directions(other)  # as far as the result can be compared
    return picture(
        result.cpdag,
        path,
        title=_result_title(result) if title is None else title,
        edge_weights=ties.values,
        weights_are=ties.measure or None,
        weights_words=ties.words,
        kinds={column.name: column.kind.value for column in result.data.columns} if result.data else None,
        **looks,
    )


def without_directions(graph: Dag | Pdag) -> Pdag:
    pattern = graph.cpdag() if isinstance(graph, Dag) else graph
    return Pdag(pattern.names, undirected=pattern.skeleton)


def plot_strengths(
    strengths: Strengths,
    path: str | Path | None,
    threshold: float | None,
    title: str | None,
    **looks: Unpack[Looks],
) -> Picture:
    """The averaged network with the share of the graphs that have each edge. Without a title: method and graphs."""
    average = strengths.consensus(threshold)
    return picture(
        average,
        path,
        title=_strengths_title(strengths) if title is None else title,
        edge_weights=strengths.weights(average),
        weights_are="share",
        weights_words=share_words(strengths),
        **looks,
    )


def _result_title(result: LearnResult) -> str:
    method = result.method if result.choice is None else f"{result.choice.winner.name}, chosen by {result.method}"
    return ": ".join(part for part in (method, counted(result.data.n_rows, "row") if result.data else "") if part)


def _strengths_title(strengths: Strengths) -> str:
    method = "" if strengths.origin is None else f"{strengths.origin.method}: "
    return f"{method}average of {counted(strengths.graphs, 'graph')}"
