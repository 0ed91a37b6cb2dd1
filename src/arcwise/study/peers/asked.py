"""What a peer is asked: a table as its algorithm takes it, and what it finds there."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from typing import Any

import numpy as np

from arcwise.data.dataset import Dataset, FloatArray
from arcwise.data.discretization import Discretization
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.graph.pdag import Pdag

REMEDY = "pip install 'arcwise[peers]'"


class View(Enum):
    """What a score or a test takes columns for."""

    LEVELS = "levels"  # numbers are cut into bins first
    NUMBERS = "numbers"  # every column must be one
    OWN = "own"  # each column as what it is


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """data: levels only, where the view says so. by: the name of the score or test. seed: of all random numbers."""

    data: Dataset
    by: str
    seed: int

    @property
    def names(self) -> tuple[str, ...]:
        return self.data.names

    def frame(self) -> Any:
        """A pandas frame: numbers, and categories for levels."""
        return self.data.to_pandas()

    def codes(self) -> FloatArray:
        """A column each: numbers, or the numbers of the levels."""
        return np.column_stack([column.values for column in self.data.columns]).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Algorithm:
    """One of a library's ways to learn. word: what the plan calls the choice among `choices`, "score" or "test".

    choices: the view that each of them has, and the conditional model that its networks are judged by; the first one
    is the default. run: the graph that was found, a Dag or a pattern.
    cut: the library's own way to cut numbers; None where they are cut into bins of equal frequency by arcwise.
    """

    word: str
    choices: Mapping[str, tuple[View, str]]
    run: Callable[[Asked], Dag | Pdag]
    cut: Callable[[Dataset, int], Discretization] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Peer:
    """distribution: what pip calls it."""

    distribution: str
    algorithms: Mapping[str, Algorithm]


def library(module: str) -> Any:
    """A module of a peer; an error in one sentence where it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise OptionError(f"{name} is not installed; install it ({REMEDY}), then run with --retry") from None


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """The global generators of Python and NumPy, which some libraries draw from, begin at the seed within the block."""
    before, numpy_before = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(before)
        np.random.set_state(numpy_before)  # noqa: NPY002


def pattern(names: tuple[str, ...], directed: Any, undirected: Any) -> Pdag:
    """Edges as a library lists them; an arc that is listed both ways has two arrowheads."""
    arcs = {(str(a), str(b)) for a, b in directed}
    return Pdag(
        names,
        directed=sorted(arc for arc in arcs if arc[::-1] not in arcs),
        undirected=sorted((str(a), str(b)) for a, b in undirected),
        bidirected=sorted(arc for arc in arcs if arc[::-1] in arcs and arc[0] < arc[1]),
    )
