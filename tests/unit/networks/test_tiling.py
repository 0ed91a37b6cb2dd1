"""Tiled networks: published sizes, arcs only into roots of later tiles, distributions kept exactly."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arcwise import networks
from arcwise.errors import OptionError
from arcwise.graph.dag import Dag
from arcwise.networks import BayesianNetwork, load, random_discrete_network, tile
from arcwise.networks.inference import bucket_tree
from arcwise.networks.tiling import _fitted
from tests.oracle.graphs import random_dag

# nodes, edges and states of Table 1 of Brown, Tsamardinos and Aliferis
PUBLISHED = {
    "child3": (60, 79, 2, 6),
    "insurance3": (81, 163, 2, 5),
    "child5": (100, 126, 2, 6),
    "alarm3": (111, 149, 2, 4),
    "hailfinder3": (168, 283, 2, 11),
    "alarm5": (185, 265, 2, 4),
}


def original(name: str) -> tuple[str, int]:
    node, _, number = name.rpartition("_")
    return node, int(number)


def small_network(seed: int, n: int) -> BayesianNetwork:
    rng = np.random.default_rng(seed)
    dag = Dag.from_adjacency([f"v{i}" for i in range(n)], random_dag(rng, n, 0.4))
    return random_discrete_network(dag, seed=seed, cardinality=(1, 3), concentration=0.3)


def check_arcs(net: BayesianNetwork, tiled: BayesianNetwork, copies: int) -> None:
    """Within a tile the arcs of the network; between tiles only from one earlier tile into a root, at most 3."""
    inside = {(t, edge) for t in range(1, copies + 1) for edge in net.dag.edges}
    for name, parents, cpt in zip(tiled.names, tiled.parents, tiled.cpts, strict=True):
        node, t = original(name)
        own = net.parents[net.dag.index(node)]
        tiles = {original(p)[1] for p in parents}
        if own:
            assert parents == tuple(f"{p}_{name.rpartition('_')[2]}" for p in own)
            assert np.array_equal(cpt, net.cpt(node))
            inside -= {(t, (p, node)) for p in own}
        elif parents:
            assert len(parents) <= 3
            assert len(tiles) == 1
            assert tiles.pop() < t
            assert cpt.size <= 4096
    assert not inside


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_sizes(name):
    net = load(name)
    about = networks.info(name)
    assert (len(net.names), net.dag.n_edges, min(net.cardinalities), max(net.cardinalities)) == PUBLISHED[name]
    assert (about.name, about.nodes, about.edges, about.parameters) == (name, *PUBLISHED[name][:2], net.n_parameters)
    assert (about.max_parents, about.states) == (max(map(len, net.parents)), PUBLISHED[name][2:])
    assert load(name.upper()) is net
    check_arcs(load(name[:-1]), net, int(name[-1]))


@pytest.mark.parametrize("name", [name for name in PUBLISHED if name != "hailfinder3"])
def test_every_node_of_a_published_tiling_keeps_its_distribution(name):
    net, tiled = load(name[:-1]), load(name)
    for node in tiled.names:
        np.testing.assert_allclose(tiled.marginal(node), net.marginal(original(node)[0]), atol=1e-11)


def test_too_many_arcs_leave_the_roots_exact_and_the_rest_near():
    net, tiled = load("hailfinder"), load("hailfinder3")
    roots = [name for name, own in zip(net.names, net.parents, strict=True) if not own]
    for name in (f"{root}_{t}" for t in (1, 2, 3) for root in roots):
        np.testing.assert_allclose(tiled.marginal(name), net.marginal(original(name)[0]), atol=1e-11)
    assert np.abs(tiled.marginal("Boundaries_2") - net.marginal("Boundaries")).max() > 1e-6
    for column in tiled.sample(40_000, seed=3).columns:
        shares = np.bincount(column.values, minlength=column.cardinality) / 40_000
        np.testing.assert_allclose(shares, net.marginal(original(column.name)[0]), atol=0.015)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(2, 4))
def test_every_tile_keeps_its_joint_distribution(seed, n, copies):
    net = small_network(seed, n)
    tiled = tile(net, copies, seed)
    check_arcs(net, tiled, copies)
    joint = net.joint(net.names)
    for t in range(1, copies + 1):
        own = [name for name in tiled.names if original(name)[1] == t]
        np.testing.assert_allclose(tiled.joint(own), joint, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(2, 4), st.integers(0, 25))
def test_a_number_of_arcs_asked_for_is_met_and_roots_keep_their_distributions(seed, n, copies, arcs):
    net = small_network(seed, n)
    try:
        tiled = tile(net, copies, seed, arcs=arcs)
    except OptionError:
        assume(False)
    assert tiled.dag.n_edges == copies * net.dag.n_edges + arcs
    check_arcs(net, tiled, copies)
    for name in tiled.names:
        node, _ = original(name)
        if not net.parents[net.dag.index(node)]:
            np.testing.assert_allclose(tiled.marginal(name), net.marginal(node), atol=1e-12)


def test_new_arcs_mean_something():
    """The new table of a root differs from row to row, so that tiles depend on each other."""
    net, tiled = load("alarm"), load("alarm5")
    roots = {name for name, own in zip(net.names, net.parents, strict=True) if not own}
    tables = [
        cpt.reshape(-1, cpt.shape[-1])
        for name, own, cpt in zip(tiled.names, tiled.parents, tiled.cpts, strict=True)
        if original(name)[0] in roots and own
    ]
    assert sum(table.shape[0] > 1 for table in tables) > 10
    assert all(np.ptp(table, axis=0).max() > 1e-3 for table in tables)


def test_parents_whose_joint_would_be_too_large_are_left_out(monkeypatch):
    net = load("alarm")
    free = tile(net, 3, 1)
    with monkeypatch.context() as patch:
        patch.setattr(bucket_tree, "LARGEST_TABLE", 32)
        few = tile(net, 3, 1)
        with pytest.raises(OptionError, match="found no place"):
            tile(net, 3, 1, arcs=60)
    assert 3 * net.dag.n_edges < few.dag.n_edges < free.dag.n_edges
    check_arcs(net, few, 3)
    for node in few.names[37:]:
        np.testing.assert_allclose(few.marginal(node), net.marginal(original(node)[0]), atol=1e-11)


def test_the_same_seed_gives_the_same_network_and_another_another():
    net = load("child")
    assert tile(net, 3, 7) == tile(net, 3, 7)
    assert tile(net, 3, 7, arcs=4) == tile(net, 3, 7, arcs=4)
    assert len({tile(net, 4, seed, arcs=4).dag for seed in range(5)}) > 1


def test_one_tile_is_the_network_and_no_arcs_are_separate_copies():
    net = load("child")
    assert tile(net, 1, 0) is net
    assert load("child1") is net
    apart = tile(net, 2, 0, arcs=0)
    assert apart.dag.n_edges == 2 * net.dag.n_edges
    assert apart.title == "CHILD2"


def test_names_sort_by_tile_number_also_beyond_nine():
    tiled = load("child12")
    assert tiled.names[0].endswith("_01")
    assert tiled.names[-1].endswith("_12")


def test_twenty_tiles_take_little_time():
    times = []
    for seed in range(2):
        start = time.perf_counter()
        tiled = tile(load("alarm"), 20, seed)
        times.append(time.perf_counter() - start)
        assert len(tiled.names) == 740
        assert tiled.dag.n_edges > 20 * 46 + 19 * 6
    assert min(times) < 5


def test_samples_of_a_tiling_have_the_original_frequencies():
    net, tiled = load("insurance"), load("insurance3")
    data = tiled.sample(20_000, seed=1)
    for column in data.columns[::7]:
        shares = np.bincount(column.values, minlength=column.cardinality) / data.n_rows
        np.testing.assert_allclose(shares, net.marginal(original(column.name)[0]), atol=0.02)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 8))
def test_fitting_keeps_rows_and_marginals(seed, n_rows, n_states):
    rng = np.random.default_rng(seed)
    weights, wanted = rng.dirichlet(np.full(n_rows, 0.1)), rng.dirichlet(np.full(n_states, 0.1))
    weights[rng.random(n_rows) < 0.3] = 0.0
    wanted[rng.random(n_states) < 0.3] = 0.0
    assume(weights.sum() > 0 and wanted.sum() > 0)
    table = _fitted(weights, wanted, rng)
    assert (table >= 0).all()
    np.testing.assert_allclose(table.sum(axis=1), 1, atol=1e-14)
    np.testing.assert_allclose(weights / weights.sum() @ table, wanted / wanted.sum(), atol=1e-12)


@pytest.mark.parametrize(
    ("copies", "arcs", "message"),
    [
        (0, None, "copies must be 1 or more, not 0"),
        (2.5, None, "'copies' of tile must be a whole number, not 2.5"),
        (3, -1, "arcs must be 0 or more"),
        (3, 7, "3 tiles with 1 root take at most 6 new arcs, not 7"),
        (1, 1, "1 tile with 1 root takes at most 0 new arcs"),
        (1001, None, "1,001 copies of 20 nodes are 20,020 nodes, more than 20,000; ask for fewer copies"),
    ],
)
def test_impossible_requests_are_refused(copies, arcs, message):
    with pytest.raises(OptionError, match=message):
        tile(load("child"), copies, 0, arcs=arcs)


def test_a_name_is_no_network():
    with pytest.raises(OptionError, match="'net' of tile must be a Network, not 'alarm'"):
        tile("alarm", 3, 0)


def test_a_network_too_small_for_the_arcs_is_refused():
    coin = BayesianNetwork(("coin",), (("head", "tail"),), ((),), (np.array([0.5, 0.5]),))
    assert tile(coin, 3, 0, arcs=2).dag.n_edges == 2
    with pytest.raises(OptionError, match="found no place for 3 new arcs in 3 tiles; ask for fewer"):
        tile(coin, 3, 0, arcs=3)


def test_unknown_tiled_names_get_the_nearest():
    with pytest.raises(OptionError, match="unknown network 'alrm'; did you mean 'alarm'"):
        load("alrm5")
    with pytest.raises(OptionError, match="unknown network 'alarm0'"):
        load("alarm0")
