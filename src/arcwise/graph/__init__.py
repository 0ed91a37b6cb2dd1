"""Graphs over named nodes: directed acyclic, partially directed, and their files."""

from importlib import import_module
from typing import Any

from arcwise.graph.dag import Dag
from arcwise.graph.io import load, save
from arcwise.graph.pdag import Pdag

__all__ = ["Dag", "Pdag", "draw", "load", "save"]


def __getattr__(name: str) -> Any:
    """Pictures lie above graphs: `draw` is there when first asked for."""
    if name == "draw":
        return import_module("arcwise.drawing").draw
    raise AttributeError(f"module 'arcwise.graph' has no attribute {name!r}")
