"""The inference of kinds: each rule at its boundary, and levels in canonical order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arcwise.data.dataset import Kind, TypingDecision
from arcwise.data.kinds import DOUBTFUL_FRACTIONS, DOUBTFUL_WHOLE, MAX_DISCRETE
from arcwise.data.reading.door import as_dataset as from_frame
from arcwise.errors import DataError


def decide(values: Any, **options: Any) -> TypingDecision:
    return from_frame({"x": values}, **options).decisions[0]


def cycle(n_distinct: int, n_rows: int, scale: float = 1) -> np.ndarray:
    return (np.arange(n_rows) % n_distinct) * scale


@pytest.mark.parametrize("scale", [1, 1.0])
def test_whole_numbers(scale: float) -> None:
    few = decide(cycle(MAX_DISCRETE, 100, scale))
    assert few == TypingDecision("x", Kind.DISCRETE, "integers with 10 distinct values", doubtful=False)
    more = decide(cycle(MAX_DISCRETE + 1, 100, scale))
    assert more == TypingDecision("x", Kind.CONTINUOUS, "integers with 11 distinct values, more than 10", doubtful=True)
    assert decide(cycle(DOUBTFUL_WHOLE, 100, scale)).doubtful
    many = decide(cycle(DOUBTFUL_WHOLE + 1, 100, scale))
    assert many == TypingDecision("x", Kind.CONTINUOUS, "integers with more than 20 distinct values", doubtful=False)


def test_whole_numbers_in_few_rows() -> None:
    assert decide(cycle(4, 8)).kind is Kind.DISCRETE
    rare = decide(cycle(4, 7))
    assert rare == TypingDecision(
        "x", Kind.CONTINUOUS, "integers with 4 distinct values, in only 7 rows", doubtful=True
    )


def test_numbers_with_fractions() -> None:
    few = decide(cycle(DOUBTFUL_FRACTIONS, 100, 0.5))
    assert few.kind is Kind.CONTINUOUS
    assert few.doubtful
    assert few.reason == "numbers with fractions but only 5 distinct values"
    assert decide(cycle(DOUBTFUL_FRACTIONS + 1, 100, 0.5)) == TypingDecision(
        "x", Kind.CONTINUOUS, "numbers with fractions", doubtful=False
    )


def test_a_fraction_far_down_the_column_counts() -> None:
    values = cycle(3, 5000).astype(float)
    assert decide(values).kind is Kind.DISCRETE
    values[-1] = 0.5
    assert decide(values).kind is Kind.CONTINUOUS


def test_distinct_values_far_down_the_column_count() -> None:
    values = np.r_[np.zeros(5000, dtype=int), np.arange(200) * 10**12]
    assert decide(values).reason == "integers with more than 20 distinct values"


def test_missing_cells_do_not_count() -> None:
    values = np.r_[cycle(4, 8).astype(float), np.nan, np.nan]
    assert decide(values, missing="drop").kind is Kind.DISCRETE


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (["a", "b"] * 3, "text with 2 distinct values"),
        (["a"] * 6, "text with 1 distinct value"),
        ([True, False] * 3, "true/false values"),
    ],
)
def test_text_and_truth(values: list[Any], reason: str) -> None:
    assert decide(values) == TypingDecision("x", Kind.DISCRETE, reason, doubtful=False)


def test_declarations_overrule() -> None:
    assert decide(cycle(3, 9), continuous=["x"]).kind is Kind.CONTINUOUS
    assert decide(cycle(3, 9, 0.5), discrete=["x"]).kind is Kind.DISCRETE


@pytest.mark.parametrize(
    ("values", "options", "levels"),
    [
        ([10, 9, 100, 9] * 3, {}, ("9", "10", "100")),
        ([3.0, -1.0, 3.0, -1.0], {}, ("-1", "3")),
        ([0.5, 2.0, -0.5, 2.0], {"discrete": ["x"]}, ("-0.5", "0.5", "2")),
        (np.array([0.1, 0.2, 0.1, 0.2], dtype=np.float32), {"discrete": ["x"]}, ("0.1", "0.2")),
        ([-0.0, 0.0, 1.0, 1.0], {}, ("0", "1")),
        ([1e300, 2e300, 1e300, 2e300], {"discrete": ["x"]}, ("1e+300", "2e+300")),
        (["b", "B", "a", "Ä"] * 3, {}, ("B", "a", "b", "Ä")),
        (["10", "9", "010", "9"] * 3, {}, ("9", "010", "10")),
        ([True, False] * 3, {}, ("false", "true")),
        ([True, True] * 3, {}, ("true",)),
    ],
)
def test_levels_stand_in_canonical_order(values: Any, options: dict[str, Any], levels: tuple[str, ...]) -> None:
    column = from_frame({"x": values}, **options).column("x")
    assert column.levels == levels
    assert column.values.dtype == np.uint8


def test_wide_codes() -> None:
    assert from_frame({"x": np.arange(256) * 0.5}, discrete=["x"]).column("x").values.dtype == np.uint8
    wide = from_frame({"x": np.arange(257) * 0.5}, discrete=["x"]).column("x")
    assert wide.values.dtype == np.uint16
    assert wide.values.tolist() == list(range(257))


def test_nearly_numbers_is_an_error_with_the_first_culprit() -> None:
    cells = ["1.5", "2", "3", "4", "oops", "6", "7", "8", "9", "bad"]
    with pytest.raises(DataError, match=r"'x' holds numbers except in 2 of 10 cells \(such as 'oops' in row 5\)") as e:
        from_frame({"x": cells})
    assert '--discrete x (discrete=["x"])' in str(e.value)
    assert from_frame({"x": cells}, discrete=["x"]).column("x").cardinality == 10


def test_text_with_a_few_numbers_is_text() -> None:
    assert from_frame({"x": ["low", "high", "2", "low"] * 3}).column("x").levels == ("2", "high", "low")


def test_culprits_are_counted_without_missing_cells() -> None:
    cells = [None, "1", "2", "3", "x", "4", None, "5", "6", "7"]
    with pytest.raises(DataError, match=r"1 of 8 cells \(such as 'x' in row 5\)"):
        from_frame({"x": cells}, missing="drop")


def test_continuous_text_names_the_culprit() -> None:
    with pytest.raises(DataError, match=r"'x' is declared continuous, but 1 cell .*'12 kg' in row 3"):
        from_frame({"x": ["1", "2", "12 kg", "4"]}, continuous=["x"])
