"""What every score in the catalog promises."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from arcwise import catalog
from arcwise.data.dataset import Kind
from arcwise.graph.dag import Dag
from arcwise.graph.equivalence import covered_edges
from arcwise.parts.protocols import Score, resolved
from arcwise.parts.spec import to_spec
from arcwise.scores import total
from arcwise.search.greedy.cache import ScoreCache
from tests.contract.parts import continuous_data, discrete_data, reorder_rows, snapshot


@pytest.fixture(params=sorted(catalog.SCORES), scope="module")
def score(request):
    return catalog.SCORES[request.param]()


@pytest.fixture(scope="module")
def data(score):
    return discrete_data() if Kind.DISCRETE in score.accepts else continuous_data()


def test_is_a_frozen_serialisable_part(score):
    assert isinstance(score, Score)
    assert catalog.from_spec(to_spec(score)) == score
    assert hash(score) == hash(type(score)())


def test_what_is_bound_says_what_is_doubtful_and_what_was_chosen(score, data):
    warnings = score.bind(data).warnings
    assert isinstance(warnings, tuple)
    assert all(isinstance(warning, str) for warning in warnings)
    used = resolved(score, data)
    assert resolved(used, data) is used
    assert set(data.kinds) <= used.accepts
    assert used.bind(data).local_score(0, [1]) == score.bind(data).local_score(0, [1])


def test_batch_equals_scalar(score, data):
    bound = score.bind(data)
    sets = [(1,), (2,), (3,), (4,), (5,), (1, 2), (5, 3), (1, 2, 3), ()]
    padded = np.full((len(sets), 3), -1)
    for row, parents in zip(padded, sets, strict=True):
        row[: len(parents)] = parents
    assert bound.local_scores(0, padded) == pytest.approx([bound.local_score(0, s) for s in sets], rel=1e-12)


def test_order_of_parents_is_immaterial(score, data):
    bound = score.bind(data)
    assert len({bound.local_score(2, order) for order in permutations((0, 4, 5))}) == 1


def test_order_of_rows_is_immaterial(score, data):
    shuffled = reorder_rows(data, np.random.default_rng(0).permutation(data.n_rows))
    first, second = score.bind(data).local_score(1, [0, 3]), score.bind(shuffled).local_score(1, [0, 3])
    exact = Kind.DISCRETE in data.kinds  # counts; sums of products are rounded
    assert second == (first if exact else pytest.approx(first, rel=1e-12))


def test_covered_reversals_keep_the_score_just_when_promised(score, data):
    rng = np.random.default_rng(1)
    changes = []
    for _ in range(30):
        adj = np.triu(rng.random((6, 6)) < 0.5, 1)
        dag = Dag.from_adjacency(data.names, adj)
        for u, v in covered_edges(dag.adjacency):
            turned = adj.copy()
            turned[u, v], turned[v, u] = False, True
            changes.append(total(score, Dag.from_adjacency(data.names, turned), data) - total(score, dag, data))
    assert len(changes) > 20
    assert (np.max(np.abs(changes)) < 1e-8) == score.score_equivalent


def test_data_is_not_changed(score, data):
    before = snapshot(data)
    score.bind(data).local_scores(0, np.array([[1], [2]]))
    assert snapshot(data) == before


@pytest.mark.parametrize("limit", [None, 2])
def test_a_search_reads_the_scores_of_all_neighbours(score, data, limit):
    bound, rng = score.bind(data), np.random.default_rng(2)
    candidates = rng.random((6, 6)) < 0.7
    cache = ScoreCache(bound, candidates, cards=data.cardinalities, max_parents=limit)
    for child, parents in ((0, ()), (3, (1,)), (3, (1, 5)), (3, (5,)), (2, (0, 1, 5)), (4, (0, 1, 2, 3))):
        row = cache.row(child, frozenset(parents))
        assert row[child] == pytest.approx(bound.local_score(child, parents), rel=1e-12)
        for u in set(range(6)) - {child}:
            may_add = candidates[u, child] and (limit is None or len(parents) < limit)
            if u in parents or may_add:
                toggled = sorted(set(parents) ^ {u})
                assert row[u] == pytest.approx(bound.local_score(child, toggled), rel=1e-12)
            else:
                assert row[u] == -np.inf
