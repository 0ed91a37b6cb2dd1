"""`arcwise study`, as it is typed."""

from __future__ import annotations

import json

import polars as pl
import pytest

from tests.unit.study.plans import plan_of


@pytest.fixture
def study(tmp_path):
    """A folder with the plan small.toml."""
    plan_of(tmp_path)
    return tmp_path


@pytest.fixture
def run(arcwise):
    """(exit code, what is printed, what is told)."""

    def ran(*arguments):
        found = arcwise(*arguments)
        return found.code, found.out, found.err

    return ran


def test_run_status_tables(study, run):
    code, out, _ = run("study", "run", "small.toml", "--workers", "1")
    assert code == 0
    assert "4 of 4 cells are finished; kept in small.jsonl" in out
    assert "--full has 24 cells" in out
    code, out, _ = run("study", "status", "small.toml")
    assert "4 of 24 cells are finished, 20 left" in out
    assert json.loads(run("study", "status", "small.toml", "--json")[1])["finished"] == 4
    (study / "expected.csv").write_text("table,row,column,published\ndistances,bins3,60,0.75\n")
    code, out, _ = run("study", "tables", "small.toml")
    assert code == 0
    lines = out.splitlines()
    assert "distances: Distances" in lines
    assert any(line.startswith("bins3") and "[0.75]" in line for line in lines)
    assert "Three bins are better than two: not decided: numbers are missing" in out
    rows = json.loads(run("study", "tables", "small.toml", "--only", "distances", "--json")[1])
    assert {row["row"] for row in rows} == {"bins2", "bins3"}


def test_figures_exports_page(study, run):
    assert run("study", "run", "small.toml", "--workers", "1")[0] == 0
    code, out, _ = run("study", "figures", "small.toml", "--out", "pictures/here")
    assert (code, out.strip()) == (0, "distances: pictures/here/distances.svg")
    assert (study / "pictures/here/distances.svg").read_text().startswith("<svg")
    for name in ("t.csv", "t.tsv", "t.parquet", "t.md", "t.tex"):
        assert run("study", "export", "small.toml", name)[0] == 0
        assert (study / name).stat().st_size > 100
    assert pl.read_parquet(study / "t.parquet").columns[:5] == ["table", "row", "column", "published", "ours"]
    assert "\\begin{tabular}" in (study / "t.tex").read_text()
    assert run("study", "export", "small.toml", "cells.csv", "--cells")[0] == 0
    cells = pl.read_csv(study / "cells.csv")
    assert cells.height == 4
    assert {"experiment", "run", "source", "rows", "method", "shd", "error"} <= set(cells.columns)
    code, out, err = run("study", "export", "small.toml", "cells.md", "--cells")
    assert code == 2
    assert "single cells are saved as .csv" in err
    assert run("study", "page", "small.toml")[0] == 0
    page = (study / "small.md").read_text()
    assert "![Distances by rows](small/distances.svg)" in page
    assert "4 of 24 cells are finished" in page
    assert (study / "small/distances.svg").exists()


def test_a_plan_for_a_table(study, run):
    (study / "mine.csv").write_text("a,b,c\n" + "\n".join(f"{k},{k % 7},{k * k % 11}" for k in range(80)))
    code, out, _ = run("study", "new", "mine.csv", "--discrete", "b,c", "--out", "mine.toml")
    assert code == 0
    assert "arcwise study run mine.toml" in out
    text = (study / "mine.toml").read_text()
    assert 'discrete = ["b", "c"]' in text
    code, out, _ = run("study", "run", "mine.toml", "--quick", "--workers", "2")
    assert code == 0
    assert "cells are finished; kept in mine.jsonl" in out
    assert "failed" not in out
    code, out, _ = run("study", "tables", "mine.toml")
    assert "density" in out


def test_plans_are_printed(run):
    code, out, _ = run("study", "plan", "fu-2005")
    assert code == 0
    assert out.startswith('title = "Learning Bayesian network structure')
    assert "fu-2005" in run("study", "list")[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "none"), "unknown study 'none'"),
        (("run", "none.toml"), "none.toml"),
        (("run", "small.toml", "--store", "small.toml"), "small.toml"),
        (("run", "small.toml", "--workers", "0"), "workers must be a whole number from 1"),
        (("run", "small.toml", "--workers", "1", "--scheduler", "tcp://a:1"), "workers or a scheduler"),
        (("tables", "small.toml"), "there are no results of 'small' yet; run it: arcwise study run small.toml"),
        (("status", "small.toml", "--store", "no.jsonl"), "cannot read no.jsonl"),
        (("status", "small.toml", "--store", "small.toml"), "no line of a run"),
        (("figures", "small.toml", "--format", "gif"), "--format must be svg, png or pdf"),
        (("new", "small.toml"), "small.toml"),
        (("plan", "none"), "unknown study"),
    ],
)
def test_what_is_wrong_is_one_sentence(study, run, arguments, words):
    before = sorted(path.name for path in study.iterdir())
    code, out, err = run("study", *arguments)
    assert code == 2
    assert words in err
    assert err.count("\n") == 1
    assert out == ""
    assert sorted(path.name for path in study.iterdir()) == before


def test_unknown_tables_and_figures(study, run):
    run("study", "run", "small.toml", "--workers", "1")
    assert "unknown table 'x'" in run("study", "tables", "small.toml", "--only", "x")[2]
    assert "unknown figure 'x'" in run("study", "figures", "small.toml", "--only", "x")[2]
