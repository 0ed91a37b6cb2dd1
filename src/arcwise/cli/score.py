"""`arcwise score`: how well a graph fits a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from arcwise.cli.inputs import (
    AsJson,
    DataPath,
    Options,
    Settings,
    argument,
    option,
    read_dag,
    read_settings,
    read_table,
    reads_table,
)
from arcwise.cli.views.screen import console, plain_table, print_json, warn
from arcwise.errors import DataError, OptionError
from arcwise.printing import printable

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset
    from arcwise.data.discretization import Discretization
    from arcwise.graph.dag import Dag
    from arcwise.parts.protocols import Discretizer, Score
    from arcwise.results.result import LearnResult

DEFAULT_SCORE = "suited"  # bdeu for discrete columns, a Gaussian score otherwise


@reads_table
def score(
    data: DataPath,
    graph: Annotated[
        str,
        argument(
            "GRAPH",
            "A graph (.json, .dot, .graphml, .cyjs), a saved result, a .bif file or a bundled network such as @alarm.",
        ),
    ],
    kind: Annotated[
        str | None, option("--score", "bdeu, bic, kgv, bge, ... (else that of a saved result): --score bic", "NAME")
    ] = None,
    settings: Settings = None,
    discretize: Annotated[
        str | None, option("--discretize", "Cut continuous columns first: --discretize equal-frequency", "METHOD")
    ] = None,
    bins: Annotated[int | None, option("--bins", "How many levels: --discretize equal-width --bins 4")] = None,
    json: AsJson = False,
    *,
    reading: Options,
) -> None:
    """Score a graph on a table, in all and node by node.

    A higher score is better. A saved result brings its own score and thresholds along. A score of numbers that --score
    names is computed on the original values, one of levels on the columns as the result cut them.

    Example: arcwise score @abalone result.json --score bdeu --set ess=10
    """
    from arcwise.parts.protocols import resolved
    from arcwise.parts.spec import to_spec
    from arcwise.results.summary_details import score_words
    from arcwise.scores import by_node

    dag, result = read_dag(graph)
    part = _score_part(kind, settings, result)
    cutter = _cutter(discretize, bins)
    table = read_table(data, reading)
    warn(table.warnings)
    thresholds = cutter.fit(table) if cutter is not None else _thresholds(part, kind is not None, result)
    scored = thresholds.apply(table) if thresholds is not None else table
    _refuse_continuous(part, dag, scored)
    nodes = by_node(part, dag, scored)
    used = to_spec(resolved(part, scored.select(dag.names)))
    values = _values(thresholds, discretize)
    if json:
        found = {"score": used, "values": values, "total": sum(nodes.values()), "nodes": nodes}
        print_json({**found, "warnings": list(table.warnings)})
    else:
        _show(f"({score_words(used)}), on {values}", dag, nodes)


def _score_part(kind: str | None, settings: list[str] | None, result: LearnResult | None) -> Any:
    """The score that was asked for, else that of the saved result, else the default one."""
    from arcwise import catalog
    from arcwise.results.summary_details import score_spec

    spec = score_spec(result.found_by) if result is not None and kind is None else None
    name = kind or DEFAULT_SCORE
    part: Any = catalog.from_spec(spec) if spec is not None else catalog.find("score", name, catalog.SCORES)()
    return catalog.configure(part, read_settings(settings))


def _cutter(method: str | None, bins: int | None) -> Discretizer | None:
    """The discretizer that was asked for."""
    from arcwise.cli.discretize import discretizer

    if method is None and bins is not None:
        raise OptionError("--bins needs --discretize, such as --discretize equal-frequency --bins 3")
    return None if method is None else discretizer(method, None if bins is None else [f"bins={bins}"])


def _thresholds(part: Score, named: bool, result: LearnResult | None) -> Discretization | None:
    """Those of the result for its own score and for one of levels; a score of numbers that was named takes numbers."""
    from arcwise.data.dataset import Kind

    if result is None or (named and Kind.CONTINUOUS in part.accepts):
        return None
    return result.discretization


def _values(thresholds: Discretization | None, method: str | None) -> str:
    """What was scored, in words."""
    if thresholds is None or not thresholds.thresholds:
        return "the original values"
    return f"columns cut by {method}" if method is not None else "columns cut at the result's thresholds"


def _refuse_continuous(part: Score, dag: Dag, table: Dataset) -> None:
    for column in table.columns:
        if column.name in dag.names and column.kind not in part.accepts and not column.levels:
            raise DataError(
                f"column {column.name!r} is continuous, but the score {part.kind!r} needs levels; cut it with "
                "--discretize equal-frequency, or read its values as levels with --discrete"
            )


def _show(words: str, dag: Dag, nodes: dict[str, float]) -> None:
    from rich.text import Text

    screen = console()
    screen.print(f"{sum(nodes.values()):,.4f}  {words}", style="bold")
    screen.print()
    table = plain_table("score", "node", "", "parents", right=("score",))
    for name, value in nodes.items():
        parents = dag.parents(name)
        cells = Text(printable(name), "bold"), "←" if parents else "", Text(printable(", ".join(parents)))
        table.add_row(f"{value:,.4f}", *cells)
    screen.print(table)
