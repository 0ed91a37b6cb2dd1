"""Plans: what is wrong in one is told in a sentence that names the entry; those that come with arcwise are whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arcwise.errors import ArcwiseError, FileError, OptionError
from arcwise.study import load, names
from arcwise.study.cells import seed_of
from arcwise.study.figures import KINDS as FIGURES
from arcwise.study.figures import check_figure
from arcwise.study.plan import read_plan
from arcwise.study.tables import published_numbers
from arcwise.study.tables.spec import TableSpec
from tests.unit.study.plans import SMALL, plan_of

EXPERIMENT = '[experiments.a]\nmethods = ["hill-climb"]\nsources = ["child"]\nrows = [50]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = ", "is not TOML"),
        ('titel = "x"\n' + EXPERIMENT, r"'titel'.*did you mean 'title'"),
        ('title = "x"', r"no experiment"),
        ("experiments = 3", r"\[experiments\] must hold tables"),
        ("[experiments]\na = 3", r"\[experiments.a\] must be a table of entries, not 3"),
        ("limit = 0\n" + EXPERIMENT, "limit must be a number of seconds above 0, not 0"),
        ("limit = true\n" + EXPERIMENT, "limit must be a number of seconds above 0, not True"),
        (EXPERIMENT + 'kind = "learning"', "kind of experiment 'a'.*did you mean 'learn'"),
        (EXPERIMENT.replace("sources", "source"), "experiment 'a'.*'source'.*did you mean 'sources'"),
        (EXPERIMENT.replace("hill-climb", "hillclimb"), "unknown method 'hillclimb'; did you mean 'hill-climb'"),
        ("[methods]\na = {method = 'steck', bin = 3}\n" + EXPERIMENT, "method 'a'.*bin"),
        (EXPERIMENT.replace('"child"', '"chidl"'), "chidl.*did you mean 'child'"),
        (EXPERIMENT.replace('"child"', '"@chidl"'), "source '@chidl'"),
        (EXPERIMENT.replace('"child"', '"none.csv"'), "none.csv"),
        (EXPERIMENT.replace('"child"', '"child", "child"'), "sources names 'child' twice"),
        (EXPERIMENT.replace("[50]", "50"), "rows must be a list of numbers, not 50"),
        (EXPERIMENT.replace("[50]", "[1]"), "rows must be a whole number from 2, not 1"),
        (EXPERIMENT + "noise = [-1]", "noise must be numbers from 0, not -1"),
        (EXPERIMENT + "runs = 0", "runs must be a whole number from 1, not 0"),
        (EXPERIMENT + 'measures = ["shdd"]', "unknown measure 'shdd'; did you mean 'shd'"),
        (EXPERIMENT + "quick = {rows = 60}", "takes some of its own values along 'rows' \\(50\\), not 60"),
        (EXPERIMENT + "quick = {row = 50}", "'row'.*did you mean 'rows'"),
        (
            "[sources.b]\nnetwork = 'child'\ndata = '@cars1'\n" + EXPERIMENT.replace("child", "b"),
            "entry of source 'b':? 'network'",
        ),
        ("[sources.b]\nsimulate = 'linear'\nnodes = 3\n" + EXPERIMENT.replace("child", "b"), "'b' needs edges"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, words):
    with pytest.raises(ArcwiseError, match=words) as told:
        read_plan(text, "mine", tmp_path)
    assert "the plan 'mine'" in str(told.value)


def test_cells_in_the_order_of_the_plan(tmp_path):
    cells = plan_of(tmp_path).cells()
    assert cells[0].name == "simulated/1/child/60/0.3/bins2"
    assert [cell.place["run"] for cell in cells] == sorted(cell.place["run"] for cell in cells)
    assert len({seed_of(cell.name) for cell in cells}) == len(cells)
    quick = plan_of(tmp_path).cells(quick=True)
    assert {cell.key for cell in quick} < {cell.key for cell in cells}


def test_a_table_of_ones_own_is_known_by_what_is_in_it(tmp_path):
    """A file may move, and a changed file is another table."""
    text = EXPERIMENT.replace("child", "data.csv").replace("rows = [50]\n", "")
    keys = []
    for folder, content in (
        ("a", "x,y\n1,2\n2,3\n3,5\n"),
        ("b", "x,y\n1,2\n2,3\n3,5\n"),
        ("c", "x,y\n1,2\n2,3\n3,4\n"),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "data.csv").write_text(content)
        keys.append([cell.key for cell in read_plan(text, "mine", tmp_path / folder).cells()])
    assert keys[0] == keys[1] != keys[2]


def test_names_and_files(tmp_path):
    (tmp_path / "mine.toml").write_text(EXPERIMENT)
    assert load(tmp_path / "mine.toml").name == "mine"
    with pytest.raises(OptionError, match="unknown study 'fu-2006'; did you mean 'fu-2005'"):
        load("fu-2006")
    with pytest.raises(FileError, match=r"none\.toml"):
        load(tmp_path / "none.toml")


@pytest.mark.parametrize("name", names())
def test_studies_that_come_with_arcwise(name):
    """Tables, figures and published numbers fit the plan; every published number has a place in a table."""
    plan = load(name)
    assert plan.title
    assert 0 < len(plan.cells(quick=True)) < len(plan.cells())
    keys = [cell.key for cell in plan.cells()]
    assert len(set(keys)) == len(keys)
    for table, entries in plan.tables.items():
        TableSpec.of(table, entries, plan)
    for entries in plan.figures.values():
        assert entries["kind"] in FIGURES
    assert set(published_numbers(plan)) <= set(plan.tables)
    notes = plan.text_of("notes.md")
    assert notes
    if plan.publication:
        assert published_numbers(plan) or "no published numbers" in notes


def test_the_plan_of_the_documents(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "studies.md").read_text("utf-8")
    (text,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    plan = read_plan(text, "documents", tmp_path)
    assert len(plan.cells(quick=True)) == 4
    for name, entries in plan.tables.items():
        TableSpec.of(name, entries, plan)
    for name, entries in plan.figures.items():
        check_figure(name, entries)


def test_a_plan_with_everything(tmp_path):
    plan = plan_of(tmp_path, SMALL)
    assert plan.has_quick
    assert plan.text_of("notes.md") is None
    (tmp_path / "notes.md").write_text("so")
    assert plan.text_of("notes.md") == "so"
