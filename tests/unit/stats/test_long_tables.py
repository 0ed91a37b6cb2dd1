"""Mapped tables in many blocks: the answers of the same table in memory and in one block, bit for bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import arcwise
from arcwise._kernels.counts import counting
from arcwise._kernels.counts.fresh_lanes import tally_fresh_lanes
from arcwise._kernels.counts.long_dense import tally_long
from arcwise._kernels.counts.meets import tally_meets
from arcwise.data.dataset import Column, Kind
from arcwise.data.rows.matrix import let_go, matrix_of
from arcwise.data.rows.store import open_store, write_store
from arcwise.independence import counted
from arcwise.stats import contingency, packing, tables, tallies
from arcwise.stats.counts import Counts
from arcwise.stats.tables import table_of
from tests.oracle.counting import discrete_table

ROWS = 70_000  # more than a kernel handles at a time, and not a multiple of anything


@pytest.fixture(scope="module")
def long_table():
    return discrete_table(np.random.default_rng(1), [3, 2, 4, 1, 16, 9, 20], ROWS)


@pytest.fixture
def many_blocks(monkeypatch):
    """Blocks of a few rows; nothing is kept that a long table would not keep."""
    for module, name, value in (
        (packing, "BLOCK_ROWS", 128),
        (packing, "MOST_BLOCKS", 4),
        (packing, "KEPT_LANES", 0),
        (packing, "STRETCH", packing.STRIP),
        (packing, "GATHERED", 100),
        (packing, "plane_cells", lambda: 1200),
        (tallies, "MANY_BYTES", 0),
        (tallies, "FRESH", 1),
        (tallies, "MERGED", 10),
        (contingency, "FLAT_CELLS", 100),
        (counted, "STRATA_ROWS", 0),
        (tables, "LONG_ROWS", 0),
    ):
        monkeypatch.setattr(module, name, value)


def count_slowly(codes, cards, members):
    table = np.zeros([cards[m] for m in members], dtype=np.int64)
    np.add.at(table, tuple(codes[m] for m in members), 1)
    return table.ravel()


def test_tables_by_planes_and_by_four(long_table, monkeypatch):
    monkeypatch.setattr(packing, "BLOCK_ROWS", 40_000)
    here = Counts(long_table).here
    cards, shape = here.cards, here.shape
    shared, extras = np.array([1]), np.array([[2, 0], [-1, -1], [3, 5], [4, -1]])
    families = [[1, 2, 0, 5], [1, 5], [1, 3, 5, 5], [1, 4, 5]]
    sizes = [int(np.prod(cards[members])) for members in families]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    twin = np.concatenate([count_slowly(here.codes, cards, members) for members in families])
    chosen = np.ones(4, dtype=np.bool_)
    by_planes, by_four, by_one = (np.zeros(offsets[-1], dtype=np.int32) for _ in range(3))
    for block in here.packed.blocks:
        tally_meets(block, shape, 5, shared, extras, offsets, chosen, by_planes)
        tally_long(block, cards, 5, shared, extras, offsets, by_four)
        counting.tally_dense(block, cards, 5, shared, extras, offsets, by_one)
    assert np.array_equal(by_planes, twin)
    assert np.array_equal(by_four, twin)
    assert np.array_equal(by_one, twin)
    alone = np.zeros(3, dtype=np.int32)
    nothing, ends = np.empty((1, 0), dtype=np.intp), np.array([0, 3])
    for block in here.packed.blocks:
        tally_meets(block, shape, 0, shared[:0], nothing, ends, chosen[:1], alone)
    assert np.array_equal(alone, np.bincount(here.codes[0]))


def test_tables_too_large_for_four():
    data = discrete_table(np.random.default_rng(2), [200, 200, 2], 3000)
    block = Counts(data).here.packed.blocks[0]
    cards = np.array(data.cardinalities)
    flat = np.zeros(80_000, dtype=np.int32)
    tally_long(block, cards, 2, np.array([0, 1]), np.empty((1, 0), dtype=np.intp), np.array([0, 80_000]), flat)
    assert np.array_equal(flat, count_slowly(data.codes(), cards, [0, 1, 2]))


def test_lanes_packed_each_time(long_table):
    here = Counts(long_table).here
    shape, members = here.shape, np.array([6, 0])  # a wide column has no lanes, but may be counted against them
    totals, lanes = np.zeros(60, dtype=np.int32), np.zeros((60, shape.n_lanes), dtype=np.int32)
    for block in here.packed.blocks:
        tally_fresh_lanes(block, shape, members, totals, lanes)
    assert np.array_equal(totals, count_slowly(here.codes, here.cards, members))
    for u in np.flatnonzero(shape.lane_of >= 0):
        first, card = shape.lane_of[u], here.cards[u]
        twin = count_slowly(here.codes, here.cards, [*members, u]).reshape(60, card)
        assert np.array_equal(lanes[:, first : first + card - 1], twin[:, 1:])


def mapped_twin(data, folder):
    write_store(folder / "t.arcwise", data)
    return open_store(folder / "t.arcwise")


def small_table(seed=3, n_rows=700):
    rng = np.random.default_rng(seed)
    data = discrete_table(rng, [2, 3, 4, 2, 20, 3, 2], n_rows, names=list("gcbfaed"))
    return replace(data, columns=tuple(replace(c, levels=tuple(map(str, range(c.cardinality)))) for c in data.columns))


def facts(result, asked=True):
    """asked: also how many families were asked for. Walks over orders ask again for those that a kernel keeps."""
    steps = [(step.phase, step.step, step.action, step.score) for step in result.trace]
    counters = result.counters if asked else replace(result.counters, score_asked=0)
    return result.cpdag, result.score, counters, steps


PRESETS = [
    "hill-climb", "tabu", "ges", "boss", "best", "k2", "sparse-candidate", "optimal-reinsertion", "exhaustive",
    "pc", "tpda", "mmpc", "pmms", "mmhc", "pmmhc",
]  # fmt: skip


@pytest.mark.parametrize("method", PRESETS)
def test_every_preset_on_mapped_blocks(method, tmp_path, request):
    data = small_table()
    asked = method not in ("boss", "best")
    expected = facts(arcwise.learn(data, method, seed=1), asked)
    request.getfixturevalue("many_blocks")
    far = mapped_twin(data, tmp_path)
    counts = Counts(far.by_name())
    assert len(counts.here.packed.blocks) == 4
    assert np.shares_memory(counts.here.codes, far.by_name().columns[0].values)  # no copy
    assert facts(arcwise.learn(far, method, seed=1), asked) == expected


@pytest.mark.parametrize("score", ["bdeu", "k2", "bic", "aic", "mdl"])
def test_every_score_on_mapped_blocks(score, tmp_path, request):
    data = small_table(4)
    expected = facts(arcwise.learn(data, "hill-climb", score=score))
    request.getfixturevalue("many_blocks")
    assert facts(arcwise.learn(mapped_twin(data, tmp_path), "hill-climb", score=score)) == expected


@pytest.mark.parametrize("test", ["g-squared", "chi-squared", "mutual-information", "information"])
@pytest.mark.parametrize("method", ["pc", "pmms"])
def test_every_test_on_mapped_blocks(method, test, tmp_path, request):
    data = small_table(5)
    expected = facts(arcwise.learn(data, method, test=test))
    request.getfixturevalue("many_blocks")
    assert facts(arcwise.learn(mapped_twin(data, tmp_path), method, test=test)) == expected


@pytest.mark.parametrize("most", [3, 40])
@pytest.mark.parametrize("method", ["hill-climb", "pc", "pmms"])
def test_weights_on_blocks(method, most, request):
    data = small_table(6)
    data = data.weighted(np.random.default_rng(7).integers(1, most, data.n_stored))
    expected = facts(arcwise.learn(data, method))
    request.getfixturevalue("many_blocks")
    assert facts(arcwise.learn(data.take(slice(None)), method)) == expected


@pytest.mark.usefixtures("many_blocks")
@pytest.mark.parametrize("mixed", [False, True])
def test_tables_of_fitted_networks(mixed):
    data = small_table(8)
    if mixed:
        data = replace(data, columns=(*data.columns, Column("x", Kind.CONTINUOUS, np.arange(700.0))))
    cards, codes = [2, 20, 3], [data.column(name).values for name in "fae"]
    twin = count_slowly(codes, cards, [0, 1, 2]).reshape(cards)
    assert np.array_equal(table_of(data, list("fae")), twin)


def test_columns_of_one_matrix_are_not_copied(tmp_path):
    matrix = np.arange(40, dtype=np.uint8).reshape(4, 10)
    found = matrix_of([matrix[1], matrix[2], matrix[3]])
    assert np.array_equal(found, matrix[1:])
    assert np.shares_memory(found, matrix)
    assert np.array_equal(matrix_of([matrix[0], matrix[2]]), matrix[::2])
    assert np.array_equal(matrix_of([row[2:7] for row in matrix]), matrix[:, 2:7])
    for columns in (
        [],
        [matrix[0, :0]],
        [matrix[2], matrix[1]],
        [matrix[0], matrix[0]],
        [matrix[0], matrix[1], matrix[3]],
        [matrix[0], matrix[1].copy()],
        [matrix[0], matrix[1, :9]],
        [row[::2] for row in matrix],
    ):
        assert matrix_of(columns) is None


def test_pages_that_are_let_go_are_read_again(tmp_path):
    file = np.memmap(tmp_path / "codes", np.uint8, "w+", 0, (3, 100_000))
    file[:] = np.arange(3)[:, None]
    file.flush()
    rows = np.memmap(tmp_path / "codes", np.uint8, "r", 0, (3, 100_000)).view(np.ndarray)
    matrix = matrix_of(list(rows))
    assert matrix is not None
    let_go(matrix[:, 5000:90_000])
    assert np.array_equal(matrix, file)
    let_go(rows[1:, 3:])
    assert np.array_equal(rows, file)
    own = np.memmap(tmp_path / "codes", np.uint8, "c", 0, (3, 100_000))
    own[:] = 7  # only this copy: it would be lost with its pages
    let_go(own)
    assert (own == 7).all()
    memory = np.ones((2, 10_000), dtype=np.uint8)
    let_go(memory)
    assert memory.all()
