"""Every mistake ends in one line that names the culprit, and exit code 2."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arcwise import Dag
from arcwise.cli import commands
from arcwise.graph.io import save


def refuse(run, *words):
    assert run.code == 2, run
    assert run.out == ""
    assert run.err.count("\n") == 1, run.err
    assert run.err.startswith("error: ")
    assert "Traceback" not in run.err
    for word in words:
        assert word in run.err, run.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--method", "equal-frequenzy"], ["'equal-frequenzy'", "did you mean 'equal-frequency'?"]),
        (["--method", "EQUAL-WIDTH"], ["did you mean 'equal-width'?"]),
        (["--set", "binz=4"], ["'binz'", "bins"]),
        (["--set", "bins"], ["--set", "'bins'"]),
        (["--set", "=4"], ["--set", "'=4'"]),
        (["--set", "bins=many"], ["bins", "'many'", "whole number"]),
        (["--set", "bins=0"], ["bins", "0"]),
        (["--set", "seed=3"], ["'seed'"]),
        (["--set", "score=tabu"], ["'tabu'", "score"]),
        (["--set", "search.score.es=4"], ["search.score.ess"]),
        (["--continuous", "warmth"], ["'warmth'", "did you mean 'warm'?", "continuous"]),
        (["--drop", "ran"], ["'ran'", "did you mean 'rain'?"]),
        (["--continuous", "warm", "--discrete", "warm"], ["'warm'", "both"]),
        (["--missing", "ignore"], ["'ignore'", "error"]),
        (["--required", "rain"], ["--required", "'rain'"]),
        (["--required", "rain->wet->warm"], ["--required"]),
        (["--required", "rain->wett"], ["'wett'", "did you mean 'wet'?"]),
        (["--forbidden", "rain->rain"], ["forbidden", "rain -> rain", "itself"]),
        (["--required", "rain->wet", "--forbidden", "rain->wet"], ["rain -> wet", "forbidden"]),
        (["--required", "rain->wet", "--required", "wet->rain"], ["cycle"]),
        (["--tier", "rain", "--tier", "rain"], ["'rain'", "two tiers"]),
        (["--seed", "-1"], ["seed", "-1"]),
        (["--seed", "x"], ["--seed", "see arcwise learn --help"]),
        (["--deadline", "0"], ["deadline", "0"]),
        (["--out", "nowhere/r.json"], ["nowhere"]),
        (["--out", "r.txt"], ["r.txt", ".json"]),
        (["--draw", "net.gif"], ["net.gif", ".svg"]),
        (["--graph", "net.xml"], ["net.xml", ".graphml"]),
        (["--out", "r.json", "--graph", "./r.json"], ["r.json", "two options"]),
        (["--start", "gone.json"], ["gone.json"]),
        (["--knowledge", "gone.toml"], ["gone.toml"]),
        (["--knowledge", "k.yaml"], ["k.yaml", ".toml"]),
        (["--wat"], ["--wat", "see arcwise learn --help"]),
    ],
)
def test_learn_refuses(arcwise, weather, arguments, words):
    refuse(arcwise("learn", weather, *arguments), *words)
    assert os.listdir() == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ["empty"]),
        ("1,2\n3,4\n5,6\n", ["header"]),
        ("a,b\n", ["rows"]),
        ("a,a\n1,2\n2,3\n", ["'a'", "more than once"]),
        ("a,b\n1,2\n1,2,3\n", ["line 3"]),
        ("a,b\n1,NaN\n2,3\n4,5\n", ["'b' (1)", "--missing drop"]),
        ("a,b\n1.5,inf\n2.5,3.25\n4,5\n", ["'b'", "infinite"]),
        ("id,b\n" + "".join(f"k{i},{i % 2}\n" for i in range(40)), ["'id'", "--drop id"]),
        ("a,b\n" + "".join(f"{i if i else 'x'},{i % 2}\n" for i in range(40)), ["'a'", "'x'", "row 1"]),
    ],
)
def test_learn_refuses_the_table(arcwise, content, words):
    Path("t.csv").write_text(content, encoding="utf-8")
    refuse(arcwise("learn", "t.csv"), *words)


def test_files_that_are_not_there_or_not_tables(arcwise, weather):
    refuse(arcwise("learn", "gone.csv"), "gone.csv", "does not exist")
    refuse(arcwise("learn", weather.with_name("weather.csw")), "weather.csw")
    refuse(arcwise("learn", weather.with_name("wether.csv")), "weather.csv")
    refuse(arcwise("learn", "@abalon"), "'abalon'", "did you mean 'abalone'?")
    Path("folder.csv").mkdir()
    refuse(arcwise("learn", "folder.csv"), "folder")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not toml", ["k.toml", "TOML"]),
        ("required = 3", ["k.toml", "lists"]),
        ('needed = [["a", "b"]]', ["k.toml", "'needed'"]),
        ('required = ["rain"]', ["k.toml", "'rain'"]),
        ('required = [["rain"]]', ["k.toml", "pair"]),
        ('tiers = ["rain"]', ["k.toml", "'rain'"]),
    ],
)
def test_bad_knowledge_files(arcwise, weather, text, words):
    Path("k.toml").write_text(text, encoding="utf-8")
    refuse(arcwise("learn", weather, "--knowledge", "k.toml"), *words)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("g.json", "{", ["g.json", "JSON"]),
        ("g.json", "[1]", ["g.json"]),
        ("g.json", '{"format": "arcwise-result-1"}', ["g.json", "result"]),
        ("g.json", '{"format": "arcwise-graph-1", "type": "dag", "names": ["a"], "edges": [["a", "b"]]}', ["'b'"]),
        ("g.dot", "digraph {a -> b; b -> a}", ["g.dot"]),
        ("g.bif", "variable x {", ["g.bif"]),
        ("g.txt", "a b", ["g.txt", ".dot"]),
    ],
)
def test_bad_graph_files(arcwise, weather, name, text, words):
    Path(name).write_text(text, encoding="utf-8")
    refuse(arcwise("metrics", name, "@alarm"), *words)
    refuse(arcwise("score", weather, name), *words)


def test_graphs_that_do_not_fit(arcwise, weather):
    save(Dag(("rain", "moon"), [("rain", "moon")]), "g.json")
    refuse(arcwise("learn", weather, "--start", "g.json"), "start graph")
    refuse(arcwise("score", weather, "g.json"), "'moon'")
    refuse(arcwise("metrics", "g.json", "@alarm"), "'moon'", "different nodes")
    refuse(arcwise("metrics", "@alarn", "@alarm"), "'alarn'", "did you mean 'alarm'?")


def test_a_skeleton_is_no_graph(arcwise, weather):
    assert arcwise("learn", weather, "--method", "mmpc", "--out", "skeleton.json").code == 0
    for arguments in (("score", weather), ("fit", weather), ("learn", weather, "--start")):
        refuse(arcwise(*arguments, "skeleton.json"), "skeleton.json", "mmpc", "no directions", "mmhc")


def test_score_needs_levels(arcwise, weather):
    save(Dag(("rain", "warm"), [("rain", "warm")]), "g.json")
    refuse(arcwise("score", weather, "g.json", "--score", "bdeu"), "'warm'", "--discretize")
    refuse(arcwise("score", weather, "g.json", "--bins", "3"), "--bins", "--discretize")
    refuse(arcwise("score", weather, "g.json", "--discretize", "sturges", "--bins", "3"), "bins")
    refuse(arcwise("score", weather, "g.json", "--discretize", "equalwidth"), "did you mean 'equal-width'?")
    refuse(arcwise("score", weather, "g.json", "--score", "bdue"), "did you mean 'bdeu'?")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["discretize", "@cars1", "--method", "equal"], ["'equal'"]),
        (["discretize", "@cars1", "--out", "t.xls"], ["t.xls", ".parquet"]),
        (["discretize", "@cars1", "--thresholds", "t.csv"], ["t.csv", ".json"]),
        (["simulate", "alrm", "--rows", "5"], ["did you mean 'alarm'?"]),
        (["simulate", "alarm"], ["--rows"]),
        (["simulate", "alarm1000000", "--rows", "5"], ["37,000,000 nodes", "20,000", "fewer copies"]),
        (["simulate", "alarm", "--rows", "0"], ["0 rows"]),
        (["simulate", "alarm", "--rows", "5", "--seed", "-2"], ["-2"]),
        (["simulate", "alarm", "--rows", "5", "--noise", "-1"], ["-1.0"]),
        (["simulate", "alarm", "--rows", "5", "--out", "x"], ["x", ".csv"]),
        (["simulate", "gone.bif", "--rows", "5"], ["gone.bif"]),
        (["simulate", "gone.json", "--rows", "5"], ["gone.json"]),
        (["simulate", "lambda:1", "--rows", "5"], ["lambda:1,5"]),
        (["simulate", "v:1,9", "--rows", "5"], ["f9"]),
        (["simulate", "meander", "--rows", "5", "--noise", "1"], ["meander"]),
        (["methods", "hillclimb"], ["did you mean 'hill-climb'?"]),
        (["lern"], ["'lern'", "see arcwise --help"]),
        (["learn"], ["'DATA'", "see arcwise learn --help"]),
    ],
)
def test_other_commands_refuse(arcwise, arguments, words):
    refuse(arcwise(*arguments), *words)
    assert os.listdir() == []


def test_an_unexpected_error_is_one_line_unless_asked_for(arcwise, monkeypatch):
    def broken(arguments):
        raise RuntimeError("odd\nthing")

    monkeypatch.setattr(commands, "invoke", broken)
    run = arcwise("methods")
    assert (run.code, run.err) == (70, "internal error: RuntimeError: odd thing; run again with --traceback\n")
    run = arcwise("methods", "--traceback")
    assert run.code == 70
    assert "Traceback" in run.err


def test_too_little_memory_is_no_fault_of_the_program(arcwise, monkeypatch):
    import numpy as np

    monkeypatch.setattr(commands, "invoke", lambda arguments: np.empty(2**52))
    run = arcwise("methods")
    assert run.code == 2
    assert run.err.startswith("error: the memory is used up (Unable to allocate ")
    assert run.err.endswith("; take fewer rows or columns\n")


def test_ctrl_c_outside_a_search(arcwise, monkeypatch):
    def interrupted(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "invoke", interrupted)
    run = arcwise("methods")
    assert (run.code, run.err) == (130, "interrupted\n")
