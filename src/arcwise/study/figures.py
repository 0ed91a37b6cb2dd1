"""Figures of a study, drawn of its results, and pictures of the data that it is about."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from arcwise.data.dataset import Dataset, Kind
from arcwise.drawing.charts import Panel, Series, draw_panels
from arcwise.drawing.graphs import draw as draw_graph
from arcwise.drawing.heat_map import Matrix, draw_matrices
from arcwise.drawing.histogram import histogram
from arcwise.drawing.slices import draw_slices
from arcwise.errors import DataError, OptionError, unknown_name
from arcwise.graph.pdag import Pdag
from arcwise.networks.bundled import load as load_network
from arcwise.networks.simulators import add_noise, meander
from arcwise.study.answer_figures import PAIR_ENTRIES, POINT_ENTRIES, draw_pairs, draw_points
from arcwise.study.cells import Value, seed_of
from arcwise.study.context import check_entries
from arcwise.study.plan import Plan
from arcwise.study.results import Results, Row
from arcwise.study.tables import RUN, tables_of

NORMAL_95 = 1.96
Entries = Mapping[str, Any]


def draw_figures(
    results: Results, folder: str | Path, *, suffix: str = ".svg", wanted: Sequence[str] | None = None
) -> dict[str, Path]:
    """A file for each figure of the plan, or for those named; the files by the figures' names."""
    plan = results.plan
    for name in wanted or ():
        if name not in plan.figures:
            raise OptionError(unknown_name("figure", name, plan.figures))
    found = {}
    for name, entries in plan.figures.items():
        if wanted is None or name in wanted:
            path = Path(folder) / file_name(name, suffix)
            draw_figure(results, name, entries, path)
            found[name] = path
    return found


