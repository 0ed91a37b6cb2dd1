"""Twelve tables that every preset was frozen on: discrete, continuous, mixed and awkward, 200 to 5000 rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arcwise import datasets, networks
from arcwise.data.dataset import Dataset
from arcwise.data.reading.door import as_dataset


def alarm() -> Dataset:
    return networks.load("alarm").sample(500, seed=1)


def child() -> Dataset:
    return networks.load("child").sample(5000, seed=2)


def clinic() -> Dataset:
    """Eight two-valued columns: Lauritzen and Spiegelhalter's example, which has a column that two others determine."""
    rng = np.random.default_rng(3)

    def drawn(probability: np.ndarray | float) -> np.ndarray:
        return rng.random(1000) < probability

    travel, smoker = drawn(0.1), drawn(0.5)
    tuberculosis, cancer = drawn(np.where(travel, 0.3, 0.05)), drawn(np.where(smoker, 0.2, 0.02))
    bronchitis = drawn(np.where(smoker, 0.6, 0.3))
    either = tuberculosis | cancer
    columns = {
        "travel": travel,
        "smoker": smoker,
        "tuberculosis": tuberculosis,
        "cancer": cancer,
        "either": either,
        "bronchitis": bronchitis,
        "shadow": drawn(np.where(either, 0.98, 0.05)),
        "breathless": drawn(np.select([either & bronchitis, either, bronchitis], [0.9, 0.7, 0.8], 0.1)),
    }
    return as_dataset(columns)


def insurance_states() -> Dataset:
    """Levels behind noise, as in Fu's study."""
    return networks.add_noise(networks.load("insurance").sample(300, seed=4), seed=4)


def linear() -> Dataset:
    """A linear Gaussian chain with two colliders."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(8, 1000))
    x[2] += 0.8 * x[0] + 0.6 * x[1]
    x[3] += 0.9 * x[2]
    x[5] += 0.7 * x[4] - 0.7 * x[3]
    x[6] += 0.3 * x[5]
    return as_dataset({f"x{i}": column for i, column in enumerate(x)})


def bent() -> Dataset:
    """Relations that no line shows: a square, a sine, a product."""
    rng = np.random.default_rng(6)
    a, b, c = rng.uniform(-2, 2, size=(3, 400))
    noise = rng.normal(scale=0.3, size=(3, 400))
    return as_dataset(
        {"a": a, "b": b, "c": c, "square": a**2 + noise[0], "sine": np.sin(3 * b) + noise[1], "both": a * c + noise[2]}
    )


def cars() -> Dataset:
    return datasets.load("cars1")


def heart() -> Dataset:
    return datasets.load("heart")


def housing() -> Dataset:
    return datasets.load("housing")


def tied() -> Dataset:
    """Whole numbers with many ties, a constant, a copy and a sum."""
    rng = np.random.default_rng(7)
    a, b = rng.poisson(4, size=(2, 250))
    return as_dataset(
        {"a": a, "b": b, "copy": a, "sum": a + b, "one": np.ones(250), "near": a + rng.normal(scale=0.01, size=250)},
        continuous=["a", "b", "copy", "sum", "one", "near"],
    )


def many_levels() -> Dataset:
    """Levels by the dozen, unevenly frequent, beside two-valued columns."""
    rng = np.random.default_rng(8)
    town = rng.zipf(1.6, size=600) % 40
    columns = {"town": town, "street": (town * 3 + rng.integers(0, 4, 600)) % 60, "flag": rng.integers(0, 2, 600)}
    columns["answer"] = (columns["flag"] ^ (rng.random(600) < 0.1)).astype(int)
    columns["rare"] = (rng.random(600) < 0.01).astype(int)
    return as_dataset({name: [f"v{v}" for v in values] for name, values in columns.items()})


def short() -> Dataset:
    """200 rows of numbers and levels with weak relations."""
    rng = np.random.default_rng(9)
    level = rng.integers(0, 3, 200)
    height = rng.normal(size=200) + 0.8 * level
    return as_dataset(
        {
            "group": np.array(["low", "mid", "high"])[level],
            "height": height,
            "weight": 0.6 * height + rng.normal(size=200),
            "yes": np.where(rng.random(200) < 1 / (1 + np.exp(-height)), "yes", "no"),
            "tail": rng.standard_t(2, size=200),
            "skew": rng.lognormal(size=200),
        },
        discrete=["group"],  # levels without an order
    )


TABLES: dict[str, Callable[[], Dataset]] = {
    table.__name__: table
    for table in (alarm, child, clinic, insurance_states, linear, bent, cars, heart, housing, tied, many_levels, short)
}
