"""Tables completed by networks. That each cell is right is in test_hidden_rows.py."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arcwise import networks
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.data.discretization import Discretization
from arcwise.errors import OptionError
from tests.unit.networks.holes import mixed_network, random_tables, with_holes


def cells(filled):
    return [column.to_dict() for column in filled.columns]


@pytest.mark.parametrize("make", [lambda: random_tables(3), mixed_network])
def test_recorded_cells_stay(make):
    net = make()
    whole = net.sample(80, 1)
    data = with_holes(whole, 0.3)
    for how in ("probable", "draw"):
        found = net.complete(data, how=how)
        assert found.table.is_complete
        assert found.n_cells == data.n_missing
        for column, old in zip(found.table.columns, data.columns, strict=True):
            there = ~old.missing
            np.testing.assert_array_equal(column.values[there], old.values[there])
            assert (column.name, column.kind, column.levels) == (old.name, old.kind, old.levels)


def test_a_complete_table_is_left_alone():
    net = mixed_network()
    data = net.sample(20, 1)
    found = net.complete(data)
    assert (found.n_cells, found.columns) == (0, ())
    assert all(
        a.values is b.values or (a.values == b.values).all()
        for a, b in zip(found.table.columns, data.columns, strict=True)
    )


@pytest.mark.parametrize("make", [lambda: random_tables(3, nodes=4, edges=4), mixed_network])
def test_draws_are_of_all_cells_together(make):
    """The same row many times: pairs of drawn cells have the moments that the network has, given what is recorded."""
    net = make()
    one = net.sample(1, 3)
    gone = net.names[-3:]
    data = with_holes(one.take(np.zeros(30_000, dtype=int)), 1.1, names=gone)
    found = net.complete(data, how="draw", seed=1).table
    kept = [name for name in net.names if name not in gone]
    new = net.sample(400_000, 9)  # rows of the network with these levels, and these numbers more or less
    near = np.ones(400_000, dtype=bool)
    for name in kept:
        value = one.column(name).values[0]
        values = new.column(name).values
        near &= values == value if new.column(name).levels else np.abs(values - value) < 0.15 * values.std()
    assert near.sum() > 300
    drawn, true = (
        np.stack([table.column(name).values.astype(float) for name in gone]) for table in (found, new.take(near))
    )
    scale = true.std(axis=1) + 1e-9
    np.testing.assert_allclose(drawn.mean(axis=1) / scale, true.mean(axis=1) / scale, atol=0.2)
    np.testing.assert_allclose(np.cov(drawn) / np.outer(scale, scale), np.cov(true) / np.outer(scale, scale), atol=0.2)


def test_seed_and_row_order():
    net = mixed_network()
    data = with_holes(net.sample(60, 1), 0.4)
    first, again, other = (net.complete(data, how="draw", seed=seed) for seed in (1, 1, 2))
    assert cells(first) == cells(again)
    assert cells(first) != cells(other)
    order = np.random.default_rng(0).permutation(60)
    turned = net.complete(data.take(order), how="draw", seed=1).table
    for column in first.table.columns:
        np.testing.assert_array_equal(column.values[order], turned.column(column.name).values)
    assert cells(net.complete(data, seed=1)) == cells(net.complete(data, seed=2))


def test_how_sure():
    net = mixed_network()
    data = with_holes(net.sample(4000, 1), 0.3, 2)
    whole = net.sample(4000, 1)
    for how in ("probable", "draw"):
        for column in net.complete(data, how=how).columns:
            true = whole.column(column.name).values[column.rows]
            if column.levels:  # a level of probability p is right in a share p of the cells
                assert np.mean(column.values == true) == pytest.approx(column.sure.mean(), abs=0.03)
            else:
                twice = 2.0 if how == "draw" else 1.0  # a draw is as far from the mean as the truth is
                assert np.mean((column.values - true) ** 2 / column.sure**2) == pytest.approx(twice, abs=0.15)


def test_columns_that_are_cut():
    net = networks.random_gaussian_network(networks.random_dag(4, seed=2, n_edges=4), seed=2)
    data = net.sample(2000, 1)
    cuts = Discretization({name: np.quantile(data.column(name).values, [0.25, 0.5, 0.75]) for name in net.names[:3]}
                          | {net.names[3]: []})  # fmt: skip
    fitted = networks.fit(net.dag, data, discretization=cuts)
    holed = with_holes(data, 0.3)
    mean, drawn = (fitted.complete(holed, how=how) for how in ("probable", "draw"))
    for column in mean.columns:
        assert column.levels == ()
        true = data.column(column.name).values[column.rows]
        assert np.mean((column.values - true) ** 2) == pytest.approx(np.mean(column.sure**2), rel=0.35)
        values = drawn.table.column(column.name).values
        assert np.abs(values.mean() - data.column(column.name).values.mean()) < 0.1 * values.std()
    levels = fitted.complete(cuts.apply(holed)).table  # given as levels, they are filled with levels
    assert set(levels.kinds) == {Kind.DISCRETE}
    assert levels.is_complete


def test_other_columns_and_other_levels():
    net = mixed_network()
    data = with_holes(net.sample(30, 1), 0.3)
    m = data.column("m")
    seen = m.values.copy()
    seen[seen == 2] = 1  # a table in which "o" does not occur, its levels the other way round
    turned = Column("m", Kind.DISCRETE, (1 - seen).astype(np.uint8), ("v", "u"), missing=m.missing)
    note = Column("note", Kind.CONTINUOUS, np.arange(30.0), missing=np.arange(30) == 4)
    table = replace(data, columns=(note, *(turned if c.name == "m" else c for c in data.columns if c.name != "w")))
    found = net.complete(table)
    assert found.table.names == table.names
    assert found.table.column("m").levels == net.model("m").levels
    there = ~m.missing
    got, old = found.table.column("m"), turned
    assert [got.levels[i] for i in got.values[there]] == [old.levels[i] for i in old.values[there]]
    assert found.table.missing_counts() == {"note": 1}
    assert any("missing cells of 'note' stay missing" in warning for warning in found.table.warnings)


def test_frames_and_weights():
    net = mixed_network()
    data = with_holes(net.sample(30, 1), 0.3)
    found = net.complete(data.to_pandas())
    assert cells(found) == cells(net.complete(data))
    weights = np.arange(30) % 3
    weighted = data.weighted(weights)
    assert cells(net.complete(weighted)) == cells(net.complete(weighted.repeated()))
    assert repr(found) == f"FilledTable({found.n_cells} cells filled in 6 of 6 columns)"


def test_wrong_arguments():
    net = mixed_network()
    data = with_holes(net.sample(5, 1), 0.3)
    with pytest.raises(OptionError, match="argument 'how' of complete must be 'probable' or 'draw', not 'guess'"):
        net.complete(data, how="guess")
    with pytest.raises(OptionError, match="seed -1 is negative"):
        net.complete(data, how="draw", seed=-1)


def test_no_rows_and_one():
    net = mixed_network()
    data = net.sample(3, 1)
    assert net.complete(data.take([])).n_cells == 0
    one = with_holes(data.take([0]), 1.1)
    assert net.complete(Dataset(one.columns[:2]), how="draw").table.is_complete
