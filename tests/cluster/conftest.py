"""A real cluster on this machine: a scheduler and two workers, each a process with one thread."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

distributed = pytest.importorskip("distributed")


@contextmanager
def local_cluster(n_workers):
    root, before = str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([root, *filter(None, sys.path)])
    try:
        with distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
        ) as cluster:
            yield cluster
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="package")
def cluster():
    with local_cluster(2) as found:
        yield found


@pytest.fixture(scope="package")
def client(cluster):
    with distributed.Client(cluster) as found:
        yield found
