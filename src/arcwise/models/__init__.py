"""Conditional distributions of one column given others, and networks made of them.

`models.fit.fit` fits a graph to data, `models.network.FittedNetwork` is what comes of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES = ("fit", "linear_gaussian", "mixture_density", "network", "neural", "softmax", "table")


def __getattr__(name: str) -> Any:
    """Submodules are imported when first used: some of them start the compiler."""
    if name in _MODULES:
        return import_module(f"arcwise.models.{name}")
    raise AttributeError(f"module 'arcwise.models' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(_MODULES)
