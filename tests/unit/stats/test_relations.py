"""Sums and products of columns are named, and nothing else is."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import arcwise
from arcwise import catalog, datasets
from arcwise.data.dataset import Dataset
from arcwise.stats.moments import Moments
from arcwise.stats.relations import redundant_columns, relations, small_products

RNG = np.random.default_rng(0)
P, Q, R = RNG.normal(size=(3, 400))
ARBITRARY = "so its edges are arbitrary; leave one of them out"


def table(**columns: object) -> Dataset:
    return Dataset.from_frame({name: np.asarray(values) for name, values in columns.items()})


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"s": P + Q}, f"column 's' is a linear function of 'p', 'q', {ARBITRARY} ('s' = 'p' + 'q')"),
        (
            {"s": 3 - P + 0.5 * Q},
            f"column 's' is a linear function of 'p', 'q', {ARBITRARY} ('s' = - 'p' + 0.5 'q' + 3)",
        ),
        (
            {"s": P + Q - 2 * R, "r": R},
            f"column 's' is a linear function of 'p', 'q', 'r', {ARBITRARY} ('s' = 'p' + 'q' - 2 'r')",
        ),
        ({"a": P - Q}, f"column 'q' is a linear function of 'a', 'p', {ARBITRARY} ('q' = - 'a' + 'p')"),
        ({"s": 1e9 * (P + Q)}, "column 's' is a linear function of 'p', 'q'"),
        (
            {"s": np.abs(P * Q)},
            f"column 's' is a product of powers of 'p', 'q', but for signs, {ARBITRARY} ('s' = 'p' 'q')",
        ),
    ],
)
def test_the_relation_is_written_out(columns: dict[str, object], sentence: str) -> None:
    (found,) = relations(table(p=P, q=Q, **columns)).values()
    assert found.startswith(sentence)


def test_ratios_powers_and_scales() -> None:
    height, weight = RNG.uniform(1.4, 2.1, 400), RNG.uniform(40, 120, 400)
    (found,) = relations(table(height=height, weight=weight, zindex=weight / height**2)).values()
    assert found.endswith("('zindex' = 'height'^-2 'weight')")
    (found,) = relations(table(area=np.pi * height**2, height=height, weight=weight)).values()
    assert found == f"column 'height' is a power of 'area', {ARBITRARY} ('height' = 0.5642 'area'^0.5)"


def test_whole_numbers_and_two_levels_count_as_numbers() -> None:
    dice = RNG.integers(1, 7, size=(2, 400))
    assert (
        "'total' = 'first' + 'second'"
        in relations(table(first=dice[0], second=dice[1], total=dice.sum(axis=0)))["total"]
    )
    colour = RNG.integers(3, size=400)
    one_hot = {f"is{c}": np.where(colour == c, "yes", "no") for c in range(3)}
    assert relations(table(**one_hot))["is2"].endswith("('is2' = - 'is0' - 'is1' + 1)")


def test_copies_are_left_to_the_gate_and_do_not_hide_sums() -> None:
    data = table(p=P, q=Q, s=P + Q, t=2 * P + 1)
    assert list(relations(data)) == ["s"]
    assert any("copy" in warning for warning in data.warnings)


def test_what_only_some_rows_show_is_no_relation() -> None:
    n = 20_000
    p, q = RNG.normal(size=(2, n))
    s = p + q
    s[12_345] += 1.0  # between the rows that are looked at first
    rare = np.zeros(n)
    rare[[4321, 7777, 15_003]] = 1.5
    assert relations(table(p=p, q=q, s=s)) == {}
    # In the rows looked at first `s` is `p`; in all rows it is not, and the sum is found.
    assert (
        "'s' = 'p' + 'rare'"
        in relations(Dataset.from_frame({"p": p, "rare": rare, "s": p + rare}, continuous=["rare"]))["s"]
    )


def test_order_of_rows_and_columns_changes_nothing() -> None:
    columns = {"p": P, "q": Q, "r": R, "s": P + Q, "t": np.abs(R * Q)}
    wanted = relations(table(**columns))
    assert sorted(wanted) == ["s", "t"]
    order = RNG.permutation(400)
    assert relations(table(**{name: columns[name][order] for name in "tsrqp"})) == wanted


@pytest.mark.parametrize("scale", [1e300, 1e-300, 5e-324])
def test_any_numbers_are_safe(scale: float) -> None:
    data = table(p=P * scale, q=Q, s=P * scale + Q * scale, zero=np.zeros(400), big=R * 1e307)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = relations(data)
    assert found.keys() <= {"p", "q", "s"}


@pytest.mark.parametrize("name", datasets.names())
def test_no_alarm_on_real_data(name: str) -> None:
    assert relations(datasets.load(name)) == {}


def test_no_alarm_on_noise() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n, columns = int(rng.integers(5, 200)), int(rng.integers(3, 30))
        noise = rng.normal(size=(columns, n)) if seed % 2 else rng.integers(6, size=(columns, n))
        assert relations(table(**{f"x{i}": row for i, row in enumerate(noise)})) == {}


def test_products_in_tiles_and_relations_of_many_columns() -> None:
    rows = RNG.normal(size=(77, 600))
    assert np.allclose(small_products(rows), rows @ rows.T, rtol=1e-12, atol=1e-10)
    columns = {f"x{i:03}": row for i, row in enumerate(rows)}
    shares = table(**columns, y=rows.sum(axis=0))
    found = relations(shares)
    assert list(found) == ["y"]
    assert found["y"].endswith(ARBITRARY)  # too long to be written out
    assert redundant_columns(Moments.of(shares).of_columns()) == {77: tuple(range(77))}


@pytest.mark.parametrize("method", sorted(set(catalog.METHODS) - {"neural", "neural-discretized"}))
def test_every_method_names_a_sum_once(method: str) -> None:
    frame = {"p": P, "q": Q, "s": P + Q, "z": R}
    result = arcwise.learn(frame, method, seed=0)
    said = [warning for warning in result.warnings if "'s' is a linear function of 'p', 'q'" in warning]
    assert len(said) == 1
