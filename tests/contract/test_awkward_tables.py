"""Every method for continuous columns gives a sane answer on tables that are hard to cut."""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.data.dataset import Dataset


def tables():
    rng = np.random.default_rng(3)
    x = rng.normal(size=5)
    yield "five rows", {"x": x, "y": x + rng.normal(size=5)}
    yield "two rows", {"x": [1.0, 2.0], "y": [5.0, 3.0]}
    x = rng.normal(size=60)
    noisy = x + rng.normal(size=60)
    yield "one column", {"x": x}
    yield "constant", {"x": x, "c": np.full(60, 2.5), "y": noisy}
    yield "all constant", {"x": np.zeros(60), "y": np.ones(60)}
    yield "two values", {"x": x, "b": (x > 0) * 1.5, "y": noisy}
    yield "ties", {"x": np.round(x), "y": np.round(noisy, 1)}
    yield "one value nearly always", {"x": np.where(np.arange(60) == 7, 1.0, 0.0), "y": noisy}
    yield "outliers", {"x": np.where(np.arange(60) == 3, 1e300, np.where(np.arange(60) == 40, -1e300, x)), "y": noisy}
    yield "whole range", {"x": 1.7e308 * np.linspace(-1, 1, 60), "y": noisy}
    yield "smallest numbers", {"x": 5e-324 * rng.integers(0, 6, 60), "y": noisy}
    step = 1 + np.finfo(float).eps * rng.integers(0, 4, 60)
    yield "neighbouring numbers", {"x": step, "y": np.round(noisy)}
    yield "duplicates", {"x": x, "same": x, "minus": -x}


CASES = dict(tables())
METHODS = sorted(catalog.METHODS)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", METHODS)
def test_awkward_columns_get_a_sane_answer(method, name, tmp_path):
    frame = {column: np.asarray(values, dtype=float) for column, values in CASES[name].items()}
    data = Dataset.from_frame(frame, continuous=list(frame))
    many = [path for path in catalog.METHODS[method].options if path.rpartition(".")[2] == "bins"]
    for options in ({}, dict.fromkeys(many, 50)):  # also more bins than there are values
        result = arcwise.learn(data, method, **options)
        assert result.status == "converged"
        assert result.score is None or np.isfinite(result.score)
        assert all(np.isfinite(one.joint_score) for one in result.rounds)
        assert result.names == data.names
        if result.discretization is not None:
            cut = result.discretization.apply(data)
            for column in cut.columns:
                assert np.all(np.bincount(column.values, minlength=column.cardinality) > 0), column.name
        constant = [n for n, values in frame.items() if np.ptp(values / 2) == 0]
        assert {name for pair in result.cpdag.skeleton for name in pair}.isdisjoint(constant)
        result.save(tmp_path / "result.json")
        assert method in str(result)
