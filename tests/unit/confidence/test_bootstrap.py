"""The bootstrap: the same for any order and any workers; weights, missing cells, knowledge, stops, stores."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import arcwise
from arcwise import Knowledge, catalog
from arcwise.confidence.effort import hasty
from arcwise.confidence.sampling import bootstrapped, halved
from arcwise.data.dataset import Dataset
from arcwise.data.row_order import distinct_rows
from arcwise.errors import DataError, FileError, GraphError, OptionError
from arcwise.problem import Problem
from arcwise.search import Boss
from tests.contract.parts import continuous_data, discrete_data, mixed_data

ROOT = Path(__file__).parents[3]


def shares(found):
    """What is to be the same whatever the order of the columns."""
    names = sorted(found.names)
    ordered = found.reordered(names)
    return ordered.graphs, ordered.adjacent.tolist(), ordered.directed.tolist(), dict(ordered.stability)


def permuted(data, seed=0):
    rng = np.random.default_rng(seed)
    columns = [data.names[i] for i in rng.permutation(data.n_columns)]
    return data.select(columns).take(rng.permutation(data.n_stored))


def with_holes(data, share=0.1):
    gone = np.random.default_rng(5).random((data.n_columns, data.n_rows)) < share
    return replace(data, columns=tuple(replace(c, missing=m) for c, m in zip(data.columns, gone, strict=True)))


class Enough:
    """A monitor that stops when so many resamples are done."""

    def __init__(self, graphs):
        self.graphs, self.done = graphs, 0

    def report(self, progress):
        self.done = progress.step if progress.phase == "resampling" else self.done

    def should_stop(self):
        return self.done >= self.graphs


class TestSampling:
    def test_rows_are_drawn_with_replacement(self):
        data = distinct_rows(continuous_data(200))
        drawn = bootstrapped(data, np.random.default_rng(1))
        assert drawn.n_rows == 200
        assert 0.55 < drawn.n_stored / 200 < 0.7  # 1 - 1/e
        assert set(drawn.columns[0].values) <= set(data.columns[0].values)

    def test_half_is_drawn_without(self):
        data = distinct_rows(continuous_data(201))
        drawn = halved(data, np.random.default_rng(1))
        assert drawn.n_rows == drawn.n_stored == 100

    @pytest.mark.parametrize("draw", [bootstrapped, halved])
    def test_weights_are_chances(self, draw):
        data = distinct_rows(discrete_data(300))
        total = np.zeros(data.n_stored)
        keys = {tuple(c.values[i] for c in data.columns): i for i in range(data.n_stored)}
        rng, times = np.random.default_rng(2), 400
        for _ in range(times):
            drawn = draw(data, rng)
            assert drawn.n_rows == (300 if draw is bootstrapped else 150)
            weights = np.ones(drawn.n_stored) if drawn.weights is None else drawn.weights
            for i, weight in enumerate(weights):
                total[keys[tuple(c.values[i] for c in drawn.columns)]] += weight
        expected = data.weights * (1 if draw is bootstrapped else 0.5)
        assert np.abs(total / times - expected).max() < 5 * np.sqrt(expected.max() / times)


class TestSameForAll:
    @pytest.mark.parametrize("method", ["steck", "hill-climb", "pc"])
    @pytest.mark.parametrize("resample", ["rows", "half"])
    def test_any_order_of_rows_and_columns(self, method, resample):
        data = mixed_data(150)
        first = arcwise.bootstrap(data, method, 4, resample=resample, workers=1)
        again = arcwise.bootstrap(permuted(data), method, 4, resample=resample, workers=1)
        assert shares(first) == shares(again)

    def test_any_number_of_workers(self):
        data = mixed_data(150)
        found = [arcwise.bootstrap(data, "steck", 6, workers=workers) for workers in (1, 2, None)]
        assert shares(found[0]) == shares(found[1]) == shares(found[2])

    def test_weights_and_repeated_rows(self):
        data = discrete_data(200)
        weights = np.random.default_rng(3).integers(1, 4, 200)
        weighted = data.weighted(weights)
        first = arcwise.bootstrap(weighted, "hill-climb", 5, workers=1)
        assert shares(first) == shares(arcwise.bootstrap(weighted.repeated(), "hill-climb", 5, workers=1))
        assert first.origin.n_rows == weights.sum()

    def test_another_seed_draws_other_rows(self):
        data = mixed_data(100)
        found = [arcwise.bootstrap(data, "equal-frequency", 10, seed=seed, workers=1) for seed in (0, 1)]
        assert shares(found[0]) != shares(found[1])

    def test_more_resamples_begin_with_the_same(self, tmp_path):
        data, path = mixed_data(100), tmp_path / "run.jsonl"
        arcwise.bootstrap(data, "equal-frequency", 5, workers=1, store=path)
        five = path.read_text()
        more = arcwise.bootstrap(data, "equal-frequency", 9, workers=1, store=path)
        assert path.read_text().startswith(five)
        assert shares(more) == shares(arcwise.bootstrap(data, "equal-frequency", 9, workers=1))


def test_shares_are_those_of_the_graphs_of_resamples():
    data, learner = discrete_data(200), catalog.method("hill-climb").learner
    found = arcwise.bootstrap(data, "hill-climb", 8, workers=1)
    from arcwise.networks.streams import stream

    rows, patterns = distinct_rows(data.by_name()), []
    for k in range(8):
        rng = stream(0, "resample rows", k)
        problem = Problem.of(bootstrapped(rows, rng).repeated(), rng=rng)
        patterns.append(problem.pattern(learner.solve(problem)))
    for a in data.names:
        for b in data.names:
            if a != b:
                one = found.between(a, b)
                assert one.share == np.mean([p.adjacent(a, b) for p in patterns])
                assert one.forward == np.mean([(a, b) in p.directed for p in patterns])


class TestHidden:
    def test_missing_cells_are_drawn_in_every_resample(self):
        data = with_holes(mixed_data(80))
        found = arcwise.bootstrap(data, "equal-frequency", 2, workers=1, draws__least=1, draws__most=1)
        assert found.graphs == 2
        assert found.origin.spec["kind"] == "completed"
        again = arcwise.bootstrap(permuted(data), "equal-frequency", 2, workers=1, draws__least=1, draws__most=1)
        assert shares(found) == shares(again)

    def test_draws_in_chains(self):
        data = with_holes(discrete_data(80), 0.3)
        found = arcwise.bootstrap(data, "hill-climb", 11, resample="draws", workers=1, draws__burn_in=2)
        assert found.graphs == 11
        assert "11 draws of the hidden cells" in str(found)
        again = arcwise.bootstrap(permuted(data), "hill-climb", 11, resample="draws", workers=2, draws__burn_in=2)
        assert shares(found) == shares(again)

    def test_draws_of_hidden_states(self):
        data = continuous_data(80).select(["alpha", "bravo", "charlie"])
        found = arcwise.bootstrap(data, "hidden-states", 2, resample="draws", workers=1, draws__burn_in=1, looks=0)
        assert found.graphs == 2

    @pytest.mark.parametrize(("method", "data"), [("steck", continuous_data), ("hidden-states", discrete_data)])
    def test_draws_where_nothing_is_hidden_are_refused(self, method, data):
        with pytest.raises(OptionError, match="nothing is hidden here"):
            arcwise.bootstrap(data(50), method, 3, resample="draws")


class TestStops:
    def test_what_is_finished_counts(self):
        found = arcwise.bootstrap(mixed_data(100), "steck", 1_000, monitor=Enough(3), workers=1)
        assert (found.status, found.graphs) == ("stopped", 3)
        assert found.warnings == ("stopped after 3 of 1,000 graphs",)
        assert "3 of 1,000 samples" in str(found)
        assert shares(found) == shares(arcwise.bootstrap(mixed_data(100), "steck", 3, workers=1))

    def test_a_deadline_before_anything_is_there(self):
        found = arcwise.bootstrap(mixed_data(100), "steck", 5, deadline=1e-6)
        assert (found.status, found.graphs) == ("unanswered", 0)
        assert "before the first graph" in str(found)
        assert found._repr_html_()

    def test_progress_tells_how_many_are_done(self):
        heard = []
        arcwise.bootstrap(mixed_data(60), "equal-frequency", 3, workers=1, monitor=heard.append)
        assert [one.step for one in heard if one.phase == "resampling"] == [0, 1, 2, 3]


class TestStore:
    def test_another_method_or_table_is_refused(self, tmp_path):
        path, data = tmp_path / "run.jsonl", mixed_data(60)
        arcwise.bootstrap(data, "equal-frequency", 2, store=path, workers=1)
        for other, words in (
            ({"method": "steck"}, "another method"),
            ({"seed": 3}, "seed 0 instead of 3"),
            ({"resample": "half"}, "resample 'rows' instead of 'half'"),
            ({"data": mixed_data(61)}, "with data "),
            ({"knowledge": Knowledge(forbidden=["alpha -> bravo"])}, "another knowledge"),
        ):
            with pytest.raises(FileError, match=words):
                arcwise.bootstrap(**{"data": data, "method": "equal-frequency", "n": 2, "store": path, **other})

    def test_permuted_rows_are_the_same_run(self, tmp_path):
        path, data = tmp_path / "run.jsonl", mixed_data(60)
        first = arcwise.bootstrap(data, "equal-frequency", 3, store=path, workers=1)
        before = path.read_bytes()
        assert shares(arcwise.bootstrap(permuted(data), "equal-frequency", 3, store=path, workers=1)) == shares(first)
        assert path.read_bytes() == before

    @pytest.mark.slow
    @pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
    def test_a_killed_command_goes_on(self, tmp_path, ending, heeded_signals):
        table, store, out = tmp_path / "t.csv", tmp_path / "run.jsonl", tmp_path / "s.json"
        data = mixed_data(300)
        data.to_polars().write_csv(table)
        command = [sys.executable, "-m", "arcwise", "bootstrap", str(table), "--store", str(store), "--out", str(out)]
        command += ["--workers", "2", "--method", "steck", "--discrete", "delta,echo,foxtrot"]
        where = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *filter(None, sys.path)])}
        going = subprocess.Popen([*command, "--n", "3000"], env=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        until = time.monotonic() + 120
        while not store.exists() or store.read_bytes().count(b"\n") < 8:
            assert time.monotonic() < until
            assert going.poll() is None, going.communicate()
            time.sleep(0.02)
        going.send_signal(ending)
        printed, _ = going.communicate(timeout=60)
        if ending == signal.SIGINT:
            assert going.returncode == 130
            assert b"stopped" in printed
            stopped = arcwise.Strengths.load(out)
            assert stopped.status == "stopped"
            assert stopped.graphs == store.read_bytes().count(b"\n") - 1
        kept = store.read_bytes().count(b"\n") - 1
        assert kept < 3000
        before = store.read_bytes()[: store.read_bytes().rfind(b"\n") + 1]
        done = subprocess.run([*command, "--n", str(kept + 2)], env=where, capture_output=True, check=False, text=True)
        assert done.returncode == 0, done.stderr
        assert store.read_bytes().startswith(before)
        found = arcwise.Strengths.load(out)
        assert found.graphs == kept + 2
        whole = arcwise.read(table, discrete=["delta", "echo", "foxtrot"])
        assert shares(found) == shares(arcwise.bootstrap(whole, "steck", kept + 2))


class TestRefused:
    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"n": 0}, "number of resamples"),
            ({"resample": "columns"}, "'rows' or 'half' or 'draws'"),
            ({"workers": 0}, "workers"),
            ({"seed": -1}, "seed"),
            ({"deadline": 0.0}, "deadline"),
            ({"method": "stek"}, "did you mean 'steck'"),
            ({"bins": 3, "nonsense": 1}, "nonsense"),
        ],
    )
    def test_odd_options(self, options, words):
        with pytest.raises(OptionError, match=words):
            arcwise.bootstrap(mixed_data(50), **{"method": "equal-frequency", **options})

    def test_too_few_rows(self):
        with pytest.raises(DataError, match="half of 3 rows"):
            arcwise.bootstrap(mixed_data(3), "equal-frequency", 2, resample="half")
        with pytest.raises(DataError, match="at least 2 rows"):
            arcwise.bootstrap(mixed_data(30).take([0]), "equal-frequency", 2)

    def test_unknown_columns_in_the_knowledge(self):
        with pytest.raises(GraphError, match="zulu"):
            arcwise.bootstrap(mixed_data(30), "equal-frequency", 2, knowledge=Knowledge(required=["zulu -> alpha"]))


def test_tiny_and_constant_tables():
    found = arcwise.bootstrap({"a": [1.0, 2.0, 3.0], "b": [5, 5, 5]}, "steck", 4, continuous=["b"], workers=1)
    assert found.graphs == 4
    assert found.between("a", "b").share == 0.0


def test_resamples_that_fail_are_told_and_do_not_count(monkeypatch):
    class Picky(Boss):
        """Fails where the first drawn row counts twice or more."""

        def solve(self, problem):
            if problem.data.weights is None or problem.data.weights[0] > 1:
                raise DataError("column 'alpha' is not to its taste")
            return super().solve(problem)

    found = arcwise.bootstrap(discrete_data(60), Picky(), 12, workers=1)
    assert 0 < found.graphs < 12
    assert f"{12 - found.graphs} resample" in found.warnings[0]
    assert "not to its taste" in found.warnings[0]
    one_level = Dataset(tuple(replace(c, values=c.values[:2]) for c in continuous_data(60).columns))
    with pytest.raises(DataError, match="every resample failed"):
        arcwise.bootstrap(one_level.take([0, 0, 0, 0]), Picky(), 3, workers=1)


def test_knowledge_is_obeyed_by_all_graphs_and_their_average():
    known = Knowledge(required=["alpha -> bravo"], forbidden=["delta -> echo"], tiers=[["alpha"], ["charlie", "delta"]])
    found = arcwise.bootstrap(mixed_data(200), "steck", 5, knowledge=known, workers=1)
    one = found.between("alpha", "bravo")
    assert (one.share, one.forward) == (1.0, 1.0)
    assert found.between("delta", "echo").forward == 0.0
    edges = set(found.network(0.2).edges)
    assert ("alpha", "bravo") in edges
    assert not edges & {("delta", "echo"), ("charlie", "alpha"), ("delta", "alpha")}
    assert arcwise.Strengths.from_dict(found.to_dict()).network(0.2) == found.network(0.2)


class TestLearn:
    def test_a_result_with_its_strengths(self, tmp_path):
        result = arcwise.learn(mixed_data(200), "equal-frequency", bootstrap=6)
        assert shares(result.strengths) == shares(arcwise.bootstrap(mixed_data(200), "equal-frequency", 6))
        plain = arcwise.learn(mixed_data(200), "equal-frequency")
        assert result.cpdag == plain.cpdag
        assert "share of the 6 resamples with the edge" in str(result)
        a, b = result.cpdag.skeleton[0]
        assert f"{a} — {b} " in str(result) or f"{b} — {a} " in str(result)
        result.save(tmp_path / "r.json")
        again = arcwise.LearnResult.load(tmp_path / "r.json")
        assert again.to_dict() == result.to_dict()
        assert str(again) == str(result)
        assert plain.strengths is None

    def test_one_that_is_stopped_while_it_resamples(self):
        result = arcwise.learn(mixed_data(100), "steck", bootstrap=1_000, monitor=Enough(2))
        assert result.status == "converged"
        assert result.strengths.graphs == 2
        assert "stopped after 2 of 1,000 graphs" in result.warnings

    def test_one_that_is_stopped_before(self):
        result = arcwise.learn(mixed_data(100), "steck", bootstrap=10, deadline=1e-6)
        assert result.strengths is None
        assert str(result)

    def test_odd_numbers_are_refused(self):
        with pytest.raises(OptionError, match="number of resamples"):
            arcwise.learn(mixed_data(50), "equal-frequency", bootstrap=0)


class TestEffort:
    def test_options_that_are_set_stand(self):
        assert hasty(Boss()).restarts == 3
        assert hasty(Boss(restarts=7, backward=True)) == Boss(restarts=7, backward=True)
        steck = hasty(catalog.method("steck").learner)
        assert (steck.search.restarts, steck.search.backward) == (0, False)
        kept = catalog.configure(catalog.method("steck").learner, {"search.restarts": 5})
        assert hasty(kept).search.restarts == 5

    def test_searches_inside_others_are_found(self):
        assert hasty(catalog.method("best").learner).of[0].restarts == 3
        plain = catalog.method("mmhc").learner
        assert hasty(plain) is plain


def test_what_is_doubtful_about_the_table_is_told():
    x = np.random.default_rng(1).normal(size=(2, 12))
    found = arcwise.bootstrap({"a": x[0], "b": x[1], "c": x[0] + x[1], "d": x[0]}, "gaussian", 2, workers=1)
    told = " ".join(found.warnings)
    assert "12 rows are few" in told
    assert "'d'" in told  # a copy
