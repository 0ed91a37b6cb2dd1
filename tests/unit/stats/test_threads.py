"""Work over threads: the same on any number of them, from several callers at once, and after a fork."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from arcwise.errors import OptionError
from arcwise.stats.threads import map_threads, n_threads


@pytest.fixture(params=["1", "2", "3"])
def threads(request, monkeypatch):
    monkeypatch.setenv("ARCWISE_THREADS", request.param)
    return int(request.param)


def test_results_come_in_the_order_of_the_items(threads):
    assert n_threads() == threads
    for n in range(8):
        assert map_threads(lambda item: item * item, range(n)) == [item * item for item in range(n)]


def test_calls_from_inside_run_in_place(threads):
    places = map_threads(lambda item: {threading.get_ident(), *map_threads(_here, range(4))}, range(6))
    assert all(len(place) == 1 for place in places)


def _here(item):
    return threading.get_ident()


def test_several_callers_share_the_workers(threads):
    with ThreadPoolExecutor(4) as callers:
        sums = list(callers.map(lambda k: sum(map_threads(lambda item: item * k, range(50))), range(40)))
    assert sums == [k * 1225 for k in range(40)]


def test_an_error_comes_out_when_nobody_works_any_more(threads):
    at_work = set()

    def work(item):
        if item == 0:
            raise ValueError("item 0")
        at_work.add(item)
        time.sleep(0.05)
        at_work.remove(item)

    with pytest.raises(ValueError, match="item 0"):
        map_threads(work, range(3))
    assert not at_work


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_workers_of_its_own(threads):
    """It ends by itself, too: nothing waits for the threads of its parent."""
    assert map_threads(abs, range(6)) == list(range(6))
    child = os.fork()
    if not child:
        os._exit(0 if map_threads(abs, range(6)) == list(range(6)) else 1)
    assert ended(child) == 0


def ended(child: int, patience: float = 30.0) -> int | None:
    """The exit code of a process; None if it has none in time, and had to be killed."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return None


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "abc", "99999999999", "²"])
def test_nonsense_in_the_environment_is_told(text, monkeypatch):
    monkeypatch.setenv("ARCWISE_THREADS", text)
    with pytest.raises(OptionError, match=f"ARCWISE_THREADS must be a whole number from 1 to 1024, not '{text}'"):
        n_threads()


@pytest.mark.parametrize("text", ["", " "])
def test_nothing_in_the_environment_means_all_cores(text, monkeypatch):
    monkeypatch.delenv("ARCWISE_THREADS", raising=False)
    cores = n_threads()
    monkeypatch.setenv("ARCWISE_THREADS", text)
    assert n_threads() == cores >= 1
