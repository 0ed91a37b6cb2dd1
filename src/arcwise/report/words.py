"""What cannot be concluded from a result, in plain paragraphs: only what applies to this one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from arcwise.data.dataset import Dataset
from arcwise.printing import counted, listed, printable
from arcwise.results.result import LearnResult

FEW_ROWS = 300
ROWS_A_COLUMN = 20  # fewer than so many rows for each column are few
LINEAR = {"gaussian-bic", "degenerate-gaussian", "bge", "gaussian", "fisher-z", "gaussian-information"}


class Paragraph(NamedTuple):
    head: str
    text: str


def limits(result: LearnResult, data: Dataset) -> list[Paragraph]:
    """In the order in which a reader would ask."""
    if result.status == "unanswered":
        return [Paragraph("Nothing was found", "The run was stopped before there was a network to show.")]
    return [*_edges(result), *_directions(result), *_causes(result), *_sureness(result, data), *_method(result, data)]


def _edges(result: LearnResult) -> Iterator[Paragraph]:
    if result.cpdag.n_edges:
        yield Paragraph(
            "What an edge means",
            "Two joined columns go together in this table, and the method found no other columns that explain this "
            "away. By itself that does not make one of them a cause of the other.",
        )
    n = len(result.names)
    if result.cpdag.n_edges < n * (n - 1) // 2:
        yield Paragraph(
            "What a missing edge means",
            "Two columns without an edge can still go together, by way of others. And a weak relation can be there "
            "without being found: with more rows, the method might have found it.",
        )


def _directions(result: LearnResult) -> Iterator[Paragraph]:
    pattern = result.cpdag
    if result.only_skeleton and pattern.n_edges:
        yield Paragraph(
            "No directions", "This method looks for neighbours only. Nothing here says which way an edge points."
        )
        return
    if pattern.directed:
        yield Paragraph(
            "What an arrow means",
            "Every network that fits the table equally well has this arrow, as long as the method's assumptions hold, "
            "or it follows from the knowledge that was given. One wrong edge nearby can turn it round. Read it as "
            "a cause only if you can rule out a common cause of the two columns that is not in the table.",
        )
    if pattern.undirected:
        yield Paragraph(
            f"Edges without a direction: {len(pattern.undirected):,}",
            "Networks with either direction fit the table equally well. No method can decide from these data alone. "
            "An experiment, or knowledge of what comes first, can.",
        )
    if pattern.bidirected:
        yield Paragraph(
            f"Edges with two heads: {len(pattern.bidirected):,}",
            "The tests contradict each other about these directions. A common cause outside the table is one reason; "
            "chance in a small table is another.",
        )


def _causes(result: LearnResult) -> Iterator[Paragraph]:
    if result.cpdag.n_edges:
        yield Paragraph(
            "Hidden common causes",
            "What is not in the table cannot be seen. If something unrecorded drives two columns, they may be joined "
            "although neither acts on the other. The same can happen if rows were chosen because of their values.",
        )


def _sureness(result: LearnResult, data: Dataset) -> Iterator[Paragraph]:
    ties, edges = result.ties, result.cpdag.n_edges
    if edges and result.bootstrap is not None:
        yield Paragraph(
            "How to read the shares",
            "A share says how often the same method finds the edge again in similar tables. It is not the "
            "probability that the edge is true: a method can be wrong every time in the same way.",
        )
    elif edges and ties.measure == "share":
        yield Paragraph(
            "How to read the shares",
            "The cells that were not recorded were drawn several times. A share says in how many of these draws the "
            "edge was found, so it tells what depends on them. It does not say whether the edge would be found again "
            "in other rows; a bootstrap does (--bootstrap 200).",
        )
    elif edges and ties.measure == "nats":
        yield Paragraph(
            "How to read the strengths",
            "Nats say how much worse the network explains these rows without the edge. They do not say whether the "
            "edge would be found again in other rows; a bootstrap does (--bootstrap 200).",
        )
    elif edges:
        yield Paragraph(
            "How sure the edges are",
            "The network was learned once, so nothing here says how sure its edges are. A bootstrap does "
            "(--bootstrap 200).",
        )
    n = data.n_columns
    if data.n_rows < max(FEW_ROWS, ROWS_A_COLUMN * n):
        yield Paragraph(
            f"Only {counted(data.n_rows, 'row')}",
            f"That is few for {counted(n, 'column')}. Expect true relations to be missing, and directions that more "
            "rows would change.",
        )
    if result.status == "stopped":
        yield Paragraph(
            "Stopped early", "The search did not come to its end. This is the best network it had found so far."
        )


def _method(result: LearnResult, data: Dataset) -> Iterator[Paragraph]:
    if LINEAR & set(_kinds(result.scored_with or result.found_by)):
        yield Paragraph(
            "Straight lines and normal noise",
            "The method describes each column as a weighted sum of its parents and normal noise. Curved relations "
            "are seen weakly or not at all, and outliers count for much.",
        )
    if result.discretization is not None and result.discretization.thresholds:
        yield Paragraph(
            "Thresholds",
            "Columns were cut into levels. What happens within a level is invisible to the method, and a threshold is "
            "where a cut serves this network best: it need not be a natural limit.",
        )
    if not data.is_complete:
        yield Paragraph(
            "Missing cells",
            f"{data.n_missing:,} of {counted(data.n_rows * data.n_columns, 'cell')} are missing. The result holds if "
            "being missing depends only on what is recorded. If cells are missing because of what they would have "
            "said, it can be wrong.",
        )
    doubtful = [repr(printable(one.column)) for one in data.decisions if one.doubtful and one.column in data.names]
    if doubtful:
        yield Paragraph(
            "Numbers or levels",
            f"How to read {listed(doubtful)} is not certain. Read the other way, the network around them may differ.",
        )
    if data.n_columns > 1 and data.n_rows > 1:
        yield Paragraph(
            "Rows",
            "Rows count as independent of each other. Several rows of the same person, or a series over time, "
            "make edges look more certain than they are.",
        )


def _kinds(spec: Any) -> Iterator[str]:
    """The kinds of a part and of all parts inside it."""
    if isinstance(spec, Mapping):
        if isinstance(spec.get("kind"), str):
            yield spec["kind"]
        for value in spec.values():
            yield from _kinds(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from _kinds(value)
