"""Lists of the parents that columns may have, where there are many columns."""

from dataclasses import replace

import numpy as np
import pytest

from arcwise.networks import random_dag, random_discrete_network
from arcwise.parts.knowledge import Knowledge
from arcwise.problem import Memory, Problem
from arcwise.scores import BDeu
from arcwise.search import Boss
from arcwise.search.greedy.cache import ScoreCache
from arcwise.search.orders import listed_rows, nearby
from arcwise.search.orders.listed_rows import ListedRows

N = 24


def problem_of(seed, knowledge=None, rows=600):
    net = random_discrete_network(random_dag(N, seed=seed, expected_degree=4.0), seed=seed)
    data = net.sample(rows, seed=seed)
    return Problem.of(data, rng=np.random.default_rng(seed), knowledge=knowledge or Knowledge())


def test_on_a_list_are_the_best_alone_and_what_is_required(monkeypatch):
    monkeypatch.setattr(listed_rows, "LISTED", 3)
    names = problem_of(0).names
    knowledge = Knowledge(required=[(names[1], names[2])], forbidden=[(names[3], names[4])])
    problem = problem_of(0, knowledge)
    score = BDeu()
    bound = score.bind(problem.data)
    on = ListedRows(problem, bound, score, (None, None)).candidates
    assert on[1, 2]
    assert not on[3, 4]
    for child in range(N):
        gains = np.array([bound.local_score(child, [u]) if u != child else -np.inf for u in range(N)])
        gains[~problem.known.allowed[:, child]] = -np.inf
        assert on[np.argsort(-gains)[:3], child].all()
    assert on.sum() < N * (N - 1) / 2


def test_rows_that_are_taken_over_into_longer_lists_are_those_of_a_fresh_cache():
    problem, score = problem_of(1), BDeu()
    bound = score.bind(problem.data)
    rng = np.random.default_rng(3)
    few = rng.random((N, N)) < 0.3
    np.fill_diagonal(few, False)
    more = few | (rng.random((N, N)) < 0.3)
    np.fill_diagonal(more, False)
    cards = problem.data.cardinalities
    small, large, fresh = (ScoreCache(bound, mask, cards=cards, few=True) for mask in (few, more, more))
    families = [(v, frozenset(rng.choice(np.delete(np.arange(N), v), size=v % 4).tolist())) for v in range(N)]
    for v, parents in families:
        small.row(v, parents)
    large.inherit(small, {5, 6})
    for v, parents in families:
        np.testing.assert_allclose(large.row(v, parents), fresh.row(v, parents), rtol=1e-12)


@pytest.mark.parametrize("max_parents", [None, 1])
def test_no_arc_beyond_the_lists_is_missed_in_the_end(monkeypatch, max_parents):
    monkeypatch.setattr(listed_rows, "LISTED", 1)
    monkeypatch.setattr(nearby, "WIDE", 10)
    longer = 0
    for seed in range(6):
        problem, score = problem_of(seed), BDeu()
        bound = score.bind(problem.data)
        listed = ListedRows(problem, bound, score, (max_parents, None))
        empty = np.zeros((N, N), dtype=np.bool_)
        larger = listed.look_beyond(np.arange(N), empty)
        if larger is not None:
            longer += 1
            assert listed.cache is larger
            for u, v in np.argwhere(np.triu(~larger.limits.candidates, 1)):
                assert bound.local_score(v, [u]) <= bound.local_score(v, []) + 1e-6
        found = Boss(score=score, max_parents=max_parents).solve(problem)
        wide = Boss(score=score, max_parents=max_parents, restarts=0).solve(problem)
        assert found.score >= wide.score
    assert longer


def test_lists_grow_from_round_to_round(monkeypatch):
    monkeypatch.setattr(listed_rows, "LISTED", 2)
    monkeypatch.setattr(listed_rows, "ADDED", 4)
    problem, score, memory = problem_of(2), BDeu(), Memory()
    bound = score.bind(problem.data)
    again = problem.on(problem.data, memory)
    first = ListedRows(again, bound, score, (None, None))
    second = ListedRows(again, bound, score, (None, None))
    assert (first.candidates <= second.candidates).all()
    assert second.candidates.sum() > first.candidates.sum()


