"""Everything that the page shows, as plain lists, numbers and text; no more of the table than counts and a few rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arcwise.data.dataset import Dataset, kinds_in_words
from arcwise.data.findings import Severity
from arcwise.data.rows.mapped import is_at_hand
from arcwise.errors import DataError
from arcwise.graph.pdag import Pdag
from arcwise.learners.sampled import table_sample
from arcwise.printing import counted, listed, printable
from arcwise.report.columns import seen, shown_columns
from arcwise.report.edges import PICTURED, distance, edge_list, other_pairs
from arcwise.report.origin import origin_content
from arcwise.report.pairs import pair_content, sample_content
from arcwise.report.words import limits
from arcwise.results.result import LearnResult
from arcwise.results.summary_doubts import left_out

DIGITS = 9  # of numbers: more than are shown, fewer than 0.30000000000000004 has


def page_content(
    result: LearnResult,
    data: Dataset,
    against: Pdag | None,
    title: str,
    target: str | None,
    command: str,
    rows: int,
    whole: LearnResult | None = None,
) -> dict[str, Any]:
    """What stands in the page for its script to show; every text can be printed as it is.

    whole: the result that `result` is a part of, if it is; what is said of all columns is said of these.
    """
    whole = whole or result
    size = headline(whole, known_columns(whole, data))
    drawn: tuple[str, ...] = ()
    if not is_at_hand(data):  # else weights are counted as they are
        data, drawn = table_sample(data, None, 0)
    table, whole_table = known_columns(result, data), known_columns(whole, data)
    columns = shown_columns(table, result.discretization)
    edges = edge_list(result, against)
    others = other_pairs(result, edges)
    joined = [_ends(edge) for edge in (*edges, *others[:PICTURED])]
    scattered = [pair for pair in joined if all(columns[k].spread is not None for k in pair)]
    pairs = {f"{i}-{j}": pair_content(columns, i, j, table.weights, dense=not rows) for i, j in joined}
    content = {
        "title": printable(title),
        "headline": size,
        "status": result.status,
        "skeleton": result.only_skeleton,
        "target": None if target is None else result.cpdag.index(target),
        "rows": table.n_rows,
        "names": [seen(name) for name in result.names],
        "columns": [column.content(table.weights) for column in columns],
        "edges": edges,
        "others": others,
        "pairs": pairs,
        "sample": sample_content(table, columns, (k for pair in scattered for k in pair), rows),
        "strength": {"measure": result.ties.measure, "words": printable(result.ties.words)},
        "difference": None if against is None else distance(result, against, edges),
        "checks": checks(result, table, [f"counts, charts and checks on this page: {one}" for one in drawn]),
        "limits": [list(paragraph) for paragraph in limits(whole, whole_table)],
        "origin": origin_content(whole, command),
    }
    return rounded(content)


def known_columns(result: LearnResult, data: Dataset) -> Dataset:
    """The columns of the result, in its order; a table without one of them is another table."""
    absent = [repr(printable(name)) for name in result.names if name not in data.names]
    if absent:
        raise DataError(f"the table has no column {listed(absent)}; give the table that the result was learned from")
    return data.select(result.names)


def headline(result: LearnResult, data: Dataset) -> str:
    """ "392 rows, 8 columns (5 continuous, 3 discrete), 14 edges, found by kgv"."""
    kinds = kinds_in_words(data.columns)
    size = f"{counted(data.n_rows, 'row')}, {counted(data.n_columns, 'column')} ({kinds})"
    name = result.method if result.choice is None else result.choice.winner.name
    found = f", found by {name}" if name else ""
    return printable(f"{size}, {counted(result.cpdag.n_edges, 'edge')}{found}")


def checks(result: LearnResult, data: Dataset, drawn: Sequence[str]) -> dict[str, Any]:
    """What is odd about the table, the most important first, and what was said when it was read and learned from.

    drawn: what is said of a sample, if the page shows one.
    """
    order = list(Severity)
    places = {name: k for k, name in enumerate(data.names)}
    found = sorted(data.report().findings, key=lambda one: order.index(one.severity))
    told = list(dict.fromkeys(printable(warning) for warning in (*drawn, *data.warnings, *result.warnings)))
    return {
        "findings": [
            [places.get(one.column), str(one.severity), printable(one.evidence), printable(one.proposal)]
            for one in found
        ],
        "warnings": told,
        "left_out": [*left_out(result), *_on_request(result)],
    }


def _on_request(result: LearnResult) -> list[str]:
    """Columns that an option or a recipe left out, in one line."""
    reading = {} if result.data is None else result.data.provenance.reading
    recipe = reading.get("recipe", {})
    names = [*reading.get("drop", ()), *(recipe.get("drop", ()) if isinstance(recipe, Mapping) else ())]
    return [f"columns left out as was asked for: {listed([repr(seen(name)) for name in names])}"] if names else []


def _ends(edge: dict[str, Any]) -> tuple[int, int]:
    return min(edge["a"], edge["b"]), max(edge["a"], edge["b"])


def rounded(content: Any) -> Any:
    """The same with shorter numbers."""
    if isinstance(content, float):
        return float(f"{content:.{DIGITS}g}")
    if isinstance(content, dict):
        return {key: rounded(value) for key, value in content.items()}
    if isinstance(content, list | tuple) and not _whole(content):
        return [rounded(value) for value in content]
    return content


def _whole(values: Iterable[Any]) -> bool:
    return all(type(value) is int for value in values)
