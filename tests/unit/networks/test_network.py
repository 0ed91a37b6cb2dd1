from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import ArcwiseError, DataError, FileError, GraphError, OptionError
from arcwise.networks import BayesianNetwork, load

YES_NO = ("no", "yes")


def sprinkler() -> BayesianNetwork:
    """Rain -> Sprinkler, Rain -> Wet <- Sprinkler; Wet stands first and lists Sprinkler before Rain."""
    return BayesianNetwork(
        names=("Wet", "Rain", "Sprinkler"),
        states=(("dry", "damp", "soaked"), YES_NO, YES_NO),
        parents=(("Sprinkler", "Rain"), (), ("Rain",)),
        cpts=(
            np.array([[[0.9, 0.1, 0.0], [0.2, 0.5, 0.3]], [[0.1, 0.6, 0.3], [0.0, 0.1, 0.9]]]),
            np.array([0.7, 0.3]),
            np.array([[0.6, 0.4], [0.99, 0.01]]),
        ),
        title="sprinkler",
    )


def full_joint(net: BayesianNetwork) -> np.ndarray:
    """P(all nodes), one axis per node in order, by multiplying along every cell."""
    joint = np.zeros(net.cardinalities)
    for cell in np.ndindex(*net.cardinalities):
        at = dict(zip(net.names, cell, strict=True))
        joint[cell] = np.prod(
            [net.cpt(n)[tuple(at[p] for p in (*own, n))] for n, own in zip(net.names, net.parents, strict=True)]
        )
    return joint


def test_structure_and_counts() -> None:
    net = sprinkler()
    assert net.dag.edges == (("Rain", "Sprinkler"), ("Rain", "Wet"), ("Sprinkler", "Wet"))
    assert net.cardinalities == (3, 2, 2)
    assert net.n_parameters == 4 * 2 + 1 + 2
    assert repr(net) == "Network('sprinkler': 3 nodes, 3 edges: 3 cpt)"