def cut_anew(problem, rng, some):
    """The problem with other levels in some columns."""
    columns = list(problem.data.columns)
    for i in some:
        card = len(columns[i].levels)
        codes = np.where(rng.random(problem.data.n_rows) < 0.5, columns[i].values, rng.integers(card, size=600))
        columns[i] = replace(columns[i], values=codes.astype(columns[i].values.dtype))
    return problem.on(replace(problem.data, columns=tuple(columns)), problem.memory)


def test_what_one_round_was_shown_is_taken_over_where_nothing_has_changed(monkeypatch):
    monkeypatch.setattr(listed_rows, "LISTED", 1)
    monkeypatch.setattr(listed_rows, "ADDED", 1)
    rng, score = np.random.default_rng(5), BDeu()
    told = 0
    for seed in range(8):
        problem = problem_of(seed)
        first = cut_anew(problem.on(problem.data, Memory()), rng, range(N // 2))
        order = rng.permutation(N)
        place = np.argsort(order)
        graph = random_dag(N, seed=seed, expected_degree=2.0).adjacency & (place[:, None] < place)
        before = ListedRows(first, score.bind(first.data), score, (None, None))
        before.look_beyond(place, graph)
        second = first.on(problem.data, first.memory)  # where relations are stronger again
        bound = score.bind(second.data)
        listed, on = ListedRows(second, bound, score, (None, None)), before.candidates
        fresh = ListedRows(replace(second, memory=None), bound, score, (None, None))
        assert (on <= listed.candidates).all()
        assert (fresh.candidates <= listed.candidates).all()
        wanted = listed.candidates.copy()
        for v in range(N):
            own, parents = bound.local_score(v, graph[:, v].nonzero()[0]), graph[:, v].nonzero()[0].tolist()
            for u in np.flatnonzero((place < place[v]) & ~graph[:, v]).tolist():
                if bound.local_score(v, [*parents, u]) > own + 1e-6:
                    wanted[u, v] = wanted[v, u] = True
        larger = listed.look_beyond(place, graph)
        told += larger is not None
        assert np.array_equal(listed.candidates, wanted)
        assert listed.look_beyond(place, graph) is None
    assert told


def test_only_what_changed_near_a_column_stirs_it():
    problem, score = problem_of(3), BDeu()
    first = problem.on(problem.data, Memory())
    graph, other = np.zeros((2, N, N), dtype=np.bool_)
    other[4, 7] = True
    before = ListedRows(first, score.bind(first.data), score, (None, None))
    assert before.stirred(graph).all()
    before.walked(graph)
    assert not before.stirred(graph).any()
    assert before.stirred(other).nonzero()[0].tolist() == [7]
    second = cut_anew(first, np.random.default_rng(0), [2])
    then = ListedRows(second, score.bind(second.data), score, (None, None))
    third = cut_anew(second, np.random.default_rng(0), [5])
    last = ListedRows(third, score.bind(third.data), score, (None, None))
    assert then.stirred(graph).nonzero()[0].tolist() == [2]
    assert last.stirred(other).nonzero()[0].tolist() == [2, 5, 7]


def test_walks_around_columns_where_nothing_has_changed_are_not_made_again(monkeypatch):
    monkeypatch.setattr(nearby, "WIDE", 10)
    tried = []
    monkeypatch.setattr(
        nearby.NearbyWalk, "random_moves", lambda walk, rng, x, size: tried.append(x) or np.zeros((0, 2), dtype=np.intp)
    )
    problem, boss = problem_of(4), Boss(score=BDeu())
    first = problem.on(problem.data, Memory())
    found = boss.solve(first)
    assert sorted(tried) == list(range(N))
    tried.clear()
    boss.solve(first.starting(found.graph))
    assert tried == []
    boss.solve(cut_anew(first, np.random.default_rng(1), [6]).starting(found.graph))
    assert 6 in tried
    assert len(tried) < N
