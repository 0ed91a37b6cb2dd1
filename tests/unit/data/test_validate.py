"""The gate: what is refused, what is only doubted, and what the messages say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arcwise.data.dataset import Dataset, Kind
from arcwise.data.reading.door import as_dataset as from_frame
from arcwise.errors import DataError

RNG = np.random.default_rng(7)
HALVES = np.arange(60) % 2


def error_of(frame: Any, **options: Any) -> str:
    with pytest.raises(DataError) as caught:
        from_frame(frame, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def warning_about(data: Dataset, *parts: str) -> str:
    found = [warning for warning in data.warnings if all(part in warning for part in parts)]
    assert len(found) == 1
    return found[0]


def test_clean_data_gives_no_warning() -> None:
    data = from_frame({"x": RNG.normal(size=60), "y": RNG.normal(size=60), "k": RNG.integers(0, 3, 60)})
    assert data.warnings == ()


def test_one_column_is_legal() -> None:
    assert warning_about(from_frame({"only": HALVES}), "'only'", "no structure")


def test_constant_columns_are_kept() -> None:
    frame = {"a": [1] * 60, "b": ["z"] * 60, "c": [0.1] * 60, "k": HALVES}
    data = from_frame(frame, continuous=["c"])
    assert data.names == ("a", "b", "c", "k")
    assert warning_about(data, "constant") == "constant columns 'a', 'b', 'c' kept as isolated nodes"
    assert "copy" not in " ".join(data.warnings)


def test_identifiers_are_left_out() -> None:
    data = from_frame({"id": [f"p{i}" for i in range(150)], "k": np.arange(150) % 2})
    assert data.names == ("k",)
    assert warning_about(data, "'id'") == (
        "column 'id' has 150 distinct text values in 150 rows, so it looks like an identifier, left out; keep it with "
        '--discrete id (discrete=["id"])'
    )
    mostly = [f"p{min(i, 60)}" for i in range(120)]
    assert warning_about(from_frame({"id": mostly, "k": [0, 1] * 60}), "61 distinct text values in 120 rows")
    message = error_of({"my id": ["a", "b", "c"]})
    assert message.startswith("no column of the table is left, since column 'my id' has 3 distinct text values")
    assert "--discrete 'my id'" in message


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([f"{i * 7919:016x}" for i in range(1, 61)], "an identifier (a hash), left out"),
        ([f"the {i}th note about one patient" for i in range(60)], "free text, left out"),
    ],
)
def test_hashes_and_notes_are_left_out(cells: list[str], words: str) -> None:
    data = from_frame({"v": cells, "k": HALVES})
    assert data.names == ("k",)
    assert warning_about(data, "'v'", words, "--discrete v")
    assert from_frame({"v": cells, "k": HALVES}, discrete="v").names == ("v", "k")


@pytest.mark.parametrize(("name", "start"), [("x", 0), ("x", 1), ("row", 1001)])
def test_numbers_that_count_the_rows_are_left_out(name: str, start: int) -> None:
    frame = {name: np.arange(60) + start, "k": HALVES}
    data = from_frame(frame)
    assert data.names == ("k",)
    assert warning_about(data, repr(name), "one more in each row", f"--continuous {name}")
    assert from_frame(frame, continuous=name).names == (name, "k")
    assert from_frame({"year": np.arange(60) + 1950, "k": HALVES}).names == ("year", "k")


def test_what_is_no_identifier() -> None:
    half = [f"p{i % 60}" for i in range(120)]
    assert from_frame({"k": half}).column("k").cardinality == 60
    declared = from_frame({"id": [f"p{i}" for i in range(60)], "k": HALVES}, discrete=["id"])
    assert warning_about(declared, "'id'", "60 levels", "60 rows")


def test_numbers_written_as_text() -> None:
    message = error_of({"x": [f"{i}.5" for i in range(60)], "k": HALVES})
    assert "'x'" in message
    assert "all numbers" in message
    assert '--continuous x (continuous=["x"])' in message


@pytest.mark.parametrize("start", [0, 1])
def test_row_numbers_are_doubted_in_any_order(start: int) -> None:
    data = from_frame({"row": RNG.permutation(60) + start, "k": HALVES})
    assert warning_about(data, "'row'", "row number", "--drop row")
    assert data.column("row").kind is Kind.CONTINUOUS


@pytest.mark.parametrize("values", [np.r_[np.arange(59), 58], np.arange(60) * 0.5, RNG.permutation(9000)[:60]])
def test_what_is_no_row_number(values: np.ndarray) -> None:
    assert from_frame({"x": values, "k": HALVES}).warnings == ()


def test_a_declared_row_number_is_meant() -> None:
    assert from_frame({"x": np.arange(60), "k": HALVES}, continuous=["x"]).warnings == ()


def test_infinite_values() -> None:
    values = RNG.normal(size=60)
    values[[4, 9]] = np.inf, -np.inf
    message = error_of({"x": values})
    assert "'x'" in message
    assert "2 infinite values" in message
    assert "row 5" in message
    assert "2 infinite values, the first in row 5" in error_of({"x": values}, discrete=["x"])


def test_too_many_levels() -> None:
    message = error_of({"x": np.arange(65_537) * 0.5, "k": np.arange(65_537) % 2}, discrete=["x"])
    assert "'x'" in message
    assert "65,537 levels" in message
    assert "--drop x" in message


def test_count_tables_that_would_not_fit() -> None:
    n = 12_000
    message = error_of({"a": np.arange(n), "b": np.arange(n) * 2, "c": np.arange(n) % 3}, discrete=["a", "b"])
    assert "'a' and 'b'" in message
    assert "1.1 GiB" in message
    assert "--drop" in message
    assert from_frame({"a": np.arange(n), "c": np.arange(n) % 3}, discrete=["a"]).n_columns == 2


def test_missing_values_are_kept_by_default_and_can_be_an_error() -> None:
    frame = {"x": [1.5, None, None, 2.5], "t": ["a", "b", None, "b"], "k": [0, 1, 0, 1]}
    data = from_frame(frame)
    assert data.missing_counts() == {"x": 2, "t": 1}
    message = error_of(frame, missing="error")
    assert message.startswith("missing values in 'x' (2), 't' (1);")
    ways_out = "--missing drop (missing='drop')", "--missing state (missing='state')", "--missing learn", "fill them in"
    for way_out in ways_out:
        assert way_out in message


def test_long_lists_of_columns_are_cut() -> None:
    frame = {f"c{i:02d}": [None, 1.5, 2.5, 3.5] for i in range(30)}
    assert "'c07' (1) and 22 more;" in error_of(frame, missing="error")


def test_rows_can_be_dropped() -> None:
    frame = {"x": [1.5, None, 0.5, 2.5, 3.5], "t": ["a", "c", None, "b", "a"], "k": [0, 1, 2, 1, 0]}
    data = from_frame(frame, missing="drop", discrete=["k"])
    assert data.column("x").values.tolist() == [1.5, 2.5, 3.5]
    assert data.column("t").levels == ("a", "b")  # "c" went with its only row
    assert data.column("t").values.tolist() == [0, 1, 0]
    assert data.column("k").levels == ("0", "1")
    assert warning_about(data, "dropped 2 of 5 rows", "'x' (1)", "'t' (1)")


def test_dropping_every_row_is_an_error() -> None:
    message = error_of({"x": [None, 1.5, None], "y": [2.5, None, None]}, missing="drop")
    assert "no row of 3" in message
    assert '--drop x (drop=["x"])' in message
    assert "only one row of 3" in error_of({"x": [None, 1.5, None]}, missing="drop")


def test_missing_as_a_level() -> None:
    frame = {"t": ["a", None, "missing", "a"], "k": [0.0, 1.0, float("nan"), 1.0], "x": [1.5, 2.5, 3.5, 4.5]}
    data = from_frame(frame, missing="state", discrete=["k"])
    assert data.column("t").levels == ("a", "missing", "(missing)")
    assert data.column("t").values.tolist() == [0, 2, 1, 0]
    assert data.column("k").levels == ("0", "1", "missing")
    assert not data.column("k").ordered
    assert warning_about(data, "'t' (1), 'k' (1)", "level")


def test_missing_in_a_continuous_column_cannot_become_a_level() -> None:
    message = error_of({"x": [1.5, None, 3.5, 4.5], "t": ["a", None, "b", "a"]}, missing="state")
    assert "'x' (1)" in message
    assert "'t'" not in message
    assert "--missing drop" in message
