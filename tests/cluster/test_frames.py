"""Dask DataFrames: kinds, levels and graphs are those of the same rows in memory, however they are divided."""

from __future__ import annotations

import os
import signal
from itertools import pairwise

import numpy as np
import pytest

import arcwise
from tests.cluster.conftest import own_scheduler
from tests.cluster.tables import ROWS, levels, numbers

pandas = pytest.importorskip("pandas")
dask_frames = pytest.importorskip("dask.dataframe")


def frame():
    """Text, categories, whole numbers that are levels, numbers, and some cells missing in one column."""
    table = levels().to_pandas().drop(columns=["x05"])
    table["x00"] = table["x00"].astype(str).radd("level ")
    table["x01"] = table["x01"].astype(str).astype(int)
    table["y"] = numbers().columns[0].values
    table["z"] = numbers().columns[1].values
    return table


def in_partitions(table, seed):
    rng = np.random.default_rng(seed)
    ends = sorted({0, len(table), *rng.integers(0, len(table), 6).tolist(), 2})
    return dask_frames.concat([dask_frames.from_pandas(table.iloc[a:b], npartitions=1) for a, b in pairwise(ends)])


def same(one, other):
    keys = one.to_dict().keys() - {"elapsed", "data"}
    return all(one.to_dict()[key] == other.to_dict()[key] for key in keys)


def test_the_graph_is_that_of_the_frame_in_memory(client):
    table = frame()
    discrete = [name for name in table if name.startswith("x")]
    for seed, (columns, method) in enumerate(
        [
            (discrete, "hill-climb"),
            (["y", "z"], "gaussian"),
            (list(table), "pc"),
            (["y", "z", *discrete], "equal-width"),
        ]
    ):
        here = arcwise.learn(table[columns], method)
        there = arcwise.learn(in_partitions(table[columns], seed), method, scheduler=client)
        assert same(there, here), method
        assert there.data.n_rows == ROWS


def test_weights_and_missing_cells(client):
    table = frame()[["x00", "x01", "x02"]].iloc[:5000].copy()
    table["n"] = np.arange(5000) % 4 + 1
    table.loc[table.index[::50], "x02"] = None
    partitions = in_partitions(table, 1)
    assert same(
        arcwise.learn(partitions, "hill-climb", weights="n", missing="drop", scheduler=client),
        arcwise.learn(table, "hill-climb", weights="n", missing="drop"),
    )
    assert same(
        arcwise.learn(partitions, "hill-climb", missing="state", drop=["n"], scheduler=client),
        arcwise.learn(table, "hill-climb", missing="state", drop=["n"]),
    )


def test_orders_are_those_of_the_frame_in_memory(client):
    table = frame()[["x00", "x02", "y"]].iloc[:3000].copy()
    table["size"] = np.array(["small", "large", "medium"])[np.arange(3000) % 3]
    table["cloth"] = pandas.Categorical(np.array(["S", "XXL", "M"])[np.arange(3000) % 3])
    for ordered in ((), {"cloth": ["S", "M", "XXL"]}):
        here = arcwise.learn(table, "equal-width", ordered=ordered).data
        there = arcwise.learn(in_partitions(table, 4), "equal-width", ordered=ordered, scheduler=client).data
        assert there.columns == here.columns
        assert {one.name: one.ordered for one in here.columns}["size"]
        assert {one.name: one.ordered for one in here.columns}["cloth"] == bool(ordered)


def test_the_client_in_use_is_taken(client):
    with client.as_current():
        found = arcwise.learn(dask_frames.from_pandas(frame()[["y", "z"]], npartitions=3), "gaussian")
    assert found.status == "converged"


def test_without_a_cluster_it_is_read_into_memory(monkeypatch):
    monkeypatch.setattr("arcwise.running.cluster.client_in_use", lambda: None)
    table = frame()[["y", "z"]].head(1000)
    assert same(
        arcwise.learn(dask_frames.from_pandas(table, npartitions=3), "gaussian"), arcwise.learn(table, "gaussian")
    )


def test_a_scheduler_that_is_killed(tmp_path):
    with own_scheduler(tmp_path) as (scheduler, address):

        def kill(progress):
            if progress.phase == "search" and progress.step == 2:
                scheduler.kill()
                scheduler.wait()

        discrete = frame()[["x00", "x01", "x02", "x03", "x04"]]
        found = arcwise.learn(in_partitions(discrete, 3), "hill-climb", scheduler=address, monitor=kill)
    assert found.status == "stopped"
    assert found.data.n_rows == ROWS
    assert found.trace == arcwise.learn(discrete, "hill-climb").trace[: len(found.trace)]
    assert found.warnings[-1].endswith("its scheduler does not answer any more; this is what was found until then")


@pytest.mark.slow
def test_a_worker_that_is_killed(client):
    killed = []

    def kill(progress):
        if progress.phase == "search" and progress.step == 2 and not killed:
            killed.append(client.run(os.getpid))
            os.kill(min(killed[0].values()), signal.SIGKILL)

    discrete = frame()[["x00", "x01", "x02", "x03", "x04"]]
    found = arcwise.learn(in_partitions(discrete, 4), "hill-climb", scheduler=client, monitor=kill)
    assert killed
    assert same(found, arcwise.learn(discrete, "hill-climb"))
