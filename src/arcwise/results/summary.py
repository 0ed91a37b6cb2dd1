"""A result in words: what a person wants to know first, as plain text or as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from arcwise.data.complete import counts_by_name
from arcwise.data.dataset import Kind
from arcwise.data.discretization import Discretization, format_numbers
from arcwise.errors import GraphError
from arcwise.printing import counted, printable

if TYPE_CHECKING:
    from arcwise.graph.pdag import Pairs, Pdag
    from arcwise.results.result import ColumnSummary, DataSummary, LearnResult

WIDTH = 100
SHOWN_COLUMNS = 60
LONGEST_LEVEL = 40  # characters
DRAWN_NODES = 60
MARKS = {"directed": "←", "undirected": "—", "bidirected": "↔"}
LEGEND = {"←": "a ← b: b points at a", "—": "a — b: the data fit either direction", "↔": "a ↔ b: conflicting evidence"}
NEIGHBOURS = "a — b: neighbours; directions were not looked for"
NO_ANSWER = "That there is no network here says nothing about the data: give it more time."
SURE, POSSIBLE = 0.9, 0.3  # shares of draws: edges below the first and pairs above the second are named ...
NAMED = 10  # ... but no more than so many of each
DOUBT = "? could be read the other way; settle it with --continuous or --discrete (continuous=, discrete=)"


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """A column as it was read and cut. `kind` ends in a question mark when another reading is plausible.

    `reason` is empty when all columns share it; the note below the columns then gives it.
    """

    name: str
    kind: str
    reason: str
    values: str


@dataclass(frozen=True, slots=True)
class Family:
    """Edges of one kind at `node`: `node ← others`, `node — others` or `node ↔ others`."""

    node: str
    mark: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The parts of a summary, safe to print; every edge is in exactly one family."""

    headline: str
    facts: tuple[tuple[str, str], ...]
    columns: tuple[ColumnLine, ...]
    columns_note: str
    warnings: tuple[str, ...]
    families: tuple[Family, ...]
    isolated: tuple[str, ...]
    legend: str
    strengths: tuple[tuple[str, str], ...] = ()  # what is doubtful about edges, by draws of missing cells
    strengths_note: str = ""

    @property
    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """(heads, rows) of the columns, without the reasons where they are said once for all."""
        named = any(line.reason for line in self.columns)
        heads = ("column", "kind", "why", "levels") if named else ("column", "kind", "levels")
        cells = ((line.name, line.kind, line.reason, line.values) for line in self.columns)
        return heads, [cell if named else (*cell[:2], cell[3]) for cell in cells]


def summarize(result: LearnResult) -> Summary:
    """Everything that `as_text` and `as_html` show."""
    columns = _column_lines(result)
    reasons = {column.reason for column in columns}
    shared = reasons.pop() if len(reasons) == 1 and len(columns) > 1 else ""
    shown = [replace(column, reason="") if shared else column for column in columns[:SHOWN_COLUMNS]]
    return Summary(
        headline=printable(_headline(result)),
        facts=tuple((printable(label), printable(value)) for label, value in _facts(result)),
        columns=tuple(shown),
        columns_note=_columns_note(columns, shared),
        warnings=tuple(map(printable, result.warnings)),
        families=tuple(_families(result.cpdag)),
        isolated=tuple(map(printable, _isolated(result.cpdag))),
        legend=_legend(result),
        strengths=tuple(_strengths(result)),
        strengths_note=_strengths_note(result),
    )


def _strengths(result: LearnResult) -> Iterable[tuple[str, str]]:
    """How sure the edges are: all of them by resamples; by draws those that are not in nearly all.

    Then the pairs that are joined in some of the graphs though not here; strongest first.
    """
    strengths = result.strengths
    if strengths is None:
        return
    joined = {frozenset(pair) for pair in result.cpdag.skeleton}
    found = strengths.edges()
    edges = [one for one in found if frozenset((one.a, one.b)) in joined]
    doubtful = [one for one in edges if one.share < SURE]
    possible = [one for one in found if frozenset((one.a, one.b)) not in joined and one.share > POSSIBLE]
    sure = [one for one in edges if one.share >= SURE] if result.bootstrap is not None else []
    listed = (
        (f"edges from {SURE:.0%}", sure, len(sure)),
        (f"edges below {SURE:.0%}", doubtful, len(doubtful) if result.bootstrap is not None else NAMED),
        (f"no edge, above {POSSIBLE:.0%}", possible, NAMED),
    )
    for label, some, shown in listed:
        named = [printable(f"{one.a} - {one.b} {one.share:.0%}") for one in some[:shown]]
        more = [f"and {len(some) - shown:,} more"] * (len(some) > shown)
        if some:
            yield label, ", ".join([*named, *more])
    never = len(joined) - len(edges)
    if never:
        yield "edges at 0%", counted(never, "edge")
    if not doubtful and not possible and not sure:
        yield "all edges", f"in {SURE:.0%} or more; no other pair in more than {POSSIBLE:.0%}"


