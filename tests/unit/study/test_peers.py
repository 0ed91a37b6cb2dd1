"""Other libraries as methods of a study: what a plan may say, what they find, and what is asked of them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from arcwise import metrics
from arcwise.data.dataset import Kind
from arcwise.errors import DataError, OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag
from arcwise.study import run
from arcwise.study.measures import measured
from arcwise.study.peers import asked, checked_peer, judged, learned_by
from arcwise.study.peers.asked import pattern, seeded
from arcwise.study.peers.catalog import PEERS
from arcwise.study.peers.judged import _result
from arcwise.study.plan import read_plan
from arcwise.study.sources import Wanted, make
from tests.unit.study.plans import plan_of

LINEAR = {"simulate": "linear", "nodes": 5, "edges": 5}
MIXED = {"simulate": "mixed", "nodes": 6, "edges": 6}
SLOW = (("pgmpy", "hill-climb"), ("pgmpy", "pc"), ("causal-learn", "ges"))
WAYS = [
    pytest.param(
        {"peer": name, "algorithm": algorithm, own.word: choice},
        marks=[pytest.mark.slow] if (name, algorithm) in SLOW else [],
        id=f"{name} {algorithm} {choice}",
    )
    for name, peer in PEERS.items()
    for algorithm, own in peer.algorithms.items()
    for choice in own.choices
]
PLAN = """
[methods]
theirs = {peer = "pybnesian", score = "bde"}

