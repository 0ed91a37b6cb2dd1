"""Kernels that call others by their address."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numba import njit, types

from arcwise._kernels.by_address import address_of, calling

call = calling(types.float64)


@njit
def total(values, factor):
    found = 0.0
    for value in values:
        found += factor * value
    return found


@njit
def others(values):
    return 1.0 * values.shape[0]


@njit
def outer(address, values, factor):
    return call(address, values, factor)


def test_what_is_called_is_the_kernel_at_the_address():
    values = np.arange(4.0)
    assert outer(address_of(total, values, 2.0), values, 2.0) == 12.0
    assert address_of(total, values, 2.0) == address_of(total, np.zeros(9), 7.0)  # types matter, values do not


@pytest.mark.parametrize("other", [np.arange(4), np.zeros((2, 2)), np.arange(8.0)[::2]])
def test_arguments_of_other_types_are_refused(other):
    address = address_of(total, np.arange(4.0), 2.0)
    with pytest.raises(TypeError, match="arguments of other types"):
        outer(address, other, 2.0)
    with pytest.raises(TypeError, match="arguments of other types"):
        outer(address_of(others, np.arange(4.0)), np.arange(4.0), 2.0)


RUN = """
import arcwise
from arcwise import networks
from numba.core import event

class Compiled(event.Listener):
    def on_start(self, event): print("compiled", event.data["dispatcher"].py_func.__name__)
    def on_end(self, event): pass

event.register("numba:compile", Compiled())
print(arcwise.learn(networks.load("child").sample(300, seed=1), "hill-climb").score)
"""


def test_kernels_that_were_kept_are_called_as_those_just_compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("ARCWISE_QUIET", "1")
    first, second = (
        subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, check=True).stdout for _ in range(2)
    )
    assert "compiled" not in second
    assert first.splitlines()[-1] == second.splitlines()[-1]
