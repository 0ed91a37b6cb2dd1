"""Exact inference against sums over the whole joint table."""

from __future__ import annotations

import numpy as np
import pytest

from arcwise.errors import OptionError
from arcwise.networks import BayesianNetwork, load, random_dag, random_discrete_network
from arcwise.networks.inference import bucket_tree
from arcwise.networks.inference.bucket_tree import BucketTree, Given
from arcwise.networks.inference.orders import best_order, fewest_edges, smallest_tables, table_sizes
from tests.oracle.queries import given_weights, marginal, whole_joint


def with_zeros(net, share, seed):
    """The same network with some impossible levels."""
    rng = np.random.default_rng(seed)
    cpts = []
    for cpt in net.cpts:
        kept = rng.random(cpt.shape) >= share
        kept[..., 0] |= ~kept.any(axis=-1)
        cut = np.where(kept, cpt, 0.0)
        cpts.append(cut / cut.sum(axis=-1, keepdims=True))
    return BayesianNetwork(net.names, net.states, net.parents, tuple(cpts))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("zeros", [0.0, 0.4])
def test_every_marginal_and_joints(seed: int, zeros: float) -> None:
    net = random_discrete_network(random_dag(7, seed=seed, n_edges=9), seed=seed, cardinality=(1, 3))
    net = with_zeros(net, zeros, seed) if zeros else net
    joint, rng = whole_joint(net), np.random.default_rng(seed)
    for n_known in (0, 1, 3):
        known = rng.choice(7, n_known, replace=False).tolist()
        soft = [node for node in range(7) if node not in known and rng.random() < 0.2]
        given = Given(
            {node: int(rng.integers(net.cardinalities[node])) for node in known},
            {node: rng.random(net.cardinalities[node]) for node in soft},
        )
        weights = {net.names[node]: np.eye(net.cardinalities[node])[code] for node, code in given.codes.items()}
        weights |= {net.names[node]: own for node, own in given.weights.items()}
        truth = given_weights(net, joint, weights)
        rest = [node for node in range(7) if node not in known]
        for wanted in (rest, rest[:1], rest[::-1]):
            log_evidence, shares = net.bucket_tree.marginals(wanted, given)
            if truth.sum() == 0.0:
                assert log_evidence == -np.inf
                assert all(np.isnan(share).all() for share in shares)
                continue
            assert np.exp(log_evidence) == pytest.approx(truth.sum(), rel=1e-10)
            for node, share in zip(wanted, shares, strict=True):
                want = marginal(net, truth, net.names[node])
                np.testing.assert_allclose(share, want / want.sum(), atol=1e-12)
        pair = rest[1:3][::-1]
        log_evidence, found = net.bucket_tree.joint(pair, given)
        if truth.sum() > 0.0:
            want = marginal(net, truth, *(net.names[node] for node in pair))
            np.testing.assert_allclose(found, want / want.sum(), atol=1e-12)
            assert np.exp(log_evidence) == pytest.approx(truth.sum(), rel=1e-10)


def test_tiny_probabilities_do_not_vanish() -> None:
    """A product of four numbers of 1e-120 is no float, its proportions are."""
    table = np.array([[1e-120, 1.0], [3e-120, 1.0]])
    table /= table.sum(axis=1, keepdims=True)
    tree = BucketTree([np.array([0.5, 0.5]), *[table] * 4], [[], *[[0]] * 4])
    log_evidence, (share,) = tree.marginals([0], Given(dict.fromkeys(range(1, 5), 0), {}))
    np.testing.assert_allclose(share, [1 / 82, 81 / 82], rtol=1e-9)
    assert log_evidence == pytest.approx(4 * np.log(1e-120) + np.log(41.0))


@pytest.mark.parametrize("ask_all", [True, False])
def test_much_evidence_does_not_vanish(ask_all: bool) -> None:
    """A thousand children of which each is improbable for either level, and as many roots with a level of 1e-3."""
    n, rng = 1000, np.random.default_rng(1)
    low = np.exp(-5 - rng.random((n, 2)))
    tables = [np.array([0.3, 0.7]), *(np.stack([row, 1 - row], axis=1) for row in low)]
    tables += [np.array([1e-3, 0.999])] * n + [np.array([0.5, 0.5])]
    parents: list[list[int]] = [[], *[[0]] * n, *[[]] * n, []]
    wanted = [0, 2 * n + 1] if ask_all else [0]
    log_evidence, shares = BucketTree(tables, parents).marginals(
        wanted, Given(dict.fromkeys(range(1, 2 * n + 1), 0), {})
    )
    logs = np.log([0.3, 0.7]) + np.log(low).sum(axis=0)
    want = np.exp(logs - logs.max())
    np.testing.assert_allclose(shares[0], want / want.sum(), rtol=1e-9)
    assert log_evidence == pytest.approx(np.logaddexp(*logs) + n * np.log(1e-3), rel=1e-12)


def test_too_large_tables_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    net = random_discrete_network(random_dag(9, seed=1, n_edges=20), seed=1, cardinality=(3, 3))
    monkeypatch.setattr(bucket_tree, "LARGEST_TABLE", 50)
    with pytest.raises(OptionError, match=r"the exact answer needs a table of \d+ numbers.*give more evidence"):
        net.query(net.names)


def test_the_order_does_not_depend_on_repeating_scopes_and_is_the_better_of_two() -> None:
    scopes = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4)]
    cards = [2, 3, 4, 5, 6]
    order, sizes = best_order(scopes, cards)
    assert sorted(order) == list(range(5))
    logs = np.log(cards).tolist()
    for rule in (smallest_tables, fewest_edges):
        assert sum(sizes) <= sum(table_sizes(scopes, cards, rule(scopes, logs)))
    assert best_order(scopes * 2, cards) == (order, sizes)
    kept, _ = best_order(scopes, cards, (4, 0))
    assert sorted(kept) == [1, 2, 3]


def test_the_sizes_are_those_of_a_chain() -> None:
    assert table_sizes([(0, 1), (1, 2)], [2, 3, 4], [0, 1, 2]) == [6, 12, 4]


def test_plans_are_kept_and_numbers_are_not() -> None:
    net = load("child")
    first = net.query("Disease", {"Age": net.model("Age").levels[0]})
    other = net.query("Disease", {"Age": net.model("Age").levels[1]})
    again = net.query("Disease", {"Age": net.model("Age").levels[0]})
    np.testing.assert_array_equal(first["Disease"].probabilities, again["Disease"].probabilities)
    assert np.abs(first["Disease"].probabilities - other["Disease"].probabilities).max() > 1e-3
