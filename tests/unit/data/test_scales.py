"""The order that levels tell by their names."""

from __future__ import annotations

import random

import pytest

from arcwise.data.discretization import Discretization
from arcwise.data.scales import SCALES, any_order, order_told, range_order, scale_order, stand_in_order


@pytest.mark.parametrize(
    "wanted",
    [
        ("low", "medium", "high"),
        ("Low", "Middle", "High", "Very high"),
        ("NEVER", "RARELY", "SOMETIMES", "OFTEN", "ALWAYS"),
        ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
        ("Strongly_Disagree", "neither agree nor disagree", "Strongly-Agree"),
        ("poor", "fair", "good", "excellent"),
        ("small", "medium", "large"),
        ("none", "mild", "moderate", "severe"),
        ("first", "second", "third"),
    ],
)
def test_words_of_a_scale_tell_their_order(wanted):
    shuffled = sorted(wanted, key=lambda label: random.Random(label).random())
    assert scale_order(shuffled) == wanted
    assert order_told(shuffled) == (wanted, "scale")


@pytest.mark.parametrize(
    "labels",
    [
        ("low", "medium", "high", "unknown"),
        ("low", "medium", "middle"),  # two words for one place
        ("small", "moderate", "always"),
        ("red", "green", "blue"),
        ("S", "M", "L"),
        (),
    ],
)
def test_other_words_tell_none(labels):
    assert scale_order(labels) is None
    assert order_told(labels) is None


def test_two_levels_are_just_two_levels():
    assert order_told(("low", "high")) is None
    assert order_told(("0-9", "10-19")) is None
    assert any_order(("high", "low")) == ("low", "high")


def test_scales_do_not_contradict_each_other():
    """Words that two scales have stand in the same order in both, or nobody could say which scale is meant."""
    places = [{word: k for k, words in enumerate(scale) for word in words} for scale in SCALES]
    for i, first in enumerate(places):
        assert sum(map(len, SCALES[i])) == len(first), "a word stands at two places of one scale"
        for other in places[:i]:
            both = sorted(set(first) & set(other))
            for a in both:
                for b in both:
                    if first[a] < first[b]:
                        assert other[a] <= other[b], (a, b)


@pytest.mark.parametrize(
    "wanted",
    [
        ("<5", "5-9", "10-19", ">=65"),
        ("0-9", "10-19", "20-29"),
        ("0", "1-2", "3+"),
        ("1,000-1,999", "2,000-2,999", "10,000+"),
        ("(-inf, 0]", "(0, 1.5]", "(1.5, inf]"),
        ("under 18", "18 to 64", "65 and over"),
        ("< -2.5", "-2.5 to 1e+06", ">= 1e+06"),
    ],
)
def test_ranges_tell_their_order(wanted):
    assert range_order(wanted[::-1]) == wanted
    assert order_told(sorted(wanted)) == (wanted, "ranges")


@pytest.mark.parametrize(
    "labels",
    [
        ("1-2", "1-3", "2-5"),  # they overlap
        ("2-1", "3-1", "3-2"),
        ("1", "2", "3"),  # numbers: not for names to tell
        ("0-9", "10-19", "other"),
        ("2020-01", "2020-02", "2020-03"),
        ("5-9", "5 - 9", "10-14"),
    ],
)
def test_other_numbers_tell_none(labels):
    assert range_order(labels) is None


def test_numbers_in_names_tell_an_order_only_when_asked():
    labels = ("stage 10", "stage 2", "stage 1")
    assert order_told(labels) is None
    assert any_order(labels) == ("stage 1", "stage 2", "stage 10")


@pytest.mark.parametrize("cuts", [[1.5, 2.5], [-1.0, 0.0, 2000.5], [1e-5, 3e7], [-7.25, -3.0, 4.5, 1e300]])
def test_levels_of_thresholds_tell_their_order(cuts):
    levels = Discretization({"x": cuts}).levels("x")
    assert range_order(sorted(levels)) == levels


@pytest.mark.parametrize(
    ("labels", "wanted"),
    [
        (("low", "normal", "high"), True),
        (("severe", "mild", "none"), True),  # from the other end
        (("normal", "low", "high"), False),
        (("1", "2", "10"), True),
        (("1", "10", "2"), False),
        (("<5", "5-12", "12+"), True),
        (("no", "yes"), True),
        (("red", "green", "blue"), False),
    ],
)
def test_labels_as_they_are_listed_are_in_order_or_not(labels, wanted):
    assert stand_in_order(labels) is wanted
