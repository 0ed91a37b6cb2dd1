"""The counting core against its twins: every path, every block size, every number of threads."""

from __future__ import annotations

from dataclasses import replace
from gc import collect
from math import lgamma
from weakref import ref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from arcwise._kernels.counts import cells as cell_kernels
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError
from arcwise.scores import AIC, BIC, MDL
from arcwise.stats import counts as counts_module
from arcwise.stats import packing
from arcwise.stats.cells import LOG_LIKELIHOOD, Cells
from arcwise.stats.counts import TABULATED, Counts, counts_of
from tests.oracle.counting import cell_value, discrete_table, family_sum, family_table, sparse_bdeu

BDEU = Cells(1.0)
K2 = Cells(1.0, spread=False)


def padded(sets):
    out = np.full((len(sets), max(map(len, sets), default=0)), -1, dtype=np.intp)
    for row, parents in zip(out, sets, strict=True):
        row[: len(parents)] = parents
    return out


def expected_sums(data, child, sets, cells):
    codes, cards = data.codes(), data.cardinalities
    out = []
    for parents in sets:
        q = float(np.prod([cards[p] for p in parents]))
        out.append(family_sum(codes, cards, child, parents, *cells.pseudo_counts(q, cards[child])))
    return out


@pytest.mark.parametrize("cells", [BDEU, K2, LOG_LIKELIHOOD])
def test_candidates_of_a_common_base_are_counted_by_lanes(cells):
    data = discrete_table(np.random.default_rng(1), [2, 3, 4, 2, 1, 5, 3], 1500)
    sets = [[1, 3, u] for u in (0, 4, 5, 6)]
    assert Counts(data).family_sums(2, padded(sets), cells)[0] == pytest.approx(
        expected_sums(data, 2, sets, cells), rel=1e-12
    )


@given(
    seed=st.integers(0, 2**32 - 1),
    cards=st.lists(st.integers(1, 6), min_size=3, max_size=7),
    n_rows=st.integers(1, 700),
)
@settings(max_examples=60, deadline=None)
def test_any_batch_equals_the_slow_twin(seed, cards, n_rows):
    rng = np.random.default_rng(seed)
    data = discrete_table(rng, cards, n_rows)
    child = int(rng.integers(len(cards)))
    others = [i for i in range(len(cards)) if i != child]
    sets = [sorted(rng.choice(others, rng.integers(0, min(4, len(others)) + 1), replace=False)) for _ in range(9)]
    got = Counts(data).family_sums(child, padded(sets), BDEU)[0]
    assert got == pytest.approx(expected_sums(data, child, sets, BDEU), rel=1e-11, abs=1e-9)


def test_wide_columns_mixed_with_narrow_ones():
    data = discrete_table(np.random.default_rng(2), [300, 2, 40, 3, 17, 16], 900)
    sets = [[u] for u in (0, 2, 3, 4, 5)]
    assert Counts(data).family_sums(1, padded(sets), BDEU)[0] == pytest.approx(
        expected_sums(data, 1, sets, BDEU), rel=1e-12
    )


def test_large_tables_are_counted_sparsely_with_the_same_sum(monkeypatch):
    data = discrete_table(np.random.default_rng(3), [3, 4, 5, 4, 2], 400)
    sets = [[1, 2, 3, 4], [1, 2], [4]]
    dense = Counts(data).family_sums(0, padded(sets), BDEU)[0]
    monkeypatch.setattr(packing, "DENSE_CELLS", 1)
    monkeypatch.setattr(packing, "DENSE_PER_ROW", 0)
    assert Counts(data).family_sums(0, padded(sets), BDEU)[0] == pytest.approx(dense, rel=1e-12)


def test_a_large_batch_is_counted_in_portions(monkeypatch):
    data = discrete_table(np.random.default_rng(4), [3, 4, 5, 4, 2, 3], 300)
    sets = [[1, 2], [3], [1, 3, 4], [5, 2], []]
    whole = Counts(data).family_sums(0, padded(sets), BDEU)[0]
    monkeypatch.setattr(counts_module, "BATCH", 2)
    assert np.array_equal(Counts(data).family_sums(0, padded(sets), BDEU)[0], whole)


