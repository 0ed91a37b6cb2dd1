"""What cannot be concluded: each paragraph where it applies, and only there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arcwise import Dataset, LearnResult, Pdag
from arcwise.data.discretization import Discretization
from arcwise.report.words import limits
from arcwise.results.completion import Completion
from arcwise.results.strengths import Strengths

ROWS = np.random.default_rng(0).normal(size=(400, 3))
DATA = Dataset.from_frame(ROWS, names=["a", "b", "c"])
SHARES = Strengths(DATA.names, 10, np.ones((3, 3)), np.zeros((3, 3)))


def heads(result: LearnResult, data: Dataset = DATA) -> list[str]:
    return [head for head, _ in limits(result, data)]


def result(**edges) -> LearnResult:
    return LearnResult(Pdag(DATA.names, **edges))


def test_without_edges_nothing_is_said_about_them():
    assert heads(result()) == ["What a missing edge means", "Rows"]


def test_each_kind_of_edge_has_its_paragraph():
    mixed = result(directed=[("a", "b")], undirected=[("b", "c")], bidirected=[("a", "c")])
    assert heads(mixed) == [
        "What an edge means",
        "What an arrow means",
        "Edges without a direction: 1",
        "Edges with two heads: 1",
        "Hidden common causes",
        "How sure the edges are",
        "Rows",
    ]
    assert "No directions" in heads(result(undirected=[("b", "c")]))


@pytest.mark.parametrize(
    ("strengths", "words"),
    [({"bootstrap": SHARES}, "in similar tables"), ({"completion": Completion(SHARES)}, "drawn several times")],
)
def test_shares_are_explained_as_what_they_are(strengths, words):
    found = dict(limits(replace(result(directed=[("a", "b")]), **strengths), DATA))
    assert words in found["How to read the shares"]


def test_few_rows_missing_cells_and_thresholds():
    holes = ROWS[:100].copy()
    holes[:5, 0] = np.nan
    data = Dataset.from_frame(holes, names=list(DATA.names))
    cut = replace(result(directed=[("a", "b")]), discretization=Discretization({"a": np.array([0.0])}))
    assert {"Only 100 rows", "Missing cells", "Thresholds"} <= set(heads(cut, data))
    assert "5 of 300 cells" in dict(limits(cut, data))["Missing cells"]
    assert not {"Only 400 rows", "Missing cells"} & set(heads(cut))


@pytest.mark.parametrize(("kind", "linear"), [("gaussian-bic", True), ("bdeu", False), ("kgv", False)])
def test_straight_lines_are_told_of_methods_that_assume_them(kind, linear):
    found = replace(result(directed=[("a", "b")]), spec={"kind": "hill-climb", "score": {"kind": kind}})
    assert ("Straight lines and normal noise" in heads(found)) == linear


def test_a_search_that_was_stopped():
    assert "Stopped early" in heads(replace(result(directed=[("a", "b")]), status="stopped"))
