"""Posteriors agree with exact inference of pgmpy and pyAgrum."""

from __future__ import annotations

import numpy as np
import pyagrum as gum
import pytest
from pgmpy.inference import VariableElimination

from arcwise.networks import load, to_pgmpy, to_pyagrum
from arcwise.networks.models.fit import fit


@pytest.mark.parametrize("name", ["alarm", "child", "insurance", "hailfinder"])
@pytest.mark.parametrize("share", [1.0, 0.6, 0.2])
def test_posteriors(name: str, share: float) -> None:
    truth = load(name)
    net = fit(truth.dag, truth.sample(300, seed=1))
    plain = net.to_bayesian_network()
    rng = np.random.default_rng(5)
    kept = [n for n in plain.names if rng.random() < share]
    data = truth.sample(4, seed=2).select(kept)
    elimination, lazy = VariableElimination(to_pgmpy(plain)), gum.LazyPropagation(to_pyagrum(plain))
    for target in rng.choice(plain.names, size=6, replace=False):
        found = net.expected(str(target), data)
        for row in range(data.n_rows):
            evidence = {c.name: c.levels[c.values[row]] for c in data.columns if c.name != target}
            lazy.setEvidence(evidence)
            lazy.makeInference()
            np.testing.assert_allclose(found[row], lazy.posterior(str(target)).toarray(), atol=1e-9)
            if row == 0:
                answer = elimination.query([target], evidence, show_progress=False)
                order = [answer.state_names[target].index(s) for s in plain.states[plain.dag.index(str(target))]]
                np.testing.assert_allclose(found[row], answer.values[order], atol=1e-9)
