"""Pages of networks with more columns than a page can show."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.dataset import Dataset
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.report import part
from arcwise.report.writing import as_html
from arcwise.results.result import LearnResult
from tests.unit.report.test_page import content_of

NAMES = tuple(f"x{i}" for i in range(9))
CHAIN = [(NAMES[i], NAMES[i + 1]) for i in range(7)]  # x8 has no edge


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(part, "MOST_COLUMNS", 4)


def chain() -> LearnResult:
    return LearnResult(
        cpdag=Pdag(NAMES, directed=CHAIN),
        graph=Dag(NAMES, CHAIN),
        support={pair: float(i) for i, pair in enumerate(CHAIN)},
    )


def table() -> Dataset:
    return Dataset.from_frame(np.random.default_rng(0).normal(size=(40, 9)), names=list(NAMES))


def test_the_whole_network_where_there_is_room():
    result = chain()
    assert part.part_of(result, None) == (result, "")


def test_columns_of_the_strongest_edges(few):
    shown, words = part.part_of(chain(), None)
    assert shown.names == ("x4", "x5", "x6", "x7")
    assert set(shown.support) == set(shown.cpdag.directed) == set(CHAIN[4:])
    assert words.startswith("this page shows 4 columns, those of the strongest edges")


def test_columns_around_a_target(few):
    shown, words = part.part_of(chain(), "x1")
    assert shown.names == ("x0", "x1", "x2", "x3")
    assert "those nearest to x1" in words
    assert part.part_of(chain(), "x8")[0].names == ("x0", "x1", "x2", "x8")  # nothing is near it
    with pytest.raises(GraphError, match="x99"):
        part.part_of(chain(), "x99")


def test_the_page_says_which_part_it_shows(few):
    page = as_html(chain(), table(), target="x1", against=Pdag(NAMES, directed=CHAIN[1:]))
    content = content_of(page)
    assert content["headline"].startswith("40 rows, 9 columns (9 continuous, 0 discrete), 7 edges; this page shows 4")
    assert content["names"] == ["x0", "x1", "x2", "x3"]
    assert [edge["difference"] for edge in content["edges"]] == ["added", "same", "same"]
    assert content["target"] == 1
    assert ">x7<" not in page
