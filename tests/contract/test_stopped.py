"""A method that is stopped before it has found anything says so, and does not pass off nothing as an answer."""

from __future__ import annotations

import pytest

import arcwise
from arcwise.results.summary import NO_ANSWER

DATA = arcwise.datasets.load("cars1")


class StopAfter:
    """Stops when it has been asked so many times."""

    def __init__(self, times: int) -> None:
        self.times = times

    def report(self, progress: object) -> None:
        pass

    def should_stop(self) -> bool:
        self.times -= 1
        return self.times < 0


@pytest.mark.parametrize("method", [method.name for method in arcwise.methods()])
def test_a_method_that_is_stopped_at_once_has_no_answer(method):
    result = arcwise.learn(DATA, method, monitor=StopAfter(0))
    assert result.status == "unanswered"
    assert str(result).startswith(f"{method}: no answer, stopped")
    assert " ".join(str(result).split()).endswith(NO_ANSWER)
    assert "network (" not in str(result)
    assert arcwise.LearnResult.from_dict(result.to_dict()).status == "unanswered"


@pytest.mark.parametrize("method", ["steck", "ges", "pc", "tpda", "mmpc"])
def test_one_that_found_something_has_an_answer(method):
    """From nothing by way of the best so far to the end, whatever the moment at which it is stopped."""
    found = []
    while not found or found[-1] != "converged":
        found.append(arcwise.learn(DATA, method, monitor=StopAfter(len(found))).status)
    assert found == sorted(found, key=["unanswered", "stopped", "converged"].index)
    assert found[0] == "unanswered"
    assert "stopped" in found


def test_a_deadline_that_is_too_short_is_told_and_nothing_is_written(tmp_path, capsys, monkeypatch):
    from arcwise.cli.learn import UNANSWERED
    from arcwise.cli.main import main

    monkeypatch.chdir(tmp_path)
    code = main(["learn", "@cars1", "--method", "steck", "--deadline", "1e-9", "--out", "r.json", "--draw", "n.svg"])
    assert code == UNANSWERED == 3
    assert capsys.readouterr().out.startswith("steck: no answer, stopped after 0.")
    assert list(tmp_path.iterdir()) == []
    assert main(["discretize", "@cars1", "--method", "steck", "--deadline", "1e-9", "--out", "c.csv"]) == UNANSWERED
    assert capsys.readouterr().out.startswith("steck: no answer")
    assert list(tmp_path.iterdir()) == []