@pytest.mark.parametrize("block_rows", [1, 7, 100, 256, 100_000])
@pytest.mark.parametrize("threads", ["1", "3"])
def test_blocks_and_threads_never_change_a_bit(monkeypatch, block_rows, threads):
    data = discrete_table(np.random.default_rng(5), [2, 3, 4, 2, 3, 2], 1000)
    sets = [[1, u] for u in (2, 3, 4, 5)] + [[2, 3, 4]]
    reference = Counts(data).family_sums(0, padded(sets), BDEU)[0]
    table = Counts(data).table([2, 0, 1])
    monkeypatch.setattr(packing, "BLOCK_ROWS", block_rows)
    monkeypatch.setenv("ARCWISE_THREADS", threads)
    assert np.array_equal(Counts(data).family_sums(0, padded(sets), BDEU)[0], reference)
    assert np.array_equal(Counts(data).table([2, 0, 1]), table)


def test_more_rows_in_a_cell_than_a_byte_can_count():
    data = discrete_table(np.random.default_rng(6), [2, 2, 2, 2, 2, 2], 5000)
    sets = [[u] for u in range(1, 6)]
    assert Counts(data).family_sums(0, padded(sets), BDEU)[0] == pytest.approx(
        expected_sums(data, 0, sets, BDEU), rel=1e-12
    )


def test_parent_order_does_not_change_a_bit():
    counts = Counts(discrete_table(np.random.default_rng(7), [3, 4, 2, 5], 500))
    assert (
        counts.family_sums(0, np.array([[1, 2, 3]]), BDEU)[0] == counts.family_sums(0, np.array([[3, 1, 2]]), BDEU)[0]
    )


def test_table_matches_the_twin():
    data = discrete_table(np.random.default_rng(8), [3, 4, 2], 200)
    table = Counts(data).table([1, 2, 0])
    twin = family_table(data.codes(), data.cardinalities, 0, [1, 2])
    assert all(table[j][k] == twin[j][k] for j in twin for k in range(3))
    assert table.sum() == 200


def test_a_column_budget_leaves_some_columns_without_lanes(monkeypatch):
    data = discrete_table(np.random.default_rng(9), [2, 3, 4, 2, 5, 3], 600)
    sets = [[u] for u in range(1, 6)]
    whole = Counts(data).family_sums(0, padded(sets), BDEU)[0]
    monkeypatch.setattr(packing, "LANE_BYTES", -600 * 6)
    assert Counts(data).family_sums(0, padded(sets), BDEU)[0] == pytest.approx(whole, rel=1e-12)


def repeated_rows(rng, n_parents):
    """Forty configurations of many parents, each about eight times, and a child of three levels that differs there."""
    parents = discrete_table(rng, rng.integers(2, 5, n_parents), 40).columns
    rows = rng.integers(0, 40, 300)
    levels = tuple("012")
    child = Column("x", Kind.DISCRETE, rng.integers(0, 3, 300).astype(np.uint8), levels)
    return Dataset((child, *(Column(f"p{c.name}", c.kind, c.values[rows], c.levels) for c in parents)))


@pytest.mark.parametrize("n_parents", [3, 20, 22, 61, 62, 63, 64, 130, 620, 650, 1200])
def test_any_number_of_parents_can_be_scored(n_parents):
    """2^62 joint states are the largest key of 64 bits; 1200 parents have more states than a float can hold."""
    data = repeated_rows(np.random.default_rng(n_parents), n_parents)
    parents = list(range(1, n_parents + 1))
    got, q = Counts(data).family_sums(0, padded([parents, [1, 2]]), Cells(5.0))
    twin = [sparse_bdeu(data.codes(), data.cardinalities, 0, some, 5.0) for some in (parents, [1, 2])]
    assert got == pytest.approx(twin, rel=1e-11)
    assert (q[0] == counts_module.LARGEST_Q) == (n_parents >= 650)


def test_penalties_of_any_number_of_parents_are_finite():
    data = repeated_rows(np.random.default_rng(3), 1200)
    for score in (BIC(), AIC(), MDL()):
        bound = score.bind(data)
        assert -np.inf < bound.local_score(0, range(1, 1201)) < bound.local_score(0, range(1, 500))
    constant = Dataset((Column("x", Kind.DISCRETE, np.zeros(300, dtype=np.uint8), ("only",)), *data.columns[1:]))
    assert BIC().bind(constant).local_score(0, range(1, 1201)) == 0.0


@pytest.mark.parametrize("ess", [-1.0, 0.5])
def test_families_of_many_parents_need_no_size_for_other_scores(ess):
    """K2 and the likelihood know nothing of the states that do not occur."""
    cells = Cells(ess, spread=False)
    few = discrete_table(np.random.default_rng(1), [3, 2, 2, 2], 200)
    copies = [Column(f"y{i:02d}", Kind.DISCRETE, few.columns[1 + i % 3].values, ("0", "1")) for i in range(80)]
    many = Dataset((*few.columns, *copies))  # 80 copies tell no more than the three
    got = Counts(many).family_sums(0, padded([list(range(1, 84)), [1, 2, 3]]), cells)[0]
    assert got[0] == pytest.approx(got[1], rel=1e-12)


