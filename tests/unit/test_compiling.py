"""Compiling does not count as learning, and is told of."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arcwise import compiling
from arcwise.parts.monitor import SILENT, with_deadline


@pytest.fixture
def time(monkeypatch):
    """A clock that the test moves; nothing has been compiled, nobody watches."""

    class Time:
        now = 100.0

    monkeypatch.setattr(compiling, "_record", compiling._Record())
    monkeypatch.setattr(compiling.time, "monotonic", lambda: Time.now)
    monkeypatch.delenv(compiling.QUIET, raising=False)
    return Time


def test_the_clock_stands_still_while_a_kernel_is_compiled(time):
    began = compiling.clock()
    time.now += 2
    compiling.begin()
    time.now += 30
    assert compiling.clock() - began == pytest.approx(2)
    assert compiling.state() == compiling.State(kernels=0, seconds=30, active=True)
    compiling.end()
    time.now += 1
    assert compiling.clock() - began == pytest.approx(3)
    assert compiling.state() == compiling.State(kernels=1, seconds=30, active=False)


def test_a_deadline_waits_for_the_compiler(time):
    monitor = with_deadline(SILENT, 5)
    compiling.begin()
    time.now += 31
    compiling.end()
    assert not monitor.should_stop()
    time.now += 5
    assert monitor.should_stop()


def test_a_program_is_told_once_and_not_at_all_if_it_does_not_want_to(time, capsys, monkeypatch):
    monkeypatch.setenv(compiling.QUIET, "1")
    compiling.begin()
    compiling.end()
    assert capsys.readouterr().err == ""
    monkeypatch.setenv(compiling.QUIET, "0")
    for _ in range(2):
        compiling.begin()
        compiling.end()
    assert capsys.readouterr().err == f"arcwise: {compiling.NOTE} ...\n"


def test_who_watches_is_told_instead(time, capsys):
    seen = []
    with compiling.watched(seen.append):
        compiling.begin()
        time.now += 2
        compiling.end()
    assert [(now.kernels, now.seconds, now.active) for now in seen] == [(0, 0, True), (1, 2, False)]
    assert capsys.readouterr().err == ""


def test_a_terminal_gets_a_bar_that_leaves_one_line(time, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with compiling.announced():
        for _ in range(3):
            compiling.begin()
            time.now += 4
            compiling.end()
    drawn = capsys.readouterr().err.split("\r")[1:]
    assert len(drawn) == 5  # at the first beginning, at every end, and at last what it was
    assert len({text.rstrip() for text in drawn}) == 5
    assert drawn[-1].rstrip() == "compiled 3 numerical kernels in 12 s; the next run finds them ready"


def test_kernels_that_are_compiled_at_once_count_their_time_once(time):
    """A thread waits for processes that compile two kernels, another one compiles a third."""
    with compiling.several(2) as ready:
        time.now += 3
        compiling.begin()
        assert compiling.state() == compiling.State(kernels=0, seconds=3, active=True, total=2)
        ready(1)
        time.now += 4
        compiling.end()
        assert compiling.state() == compiling.State(kernels=2, seconds=7, active=True, total=2)
        time.now += 1
        ready(2)
    time.now += 50
    assert compiling.state() == compiling.State(kernels=3, seconds=8, active=False)


def test_threads_that_compile_do_not_stumble_over_each_other(time):
    def work(_):
        with compiling.several(1) as ready:
            compiling.begin()
            ready(1)
            compiling.end()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(400)))
    assert compiling.state() == compiling.State(kernels=800, seconds=0, active=False)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_clock_of_a_forked_process_goes_though_its_parent_compiles(time):
    compiling.begin()
    child = os.fork()
    if not child:
        os._exit(int(compiling.state().active))
    compiling.end()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_remark_is_made_once_and_not_while_somebody_draws(time, capsys, monkeypatch):
    with compiling.watched(lambda now: None):
        compiling.remark("one")
        compiling.remark("one")
        assert capsys.readouterr().err == ""
    assert capsys.readouterr().err == "arcwise: one\n"
    with compiling.watched(lambda now: None, quiet=True):
        compiling.remark("two")
    compiling.remark("one")
    monkeypatch.setenv(compiling.QUIET, "1")
    compiling.remark("three")
    assert capsys.readouterr().err == ""


def test_where_nothing_is_kept_nobody_says_the_first_time_only(time, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with compiling.announced():
        compiling.not_kept("nowhere to keep it")
        compiling.begin()
        time.now += 4
        compiling.end()
    said = capsys.readouterr().err
    assert "first time" not in said
    assert "next run" not in said
    assert said.endswith("\narcwise: nowhere to keep it\n")


def run(cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from arcwise.cli.main import run; run()", *arguments],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "table.csv"
    rows = [f"{i % 7},{(i * i) % 11 + i % 7},{'pq'[i % 7 > 3]}" for i in range(60)]
    path.write_text("\n".join(["a,b,c", *rows]), encoding="utf-8")
    return str(path)


@pytest.mark.slow
def test_a_cold_cache_does_not_eat_the_deadline(tmp_path, table):
    """Compiling takes longer than the deadline, and the answer is the same as from a warm cache."""
    arguments = ("learn", table, "--method", "ges", "--deadline", "5", "--json")
    cold = run(tmp_path / "cache", *arguments)
    assert cold.returncode == 0
    assert cold.stderr.count(compiling.NOTE) == 1
    assert '"status": "converged"' in cold.stdout
    warm = run(tmp_path / "cache", *arguments)
    assert compiling.NOTE not in warm.stderr
    assert _without_time(warm.stdout) == _without_time(cold.stdout)


def _without_time(text: str) -> list[str]:
    return [line for line in text.splitlines() if '"elapsed"' not in line]


@pytest.mark.slow
def test_what_was_warmed_is_not_compiled_again(tmp_path, table):
    first = run(tmp_path / "cache", "warm", "k2", "kgv")
    assert first.returncode == 0
    assert "compiled" in first.stderr
    assert "already" in run(tmp_path / "cache", "warm", "k2", "kgv").stderr
    for method in ("k2", "kgv"):
        assert compiling.NOTE not in run(tmp_path / "cache", "learn", table, "--method", method).stderr
    wrong = run(tmp_path / "cache", "warm", "kv")
    assert wrong.returncode == 2
    assert "kgv" in wrong.stderr
