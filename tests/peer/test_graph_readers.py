"""Graph files are read by the programs that they are for. Each test is skipped where its program is not installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arcwise.graph import Dag, Pdag, save

NASTY = (
    'say "hi"', "back\\slash\\", "a<b&c>", "&lt;&#65;&", "two\nlines", "größe 温 😀", "graph", "->", "n0", "\\n", "\\N",
    "</script>", '"); system("touch hacked', "'; x <- 1 #", "${x} `y`", "TRUE", "NA", "\x1b[31m", '"]; x [URL="y',
)  # fmt: skip
DAG = Dag(NASTY, [*pairwise(NASTY), (NASTY[0], NASTY[5])])
PATTERN = Pdag(
    NASTY,
    directed=[(NASTY[0], NASTY[1]), (NASTY[2], NASTY[1])],
    undirected=[(NASTY[3], NASTY[4]), (NASTY[4], NASTY[11]), (NASTY[3], NASTY[11])],
    bidirected=[(NASTY[6], NASTY[7])],
)


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def graphviz(tmp_path: Path) -> Path:
    if shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed: apt-get install graphviz")
    return tmp_path


def drawn(graph: Dag | Pdag, folder: Path) -> dict[str, Any]:
    save(graph, folder / "g.dot")
    found: dict[str, Any] = json.loads(run("dot", "-Tjson", "g.dot", folder=folder), strict=False)
    return found


@pytest.mark.parametrize("graph", [DAG, PATTERN], ids=["dag", "pattern"])
def test_graphviz_draws_every_name_as_it_is(graphviz: Path, graph: Dag | Pdag) -> None:
    nodes = drawn(graph, graphviz)["objects"]
    texts = ["\n".join(part["text"] for part in node["_ldraw_"] if part["op"] == "T") for node in nodes]
    assert tuple(texts) == graph.names


def test_graphviz_draws_heads_where_there_are_some(graphviz: Path) -> None:
    content = drawn(PATTERN, graphviz)
    heads = {
        (PATTERN.names[edge["tail"]], PATTERN.names[edge["head"]]): ("_tdraw_" in edge, "_hdraw_" in edge)
        for edge in content["edges"]
    }
    assert heads == {
        **dict.fromkeys(PATTERN.directed, (False, True)),
        **dict.fromkeys(PATTERN.undirected, (False, False)),
        **dict.fromkeys(PATTERN.bidirected, (True, True)),
    }


READ = """
const cytoscape = require('cytoscape');
const content = JSON.parse(require('fs').readFileSync('g.cyjs', 'utf8'));
const cy = cytoscape({headless: true, elements: content.elements});
const name = node => node.data('name');
console.log(JSON.stringify([cy.nodes().map(name),
  cy.edges().map(edge => [edge.data('interaction'), name(edge.source()), name(edge.target())])]));
"""


@pytest.fixture
def cytoscape(tmp_path: Path) -> Path:
    asked = ["node", "-e", "require.resolve('cytoscape')"]
    if shutil.which("node") is None or subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("Cytoscape.js is not installed: npm install cytoscape, and its folder in NODE_PATH")
    return tmp_path


@pytest.mark.parametrize("graph", [DAG, PATTERN, Dag(["", "a"], [("", "a")])], ids=["dag", "pattern", "empty name"])
def test_cytoscape_reads_every_name_and_edge(cytoscape: Path, graph: Dag | Pdag) -> None:
    save(graph, cytoscape / "g.cyjs")
    names, edges = json.loads(run("node", "-e", READ, folder=cytoscape))
    assert tuple(names) == graph.names
    pattern = graph if isinstance(graph, Pdag) else Pdag.from_dag(graph)
    for kind in ("directed", "undirected", "bidirected"):
        assert tuple((a, b) for given, a, b in edges if given == kind) == getattr(pattern, kind)
    assert len(edges) == graph.n_edges
