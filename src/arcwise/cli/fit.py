"""`arcwise fit`: give a graph its numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from arcwise.cli.inputs import (
    AsJson,
    DataPath,
    Options,
    Settings,
    argument,
    opened,
    option,
    read_dag,
    read_settings,
    read_table,
    reads_table,
)
from arcwise.cli.outputs import JSON_SUFFIXES, PICTURE_SUFFIXES, check_targets, deliver
from arcwise.cli.views.screen import console, note, plain_table, print_json, warn
from arcwise.errors import OptionError
from arcwise.printing import printable

if TYPE_CHECKING:
    from arcwise.data.dataset import Dataset
    from arcwise.graph.dag import Dag
    from arcwise.networks.network import Network


@reads_table
def fit(
    data: DataPath,
    graph: Annotated[str, argument("GRAPH", "A saved result, a graph file, or a bundled network: result.json")],
    model: Annotated[
        str | None,
        option(
            "--model",
            "What nodes get: cpt, gaussian, conditional-gaussian, smooth, kernel, neural or states; else the method's "
            "own: --model smooth",
        ),
    ] = None,
    settings: Settings = None,
    test: Annotated[str | None, option("--test", "Other rows to judge the fit on: --test new.csv", "DATA")] = None,
    out: Annotated[str | None, option("--out", "Save the fitted network: --out network.json", "FILE")] = None,
    curves: Annotated[
        list[str] | None,
        option(
            "--curves",
            "Draw how a column follows each of its parents, .svg, .png or .pdf: --curves y=y.svg",
            "NAME=FILE",
        ),
    ] = None,
    json: AsJson = False,
    *,
    reading: Options,
) -> None:
    """Fit a conditional model to every node of a graph, and say how well it fits.

    A saved result brings its thresholds along, at which --model cpt cuts continuous columns. Without --model it is that
    of the method that found the graph; for other graphs cpt where all columns have levels, else gaussian. Densities are
    those of the original values in nats, so that models and thresholds can be compared; higher is better. Missing cells
    are expected from what is recorded. --curves has the mean of a column, or the probability of each level, along each
    parent, the others being as in the rows.

    Example: arcwise fit @abalone result.json --model gaussian --out network.json
    """
    from arcwise.networks.models.fit import fit as fit_network
    from arcwise.networks.models.fit import read_options, suited_model

    dag, result = read_dag(graph)
    drawn = _split_curves(curves, dag)
    check_targets((data, graph, test), (out, JSON_SUFFIXES), *((path, PICTURE_SUFFIXES) for _, path in drawn))
    table = read_table(data, reading)
    if model is None:
        model = suited_model(dag, table) if result is None else result.fitted_with(table)
    options = read_options(model, read_settings(settings))
    net = fit_network(dag, table, model, **options) if result is None else result.fit(table, model, **options)
    judged = table if test is None else _read_alike(test, table, reading)
    told = "" if result is None else result.convention  # when the graph was read
    warnings = [one for one in net.warnings if one != told]
    warnings += [f"{test}: {warning}" for warning in judged.warnings if judged is not table]

    def show() -> None:
        warn(warnings)
        if json:
            nodes = {name: _finite(node) for name, node in _scores(net, judged).items()}
            found = _finite({"log_density": float(net.log_density(judged).mean())})
            print_json({**found, "nodes": nodes, "warnings": warnings})
        else:
            _show(net, judged, "the rows it was fitted to" if test is None else test)

    pictures = [(path, partial(net.draw_relations, name, table)) for name, path in drawn]
    deliver((out, net.save), *pictures, show=show, content=net.to_dict if out is not None else None)
    if not json:
        for path in (out, *(path for _, path in drawn)):
            if path is not None:
                note(f"saved {path}")


def _split_curves(curves: list[str] | None, dag: Dag) -> list[tuple[str, str]]:
    """Columns that have parents, and where to draw them. Names and paths may have signs of equality of their own."""
    from arcwise.networks.questions.relations import shown_parents

    found = []
    for text in curves or ():
        ends = [k for k, letter in enumerate(text) if letter == "="]
        if not ends:
            raise OptionError(f"--curves {text!r} must be the name of a column and a file: --curves y=y.svg")
        end = next((k for k in ends if text[:k] in dag.names), ends[0])
        shown_parents(dag, text[:end])
        found.append((text[:end], text[end + 1 :]))
    return found


def _read_alike(argument: str, like: Dataset, reading: Options) -> Dataset:
    """Another table, its columns read as those of the first, with the same levels, its rows weighted likewise."""
    from arcwise.data.reading.door import read_alike

    known = {column.name: column.levels for column in like.columns}
    kinds = (
        "continuous",
        "discrete",
        "ordered",
        "drop",
    )  # of the first table, which may have columns that this one has not
    in_order = [column.name for column in like.columns if column.ordered]
    how = {name: given for name, given in reading.items() if name not in kinds}
    return read_alike(opened(argument), known, in_order=in_order, **how)


def _scores(net: Network, data: Dataset) -> dict[str, dict[str, Any]]:
    """For each node, given its parents: the mean log density and squared error of the rows that have a value."""
    from arcwise.data.dataset import Kind

    found: dict[str, dict[str, Any]] = {}
    for model in net.models:
        recorded = data.n_rows - data.missing_counts().get(model.child, 0)
        log_density = -net.log_score(model.child, data) / max(recorded, 1)
        found[model.child] = {"model": model.kind, "parents": list(model.parents), "log_density": log_density}
        if data.column(model.child).kind is Kind.CONTINUOUS and recorded:
            error = net.mean_squared_error(model.child, data, evidence="parents")
            found[model.child]["mean_squared_error"] = error
    return found


def _finite(content: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinity: what is impossible under the network has no number."""
    from math import isfinite

    return {key: None if isinstance(x, float) and not isfinite(x) else x for key, x in content.items()}


def _show(net: Network, data: Dataset, where: str) -> None:
    from rich.text import Text

    screen = console()
    mean = net.log_density(data).mean()
    screen.print(f"{mean:,.4f}  mean log density of a row (nats), on {printable(where)}", style="bold")
    screen.print(
        Text("density of the numbers as they are, probability of discrete columns; each node given its parents")
    )
    screen.print()
    table = plain_table(
        "log density", "squared error", "node", "", "parents", "model", right=("log density", "squared error")
    )
    for name, node in _scores(net, data).items():
        error = f"{node['mean_squared_error']:.4g}" if "mean_squared_error" in node else ""
        arrow = "←" if node["parents"] else ""
        parents = Text(printable(", ".join(node["parents"])))
        cells = (Text(printable(name), "bold"), arrow, parents, node["model"])
        table.add_row(f"{node['log_density']:,.4f}", error, *cells)
    screen.print(table)
