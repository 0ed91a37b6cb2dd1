"""The bits of a result do not depend on which kernels were loaded before, nor on whether they were compiled or read."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from numba import njit

from arcwise._kernels.compiled import inner, kernel, lean, lean_kernel
from arcwise._kernels.own_copies import WEAK

TRAINED = """
import numpy as np
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.scores.neural import NeuralPrequential

rng = np.random.default_rng(1)
x, y = rng.normal(size=(2, 200))
columns = tuple(Column(name, Kind.CONTINUOUS, values) for name, values in (("x", x), ("y", y)))
print(NeuralPrequential().bind(Dataset(columns)).local_score(0, [1]).hex())
"""


def many_sums(summed):
    """A function too large to be worked into its caller, which would leave no copy of it."""

    @summed(fastmath={"reassoc"})
    def sums(x):
        total = 0.0
        for power in range(8):
            part = 0.0
            for i in range(x.shape[0]):
                part += np.sin(x[i] + power) / (1.0 + x[i] * power)
            total += part * part
        return total

    return sums


def weak_names(dispatcher):
    (compiled,) = dispatcher.overloads.values()
    functions = compiled.library._final_module.functions
    return [one.name for one in functions if one.linkage.name == WEAK and one.name.startswith("_ZN")]


@pytest.mark.parametrize(("compiling", "called"), [(kernel, inner), (lean_kernel, lean)])
def test_no_other_kernel_gets_the_copy_of_one(compiling, called):
    sums = many_sums(called)

    def twice(x):
        return sums(x) + sums(x[1:])

    own, shared, x = compiling(twice), njit(twice), np.arange(5.0)
    assert own(x) == pytest.approx(shared(x))
    assert any("many_sums" in name for name in weak_names(shared))  # what Numba does by itself
    assert weak_names(own) == []


@pytest.mark.slow
def test_a_kernel_from_a_file_gives_the_same_bits_as_one_just_compiled(tmp_path):
    def run():
        env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        return subprocess.run([sys.executable, "-c", TRAINED], capture_output=True, text=True, check=True, env=env)

    first, second = run(), run()
    assert first.stdout == second.stdout != ""
    assert "compiling" in first.stderr
    assert "compiling" not in second.stderr