def test_tables_cannot_be_changed_and_are_copies() -> None:
    given = np.array([0.25, 0.75])
    net = BayesianNetwork(("a",), (("x", "y"),), ((),), (given,))
    given[0] = 9
    assert net.cpt("a").tolist() == [0.25, 0.75]
    with pytest.raises(ValueError, match="read-only"):
        net.cpt("a")[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        pickle.loads(pickle.dumps(net)).cpt("a")[0] = 1


def test_rows_are_normalised_once_and_for_all() -> None:
    counts = np.array([[3.0, 1.0], [1e-320, 3e-320], [1e308, 1e308]])
    states = (("1", "2", "3"), YES_NO)
    net = BayesianNetwork(("p", "c"), states, ((), ("p",)), (np.array([1, 1, 2]), counts))
    assert net.cpt("p").tolist() == [0.25, 0.25, 0.5]
    np.testing.assert_allclose(net.cpt("c"), [[0.75, 0.25], [0.25, 0.75], [0.5, 0.5]], rtol=1e-3)
    again = BayesianNetwork(net.names, net.states, net.parents, net.cpts)
    assert again == net


@pytest.mark.parametrize("row", [[-0.1, 1.1], [0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_a_row_that_is_no_distribution_is_named(row: list[float]) -> None:
    good = [0.5, 0.5]
    cpt = np.array([[good, good], [good, row]])
    with pytest.raises(GraphError, match=r"CPT of node 'c' .* given a='yes', b='hi'"):
        BayesianNetwork(
            ("a", "b", "c"),
            (YES_NO, ("lo", "hi"), YES_NO),
            ((), (), ("a", "b")),
            (np.array(good), np.array(good), cpt),
        )


def test_a_wrong_shape_is_named_but_flat_tables_are_welcome() -> None:
    names, states, parents = ("a", "b"), (("1", "2", "3"), YES_NO), ((), ("a",))
    root = np.array([0.2, 0.3, 0.5])
    flat = BayesianNetwork(names, states, parents, (root, np.array([0.1, 0.9, 0.2, 0.8, 0.3, 0.7])))
    assert flat.cpt("b")[2].tolist() == pytest.approx([0.3, 0.7])
    with pytest.raises(GraphError, match=r"node 'b' has shape \(2, 3\) .* need \(3, 2\)"):
        BayesianNetwork(names, states, parents, (root, np.full((2, 3), 0.5)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ()}, "at least one node"),
        ({"names": ("a", "a")}, "'a' is given twice"),
        ({"states": (YES_NO,)}, "states has 1 entries for 2 nodes"),
        ({"states": (YES_NO, ("x", "x"))}, "node 'b' has the state 'x' twice"),
        ({"states": (YES_NO, ())}, "node 'b' has 0 states"),
        ({"states": (YES_NO, "xy")}, r"'states\[1\]' must be a list of names, not 'xy'"),
        ({"states": (YES_NO, ("x", 1))}, r"'states\[1\]\[1\]' must be text, not 1"),
        ({"parents": ((), "a")}, r"'parents\[1\]' must be a list of names, not 'a'"),
        ({"parents": ((), ("A",))}, "unknown node 'A'"),
        ({"parents": (("b",), ("a",))}, "cycle"),
        ({"parents": ((), ("b",))}, "self loop"),
        ({"parents": ((), ("a", "a"))}, "given twice"),
        ({"cpts": (np.ones(2), "table")}, "CPT of node 'b' is not an array of numbers"),
    ],
)
def test_faulty_definitions(change: dict[str, object], message: str) -> None:
    parts = {
        "names": ("a", "b"),
        "states": (YES_NO, YES_NO),
        "parents": ((), ("a",)),
        "cpts": (np.ones(2), np.ones((2, 2))),
    }
    with pytest.raises(ArcwiseError, match=message):
        BayesianNetwork(**{**parts, **change})  # type: ignore[arg-type]


def test_sample_has_the_declared_columns() -> None:
    data = sprinkler().sample(100, seed=1)
    assert data.names == ("Wet", "Rain", "Sprinkler")
    assert (data.n_rows, set(data.kinds)) == (100, {Kind.DISCRETE})
    assert data.column("Wet").levels == ("dry", "damp", "soaked")
    assert [column.ordered for column in data.columns] == [False, True, True]  # two states have no other order
    assert data.codes().dtype == np.uint8


def test_same_seed_same_rows_and_prefixes_agree() -> None:
    net = sprinkler()
    first, again, longer = net.sample(50, seed=4), net.sample(50, seed=4), net.sample(80, seed=4)
    np.testing.assert_array_equal(first.codes(), again.codes())
    np.testing.assert_array_equal(first.codes(), longer.codes()[:, :50])
    assert (first.codes() != net.sample(50, seed=5).codes()).any()


def test_sampled_frequencies_follow_the_exact_joint() -> None:
    """Chi-square of all 12 cells against their exact probabilities, over 20 fixed seeds."""
    net = sprinkler()
    joint = full_joint(net).ravel()
    possible = joint > 0
    n = 4000
    p_values = []
    for seed in range(20):
        cells = np.ravel_multi_index(tuple(net.sample(n, seed).codes()), net.cardinalities)
        counts = np.bincount(cells, minlength=joint.size)
        assert counts[~possible].sum() == 0
        statistic = ((counts - n * joint)[possible] ** 2 / (n * joint[possible])).sum()
        p_values.append(chi2.sf(statistic, possible.sum() - 1))
    assert min(p_values) > 1e-4
    assert 0.25 < np.mean(p_values) < 0.75


def test_many_states_are_drawn_correctly() -> None:
    """A node of 100 states, some impossible, also at both ends."""
    weights = np.arange(100.0) * (np.arange(100) % 3 > 0)
    weights[-4:] = 0
    net = BayesianNetwork(("a",), (tuple(map(str, range(100))),), ((),), (weights,))
    counts = np.bincount(net.sample(200_000, seed=2).column("a").values, minlength=100)
    expected = 200_000 * net.cpt("a")
    possible = expected > 0
    assert counts[~possible].sum() == 0
    statistic = ((counts - expected)[possible] ** 2 / expected[possible]).sum()
    assert 1e-3 < chi2.sf(statistic, possible.sum() - 1) < 0.999


def test_more_than_256_states_need_wider_codes() -> None:
    net = BayesianNetwork(("a",), (tuple(map(str, range(300))),), ((),), (np.ones(300),))
    values = net.sample(20_000, seed=0).column("a").values
    assert values.dtype == np.uint16
    assert (values.min(), values.max()) == (0, 299)


def test_a_single_state_is_always_drawn() -> None:
    net = BayesianNetwork(("a", "b"), (("only",), YES_NO), ((), ("a",)), (np.ones(1), np.array([[0.0, 1.0]])))
    assert net.sample(50, seed=0).codes().tolist() == [[0] * 50, [1] * 50]


@pytest.mark.parametrize(("n", "seed"), [(0, 1), (-3, 1), (2.5, 1), (10, -1), (10, "x")])
def test_impossible_sizes_and_seeds(n: object, seed: object) -> None:
    with pytest.raises(OptionError, match=r"rows|seed|'n' of sample"):
        sprinkler().sample(n, seed)  # type: ignore[arg-type]


def test_log_likelihood_of_every_cell() -> None:
    net = sprinkler()
    joint = full_joint(net)
    cells = np.array(list(np.ndindex(*net.cardinalities))).T.astype(np.uint8)
    columns = [
        Column(name, Kind.DISCRETE, cell, levels=states)
        for name, states, cell in zip(net.names, net.states, cells, strict=True)
    ]
    np.testing.assert_allclose(np.exp(net.log_likelihood(Dataset(tuple(columns)))), joint.ravel(), atol=1e-15)
    assert np.isneginf(net.log_likelihood(Dataset(tuple(columns)))).sum() == (joint == 0).sum()


def test_log_likelihood_matches_columns_by_name_and_states_by_label() -> None:
    net = sprinkler()
    data = net.sample(200, seed=8)
    flipped = [
        Column(c.name, c.kind, (c.cardinality - 1 - c.values).astype(np.uint8), levels=c.levels[::-1])
        for c in reversed(data.columns)
    ]
    extra = Column("other", Kind.CONTINUOUS, np.zeros(200))
    np.testing.assert_array_equal(net.log_likelihood(Dataset((extra, *flipped))), net.log_likelihood(data))


def test_log_likelihood_refuses_data_of_another_kind() -> None:
    net = sprinkler()
    data = net.sample(5, seed=8)
    with pytest.raises(DataError, match="unknown column 'Wet'"):
        net.log_likelihood(data.select(["Rain", "Sprinkler"]))
    numbers = Column("Wet", Kind.CONTINUOUS, np.zeros(5))
    with pytest.raises(DataError, match="'Wet' is continuous"):
        net.log_likelihood(Dataset((numbers, *data.columns[1:])))
    strange = Column("Wet", Kind.DISCRETE, np.zeros(5, dtype=np.uint8), levels=("drry",))
    with pytest.raises(DataError, match=r"'Wet': unknown state 'drry'; did you mean 'dry'\?"):
        net.log_likelihood(Dataset((strange, *data.columns[1:])))


def test_joints_and_marginals_are_exact() -> None:
    net = sprinkler()
    joint = full_joint(net)
    np.testing.assert_allclose(net.joint(("Wet", "Rain", "Sprinkler")), joint, atol=1e-15)
    np.testing.assert_allclose(net.joint(("Sprinkler", "Wet")), joint.sum(axis=1).T, atol=1e-15)
    np.testing.assert_allclose(net.marginal("Wet"), joint.sum(axis=(1, 2)), atol=1e-15)
    with pytest.raises(OptionError, match="each name once"):
        net.joint(("Wet", "Wet"))
    with pytest.raises(OptionError, match="fewer nodes"):
        load("barley").joint(load("barley").names[:12])


def test_shuffled_is_the_same_network_in_disguise() -> None:
    net = load("alarm")
    disguised, new_names = net.shuffled(seed=3)
    assert set(new_names) == set(net.names)
    assert set(new_names.values()) == set(disguised.names) == {f"v{i:02d}" for i in range(1, 38)}
    assert {(new_names[a], new_names[b]) for a, b in net.dag.edges} == set(disguised.dag.edges)
    back = disguised.renamed({new: old for old, new in new_names.items()}).reordered(net.names)
    assert back == net
    assert list(disguised.names) != [new_names[name] for name in net.names]
    assert disguised == net.shuffled(seed=3)[0] != net.shuffled(seed=4)[0]


def test_renaming_checks_its_names() -> None:
    with pytest.raises(GraphError, match="did you mean 'Rain'"):
        sprinkler().renamed({"Rian": "x"})
    with pytest.raises(GraphError, match="twice"):
        sprinkler().renamed({"Rain": "Wet"})
    with pytest.raises(GraphError, match="missing"):
        sprinkler().reordered(["Rain", "Wet"])


def test_equality_sees_tables_states_and_order() -> None:
    net = sprinkler()
    other = sprinkler().to_dict()
    other["nodes"][1]["cpt"] = [0.69, 0.31]
    assert net == sprinkler()
    assert hash(net) == hash(sprinkler())
    assert net != BayesianNetwork.from_dict(other)
    assert net != net.reordered(("Rain", "Wet", "Sprinkler"))
    assert net != "sprinkler"


@pytest.mark.parametrize("file", ["net.json", "net.json.gz"])
def test_json_files_keep_every_bit(tmp_path: Path, file: str) -> None:
    net = load("insurance")
    net.save(tmp_path / file)
    back = BayesianNetwork.load(tmp_path / file)
    assert back == net
    assert (back.title, back.source) == (net.title, net.source)
    content = (tmp_path / file).read_bytes()
    layout = json.loads(gzip.decompress(content) if file.endswith("gz") else content)
    assert layout["format"] == "discrete-bn-1"
    assert layout["nodes"][0].keys() == {"name", "states", "parents", "cpt"}
    assert [p.name for p in tmp_path.iterdir()] == [file]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"broken\.json is no saved network: line 1: not JSON"),
        ("[]", "this is no network"),
        ('{"format": "discrete-bn-2", "nodes": []}', "discrete-bn-1"),
        ('{"format": "discrete-bn-1"}', "entry 'nodes'"),
        ('{"format": "discrete-bn-1", "nodes": [3]}', r"entry 'nodes\[0\]' must be a dict, not 3"),
        (
            '{"format": "discrete-bn-1", "nodes": [{"name": "a", "states": "xy"}]}',
            "states' must be a list of",
        ),
        (
            '{"format": "discrete-bn-1", "nodes": [{"name": "a", "states": ["x"], "parents": ["b"], "cpt": [1]}]}',
            "unknown node 'b'",
        ),
    ],
)
def test_broken_json_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(FileError, match=message) as caught:
        BayesianNetwork.load(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"nowhere\.json"):
        BayesianNetwork.load(tmp_path / "nowhere.json")
    with pytest.raises(FileError, match="cannot write"):
        sprinkler().save(tmp_path / "no" / "folder.json")
