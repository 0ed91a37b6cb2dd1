"""Learning from rows that real workers keep: the same graph to the last bit, whoever dies on the way."""

from __future__ import annotations

import os
import signal
import time
from threading import Timer

import pytest

import arcwise
from arcwise.data.rows.store import write_store
from arcwise.errors import ClusterError, FileError, OptionError
from arcwise.running import library, placing
from tests.cluster import tables
from tests.cluster.conftest import local_cluster, own_scheduler


def same(one, other):
    return {**one.to_dict(), "elapsed": 0} == {**other.to_dict(), "elapsed": 0}


def kept_by(client):
    """What of ours the workers still have: the scheduler hears a moment later that it was let go."""
    began = time.monotonic()
    while found := [key for key in client.who_has() if "arcwise" in str(key)]:
        if time.monotonic() - began > 20:
            return found
        time.sleep(0.1)
    return []


def pids_of_two(client):
    """Of the workers, once there are two of them: a test before may have killed one, which comes back."""
    began = time.monotonic()
    while len(found := client.run(os.getpid)) < 2:
        assert time.monotonic() - began < 60
        time.sleep(0.2)
    return sorted(found.values())


@pytest.fixture
def traffic(monkeypatch):
    """What went to and fro, for each table that was brought to a cluster."""
    found = []

    class Watched(library.Traffic):
        def __init__(self):
            super().__init__()
            found.append(self)

    monkeypatch.setattr(library, "Traffic", Watched)
    return found


@pytest.mark.parametrize(
    ("table", "method"),
    [
        (tables.levels, "hill-climb"),
        (tables.levels, "pmmhc"),
        (tables.levels, "pc"),
        (tables.numbers, "gaussian"),
        (tables.numbers, "pc"),
        (tables.mixed, "pc"),
        (tables.mixed, "conditional-gaussian"),
        (tables.numbers, "copula"),
        (tables.numbers, "smooth"),
        (tables.mixed, "smooth"),
    ],
)
def test_the_graph_is_that_of_the_table_in_memory(client, table, method):
    assert same(arcwise.learn(table(), method, scheduler=client), arcwise.learn(table(), method))
    assert client.status == "running"
    assert kept_by(client) == []


@pytest.mark.slow
@pytest.mark.parametrize("n_workers", [1, 4])
def test_any_number_of_workers(n_workers):
    with local_cluster(n_workers) as cluster:
        for table, method in ((tables.levels, "hill-climb"), (tables.numbers, "gaussian")):
            found = arcwise.learn(table(), method, scheduler=cluster.scheduler_address)
            assert same(found, arcwise.learn(table(), method))


def test_a_walk_is_a_few_round_trips_a_step(client, traffic):
    found = arcwise.learn(tables.levels(), "hill-climb", scheduler=client)
    (seen,) = traffic
    assert len(found.trace) <= seen.questions <= 3 + 4 * len(found.trace)
    assert seen.repeated == 0
    assert seen.bytes_in < 100_000 < tables.levels().n_stored


