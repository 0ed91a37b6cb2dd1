"""`arcwise draw`, and the options of pictures in learn and bootstrap."""

from __future__ import annotations

from pathlib import Path

import pytest

from arcwise import Dag
from arcwise.graph.io import save


def nodes(path: str) -> int:
    return Path(path).read_text("utf-8").count('class="node')


def test_a_bundled_network_and_a_neighbourhood_of_it(arcwise):
    end = arcwise("draw", "@alarm", "--out", "alarm.svg")
    assert (end.code, end.out, end.err) == (0, "", "wrote alarm.svg\n")
    assert nodes("alarm.svg") == 37
    assert arcwise("draw", "@alarm", "--around", "HR", "--title", "Near HR").code == 0
    assert nodes("graph.svg") == 6
    assert ">Near HR<" in Path("graph.svg").read_text("utf-8")
    assert arcwise("draw", "@alarm", "--around", "HR", "--distance", "2", "-o", "far.svg").code == 0
    assert 6 < nodes("far.svg") < 37


def test_a_saved_result_is_drawn_with_its_strengths_and_against_another_graph(arcwise, weather):
    arcwise("learn", weather, "--method", "hill-climb", "--out", "r.json", "--draw", "first.svg", "--quiet")
    arcwise("draw", "r.json", "--out", "again.svg")
    assert Path("first.svg").read_text("utf-8") == Path("again.svg").read_text("utf-8")
    assert "nats" in Path("again.svg").read_text("utf-8")
    save(Dag(["rain", "warm", "wet", "sprinkler"], [("rain", "warm")]), "other.json")
    end = arcwise("draw", "r.json", "--out", "both.svg", "--against", "other.json", "--target", "wet")
    assert end.code == 0
    assert "only here: " in Path("both.svg").read_text("utf-8")
    arcwise("learn", weather, "-m", "hill-climb", "--draw", "b.svg", "--against", "other.json", "--target", "wet", "-q")
    assert Path("b.svg").read_text("utf-8") == Path("both.svg").read_text("utf-8")


def test_what_bootstrap_saved_is_drawn_with_its_shares(arcwise, weather):
    words = ("--method", "hill-climb", "--n", "5", "--threshold", "0.2", "--quiet")
    assert arcwise("bootstrap", weather, *words, "--out", "s.json", "--draw", "a.svg", "--around", "wet").code == 0
    assert "wet and what is at most 1 edge away" in Path("a.svg").read_text("utf-8")
    assert arcwise("draw", "s.json", "--out", "s.svg").code == 0
    assert "share of the 5 resamples" in Path("s.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("draw", "@alarm", "--distance", "2"), "--distance is about a neighbourhood; say of which column"),
        (("draw", "@alarm", "--around", "HR", "--distance", "0"), "--distance must be at least 1, not 0"),
        (("draw", "@alarm", "--around", "HRR"), "unknown node 'HRR'; did you mean 'HR'?"),
        (("draw", "@alarm", "--out", "p.gif"), "must end in .svg or .png or .pdf"),
        (("draw", "@alarm", "--target", "HRR"), "unknown node 'HRR'; did you mean 'HR'?"),
        (("draw", "@alarm", "--against", "@child"), "the two graphs have no node in common"),
        (
            ("draw", "@cars1"),
            "@cars1 is a table and no graph; to learn a graph and draw it: arcwise learn @cars1 --draw",
        ),
        (("draw", "@alarm", "--against", "my table.csv"), "arcwise learn 'my table.csv' --draw net.svg"),
        (("draw", "nothing.json"), "nothing.json"),
        (("learn", "@cars1", "--around", "mpg"), "--around is about a picture; say where to write it: --draw net.svg"),
        (("learn", "@cars1", "--draw", "p.svg", "--around", "mgp"), "unknown column for --around: 'mgp'; did you mean"),
        (("bootstrap", "@cars1", "--whole"), "--whole is about a picture"),
    ],
)
def test_mistakes_are_one_sentence(arcwise, words, message):
    end = arcwise(*words)
    assert end.code != 0
    assert message in end.err
    assert end.err.count("\n") == 1
    assert list(Path().glob("*.svg")) == []
