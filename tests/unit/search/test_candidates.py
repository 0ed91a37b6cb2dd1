"""Best order score search among lists of candidates: the same as among all columns, where the lists suffice."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise._kernels.orders.by_factor import NEVER
from arcwise.networks import random_dag, random_gaussian_network
from arcwise.parts.knowledge import Knowledge
from arcwise.scores import BGe, GaussianBIC
from arcwise.search import Boss
from arcwise.search.orders import candidates, nearby
from arcwise.search.orders.candidates import ByCandidates
from arcwise.search.orders.nearby import NearbyWalk
from arcwise.search.orders.walk import ByFactor, OrderWalk

SCORES = {"gaussian-bic": GaussianBIC(arc_prior="sparse"), "bge": BGe(standardize=True)}


def numbers(n, rows, seed, degree=4.0):
    net = random_gaussian_network(random_dag(n, seed=seed, expected_degree=degree), seed=seed)
    return net.sample(rows, seed=seed).by_name()


def lists_of(score, data, knowledge=None):
    known = (knowledge or Knowledge()).bind(data.names)
    factored = score.bind(data).correlated()
    return ByCandidates(factored, known.allowed, known.required, len(data.names)), factored, known


@pytest.mark.parametrize("kind", SCORES)
def test_parents_on_lists_of_all_columns_are_those_without_lists(kind, monkeypatch):
    monkeypatch.setattr(candidates, "FILLED", 30)
    data = numbers(30, 200, 3)
    lists, factored, known = lists_of(SCORES[kind], data)
    walks = NearbyWalk(known, lists), OrderWalk(known, ByFactor(factored, known.required, 30))
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(30)
        for walk in walks:
            walk.begin(order, lambda _: True)
        assert walks[0].score == pytest.approx(walks[1].score, rel=1e-12)
        np.testing.assert_array_equal(walks[0].adjacency, walks[1].adjacency)
        near = [walk._state.near < NEVER for walk in walks]
        np.testing.assert_array_equal(near[0], near[1])


@pytest.mark.parametrize("kind", SCORES)
def test_nobody_outside_a_list_would_raise_a_score_when_nobody_is_missed(kind, monkeypatch):
    """By the score itself, asked for one family after the other."""
    monkeypatch.setattr(candidates, "FILLED", 0)
    monkeypatch.setattr(candidates, "STEPS", 1)  # so that somebody is missed at first
    data, score, rounds = numbers(40, 300, 5), SCORES[kind], 0
    lists, _, known = lists_of(score, data)
    walk, bound = NearbyWalk(known, lists), score.bind(data)
    walk.begin(np.arange(40), lambda _: True)
    while lists.missed(walk.adjacency.T):
        rounds += 1
        walk.begin(walk.order, lambda _: True)
    assert rounds > 0
    for child, parents in enumerate(walk.adjacency.T):
        members = parents.nonzero()[0].tolist()
        now = bound.local_score(child, members)
        for u in set(range(40)) - set(members) - {child}:
            if u not in lists._columns[child, : lists._sizes[child]]:
                assert bound.local_score(child, sorted([*members, u])) <= now + 1e-9


def test_required_parents_are_on_lists_and_forbidden_ones_are_not(monkeypatch):
    monkeypatch.setattr(candidates, "WIDEST", 8)
    data = numbers(30, 200, 1)
    names = data.names
    knowledge = Knowledge(required=[(names[i], names[0]) for i in range(1, 12)], forbidden=[(names[5], names[20])])
    lists, _, known = lists_of(GaussianBIC(), data, knowledge)
    walk = NearbyWalk(known, lists)
    walk.begin(np.arange(30), lambda _: True)
    assert walk.adjacency[1:12, 0].all()
    assert not walk.adjacency[5, 20]
    assert lists._columns.shape[1] == 12
    assert 5 not in lists._columns[20, : lists._sizes[20]]


def learned(data, **options):
    return Boss(score=GaussianBIC(arc_prior="sparse"), **options).learn(data, rng=np.random.default_rng(0))


def test_lists_change_no_answer_of_a_sparse_network(monkeypatch):
    data = numbers(60, 400, 2, degree=3.0)
    plain = learned(data, restarts=0)
    monkeypatch.setattr(nearby, "WIDE", 50)
    listed = learned(data, restarts=0)
    assert listed.graph == plain.graph
    assert listed.score == pytest.approx(plain.score, rel=1e-12)


def test_restarts_around_columns_never_lower_the_score_and_depend_on_the_seed_alone(monkeypatch):
    monkeypatch.setattr(nearby, "WIDE", 50)
    data = numbers(60, 80, 4, degree=6.0)
    first, again, none = learned(data), learned(data), learned(data, restarts=0)
    assert first.graph == again.graph
    assert first.score >= none.score - 1e-9


@pytest.mark.parametrize(("columns", "rows"), [(220, 50), (220, 220), (60, 1000)])
def test_columns_without_relations_have_hardly_any_edges(columns, rows):
    """The prior promises at most one edge for ten columns, on average."""
    from arcwise.data.dataset import Column, Dataset, Kind

    rng = np.random.default_rng(rows)
    values = rng.normal(size=(columns, rows))
    data = Dataset(tuple(Column(f"c{i:03d}", Kind.CONTINUOUS, row) for i, row in enumerate(values)))
    assert len(learned(data).graph.edges) <= columns / 10
