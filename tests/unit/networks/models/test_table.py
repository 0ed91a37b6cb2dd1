from __future__ import annotations

import json
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.networks.models.table import MOST_CELLS, Table, fit_table
from arcwise.scores import K2, BDeu
from tests.oracle.counting import discrete_table


def discrete(name: str, codes: list[int], levels: tuple[str, ...], ordered: bool = False) -> Column:
    return Column(name, Kind.DISCRETE, np.array(codes, dtype=np.uint8), levels=levels, ordered=ordered)


def small() -> Dataset:
    """c given a: N = [[2, 1], [0, 0], [0, 3]]."""
    a = discrete("a", [0, 0, 0, 2, 2, 2], ("low", "mid", "high"), ordered=True)
    return Dataset((a, discrete("c", [0, 1, 0, 1, 1, 1], ("n", "y"))))


def head(data: Dataset, n: int) -> Dataset:
    return Dataset(tuple(Column(c.name, c.kind, c.values[:n], c.levels, c.ordered) for c in data.columns))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [[2.5 / 4, 1.5 / 4], [0.5, 0.5], [0.5 / 4, 3.5 / 4]]),
        ({"smoothing": 6, "per": "table"}, [[3 / 5, 2 / 5], [0.5, 0.5], [1 / 5, 4 / 5]]),
        ({"smoothing": 1, "per": "cell"}, [[3 / 5, 2 / 5], [0.5, 0.5], [1 / 5, 4 / 5]]),
        ({"smoothing": 0}, [[2 / 3, 1 / 3], [0.5, 0.5], [0.0, 1.0]]),
    ],
)
def test_probabilities_of_counts(options: dict[str, object], expected: list[list[float]]) -> None:
    table = fit_table(small(), "c", ("a",), **options)  # type: ignore[arg-type]
    np.testing.assert_allclose(table.probabilities, expected, rtol=1e-15)


@pytest.mark.parametrize(
    ("score", "options"),
    [(BDeu(ess=3.0), {"smoothing": 3.0, "per": "table"}), (K2(), {"smoothing": 1.0, "per": "cell"})],
)
def test_predictive_probability_of_the_scores_prior(score: BDeu | K2, options: dict[str, object]) -> None:
    """A Bayesian score is a marginal likelihood: one more row adds the log of its predictive probability."""
    rng = np.random.default_rng(5)
    cards = {"a": 2, "b": 4, "c": 3}
    columns = [discrete(n, rng.integers(r, size=40).tolist(), tuple("wxyz"[:r])) for n, r in cards.items()]
    data = Dataset(tuple(columns))
    gains = [
        score.bind(head(data, n + 1)).local_score(2, [0, 1]) - score.bind(head(data, n)).local_score(2, [0, 1])
        for n in (20, 25, 39)
    ]
    tables = [fit_table(head(data, n), "c", ("a", "b"), **options) for n in (20, 25, 39)]  # type: ignore[arg-type]
    found = [t.log_density(data)[n] for t, n in zip(tables, (20, 25, 39), strict=True)]
    np.testing.assert_allclose(found, gains, rtol=1e-9)


def test_density_expectation_and_columns_by_label() -> None:
    table = fit_table(small(), "c", ("a",))
    swapped = Dataset((discrete("c", [0, 1], ("y", "n")), discrete("a", [1, 0], ("low", "high"))))
    np.testing.assert_allclose(table.log_density(swapped), np.log([3.5 / 4, 2.5 / 4]))
    np.testing.assert_allclose(table.expected(swapped), [[0.5 / 4, 3.5 / 4], [2.5 / 4, 1.5 / 4]])


def test_without_smoothing_the_unseen_is_impossible() -> None:
    table = fit_table(small(), "c", ("a",), smoothing=0)
    row = Dataset((discrete("a", [2], ("low", "mid", "high")), discrete("c", [0], ("n", "y"))))
    assert table.log_density(row).tolist() == [-np.inf]


