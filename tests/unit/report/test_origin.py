"""How to get a result again: the command, the options, the steps."""

from __future__ import annotations

import shlex
from dataclasses import replace

import numpy as np

import arcwise
from arcwise import Dataset, Knowledge, LearnResult, Pdag
from arcwise.cli.main import main
from arcwise.report.origin import CHARTED, NAMED, again, origin_content
from arcwise.results.result import TraceStep

DATA = Dataset.from_frame({name: np.random.default_rng(k).normal(size=60) for k, name in enumerate("abc")})


def test_the_command_has_the_options_that_are_not_the_usual_ones():
    usual = arcwise.learn(DATA, "hill-climb")
    assert again(usual) == "arcwise learn DATA --method hill-climb"
    other = arcwise.learn(DATA, "hill-climb", max_parents=2, seed=5)
    assert again(other) == "arcwise learn DATA --method hill-climb --set max_parents=2 --seed 5"


def test_the_command_reads_and_knows_the_same(tmp_path, monkeypatch, capsys):
    rng = np.random.default_rng(0)
    rows = [
        f"{x:.3f} kg;{'?' if k % 9 == 0 else k % 4};{x + k % 4 + rng.normal():.3f};0"
        for k, x in enumerate(rng.normal(size=90))
    ]
    (tmp_path / "t.csv").write_text("\n".join(["a, b;c;it's;z", *rows]))
    monkeypatch.chdir(tmp_path)
    options = {"units": {"a, b": {"kg": 2}}, "discrete": ["c"], "drop": "z", "na": {"c": ["?"]}, "missing": "drop"}
    table = arcwise.read("t.csv", **options)
    found = arcwise.learn(table, "gaussian", required=["it's -> a, b"], tiers=[["c"], ["it's", "a, b"]])
    command = again(found)
    assert command == (
        """arcwise learn DATA --method gaussian --units '"a, b=kg:2"' --discrete c --drop z --na 'c=?' """
        """--missing drop --required 'it'"'"'s->a, b' --tier c --tier 'it'"'"'s','"a, b"'"""
    )
    assert main([*shlex.split(command.replace("DATA", "t.csv"))[1:], "--quiet", "--out", "again.json"]) == 0
    typed = LearnResult.load("again.json")
    assert typed.cpdag == found.cpdag
    assert typed.knowledge == found.knowledge
    assert again(replace(found, knowledge=Knowledge(required=[("a->b", "c")]))) == ""


def test_the_command_has_the_orders(tmp_path, monkeypatch, capsys):
    rng = np.random.default_rng(1)
    rows = [f"{size},{k % 3},{rng.normal():.3f}" for k, size in enumerate(rng.choice(["S", "M", "X,L"], 90))]
    text = "\n".join(['"a, b",c,x', *(row.replace("X,L", '"X,L"') for row in rows)])
    (tmp_path / "t.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    orders = {"a, b": ["S", "M", "X,L"], "c": []}
    command = again(arcwise.learn("t.csv", "equal-frequency", ordered=orders))
    assert command == ("""arcwise learn DATA --method equal-frequency --ordered '"a, b"=S,M,"X,L"' --ordered c""")
    assert main([*shlex.split(command.replace("DATA", "t.csv"))[1:], "--quiet", "--out", "again.json"]) == 0
    columns = LearnResult.load("again.json").data.columns
    assert {one.name: (one.ordered, one.levels) for one in columns[:2]} == {
        "a, b": (True, ("S", "M", "X,L")),
        "c": (True, ("0", "1", "2")),
    }


def test_there_is_no_command_for_what_no_preset_gives():
    assert again(LearnResult(Pdag(DATA.names), method="made by hand")) == ""
    assert again(replace(arcwise.learn(DATA, "hill-climb"), method="tabu")) == ""


def test_what_was_typed_is_shown_as_it_was():
    found = origin_content(arcwise.learn(DATA, "hill-climb"), "arcwise learn x.csv \x1b[31m")
    assert (found["command"], found["exact"]) == (r"arcwise learn x.csv \x1b[31m", True)


def test_long_traces_are_thinned_and_ends_are_kept():
    steps = tuple(TraceStep("search", k, f"step {k}", float(k)) for k in range(5000))
    trace = origin_content(LearnResult(Pdag(DATA.names), score=1.0, trace=steps), "")["trace"]
    assert len(trace["points"]) <= CHARTED + 1
    assert trace["points"][-1] == [5000, "search", 4999.0]
    assert (len(trace["steps"]), trace["left_out"]) == (NAMED, 5000 - NAMED)


def test_only_scores_of_networks_are_a_line():
    steps = (TraceStep("judging", 1, "x won", -3.0), TraceStep("search", 1, "add", float("-inf")))
    trace = origin_content(LearnResult(Pdag(DATA.names), score=1.0, trace=steps), "")["trace"]
    assert trace["points"] == [[1, "search", None]]
    counts = origin_content(LearnResult(Pdag(DATA.names), trace=steps), "")["trace"]
    assert counts["points"] == []
    assert len(counts["steps"]) == 2
