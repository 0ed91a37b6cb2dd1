"""Results and tables made by hand, of any size, so that pages need no learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwise import Dataset, LearnResult, Pdag
from arcwise.data.dataset import Column, Kind
from arcwise.data.discretization import Discretization
from arcwise.results.strengths import Strengths

EVIL = "</script><script>alert(1)</script>"


def made(
    n: int, edges: int, *, rows: int = 300, names: Sequence[str] = (), shares: bool = True
) -> tuple[LearnResult, Dataset]:
    """Columns that follow their parents, every third of them discrete; a third of the edges has no direction."""
    rng = np.random.default_rng(n)
    names = names or [f"column {k}" for k in range(n)]
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < edges:
        i = int(rng.integers(n - 1))
        pairs.add((i, min(n - 1, i + int(rng.geometric(0.2)))))
    raw: list[np.ndarray] = []
    for j in range(n):
        above = sum((raw[i] for i, k in sorted(pairs) if k == j), np.zeros(rows))
        raw.append(above / max(1.0, float(np.std(above))) + rng.normal(size=rows))
    words = np.array(["low", "middle", "high"])
    columns = {
        name: values if k % 3 else words[np.digitize(values, [-0.5, 0.5])]
        for k, (name, values) in enumerate(zip(names, raw, strict=True))
    }
    data = Dataset.from_frame(columns, continuous=[name for k, name in enumerate(names) if k % 3])
    found = [(names[i], names[j]) for i, j in sorted(pairs)]
    cut = 2 * len(found) // 3
    result = LearnResult(Pdag(names, directed=found[:cut], undirected=found[cut:]), method="made", seed=0)
    if not shares:
        return result, data
    adjacent = np.triu(0.3 * rng.random((n, n)), 1)
    for k, (i, j) in enumerate(sorted(pairs)):
        adjacent[i, j] = 1.0 - 0.6 * k / edges
    adjacent += adjacent.T
    return replace(result, bootstrap=Strengths(tuple(names), 100, adjacent, 0.4 * adjacent)), data


def awkward() -> tuple[LearnResult, Dataset]:
    """Missing cells, a constant, a column without any value, thresholds, many levels, weights, edges with two heads."""
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(4, 120))
    numbers[0, :30] = np.nan
    numbers[2], numbers[3] = 2.5, np.nan
    columns = [
        Column(name, Kind.CONTINUOUS, values, missing=np.isnan(values))
        for name, values in zip(("holes", "cut", "constant", "nothing"), numbers, strict=True)
    ]
    codes = rng.integers(0, 40, 120).astype(np.uint8)
    columns.append(Column("many", Kind.DISCRETE, codes, tuple(f"level {k}" for k in range(40)), missing=codes == 3))
    data = Dataset(tuple(columns), weights=rng.integers(1, 5, 120))
    pairs = [("cut", "holes"), ("cut", "many"), ("constant", "cut"), ("many", "nothing")]
    pattern = Pdag(data.names, directed=pairs[:1], undirected=pairs[2:], bidirected=pairs[1:2])
    return LearnResult(pattern, discretization=Discretization({"cut": np.array([-0.5, 0.5])})), data
