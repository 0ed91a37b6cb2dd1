from __future__ import annotations

import numpy as np
import pytest

from arcwise.data.dataset import Dataset
from arcwise.scores.dirichlet import BDeu
from arcwise.search import GES, Exhaustive, HillClimb, K2Search, OptimalReinsertion, SparseCandidate, Tabu

PAIR = "max_table = 20 permits no edge between 'a' and 'b'; raise it, or leave it out"


@pytest.fixture(scope="module")
def data() -> Dataset:
    rng = np.random.default_rng(0)
    a = rng.integers(6, size=300)
    codes = {"a": a, "b": np.where(rng.random(300) < 0.8, a, rng.integers(6, size=300)), "c": rng.integers(2, size=300)}
    return Dataset.from_frame({name: [f"l{v}" for v in column] for name, column in codes.items()})


@pytest.mark.parametrize("search", [HillClimb, Tabu, GES, K2Search, Exhaustive, OptimalReinsertion, None])
def test_a_limit_names_the_columns_that_it_keeps_apart(search, data):
    def learn(**options):
        part = search(score=BDeu(), **options) if search else SparseCandidate(search=HillClimb(score=BDeu(), **options))
        return part.learn(data, rng=np.random.default_rng(0))

    free, limited, wide = learn(), learn(max_table=20), learn(max_table=36)
    assert free.cpdag.adjacent("a", "b")
    assert not limited.cpdag.adjacent("a", "b")
    assert PAIR in limited.warnings
    assert wide.cpdag.adjacent("a", "b")
    assert not any("max_table" in warning for warning in (*free.warnings, *wide.warnings))


def test_restarts_keep_to_the_limit(data):
    for search in (HillClimb(restarts=5, max_table=20), Tabu(restarts=5, max_table=20)):
        assert not search.learn(data, rng=np.random.default_rng(1)).cpdag.adjacent("a", "b")
