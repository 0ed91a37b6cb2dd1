"""Draws of hidden cells: the same as the twin's, one by one, and in the long run those of the exact distribution."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np
import pytest

from arcwise._kernels.evidence import gibbs
from arcwise.stats import hidden as hidden_cells
from arcwise.stats.hidden import PRIOR, HiddenCells, Places
from tests.oracle import gibbs as twin
from tests.oracle.called import called
from tests.oracle.graphs import random_dag

CARDS = np.array([2, 3, 2, 4, 1])


def some_rows(rng, cards, n_rows, share=0.4):
    codes = np.column_stack([rng.integers(0, card, n_rows) for card in cards]).astype(np.uint8)
    return codes, rng.random(codes.shape) < share


def drawn_by_both(rng, cards, adj, n_rows, likelihoods=None):
    """(kernel's rows and changes, twin's) after two sweeps with the tables of the rows themselves."""
    codes, hidden = some_rows(rng, cards, n_rows)
    cells = HiddenCells(codes, cards, hidden)
    if likelihoods is not None:
        cells.observe(likelihoods)
    cells.follow(adj)
    theta = twin.tables(codes.tolist(), cards.tolist(), adj, PRIOR)
    order, seed = rng.permutation(np.flatnonzero(hidden.any(axis=0))), int(rng.integers(2**63)) * 2 + 1
    changed = gibbs.sweep(
        cells._network, cells._cells, order, 2, np.uint64(seed), 0, n_rows, np.empty(int(cards.max()))
    )
    seen = None
    if likelihoods is not None:  # as they are kept: in 32 bits, the largest 1
        seen = {j: np.float32(some / some.max(axis=1, keepdims=True)).astype(float) for j, some in likelihoods.items()}
    want = twin.sweep(codes.tolist(), hidden, cards.tolist(), adj, theta, order.tolist(), 2, seed, seen)
    return (cells.codes.tolist(), changed), want


@pytest.mark.parametrize("case", range(6))
def test_draw_by_draw_as_the_twin(case):
    rng = np.random.default_rng(case)
    got, want = drawn_by_both(rng, CARDS, random_dag(rng, len(CARDS), 0.6), 25)
    assert got == want
    assert got[1] > 0


@pytest.mark.parametrize("case", range(3))
def test_draws_weighed_by_what_was_recorded(case):
    rng = np.random.default_rng(10 + case)
    likelihoods = {1: rng.random((25, 3)) + 1e-3, 3: rng.random((25, 4)) ** 4}
    likelihoods[3][::5, 1:3] = 0.0  # levels that cannot be
    got, want = drawn_by_both(rng, CARDS, random_dag(rng, len(CARDS), 0.6), 25, likelihoods)
    assert got == want


def test_tables_and_configurations_are_those_of_the_rows():
    rng = np.random.default_rng(4)
    adj = random_dag(rng, len(CARDS), 0.6)
    codes, hidden = some_rows(rng, CARDS, 40)
    cells = HiddenCells(codes, CARDS, hidden)
    cells.follow(adj)
    network, parents = cells._network, twin.parents_of(adj)
    want = twin.tables(codes.tolist(), CARDS.tolist(), adj, PRIOR)
    flat = [value for table in want for values in table.values() for value in values]
    np.testing.assert_allclose(network.tables, flat, rtol=1e-14)
    for j in range(len(CARDS)):
        places = {states: i for i, states in enumerate(twin.configurations(CARDS, parents[j]))}
        want_places = [places[tuple(row[parents[j]].tolist())] for row in codes]
        assert cells._cells.configurations[:, j].tolist() == want_places
        start = network.first[j]
        sums = network.tables[start : start + CARDS[j] * len(places)].reshape(-1, CARDS[j]).sum(axis=1)
        np.testing.assert_allclose(sums, 1.0, rtol=1e-12)


def test_configurations_stay_those_of_the_rows_while_cells_change():
    rng = np.random.default_rng(5)
    codes, hidden = some_rows(rng, CARDS, 60)
    cells = HiddenCells(codes, CARDS, hidden)
    cells.follow(random_dag(rng, len(CARDS), 0.6))
    assert cells.sweep(3, rng) > 0
    after = cells._cells.configurations.copy()
    gibbs.settle(cells._network, cells._cells, PRIOR)
    np.testing.assert_array_equal(after, cells._cells.configurations)
    np.testing.assert_array_equal(cells.codes[~hidden], codes[~hidden])


def test_probabilities_given_the_rest_are_exact():
    rng = np.random.default_rng(6)
    adj = random_dag(rng, len(CARDS), 0.8)
    codes, hidden = some_rows(rng, CARDS, 30)
    cells = HiddenCells(codes, CARDS, hidden)
    cells.follow(adj)
    rows, columns = hidden.nonzero()
    starts = np.cumsum([0, *CARDS[columns[:-1]]])
    shares = np.zeros(int(CARDS[columns].sum()), dtype=np.float32)
    for _ in range(2):
        cells.add_probabilities(Places(rows, columns, starts), shares)
    theta = twin.tables(codes.tolist(), CARDS.tolist(), adj, PRIOR)
    want = []
    for n, j in zip(rows.tolist(), columns.tolist(), strict=True):
        only = [i == j for i in range(len(CARDS))]
        want += twin.posterior(codes[n].tolist(), only, CARDS.tolist(), adj, theta).values()
    np.testing.assert_allclose(shares, 2 * np.array(want), rtol=1e-5)


@pytest.mark.parametrize("seen", [False, True])
@pytest.mark.parametrize("case", range(4))
def test_in_the_long_run_the_draws_have_the_exact_joint_distribution(case, seen):
    """Thousands of rows that say the same: each is a chain of its own, so that the draws are independent."""
    rng, n_rows = np.random.default_rng(20 + case), 4000
    cards = rng.integers(2, 4, 5)
    adj = random_dag(rng, 5, 0.6)
    row, hidden = rng.integers(0, cards), np.array([True, True, False, True, case % 2 == 0])
    network = hidden_cells._network(adj, cards)
    theta, at = [], 0
    for j, parents in enumerate(twin.parents_of(adj)):
        theta.append({})
        for states in twin.configurations(cards, parents):
            theta[j][states] = rng.dirichlet(np.full(cards[j], 1.5)).tolist()
            network.tables[at : at + cards[j]] = theta[j][states]
            at += cards[j]
    codes = np.tile(row, (n_rows, 1)).astype(np.uint8)
    cells = HiddenCells(codes, cards, np.tile(hidden, (n_rows, 1)))
    likelihoods = {j: rng.random(cards[j]) + 0.05 for j in (0, 3)} if seen else {}
    cells.observe({j: np.tile(some, (n_rows, 1)) for j, some in likelihoods.items()})
    gibbs.settle(network._replace(tables=network.tables.copy()), cells._cells, PRIOR)  # configurations of these parents
    cells._network = network
    cells.sweep(60, np.random.default_rng(case))
    exact = twin.posterior(row.tolist(), hidden, cards.tolist(), adj, theta, likelihoods)
    found = Counter(map(tuple, cells.codes[:, hidden].tolist()))
    statistic = 0.0
    for levels, probability in exact.items():
        error = sqrt(probability * (1 - probability) / n_rows)
        assert abs(found[levels] / n_rows - probability) < 4.5 * error + 1 / n_rows
        statistic += (found[levels] - n_rows * probability) ** 2 / (n_rows * probability)
    freedom = len(exact) - 1
    assert statistic < freedom + 4.5 * sqrt(2 * freedom) + 10  # chi-squared, with room for rare states


def with_many_children(n_children, rng):
    """A hidden column, and children so many that the product of their tables can be smaller than any number."""
    cards = np.array([3, *[2] * n_children])
    adj = np.zeros((n_children + 1, n_children + 1), dtype=bool)
    adj[0, 1:] = True
    codes = np.column_stack([rng.integers(0, 3, 400), rng.random((400, n_children)) < 0.002]).astype(np.uint8)
    hidden = np.zeros(codes.shape, dtype=bool)
    hidden[:, 0] = True
    cells = HiddenCells(codes, cards, hidden)
    cells.follow(adj)
    cells.codes[0, 1:] = 1  # improbable, every one of them
    cells._cells.configurations[0, 1:] = cells.codes[0, 0]
    return cells


def given_the_rest(cells, n):
    shares = np.zeros(3, dtype=np.float32)
    cells.add_probabilities(Places(np.array([n]), np.array([0]), np.array([0])), shares)
    return shares


@pytest.mark.parametrize("n_children", [20, 100, 400])
def test_products_too_small_for_a_number_are_worked_out_in_logarithms(n_children):
    cells = with_many_children(n_children, np.random.default_rng(7))
    network = cells._network
    tables = [network.tables[network.first[c] :][:6].reshape(3, 2)[:, 1] for c in range(1, n_children + 1)]
    logs = np.log(network.tables[:3]) + np.sum(np.log(tables), axis=0)
    plain = np.exp(logs).sum()
    assert (plain < gibbs.LEAST) == (n_children > 20)
    want = np.exp(logs - logs.max())
    np.testing.assert_allclose(given_the_rest(cells, 0), want / want.sum(), rtol=1e-5)
    assert np.isfinite(cells.sweep(2, np.random.default_rng(0)))


def test_both_ways_to_weigh_say_the_same():
    """The plain products against logarithms, where both can be worked out."""
    weigh, weigh_in_logs = map(called, (gibbs._weigh, gibbs._weigh_in_logs))
    cells = with_many_children(20, np.random.default_rng(8))
    cells.observe({0: np.random.default_rng(9).random((400, 3))})
    room = np.empty((2, 3))
    for n in range(50):
        plain = weigh(cells._network, cells._cells, n, 0, room[0])
        logs = weigh_in_logs(cells._network, cells._cells, n, 0, room[1])
        np.testing.assert_allclose(room[0] / plain, room[1] / logs, rtol=1e-12)


def test_threads_and_parts_of_the_rows_change_nothing(monkeypatch):
    rng = np.random.default_rng(30)
    codes, hidden = some_rows(rng, CARDS, 2600)
    adj = random_dag(rng, len(CARDS), 0.6)
    found = []
    for threads in (1, 2, 5):
        monkeypatch.setenv("ARCWISE_THREADS", str(threads))
        cells = HiddenCells(codes, CARDS, hidden)
        cells.follow(adj)
        changed = cells.sweep(3, np.random.default_rng(1))
        found.append((changed, cells.codes.tolist()))
    assert found[0] == found[1] == found[2]


def test_nothing_hidden_and_no_rows():
    rng = np.random.default_rng(31)
    codes, hidden = some_rows(rng, CARDS, 10, share=0.0)
    for some in (codes, codes[:0]):
        cells = HiddenCells(some, CARDS, hidden[: len(some)])
        cells.follow(random_dag(rng, len(CARDS), 0.6))
        assert cells.sweep(3, rng) == 0
        np.testing.assert_array_equal(cells.codes, some)
