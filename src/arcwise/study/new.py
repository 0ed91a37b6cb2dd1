"""A commented plan for a table of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.toml import quoted, toml_value
from arcwise.presets import COMPARED, COMPARED_OF_LEVELS
from arcwise.study.plan import LIMIT

MOST_TEST_ROWS = 1_000
RUNS = 10
TEMPLATE = """\
# A study of {name}: run it with
#     arcwise study run {plan}
# and look at it with
#     arcwise study tables {plan}
# What is finished is kept, so a run that was ended goes on. Change anything: cells that stay as they are stay finished.

title = {title}
limit = {limit:g}  # seconds of one cell; one that takes longer is a row with its error

# Any method of `arcwise methods`, under a name of yours, with options if you like.
[methods]
{methods}
# steck2 = {{method = "steck", bins = 2}}
# "pgmpy, hill climbing" = {{peer = "pgmpy", algorithm = "hill-climb", bins = 3}}  # needs: pip install 'arcwise[peers]'

[sources.{source}]
data = {data}{reading}
# {columns}

# More tables are more sources; a network to sample from is one, too:
# [sources.alarm]
# network = "alarm"  # a bundled one, or a .bif file

[experiments.methods]
sources = [{quoted_source}]
runs = {runs}  # each with other rows held out, and the columns in another order under other names
test-rows = {test_rows}  # rows to judge by, of the {n_rows:,} that there are; the others are learned from
# rows = [100, 200]  # learn from so many rows only
measures = ["density", "edges", "seconds"]
# Where the true network is known (sources that are networks): "shd", "extra", "missing", "f1".
quick = {{run = [1]}}

[tables.methods]
title = "{name}: density of new rows, edges and time"
experiment = "methods"
rows = "method"
columns = "measure"
measures = ["density", "edges", "seconds"]

[figures.methods]
title = "{name}: time and density of new rows"
kind = "scatter"
x = {{table = "methods", column = "seconds"}}
y = {{table = "methods", column = "density"}}
log = ["x"]
"""


def new_plan(data: Dataset, path: str, plan: str = "plan.toml", reading: dict[str, Any] | None = None) -> str:
    """The text of a plan that compares methods on this table. reading: how it is to be read, where not as usual."""
    discrete = all(kind is Kind.DISCRETE for kind in data.kinds)
    methods = COMPARED_OF_LEVELS if discrete else COMPARED
    name = Path(path.removeprefix("@")).stem
    shown = [column.shown_kind for column in data.columns]
    kinds = [f"{shown.count(kind)} {kind}" for kind in ("continuous", "ordered", "discrete") if kind in shown]
    given = {key: value for key, value in (reading or {}).items() if value and value != "learn"}
    return TEMPLATE.format(
        name=_plain(name), title=quoted(f"Methods on {name}"), plan=_plain(plan), limit=LIMIT,
        methods="\n".join(f'{method} = "{method}"' for method in methods),
        source=quoted(name), quoted_source=quoted(name), data=quoted(path),
        reading="".join(f"\n{key} = {toml_value(value)}" for key, value in given.items()),
        columns=f"{data.n_columns} columns, {' and '.join(kinds)}; "
        "continuous, discrete, ordered and drop = [...] change that",
        runs=RUNS, n_rows=data.n_rows, test_rows=min(data.n_rows // 4, MOST_TEST_ROWS),
    )  # fmt: skip


def _plain(text: str) -> str:
    """Safe in a comment and between double quotes."""
    return "".join(sign if sign.isprintable() and sign not in '"\\' else "?" for sign in text)
