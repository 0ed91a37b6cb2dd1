"""Names, units and zero points of columns, and where things stand in a table, are nothing to a neural score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.networks.models.inputs import arrange
from arcwise.networks.models.neural import fit_neural
from arcwise.scores.neural import NeuralBIC, NeuralPrequential

ROWS = 60
QUICK = {"iterations": 30, "restarts": 2, "components": 2}
SCORES = [NeuralPrequential(**QUICK), NeuralBIC(**QUICK)]


def table(seed):
    """Two continuous columns, one of them with many zeros, and two discrete ones."""
    rng = np.random.default_rng(seed)
    x, noise = rng.normal(size=(2, ROWS))
    codes = (x + noise > 0).astype(np.uint8)
    return Dataset(
        (
            Column("a", Kind.CONTINUOUS, x),
            Column("b", Kind.CONTINUOUS, np.where(rng.random(ROWS) < 0.6, 0.0, x + 0.5 * noise)),
            Column("c", Kind.DISCRETE, codes, ("no", "yes")),
            Column("d", Kind.DISCRETE, rng.integers(3, size=ROWS).astype(np.uint8), ("u", "v", "w")),
        )
    )


def rewritten(data, names, unit, zero, columns, rows):
    """The same table under other names, in another unit, its rows and columns in another order."""

    def of(j):
        column = data.columns[j]
        values = column.values * unit + zero if column.kind is Kind.CONTINUOUS else column.values
        return Column(names[j], column.kind, values[rows], column.levels)

    return Dataset(tuple(of(j) for j in columns))


names = st.permutations(["age", "bmi", "x", "zeta"])
units = st.sampled_from([1.0, 1000.0, 1e-3, 2.54, 1 / 3]) | st.floats(1e-6, 1e6)
zeros = st.sampled_from([0.0, 32.0, -273.15, 1000.0])


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 20), names=names, unit=units, zero=zeros, columns=st.permutations(range(4)), data=st.data())
@pytest.mark.parametrize("score", SCORES, ids=lambda score: score.kind)
def test_scores_know_neither_names_nor_units(score, seed, names, unit, zero, columns, data):
    before = table(seed)
    rows = np.random.default_rng(data.draw(st.integers(0, 9))).permutation(ROWS)
    after = rewritten(before, names, unit, zero * unit, columns, rows)
    one, other = score.bind(before), score.bind(after)
    for child in range(4):
        shift = ROWS * np.log(unit) if before.columns[child].kind is Kind.CONTINUOUS else 0.0
        for parents in ([], [(child + 1) % 4], [(child + 2) % 4, (child + 3) % 4]):
            found = other.local_score(columns.index(child), [columns.index(j) for j in parents])
            assert found + shift == pytest.approx(one.local_score(child, parents), abs=1e-6)


@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 20), names=names, unit=units, zero=zeros)
def test_fitted_networks_know_neither_names_nor_units(seed, names, unit, zero):
    before = table(seed)
    after = rewritten(before, names, unit, zero * unit, range(4), np.arange(ROWS))
    for child, shift in ((1, np.log(unit)), (3, 0.0)):
        parents = [j for j in range(4) if j != child]
        one = fit_neural(before, before.names[child], [before.names[j] for j in parents], **QUICK)
        other = fit_neural(after, names[child], [names[j] for j in parents], **QUICK)
        assert other.log_density(after) + shift == pytest.approx(one.log_density(before), abs=1e-3)
        assert other.parents == tuple(sorted(names[j] for j in parents))


@settings(deadline=None, max_examples=200)
@given(seed=st.integers(0, 1000), names=names, columns=st.permutations(range(4)), n_rows=st.integers(1, 40))
def test_rows_and_columns_are_arranged_by_contents(seed, names, columns, n_rows):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (4, n_rows)).astype(float)
    before = Dataset(tuple(Column(n, Kind.CONTINUOUS, v) for n, v in zip("abcd", values, strict=True)))
    shuffled = rng.permutation(n_rows)
    after = rewritten(before, names, 7.0, 1.0, columns, shuffled)
    (rows, order), (new_rows, new_order) = arrange(before), arrange(after)
    first, second = (
        np.array([data.columns[j].values[where] for j in places])
        for data, where, places in ((before, rows, order), (after, new_rows, new_order))
    )
    ranks = [np.unique(v, return_inverse=True)[1] for v in values]
    if len({tuple(np.sort(own)) for own in ranks}) == 4:  # else columns may be mirror images, which go by name
        assert np.array_equal(first * 7.0 + 1.0, second)


def test_columns_that_nothing_tells_apart_go_by_name():
    values = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])
    for names in (("a", "b"), ("b", "a")):
        data = Dataset(tuple(Column(n, Kind.CONTINUOUS, v) for n, v in zip(names, values, strict=True)))
        assert data.names[arrange(data)[1][0]] == "a"
