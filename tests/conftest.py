"""Settings for all property tests: no time limits (machines are noisy), and the same examples in every CI run.

Tests that send signals ask for `heeded_signals`.
"""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import settings

settings.register_profile("arcwise", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("arcwise")


@pytest.fixture
def heeded_signals():
    """Signals that end a program do so, here and in every process that a test starts, which inherits what is ignored.

    A shell has what it starts in the background ignore SIGINT, and nohup SIGHUP; the tests may be started so.
    """
    usual = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}
    known = {getattr(signal, name): handler for name, handler in usual.items() if hasattr(signal, name)}
    before = {one: signal.signal(one, handler) for one, handler in known.items()}
    yield
    for one, handler in before.items():
        signal.signal(one, handler)
