"""Learning from tables with missing cells: the same answer whatever the order, what is known is obeyed, options."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import arcwise
from arcwise import catalog, metrics
from arcwise.cli.main import main
from arcwise.data.dataset import Dataset
from arcwise.errors import OptionError
from arcwise.learners.completed import Completed, is_linear
from arcwise.learners.draws import Draws, Judged
from arcwise.parts.monitor import Progress
from arcwise.problem import Answer
from arcwise.results.result import LearnResult
from tests.contract.parts import continuous_data, discrete_data, mixed_data
from tests.contract.test_missing_cells import with_holes
from tests.contract.test_stopped import StopAfter

QUICK = {"draws.burn_in": 2, "draws.least": 2, "draws.most": 4}
TABLES = {"discrete": discrete_data, "continuous": continuous_data, "mixed": mixed_data}


def content(result: LearnResult) -> dict:
    """All of a result but for times and the positions of rows."""
    found = result.to_dict()
    del found["elapsed"], found["completion"]["columns"], found["data"]
    return json.loads(json.dumps(found))


def by_names(result: LearnResult) -> tuple:
    """What does not depend on the order of columns."""
    assert result.completion is not None
    strengths = result.completion.strengths.reordered(sorted(result.names)).edges()
    return set(result.cpdag.skeleton), set(result.cpdag.directed), strengths, result.score


@pytest.mark.parametrize("method", ["boss", "gaussian", "steck", "pc", "mmhc", "equal-frequency"])
@pytest.mark.parametrize("table", TABLES)
def test_orders_and_threads_change_nothing(table, method, monkeypatch):
    data = with_holes(TABLES[table](1200))
    found = []
    for turn, threads in enumerate(("1", "2", "3")):
        monkeypatch.setenv("ARCWISE_THREADS", threads)
        rng = np.random.default_rng(turn)
        names, rows = (list(rng.permutation(data.names)), rng.permutation(1200)) if turn else (data.names, None)
        some = data.select(names) if rows is None else data.select(names).take(rows)
        found.append(by_names(arcwise.learn(some, method, **QUICK)))
    assert found[0] == found[1] == found[2]


def test_other_processes_with_other_threads_give_the_same(tmp_path):
    code = (
        "import sys, arcwise; from tests.contract.parts import mixed_data; "
        "from tests.contract.test_missing_cells import with_holes; "
        "arcwise.learn(with_holes(mixed_data(1200)), 'boss', draws__burn_in=2, draws__most=8).save(sys.argv[1])"
    )
    found = []
    for threads in ("1", "2"):
        path = tmp_path / f"{threads}.json"
        env = {**os.environ, "ARCWISE_THREADS": threads, "ARCWISE_QUIET": "1"}
        subprocess.run([sys.executable, "-c", code, str(path)], env=env, check=True)
        found.append(json.loads(path.read_text()))
        del found[-1]["elapsed"]
    assert found[0] == found[1]


def test_the_seed_decides():
    data = with_holes(discrete_data(150))
    one, same, other = (arcwise.learn(data, "boss", seed=seed, **QUICK) for seed in (1, 1, 2))
    assert content(one) == content(same)
    assert [step.score for step in one.trace] != [step.score for step in other.trace]


def test_the_spec_of_a_result_gives_the_same_again(tmp_path):
    data = with_holes(mixed_data(150))
    first = arcwise.learn(data, "hill-climb", draws__most=9, draws__burn_in=3)
    assert first.spec["kind"] == "completed"
    first.save(tmp_path / "r.json")
    again = arcwise.learn(data, LearnResult.load(tmp_path / "r.json").spec, seed=first.seed)
    assert content(again) == content(first)
    assert again.method == "hill-climb"
    assert isinstance(catalog.from_spec(first.spec), Completed)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", ["boss", "ges", "hill-climb", "pc", "mmhc", "steck"])
def test_what_is_known_is_obeyed(method, table):
    data = with_holes(TABLES[table](200))
    known = {"required": [["foxtrot", "delta"]], "forbidden": [["alpha", "echo"], ["echo", "alpha"]]}
    result = arcwise.learn(data, method, knowledge=known, **QUICK)
    assert ("foxtrot", "delta") in result.cpdag.directed
    strengths = result.completion.strengths
    assert strengths.between("foxtrot", "delta").forward == 1.0  # in every draw
    assert strengths.between("alpha", "echo").share == 0.0


@pytest.mark.parametrize("method", ["boss", "pc", "steck", "mmpc", "kgv", "best"])
def test_stopped_at_any_moment(method):
    data, found = with_holes(mixed_data(40)), []
    while not found or found[-1] != "converged":
        result = arcwise.learn(data, method, monitor=StopAfter(17 * len(found)), **QUICK)
        found.append(result.status)
        assert LearnResult.from_dict(json.loads(json.dumps(result.to_dict()))).status == result.status
        assert str(result)
        if result.status == "stopped":
            assert any("stopped after" in one for one in result.warnings)
            assert result.completion.fill(data).is_complete
    assert found == sorted(found, key=["unanswered", "stopped", "converged"].index)
    assert found[0] == "unanswered"
    assert "stopped" in found


def test_a_deadline():
    data = with_holes(discrete_data(2000))
    assert arcwise.learn(data, "boss", deadline=1e-9).status == "unanswered"
    assert arcwise.learn(data, "boss", deadline=600.0, **QUICK).status == "converged"


@pytest.mark.parametrize("method", ["boss", "steck", "exhaustive", "pc", "hill-climb"])
def test_progress_never_falls(method):
    reports: list[Progress] = []
    arcwise.learn(with_holes(mixed_data(60)), method, monitor=reports.append)
    done = [report.fraction for report in reports if report.phase != "compiling"]
    assert None not in done
    assert done == sorted(done)
    assert done[0] == 0.0
    assert 0.3 < done[-1] < 1.0
    assert {"filling", "drawing"} <= {report.phase for report in reports}
    drawn = [str(report) for report in reports if report.phase == "drawing"]
    assert drawn[0].startswith("drawing, step 1: ")
    assert "drawn anew" in drawn[0]


def test_options_about_draws():
    data = with_holes(discrete_data(80))
    result = arcwise.learn(data, "boss", **{"draws.most": 3, "draws.least": 3, "draws.burn_in": 0})
    assert result.completion.strengths.graphs == 3
    assert result.spec["draws"]["most"] == 3
    result = arcwise.learn(data, "boss", draws__search="hill-climb", draws__search__score__ess=5.0, **QUICK)
    assert result.spec["draws"]["search"]["kind"] == "hill-climb"
    assert result.spec["draws"]["search"]["score"]["ess"] == 5.0
    with pytest.raises(
        OptionError, match=r"option .draws.most. is for tables with missing cells, and no cell is missing"
    ):
        arcwise.learn(discrete_data(80), "boss", **{"draws.most": 12})
    with pytest.raises(OptionError, match=r"draws.mots.*did you mean.*draws.most"):
        arcwise.learn(data, "boss", **{"draws.mots": 3})
    for wrong, word in (({"most": 3}, "least"), ({"sweeps": 0}, "sweeps"), ({"settled": 1.5}, "settled")):
        with pytest.raises(OptionError, match=word):
            Draws(**wrong)
    with pytest.raises(OptionError, match="takes missing cells itself"):
        Completed(learner=Completed())


def test_options_of_the_method_are_as_ever():
    data = with_holes(discrete_data(80))
    result = arcwise.learn(data, "boss", ess=7.0, **QUICK)
    assert result.spec["learner"]["score"]["discrete"]["ess"] == 7.0
    assert result.spec["draws"]["search"]["score"]["ess"] == Draws().search.score.ess
    assert result.method == "boss"
    assert result.scored_with["ess"] == 7.0
    assert arcwise.learn(data, "pc", **QUICK).scored_with == {}


def test_options_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "holes.csv"
    with_holes(discrete_data(80)).to_pandas().to_csv(path, index=False)
    words = ["learn", str(path), "--method", "boss", "--json"]
    assert main([*words, "--set", "draws.most=2", "--set", "draws.least=2", "--set", "draws.burn_in=1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["completion"]["strengths"]["graphs"] == 2
    discrete_data(80).to_pandas().to_csv(path, index=False)
    assert main([*words, "--set", "draws.most=2", "--set", "draws.least=2"]) == 2
    assert "is for tables with missing cells, and no cell is missing" in capsys.readouterr().err


def test_completed_by_hand():
    """A learner like any other, which takes complete tables as they are."""
    learner = Completed(learner=catalog.METHODS["boss"].learner, draws=Draws(burn_in=2, least=2, most=2))
    data = with_holes(discrete_data(80))
    result = arcwise.learn(data, learner)
    assert result.completion.strengths.graphs == 2
    assert learner.learn(data, rng=np.random.default_rng(0)).cpdag == result.cpdag
    whole = discrete_data(80)
    assert arcwise.learn(whole, learner).cpdag == arcwise.learn(whole, "boss").cpdag
    assert arcwise.learn(whole, learner).completion is None
    assert arcwise.learn(data, learner, draws__most=3).completion.strengths.graphs <= 3


def test_which_methods_are_linear():
    numbers, levels = continuous_data(20), discrete_data(20)
    assert is_linear(catalog.METHODS["gaussian"].learner, numbers)
    assert is_linear(catalog.METHODS["pc"].learner, numbers)
    assert is_linear(catalog.METHODS["mmhc"].learner, numbers)
    assert not is_linear(catalog.METHODS["pc"].learner, levels)
    for name in ("steck", "equal-frequency", "kgv", "neural"):
        assert not is_linear(catalog.METHODS[name].learner, numbers)


def test_the_best_has_the_highest_mean_score_or_is_the_most_typical():
    names = ("a", "b", "c")
    graphs = [arcwise.Dag(names, edges) for edges in ([("a", "b")], [("a", "b"), ("b", "c")], [("a", "b")], [])]
    judged = Judged(None, [Answer(graph=graph) for graph in graphs], [graph.cpdag() for graph in graphs])
    assert judged.best() == 0
    assert Judged(None).unsettled() == 1.0
    assert judged.unsettled() == pytest.approx((0.5 + 0.5) / 2)


def test_a_network_is_found_that_complete_rows_do_not_show():
    """Three tenths of all cells missing: no row is complete, and a level of its own would join everything."""
    net = arcwise.networks.load("child").shuffled(3)[0]
    whole = net.sample(2000, 3)
    gone = np.random.default_rng(3).random((whole.n_rows, whole.n_columns)) < 0.3
    holes = arcwise.Dataset.from_frame(whole.to_pandas().mask(gone))
    distance = metrics.shd(net.dag, arcwise.learn(holes, "boss").graph)
    assert distance <= metrics.shd(net.dag, arcwise.learn(whole, "boss").graph) + 8
    assert distance < metrics.shd(net.dag, arcwise.learn(holes, "boss", missing="state").graph) - 8


@pytest.mark.parametrize("what", ["at random", "of itself"])
def test_cells_that_are_missing_for_a_reason(what):
    """Whether b is missing depends on a, which is recorded: its levels are found without bias. Or it depends on b."""
    rng, n = np.random.default_rng(5), 4000
    a = rng.integers(0, 2, n)
    b = np.where(rng.random(n) < 0.8, a, 1 - a)
    c = np.where(rng.random(n) < 0.8, b, 1 - b)
    cause = a if what == "at random" else b
    gone = rng.random(n) < np.where(cause == 1, 0.6, 0.1)
    labels = np.array(["no", "yes"])
    table = {"a": labels[a], "b": np.where(gone, None, labels[b]), "c": labels[c]}
    result = arcwise.learn(table, "boss")
    assert set(result.cpdag.skeleton) == {("a", "b"), ("b", "c")}
    (said,) = (one for one in result.warnings if "missing" in one)
    assert said.startswith("whether cells are missing depends on other columns ('b' on 'a'); draws allow for that")
    filled = result.completion.fill(Dataset.from_frame(table)).column("b")
    share = np.mean(filled.values[gone] == b[gone])
    assert share > 0.75 if what == "at random" else share < 0.8  # which nothing in the table could tell


def test_cells_that_are_missing_by_chance_are_not_talked_about():
    for seed in range(5):
        data = with_holes(discrete_data(400 + seed))
        assert not [one for one in arcwise.learn(data, "hill-climb", **QUICK).warnings if "depends on other" in one]
