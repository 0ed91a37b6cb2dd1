"""Every mistake ends in one line that names the culprit, and exit code 2."""

from __future__ import annotations

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


def test_graphs_that_do_not_fit(arcwise, weather):
    save(Dag(("rain", "moon"), [("rain", "moon")]), "g.json")
    refuse(arcwise("learn", weather, "--method", "steck", "--start", "g.json"), "start graph")
    refuse(arcwise("score", weather, "g.json"), "'moon'")
    refuse(arcwise("metrics", "g.json", "@alarm"), "'moon'", "different nodes")


def test_a_skeleton_is_no_graph(arcwise, weather):
    assert arcwise("learn", weather, "--method", "mmpc", "--out", "skeleton.json").code == 0
    for arguments in (("score", weather), ("fit", weather), ("learn", weather, "--method", "steck", "--start")):
        refuse(arcwise(*arguments, "skeleton.json"), "skeleton.json", "mmpc", "no directions", "mmhc")


def test_score_needs_levels(arcwise, weather):
    save(Dag(("rain", "warm"), [("rain", "warm")]), "g.json")
    refuse(arcwise("score", weather, "g.json", "--score", "bdeu"), "'warm'", "--discretize")


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
