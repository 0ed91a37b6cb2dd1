"""`-` in the place of a file: stdout has that and nothing else, whatever a command prints besides."""

from __future__ import annotations

import json

import pytest

METHOD = ("--method", "equal-frequency")


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (("learn", "DATA", *METHOD, "--out", "-"), '{\n "format": "arcwise-result'),
        (("learn", "DATA", *METHOD, "--graph", "-"), "digraph {"),
        (("learn", "DATA", *METHOD, "--draw", "-"), "<svg "),
        (("learn", "DATA", *METHOD, "--bootstrap", "2", "--strengths", "-"), "a,b,share,"),
        (("bootstrap", "DATA", *METHOD, "-n", "2", "--out", "-"), '{\n "format": "arcwise-strengths'),
        (("simulate", "@child", "--rows", "3", "--out", "-"), '"BirthAsphyxia",'),
        (("discretize", "DATA", "--out", "-"), "rain,wet,warm,sprinkler\n"),
        (("draw", "@child", "--out", "-"), "<svg "),
    ],
)
def test_what_goes_to_stdout(arcwise, weather, words, start):
    done = arcwise(*(weather if word == "DATA" else word for word in words))
    assert done.code == 0, done.err
    assert done.out.startswith(start), done.out[:200]
    if start.startswith("{"):
        assert json.loads(done.out)


def test_it_is_what_a_file_would_have(arcwise, weather, tmp_path):
    words = ("learn", weather, *METHOD, "--graph")
    arcwise(*words, "net.dot")
    assert arcwise(*words, "-").out == (tmp_path / "net.dot").read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["net.dot"]


def test_other_files_are_written_as_ever(arcwise, weather, tmp_path):
    done = arcwise("learn", weather, *METHOD, "--graph", "-", "--out", "r.json")
    assert done.out.startswith("digraph")
    assert (tmp_path / "r.json").exists()


def test_a_run_without_an_answer_prints_nothing(arcwise, weather):
    done = arcwise("learn", weather, "--method", "stek", "--out", "-")
    assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize("more", [("--graph", "-"), ("--json",)])
def test_two_cannot_share_it(arcwise, weather, more):
    done = arcwise("learn", weather, *METHOD, "--out", "-", *more)
    assert done.code == 2
    assert "both print to stdout; keep one of them" in done.err
    assert done.out == ""


def test_what_is_read_is_not_written(arcwise, weather):
    done = arcwise("score", weather, "-")
    assert done.code == 2
    assert done.out == ""
