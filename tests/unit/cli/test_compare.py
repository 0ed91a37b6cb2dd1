"""`arcwise compare`: what it prints and writes."""

from __future__ import annotations

import json

from arcwise import Comparison
from arcwise.cli.main import UNANSWERED

QUICK = ("--methods", "gaussian,equal-frequency", "--folds", "2", "--workers", "1")


def test_it_prints_a_table_an_advice_and_where_graphs_agree(arcwise, weather):
    run = arcwise("compare", weather, *QUICK)
    assert run.code == 0
    assert run.err == ""
    assert run.out.startswith("2 methods: 300 rows, 4 columns, 2 folds, ")
    assert "behind best" in run.out
    assert "\nTake " in run.out
    assert "agreement of the graphs" in run.out
    assert "edges in all 2 graphs" in run.out
    assert max(map(len, run.out.splitlines())) <= 80


def test_it_writes_what_is_wanted(arcwise, weather, tmp_path):
    out, table, heat = (str(tmp_path / name) for name in ("c.json", "c.csv", "h.svg"))
    run = arcwise("compare", weather, *QUICK, "--out", out, "--table", table, "--draw", heat, "--json")
    assert run.code == 0
    assert json.loads(run.out) == json.loads((tmp_path / "c.json").read_text()) == Comparison.load(out).to_dict()
    lines = (tmp_path / "c.csv").read_text().splitlines()
    assert lines[0].startswith("name,standing,folds,density,error,behind")
    assert len(lines) == 3
    assert (tmp_path / "h.svg").read_text().startswith("<svg")


def test_knowledge_reaches_every_method(arcwise, weather):
    run = arcwise("compare", weather, *QUICK, "--required", "sprinkler->rain", "--json")
    for one in json.loads(run.out)["methods"]:
        assert ["sprinkler", "rain"] in one["pattern"]["directed"]


def test_wrong_input_is_told_before_anything_runs(arcwise, weather):
    for arguments, words in (
        (("--methods", "gausian"), "did you mean 'gaussian'"),
        (("--folds", "1"), "at least 2"),
        (("--draw", "heat.txt"), "must end in .svg or .png or .pdf"),
        (("--budget", "-1"), "budget must be a number of seconds above 0"),
    ):
        run = arcwise("compare", weather, *arguments)
        assert (run.code, run.out) == (2, "")
        assert words in run.err


def test_with_no_time_nothing_is_written(arcwise, weather, tmp_path):
    run = arcwise("compare", weather, *QUICK, "--budget", "1e-9", "--out", str(tmp_path / "c.json"))
    assert run.code == UNANSWERED
    assert "no method was ready in time" in run.err
    assert list(tmp_path.glob("c.json")) == []