def file_name(figure: str, suffix: str) -> str:
    """Small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", figure.lower()).strip("-") + suffix


def draw_figure(results: Results, name: str, entries: Entries, path: Path) -> None:
    check_figure(name, entries)
    KINDS[entries["kind"]][1](results, {"name": name, **entries}, path)


def check_figure(name: str, entries: Entries) -> None:
    """Refuse what cannot be drawn of any results."""
    kind = entries.get("kind")
    if kind not in KINDS:
        raise OptionError(unknown_name(f"kind of figure {name!r}:", kind, KINDS))
    known, _ = KINDS[kind]
    check_entries(f"figure {name!r}", entries, ("kind", "title", "note", *known))
    missing = [entry for entry in known if entry not in entries and entry in NEEDED]
    if missing:
        raise OptionError(f"figure {name!r} needs the entry {missing[0]!r}")


NEEDED = ("experiment", "x", "y", "measure", "node", "columns")


def _rows(results: Results, entries: Entries) -> list[Row]:
    """The finished cells that a figure is about."""
    plan, experiment = results.plan, entries["experiment"]
    if experiment not in plan.experiments:
        raise OptionError(unknown_name(f"experiment of figure {entries['name']!r}:", experiment, plan.experiments))
    where = entries.get("where", {})
    axes = plan.experiments[experiment].experiment.axes()
    for axis in (*where, *(entries[key] for key in ("lines", "panels", "rows", "columns") if key in entries)):
        if axis not in axes:
            raise OptionError(unknown_name(f"axis of figure {entries['name']!r}:", axis, axes))

    def wanted(row: Row) -> bool:
        place = row.cell.place
        chosen = {axis: values if isinstance(values, list) else [values] for axis, values in where.items()}
        return row.cell.experiment == experiment and all(place[axis] in chosen[axis] for axis in chosen)

    return [row for row in results.where(wanted) if row.error is None]


def _scatter(results: Results, entries: Entries, path: Path) -> None:
    """Rows of two tables: one column of each."""
    axes = {}
    for axis in ("x", "y"):
        table = tables_of(results, [entries[axis]["table"]])[0]
        column = str(entries[axis]["column"])
        if column not in table.columns:
            raise OptionError(unknown_name(f"column of table {table.name!r}:", column, table.columns))
        axes[axis] = table, column
    (first, across), (second, down) = axes["x"], axes["y"]
    points = []
    for row in first.rows:
        x, y = first.get(row, across).ours, second.get(row, down).ours if row in second.rows else None
        if x is not None and y is not None:
            points.append((row, x, y))
    if not points:
        raise DataError(f"there are no results for figure {entries['name']!r} yet; run the study first")
    xs, ys, labels = [x for _, x, _ in points], [y for _, _, y in points], [row for row, _, _ in points]
    series = Series("", xs, ys, names=labels, line=False)
    log = entries.get("log", [])
    panel = Panel(
        "", (series,), entries.get("x-label", first.title), entries.get("y-label", second.title),
        x_log="x" in log, y_log="y" in log, y_down=bool(entries.get("y-down", False)),
    )  # fmt: skip
    draw_panels(path, [panel], title=entries.get("title", ""))


def _groups(rows: list[Row], axis: str | None) -> dict[Value, list[Row]]:
    found: dict[Value, list[Row]] = {}
    for row in rows:
        found.setdefault("" if axis is None else row.cell.place[axis], []).append(row)
    return found


def _lines(results: Results, entries: Entries, path: Path) -> None:
    """Means over all but x and the lines; with `band`, the 95 % interval of the mean over runs."""
    rows, x, lines = _rows(results, entries), entries["x"], entries.get("lines")
    measures = entries["measure"] if isinstance(entries["measure"], list) else [entries["measure"]]
    log, panels = entries.get("log", []), []
    for title, own in _groups(rows, entries.get("panels")).items():
        series = []
        for label, of_line in _groups(own, lines).items():
            for measure in measures:
                name = " ".join(filter(None, [str(label), measure if len(measures) > 1 else ""]))
                found = _means(of_line, x, measure)
                if found:
                    at, mean, half = zip(*found, strict=True)
                    low, high = (
                        [m - h for m, h in zip(mean, half, strict=True)],
                        [m + h for m, h in zip(mean, half, strict=True)],
                    )
                    band = entries.get("band", False)
                    series.append(Series(name, at, mean, low=low if band else None, high=high if band else None))
        panels.append(
            Panel(
                str(title), tuple(series), entries.get("x-label", x), entries.get("y-label", ", ".join(measures)),
                x_log="x" in log, y_log="y" in log,
                marks=tuple((float(value), str(word)) for value, word in entries.get("marks", [])),
            )
        )  # fmt: skip
    if not any(panel.series for panel in panels):
        raise DataError(f"there are no results for figure {entries['name']!r} yet; run the study first")
    draw_panels(path, panels, title=entries.get("title", ""))


def _means(rows: list[Row], x: str, measure: str) -> list[tuple[float, float, float]]:
    """(x, mean, half of the 95 % interval) along x; each run's own mean is one observation."""
    found = []
    for at, own in sorted(_groups(rows, x).items(), key=lambda pair: float(pair[0])):
        runs = []
        for of_run in _groups(own, RUN if own and RUN in own[0].cell.place else None).values():
            values = [float(row.values[measure]) for row in of_run if isinstance(row.values.get(measure), int | float)]
            runs += [statistics.fmean(values)] if values else []
        if runs:
            half = NORMAL_95 * statistics.stdev(runs) / len(runs) ** 0.5 if len(runs) > 1 else 0.0
            found.append((float(at), statistics.fmean(runs), half))
    return found


def _matrix(results: Results, entries: Entries, path: Path) -> None:
    rows, measure = _rows(results, entries), entries["measure"]
    if not rows:
        raise DataError(f"there are no results for figure {entries['name']!r} yet; run the study first")
    down, across = (list(_groups(rows, entries[key])) for key in ("rows", "columns"))
    matrices = []
    for title, own in _groups(rows, entries.get("panels")).items():
        cells: dict[tuple[Value, Value], list[float]] = {}
        for row in own:
            if isinstance(row.values.get(measure), int | float):
                place = row.cell.place[entries["rows"]], row.cell.place[entries["columns"]]
                cells.setdefault(place, []).append(float(row.values[measure]))
        values = [[statistics.fmean(cells[r, c]) if (r, c) in cells else None for c in across] for r in down]
        matrices.append(Matrix(str(title), [str(r) for r in down], [str(c) for c in across], values))
    scale = tuple(map(float, entries["scale"])) if "scale" in entries else None
    draw_matrices(path, matrices, title=entries.get("title", ""), scale=scale)  # type: ignore[arg-type]