@pytest.mark.parametrize("block_rows", [7, 100_000])
def test_many_parents_on_many_blocks(monkeypatch, block_rows):
    data = repeated_rows(np.random.default_rng(2), 89)
    parents = padded([list(range(1, 90)), list(range(1, 60))])
    reference = Counts(data).family_sums(0, parents, BDEU)[0]
    monkeypatch.setattr(packing, "BLOCK_ROWS", block_rows)
    assert np.array_equal(Counts(data).family_sums(0, parents, BDEU)[0], reference)


@pytest.mark.parametrize("weighted", [False, True])
def test_tables_with_all_later_columns(weighted):
    rng = np.random.default_rng(4)
    data = discrete_table(rng, [300, 2, 3, 1, 5], 700)
    if weighted:
        data = data.weighted(rng.integers(1, 50, 700))
    counts = Counts(data)
    for x in range(5):
        tables = counts.tables_with_later(x)
        ends = np.cumsum([0, *data.cardinalities[x + 1 :]])
        assert tables.shape == (data.cardinalities[x], ends[-1])
        for y in range(x + 1, 5):
            first, last = ends[y - x - 1 : y - x + 1]
            assert np.array_equal(tables[:, first:last], counts.table((x, y)))


def test_tables_that_fit_no_memory_are_refused_by_name():
    columns = tuple(
        Column(f"c{i}", Kind.DISCRETE, np.arange(3, dtype=np.uint16), tuple(map(str, range(60_000)))) for i in range(6)
    )
    with pytest.raises(DataError, match=r"'c2' with 2 others would take .* GiB"):
        Counts(Dataset(columns)).table([0, 1, 2])


def test_batches_with_more_pseudo_counts_than_there_is_room_for():
    """Every pair of these 40 columns has a table of another size, so each family needs cell functions of its own."""
    cards = list(range(2, 42))
    data = discrete_table(np.random.default_rng(10), cards, 60)
    sets = [[u] for u in range(1, 40)]
    counts = Counts(data)
    for child in (0, 20, 39):
        parents = [s for s in [[0], *sets] if s != [child]]
        assert counts.family_sums(child, padded(parents), BDEU)[0] == pytest.approx(
            expected_sums(data, child, parents, BDEU), rel=1e-12
        )


@njit
def cell_function(a, origin, k):
    """Only kernels can call it."""
    return cell_kernels.cell_function(a, origin, k)


@pytest.mark.parametrize("a", [-1.0, 1e-6, 0.1, 1.0, 3.0, 250.0])
def test_cell_functions_agree_with_the_formula(a):
    for count in (0, 1, 2, 63, 64, 1000, TABULATED - 1, TABULATED, 123_456):
        assert cell_function(a, lgamma(a) if a > 0 else 0.0, count) == pytest.approx(
            cell_value(a, count), rel=1e-12, abs=1e-9
        )


def test_counts_beyond_the_tabulated_ones():
    codes = np.repeat([0, 1], [900, 1100]).astype(np.uint8)
    columns = tuple(Column(name, Kind.DISCRETE, codes, ("0", "1")) for name in "abcdef")
    data = Dataset(columns)
    sets = [[u] for u in range(1, 6)]
    assert Counts(data).family_sums(0, padded(sets), BDEU)[0] == pytest.approx(
        expected_sums(data, 0, sets, BDEU), abs=1e-9
    )


def weighted_and_repeated(data, most, seed=12):
    weights = np.random.default_rng(seed).integers(0, most, data.n_stored)
    return data.weighted(weights), data.take(np.repeat(np.arange(data.n_stored), weights))


@pytest.mark.parametrize("block_rows", [50, 100_000])
@pytest.mark.parametrize("most", [4, 30])
@pytest.mark.parametrize("cells", [BDEU, K2, LOG_LIKELIHOOD])
def test_a_row_counts_as_often_as_its_weight_says(monkeypatch, cells, most, block_rows):
    monkeypatch.setattr(packing, "BLOCK_ROWS", block_rows)
    data = discrete_table(np.random.default_rng(11), [2, 3, 4, 2, 5, 3], 200)
    weighted, repeated = (Counts(some) for some in weighted_and_repeated(data, most))
    assert bool(len(weighted.here.weights)) == (most == 30)  # few times: the rows are repeated
    sets = padded([[1], [2], [3], [4], [5], [1, 2], [3, 4, 5], []])
    assert weighted.n_rows == repeated.n_rows
    assert np.array_equal(weighted.table([2, 0, 1]), repeated.table([2, 0, 1]))
    for one, other in zip(weighted.family_sums(0, sets, cells), repeated.family_sums(0, sets, cells), strict=True):
        assert one == pytest.approx(other, rel=1e-12)


