"""What notebooks show of tables, graphs, networks and answers; names are text from strangers."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

import arcwise

EVIL = "<script>alert('x')</script> & \x1b[2J"
RNG = np.random.default_rng(3)
A = RNG.integers(0, 3, 90)


def table(columns=3):
    names = [EVIL, *(f"c{k}" for k in range(1, columns))]
    return {
        name: np.array(["<i>low", "mid", "high & up"])[(A + k * RNG.integers(0, 2, 90)) % 3]
        for k, name in enumerate(names)
    }


class Words(HTMLParser):
    """Text and tags of a fragment; what is not closed in its turn is an error."""

    VOID = (
        "br",
        "hr",
        "img",
        "meta",
        "path",
        "rect",
        "line",
        "polygon",
        "circle",
        "ellipse",
        "use",
        "stop",
        "polyline",
    )

    def __init__(self, fragment):
        super().__init__()
        self.text, self.tags, self.open = "", [], []
        self.feed(fragment)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def things():
    data = arcwise.Dataset.from_frame(table())
    numbers = arcwise.Dataset.from_frame({EVIL: A + RNG.normal(size=90), "y": A + RNG.normal(size=90)})
    result = arcwise.learn(data, "hill-climb")
    cut = arcwise.learn(numbers, "equal-frequency")
    network = result.fit(data)
    return {
        "Dataset": data,
        "numbers": numbers,
        "Discretization": cut.discretization,
        "Dag": result.graph,
        "Pdag": result.cpdag,
        "Network": network,
        "cut network": cut.fit(numbers),
        "LearnResult": result,
        "Strengths": arcwise.bootstrap(data, "hill-climb", 3),
        "Comparison": arcwise.compare(data, ["hill-climb", "k2"], folds=2),
        "Blanket": network.blanket(EVIL),
        "Posterior": network.query(EVIL),
        "Prediction": network.predict(EVIL, data),
        "Report": data.report(),
        "methods": arcwise.methods(),
        "options": arcwise.options("steck"),
    }


# fmt: off
SHOWN = [
    "Dataset", "numbers", "Discretization", "Dag", "Pdag", "Network", "cut network", "LearnResult", "Strengths",
    "Comparison", "Blanket", "Posterior", "Prediction", "Report", "methods", "options",
]
# fmt: on


@pytest.mark.parametrize("name", SHOWN)
def test_everything_is_shown_and_nothing_is_run(things, name):
    fragment = things[name]._repr_html_()
    found = Words(fragment)
    assert "script" not in found.tags
    assert "i" not in found.tags
    assert "\x1b" not in fragment
    if name not in ("methods", "options", "Report"):
        assert "<script>alert" in re.sub(r"\s+", " ", found.text)


def test_a_table_shows_kinds_missing_cells_doubts_and_its_first_rows():
    values = np.arange(40.0)
    values[2] = np.nan
    data = arcwise.Dataset.from_frame({"x": values, "sex": ["f", "m"] * 20, "code": [7, 8] * 20})
    text = Words(data._repr_html_()).text
    assert "40 rows, 3 columns (1 continuous, 2 discrete); 1 cell missing" in text
    assert "number, 1 missing" in text
    assert "2 levels" in text
    assert "–" in text
    for warning in data.warnings:
        assert warning in text


def test_a_wide_table_is_cut():
    data = arcwise.Dataset.from_frame({f"x{k}": RNG.normal(size=20) for k in range(40)})
    found = Words(data._repr_html_())
    assert found.tags.count("th") == 16
    assert "and 24 columns more" in found.text


def test_an_empty_selection_is_shown():
    data = arcwise.Dataset.from_frame(table())
    assert "0 rows" in data.take([])._repr_html_()
    assert "0 columns" in data.select([])._repr_html_()
    assert arcwise.Discretization({})._repr_html_() == "<p>no column is cut</p>"


@pytest.mark.parametrize(("nodes", "tag"), [(60, "svg"), (61, "pre")])
def test_graphs_are_pictures_as_long_as_a_page_has_room(nodes, tag):
    names = [f"n{k}" for k in range(nodes)]
    dag = arcwise.Dag(names, list(pairwise(names)))
    for graph in (dag, dag.cpdag()):
        tags = Words(graph._repr_html_()).tags
        assert tag in tags
        assert ("svg" in tags) is (tag == "svg")


def test_a_large_network_lists_its_first_nodes():
    network = arcwise.networks.load("alarm2")
    assert "and 14 nodes more" in network._repr_html_()
