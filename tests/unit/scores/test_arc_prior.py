"""The prior on arcs that keeps chance from looking like relations."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from arcwise import scores
from arcwise.data.reading.door import as_dataset
from arcwise.errors import OptionError
from arcwise.scores.options import CHANCE_ARCS, log_arc_prior


def test_sparse_follows_the_number_of_columns():
    assert log_arc_prior("sparse", 21) == pytest.approx(log(0.01))
    assert log_arc_prior("sparse", 1) == 0.0
    assert log_arc_prior(0.5, 21) == pytest.approx(log(0.5))


@pytest.mark.parametrize("kind", [scores.BDeu, scores.K2, scores.BIC, scores.AIC, scores.MDL, scores.LogLikelihood])
def test_every_score_takes_it(kind):
    rng = np.random.default_rng(3)
    data = as_dataset({name: rng.integers(0, 3, 50) for name in "abcdef"})
    plain, sparse = kind().bind(data), kind(arc_prior="sparse").bind(data)
    assert sparse.local_score(0, [1, 2]) - plain.local_score(0, [1, 2]) == pytest.approx(2 * log(0.2 / 5))


def test_a_bayes_factor_exceeds_one_over_the_prior_no_more_often_than_the_prior_says():
    """Columns drawn from the score's own prior, so that the mean of the Bayes factor is 1 exactly."""
    rng, n_columns, trials = np.random.default_rng(0), 11, 4000
    kappa = exp(log_arc_prior("sparse", n_columns))
    score, above = scores.BDeu(ess=1.0), 0
    for _ in range(trials):
        shares = rng.dirichlet(np.full(2, 0.5), size=2)
        data = as_dataset({name: rng.choice(2, 12, p=share) for name, share in zip("xy", shares, strict=True)})
        if len({*data.columns[0].values}) < 2 or len({*data.columns[1].values}) < 2:
            continue  # a constant column gains nothing
        bound = score.bind(data)
        above += bound.local_score(1, [0]) - bound.local_score(1, []) > -log(kappa)
    assert 0 < above / trials <= kappa
    assert kappa * n_columns * (n_columns - 1) / 2 == pytest.approx(CHANCE_ARCS * n_columns)


@pytest.mark.parametrize("prior", ["dense", 0.0, -1.0, float("nan"), float("inf"), True, None])
def test_anything_else_is_refused(prior):
    with pytest.raises(OptionError, match=r"'arc_prior' must be a number (above 0|or 'sparse'), not "):
        scores.BDeu(arc_prior=prior)
