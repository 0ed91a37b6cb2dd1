"""A real cluster on this machine: a scheduler and two workers, each a process with one thread."""

from __future__ import annotations

import os
import re
import subprocess
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


class own_scheduler:
    """A scheduler and a worker as users start them."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])}

        def start(*words):
            return subprocess.Popen(
                [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
                env=environment,
                cwd=self.folder,
                stderr=subprocess.PIPE,
                text=True,
            )

        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.scheduler = start("dask_scheduler", *options)
        address = next(found[0] for line in self.scheduler.stderr if (found := re.search(r"tcp://\S+", line)))
        self.worker = start("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        with distributed.Client(address) as client:
            client.wait_for_workers(1, timeout=60)
        return self.scheduler, address

    def __exit__(self, *error):
        for process in (self.worker, self.scheduler):
            process.kill()
            process.wait()
            process.stderr.close()


@pytest.fixture(scope="package")
def cluster():
    with local_cluster(2) as found:
        yield found


@pytest.fixture(scope="package")
def client(cluster):
    with distributed.Client(cluster) as found:
        yield found
