"""The pages of the studies in the documents are those that the stored results give: `make pages` writes them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from arcwise.study import Results, load, names
from arcwise.study.page import write_page
from arcwise.study.plan import RESULTS

DOCS = Path(__file__).parents[3] / "docs" / "studies"
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]\d+)?")
PIXELS = 0.51  # another processor may round a coordinate otherwise


@pytest.mark.parametrize("name", names())
def test_pages_are_those_of_the_stored_results(name, tmp_path):
    plan = load(name)
    results = Results.load(plan, plan.folder / RESULTS)
    write_page(results, tmp_path / f"{name}.md")
    assert (DOCS / f"{name}.md").read_text("utf-8") == (tmp_path / f"{name}.md").read_text("utf-8"), "run: make pages"
    drawn = {path.name for path in (tmp_path / name).glob("*.svg")}
    assert {path.name for path in (DOCS / name).glob("*.svg")} == drawn, "run: make pages"
    for picture in drawn:
        shown, made = ((folder / name / picture).read_text("utf-8") for folder in (DOCS, tmp_path))
        assert NUMBER.sub("", shown) == NUMBER.sub("", made), picture
        both = [np.array([float(text) for text in NUMBER.findall(one)]) for one in (shown, made)]
        assert np.abs(both[0] - both[1]).max() < PIXELS, picture


@pytest.mark.parametrize("name", names())
def test_stores_hold_what_the_plan_asks_for(name):
    """No line of a store is of a cell that the plan no longer has."""
    plan = load(name)
    results = Results.load(plan, plan.folder / RESULTS)
    lines = (plan.folder / RESULTS).read_text("utf-8").count("\n") - 1
    assert len(results.rows) == lines > 0
