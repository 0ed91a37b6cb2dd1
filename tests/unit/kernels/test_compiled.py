"""How kernels are compiled, also by a Numba that knows fewer options."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numba import njit

from arcwise._kernels.compiled import LEAN, inner, kernel, lean, lean_kernel

CODE = """
import numpy as np
from numba import njit
from numba.core.registry import cpu_target

for known in cpu_target.options.__mro__:
    if "_nrt" in vars(known):
        del known._nrt
from arcwise._kernels.compiled import lean, lean_kernel

@lean
def first(pair):
    return pair[0][0]

@lean_kernel
def both(pair):
    return first(pair) + pair[1][0]

print(both((np.ones(2), np.ones(2))))
try:
    njit(_nrt=False)(both.py_func)((np.ones(2), np.ones(2)))
except KeyError:
    print("unknown")
"""


def test_references_are_counted_where_numba_knows_no_other_way():
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["2.0", "unknown"]


def test_a_lean_kernel_cannot_make_an_array():
    assert LEAN["_nrt"] is False
    with pytest.raises(Exception, match="NRT required but not enabled"):
        lean_kernel(lambda n: np.zeros(n).sum())(2)


def test_functions_are_decorated_with_and_without_options():
    @inner(fastmath=True)
    def square(x):
        return x * x

    @lean
    def half(x):
        return 0.5 * x

    @kernel(error_model="numpy")
    def sum_of_both(x):
        return square(x) + half(x) + 1.0 / (x - x)

    assert sum_of_both(2.0) == np.inf
    assert njit(lambda x: square(x) + half(x))(2.0) == 5.0
    assert square.targetoptions["fastmath"] is True
    assert "fastmath" not in inner(half.py_func).targetoptions
