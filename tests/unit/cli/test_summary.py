"""A result as text and as HTML."""

from __future__ import annotations

import json
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwise import Dataset, LearnResult, Pdag, learn
from arcwise.data.discretization import Discretization
from arcwise.errors import GraphError
from arcwise.printing import UNPRINTABLE, printable
from arcwise.results.result import Counters
from arcwise.results.summary import (
    WIDTH,
    as_html,
    as_text,
    duration,
    score_spec,
    score_words,
    summarize,
)
from arcwise.search import HillClimb


@pytest.fixture(scope="module")
def result() -> LearnResult:
    """sex -> size <- age, and a column without edges; `age` is doubtful."""
    rng = np.random.default_rng(0)
    sex = rng.integers(0, 2, 400)
    age = rng.integers(0, 15, 400)
    size = 10.0 * sex + age + rng.normal(size=400)
    table = {"sex": np.array(["f", "m"])[sex], "age": age, "size": size, "moon": rng.random(400)}
    return learn(Dataset.from_frame(table), "equal-frequency")


def test_text_has_everything_in_order(result):
    text = as_text(result)
    assert text.startswith("equal-frequency: 400 rows, 4 columns (3 continuous, 1 discrete), converged in ")
    parts = [
        "score ",
        "edges ",
        "Markov blanket",
        "evaluations",
        "steps",
        "\ncolumns\n",
        "? could be read",
        "\nnetwork (",
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert f"{result.score:,.2f} (bdeu, ess 1)" in text
    assert "age   continuous?  integers with 15 distinct values," in text
    assert "f, m" in text
    assert result.discretization is not None
    assert result.discretization.describe("size") in text
    assert "size  ←  age, sex" in text
    assert "without edges: moon" in text
    assert text.count("? could be read") == 1


def test_the_mean_blanket_is_that_of_the_graph(result):
    assert result.graph is not None
    mean = np.mean([len(result.graph.markov_blanket(name)) for name in result.names])
    assert ("Markov blanket", f"{mean:.1f} columns on average") in summarize(result).facts
    assert summarize(replace(result, graph=None)).facts == summarize(result).facts


def test_a_loaded_result_says_the_same(result):
    loaded = LearnResult.from_dict(json.loads(json.dumps(result.to_dict())))
    assert as_text(loaded) == as_text(result) == str(result)
    assert as_html(loaded) == as_html(result) == result._repr_html_()


def test_a_result_straight_from_a_learner():
    data = Dataset.from_frame({"a": [0, 1] * 20, "b": [0, 1] * 20, "c": [0, 0, 1, 1] * 10})
    text = as_text(HillClimb().learn(data, rng=np.random.default_rng(0)))
    assert text.startswith("network: 3 columns, converged\n")
    assert "a  —  b" in text
    assert "without edges: c" in text


def test_thresholds_are_shown_even_without_a_description_of_the_data():
    cuts = Discretization({"a": [1.5], "b": list(range(20))})
    text = as_text(LearnResult(cpdag=Pdag(("a", "b")), discretization=cuts))
    assert "low < 1.5 <= high" in text
    assert "21 levels, cut at 0, 1, 2, 3, 4, 5, 6, 7, …" in text


def test_patterns_with_conflicts_and_tests():
    graph = Pdag(("a", "b", "c", "d"), directed=[("a", "b")], undirected=[("c", "d")], bidirected=[("b", "c")])
    stopped = LearnResult(cpdag=graph, counters=Counters(tests=1234), status="stopped", elapsed=75.0)
    text = as_text(stopped)
    assert text.startswith("network: 4 columns, stopped after 1 min 15 s, best graph so far")
    assert "3 (1 directed, 1 undirected, 1 bidirected)" in text
    assert "1,234" in text
    for line in ("b  ←  a", "c  —  d", "b  ↔  c", "a ↔ b: conflicting evidence"):
        assert line in text
    assert "blanket" not in text


def test_warnings_are_listed_and_escaped(result):
    odd = replace(result, warnings=("column '<b>' is odd & " + "long " * 40,))
    assert "  - column '<b>' is odd" in as_text(odd)
    assert "&lt;b&gt;" in as_html(odd)
    assert "'<b>'" not in as_html(odd)


def test_html_is_well_formed_and_drawn_up_to_sixty_nodes(result):
    page = as_html(result)
    ElementTree.fromstring(page)
    assert "<svg" in page
    for _, value in summarize(result).facts:
        assert value in unescape(page)
    names = [f"v{i}" for i in range(61)]
    assert "<svg" in as_html(LearnResult(cpdag=Pdag(names[:60], directed=[("v0", "v1")])))
    assert "<svg" not in as_html(LearnResult(cpdag=Pdag(names, directed=[("v0", "v1")])))


def test_many_columns_are_cut_short_with_a_count():
    rng = np.random.default_rng(0)
    data = Dataset.from_frame(rng.random((30, 70)))
    text = as_text(learn(data))
    assert "and 10 columns more" in text
    assert "x69" in text[text.index("network") :]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.004, "0.00 s"), (9.994, "9.99 s"), (9.999, "10.0 s"), (59.99, "1 min 0 s"), (3661.0, "61 min 1 s")],
)
def test_duration(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("method", "discrete", "used"),
    [
        ("hill-climb", ["a", "b"], "bdeu, ess 1"),
        ("hill-climb", [], "gaussian-bic"),
        ("hill-climb", ["a"], "degenerate-gaussian"),
        ("mmhc", ["a", "b"], "bdeu, ess 10, arc_prior 0.0909091"),
        ("equal-frequency", ["a"], "bdeu, ess 1"),
    ],
)
def test_a_score_that_chooses_is_shown_as_the_one_it_chose(method, discrete, used, tmp_path):
    values = np.random.default_rng(0).integers(0, 3, (2, 90)) + 0.0
    found = learn(dict(zip("ab", values, strict=True)), method, discrete=discrete, continuous=set("ab") - set(discrete))
    assert f"({used}" in str(found)
    found.save(tmp_path / "result.json")
    assert str(LearnResult.load(tmp_path / "result.json")) == str(found)