def _graph(results: Results, entries: Entries, path: Path) -> None:
    rows = [row for row in _rows(results, entries) if "graph" in row.values]
    if len(rows) != 1:
        raise DataError(
            f"figure {entries['name']!r} is about one cell that measured 'graph', and there are {len(rows)}; "
            "say which in 'where', or run the study first"
        )
    edges = rows[0].values["graph"]
    pattern = Pdag(edges["nodes"], edges["directed"], edges["undirected"], edges["bidirected"])
    draw_graph(pattern, path, title=entries.get("title"))


def _data(results: Results, entries: Entries, path: Path) -> None:
    """The density of two columns of a table."""
    data = table_of(results.plan, entries)
    draw_slices(data, entries["x"], entries["y"], entries.get("given", []), path, title=entries.get("title"))


def table_of(plan: Plan, entries: Entries) -> Dataset:
    """A network's states or noisy readings of them, a real table, or MEANDER."""
    seed, rows = seed_of(f"{plan.name} {entries['name']}"), int(entries.get("rows", 5_000))
    source = entries.get("source", "")
    if source == "meander":
        return meander(rows, seed)
    if source.startswith("@"):
        from arcwise import datasets

        return datasets.load(source[1:])
    states = load_network(entries.get("network", source)).sample(rows, seed)
    return add_noise(states, sigma=entries["noise"], seed=seed) if entries.get("noise") else states


def _marginal(results: Results, entries: Entries, path: Path) -> None:
    """How the values of single columns are spread."""
    panels = []
    for one in entries["columns"]:
        data = table_of(results.plan, {**entries, **one})
        column = data.column(one["column"])
        if column.kind is not Kind.CONTINUOUS:
            raise DataError(f"figure {entries['name']!r}: the column {column.name!r} has levels; give it noise")
        shape = histogram(column.values, 80)
        edges = np.linspace(shape.low, shape.high, len(shape.counts) + 1)
        middles = ((edges[:-1] + edges[1:]) / 2).tolist()
        series = Series("", middles, [float(count) for count in shape.counts], dots=False)
        panels.append(
            Panel(f"{one.get('network', one.get('source', ''))}: {column.name}", (series,), column.name, "rows")
        )
    draw_panels(path, panels, title=entries.get("title", ""))


def _probabilities(results: Results, entries: Entries, path: Path) -> None:
    """The joint probabilities of a node and its parent, of the network itself."""
    net = load_network(entries["network"])
    node = net.names.index(entries["node"]) if entries["node"] in net.names else -1
    if node < 0 or len(net.parents[node]) != 1:
        raise OptionError(f"figure {entries['name']!r} is about a node with one parent; {entries['node']!r} is none")
    parent = net.parents[node][0]
    above = net.query([parent]).marginals[0].probabilities
    assert above is not None  # a network of levels
    down, across = (list(net.states[net.names.index(name)]) for name in (parent, entries["node"]))
    joint = (above[:, None] * net.cpts[node]).tolist()
    draw_matrices(path, [Matrix(f"{entries['node']} by {parent}", down, across, joint)], title=entries.get("title", ""))


Draw = Callable[[Results, Entries, Path], None]
KINDS: dict[str, tuple[tuple[str, ...], Draw]] = {
    "scatter": (("x", "y", "log", "x-label", "y-label", "y-down"), _scatter),
    "lines": (
        ("experiment", "where", "x", "measure", "lines", "panels", "band", "log", "x-label", "y-label", "marks"),
        _lines,
    ),
    "matrix": (("experiment", "where", "rows", "columns", "panels", "measure", "scale"), _matrix),
    "graph": (("experiment", "where"), _graph),
    "data": (("source", "network", "noise", "rows", "x", "y", "given"), _data),
    "marginal": (("columns", "noise", "rows"), _marginal),
    "probabilities": (("network", "node"), _probabilities),
    "pairs": (PAIR_ENTRIES, lambda results, entries, path: draw_pairs(_rows(results, entries), entries, path)),
    "points": (
        POINT_ENTRIES,
        lambda results, entries, path: draw_points(partial(table_of, results.plan), entries, path),
    ),
}
