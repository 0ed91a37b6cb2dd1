"""The kernel score on ranks with a width that fits the rows, and the preset that searches orders with it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import rankdata

import arcwise
from arcwise import catalog, metrics
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import OptionError
from arcwise.networks.table_kinds import simulate
from arcwise.parts.spec import to_spec
from arcwise.scores.kgv import KGV, width_for
from tests.contract.parts import mixed_data
from tests.oracle.kgv import dense_score

RANKS = KGV(transform="normal-scores")


def changed(data, function):
    """The table with a function of its numbers."""
    columns = (
        Column(c.name, c.kind, function(c.values), c.levels) if c.kind is Kind.CONTINUOUS else c for c in data.columns
    )
    return Dataset(tuple(columns))


def test_normal_scores_are_those_of_mid_ranks():
    data = changed(mixed_data(150), lambda x: np.round(x, 1))  # with ties
    by_hand = changed(data, lambda x: ndtri((rankdata(x) - 0.5) / len(x)))
    own = KGV(transform="normal-scores", tolerance=1e-9).bind(data)
    for child, parents in ((1, [0]), (3, [1, 2]), (0, [5])):
        assert own.local_score(child, parents) == pytest.approx(
            dense_score(by_hand, child, parents, 1.0, 0.01), abs=1e-6
        )
    assert own.local_score(3, [1]) != pytest.approx(KGV(tolerance=1e-9).bind(data).local_score(3, [1]), abs=0.1)


def test_increasing_functions_change_nothing_and_weights_are_rows_repeated():
    data = mixed_data(200)
    weights = np.random.default_rng(3).integers(1, 4, 200)
    plain, cubed = RANKS.bind(data), RANKS.bind(changed(data, lambda x: np.exp(x) ** 3))
    heavy, repeated = RANKS.bind(data.weighted(weights)), RANKS.bind(data.weighted(weights).repeated())
    for child, parents in ((1, [3]), (3, [0, 5]), (4, [1])):
        assert plain.local_score(child, parents) == cubed.local_score(child, parents)
        assert heavy.local_score(child, parents) == repeated.local_score(child, parents)


def test_widths_by_rows():
    assert [width_for(n) for n in (1, 50, 200, 1000, 5000, 20_000, 10**7)] == [2.0, 2.0, 2.0, 1.5, 0.7, 0.5, 0.5]
    assert width_for(round((200 * 1000) ** 0.5)) == pytest.approx(1.75, abs=1e-3)
    data = mixed_data(1000)
    own, fixed = KGV(sigma="rows").bind(data), KGV(sigma=1.5).bind(data)
    assert own.local_score(1, [3]) == fixed.local_score(1, [3])


def test_options_in_words_and_what_is_refused():
    kgv = catalog.METHODS["kgv"].learner
    assert catalog.configure(kgv, {"sigma": "rows", "transform": "normal-scores"}).score == KGV(
        sigma="rows", transform="normal-scores"
    )
    assert catalog.configure(kgv, {"sigma": "2"}).score.sigma == 2
    assert catalog.configure(kgv, {"sigma": 1.5}).score == KGV(sigma=1.5)
    assert kgv.score == KGV(sigma=1.0, transform="none")
    for wrong in ({"sigma": "columns"}, {"sigma": 0}, {"sigma": 1e-9}, {"transform": "ranks"}):
        with pytest.raises(OptionError, match=next(iter(wrong))):
            catalog.configure(kgv, wrong)


@pytest.mark.parametrize("bent", [np.square, np.abs], ids=["square", "absolute"])
@pytest.mark.parametrize("seed", range(5))
def test_relations_without_correlation_in_100_rows(bent, seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(100)
    y = bent(x) / bent(x).std() + rng.standard_normal(100)
    table = {"x": x, "y": y}
    assert arcwise.learn(table, "kernel-orders").cpdag.adjacent("x", "y")
    unrelated = {"x": x, "y": rng.standard_normal(100)}
    assert arcwise.learn(unrelated, "kernel-orders").cpdag.n_edges == 0


def test_more_rows_bring_the_network_nearer():
    found = []
    for rows in (200, 1000, 5000):
        tables = [
            simulate(kind, nodes=20, edges=30, rows=rows, seed=seed)
            for kind in ("joint-processes", "quadratics")
            for seed in (0, 1)
        ]
        found.append(
            [
                [metrics.shd(arcwise.learn(t, method).cpdag, dag) for t, dag in tables]
                for method in ("kernel-orders", "kgv")
            ]
        )
    means = np.mean(found, axis=2)  # rows, methods
    assert means[0, 0] > means[1, 0] > means[2, 0]
    assert (means[:, 0] < means[:, 1]).all()


def test_what_was_stored_of_the_published_score_still_names_it():
    plain = {"kind": "kgv", "sigma": 1.0, "kappa": 0.01, "tolerance": 0.01, "max_rank": 100}
    assert to_spec(KGV()) == plain
    assert catalog.from_spec(plain) == KGV()
    assert catalog.from_spec(to_spec(RANKS)) == RANKS
