"""Laws of answers: the rule of Bayes, total probability, no dependence on the order of nodes or levels of evidence."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.networks import random_dag, random_discrete_network, random_gaussian_network

SEEDS = st.integers(0, 10_000)


def network(seed: int, n: int = 7):
    dag = random_dag(n, seed=seed, expected_degree=2.5, max_parents=3)
    return random_discrete_network(dag, seed=seed, cardinality=(1, 4), concentration=0.5)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_bayes(seed: int) -> None:
    """P(a | b) p(b) = P(b | a) p(a), and both are the joint."""
    net = network(seed)
    a, b = net.names[seed % 7], net.names[(seed + 3) % 7]
    level_a, level_b = net.model(a).levels[-1], net.model(b).levels[0]
    one = net.query(a, {b: level_b})
    other = net.query(b, {a: level_a})
    joint = net.query([a, b], joint=True).joint.probabilities[-1, 0]
    left = one[a].probability(level_a) * one.evidence_probability
    right = other[b].probability(level_b) * other.evidence_probability
    np.testing.assert_allclose([left, right], joint, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_total_probability(seed: int) -> None:
    """P(a) = sum over b of P(a | b) P(b); evidence with all weights equal says nothing."""
    net = network(seed)
    a, b = net.names[seed % 7], net.names[(seed + 2) % 7]
    whole = net.query(a)[a].probabilities
    shares = net.query(b)[b].probabilities
    parts = [
        share * net.query(a, {b: level})[a].probabilities
        for level, share in zip(net.model(b).levels, shares, strict=True)
        if share > 0.0
    ]
    np.testing.assert_allclose(np.sum(parts, axis=0), whole, atol=1e-12)
    same = net.query(a, {b: dict.fromkeys(net.model(b).levels, 0.3)})
    np.testing.assert_allclose(same[a].probabilities, whole, atol=1e-12)
    np.testing.assert_allclose(same.evidence_probability, 0.3)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_names_and_orders_do_not_matter(seed: int) -> None:
    net = network(seed)
    rng = np.random.default_rng(seed)
    other = net.reordered([net.names[i] for i in rng.permutation(7)])
    given_nodes = {net.names[i]: net.states[i][net.sample(1, seed).columns[i].values[0]] for i in (1, 4)}
    wanted = [name for name in net.names if name not in given_nodes]
    one, two = net.query(wanted, given_nodes), other.query(wanted[::-1], given_nodes)
    for name in wanted:
        np.testing.assert_allclose(one[name].probabilities, two[name].probabilities, atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_setting_a_root_is_seeing_it(seed: int) -> None:
    """A node without parents in any graph of the class: to set it is to see it. In the fitted graph at least."""
    net = network(seed).causal()
    root = net.dag.topological_order[0]
    level = net.model(root).levels[int(np.argmax(net.marginal(root)))]
    rest = [name for name in net.names if name != root]
    seen, done = net.query(rest, {root: level}), net.do({root: level}).query(rest)
    for name in rest:
        np.testing.assert_allclose(seen[name].probabilities, done[name].probabilities, atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_what_is_not_below_does_not_move(seed: int) -> None:
    net = random_gaussian_network(random_dag(6, seed=seed, expected_degree=2.0), seed=seed).causal()
    cause = net.names[seed % 6]
    for name in net.names:
        if name != cause and name not in net.dag.descendants(cause):
            found = net.do({cause: 3.0}).query(name)[name]
            np.testing.assert_allclose(found.mean, net.means[net.dag.index(name)], atol=1e-9)
