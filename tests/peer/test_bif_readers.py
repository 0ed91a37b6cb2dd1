"""BIF files with any names are read by pgmpy and pyAgrum with the right tables, and by us with the right names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyagrum as gum
import pytest
from pgmpy.readwrite import BIFReader

from arcwise.networks import BayesianNetwork, load, read_bif, write_bif
from arcwise.networks.bif_text import safe_nodes, safe_states

HOSTILE_NAMES = [
    "blood type", 'say "hi"', "a,b", "{x}", "Größe (cm)", "体重", "", " ", "a b", "a_b", "a-b", "a.b", "A_B", "1", "2x",
    "table", "probability", "variable", "//", "/* c", "semi;colon", "back\\slash", "new\nline", "x|y", "n0", "-", "_",
]  # fmt: skip
HOSTILE_STATES = [
    "0", "1", "-1", "0.5", "-0.5", "1e5", "1e-05", "+3", "<5", "5-12", "12+", "< 5.5", "5.5 to 7", ">= 7", "yes", "Yes",
    'q"', "a, b", "(c)", "d}", "é", "", " ", "table", "default", "true", "NA", "//", "Asy/Patch", "a b", "a_b",
]  # fmt: skip


def hostile() -> BayesianNetwork:
    """Every name and state once, in nodes with up to two parents."""
    rng = np.random.default_rng(0)
    n = len(HOSTILE_NAMES)
    states = [tuple(HOSTILE_STATES[(3 * i + k) % len(HOSTILE_STATES)] for k in range(2 + i % 3)) for i in range(n)]
    parents = [tuple(HOSTILE_NAMES[max(i - 2, 0) : i]) for i in range(n)]
    cards = dict(zip(HOSTILE_NAMES, map(len, states), strict=True))
    cpts = [
        rng.dirichlet(np.full(cards[name], 0.5), size=[cards[p] for p in own])
        for name, own in zip(HOSTILE_NAMES, parents, strict=True)
    ]
    return BayesianNetwork(
        tuple(HOSTILE_NAMES), tuple(states), tuple(parents), tuple(cpts), 'a "title" of probability;'
    )


def tiny_numbers() -> BayesianNetwork:
    rows = np.array([[1e-300, 1 - 1e-16, 0.0], [5e-324, 1.0, 1e-5]])
    return BayesianNetwork(("a", "b"), (("x", "y"), ("0", "1", "2")), ((), ("a",)), (np.array([1e-9, 1 - 1e-9]), rows))


@pytest.fixture(params=["hostile", "tiny", "alarm", "child", "hailfinder", "insurance"])
def net(request: pytest.FixtureRequest) -> BayesianNetwork:
    return {"hostile": hostile, "tiny": tiny_numbers}.get(request.param, lambda: load(request.param))()


@pytest.fixture
def path(net: BayesianNetwork, tmp_path: Path) -> Path:
    write_bif(net, tmp_path / "net.bif")
    assert read_bif(tmp_path / "net.bif") == net
    return tmp_path / "net.bif"


def test_pgmpy_reads_it(net: BayesianNetwork, path: Path) -> None:
    model = BIFReader(str(path)).get_model()
    assert model.check_model()
    written = dict(zip(net.names, safe_nodes(net.names), strict=True))
    assert set(model.nodes()) == set(written.values())
    assert set(model.edges()) == {(written[a], written[b]) for a, b in net.dag.edges}
    for name, states, parents, cpt in zip(net.names, net.states, net.parents, net.cpts, strict=True):
        cpd = model.get_cpds(written[name])
        assert cpd.state_names[written[name]] == safe_states(states)
        order = [cpd.variables.index(written[n]) for n in (*parents, name)]
        np.testing.assert_array_equal(np.transpose(cpd.values, order), cpt)


def test_pyagrum_reads_it(net: BayesianNetwork, path: Path) -> None:
    model = gum.loadBN(str(path))
    written = dict(zip(net.names, safe_nodes(net.names), strict=True))
    assert set(model.names()) == set(written.values())
    assert {(model.variable(a).name(), model.variable(b).name()) for a, b in model.arcs()} == {
        (written[a], written[b]) for a, b in net.dag.edges
    }
    for name, states, parents, cpt in zip(net.names, net.states, net.parents, net.cpts, strict=True):
        assert list(model.variable(written[name]).labels()) == safe_states(states)
        table = model.cpt(written[name])
        axes = [written[n] for n in (*parents, name)]
        found = table.toarray()  # the last axis is the first variable of the table
        order = [list(reversed(table.names)).index(n) for n in axes]
        np.testing.assert_allclose(np.transpose(found, order), cpt, atol=1e-6)  # it reads single precision
