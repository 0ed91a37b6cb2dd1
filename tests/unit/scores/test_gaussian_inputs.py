"""Columns that are constant, copied, collinear, of odd units or heavy tails, and too few rows."""

from __future__ import annotations

from itertools import combinations
from math import log

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.scores.factored import PIVOT_FLOOR
from arcwise.scores.gaussian import BGe, DegenerateGaussian, GaussianBIC
from arcwise.scores.suited import Gaussian
from arcwise.search import HillClimb, Tabu
from tests.oracle.counting import discrete_table
from tests.oracle.gaussian import continuous_table, gaussian_bic

SCORES = {
    "gaussian-bic": GaussianBIC(),
    "bge": BGe(),
    "bge-nu": BGe(nu=0.0),
    "bge-standardized": BGe(standardize=True),
    "gaussian": Gaussian(),
}


def plain(n_rows=200):
    """x00 -> x01 and x02 -> x03."""
    values = np.random.default_rng(0).standard_normal((n_rows, 4))
    values[:, 1] += values[:, 0]
    values[:, 3] += values[:, 2]
    return values


def tables():
    rng = np.random.default_rng(1)
    x = plain()
    few = rng.standard_normal((5, 8))
    return {
        "constant": np.column_stack([x, np.full(200, 3.7)]),
        "all constant": np.ones((10, 3)),
        "copied": np.column_stack([x, x[:, 0]]),
        "copied and scaled": np.column_stack([x, 1e7 * x[:, 0] + 3, -1e-8 * x[:, 1]]),
        "collinear": np.column_stack([x, x[:, 0] + x[:, 1], x[:, 0] - x[:, 2]]),
        "nearly copied": np.column_stack([x, *(x[:, 0] + e * rng.standard_normal(200) for e in (1e-3, 1e-5, 1e-7))]),
        "five times the same": np.repeat(x[:, :1], 5, axis=1),
        "huge": x * 1e300,
        "tiny": x * 1e-310,
        "units": x * [1e300, 1e-300, 1, 1e9],
        "far away": x + 1e12,
        "one outlier": np.column_stack([x, np.append(x[1:, 0], 1e300)]),
        "Cauchy": np.column_stack([x, rng.standard_cauchy((200, 2))]),
        "whole numbers": rng.integers(0, 3, (200, 5)).astype(float),
        "five rows": few,
        "two rows": few[:2],
        "one column": few[:, :1],
    }


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize("name", tables())
def test_every_answer_is_a_number_and_batches_agree(name, score):
    data = continuous_table(tables()[name])
    bound = score.bind(data)
    for child in range(data.n_columns):
        others = [u for u in range(data.n_columns) if u != child]
        for w in range(1, len(others) + 1):
            sets = np.array(list(combinations(others, w))[:12])
            batch = bound.local_scores(child, sets)
            assert np.isfinite(batch).all()
            assert batch == pytest.approx([bound.local_score(child, s) for s in sets], rel=1e-8)
    for search in (HillClimb(score=score), Tabu(score=score)):
        assert np.isfinite(search.learn(data, rng=np.random.default_rng(0)).score)


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize("scale", [1.0, 1e-6])
def test_a_constant_column_never_gets_an_arc(score, scale):
    data = continuous_table(np.column_stack([plain() * scale, np.full(200, 3.7)]))
    bound = score.bind(data)
    assert bound.local_score(4, []) == 0.0
    assert bound.local_score(4, [0, 1]) == pytest.approx(-log(200))
    assert bound.local_score(1, [0, 4]) == pytest.approx(bound.local_score(1, [0]) - 0.5 * log(200))
    graph = HillClimb(score=score).learn(data, rng=np.random.default_rng(0)).graph
    assert not graph.adjacency[4].any()
    assert not graph.adjacency[:, 4].any()
    assert graph.adjacency[0, 1]


@pytest.mark.parametrize("kind", [GaussianBIC, BGe, DegenerateGaussian])
def test_not_even_a_prior_in_favour_of_arcs_gives_one_to_a_constant_column(kind):
    data = continuous_table(np.column_stack([plain(), np.full(200, 3.7)]))
    graph = HillClimb(score=kind(arc_prior=1e6)).learn(data, rng=np.random.default_rng(0)).graph
    assert graph.n_edges == 6
    assert not graph.adjacency[4].any()
    assert not graph.adjacency[:, 4].any()