[experiments.peers]
sources = ["asia"]
rows = [200]
noise = [0.2]
test-rows = 100
measures = ["shd", "density", "seconds", "program"]
"""


def table(source=LINEAR, rows=1500, seed=3):
    return make(source, Wanted(rows, 300, 0.2, seed), {})


def test_every_choice_is_settled_in_the_task():
    found = checked_peer("x", {"peer": "pgmpy"})
    assert found == {"peer": "pgmpy", "algorithm": "hill-climb", "score": "bdeu", "bins": 3}
    assert checked_peer("x", {"peer": "causal-learn", "algorithm": "pc"}) == {
        "peer": "causal-learn", "algorithm": "pc", "test": "fisher-z",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"peer": "pgmpi"}, "unknown peer of method 'x': 'pgmpi'; did you mean 'pgmpy'?"),
        ({"peer": "pgmpy", "algorithm": "gess"}, "unknown algorithm of method 'x': 'gess'"),
        ({"peer": "pgmpy", "score": 3}, "unknown score of method 'x'"),
        ({"peer": "pgmpy", "test": "chi-square"}, "unknown entry of method 'x': 'test'"),
        ({"peer": "pgmpy", "bins": 1}, "method 'x': bins must be a whole number from 2, not 1"),
        ({"peer": "pgmpy", "bins": True}, "bins must be a whole number from 2"),
        ({"peer": "pybnesian", "score": "bge", "bins": 3}, "unknown entry of method 'x': 'bins'"),
    ],
)
def test_what_a_plan_may_not_say(entries, words):
    with pytest.raises(OptionError) as error:
        checked_peer("x", entries)
    assert words in str(error.value)


def test_a_plan_with_peers_is_read_without_importing_them(tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN.replace("asia", "child"))
    names = ["pgmpy", "pyagrum", "causallearn", "pybnesian", "sklearn", "pandas"]
    code = (
        "import sys; from arcwise.study import load; plan = load('plan.toml'); assert len(plan.cells()) == 1\n"
        f"print([name for name in {names} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_peer_that_is_not_installed(monkeypatch):
    def missing(name):
        raise judged.PackageNotFoundError(name)

    monkeypatch.setattr(judged, "version", missing)
    with pytest.raises(OptionError) as error:
        learned_by(checked_peer("x", {"peer": "pyagrum"}), table(), 1)
    assert str(error.value) == (
        "pyagrum is not installed; install it (pip install 'arcwise[peers]'), then run with --retry"
    )


def test_a_part_of_a_peer_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "pybnesian", None)
    with pytest.raises(OptionError, match=r"pybnesian is not installed; install it \(pip install 'arcwise\[peers\]'\)"):
        asked.library("pybnesian")


def test_versions_are_among_the_results(tmp_path):
    pbn = pytest.importorskip("pybnesian")
    results = run(plan_of(tmp_path, PLAN), tmp_path / "a.jsonl", workers=1)
    values = results.rows[0].values
    assert values["program"] == f"pybnesian {pbn.__version__}"
    assert values["seconds"] > 0
    assert values["density"] < 0


def test_work_that_nobody_counts_is_not_called_none(tmp_path):
    pytest.importorskip("pybnesian")
    results = run(plan_of(tmp_path, PLAN.replace('"shd"', '"calls"')), tmp_path / "a.jsonl", workers=1)
    assert "does not tell how much it asked for; leave out what counts its work" in results.failed[0].error


@pytest.mark.parametrize("way", WAYS)
def test_peers_find_what_is_there(way):
    """Five columns, linear relations, many rows."""
    pytest.importorskip({"causal-learn": "causallearn"}.get(way["peer"], way["peer"]))
    method = checked_peer("x", way)
    shares = []
    for seed in (3, 4):
        one = learned_by(method, table(seed=seed), seed)
        assert one.found.cpdag.names == one.table.train.names
        values = measured(one, ("f1", "shd", "density"))
        assert np.isfinite(values["density"])
        assert values["shd"] == metrics.shd(one.found.cpdag, one.table.truth)
        shares.append(values["f1"])
    assert np.mean(shares) > 0.7


def test_numbers_only():
    pytest.importorskip("causallearn")
    with pytest.raises(DataError, match="takes numbers only, and the table has levels; leave it out"):
        learned_by(checked_peer("x", {"peer": "causal-learn", "algorithm": "boss"}), table(MIXED), 1)


def test_networks_are_judged_like_ours_that_take_columns_for_the_same():
    pytest.importorskip("pybnesian")
    data = table(MIXED)
    on_bins = learned_by(checked_peer("x", {"peer": "pybnesian", "score": "bde", "bins": 4}), data, 1)
    numbers = {column.name for column in data.train.columns if column.kind is Kind.CONTINUOUS}
    assert on_bins.found.model == "cpt"
    cuts = on_bins.found.discretization.thresholds
    assert set(cuts) == numbers
    assert {len(own) for own in cuts.values()} == {3}
    as_they_are = learned_by(checked_peer("x", {"peer": "pybnesian", "score": "bic"}), data, 1)
    assert as_they_are.found.model == "gaussian"
    assert as_they_are.found.discretization is None


def test_pyagrum_cuts_at_its_own_quantiles():
    pytest.importorskip("pyagrum")
    data = table()
    one = learned_by(checked_peer("x", {"peer": "pyagrum", "bins": 4}), data, 1)
    for name, cuts in one.found.discretization.thresholds.items():
        shares = [(data.train.column(name).values < cut).mean() for cut in cuts]
        assert shares == pytest.approx([0.25, 0.5, 0.75], abs=0.01)


def test_levels_need_no_thresholds():
    pytest.importorskip("pyagrum")
    data = make({"network": "child", "readings": "states"}, Wanted(300, 100, 0.3, 1), {})
    one = learned_by(checked_peer("x", {"peer": "pyagrum"}), data, 1)
    assert one.found.discretization is None
    assert np.isfinite(measured(one, ("density",))["density"])


def test_arcs_both_ways_have_two_arrowheads():
    found = pattern(("a", "b", "c", "d"), [("a", "b"), ("b", "a"), ("c", "b")], [("c", "d")])
    assert (found.bidirected, found.directed, found.undirected) == ((("a", "b"),), (("c", "b"),), (("c", "d"),))


def test_a_pattern_without_directions_is_no_skeleton():
    """The peer looked for directions, so a distance to the truth has a meaning."""
    undirected = Pdag(("a", "b", "c"), undirected=[("a", "b"), ("b", "c")])
    assert not _result(undirected, None, "gaussian").only_skeleton
    assert not _result(Pdag(("a", "b")), None, "gaussian").only_skeleton
    collider = Dag(("a", "b", "c"), [("a", "b"), ("c", "b")])
    assert _result(collider, None, "gaussian").cpdag == collider.cpdag()


def test_global_generators_are_left_as_they_were():
    import random

    random.seed(1)
    expected = random.Random(1).random()
    with seeded(7):
        first = random.random(), np.random.random()  # noqa: NPY002
    assert random.random() == expected
    with seeded(7):
        assert (random.random(), np.random.random()) == first  # noqa: NPY002


def test_the_same_seed_finds_the_same():
    pytest.importorskip("causallearn")
    method, data = checked_peer("x", {"peer": "causal-learn", "algorithm": "boss"}), table()
    assert learned_by(method, data, 5).found.cpdag == learned_by(method, data, 5).found.cpdag


def test_a_method_of_a_plan_that_is_wrong_names_its_plan(tmp_path):
    with pytest.raises(OptionError, match="the plan 'bad': unknown peer of method 'theirs'"):
        read_plan(PLAN.replace("pybnesian", "bnlearn"), "bad", tmp_path)
