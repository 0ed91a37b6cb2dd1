"""The list of kernels that methods need is true, and several processes compile what is on it."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from arcwise import catalog
from arcwise._kernels import ahead
from arcwise.cli.warm import KINDS, OTHERS
from tests.reference.make_needs import kernels, used

TASKS = [*((method, kind) for method in catalog.METHODS for kind in KINDS), *OTHERS]


@pytest.mark.slow
def test_types_come_back_as_they_were():
    for needs in ahead._listed().values():
        for need in needs:
            found = ahead.read_types(need.types)
            assert f"({''.join(ahead.type_text(one) + ', ' for one in found)})" == need.types
            assert (need.module, need.function) in kernels()


@pytest.mark.parametrize(("method", "kind"), TASKS)
def test_all_kernels_of_a_method_are_listed(method, kind):
    """Where this fails, write the list anew: python -m tests.reference.make_needs."""
    listed = {need[:3] for need in ahead._listed()[f"{method} {kind}"]}
    found = set(used(method, kind))
    if not found <= listed:  # one that was compiled only now brought those along that it calls
        found = set(used(method, kind))
    assert found
    assert found <= listed


CODE = """
import sys
from numba.core import event
from arcwise import api, compiling
from arcwise.cli.warm import made_up

class Compiled(event.Listener):
    def on_start(self, event): print("compiled here:", event.data["dispatcher"].py_func.__name__)
    def on_end(self, event): pass

event.register("numba:compile", Compiled())
began = compiling.clock()
result = api.learn(made_up("discrete", 80), "k2")
print(result.cpdag.n_edges, compiling.state().kernels, compiling.state().seconds > 1, result.elapsed < 5)
"""


@pytest.mark.slow
def test_other_processes_compile_what_this_one_needs(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "ARCWISE_THREADS": "2"}
    run = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True)
    needs = len(ahead._listed()["k2 discrete"])
    assert run.stdout.split() == ["4", str(needs), "True", "True"]


def needs_of(method):
    return ahead._listed()[f"{method} discrete"]


def test_nothing_happens_where_no_process_can_be_started(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    told: list[int] = []
    ahead.compile_ahead(needs_of("k2"), 2, told.append, lambda: False)
    assert told == [0]


def test_a_kernel_that_cannot_be_compiled_stops_nobody(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    told = []
    wrong = [ahead.Need("graphs.moves", *rest, 1.0) for rest in (("no_such_kernel", "()"), ("closure", "(int64, )"))]
    ahead.compile_ahead(wrong, 1, told.append, lambda: False)
    assert told[-1] == 2  # both were answered; where they are needed it is told what is wrong with them


def test_compiling_ends_when_nobody_wants_it(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    began = time.monotonic()
    ahead.compile_ahead(needs_of("pmmhc"), 2, lambda ready: None, lambda: time.monotonic() > began + 0.5)
    assert time.monotonic() < began + 6  # all of them take longer than that


def test_what_is_kept_is_not_missing(monkeypatch, tmp_path):
    from arcwise._kernels import kept, places

    monkeypatch.setattr(places, "to_read", lambda: (tmp_path,))
    monkeypatch.setattr(places, "to_write", lambda: tmp_path)
    needs = ahead.missing("k2", "discrete")
    assert sorted(needs) == sorted(needs_of("k2"))
    assert [need.seconds for need in needs] == sorted((need.seconds for need in needs), reverse=True)
    for need, state in ((needs[0], kept.source_state(needs[0].module)), (needs[1], "of an older source")):
        (tmp_path / f"{need.module}.{need.function}-{state}.{kept.PYTHON}.0{kept.SUFFIX}").write_bytes(b"")
    assert ahead.missing("k2", "discrete") == needs[1:]
    assert ahead.missing("a method of one's own", "discrete") == []
    monkeypatch.setattr(places, "to_write", lambda: None)
    assert ahead.missing("k2", "discrete") == []


def test_nobody_compiles_what_another_program_compiles_now(monkeypatch, tmp_path):
    """It waits while the other one is at it, and finds all of it done."""
    from arcwise._kernels import kept, places
    from arcwise._kernels.alone import alone

    monkeypatch.setattr(places, "to_read", lambda: (tmp_path,))
    monkeypatch.setattr(places, "to_write", lambda: tmp_path)
    monkeypatch.setattr(ahead, "LOOK_AGAIN", 0.01)
    monkeypatch.setattr(ahead, "_start", lambda: pytest.fail("it was compiled twice"))
    needs, told = needs_of("k2"), []

    def ready(kernels):
        told.append(kernels)
        for need in needs[: len(told)]:
            name = f"{need.module}.{need.function}-{kept.source_state(need.module)}.{kept.PYTHON}.0{kept.SUFFIX}"
            (tmp_path / name).write_bytes(b"")

    with alone(tmp_path, lambda: False):
        ahead.compile_ahead(needs, 2, ready, lambda: False)
    assert told == [*range(len(needs) + 1), len(needs)]


def test_a_program_that_does_nothing_is_not_waited_for(monkeypatch, tmp_path):
    from arcwise._kernels import places
    from arcwise._kernels.alone import alone

    monkeypatch.setattr(places, "to_read", lambda: (tmp_path,))
    monkeypatch.setattr(places, "to_write", lambda: tmp_path)
    monkeypatch.setattr(ahead, "LOOK_AGAIN", 0.01)
    monkeypatch.setattr(ahead, "PATIENCE", 0.1)
    started = []
    monkeypatch.setattr(ahead, "_start", lambda: started.append("process"))
    with alone(tmp_path, lambda: False):
        ahead.compile_ahead(needs_of("k2"), 2, lambda ready: None, lambda: False)
    assert len(started) == 2


def test_compiling_ahead_ends_where_nothing_can_be_kept(monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/dev/null")
    code = "from pathlib import Path; from arcwise._kernels import ahead, places; places.HERE = Path('/dev/null')"
    call = [sys.executable, "-c", f"{code}; ahead.main()"]
    start = subprocess.Popen
    monkeypatch.setenv("HOME", "/dev/null")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(ahead.subprocess, "Popen", lambda command, **options: start(call, **options))
    told: list[int] = []
    ahead.compile_ahead(sorted(needs_of("k2"), key=lambda need: need.seconds), 1, told.append, lambda: False)
    assert set(told) == {0}
