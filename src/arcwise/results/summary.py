"""A result in words, from what a person wants to know first to what only few do: as plain text or as HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arcwise.data.complete import counts_by_name
from arcwise.data.dataset import kinds_in_words
from arcwise.printing import counted, duration, printable
from arcwise.results import sections
from arcwise.results.sections import TIED, Section, Words
from arcwise.results.summary_columns import thresholds, types
from arcwise.results.summary_details import details
from arcwise.results.summary_doubts import doubts, left_out
from arcwise.results.summary_network import network
from arcwise.results.summary_next import Typed, next_steps

if TYPE_CHECKING:
    from arcwise.results.columns import DataSummary
    from arcwise.results.result import LearnResult

WIDTH = 80
DRAWN_NODES = 60
NO_ANSWER = "That there is no network here says nothing about the data: give it more time."


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be told beside the network and what is doubtful about it.

    typed: the command in a shell; None: it was learned in Python. first: sections before all others.
    """

    details: bool = False
    types: bool = False
    all_edges: bool = False
    typed: Typed | None = None
    first: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """All that is told about a result, safe to print."""

    headline: tuple[Words, ...]
    sections: tuple[Section, ...]

    def as_text(self, width: int) -> str:
        return sections.as_text(self.headline, self.sections, width)


def summarize(result: LearnResult, wanted: Wanted = Wanted()) -> Summary:  # noqa: B008, it is immutable
    """What `as_text`, `as_html` and a terminal show."""
    headline = tuple(_headline(result))
    if result.status == "unanswered":
        return Summary(headline, ())
    columns = types(result) if wanted.types else None
    found = (
        *wanted.first,
        network(result, wanted.all_edges),
        thresholds(result) if columns is None else columns,  # which have the thresholds, too
        doubts(result, wanted.details),
        details(result) if wanted.details else None,
        next_steps(result, wanted.typed),
    )
    return Summary(headline, tuple(section for section in found if section is not None))


def as_text(result: LearnResult, width: int = WIDTH, wanted: Wanted = Wanted()) -> str:  # noqa: B008
    """Plain text, lines of at most `width` characters but for commands."""
    return summarize(result, wanted).as_text(width)


def as_html(result: LearnResult) -> str:
    """A self-contained fragment: the same content, and the drawing when there are at most DRAWN_NODES nodes."""
    summary, picture = summarize(result), ""
    if result.status != "unanswered" and result.cpdag.n_nodes <= DRAWN_NODES:
        picture = result.plot(title="").svg
    return sections.as_html(summary.headline, summary.sections, picture)


def _headline(result: LearnResult) -> Iterator[Words]:
    """ "steck: 300 rows, 4 columns (1 continuous, 3 discrete), in 0.12 s", and what was left out of the table."""
    size = counted(len(result.names), "column")
    if result.data is not None:
        kinds = kinds_in_words(result.data.columns)
        weighted = result.data.n_weighted
        rows = counted(result.data.n_rows, "row") + ("" if weighted is None else f" ({weighted:,} with weights)")
        size = f"{rows}, {size} ({kinds})"
    name = result.method or "network"
    took = duration(result.elapsed) if result.elapsed else ""
    if result.status == "unanswered":
        after = f" after {took}" if took else ""
        text = f"{name}: no answer, stopped{after} before anything was found; {size}. {NO_ANSWER}"
        yield Words(printable(text), "title")
        return
    if result.choice is not None:
        name = f"{name} chose {result.choice.winner.name}"
    if result.status == "stopped":
        text = f"{name}: {size}, stopped{f' after {took}' if took else ''}: the best network so far"
    else:
        time = f"in {took}".replace(" ", TIED)
        text = f"{name}: {size}, {time}" if took else f"{name}: {size}"
    yield Words(printable(text), "title" if result.status == "converged" else "warning")
    yield from (Words(one, "warning") for one in left_out(result))
    if result.data is not None and result.data.n_missing:
        yield Words(printable(_missing_words(result, result.data)))


def _missing_words(result: LearnResult, data: DataSummary) -> str:
    """ "412 of 18,500 cells are missing, in 'age' (300), 'sex' (112); filled with 12 draws: ..."."""
    where = counts_by_name({column.name: column.n_missing for column in data.columns if column.n_missing})
    of = f"{data.n_missing:,} of {counted(data.n_rows * len(data.columns), 'cell')}"
    text = f"{of} {'is' if data.n_missing == 1 else 'are'} missing, in {where}"
    if result.completion is None or not result.completion.columns:
        return text
    draws = counted(result.completion.strengths.graphs, "draw")
    return f"{text}; filled with {draws}: of the networks learned from them this one suits all of them best"
