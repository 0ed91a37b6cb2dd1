"""Gaussian local scores against frozen numbers of PyBNesian (tests/reference/make_gaussian_scores.py made them)."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import numpy as np
import pytest

from arcwise.scores.gaussian import BGe, GaussianBIC
from tests.oracle.gaussian import continuous_table

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "gaussian_scores.json").read_text())
SCORES = {
    "bge": BGe(),
    "bge-mu2.5-w12": BGe(a_mu=2.5, a_w=12.0),
    "bge-nu0": BGe(nu=0.0),
    "bic": GaussianBIC(),
}


@pytest.mark.parametrize("name", REFERENCE["pybnesian"])
def test_local_scores_agree(name):
    data = continuous_table(np.column_stack(list(REFERENCE["columns"].values())), list(REFERENCE["columns"]))
    bound = SCORES[name].bind(data)
    for (child, parents), theirs in zip(REFERENCE["families"], REFERENCE["pybnesian"][name], strict=True):
        ours = bound.local_score(data.index(child), [data.index(parent) for parent in parents])
        assert ours == pytest.approx(theirs + likelihood_gap(name, data.n_rows, len(parents)), rel=1e-9)


def likelihood_gap(name, n, k):
    """PyBNesian's BIC takes the likelihood at the unbiased variance, divided by N - k - 1, not at its maximum."""
    return n / 2 * log(n / (n - k - 1)) - (k + 1) / 2 if name == "bic" else 0.0
