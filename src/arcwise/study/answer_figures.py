"""Figures about tests of independence: answers for pairs of functions, and the tables of which they are the answers."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from arcwise.data.dataset import Dataset
from arcwise.drawing.clouds import Cloud, draw_clouds
from arcwise.drawing.heat_map import Matrix, draw_matrices
from arcwise.errors import DataError, OptionError
from arcwise.study.cells import seed_of
from arcwise.study.context import check_entries
from arcwise.study.known_answers import KNOWN, PAIRS
from arcwise.study.results import Row

PAIR_ENTRIES = ("experiment", "where", "measure", "panels", "scale")
POINT_ENTRIES = ("clouds", "rows")
Entries = Mapping[str, Any]


def draw_pairs(rows: Sequence[Row], entries: Entries, path: Path) -> None:
    """A triangle for each value of the axis `panels`: a field for each pair of functions, the mean over runs."""
    panels: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        if isinstance(row.values.get(entries["measure"]), int | float):
            own = panels.setdefault(str(row.cell.place[entries.get("panels", "test")]), {})
            own.setdefault(str(row.cell.place["functions"]), []).append(float(row.values[entries["measure"]]))
    if not panels:
        raise DataError(f"there are no results for figure {entries['name']!r} yet; run the study first")
    names = list(dict.fromkeys(name for pair in PAIRS for name in pair.split()))
    matrices = [
        Matrix(
            label,
            names,
            names,
            [[statistics.fmean(own[f"{a} {b}"]) if f"{a} {b}" in own else None for b in names] for a in names],
        )
        for label, own in panels.items()
    ]
    low, high = entries.get("scale", (0.0, 1.0))
    draw_matrices(path, matrices, title=entries.get("title", ""), scale=(float(low), float(high)))


def draw_points(table_of: Callable[[Entries], Dataset], entries: Entries, path: Path) -> None:
    """Rows of tables in two or three of their columns: clouds = [{source = "meander", columns = ["X", "Y", "Z"]}]."""
    clouds = []
    for one in entries.get("clouds", []):
        check_entries(f"a cloud of figure {entries['name']!r}", one, ("title", "source", "columns", "bins"))
        source, columns = one.get("source", ""), one.get("columns", ["X", "Y"])
        if len(columns) not in (2, 3):
            raise OptionError(f"a cloud of figure {entries['name']!r} needs two or three columns")
        rows = int(entries.get("rows", 2_000))
        if source in KNOWN:
            data = KNOWN[source].table(rows, seed_of(f"figure/{source}"))
        else:
            data = table_of({**entries, **one, "rows": rows})
        values = tuple((name, data.column(name).values[:rows].astype(float)) for name in columns)
        clouds.append(Cloud(one.get("title", source), values, one.get("bins")))
    if not clouds:
        raise OptionError(f"figure {entries['name']!r} needs clouds, a list of tables to draw")
    draw_clouds(path, clouds, title=entries.get("title", ""))
