"""Two dependent columns of 1100 levels: every preset joins them or says by name why it does not."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import catalog

# Indicator variables of 1100 levels take minutes here; they count no tables.
SLOW = {"gaussian", "neural", "neural-discretized", "pc-recursive-median"}


@pytest.fixture(scope="module")
def table() -> dict[str, list[str]]:
    rng = np.random.default_rng(0)
    left = np.concatenate([np.arange(1100), rng.integers(1100, size=4400)])
    right = np.where(rng.random(5500) < 0.97, (7 * left + 3) % 1100, rng.integers(1100, size=5500))
    cause = rng.integers(3, size=5500)
    effect = np.where(rng.random(5500) < 0.8, cause, rng.integers(3, size=5500))
    return {
        name: [f"{name}{v}" for v in codes] for name, codes in zip("abcd", (left, right, cause, effect), strict=True)
    }


@pytest.mark.parametrize("method", sorted(set(catalog.METHODS) - SLOW))
def test_many_levels_are_no_silent_reason_to_leave_an_edge_out(method: str, table: dict[str, list[str]]) -> None:
    result = arcwise.learn(table, method, seed=0)
    assert result.cpdag.adjacent("c", "d")
    named = [w for w in result.warnings if ("'a'" in w and "'b'" in w) or "a - b" in w]
    assert result.cpdag.adjacent("a", "b") or named
