"""What to try next: a few commands that fit a result, for a shell or for Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from arcwise.printing import as_cell, in_shell, printable
from arcwise.results.sections import Commands, Section
from arcwise.results.summary_network import edges_of

if TYPE_CHECKING:
    from arcwise.results.result import LearnResult

MOST = 3
RESAMPLES = 200
SLOW, FEWER = 30.0, 20  # a run of so many seconds is not done again 200 times
MANY_COLUMNS = 300  # of which one looks at one and what is near it
PAGE = "page.html"
LONGEST_NAME = 40  # of a column in a command that is meant to be read
STDIN = "-"
WRITTEN = {
    "--out", "-o", "--draw", "--graph", "--completed", "--strengths", "--report", "--against", "--report-rows",
}  # options with a file, and those about one  # fmt: skip
ATTACHED = re.compile("-o.")  # as in -oresult.json
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
    def options(self) -> set[str]:
        """Those that were given, also as --tier=a."""
        return {word.partition("=")[0] for word in self.words[: self._end]}

    @property
    def saved(self) -> str | None:
        """The file of the result, if it is to be written into one, as by --out result.json."""
        pairs = pairwise(self.words[: self._end])
        return next((after for word, after in pairs if word in ("--out", "-o") and after.endswith(".json")), None)

    def again(self, *more: str) -> str:
        """The same with more options, without the files that are written and what is printed."""
        kept: list[str] = []
        words = iter(self.words[: self._end])
        for word in words:
            if word in WRITTEN:
                next(words, None)
            elif not (word in PRINTED or word.partition("=")[0] in WRITTEN or ATTACHED.match(word)):
                kept.append(word)
        return " ".join(map(in_shell, ("arcwise", *kept, *more, *self.words[self._end :])))

    @property
    def _end(self) -> int:
        """Where options end: behind -- are only names of files."""
        return self.words.index("--") if "--" in self.words else len(self.words)


def next_steps(result: LearnResult, typed: Typed | None) -> Section | None:
    """typed: the command, to be typed again with more; None: it was learned in Python."""
    found = _in_python(result) if typed is None else _in_shell(result, typed)
    rows = tuple((printable(why), text) for why, text in islice(found, MOST))
    return Section("next", "", (Commands(rows),)) if rows else None


def _in_shell(result: LearnResult, typed: Typed) -> Iterator[tuple[str, str]]:
    if typed.table == STDIN:  # it has been read, so that it cannot be read again
        return

    hub = _hub_of_many(result)
    if hub:
        saved, near = typed.saved, f"what is near one column, such as {hub}"
        if saved is None:
            yield near, typed.again("--target", as_cell(hub))
        else:
            yield near, " ".join(map(in_shell, ("arcwise", "draw", saved, "--around", as_cell(hub))))
    elif result.cpdag.n_edges and result.bootstrap is None:
        yield SURE, typed.again("--bootstrap", str(_resamples(result)))
    if _is_doubtful(result):
        table = in_shell(typed.table)
        yield "what to settle about the table", f"arcwise check {'-- ' * table.startswith('-')}{table}"
    pair = _open_pair(result)
    if pair and not {"--tier", "--knowledge"} & typed.options:
        a, b = map(as_cell, pair)
        yield _if_first(pair), typed.again("--tier", a, "--tier", b)
    if "--report" not in typed.options:
        yield "a page to look at and send", typed.again("--report", PAGE)


def _in_python(result: LearnResult) -> Iterator[tuple[str, str]]:
    method = "" if not result.method or result.method == "auto" else f", {result.method!r}"
    hub = _hub_of_many(result)
    if hub:
        yield f"what is near one column, such as {hub}", printable(f'result.plot("near.svg", around={hub!r})')
    elif result.cpdag.n_edges and result.bootstrap is None and result.method:
        known = ", knowledge=result.knowledge" if result.knowledge else ""
        yield SURE, f"arcwise.learn(data{method}{known}, bootstrap={_resamples(result)})"
    pair = _open_pair(result)
    if pair and result.method and not result.knowledge:
        a, b = map(repr, pair)
        yield _if_first(pair), printable(f"arcwise.learn(data{method}, tiers=[[{a}], [{b}]])")
    if result.data is not None:
        yield "a page to look at and send", f'result.report("{PAGE}", data)'


def _hub_of_many(result: LearnResult) -> str | None:
    """The column with the most edges, where there are so many that nobody looks at all of them."""
    pattern = result.cpdag
    if pattern.n_nodes < MANY_COLUMNS or not pattern.n_edges:
        return None
    degrees = pattern.adjacency.sum(axis=1)
    hub = min(range(pattern.n_nodes), key=lambda i: (-degrees[i], pattern.names[i]))
    return pattern.names[hub] if len(pattern.names[hub]) <= LONGEST_NAME else None


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