@pytest.mark.parametrize("n_parents", [20, 89])
def test_weights_of_rows_with_many_parents(n_parents):
    data = repeated_rows(np.random.default_rng(5), n_parents)
    weighted, repeated = (Counts(some) for some in weighted_and_repeated(data, 30))
    sets = padded([list(range(1, n_parents + 1)), [1, 2]])
    assert weighted.family_sums(0, sets, BDEU)[0] == pytest.approx(repeated.family_sums(0, sets, BDEU)[0], rel=1e-12)


@pytest.mark.parametrize("pearson", [False, True])
@pytest.mark.parametrize("rule", [0, 1, 2])
@pytest.mark.parametrize("per_row", [0, 4])
def test_weights_in_tests(monkeypatch, per_row, rule, pearson):
    monkeypatch.setattr(counts_module, "TEST_CELLS_PER_ROW", per_row)
    data = discrete_table(np.random.default_rng(13), [3, 4, 2, 3, 5], 60)
    sets = np.array([[2, -1], [3, 4], [-1, -1]])
    answers = []
    for counts in map(Counts, weighted_and_repeated(data, 30)):
        rules = counts.rules(pearson=pearson, rule=rule)
        answers.append([*counts.tests(0, 1, sets, rules), *counts.pairs(0, rules)])
    for one, other in zip(*answers, strict=True):
        assert one == pytest.approx(other, rel=1e-10, abs=1e-9)


def test_counts_are_made_once_and_die_with_their_table():
    data = discrete_table(np.random.default_rng(14), [2, 3, 2], 50)
    assert counts_of(data) is counts_of(data)
    assert counts_of(data.by_name()) is counts_of(data)
    backwards = data.select(reversed(data.names))
    assert counts_of(backwards.by_name()) is counts_of(backwards.by_name())
    others = [data.take(slice(None)) for _ in range(counts_module.KEPT)]
    first = counts_of(data)
    for other in others:
        counts_of(other)
    assert counts_of(data) is not first  # only those of the last few tables are kept
    gone = ref(data)
    del data, backwards, others, other
    collect()
    assert gone() is None


def test_lanes_of_columns_that_did_not_change_are_taken_over(monkeypatch):
    packed = []
    repack_lanes = packing.repack_lanes

    def watched(codes, lane_of, cards, fresh, lanes):
        packed.append(np.flatnonzero(fresh).tolist())
        repack_lanes(codes, lane_of, cards, fresh, lanes)

    monkeypatch.setattr(packing, "repack_lanes", watched)
    monkeypatch.setattr(packing, "plane_cells", lambda: 0)  # else no lanes are needed
    rng = np.random.default_rng(15)
    table = discrete_table(rng, [2, 3, 4, 2, 17, 3], 500)
    sets = padded([[1], [2], [3], [4], [5], []])
    counts_of(table).family_sums(0, sets, BDEU)
    tables = [table]  # each lives while the next is counted
    for changed, cards in (([2], [3]), ([2, 5], [6, 2]), ([4], [3]), ([3], [20]), ([1, 2, 3, 4, 5], [2, 2, 2, 2, 2])):
        new = discrete_table(rng, cards, 500).columns
        columns = list(tables[-1].columns)
        for u, column in zip(changed, new, strict=True):
            columns[u] = replace(column, name=columns[u].name)
        tables.append(Dataset(tuple(columns)))
        found = counts_of(tables[-1]).family_sums(0, sets, BDEU)[0]
        assert packed == ([changed] if len(changed) < 5 else [])  # most have changed: all are packed
        packed.clear()
        assert np.array_equal(found, Counts(tables[-1]).family_sums(0, sets, BDEU)[0])


@pytest.mark.parametrize("block_rows", [64, 300, 100000])
def test_planes_and_lanes_count_the_same(monkeypatch, block_rows):
    monkeypatch.setattr(packing, "BLOCK_ROWS", block_rows)
    table = discrete_table(np.random.default_rng(8), [2, 3, 1, 4, 17, 3], 1000)
    sets = padded([[3, u] for u in (1, 2, 4, 5)] + [[3]])
    found = []
    for most in (0, 1 << 20):
        monkeypatch.setattr(packing, "plane_cells", lambda most=most: most)
        counts = Counts(table)
        found.append(counts.family_sums(0, sets, BDEU))
        assert counts.here.packed.has_lanes == (most == 0)
    assert np.array_equal(found[0], found[1])
