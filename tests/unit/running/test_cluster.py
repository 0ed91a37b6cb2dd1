"""Pieces of work on real Dask workers, in processes of their own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import arcwise
from arcwise.errors import OptionError
from arcwise.parts.monitor import StopWhen, as_monitor
from arcwise.running import Store, run
from tests.contract.parts import mixed_data
from tests.unit.running import pieces

distributed = pytest.importorskip("distributed")
TASKS = {f"piece {k}": k for k in range(8)}


@pytest.fixture(scope="module")
def cluster():
    root = str(Path(__file__).parents[3])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([root, *filter(None, sys.path)])
    try:
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster:
            yield cluster
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


@pytest.mark.slow
def test_two_workers_give_what_this_process_gives(cluster, tmp_path):
    here = run(pieces.square, 5, TASKS, workers=1)
    store = Store(tmp_path / "run.jsonl", {})
    there = run(pieces.square, 5, TASKS, scheduler=cluster.scheduler_address, store=store)
    assert there.results == here.results
    assert list(there.results) == list(here.results)
    assert not there.stopped
    assert run(pieces.failing, 5, TASKS, workers=1, store=store).results == here.results  # nothing is run again
    with distributed.Client(cluster) as client:
        both = run(pieces.where, 0.2, TASKS, scheduler=client)
        assert len({one["pid"] for one in both.results.values()} - {os.getpid()}) == 2
        assert run(pieces.failing, None, TASKS, scheduler=client).failures == run(pieces.failing, None, TASKS).failures


@pytest.mark.slow
def test_a_bootstrap(cluster):
    found = [
        arcwise.bootstrap(mixed_data(100), "steck", 4, **where)
        for where in ({"workers": 1}, {"scheduler": cluster.scheduler_address})
    ]
    first, second = ({**one.to_dict(), "origin": None} for one in found)
    assert first == second


@pytest.mark.slow
def test_a_killed_worker_is_survived(cluster, tmp_path):
    found = run(pieces.deadly, (os.getpid(), str(tmp_path), 1), {"a": 0, "b": 1}, scheduler=cluster.scheduler_address)
    assert {key: one["value"] for key, one in found.results.items()} == {"a": 0, "b": 1}
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.slow
def test_stopping_cancels_what_is_left(cluster):
    finished = []
    monitor = StopWhen(
        as_monitor(lambda progress: finished.append(progress.step)), lambda: max(finished, default=0) > 1
    )
    found = run(pieces.where, 0.2, TASKS, scheduler=cluster.scheduler_address, monitor=monitor)
    assert found.stopped
    assert 2 <= len(found.results) < 8


def test_nobody_there_is_told_in_one_sentence(monkeypatch, tmp_path):
    from arcwise.running import cluster

    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with pytest.raises(OptionError, match=r"no Dask scheduler answers at 'tcp://127.0.0.1:9'"):
        run(pieces.square, 1, TASKS, scheduler="tcp://127.0.0.1:9", store=Store(tmp_path / "run.jsonl", {}))
    assert not (tmp_path / "run.jsonl").exists()
    with pytest.raises(OptionError, match="must be an address"):
        run(pieces.square, 1, TASKS, scheduler=3)


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(OptionError, match=r"pip install 'arcwise\[cluster\]'"):
        run(pieces.square, 1, TASKS, scheduler="tcp://127.0.0.1:9")
