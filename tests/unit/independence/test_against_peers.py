"""p-values against frozen numbers of other libraries (tests/reference/make_independence.py made them)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arcwise.independence import ChiSquared, FisherZ, GSquared
from tests.oracle.independence import levels, numbers

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "independence.json").read_text())
NAMES = REFERENCE["names"]
QUESTIONS = REFERENCE["questions"]
COUNTED = {"chi-squared": ChiSquared(min_per_cell=0), "g-squared": GSquared(min_per_cell=0)}


def discrete():
    cards = dict(zip(NAMES, REFERENCE["cards"], strict=True))
    return levels(dict(zip(NAMES, REFERENCE["discrete"], strict=True)), cards)


def answers(part, data):
    bound = part.bind(data)
    return [bound.test(NAMES.index(x), NAMES.index(y), [NAMES.index(u) for u in z]) for x, y, z in QUESTIONS]


def test_fisher_z_agrees_with_causal_learn():
    """causal-learn takes 2 (1 - Phi(z)), which is exact to 1e-16 only in absolute terms."""
    ours = answers(FisherZ(), numbers(dict(zip(NAMES, REFERENCE["continuous"], strict=True))))
    assert [a.value for a in ours] == pytest.approx(REFERENCE["causal-learn"]["fisher-z"], rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("kind", COUNTED)
def test_counted_tests_agree_with_causal_learn(kind):
    ours = answers(COUNTED[kind], discrete())
    assert [a.value for a in ours] == pytest.approx(REFERENCE["causal-learn"][kind], rel=1e-9)


@pytest.mark.parametrize("kind", COUNTED)
def test_counted_tests_agree_with_scipy_where_nothing_is_given(kind):
    ours = [a for a, (_, _, z) in zip(answers(COUNTED[kind], discrete()), QUESTIONS, strict=True) if not z]
    for a, (value, p, df) in zip(ours, REFERENCE["scipy"][kind], strict=True):
        assert (a.statistic, a.value, a.details["df"]) == pytest.approx((value, p, df), rel=1e-9)


@pytest.mark.parametrize("kind", COUNTED)
def test_counted_tests_agree_with_pgmpy_without_its_correction(kind):
    """pgmpy applies Yates' correction to strata with two rows and two columns; the last-but-two set has such strata."""
    compared = 0
    for (_, _, z), a, theirs in zip(
        QUESTIONS, answers(COUNTED[kind], discrete()), REFERENCE["pgmpy"][kind], strict=True
    ):
        if z not in (["b", "c"], ["b", "c", "d"]):
            assert (a.statistic, a.value, a.details["df"]) == pytest.approx(tuple(theirs), rel=1e-9)
            compared += 1
    assert compared == 7
