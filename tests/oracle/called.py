"""Parts of kernels, which only kernels call, called from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def called(part: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with a way in from Python."""
    return njit(getattr(part, "py_func", part))
