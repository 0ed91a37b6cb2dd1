"""Any network survives its files; any random graph is what was asked for; exact inference agrees with brute force."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.networks import BayesianNetwork, random_dag, random_discrete_network, read_bif, write_bif

# Everything that can break a file format: quotes, braces, comments, line ends, keywords, other scripts.
LABELS = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=6),
    st.text('"\\{}()[],;|/*\n\r\t ab', max_size=6),
    st.sampled_from(
        [
            "table",
            "default",
            "property",
            "probability",
            "//",
            "/*",
            "*/",
            "",
            " ",
            "<5",
            "\\n",
            "\\",
            "unknown",
            "A",
            "a",
        ]
    ),
)


@st.composite
def networks(draw: st.DrawFn) -> BayesianNetwork:
    names = draw(st.lists(LABELS, min_size=1, max_size=5, unique=True))
    states = [tuple(draw(st.lists(LABELS, min_size=1, max_size=4, unique=True))) for _ in names]
    parents = [
        tuple(draw(st.lists(st.sampled_from(names[:i]), unique=True, max_size=3))) if i else ()
        for i in range(len(names))
    ]
    cards = {name: len(own) for name, own in zip(names, states, strict=True)}
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    cpts = [
        rng.dirichlet(np.full(cards[name], 0.3), size=[cards[p] for p in own])
        for name, own in zip(names, parents, strict=True)
    ]
    title = draw(LABELS)
    order = draw(st.permutations(range(len(names))))
    pick = [tuple(part[i] for i in order) for part in (names, states, parents, cpts)]
    return BayesianNetwork(*pick, title=title)


@settings(max_examples=150, deadline=None)
@given(networks())
def test_bif_round_trip(net: BayesianNetwork) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.bif"
        write_bif(net, path)
        back = read_bif(path)
    assert back == net
    assert back.title == net.title


# What readers that go line by line, such as that of R's bnlearn, take: words of letters, digits and underscores.
STATES = r"(?:[A-Za-z_][A-Za-z0-9_.-]*|-?[0-9]+)"
NUMBERS = r"[0-9.e-]+(?:, [0-9.e-]+)*;"
LINE = re.compile(
    r"(?://.*|network [A-Za-z_]\w*+ \{|\}|variable ([A-Za-z_]\w*) \{"
    rf"|  type discrete \[ [0-9]+ \] \{{ {STATES}(?:, {STATES})* \}};"
    r"|probability \( [A-Za-z_]\w*(?: \| [A-Za-z_]\w*(?:, [A-Za-z_]\w*)*)? \) \{"
    rf"|  table {NUMBERS}|  \({STATES}(?:, {STATES})*\) {NUMBERS})",
    re.ASCII,
)


@settings(max_examples=100, deadline=None)
@given(networks())
def test_bif_is_plain_whatever_the_names(net: BayesianNetwork) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_bif(net, Path(folder) / "net.bif")
        text = (Path(folder) / "net.bif").read_bytes().decode("ascii")
    found = [LINE.fullmatch(line) for line in text.split("\n")[:-1]]
    assert all(found)
    nodes = [match[1].lower() for match in found if match and match[1]]
    assert len(set(nodes)) == len(net.names)  # not even upper and lower case are needed to tell them apart


@settings(max_examples=80, deadline=None)
@given(networks())
def test_json_round_trip(net: BayesianNetwork) -> None:
    assert BayesianNetwork.from_dict(json.loads(json.dumps(net.to_dict()))) == net


@settings(max_examples=60, deadline=None)
@given(networks(), st.integers(0, 1000))
def test_sampled_rows_are_possible_and_levels_match(net: BayesianNetwork, seed: int) -> None:
    data = net.sample(40, seed)
    assert tuple(column.levels for column in data.columns) == net.states
    assert np.isfinite(net.log_likelihood(data)).all()


@settings(max_examples=60, deadline=None)
@given(networks(), st.data())
def test_joint_equals_brute_force(net: BayesianNetwork, data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.sampled_from(net.names), min_size=1, unique=True))
    at = {name: i for i, name in enumerate(net.names)}
    everything = np.ones(net.cardinalities)
    for name, parents, cpt in zip(net.names, net.parents, net.cpts, strict=True):
        axes = [at[n] for n in (*parents, name)]
        shape = [net.cardinalities[i] if i in axes else 1 for i in range(len(at))]
        everything = everything * np.transpose(cpt, np.argsort(axes)).reshape(shape)
    kept = [at[name] for name in wanted]
    summed = everything.sum(axis=tuple(i for i in range(len(at)) if i not in kept))
    expected = np.transpose(summed, np.argsort(np.argsort(kept)))
    np.testing.assert_allclose(net.joint(wanted), expected, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(networks(), st.integers(0, 1000))
def test_shuffling_can_be_undone(net: BayesianNetwork, seed: int) -> None:
    disguised, new_names = net.shuffled(seed)
    old_names = {new: old for old, new in new_names.items()}
    assert disguised.renamed(old_names).reordered(net.names) == net


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 15), st.integers(0, 10_000), st.data())
def test_random_dags_keep_their_promises(n: int, seed: int, data: st.DataObject) -> None:
    limit = data.draw(st.one_of(st.none(), st.integers(0, n)))
    most = sum(i if limit is None else min(i, limit) for i in range(n))
    edges = data.draw(st.integers(0, most))
    dag = random_dag(n, n_edges=edges, max_parents=limit, seed=seed)
    assert dag.n_edges == edges
    assert len(dag.topological_order) == n  # a Dag cannot be built with a cycle
    assert limit is None or dag.adjacency.sum(axis=0).max() <= limit
    degree = data.draw(st.floats(0, n - 1))
    sparse = random_dag(n, expected_degree=degree, max_parents=limit, seed=seed)
    assert limit is None or sparse.adjacency.sum(axis=0).max() <= limit
    assert random_dag(n, expected_degree=0, seed=seed).n_edges == 0
    assert random_dag(n, expected_degree=n - 1, seed=seed).n_edges == n * (n - 1) // 2


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 8), st.integers(0, 10_000), st.floats(1e-3, 1e3))
def test_random_discrete_networks_are_valid(n: int, seed: int, concentration: float) -> None:
    dag = random_dag(n, expected_degree=min(2, n - 1), seed=seed)
    net = random_discrete_network(dag, concentration=concentration, seed=seed)
    assert net.dag == dag
    for cpt in net.cpts:
        np.testing.assert_allclose(cpt.sum(axis=-1), 1, atol=1e-12)
