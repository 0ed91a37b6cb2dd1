"""Numbers by their place in a long column: by counting as by sorting, whatever the numbers, weights and gaps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data import dataset
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.discretize import (
    Distinct,
    EqualFrequency,
    EqualWidth,
    FreedmanDiaconis,
    Scott,
    Sturges,
)
from arcwise.stats import ordered
from arcwise.stats.ordered import Counted, Sorted
from arcwise.stats.selection import Different, Gathered, Nexts, Tops, numbers_of

RNG = np.random.default_rng(4)
NUMBERS = {
    "normal": RNG.normal(size=3000),
    "few": RNG.integers(-5, 6, 3000).astype(float),
    "wide": np.exp(80 * RNG.normal(size=2000)) * RNG.choice([-1.0, 1.0], 2000),
    "zeros": np.array([0.0, -0.0, 5e-324, -5e-324, 1e300, -1e300] * 30),
    "heaped": np.concatenate([np.full(900, 2.5), RNG.random(100)]),
}


def table(values, *, weighted=False, gaps=False):
    rng = np.random.default_rng(1)
    missing = rng.random(len(values)) < 0.3 if gaps else None
    values = np.where(missing, np.nan, values) if gaps else values
    weights = rng.integers(1, 4, len(values)) if weighted else None
    return Dataset((Column("x", Kind.CONTINUOUS, values, missing=missing),), weights=weights)


def both(data):
    return Counted(data), Sorted(data.repeated().columns[0].recorded)


@pytest.mark.parametrize("gathered", [0, 40, 1 << 21])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("name", NUMBERS)
def test_places_are_those_of_the_sorted_column(name, gaps, weighted, gathered, monkeypatch):
    monkeypatch.setattr(ordered, "GATHERED", gathered)
    monkeypatch.setattr(ordered, "CELLS", 1 << 12)  # so that there are passes with few bits, too
    counted, slow = both(table(NUMBERS[name], weighted=weighted, gaps=gaps))
    assert (counted.n, counted.lowest, counted.highest) == (slow.n, slow.lowest, slow.highest)
    places = np.random.default_rng(2).integers(0, slow.n, 60)
    for quick, plain in zip(counted.at(places), slow.at(places), strict=True):
        assert np.array_equal(quick, plain)
    cuts = np.unique(slow.values[::97])
    assert np.array_equal(counted.rows_of_levels(cuts), slow.rows_of_levels(cuts))
    assert counted.scaled_deviation() == pytest.approx(slow.scaled_deviation(), rel=1e-12)


@pytest.mark.parametrize("name", NUMBERS)
def test_distinct_numbers_as_far_as_they_are_wanted(name):
    counted, slow = both(table(NUMBERS[name], gaps=True))
    different = np.unique(slow.values)
    assert np.array_equal(counted.distinct(5000), different)
    assert np.array_equal(slow.distinct(5000), different)
    assert len(counted.distinct(4)) == len(slow.distinct(4)) == 5
    assert set(counted.distinct(4)) <= set(different)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=60), st.integers(0, 3))
def test_any_numbers(values, gathered):
    counted, slow = both(table(np.array(values)))
    before, ordered.GATHERED = ordered.GATHERED, gathered
    try:
        places = np.arange(len(values))
        for quick, plain in zip(counted.at(places), slow.at(places), strict=True):
            assert np.array_equal(quick, plain)
    finally:
        ordered.GATHERED = before


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_answers_do_not_depend_on_how_rows_are_divided(parts):
    """What a cluster relies on: answers of neighbours are joined."""
    data = table(NUMBERS["few"], weighted=True, gaps=True)
    prefixes = np.flatnonzero(Tops().of(data, 0)).astype(np.uint64)
    pieces = [data.take(rows) for rows in np.array_split(np.arange(data.n_stored), parts)]
    for question in (Tops(), Nexts(prefixes, 48, 8), Gathered(prefixes, 48, 3000), Different(4), Different(100)):
        whole = question.of(data, 0)
        joined = question.join([question.of(piece, 0) for piece in pieces])
        for one, other in zip(np.atleast_2d(whole), np.atleast_2d(joined), strict=True):
            assert np.array_equal(one, other) or (question == Different(4) and len(one) == len(other) == 5)


def test_keys_go_back_to_numbers():
    values = NUMBERS["wide"]
    assert np.array_equal(numbers_of(Different(len(values)).of(table(values), 0)), np.unique(values))


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["normal", "few", "wide", "zeros", "heaped"])
@pytest.mark.parametrize(
    "part",
    [EqualWidth(bins=7), Sturges(), Scott(), FreedmanDiaconis(), EqualFrequency(bins=2), EqualFrequency(bins=9)],
    ids=lambda part: part.kind,
)
def test_thresholds_of_long_columns_are_those_of_short_ones(part, name, weighted, gaps, monkeypatch):
    data = table(NUMBERS[name], weighted=weighted, gaps=gaps)
    short = part.fit(data)
    levels = short.apply(data)
    monkeypatch.setattr(dataset, "MANY_ROWS", 100)
    assert part.fit(data) == short
    long = short.apply(data)
    assert np.array_equal(long.columns[0].values, levels.columns[0].values)
    assert long.columns[0].values.dtype == levels.columns[0].values.dtype
    assert long.columns[0].levels == levels.columns[0].levels


def test_distinct_values_of_long_columns(monkeypatch):
    data = table(NUMBERS["few"])
    short = Distinct().fit(data)
    monkeypatch.setattr(dataset, "MANY_ROWS", 100)
    assert Distinct().fit(data) == short


def test_levels_of_a_long_table_stand_in_one_matrix(monkeypatch):
    """Counting takes it as it is."""
    levels = Column("c", Kind.DISCRETE, RNG.integers(0, 3, 3000).astype(np.uint8), ("a", "b", "c"))
    numbers = [Column(name, Kind.CONTINUOUS, NUMBERS[name]) for name in ("few", "normal")]
    data = Dataset((levels, *numbers))
    cuts = EqualFrequency().fit(data)
    plain = cuts.apply(data)
    monkeypatch.setattr(dataset, "MANY_ROWS", 100)
    cut = cuts.apply(data)
    assert np.array_equal(cut.codes(), plain.codes())
    base = cut.columns[0].values.base
    assert all(column.values.base is base for column in cut.columns)


def test_a_long_column_without_a_value_is_not_cut(monkeypatch):
    empty = Column("x", Kind.CONTINUOUS, np.full(300, np.nan), missing=np.ones(300, dtype=bool))
    monkeypatch.setattr(dataset, "MANY_ROWS", 100)
    for part in (EqualWidth(), EqualFrequency(), Scott()):
        assert part.fit(Dataset((empty,))).thresholds["x"].tolist() == []
