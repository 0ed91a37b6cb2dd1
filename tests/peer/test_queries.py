"""Answers agree with exact inference of pyAgrum and pgmpy: all marginals given random evidence, weights, joints, do."""

from __future__ import annotations

import numpy as np
import pyagrum as gum
import pyagrum.causal as gum_causal
import pytest
from pgmpy.inference import CausalInference, VariableElimination

from arcwise.networks import load, random_dag, random_discrete_network, to_pgmpy, to_pyagrum

NAMES = ["alarm", "barley", "child", "hailfinder", "insurance", "mildew"]


def evidence_of(net, seed, count=5):
    """Levels that a sampled row has, so that they are possible together."""
    row, rng = net.sample(1, seed=seed), np.random.default_rng(seed)
    nodes = rng.choice(len(net.names), min(count, len(net.names) - 2), replace=False)
    return {net.names[i]: net.states[i][row.columns[i].values[0]] for i in nodes}


def check(net, given, lazy):
    wanted = [name for name in net.names if name not in given]
    found = net.query(wanted, given)
    lazy.eraseAllEvidence()
    for name, value in given.items():
        weights = np.zeros(len(net.model(name).levels))
        if isinstance(value, dict):
            for level, weight in value.items():
                weights[net.model(name).levels.index(level)] = weight
        else:
            weights[net.model(name).levels.index(value)] = 1.0
        lazy.addEvidence(name, weights.tolist())
    lazy.makeInference()
    for name in wanted:
        np.testing.assert_allclose(found[name].probabilities, lazy.posterior(name).toarray(), atol=1e-9)
        assert found[name].probabilities.sum() == pytest.approx(1.0)
    assert found.evidence_probability == pytest.approx(lazy.evidenceProbability(), rel=1e-9)
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_all_marginals(name: str, seed: int) -> None:
    net = load(name)
    check(net, evidence_of(net, seed), gum.LazyPropagation(to_pyagrum(net)))


@pytest.mark.parametrize("name", NAMES)
def test_weights(name: str) -> None:
    net = load(name)
    given = evidence_of(net, 4, 3)
    soft = next(node for node in net.names if node not in given)
    rng = np.random.default_rng(1)
    given[soft] = {level: float(rng.random()) for level in net.model(soft).levels}
    check(net, given, gum.LazyPropagation(to_pyagrum(net)))


@pytest.mark.parametrize("name", NAMES)
def test_pgmpy(name: str) -> None:
    net = load(name)
    elimination, given = VariableElimination(to_pgmpy(net)), evidence_of(net, 5, 8)
    rng = np.random.default_rng(0)
    for target in rng.choice([node for node in net.names if node not in given], 4, replace=False):
        answer = elimination.query([target], given, show_progress=False)
        order = [answer.state_names[target].index(state) for state in net.model(str(target)).levels]
        found = net.query(str(target), given)[str(target)].probabilities
        np.testing.assert_allclose(found, answer.values[order], atol=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_random_networks(seed: int) -> None:
    net = random_discrete_network(random_dag(25, seed=seed, n_edges=40, max_parents=4), seed=seed, concentration=0.3)
    lazy = gum.LazyPropagation(to_pyagrum(net))
    for turn in range(3):
        check(net, evidence_of(net, 10 * seed + turn, 6), lazy)


@pytest.mark.parametrize("name", ["alarm", "hailfinder"])
def test_joints(name: str) -> None:
    net = load(name)
    given = evidence_of(net, 7)
    pair = [node for node in net.names if node not in given][3:5]
    lazy = gum.LazyPropagation(to_pyagrum(net))
    lazy.addJointTarget(set(pair))
    lazy.setEvidence(given)
    lazy.makeInference()
    theirs = lazy.jointPosterior(set(pair))
    found = net.query(pair, given, joint=True).joint
    order = [list(theirs.names).index(node) for node in pair]
    axes = theirs.toarray()  # axes of pyAgrum's arrays run the other way round
    want = np.transpose(axes, [axes.ndim - 1 - k for k in order])
    np.testing.assert_allclose(found.probabilities, want, atol=1e-9)


@pytest.mark.parametrize("name", ["alarm", "child", "insurance"])
def test_what_is_set(name: str) -> None:
    net = load(name)
    rng = np.random.default_rng(3)
    causes = [node for node in net.names if net.dag.children(node) and net.dag.parents(node)]
    cause = str(rng.choice(causes))
    target = str(rng.choice(sorted(net.dag.descendants(cause))))
    level = net.model(cause).levels[0]
    found = net.causal().do({cause: level}).query(target)[target].probabilities
    model = gum_causal.CausalModel(to_pyagrum(net))
    _, table, _ = gum_causal.causalImpact(model, on=target, doing=cause, values={cause: level})
    np.testing.assert_allclose(found, table.toarray(), atol=1e-9)
    theirs = CausalInference(to_pgmpy(net)).query([target], do={cause: level}, show_progress=False)
    order = [theirs.state_names[target].index(state) for state in net.model(target).levels]
    np.testing.assert_allclose(found, theirs.values[order], atol=1e-9)
