"""`arcwise score`: which score, and on which values."""

from __future__ import annotations

import json
import math

import pytest

from arcwise import catalog, datasets, learn
from arcwise.graph import Dag, Pdag
from arcwise.graph.io import save
from arcwise.results.result import LearnResult
from arcwise.scores import BIC, KGV, BDeu, BGe, DegenerateGaussian, GaussianBIC, total

SKELETONS = {"mmpc", "pmms"}
ORIGINAL, CUT = "the original values", "columns cut at the result's thresholds"


@pytest.fixture(scope="module")
def cars(tmp_path_factory):
    """The result of the default method, and the path it is saved at."""
    path = tmp_path_factory.mktemp("cars") / "cars1.json"
    result = learn(datasets.load("cars1"), "steck")
    result.save(str(path))
    return path, result


def scored(arcwise, *arguments):
    run = arcwise("score", *arguments, "--json")
    assert run.code == 0, run.err
    return json.loads(run.out)


@pytest.mark.parametrize("score", [KGV(), DegenerateGaussian()])
def test_a_score_of_numbers_is_computed_on_the_numbers(arcwise, cars, score):
    path, result = cars
    content = scored(arcwise, "@cars1", path, "--score", score.kind)
    assert content["values"] == ORIGINAL
    assert math.isclose(content["total"], total(score, result.graph, datasets.load("cars1")), rel_tol=1e-12)
    text = arcwise("score", "@cars1", path, "--score", score.kind).out
    assert text.splitlines()[0].startswith(f"{content['total']:,.4f}  ({score.kind}")
    assert text.splitlines()[0].endswith(f", on {ORIGINAL}")


@pytest.mark.parametrize("score", [BGe(), GaussianBIC()])
def test_a_score_of_numbers_alone_needs_no_levels(arcwise, score):
    abalone = datasets.load("abalone")
    numbers = abalone.select([column.name for column in abalone.columns if not column.levels])
    result = learn(numbers, "equal-frequency")
    result.save("r.json")
    content = scored(arcwise, "@abalone", "r.json", "--score", score.kind)
    assert content["values"] == ORIGINAL
    assert math.isclose(content["total"], total(score, result.graph, numbers), rel_tol=1e-12)


def test_a_score_of_numbers_alone_is_refused_for_levels(arcwise, cars):
    run = arcwise("score", "@cars1", cars[0], "--score", "bge")
    assert run.code == 2
    assert "'cylinders' is discrete" in run.err
    assert "degenerate-gaussian" in run.err


@pytest.mark.parametrize("score", [BDeu(ess=1.0), BIC()])
def test_a_score_of_levels_is_computed_on_the_levels_of_the_result(arcwise, cars, score):
    path, result = cars
    content = scored(arcwise, "@cars1", path, "--score", score.kind)
    assert content["values"] == CUT
    cut = result.discretization.apply(datasets.load("cars1"))
    assert math.isclose(content["total"], total(score, result.graph, cut), rel_tol=1e-12)


def test_what_is_cut_when_asked_is_cut_for_any_score(arcwise, cars):
    for score in ("kgv", "bdeu"):
        content = scored(arcwise, "@cars1", cars[0], "--score", score, "--discretize", "equal-width", "--bins", "2")
        assert content["values"] == "columns cut by equal-width"


def test_the_score_of_the_result_itself_sees_what_it_saw(arcwise):
    """Cut columns, even for a score that takes numbers."""
    options = ["--method", "equal-frequency", "--set", "search.score=kgv"]
    assert arcwise("learn", "@cars1", "--method", "steck", *options, "--out", "r.json").code == 0
    content = scored(arcwise, "@cars1", "r.json")
    assert (content["score"]["kind"], content["values"]) == ("kgv", CUT)
    assert math.isclose(content["total"], LearnResult.load("r.json").score, rel_tol=1e-12)
    assert scored(arcwise, "@cars1", "r.json", "--score", "kgv")["values"] == ORIGINAL


def test_a_graph_alone_is_scored_as_suits_its_columns(arcwise):
    for names, kind in ((("cylinders", "origin"), "bdeu"), (("mpg", "origin"), "degenerate-gaussian")):
        save(Dag(names, [names]), "g.json")
        content = scored(arcwise, "@cars1", "g.json")
        assert (content["score"]["kind"], content["values"]) == (kind, ORIGINAL)


def test_a_pattern_with_conflicts_is_scored_and_the_choice_told(arcwise):
    pattern = Pdag(
        ("mpg", "weight", "origin", "horsepower"),
        directed=[("mpg", "weight")],
        undirected=[("horsepower", "weight")],
        bidirected=[("mpg", "origin")],
    )
    save(pattern, "g.json")
    run = arcwise("score", "@cars1", "g.json", "--json")
    assert run.code == 0
    assert run.err.startswith("directions chosen by convention: mpg -> origin (conflicting evidence); ")
    assert run.err.endswith("weight -> horsepower (fits either direction)\n")
    dag = pattern.best_effort_extension()[0]
    expected = total(DegenerateGaussian(), dag, datasets.load("cars1"))
    assert math.isclose(json.loads(run.out)["total"], expected, rel_tol=1e-12)


@pytest.mark.parametrize("method", catalog.METHODS)
def test_the_result_of_every_method_can_be_scored_and_fitted(arcwise, method, monkeypatch):
    """But for skeletons, which have no directions."""
    monkeypatch.setenv("ARCWISE_QUIET", "1")  # kernels may have to be compiled
    assert arcwise("learn", "@cars1", "--method", method, "--out", "r.json", "--quiet").code == 0
    runs = [arcwise("score", "@cars1", "r.json", "--json"), arcwise("fit", "@cars1", "r.json", "--json")]
    if method in SKELETONS:
        assert [run.code for run in runs] == [2, 2]
        assert all(f"a result of {method} whose edges have no directions" in run.err for run in runs)
        return
    assert [run.code for run in runs] == [0, 0]
    result, content = LearnResult.load("r.json"), json.loads(runs[0].out)
    if result.score is not None:
        drawn = bool(result.states)  # its score is that of states as they were drawn
        assert drawn or math.isclose(content["total"], result.score, rel_tol=1e-9)
        assert all(run.err == "" for run in runs)
    else:
        told = [f"{result.convention}\n" if result.convention else ""] * 2
        assert [run.err for run in runs] == told


@pytest.mark.parametrize("name", datasets.names())
@pytest.mark.parametrize("method", ["pc", "tpda"])
def test_patterns_of_real_data_can_be_drawn_scored_and_fitted(arcwise, name, method):
    files = ["--out", "r.json", "--draw", "r.svg", "--graph", "r.dot"]
    assert arcwise("learn", f"@{name}", "--method", method, *files, "--quiet").code == 0
    result = LearnResult.load("r.json")
    assert result.graph is not None or result.by_convention
    for graph in ("r.json", "r.dot"):
        run = arcwise("score", f"@{name}", graph, "--json")
        assert run.code == 0
        assert run.err == (f"{result.convention}\n" if result.convention else "")
        assert math.isfinite(json.loads(run.out)["total"])
    assert arcwise("fit", f"@{name}", "r.json", "--json").code == 0
    assert arcwise("learn", f"@{name}", "--method", "hill-climb", "--start", "r.json", "--quiet").err == ""