def test_samples_follow_the_table_and_keep_the_column() -> None:
    data = small()
    table = fit_table(data, "a", ("c",))
    n = 40_000
    parents = Dataset((discrete("c", [0, 1] * (n // 2), ("n", "y")),))
    column = table.sample(parents, np.random.default_rng(1))
    assert (column.name, column.levels, column.ordered) == ("a", ("low", "mid", "high"), True)
    for code, row in enumerate(table.probabilities):
        shares = np.bincount(column.values[code::2], minlength=3) / (n / 2)
        np.testing.assert_allclose(shares, row, atol=5 * np.sqrt(0.25 / (n / 2)))


def test_one_level_and_many_levels() -> None:
    levels = tuple(f"s{i}" for i in range(300))
    wide = Column("w", Kind.DISCRETE, np.arange(300, dtype=np.uint16), levels=levels)
    data = Dataset((wide, discrete("one", [0] * 300, ("only",))))
    assert fit_table(data, "one", ("w",)).log_density(data).tolist() == [0.0] * 300
    assert fit_table(data, "w", ("one",)).sample(data, np.random.default_rng(0)).values.dtype == np.uint16


@pytest.mark.parametrize("child", ["c", "x"])
def test_a_continuous_column_is_named(child: str) -> None:
    data = Dataset((*small().columns, Column("x", Kind.CONTINUOUS, np.arange(6.0))))
    parents = ("x",) if child == "c" else ("c",)
    with pytest.raises(DataError, match=r"column 'x' is continuous .* discretization=, or .* model='gaussian'"):
        fit_table(data, child, parents)


def test_a_strange_level_is_named() -> None:
    table = fit_table(small(), "c", ("a",))
    strange = Dataset((discrete("a", [0], ("hihg",)), discrete("c", [0], ("n",))))
    with pytest.raises(DataError, match="column 'a': unknown state 'hihg'; did you mean 'high'"):
        table.log_density(strange)


def test_a_table_that_is_too_large_is_refused() -> None:
    levels = tuple(str(i) for i in range(256))
    data = Dataset(tuple(discrete(name, [0, 1], levels) for name in "abcde"))
    with pytest.raises(DataError, match=re.escape(f"given its 4 parents has 1.1e+12 cells, more than {MOST_CELLS:,}")):
        fit_table(data, "a", ("b", "c", "d", "e"))


@pytest.mark.parametrize("bad", [{"smoothing": -1}, {"smoothing": np.nan}, {"smoothing": 1e300}, {"smoothing": "1"}])
def test_bad_smoothing(bad: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=r"'smoothing' .*must be a number"):
        fit_table(small(), "c", (), **bad)  # type: ignore[arg-type]


def test_bad_per() -> None:
    with pytest.raises(OptionError, match="'per' of fit_table must be 'configuration' or 'table' or 'cell', not 'row'"):
        fit_table(small(), "c", (), per="row")  # type: ignore[arg-type]


def test_faulty_tables() -> None:
    with pytest.raises(GraphError, match=r"CPT of node 'c' has shape \(3,\)"):
        Table("c", ("n", "y"), (), (), np.ones(3))
    with pytest.raises(GraphError, match="one list of levels for each"):
        Table("c", ("n", "y"), ("a",), (), np.ones(2))
    with pytest.raises(GraphError, match="state 'n' twice"):
        Table.from_dict({**fit_table(small(), "c", ()).to_dict(), "levels": ["n", "n"]})


def test_tables_are_read_only_values() -> None:
    table = fit_table(small(), "c", ("a",))
    again = pickle.loads(pickle.dumps(table))
    assert again == table
    assert hash(again) == hash(table)
    assert table != fit_table(small(), "c", ("a",), smoothing=2)
    with pytest.raises(ValueError, match="read-only"):
        again.probabilities[0, 0] = 1.0
    assert repr(table) == "Table(c given a: 3 x 2)"


@st.composite
def families(draw: st.DrawFn) -> tuple[Dataset, tuple[str, ...]]:
    n_rows, cards = draw(st.integers(1, 12)), draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    codes = [draw(st.lists(st.integers(0, r - 1), min_size=n_rows, max_size=n_rows)) for r in cards]
    columns = [discrete(f"v{i}", c, tuple("pqrs"[:r])) for i, (c, r) in enumerate(zip(codes, cards, strict=True))]
    return Dataset(tuple(columns)), tuple(f"v{i}" for i in range(1, len(cards)))


@given(families(), st.sampled_from(["configuration", "table", "cell"]), st.sampled_from([0, 1e-300, 0.5, 1e9]))
def test_always_a_distribution(family: tuple[Dataset, tuple[str, ...]], per: str, smoothing: float) -> None:
    data, parents = family
    table = fit_table(data, "v0", parents, smoothing=smoothing, per=per)  # type: ignore[arg-type]
    np.testing.assert_allclose(table.probabilities.sum(axis=-1), 1.0, rtol=1e-12)
    assert (table.probabilities >= 0).all()
    assert np.isfinite(table.log_density(data)).all()  # what was seen is never impossible
    assert Table.from_dict(json.loads(json.dumps(table.to_dict()))) == table
    drawn = table.sample(data, np.random.default_rng(0))
    others = tuple(column for column in data.columns if column.name != "v0")
    assert np.isfinite(table.log_density(Dataset((drawn, *others)))).all()


@pytest.mark.parametrize("most", [3, 40])
def test_a_row_counts_as_often_as_its_weight_says(most: int) -> None:
    data = discrete_table(np.random.default_rng(1), [3, 2, 4], 60)
    weights = np.random.default_rng(2).integers(0, most, 60)
    one = fit_table(data.weighted(weights), "x00", ("x01", "x02"))
    other = fit_table(data.take(np.repeat(np.arange(60), weights)), "x00", ("x01", "x02"))
    assert one.to_dict() == other.to_dict()
