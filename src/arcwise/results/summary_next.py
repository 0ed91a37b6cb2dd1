"""What to try next: a few commands that fit a result, for a shell or for Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from arcwise.printing import in_shell, printable
from arcwise.results.sections import Commands, Section
from arcwise.results.summary_network import edges_of

if TYPE_CHECKING:
    from arcwise.results.result import LearnResult

MOST = 3
RESAMPLES = 200
SLOW, FEWER = 30.0, 20  # a run of so many seconds is not done again 200 times
PAGE = "page.html"
LONGEST_NAME = 40  # of a column in a command that is meant to be read
STDIN = "-"
WRITTEN = {
    "--out", "-o", "--draw", "--graph", "--completed", "--strengths", "--report", "--against", "--report-rows",
}  # options with a file, and those about one  # fmt: skip
PRINTED = {"--details", "--types", "--all-edges"}
SURE = "how sure each edge is"


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed in a shell: the words from the name of the command on, and the table among them."""

    words: tuple[str, ...]
    table: str

    @property
    def command(self) -> str:
        """All of it, for a shell."""
        return " ".join(["arcwise", *map(in_shell, self.words)])

    @property
    def again(self) -> tuple[str, ...]:
        """The same without the files that are written and what is printed."""
        kept: list[str] = []
        words = iter(self.words)
        for word in words:
            if word in WRITTEN:
                next(words, None)
            elif word not in PRINTED and word.partition("=")[0] not in WRITTEN:
                kept.append(word)
        return tuple(kept)


def next_steps(result: LearnResult, typed: Typed | None) -> Section | None:
    """typed: the command, to be typed again with more; None: it was learned in Python."""
    found = _in_python(result) if typed is None else _in_shell(result, typed)
    rows = tuple((printable(why), text) for why, text in islice(found, MOST))
    return Section("next", "", (Commands(rows),)) if rows else None


def _in_shell(result: LearnResult, typed: Typed) -> Iterator[tuple[str, str]]:
    if typed.table == STDIN:  # it has been read, so that it cannot be read again
        return

    def again(*more: str) -> str:
        return " ".join(in_shell(word) for word in ("arcwise", *typed.again, *more))

    if result.cpdag.n_edges and result.bootstrap is None:
        yield SURE, again("--bootstrap", str(_resamples(result)))
    if _is_doubtful(result):
        yield "what to settle about the table", f"arcwise check {in_shell(typed.table)}"
    pair = _open_pair(result)
    if pair and not {"--tier", "--knowledge"} & set(typed.words):
        a, b = (_one_name(name) for name in pair)
        yield _if_first(pair), again("--tier", a, "--tier", b)
    if "--report" not in typed.words:
        yield "a page to look at and send", again("--report", PAGE)


def _in_python(result: LearnResult) -> Iterator[tuple[str, str]]:
    method = "" if not result.method or result.method == "auto" else f", {result.method!r}"
    if result.cpdag.n_edges and result.bootstrap is None and result.method:
        yield SURE, f"arcwise.learn(data{method}, bootstrap={_resamples(result)})"
    pair = _open_pair(result)
    if pair and result.method:
        a, b = map(repr, pair)
        yield _if_first(pair), printable(f"arcwise.learn(data{method}, tiers=[[{a}], [{b}]])")
    if result.data is not None:
        yield "a page to look at and send", f'result.report("{PAGE}", data)'


def _resamples(result: LearnResult) -> int:
    return RESAMPLES if result.elapsed < SLOW else FEWER


def _is_doubtful(result: LearnResult) -> bool:
    return result.data is not None and any(column.doubtful for column in result.data.columns)


def _open_pair(result: LearnResult) -> tuple[str, str] | None:
    """The strongest edge whose direction is open, where directions were looked for."""
    if result.only_skeleton:
        return None
    pairs = ((edge.a, edge.b) for edge in edges_of(result) if edge.mark == "—")
    return next((pair for pair in pairs if max(map(len, pair)) <= LONGEST_NAME), None)


def _if_first(pair: tuple[str, str]) -> str:
    return f"if {pair[0]} comes before {pair[1]}"


def _one_name(name: str) -> str:
    """For an option that takes names between commas."""
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name