def test_a_redundant_parent_adds_nothing_but_its_penalty():
    x = plain()
    values = np.column_stack([x, x[:, 0], x[:, 0] + x[:, 2]])
    bound = GaussianBIC().bind(continuous_table(values))
    penalty = 0.5 * log(200)
    assert bound.local_score(1, [0, 4]) == pytest.approx(bound.local_score(1, [0]) - penalty, rel=1e-12)
    assert bound.local_score(1, [0, 2, 4, 5]) == pytest.approx(bound.local_score(1, [0, 2]) - 2 * penalty, rel=1e-12)
    assert bound.local_score(1, [0, 2, 5]) == pytest.approx(gaussian_bic(values, 1, [0, 2, 5]), rel=1e-12)


def test_a_determined_child_is_left_the_floor_of_its_variance():
    x = plain()
    bound = GaussianBIC().bind(continuous_table(np.column_stack([x, 5 * x[:, 0] + 1])))
    gain = bound.local_score(4, [0]) - bound.local_score(4, [])
    assert gain == pytest.approx(-100 * log(PIVOT_FLOOR) - 0.5 * log(200), rel=1e-12)
    assert bound.local_score(0, [4]) - bound.local_score(0, []) == pytest.approx(gain, rel=1e-12)


def test_the_order_of_the_columns_does_not_decide_which_of_the_collinear_ones_counts():
    """Pivots around the floor depend on the order in which columns enter: it is the same in any batch."""
    rng = np.random.default_rng(2)
    x = rng.standard_normal((300, 3))
    values = np.column_stack([x, x[:, 0] + x[:, 1] + 3e-5 * x[:, 2], rng.standard_normal(300)])
    bound = GaussianBIC().bind(continuous_table(values))
    for child, parents in ((2, [0, 1, 3]), (4, [0, 1, 3])):
        alone = bound.local_score(child, parents)
        for last in parents:
            rest = [u for u in parents if u != last]
            batch = np.array([[*rest, last], [*rest, -1]])
            assert bound.local_scores(child, batch)[0] == alone


def test_parents_that_fit_any_data_are_no_evidence():
    values = np.random.default_rng(3).standard_normal((5, 8))
    bound = GaussianBIC().bind(continuous_table(values))
    for parents in ([0, 1, 2, 3], [0, 1, 2, 3, 4, 5, 6]):
        expected = bound.local_score(7, []) - 0.5 * log(5) * len(parents)
        assert bound.local_score(7, parents) == pytest.approx(expected, rel=1e-12)
    assert bound.local_score(7, [0, 1, 2]) == pytest.approx(gaussian_bic(values, 7, [0, 1, 2]), rel=1e-9)


def test_few_rows_of_many_levels():
    rng = np.random.default_rng(4)
    data = discrete_table(rng, [6, 5, 4, 6], 12)
    noisy = Column("z", Kind.CONTINUOUS, rng.standard_normal(12))
    bound = DegenerateGaussian().bind(Dataset((*data.columns, noisy)))
    for child in range(5):
        others = [u for u in range(5) if u != child]
        sets = [s for w in range(5) for s in combinations(others, w)]
        found = np.array([bound.local_score(child, s) for s in sets])
        assert np.isfinite(found).all()
        assert found[-1] < found[0]  # all the others together fit any child, which is no evidence


def test_notes_name_what_is_doubtful():
    table = tables()
    (outlier,) = GaussianBIC().bind(continuous_table(table["one outlier"])).warnings
    assert outlier.startswith("x04: one row")
    assert "one row" in GaussianBIC().bind(continuous_table(table["Cauchy"])).warnings[0]
    assert "5 rows for 8 dimensions" in GaussianBIC().bind(continuous_table(table["five rows"])).warnings[0]
    low, high = BGe().bind(continuous_table(plain() * [1, 1, 1e-3, 1e3])).warnings
    assert low.startswith("x02: varying so little")
    assert high.startswith("x03: varying so much")
    assert BGe(standardize=True).bind(continuous_table(plain() * [1, 1, 1e-3, 1e3])).warnings == ()
    rare = Column("rare", Kind.DISCRETE, (np.arange(200) == 7).astype(np.uint8), ("no", "yes"))
    assert DegenerateGaussian().bind(Dataset((*continuous_table(plain()).columns, rare))).warnings == ()
    assert (
        GaussianBIC().bind(continuous_table(plain())).warnings == BGe().bind(continuous_table(plain())).warnings == ()
    )


def test_small_units_make_bge_see_arcs_and_standardizing_mends_it():
    values = np.random.default_rng(5).standard_normal((500, 4)) * 1e-4
    data = continuous_table(values)
    assert HillClimb(score=BGe()).learn(data, rng=np.random.default_rng(0)).graph.n_edges == 6
    assert "standardize" in BGe().bind(data).warnings[0]
    assert HillClimb(score=BGe(standardize=True)).learn(data, rng=np.random.default_rng(0)).graph.n_edges == 0
