"""Local scores against frozen numbers of other libraries (tests/reference/make_discrete_scores.py made them)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from arcwise import scores
from arcwise.data.dataset import Column, Dataset, Kind

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "discrete_scores.json").read_text())
SCORES = {
    "bdeu-1": scores.BDeu(ess=1),
    "bdeu-10": scores.BDeu(ess=10),
    "k2": scores.K2(),
    "bic": scores.BIC(),
    "aic": scores.AIC(),
}
# pyAgrum's logarithm of the gamma function is an approximation good to about seven digits.
TOLERANCE = {"pgmpy": 1e-9, "pyagrum": 1e-6}


@pytest.mark.parametrize(("peer", "name"), [(p, n) for p in TOLERANCE for n in REFERENCE[p]])
def test_local_scores_agree(peer, name):
    columns = tuple(
        Column(column, Kind.DISCRETE, np.array(codes, dtype=np.uint8), tuple(map(str, range(max(codes) + 1))))
        for column, codes in REFERENCE["columns"].items()
    )
    data = Dataset(columns)
    bound = SCORES[name].bind(data)
    ours = [
        bound.local_score(data.index(child), [data.index(parent) for parent in parents])
        for child, parents in REFERENCE["families"]
    ]
    assert ours == pytest.approx(REFERENCE[peer][name], rel=TOLERANCE[peer])
