"""Every preset gives the same network in whatever process or thread it runs, and does not hang there."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import joblib
import pytest

import arcwise
from arcwise import catalog
from arcwise._kernels import compiled
from arcwise._kernels.neural.losses import exp
from arcwise.data.dataset import Dataset
from arcwise.graph.pdag import Pdag
from tests.contract.forked import in_fork
from tests.contract.parts import discrete_data, mixed_data

METHODS = sorted(catalog.METHODS)
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def learned(methods: list[str], data: Dataset) -> dict[str, Pdag]:
    return {method: arcwise.learn(data, method).cpdag for method in methods}


@pytest.fixture(scope="module")
def data():
    return mixed_data(200)


@pytest.fixture(scope="module")
def here(data):
    """Learned in this process, so that its threads, kernels and tables are in use before any other one is started."""
    return learned(METHODS, data)


@pytest.fixture(autouse=True)
def two_threads(monkeypatch):
    monkeypatch.setenv("ARCWISE_THREADS", "2")


@needs_fork
def test_a_forked_process(here, data):
    assert in_fork(lambda: learned(METHODS, data)) == here


@needs_fork
def test_a_forked_process_of_a_forked_process(here, data):
    some = ["kgv", "pc-recursive-median", "steck"]
    there = in_fork(lambda: (learned(some, data), in_fork(lambda: learned(some, data))))
    assert there == ({name: here[name] for name in some},) * 2


@needs_fork
def test_a_forked_process_with_many_rows():
    """Which are counted by several threads."""
    data = discrete_data(40_000)
    here = arcwise.learn(data, "hill-climb")
    assert in_fork(lambda: arcwise.learn(data, "hill-climb").cpdag) == here.cpdag


@needs_fork
def test_a_process_forked_while_threads_learn(here, data):
    stop = threading.Event()

    def again_and_again():
        while not stop.is_set():
            learned(["kgv", "neural-discretized"], data)

    with ThreadPoolExecutor(2) as pool:
        others = [pool.submit(again_and_again) for _ in range(2)]
        try:
            for _ in range(5):
                assert in_fork(lambda: arcwise.learn(data, "kgv").cpdag) == here["kgv"]
        finally:
            stop.set()
        assert [other.result() for other in others] == [None, None]


@needs_fork
def test_a_process_forked_while_a_thread_compiles():
    """It finds the compiler free: forking waits for the thread."""
    began, end = threading.Event(), threading.Event()

    def hold():
        with compiled.global_compiler_lock:
            began.set()
            end.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    began.wait(60)
    threading.Timer(0.2, end.set).start()
    assert in_fork(lambda: compiled.kernel(exp.py_func)(0.0), patience=20) == 1
    thread.join()


@pytest.mark.slow
@pytest.mark.parametrize(("how", "methods"), [("fork", METHODS), ("forkserver", METHODS[::6])])
def test_a_pool_of_processes(how, methods, here, data):
    if how not in multiprocessing.get_all_start_methods():
        pytest.skip(f"needs {how}")
    with multiprocessing.get_context(how).Pool(2) as pool:
        parts = pool.starmap_async(learned, [(methods[::2], data), (methods[1::2], data)]).get(timeout=120)
    assert parts[0] | parts[1] == {method: here[method] for method in methods}


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_joblib(backend, here, data):
    """loky starts its processes as spawn does. Arrays above max_nbytes come as files that are mapped into memory."""
    jobs = (joblib.delayed(learned)([method], data) for method in METHODS)
    parts = joblib.Parallel(n_jobs=2, backend=backend, timeout=120, max_nbytes=100)(jobs)
    assert {name: graph for part in parts for name, graph in part.items()} == here


def test_threads_that_learn_at_once(here, data):
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda method: learned([method], data), 2 * METHODS))
    assert {name: graph for part in parts for name, graph in part.items()} == here


SPAWN = """
import multiprocessing
from tests.contract.test_processes import METHODS, learned, mixed_data

if __name__ == "__main__":
    data = mixed_data(200)
    here = learned(METHODS[:5], data)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply_async(learned, (METHODS, data)).get(timeout=120)
    print(len(there), all(there[method] == here[method] for method in here))
"""


@pytest.mark.slow
def test_a_spawned_process(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(SPAWN, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    call = [sys.executable, str(program)]
    run = subprocess.run(call, env=environment, capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.split() == [str(len(METHODS)), "True"]


COLD = """
from concurrent.futures import ThreadPoolExecutor
import arcwise
from tests.contract.parts import continuous_data

def learn(method):
    return arcwise.learn(data, method).cpdag

data = continuous_data(200)
with ThreadPoolExecutor(4) as pool:
    at_once = list(pool.map(learn, ["tpda", "pc", "tpda", "pc"]))
print(at_once == [learn("tpda"), learn("pc")] * 2)
"""


@pytest.mark.slow
def test_threads_that_compile_at_once(tmp_path):
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "NUMBA_CACHE_DIR": str(tmp_path),
        "ARCWISE_THREADS": "2",
    }
    call = [sys.executable, "-c", COLD]
    run = subprocess.run(call, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert (run.stdout, run.returncode) == ("True\n", 0), run.stderr
    assert run.stderr.count("\n") == 1