def _strengths_note(result: LearnResult) -> str:
    if result.bootstrap is not None:
        return f"share of the {counted(result.bootstrap.graphs, 'resample')} in which two columns are joined"
    if result.completion is None:
        return ""
    return f"share of the {counted(result.completion.strengths.graphs, 'draw')} in which two columns are joined"


def _legend(result: LearnResult) -> str:
    """What the marks mean that occur."""
    pattern = result.cpdag
    if pattern.undirected and not (pattern.directed or result.graph or result.separating_sets):
        return NEIGHBOURS
    present = {mark for kind, mark in MARKS.items() if getattr(pattern, kind)}
    return "; ".join(text for mark, text in LEGEND.items() if mark in present)


def as_text(result: LearnResult, width: int = WIDTH) -> str:
    """Plain text, lines of at most about `width` characters."""
    summary = summarize(result)
    if result.status == "unanswered":
        return "\n".join(wrap(summary.headline, width))
    lines = [*wrap(summary.headline, width), "", *_aligned(summary.facts, width)]
    if summary.columns:
        lines += ["", "columns", *_aligned(summary.table[1], width)]
        lines += [f"  {line}" for line in wrap(summary.columns_note, width - 2)]
    if summary.warnings:
        lines += ["", "warnings"]
        for warning in summary.warnings:
            lines += wrap(warning, width, initial_indent="  - ", subsequent_indent="    ")
    lines += ["", *wrap(f"network ({summary.legend})" if summary.legend else "network", width)]
    edges = [(family.node, family.mark, ", ".join(family.others)) for family in summary.families]
    lines += _aligned(edges, width)
    if summary.isolated:
        names = f"without edges: {', '.join(summary.isolated)}"
        lines += wrap(names, width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    if summary.strengths:
        lines += ["", *wrap(f"strength ({summary.strengths_note})", width), *_aligned(summary.strengths, width)]
    return "\n".join(lines)


def as_html(result: LearnResult) -> str:
    """A self-contained fragment: the same content, and the drawing when there are at most DRAWN_NODES nodes."""
    summary = summarize(result)
    if result.status == "unanswered":
        return f"<p><strong>{escape(summary.headline)}</strong></p>"
    parts = [
        '<div class="arcwise-result" style="font-family:sans-serif;line-height:1.4">',
        f"<p><strong>{escape(summary.headline)}</strong></p>",
        html_table(summary.facts),
    ]
    if summary.columns:
        heads, rows = summary.table
        parts.append(html_table(rows, heads))
        parts += [f"<p>{escape(summary.columns_note)}</p>"] if summary.columns_note else []
    if summary.warnings:
        items = "".join(f"<li>{escape(warning)}</li>" for warning in summary.warnings)
        parts.append(f"<p>warnings</p><ul>{items}</ul>")
    if summary.legend:
        parts.append(f"<p>{escape(summary.legend)}</p>")
    parts.append(html_table([(family.node, family.mark, ", ".join(family.others)) for family in summary.families]))
    if summary.isolated:
        parts.append(f"<p>without edges: {escape(', '.join(summary.isolated))}</p>")
    if summary.strengths:
        parts += [f"<p>strength ({escape(summary.strengths_note)})</p>", html_table(summary.strengths)]
    if result.cpdag.n_nodes <= DRAWN_NODES:
        from arcwise.drawing import draw

        parts.append(f'<div style="overflow-x:auto">{draw(result.cpdag)}</div>')
    return "\n".join([*parts, "</div>"])


def score_spec(spec: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The specification of the score inside that of a learner, wherever it stands.

    That of the search comes first: other parts, such as a policy, may have scores of their own.
    """
    found = spec.get("score")
    if isinstance(found, Mapping):
        return found
    values = [spec.get("search"), *spec.values()]
    parts = (part for value in values for part in (value if isinstance(value, list) else [value]))
    inner = (score_spec(part) for part in parts if isinstance(part, Mapping))
    return next((part for part in inner if part is not None), None)


def score_words(spec: Mapping[str, Any]) -> str:
    """`bdeu, ess 1`: the kind of a score and its options, without an arc prior that does nothing."""
    options = [(name, value) for name, value in spec.items() if name != "kind" and value is not None]
    shown = [f"{name} {_plain(value)}" for name, value in options if (name, value) != ("arc_prior", 1.0)]
    return ", ".join([str(spec["kind"]), *shown])


def duration(seconds: float) -> str:
    """`0.14 s`, `12.3 s`, `3 min 20 s`."""
    if seconds < 9.995:
        return f"{seconds:.2f} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest} s"


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):  # a score made of scores
        return f"({score_words(value)})"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _headline(result: LearnResult) -> str:
    n = len(result.names)
    size = counted(n, "column")
    if result.data is not None:
        continuous = sum(column.kind is Kind.CONTINUOUS for column in result.data.columns)
        size = f"{counted(result.data.n_rows, 'row')}, {size} ({continuous} continuous, {n - continuous} discrete)"
    name = result.method or "network"
    took = f" {'in' if result.status == 'converged' else 'after'} {duration(result.elapsed)}" * bool(result.elapsed)
    if result.status == "unanswered":
        return f"{name}: no answer, stopped{took} before anything was found; {size}. {NO_ANSWER}"
    best = ", best graph so far" if result.status == "stopped" else ""
    return f"{name}: {size}, {result.status}{took}{best}"


def _missing_words(data: DataSummary) -> str:
    """ "412 of 18,500 cells, in 'age' (300), 'sex' (112)"."""
    where = counts_by_name({column.name: column.n_missing for column in data.columns if column.n_missing})
    return f"{data.n_missing:,} of {counted(data.n_rows * len(data.columns), 'cell')}, in {where}"


def _facts(result: LearnResult) -> Iterable[tuple[str, str]]:
    if result.choice is not None:
        yield "chosen", result.choice.words()
    if result.data is not None and result.data.n_missing:
        yield "missing", _missing_words(result.data)
    if result.completion is not None and result.completion.columns:
        draws = counted(result.completion.strengths.graphs, "draw")
        yield "filled", f"with {draws}; the network is the one learned from them that suits all of them best"
    spec = result.scored_with or score_spec(result.found_by)
    if result.score is not None:
        yield "score", f"{result.score:,.2f}" + (f" ({score_words(spec)})" if spec else "")
    yield from _round_facts(result)
    ends = [step for step in result.trace if step.phase == "best of"]  # of a portfolio's searches
    if ends and not result.rounds:
        yield "searches", "; ".join(f"{step.action.removesuffix(' ends')} {step.score:,.2f}" for step in ends)
    yield "edges", _edge_counts(result.cpdag)
    blanket = _mean_blanket(result)
    if blanket is not None:
        yield "Markov blanket", f"{blanket:.1f} columns on average"
    work = result.counters
    if work.score_asked:
        yield "evaluations", f"{work.score_computed:,} computed of {work.score_asked:,} asked"
    if work.tests:
        yield "tests", f"{work.tests:,}"
    if work.discretization_calls:
        yield "discretizations", f"{work.discretization_calls:,}"
    if work.steps or work.score_asked:
        yield "steps", f"{work.steps:,}" + (f", with {counted(work.ties, 'tie')}" if work.ties else "")


def _round_facts(result: LearnResult) -> Iterable[tuple[str, str]]:
    """How the loop went: the joint score of thresholds and network, and what each start came to."""
    reached: dict[str, float] = {}
    for one in result.rounds:
        reached[one.start] = max(one.joint_score, reached.get(one.start, one.joint_score))
    if reached:
        best = max(reached.values())
        ends = [step.action for step in result.trace if step.phase == "end"]
        turns = sum(one.turn > 0 for one in result.rounds)
        why = f"; {ends[0]}" if len(ends) == 1 else ""
        yield "joint score", f"{best:,.2f} with the thresholds, {counted(turns, 'round')}{why}"
    if len(reached) > 1:
        for start, score in reached.items():
            yield f"from {start}", f"{score:,.2f}" + (", kept" if score == best else "")


def _edge_counts(graph: Pdag) -> str:
    kinds = {kind: len(getattr(graph, kind)) for kind in MARKS}
    parts = [f"{count:,} {kind}" for kind, count in kinds.items() if count]
    return f"{graph.n_edges:,}" + (f" ({', '.join(parts)})" if parts else "")


def _mean_blanket(result: LearnResult) -> float | None:
    """Blankets are those of the moral graph; all members of an equivalence class share it."""
    if not result.names or result.only_skeleton:
        return None
    try:
        dag = result.graph or result.cpdag.extension()
    except GraphError:  # a pattern without a DAG has no Markov blankets
        return None
    return float(dag.moral().adjacency.sum(axis=1).mean())


def _column_lines(result: LearnResult) -> list[ColumnLine]:
    cuts = result.discretization or Discretization({})
    if result.data is None:
        return [ColumnLine(printable(name), "continuous", "", _cut_text(cuts, name)) for name in cuts.thresholds]
    return [
        ColumnLine(
            printable(column.name),
            f"{column.kind}{'?' * column.doubtful}",
            printable(column.reason),
            _cells_text(result, cuts, column),
        )
        for column in result.data.columns
    ]


def _cells_text(result: LearnResult, cuts: Discretization, column: ColumnSummary) -> str:
    cut = column.name in cuts.thresholds
    values = _cut_text(cuts, column.name) if cut else printable(_values_text(column))
    if column.name in result.states:
        values = result.states[column.name].describe()
    missing = f"{column.n_missing:,} missing" if column.n_missing else ""
    return "; ".join(part for part in (values, missing) if part)


def _cut_text(cuts: Discretization, name: str) -> str:
    thresholds = cuts.thresholds[name]
    if len(thresholds) < 4:
        return cuts.describe(name)
    return f"{len(thresholds) + 1} levels, cut at {_listed(format_numbers(thresholds), 8)}"


def _values_text(column: ColumnSummary) -> str:
    if column.levels:
        more = f" ({len(column.levels)} levels)" if len(column.levels) > 6 else ""
        return _listed([_short(level) for level in column.levels[:7]], 6) + more
    if column.minimum is None or column.median is None or column.maximum is None:
        return ""
    return f"{column.minimum:.6g} to {column.maximum:.6g}, median {column.median:.6g}"


def _short(level: str) -> str:
    """A sentence in a cell is known by its beginning."""
    return level if len(level) <= LONGEST_LEVEL else f"{level[: LONGEST_LEVEL - 1]}…"


def _listed(items: Sequence[str], limit: int) -> str:
    return ", ".join([*items[:limit], *["…"] * (len(items) > limit)])


def _columns_note(columns: Sequence[ColumnLine], shared: str) -> str:
    why = [f"all kinds: {shared}"] if shared else []
    doubt = [DOUBT] if any(column.kind.endswith("?") for column in columns) else []
    more = len(columns) - SHOWN_COLUMNS
    rest = [f"and {counted(more, 'column')} more, all of them in the saved result"] if more > 0 else []
    return "; ".join([*rest, *why, *doubt])


def _families(graph: Pdag) -> Iterable[Family]:
    for kind, mark in MARKS.items():
        pairs: Pairs = getattr(graph, kind)
        # Directed edges are listed under their head, others under the smaller of the two names.
        others: dict[str, list[str]] = {}
        for a, b in pairs:
            node, other = (b, a) if kind == "directed" else (a, b)
            others.setdefault(node, []).append(other)
        yield from (Family(printable(node), mark, tuple(map(printable, others[node]))) for node in sorted(others))


def _isolated(graph: Pdag) -> list[str]:
    return sorted(name for name, row in zip(graph.names, graph.adjacency, strict=True) if not row.any())


def _aligned(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Rows of cells in columns, two blanks apart. Long cells are wrapped, those of the last column last."""
    if not rows:
        return []
    widths = [min(max(map(len, cells)), 34) for cells in zip(*rows, strict=True)]
    longest = max(len(row[-1]) for row in rows)
    room = width - 2 * len(widths) - sum(widths[:-1])
    give = min(max(0, longest - room), max(0, widths[-2] - 16))
    widths[-2] -= give
    widths[-1] = max(20, room + give)
    lines = []
    for row in rows:
        cells = [wrap(cell, size, break_on_hyphens=False) or [""] for cell, size in zip(row, widths, strict=True)]
        for k in range(max(map(len, cells))):
            parts = [(cell[k] if k < len(cell) else "").ljust(size) for cell, size in zip(cells, widths, strict=True)]
            lines.append(("  " + "  ".join(parts)).rstrip())
    return lines


def html_table(rows: Iterable[Sequence[str]], head: Sequence[str] = ()) -> str:
    style = ' style="text-align:left;vertical-align:top;padding:1px 12px 1px 0"'
    top = f"<tr>{''.join(f'<th{style}>{escape(cell)}</th>' for cell in head)}</tr>" if head else ""
    body = "".join(f"<tr>{''.join(f'<td{style}>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<table style="border-collapse:collapse">{top}{body}</table>'
