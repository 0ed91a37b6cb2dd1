"""Figures of tests of independence: triangles of pairs of functions, and clouds of points."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from arcwise.drawing.clouds import Cloud, draw_clouds
from arcwise.errors import DataError, OptionError
from arcwise.study.figures import draw_figures
from arcwise.study.plan import read_plan
from arcwise.study.results import Results, Row

PLAN = """
[experiments.it]
kind = "independence"
tables = ["lambda", "v"]
runs = 2
tests = {recursive-median = {}, rival = {test = "chi-squared", bins = "sturges"}}

[figures.pairs]
kind = "pairs"
title = "Lambda"
experiment = "it"
where = {table = "lambda"}
measure = "value"

[figures.points]
kind = "points"
rows = 120
clouds = [
    {title = "left", source = "diagonals", columns = ["X", "Y"], bins = 3},
    {title = "right", source = "meander", columns = ["X", "Y", "Z"]},
]
"""


def texts(path):
    return re.findall(r"<text[^>]*>([^<]*)</text>", Path(path).read_text(encoding="utf-8"))


def results(text=PLAN, value=lambda cell: 0.25):
    plan = read_plan(text, "small", Path())
    rows = tuple(Row(cell, {"value": value(cell)}, None, 0.0) for cell in plan.cells())
    return Results(plan, rows, len(rows))


def test_a_triangle_for_each_test_with_the_means_over_runs(tmp_path):
    def value(cell):
        if cell.place["table"] == "v":
            return 0.99
        pair = cell.place["functions"] == "f2 f4"
        return (0.6 + 0.1 * cell.place["run"]) if pair and cell.place["test"] == "rival" else 0.25

    found = draw_figures(results(value=value), tmp_path, wanted=["pairs"])
    words = texts(found["pairs"])
    assert {"recursive-median", "rival", "f1", "f5"} <= set(words)
    assert words.count("0.75") == 1, "the mean of .7 and .8"
    assert words.count("0.25") == 2 * 15 - 1
    assert words.count("–") == 2 * 10, "below the diagonal"
    assert "0.99" not in words


def test_no_results_no_triangle(tmp_path):
    plan = read_plan(PLAN, "small", Path())
    with pytest.raises(DataError, match="there are no results for figure 'pairs' yet"):
        draw_figures(Results(plan, (), 0), tmp_path, wanted=["pairs"])


def test_clouds_of_known_tables(tmp_path):
    found = draw_figures(results(), tmp_path, wanted=["points"])
    text = found["points"].read_text(encoding="utf-8")
    assert text.count("<circle") == 2 * 120
    words = texts(found["points"])
    counts = [int(word) for word in words if word.isdecimal() and int(word) > 2]
    assert sum(counts) == 120, "every row is in one of 3 by 3 bins"
    assert {"left", "right", "Z"} <= set(words)


def test_a_cloud_has_two_or_three_columns(tmp_path):
    text = PLAN.replace('["X", "Y", "Z"]', '["X"]')
    with pytest.raises(OptionError, match="needs two or three columns"):
        draw_figures(results(text), tmp_path, wanted=["points"])
    with pytest.raises(OptionError, match="needs clouds"):
        draw_figures(results(PLAN[: PLAN.index("clouds")]), tmp_path, wanted=["points"])


def test_what_is_nearer_covers_what_is_behind(tmp_path):
    """The front of the cube is where the second column is small; dots are drawn from the back to the front."""
    back, front = np.array([0.5, 0.5, 0.0, 1.0]), np.array([1.0, 0.0, 0.5, 0.5])
    path = tmp_path / "deep.svg"
    draw_clouds(path, [Cloud("deep", (("a", back), ("b", front), ("c", np.array([0.5, 0.5, 0.0, 1.0]))))])
    colors = re.findall(r"<circle[^>]*fill=\"(#[0-9a-f]+)\"", path.read_text(encoding="utf-8"))
    assert len(colors) == 4
    assert colors[0] == "#a9cbe6"
    assert colors[-1] == "#0b5e96"


def test_equal_values_have_a_place(tmp_path):
    flat, deep = np.zeros(5), np.ones(5)
    path = tmp_path / "same.svg"
    draw_clouds(path, [Cloud("", (("a", flat), ("b", deep))), Cloud("", (("a", flat), ("b", deep), ("c", flat)))])
    assert "nan" not in path.read_text(encoding="utf-8")
