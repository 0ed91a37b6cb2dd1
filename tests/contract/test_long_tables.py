"""Every method on a table whose rows cannot be read at once: it asks for sums over them, or is given a sample.

The columns here have no values; whoever touches them all the same, without having said that it reads rows, ends in an
error. So a part that forgets to declare `reads_rows` is found.
"""

from __future__ import annotations

import numpy as np
import pytest

import arcwise
from arcwise import catalog
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.learners import sampled
from arcwise.learners.sampled import row_reader
from tests.unit.running.in_parts import in_parts

N = 600
SAMPLE = 300


def mixed():
    rng = np.random.default_rng(5)
    x = rng.normal(size=N)
    y = x + 0.5 * rng.normal(size=N)
    a = (y + 0.5 * rng.normal(size=N) > 0).astype(np.uint8)
    b = np.where(rng.random(N) < 0.8, a, rng.integers(0, 3, N)).astype(np.uint8)
    return Dataset(
        (
            Column("x", Kind.CONTINUOUS, x),
            Column("y", Kind.CONTINUOUS, y),
            Column("a", Kind.DISCRETE, a, ("low", "high")),
            Column("b", Kind.DISCRETE, b, ("p", "q", "r")),
        )
    )


def levels():
    data = arcwise.networks.load("insurance").sample(N, seed=2)
    return data.select(["Age", "RiskAversion", "SeniorTrain", "DrivingSkill", "GoodStudent"])


@pytest.fixture(autouse=True)
def _short_samples(monkeypatch):
    monkeypatch.setattr(sampled, "SAMPLE_ROWS", SAMPLE)


@pytest.mark.parametrize("table", [mixed, levels], ids=["mixed", "levels"])
@pytest.mark.parametrize("method", [name for name in catalog.METHODS if name != "neural"])
def test_rows_are_read_by_those_alone_that_say_so(method, table):
    data = table()
    far, _ = in_parts(data, [])
    found = arcwise.learn(far, method, deadline=30)
    reader = row_reader(catalog.METHODS[method].learner, data)
    said = [one for one in found.warnings if "random sample" in one]
    if reader is None:
        assert not said
        assert found.cpdag == arcwise.learn(data, method, deadline=30).cpdag
    else:
        assert f"random sample of {SAMPLE} of {N} rows" in said[0]
        assert found.spec["kind"] == "sampled"
        assert found.spec["rows"] == SAMPLE
    assert found.method == method
    assert found.data.n_rows == N


@pytest.mark.parametrize("part", [*catalog.SCORES.values(), *catalog.TESTS.values()], ids=lambda part: part.kind)
def test_scores_and_tests_that_do_not_say_so_ask_for_sums(part):
    """Also those that no preset has."""
    learner = catalog.LEARNERS["hill-climb"] if part in catalog.SCORES.values() else catalog.LEARNERS["pc"]
    option = "score" if part in catalog.SCORES.values() else "test"
    one = learner(**{option: part()})
    for data in (mixed(), levels()):
        kinds = {Kind(kind) for kind in data.kinds}
        if kinds <= part.accepts and row_reader(one, data) is None:
            far, _ = in_parts(data, [])
            assert arcwise.learn(far, one).cpdag == arcwise.learn(data, one).cpdag


@pytest.mark.parametrize("part", catalog.DISCRETIZERS.values(), ids=lambda part: part.kind)
def test_discretizers_that_do_not_say_so_ask_for_sums(part):
    data = mixed()
    rounded = Column("x", Kind.CONTINUOUS, np.round(data.column("x").values, 1))
    data = Dataset((rounded, *data.columns[2:]))
    one = catalog.LEARNERS["two-stage"](discretizer=part())
    far, _ = in_parts(data, [])
    assert row_reader(one, data) is None
    assert arcwise.learn(far, one).discretization == arcwise.learn(data, one).discretization
