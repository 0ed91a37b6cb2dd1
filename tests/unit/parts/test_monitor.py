"""Deadlines and Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from arcwise.parts.monitor import SILENT, Progress, stop_on_interrupt, with_deadline

pytestmark = pytest.mark.usefixtures("heeded_signals")


class Recorder:
    def __init__(self):
        self.heard = []

    def report(self, progress):
        self.heard.append(progress)

    def should_stop(self):
        return False


def test_a_deadline_passes_reports_on_and_stops_in_time():
    recorder = Recorder()
    assert not with_deadline(recorder, 1000).should_stop()
    late = with_deadline(recorder, -1)
    late.report(Progress("search", 1))
    assert late.should_stop()
    assert recorder.heard == [Progress("search", 1)]


def test_first_interrupt_stops_second_raises():
    before = signal.getsignal(signal.SIGINT)
    with stop_on_interrupt(SILENT) as monitor:
        assert not monitor.should_stop()
        os.kill(os.getpid(), signal.SIGINT)
        assert monitor.should_stop()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_are_left_alone():
    seen = []

    def work():
        with stop_on_interrupt(SILENT) as monitor:
            seen.append(monitor)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen[0].inner is SILENT
    assert not seen[0].should_stop()


def test_a_block_within_a_block_knows_the_same_ctrl_c():
    with stop_on_interrupt(SILENT) as outer:
        mine = outer.around(SILENT)
        with stop_on_interrupt(mine) as inner:
            assert inner is mine
            signal.raise_signal(signal.SIGINT)
        assert inner.should_stop()
        assert outer.stop()


def test_a_program_may_listen_to_other_signals():
    handlers = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    with stop_on_interrupt(SILENT, tuple(handlers)) as monitor:
        signal.raise_signal(signal.SIGTERM)
        assert monitor.should_stop()
        assert monitor.around(SILENT).should_stop()
        assert list(monitor.signals) == [signal.SIGTERM]
        with pytest.raises(KeyboardInterrupt) as caught:
            signal.raise_signal(signal.SIGHUP)
        assert caught.value.args == (signal.SIGHUP,)
    assert {one: signal.getsignal(one) for one in handlers} == handlers


def test_a_signal_that_is_ignored_stays_ignored():
    """As under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stop_on_interrupt(SILENT, (signal.SIGINT, signal.SIGHUP)) as monitor:
            signal.raise_signal(signal.SIGHUP)
            assert not monitor.should_stop()
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_other_signals_are_left_to_the_program():
    before = signal.getsignal(signal.SIGTERM)
    with stop_on_interrupt(SILENT):
        assert signal.getsignal(signal.SIGTERM) is before
