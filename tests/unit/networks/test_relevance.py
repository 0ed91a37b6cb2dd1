"""What a question about a node needs: known answers, and sums over everything as the judge."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.errors import DataError, OptionError
from arcwise.networks import load
from arcwise.networks.inference import elimination
from arcwise.networks.inference.elimination import requisite, with_ancestors

# 0 -> 2 <- 1, 2 -> 3 -> 4, 5 -> 4
PARENTS = [[], [], [0, 1], [2], [3, 5], []]


def test_ancestors() -> None:
    assert with_ancestors(PARENTS, [3]) == {0, 1, 2, 3}
    assert with_ancestors(PARENTS, []) == set()


@pytest.mark.parametrize(
    ("target", "known", "unknown", "families"),
    [
        (0, [], [0], [0]),  # nothing below is known
        (0, [1], [0], [0]),  # the other parent of an unknown child says nothing
        (0, [1, 2], [0], [0, 2]),  # explaining away
        (0, [2, 3, 4, 5], [0, 1], [0, 1, 2]),  # 2 hides what is below
        (0, [3], [0, 1, 2], [0, 1, 2, 3]),
        (3, [0, 1, 2, 4, 5], [3], [3, 4]),  # the Markov blanket
        (3, [2, 4], [3, 5], [3, 4, 5]),
        (3, [3, 2], [3], [3]),  # the target itself is no evidence
    ],
)
def test_what_is_needed(target: int, known: list[int], unknown: list[int], families: list[int]) -> None:
    assert requisite(PARENTS, target, known) == (unknown, families)


def test_too_large_questions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    net = load("alarm")
    rows = net.sample(50, seed=1).select(["BP", "HRBP", "CVP", "SAO2"])
    expected = net.expected("LVFAILURE", rows)
    monkeypatch.setattr(elimination, "CHUNK", 100)  # row by row it is the same
    np.testing.assert_allclose(net.expected("LVFAILURE", rows), expected, rtol=1e-12)
    monkeypatch.setattr(elimination, "MOST_WORK", 100)
    with pytest.raises(OptionError, match=r"numbers for each of \d+ different rows; ask for fewer rows"):
        net.expected("LVFAILURE", rows)
    monkeypatch.setattr(elimination, "LARGEST_FACTOR", 10)
    with pytest.raises(OptionError, match="the exact answer needs a table of"):
        net.expected("LVFAILURE", rows)


def test_unknown_states_are_named() -> None:
    net = load("alarm")
    other = load("child").sample(5, seed=1).select(["Age"])
    strange = other.columns[0]
    column = type(strange)("BP", strange.kind, strange.values, strange.levels)
    with pytest.raises(DataError, match="column 'BP': unknown state"):
        net.expected("CO", type(other)((column,)))
