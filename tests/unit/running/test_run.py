"""Pieces of work come to the same, whoever works on them; failures, deaths and stops are told as what they are."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from arcwise.errors import FileError, OptionError
from arcwise.parts.monitor import Progress, StopWhen, as_monitor
from arcwise.running import Store, run, runner
from tests.unit.running import pieces

TASKS = {f"piece {k}": k for k in range(6)}


@pytest.mark.parametrize("workers", [None, 1, 2, 3])
def test_results_are_the_same_for_any_number_of_workers(workers):
    found = run(pieces.square, 5, TASKS, workers=workers)
    assert found.results == {key: {"value": 5 * k**2, "share": k / 3, "pair": [k, None]} for key, k in TASKS.items()}
    assert list(found.results) == list(TASKS) == list(found.seconds)
    assert not found.stopped
    assert found.failures == {}


def test_two_workers_are_this_process_and_another(tmp_path):
    found = run(pieces.meeting, str(tmp_path), dict.fromkeys("abcdefgh", 0), workers=2)
    pids = {one["pid"] for one in found.results.values()}
    assert os.getpid() in pids
    assert len(pids) == 2
    other = next(one for one in found.results.values() if one["pid"] != os.getpid())
    assert other["threads"] == "1"


def test_processes_are_brought_in_when_that_pays(monkeypatch, tmp_path):
    monkeypatch.setenv("ARCWISE_THREADS", "2")
    monkeypatch.setattr("arcwise.running.runner.START", 0.2)
    alone = run(pieces.where, 0.001, dict.fromkeys("abcdef", 0))
    assert {one["pid"] for one in alone.results.values()} == {os.getpid()}
    both = run(pieces.meeting, str(tmp_path), dict.fromkeys("abcdefgh", 0))  # the first does not end by itself
    assert len({one["pid"] for one in both.results.values()}) == 2


def test_the_pace_decides(monkeypatch):
    """With many pieces that take as long as the second one, without waiting for a long one."""
    monkeypatch.setenv("ARCWISE_THREADS", "2")
    monkeypatch.setattr("arcwise.running.runner.START", 0.05)
    brought = []
    monkeypatch.setattr(runner._Here, "_bring_in", lambda self: brought.append(len(self._times)))
    run(pieces.where, 0.02, {str(k): k for k in range(20)})
    assert brought[0] == 2


def test_a_failed_piece_says_why_and_others_go_on():
    found = run(pieces.failing, None, TASKS, workers=1)
    assert set(found.results) == {"piece 0", "piece 4", "piece 5"}
    assert found.failures["piece 1"] == "column 'a' is empty; drop it"
    assert found.failures["piece 2"] == "ZeroDivisionError: by nothing"
    assert "JSON" in found.failures["piece 3"]
    assert not found.stopped
    assert run(pieces.failing, None, TASKS, workers=2).failures == found.failures


def test_a_killed_process_is_replaced_and_its_piece_run_again(tmp_path):
    found = run(pieces.deadly, (os.getpid(), str(tmp_path), 1), TASKS, workers=2)
    assert {key: one["value"] for key, one in found.results.items()} == TASKS
    assert any(one["deaths"] == 1 for one in found.results.values())


def test_a_piece_that_kills_its_process_again_and_again_fails(tmp_path):
    found = run(pieces.deadly, (os.getpid(), str(tmp_path), 9), {"a": 0, "b": 1, "c": 2}, workers=2)
    assert found.failures
    assert all("3 times" in words and "signal 9" in words for words in found.failures.values())
    assert {*found.results, *found.failures} == {"a", "b", "c"}


@pytest.mark.parametrize("workers", [1, 2])
def test_stopping_returns_at_once_what_is_finished(workers):
    end = time.monotonic() + 1.5
    monitor = StopWhen(as_monitor(None), lambda: time.monotonic() > end)
    found = run(pieces.patient, 0.4, {str(k): k for k in range(40)}, workers=workers, monitor=monitor)
    assert time.monotonic() < end + 0.4
    assert found.stopped
    assert 0 < len(found.results) < 10
    assert found.failures == {}


def test_progress_tells_what_is_done_and_left():
    heard: list[Progress] = []
    run(pieces.square, 1, TASKS, workers=1, monitor=as_monitor(heard.append), phase="squaring")
    assert [one.step for one in heard] == list(range(7))
    assert {one.phase for one in heard} == {"squaring"}
    assert heard[0].message == "0 done, 0 running, 6 left"
    assert heard[2].message.startswith("2 done, 0 running, 4 left, about ")
    assert heard[-1].fraction == 1.0
    assert heard[-1].message == "6 done, 0 running, 0 left"


def test_what_no_other_process_can_have_is_refused_by_name():
    def inner(shared, task, monitor):
        return {}

    with pytest.raises(OptionError, match="workers=1"):
        run(inner, None, TASKS, workers=2)
    with pytest.raises(OptionError, match="another process"):
        run(pieces.patient, threading.Lock(), TASKS, workers=2)
    assert len(run(inner, None, TASKS).results) == 6


@pytest.mark.parametrize("options", [{"workers": 0}, {"workers": 2, "scheduler": "tcp://127.0.0.1:1"}])
def test_odd_workers_are_refused(options):
    with pytest.raises(OptionError, match="workers"):
        run(pieces.square, 1, TASKS, **options)


def test_no_task_no_work():
    assert run(pieces.square, 1, {}).results == {}


class TestStore:
    def test_finished_pieces_are_not_run_again(self, tmp_path):
        store = Store(tmp_path / "run.jsonl", {"seed": 1})
        some = dict(list(TASKS.items())[:3])
        first = run(pieces.marked, (str(tmp_path), 0.0), some, workers=1, store=store)
        again = run(pieces.marked, (str(tmp_path), 0.0), TASKS, workers=1, store=store)
        assert {**first.results, **again.results} == again.results == {key: {"value": k} for key, k in TASKS.items()}
        assert all((tmp_path / f"{k}.txt").read_text() == "x" for k in TASKS.values())

    def test_failed_pieces_are_kept_in_words_and_tried_again(self, tmp_path):
        store = Store(tmp_path / "run.jsonl", {})
        run(pieces.failing, None, TASKS, workers=1, store=store)
        assert "column 'a' is empty" in store.path.read_text()
        found = run(pieces.square, 1, TASKS, workers=1, store=store)
        assert set(found.results) == set(TASKS)
        assert found.results["piece 4"] == {"value": 4}

    def test_a_torn_last_line_is_written_over(self, tmp_path):
        store = Store(tmp_path / "run.jsonl", {})
        whole = run(pieces.square, 1, TASKS, workers=1, store=store)
        content = store.path.read_bytes()
        for cut in (len(content) - 1, len(content) - 20, content.index(b"\n") + 5, content.index(b"\n"), 10, 0):
            store.path.write_bytes(content[:cut])
            assert run(pieces.square, 1, TASKS, workers=1, store=store).results == whole.results
            assert store.path.read_bytes().count(b"\n") == 7
            assert run(pieces.failing, 1, TASKS, workers=1, store=store).results == whole.results

    @pytest.mark.parametrize(
        ("what", "words"),
        [({"seed": 2, "spec": {"a": 1}}, "seed 1 instead of 2"), ({"seed": 1, "spec": {"a": 2}}, "another spec")],
    )
    def test_another_run_is_refused(self, tmp_path, what, words):
        path = tmp_path / "run.jsonl"
        run(pieces.square, 1, TASKS, workers=1, store=Store(path, {"seed": 1, "spec": {"a": 1}}))
        before = path.read_bytes()
        with pytest.raises(FileError, match=words):
            run(pieces.square, 1, TASKS, workers=1, store=Store(path, what))
        assert path.read_bytes() == before

    @pytest.mark.parametrize("content", ["a,b\n1,2\n", "no line", '{"format": "arcwise-result-1"}\n', "\n\n", "{}\n"])
    def test_other_files_are_refused_and_left_alone(self, tmp_path, content):
        path = tmp_path / "data.csv"
        path.write_text(content)
        with pytest.raises(FileError, match=r"choose another name"):
            run(pieces.square, 1, TASKS, workers=1, store=Store(path, {}))
        assert path.read_text() == content

    def test_a_damaged_line_is_named(self, tmp_path):
        store = Store(tmp_path / "run.jsonl", {})
        run(pieces.square, 1, TASKS, workers=1, store=store)
        lines = store.path.read_text().splitlines(keepends=True)
        store.path.write_text("".join([*lines[:2], "{}\n", *lines[3:]]))
        with pytest.raises(FileError, match="line 3"):
            run(pieces.square, 1, TASKS, workers=1, store=store)

    def test_one_program_at_a_time(self, tmp_path):
        pytest.importorskip("fcntl")
        store = Store(tmp_path / "run.jsonl", {})
        with store.opened(), pytest.raises(FileError, match="another program"):
            run(pieces.square, 1, TASKS, workers=1, store=store)

    def test_a_folder_that_is_not_there(self, tmp_path):
        with pytest.raises(FileError, match="cannot write"):
            run(pieces.square, 1, TASKS, store=Store(tmp_path / "none" / "run.jsonl", {}))

    @pytest.mark.parametrize("workers", [1, 2])
    def test_kill_minus_nine_loses_no_finished_piece(self, tmp_path, workers):
        path, root = tmp_path / "run.jsonl", Path(__file__).parents[3]
        program = (
            "from arcwise.running import Store, run\nfrom tests.unit.running import pieces\n"
            f"run(pieces.marked, ({str(tmp_path)!r}, 0.1), {{str(k): k for k in range(40)}}, workers={workers}, "
            f"store=Store({str(path)!r}, {{}}))"
        )
        where = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *filter(None, sys.path)])}
        going = subprocess.Popen([sys.executable, "-c", program], cwd=root, env=where)
        until = time.monotonic() + 60
        while not path.exists() or path.read_bytes().count(b"\n") < 8:
            assert time.monotonic() < until
            assert going.poll() is None
            time.sleep(0.01)
        going.kill()
        going.wait()
        kept = path.read_bytes().count(b"\n") - 1
        time.sleep(0.5)
        marks = len(list(tmp_path.glob("*.txt")))
        assert marks <= kept + workers  # and the process beside the killed one is gone, too
        found = run(pieces.marked, (str(tmp_path), 0.0), {str(k): k for k in range(40)}, store=Store(path, {}))
        assert found.results == {str(k): {"value": k} for k in range(40)}
        assert sum(len(mark.read_text()) for mark in tmp_path.glob("*.txt")) <= 40 + workers