def test_rows_of_a_store_are_opened_by_the_workers(client, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the workers are elsewhere
    stored = write_store("t.arcwise", tables.levels())
    assert same(arcwise.learn(stored, "hill-climb", scheduler=client), arcwise.learn(stored, "hill-climb"))
    (tmp_path / "t.arcwise" / "codes").rename(tmp_path / "moved")
    with pytest.raises(FileError, match=r"worker tcp://.* cannot open rows of the table: cannot map .*t\.arcwise"):
        arcwise.learn(stored, "hill-climb", scheduler=client)


def test_a_worker_that_is_killed(client, traffic):
    killed = []

    def kill(progress):
        if progress.phase == "search" and progress.step == 2 and not killed:
            killed.append(client.run(os.getpid))
            os.kill(min(killed[0].values()), signal.SIGKILL)

    found = arcwise.learn(tables.levels(), "hill-climb", scheduler=client, monitor=kill)
    assert killed
    assert same(found, arcwise.learn(tables.levels(), "hill-climb"))
    assert traffic[0].repeated > 0


def test_a_scheduler_that_is_killed(tmp_path):
    with own_scheduler(tmp_path) as (scheduler, address):
        steps = []

        def kill(progress):
            steps.append(progress.step)
            if progress.phase == "search" and progress.step == 3:
                scheduler.kill()
                scheduler.wait()

        found = arcwise.learn(tables.levels(), "hill-climb", scheduler=address, monitor=kill)
    assert found.status == "stopped"
    assert [one for one in found.warnings if "the cluster is lost" in one and "found until then" in one]
    whole = arcwise.learn(tables.levels(), "hill-climb")
    assert 3 <= len(found.trace) < len(whole.trace)
    assert found.trace == whole.trace[: len(found.trace)]
    assert found.score == found.trace[-1].score


def test_stopping(client):
    found = arcwise.learn(tables.levels(), "hill-climb", scheduler=client, deadline=1e-9)
    assert found.status == "unanswered"


def test_a_deadline_in_the_middle_of_a_question(client):
    client.run(tables.slow_down, 2.0)
    try:
        began = time.monotonic()
        found = arcwise.learn(tables.levels(), "hill-climb", scheduler=client, deadline=0.5)
        assert time.monotonic() - began < 2.0
    finally:
        client.run(tables.slow_down, 0)
    assert found.status == "unanswered"


def test_loading_that_takes_long_is_waited_for(client, monkeypatch):
    monkeypatch.setattr(library, "PATIENCE", 0.5)
    monkeypatch.setattr(placing, "received", tables.slowly_received)
    found = arcwise.learn(tables.levels(), "hill-climb", scheduler=client)
    assert same(found, arcwise.learn(tables.levels(), "hill-climb"))


def test_a_worker_that_is_killed_while_it_loads(client, monkeypatch):
    monkeypatch.setattr(placing, "received", tables.slowly_received)
    pids = pids_of_two(client)
    killer = Timer(1.0, os.kill, (pids[0], signal.SIGKILL))
    killer.start()
    found = arcwise.learn(tables.levels(), "hill-climb", scheduler=client)
    killer.join()
    assert same(found, arcwise.learn(tables.levels(), "hill-climb"))
    assert pids[0] not in pids_of_two(client)


def test_workers_without_the_same_arcwise(client, monkeypatch):
    pids_of_two(client)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "own_version", lambda: "0.0.1")
        with pytest.raises(
            ClusterError, match=r"worker tcp://\S+ has arcwise \S+, but this is 0\.0\.1; install 0\.0\.1"
        ):
            arcwise.learn(tables.levels(), "hill-climb", scheduler=client)
    monkeypatch.setattr(library, "PACKAGE", "no-such-package")
    with pytest.raises(ClusterError, match=r"worker tcp://\S+ and 1 other of 2 have no arcwise; install arcwise"):
        arcwise.learn(tables.levels(), "hill-climb", scheduler=client)


def test_a_cluster_without_workers():
    with local_cluster(0) as cluster, pytest.raises(ClusterError, match="the cluster has no workers; start some"):
        arcwise.learn(tables.levels(), "hill-climb", scheduler=cluster.scheduler_address)


def test_a_client_that_is_closed(cluster):
    from distributed import Client

    closed = Client(cluster)
    closed.close()
    with pytest.raises(OptionError, match="the Dask client that was given as scheduler is closed"):
        arcwise.learn(tables.levels(), "hill-climb", scheduler=closed)


def test_nobody_answers(monkeypatch):
    monkeypatch.setattr("arcwise.running.cluster.PATIENCE", 0.5)
    with pytest.raises(OptionError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        arcwise.learn(tables.levels(), "hill-climb", scheduler="tcp://127.0.0.1:9")
    with pytest.raises(OptionError, match="a scheduler must be an address"):
        arcwise.learn(tables.levels(), "hill-climb", scheduler=17)
