"""Damaged files of graphs, networks, results and knowledge are read, or refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arcwise
from arcwise import Dag, FittedNetwork, LearnResult
from arcwise.cli.inputs import read_knowledge
from arcwise.errors import ArcwiseError
from arcwise.graph.io import load, to_cyjs, to_dot, to_graphml, to_json
from arcwise.networks import BayesianNetwork, read_bif, write_bif
from arcwise.networks.models.fit import fit
from tests.fuzz.mutation import ROUNDS, mutants
from tests.fuzz.structure import restructured

CORPUS = Path(__file__).parent / "corpus" / "networks"
DAG = Dag(("a", "b b", 'c"\n'), [("a", "b b"), ("a", 'c"\n')])
PATTERN = arcwise.Pdag(("a", "b", "c", "d"), [("a", "b")], [("b", "c")], [("c", "d")])
DOT = b"""// by hand
strict digraph "g" { rankdir=LR; node [shape=box] edge [dir=forward];
 a -> b -> "c c" [weight=2, color="red"]; b -- d /* no arrow */; a -> d [dir=both] # end
}"""
GRAPHML = b"""<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="label" attr.type="string"/><graph edgedefault="undirected"><node id="1"/>
<node id="2"><data key="d0">two &amp; more</data></node><edge source="1" target="2" directed="true"/></graph>
</graphml>"""
KNOWLEDGE = {"required": [["a", "b"], "b -> c"], "forbidden": ["c->a"], "tiers": [["a"], ["b", "c"]]}
TOML = b"""required = [["a", "b"], "b -> c"] # edges
forbidden = ["c->a"]
tiers = [["a"], ["b", 'c']]
"""


def network() -> BayesianNetwork:
    return BayesianNetwork(
        ("rain", "wet", "Größe <5"),
        (("no", "yes"), ("no", "a little", "yes"), ("0-1", ">1")),
        ((), ("rain",), ("rain", "wet")),
        ((0.7, 0.3), (0.8, 0.1, 0.1, 0.1, 0.4, 0.5), (0.5, 0.5, 0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 1, 0, 0.25, 0.75)),
        "a title",
    )


@cache
def table() -> arcwise.Dataset:
    rng = np.random.default_rng(3)
    a, c = rng.integers(0, 2, 40), rng.normal(size=40)
    b = np.where(rng.random(40) < 0.9, a, 1 - a)
    return arcwise.Dataset.from_frame(
        {"a": a.astype(str), "b": b.astype(str), "c": c, "d": c + 0.1 * rng.normal(size=40)}
    )


@cache
def results() -> list[Any]:
    learned = [arcwise.learn(table(), method, seed=1) for method in ("equal-frequency", "steck", "pc")]
    return [result.to_dict() for result in learned]


@cache
def fitted() -> list[Any]:
    dag = Dag(("a", "b", "c", "d"), [("a", "b"), ("a", "c"), ("c", "d")])
    nets = [fit(dag, table(), "gaussian"), fit(dag, table(), "neural", hidden=2)]
    nets.append(arcwise.learn(table(), "equal-frequency", bins=3).fit(table(), "cpt"))
    return [net.to_dict() for net in nets]


def use_result(path: Path) -> None:
    result = LearnResult.load(path)
    assert str(result)
    assert result._repr_html_()
    assert LearnResult.from_dict(result.to_dict()).to_dict() == result.to_dict()


def use_fitted(path: Path) -> None:
    net = FittedNetwork.load(path)
    rows = net.sample(3, seed=0)
    assert net.log_density(rows).shape == (3,)
    assert str(net)


def use_network(net: BayesianNetwork) -> None:
    assert net.sample(3, seed=0).n_rows == 3
    assert net.marginal(net.names[0]).sum() == pytest.approx(1)


def use_knowledge(path: Path) -> None:
    read_knowledge(str(path), None, None, None).bind(("a", "b", "c"))


def bif(tmp_path: Path) -> list[bytes]:
    write_bif(network(), tmp_path / "seed.bif")
    rows = b"""network n { property author = "x"; }
variable a { type discrete [ 2 ] { x, "y y" }; } variable b { type discrete[2] { no, yes }; }
probability ( a ) { table 0.25, 7.5e-1; } probability ( b | a ) { (x) 0.1, 0.9; default 0.5 0.5; } // end
"""
    return [(tmp_path / "seed.bif").read_bytes(), rows]


Reader = tuple[str, Callable[[Path], object], Callable[[Path], list[bytes]]]
READERS: dict[str, Reader] = {
    "bif": (".bif", lambda path: use_network(read_bif(path)), bif),
    "cyjs": (".cyjs", load, lambda _: [to_cyjs(DAG).encode(), to_cyjs(PATTERN).encode()]),
    "dot": (".dot", load, lambda _: [to_dot(DAG).encode(), to_dot(PATTERN).encode(), DOT]),
    "graphml": (".graphml", load, lambda _: [to_graphml(DAG).encode(), to_graphml(PATTERN).encode(), GRAPHML]),
    "graph": (".json", load, lambda _: [to_json(DAG).encode(), to_json(PATTERN).encode()]),
    "network": (
        ".json",
        lambda path: use_network(BayesianNetwork.load(path)),
        lambda _: [json.dumps(network().to_dict()).encode()],
    ),
    "result": (".json", use_result, lambda _: [json.dumps(one).encode() for one in results()]),
    "fitted": (".json", use_fitted, lambda _: [json.dumps(one).encode() for one in fitted()]),
    "knowledge": (".json", use_knowledge, lambda _: [json.dumps(KNOWLEDGE).encode()]),
    "toml": (".toml", use_knowledge, lambda _: [TOML]),
}
JSON = [name for name, (suffix, _, _) in READERS.items() if suffix in (".json", ".cyjs")]


def holds(read: Callable[[Path], object], path: Path, content: bytes) -> bool:
    """Whether the file was read; anything but a sentence about it is raised, with the file kept to look at."""
    path.write_bytes(content)
    try:
        read(path)
    except ArcwiseError as error:
        lines = str(error).splitlines()
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error} for {content[:3000]!r}") from error
    else:
        return True
    assert len(lines) == 1, lines
    return False


@pytest.mark.parametrize("name", READERS)
def test_damaged_bytes(name: str, tmp_path: Path) -> None:
    suffix, read, seeds = READERS[name]
    sound = seeds(tmp_path)
    path = tmp_path / f"damaged{suffix}"
    assert all(holds(read, path, content) for content in sound)
    outcomes = [holds(read, path, content) for content in mutants(sound)]
    assert len(outcomes) == ROUNDS
    assert not all(outcomes)


@pytest.mark.parametrize("name", JSON)
def test_damaged_structure(name: str, tmp_path: Path) -> None:
    suffix, read, seeds = READERS[name]
    path = tmp_path / f"damaged{suffix}"
    outcomes = [holds(read, path, content) for content in restructured([json.loads(one) for one in seeds(tmp_path)])]
    assert len(outcomes) == ROUNDS
    assert not all(outcomes)


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_what_once_broke_something(path: Path, tmp_path: Path) -> None:
    """Files are named READER-WHAT.SUFFIX; each is refused."""
    suffix, read, _ = READERS[path.name.partition("-")[0]]
    assert not holds(read, tmp_path / f"copy{suffix}", path.read_bytes())