def test_a_result_from_before_names_the_score_that_chooses(result):
    content = learn({"a": list("xyxyx") * 9, "b": list("xxyyx") * 9}, "hill-climb").to_dict()
    del content["scored_with"]
    assert "(suited, discrete (bdeu" in str(LearnResult.from_dict(content))
    with pytest.raises(GraphError, match="entry 'scored_with' must have a kind in words"):
        LearnResult.from_dict(content | {"scored_with": ["bdeu"]})


def test_the_score_is_found_wherever_it_stands():
    score = {"kind": "bdeu", "ess": 10.0, "arc_prior": 1.0}
    assert score_spec({"kind": "x", "a": {"kind": "y"}, "b": {"kind": "z", "score": score}}) == score
    assert score_spec({"kind": "x", "score": None}) is None
    assert score_words(score) == "bdeu, ess 10"
    assert score_words({**score, "arc_prior": 0.5}) == "bdeu, ess 10, arc_prior 0.5"
    policy = {"kind": "optimal", "score": {"kind": "steck"}}
    assert score_spec({"kind": "x", "policy": policy, "search": {"kind": "y", "score": score}}) == score
    assert score_words({"kind": "either", "one": score}) == "either, one (bdeu, ess 10)"


nasty = st.text(st.characters(), min_size=1, max_size=40)


@pytest.mark.slow
@given(names=st.lists(nasty, min_size=2, max_size=8, unique=True), seed=st.integers(0, 99))
def test_every_edge_once_and_no_wide_line_whatever_the_names(names, seed):
    rng = np.random.default_rng(seed)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    kinds = rng.integers(0, 4, len(pairs))
    chosen = [[pair for pair, kind in zip(pairs, kinds, strict=True) if kind == wanted] for wanted in (1, 2, 3)]
    graph = Pdag(names, *chosen)
    result = LearnResult(cpdag=graph)
    summary = summarize(result)
    listed = [(f.mark, f.node, other) for f in summary.families for other in f.others]
    wanted = [("←", b, a) for a, b in graph.directed]
    wanted += [("—", a, b) for a, b in graph.undirected] + [("↔", a, b) for a, b in graph.bidirected]
    assert sorted(listed) == sorted((mark, printable(a), printable(b)) for mark, a, b in wanted)
    touched = {name for pair in graph.skeleton for name in pair}
    assert set(summary.isolated) == set(map(printable, set(names) - touched))
    assert max(map(len, as_text(result).split("\n"))) <= WIDTH
    assert not UNPRINTABLE.search(as_text(result).replace("\n", ""))
    ElementTree.fromstring(as_html(result))
