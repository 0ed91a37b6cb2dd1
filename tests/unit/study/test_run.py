"""A study comes to the same however it is run: in any number of processes, in pieces, killed, on a cluster."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arcwise.errors import FileError, OptionError
from arcwise.parts.monitor import StopWhen, as_monitor
from arcwise.study import Results, run
from arcwise.study.plan import read_plan
from tests.unit.study.plans import SMALL, plan_of

ROOT = Path(__file__).parents[3]
FAILING = """
[methods]
exhaustive = "exhaustive"
hill-climb = "hill-climb"

[experiments.levels]
sources = ["alarm"]
rows = [50]
measures = ["edges"]
"""


def known(results: Results) -> dict[str, object]:
    """All that was measured but the times."""
    return {
        row.cell.key: ({name: value for name, value in row.values.items() if name != "seconds"}, row.error)
        for row in results.rows
    }


def test_any_number_of_workers_and_any_order(tmp_path):
    plan = plan_of(tmp_path)
    one = run(plan, tmp_path / "one.jsonl", workers=1)
    assert len(one.rows) == one.n_cells == len(plan.cells()) == 24
    assert not one.failed
    first = run(plan, tmp_path / "two.jsonl", quick=True, workers=2)
    assert len(first.rows) == 4
    two = run(plan, tmp_path / "two.jsonl", workers=2)
    assert known(two) == known(one)
    kept = (tmp_path / "two.jsonl").read_text()
    assert run(plan, tmp_path / "two.jsonl").rows == two.rows
    assert (tmp_path / "two.jsonl").read_text() == kept


def test_cells_have_numbers_of_their_own(tmp_path):
    """Runs differ, and methods are given the same table."""
    cells = run(plan_of(tmp_path), tmp_path / "a.jsonl", workers=1).rows
    graphs = {row.cell.name: json.dumps(row.values["graph"]) for row in cells if "child/120" in row.cell.name}
    assert len(graphs) == 6
    assert len(set(graphs.values())) == 6
    alone = SMALL.replace('sources = ["child", "asia"]\nrows = [60, 120]', 'sources = ["asia"]\nrows = [120]')
    folder = tmp_path / "alone"
    folder.mkdir()
    other = run(plan_of(folder, alone.replace("quick =", "# quick =")), folder / "b.jsonl", workers=1)
    here = {row.cell.key: row.values["graph"] for row in cells}
    assert {row.cell.key: row.values["graph"] for row in other.rows}.items() <= here.items()


def test_another_option_is_another_cell(tmp_path):
    plan = plan_of(tmp_path)
    other = plan_of(tmp_path, SMALL.replace("bins = 3", "bins = 4"))
    keys = [{cell.key for cell in one.cells()} for one in (plan, other)]
    assert len(keys[0] & keys[1]) == 12
    store = tmp_path / "a.jsonl"
    run(plan, store, quick=True, workers=1)
    assert len(Results.load(other, store).rows) == 2
    assert len(run(other, store, quick=True, workers=1).rows) == 4


def test_a_failed_cell_is_a_row_with_its_error(tmp_path):
    plan, store = read_plan(FAILING, "failing", tmp_path), tmp_path / "a.jsonl"
    results = run(plan, store, workers=1)
    assert [row.cell.place["method"] for row in results.failed] == ["exhaustive"]
    assert "columns" in str(results.failed[0].error)
    assert results.failed[0].values == {}
    kept = store.read_text()
    run(plan, store, workers=1)
    assert store.read_text() == kept  # it would fail again
    run(plan, store, workers=1, retry=True)
    assert store.read_text().count("\n") == kept.count("\n") + 1
    frame = results.frame()
    assert frame["error"].null_count() == 1
    assert frame["edges"].null_count() == 1


def test_a_cell_that_takes_too_long_is_a_row_with_its_error(tmp_path):
    text = 'limit = 0.001\n[experiments.a]\nmethods = ["tabu"]\nsources = ["hailfinder"]\nrows = [2000]\n'
    results = run(read_plan(text, "late", tmp_path), tmp_path / "a.jsonl", workers=1)
    assert results.failed[0].error == "it took longer than 0.001 seconds"
    assert results.failed[0].values == {}


def test_stopping_keeps_what_is_finished(tmp_path):
    plan, store, heard = plan_of(tmp_path), tmp_path / "a.jsonl", []
    monitor = StopWhen(as_monitor(heard.append), lambda: heard[-1:] and heard[-1].step > 2)
    some = run(plan, store, workers=1, monitor=monitor)
    assert 2 < len(some.rows) < 24
    assert known(run(plan, store, workers=1)) == known(run(plan, tmp_path / "b.jsonl", workers=1))
    assert re.fullmatch(r"\d+ done, [01] running, \d+ left, about \d+ seconds? to go", heard[1].message)


@pytest.mark.parametrize(
    ("name", "words"), [("other", "holds another run, with study 'small' instead of 'other'"), ("small", None)]
)
def test_the_store_of_another_study_is_refused(tmp_path, name, words):
    store = tmp_path / "a.jsonl"
    run(plan_of(tmp_path), store, quick=True, workers=1)
    plan = plan_of(tmp_path, name=name)
    if words is None:
        assert len(Results.load(plan, store).rows) == 4
        return
    for use in (lambda: run(plan, store, workers=1), lambda: Results.load(plan, store)):
        with pytest.raises(FileError, match=words):
            use()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('columns = "rows"', 'columns = "row"', "axis of table 'distances'.*did you mean 'rows'"),
        ('measure = "shd"\nlines', 'measur = "shd"\nlines', "entry of figure 'distances'.*did you mean 'measure'"),
        ('kind = "lines"', 'kind = "line"', "kind of figure 'distances'.*did you mean 'lines'"),
    ],
)
def test_tables_and_figures_are_checked_before_anything_is_run(tmp_path, old, new, words):
    assert old in SMALL
    plan = plan_of(tmp_path, SMALL.replace(old, new))
    with pytest.raises(OptionError, match=words):
        run(plan, tmp_path / "a.jsonl", workers=1)
    assert not (tmp_path / "a.jsonl").exists()


def test_odd_workers_are_refused(tmp_path):
    with pytest.raises(OptionError, match="workers"):
        run(plan_of(tmp_path), tmp_path / "a.jsonl", workers=0)


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}


@pytest.mark.slow
def test_ten_times_killed(tmp_path):
    """kill -9 at ten random moments; what is resumed then is what an undisturbed run has, cell by cell."""
    text = SMALL.replace("runs = 3", "runs = 25").replace("rows = [60, 120]", "rows = [400, 800]")
    text = text.replace("rows = 60}", "rows = 400}").replace(
        "bins3 = {", 'slow = {method = "steck", bins = 3}\nbins3 = {'
    )
    plan = plan_of(tmp_path, text)
    store, moments = tmp_path / "killed.jsonl", random.Random(18)
    program = [sys.executable, "-m", "arcwise", "study", "run", "small.toml", "--full", "--store", store.name]
    for _ in range(10):
        lines = store.read_bytes().count(b"\n") if store.exists() else 0
        going = subprocess.Popen(
            program, cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wanted, until = lines + moments.randint(1, 12), time.monotonic() + 120
        while not store.exists() or store.read_bytes().count(b"\n") < wanted:
            assert time.monotonic() < until
            assert going.poll() is None, "the run was over before it could be killed"
            time.sleep(0.005)
        time.sleep(moments.uniform(0, 0.3))
        going.send_signal(signal.SIGKILL)
        going.wait()
    assert 10 < store.read_bytes().count(b"\n") < len(plan.cells())
    whole = run(plan, store, workers=2)
    assert len(whole.rows) == len(plan.cells())
    keys = [json.loads(line)["key"] for line in store.read_text().splitlines()[1:]]
    assert len(set(keys)) == len(keys)  # none was worked on twice
    assert known(whole) == known(run(plan, tmp_path / "undisturbed.jsonl", workers=2))


@pytest.mark.slow
def test_a_cluster_of_two_with_one_killed(tmp_path):
    """Two real Dask workers; one is killed in the middle of the run."""
    distributed = pytest.importorskip("distributed")
    plan = plan_of(tmp_path, SMALL.replace("runs = 3", "runs = 10"))
    here = run(plan, tmp_path / "here.jsonl", workers=2)
    os.environ["PYTHONPATH"], before = environment()["PYTHONPATH"], os.environ.get("PYTHONPATH")
    killed, heard = [], []
    try:
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster:

            def look(progress: object) -> None:
                heard.append(progress.step)
                if not killed and progress.step > 5:
                    worker = next(iter(cluster.workers.values()))
                    killed.append(worker.pid)
                    os.kill(worker.pid, signal.SIGKILL)

            there = run(plan, tmp_path / "there.jsonl", scheduler=cluster.scheduler_address, monitor=as_monitor(look))
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
    assert killed
    assert min(heard) < 6 < max(heard)
    assert not there.failed
    assert known(there) == known(here)
