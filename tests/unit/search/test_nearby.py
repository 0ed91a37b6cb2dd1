"""Walks over orders of many columns: turns that are passed over, and walks that are taken back."""

import numpy as np
import pytest

from arcwise import learn
from arcwise.networks import random_dag, random_discrete_network
from arcwise.parts.knowledge import Knowledge
from arcwise.scores import BDeu
from arcwise.search import Boss
from arcwise.search.greedy.cache import ScoreCache
from arcwise.search.orders import nearby
from arcwise.search.orders.nearby import NearbyWalk
from arcwise.search.orders.walk import ByRows, OrderWalk

N = 18


def table(seed, n=N, rows=300):
    dag = random_dag(n, seed=seed, expected_degree=4.0)
    return random_discrete_network(dag, seed=seed).sample(rows, seed=seed).by_name()


def walk_of(kind, data, knowledge=None):
    known = (knowledge or Knowledge()).bind(data.names)
    cache = ScoreCache(BDeu().bind(data), known.allowed | known.required, cards=data.cardinalities)
    return kind(known, ByRows(cache))


def required(names):
    return Knowledge(required=[(names[4], names[0]), (names[0], names[2]), (names[9], names[2])])


def going(_):
    return True


def never():
    return False


def moves_of(walk):
    walk.rest()
    told = []
    while (more := walk.go_on()) is not None:
        told += more
    return told


def state(walk):
    """All that says where a walk is, but for what was noted beyond need."""
    order, heed = walk._state, walk._heed
    kept = order.order, order.place, order.local, order.near, order.parents, heed.heeds, heed.reach, heed.due
    return [array.copy() for array in kept]


def assert_settled(walk, data, knowledge=None):
    """Parents are those of the order, and no column has a better place."""
    plain = walk_of(OrderWalk, data, knowledge)
    plain.begin(walk.order, going)
    np.testing.assert_array_equal(plain.adjacency, walk.adjacency)
    assert plain.score == pytest.approx(walk.score, rel=1e-12)
    assert [plain.improve(x) for x in range(len(data.names))] == [None] * len(data.names)


@pytest.mark.parametrize("with_required", [False, True])
@pytest.mark.parametrize("price", [0.0, 4.0])
def test_moves_are_those_of_the_plain_walk(price, with_required):
    moved = 0
    for seed in range(8):
        data = table(seed)
        knowledge = required(data.names) if with_required else None
        order = np.random.default_rng(seed).permutation(N)
        plain, wide = (walk_of(kind, data, knowledge) for kind in (OrderWalk, NearbyWalk))
        assert plain.begin(order, going, price)
        assert wide.begin(order, going, price)
        expected, found = moves_of(plain), moves_of(wide)
        moved += len(expected)
        assert [move[:2] for move in found[: len(expected)]] == [move[:2] for move in expected]
        np.testing.assert_allclose([move[2] for move in found[: len(expected)]], [move[2] for move in expected])
        if price == 0.0:  # the plain walk may end a little early
            assert_settled(wide, data, knowledge)
    assert moved > 8


@pytest.mark.parametrize("with_required", [False, True])
def test_attempts_gain_or_leave_all_as_it_was(with_required):
    gains = 0
    for seed in range(4):
        data, rng = table(seed), np.random.default_rng(seed)
        knowledge = required(data.names) if with_required else None
        walk = walk_of(NearbyWalk, data, knowledge)
        walk.begin(rng.permutation(N), going)
        moves_of(walk)
        for x in [*range(N)] * 3:
            before, score = state(walk), walk.score
            gain = walk.attempt(walk.random_moves(rng, x, 3), never)
            assert walk.score == pytest.approx(score + gain, rel=1e-12)
            if gain == 0.0:
                for now, then in zip(state(walk), before, strict=True):
                    np.testing.assert_array_equal(now, then)
            gains += gain > 0.0
        assert_settled(walk, data, knowledge)
    assert gains


def test_an_attempt_that_is_stopped_leaves_all_as_it_was(monkeypatch):
    monkeypatch.setattr(nearby, "AT_ONCE", 1)
    data = table(3)
    walk = walk_of(NearbyWalk, data)
    walk.begin(np.arange(N), going)
    moves_of(walk)
    before = state(walk)
    assert walk.attempt(np.array([[0, N - 1], [5, 0], [7, 3]]), lambda: True) == 0.0
    for now, then in zip(state(walk), before, strict=True):
        np.testing.assert_array_equal(now, then)


def test_a_journal_without_room_is_made_larger(monkeypatch):
    data = table(5)
    walk, roomy = walk_of(NearbyWalk, data), walk_of(NearbyWalk, data)
    for one in walk, roomy:
        one.begin(np.arange(N), going)
        moves_of(one)
    walk._journal = walk._journal._replace(moves=walk._journal.moves[:2], scores=walk._journal.scores[:2])
    away = np.array([[x, (7 * x) % N] for x in range(N)])
    assert walk.attempt(away, never) == roomy.attempt(away, never)
    np.testing.assert_array_equal(walk.order, roomy.order)


def test_tucks_are_those_of_the_plain_walk():
    found = 0
    for seed in range(12):
        data = table(seed)
        walk, plain = walk_of(NearbyWalk, data), walk_of(OrderWalk, data)
        order = np.random.default_rng(seed).permutation(N)
        walk.begin(order, going)
        plain.begin(order, going)
        for y in range(N):
            expected, away = plain.tuck(y), walk.tuck(y)
            assert (expected is None) == (away is None)
            if expected is not None:
                tucked = walk.order.tolist()
                for x, to in away.tolist():
                    tucked.remove(x)
                    tucked.insert(to, x)
                assert tucked == expected.tolist()
                found += 1
    assert found


def test_around_a_column_are_those_that_matter():
    data = table(1)
    walk = walk_of(NearbyWalk, data)
    walk.begin(np.arange(N), going)
    moves_of(walk)
    for x in range(N):
        neighbours = (walk.adjacency[:, x] | walk.adjacency[x]).nonzero()[0]
        assert {x, *neighbours.tolist()} <= set(walk.around(x).tolist())
    alone = walk.random_moves(np.random.default_rng(0), 0, 3)
    assert set(alone[:, 0].tolist()) <= set(walk.around(0).tolist())


def test_restarts_of_wide_tables_raise_the_score_alike_on_every_run(monkeypatch):
    monkeypatch.setattr(nearby, "WIDE", 10)
    better = 0
    for seed in range(4):
        data = table(seed, n=30)
        hasty, patient, again = (learn(data, Boss(score=BDeu(), restarts=k), seed=1) for k in (0, None, None))
        assert patient.graph == again.graph
        assert patient.score >= hasty.score
        better += patient.score > hasty.score + 1e-6
        more = learn(data, Boss(score=BDeu(), restarts=2, perturbation=4), seed=1)
        assert more.score >= hasty.score
    assert better


class Stops:
    """After so many questions."""

    def __init__(self, limit):
        self.limit = limit

    def report(self, progress):
        pass

    def should_stop(self):
        self.limit -= 1
        return self.limit < 0


def test_a_stopped_search_of_a_wide_table_has_the_best_so_far(monkeypatch):
    monkeypatch.setattr(nearby, "WIDE", 10)
    data = table(2, n=30)
    whole = learn(data, Boss(score=BDeu()), seed=1)
    statuses = []
    for limit in (20, 60, 90):
        found = learn(data, Boss(score=BDeu()), seed=1, monitor=Stops(limit))
        statuses.append(found.status)
        assert found.score <= whole.score + 1e-6
    assert "stopped" in statuses
