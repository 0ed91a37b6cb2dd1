"""The files that the table of bad inputs names: tables, graphs, results, networks and knowledge, all damaged."""

from __future__ import annotations

import json
from typing import Any

GRAPH = {"format": "arcwise-graph-1", "type": "dag", "names": ["rain", "wet"], "edges": [["rain", "wet"]]}
PDAG = {**GRAPH, "type": "pdag", "directed": [], "undirected": [["rain", "wet"]], "bidirected": []}
NODE = {"name": "rain", "states": ["no", "yes"], "parents": [], "cpt": [0.5, 0.5]}
NETWORK = {"format": "discrete-bn-1", "nodes": [NODE]}
DEEP = "[" * 100_000 + "]" * 100_000
BIF = "variable a { type discrete [ 2 ] { x, y }; }\n"
TABLE = {"kind": "cpt", "child": "rain", "levels": ["no", "yes"], "ordered": False, "parents": []}
FITTED = {
    "format": "arcwise-fitted-network-2",
    "graph": {**GRAPH, "names": ["rain"], "edges": []},
    "models": [{**TABLE, "probabilities": [0.5, 0.5]}],
    "intervals": [],
    "warnings": [],
}


def weather() -> str:
    """A table in which `wet` follows `rain`, `warm` is a number and `sprinkler` stands apart."""
    rows = [
        f"{i % 3 == 0},{i % 3 == 0 or i % 7 == 0},{(i * 37 % 101) / 7 + 9 * (i % 3):.3f},{i % 2}" for i in range(120)
    ]
    return "\n".join(["rain,wet,warm,sprinkler", *rows]) + "\n"


def changed(content: dict[str, Any], **entries: Any) -> str:
    return json.dumps({**content, **entries})


def files() -> dict[str, str | bytes]:
    """Every file that a line may name."""
    parents = "".join(f"variable p{i} {{ type discrete [ 2 ] {{ x, y }}; }}\n" for i in range(28))
    roots = "".join(f"probability ( p{i} ) {{ table 0.5, 0.5; }}\n" for i in range(28))
    names = ", ".join(f"p{i}" for i in range(28))
    return {
        "weather.csv": weather(),
        "good.json": json.dumps(GRAPH),
        # tables
        "empty.csv": "",
        "blank.csv": "\n\n\n",
        "numbers.csv": "1,2\n3,4\n5,6\n",
        "header.csv": "a,b\n",
        "twice.csv": "a,a\n1,2\n2,3\n",
        "ragged.csv": "a,b\n1,2\n1,2,3\n",
        "gaps.csv": "a,b\n1,NaN\n2,3\n4,5\n",
        "infinite.csv": "a,b\n1.5,inf\n2.5,3.25\n4,5\n",
        "identifier.csv": "id,nr\n" + "".join(f"k{i},{i}\n" for i in range(40)),
        "word.csv": "a,b\n" + "".join(f"{i if i else 'x'},{i % 2}\n" for i in range(40)),
        "latin.csv": "größe,b\n1,2\n2,3\n".encode("latin-1"),
        "zeros.csv": b"\x00" * 300,
        "text.parquet": "no parquet",
        "text.arrow": "no arrow",
        "text.csv.gz": "no gzip",
        "weather.csw": weather(),
        "unnamed.csv": "a,\n1,2\n2,3\n3,4\n",
        "one_row.csv": "a,b\n1,2\n",
        # what is no JSON of ours
        "empty.json": "",
        "cut.json": json.dumps(GRAPH)[:40],
        "list.json": "[1]",
        "number.json": "3",
        "null.json": "null",
        "text.json": '"graph"',
        "words.json": "hello",
        "object.json": "{}",
        "deep.json": DEEP,
        "deep_entry.json": '{"format": ' + DEEP + "}",
        "digits.json": '{"format": ' + "1" * 5000 + "}",
        "doubled.json": '{"format": "arcwise-graph-1", "format": "arcwise-graph-1"}',
        "nan.json": '{"format": NaN}',
        "infinity.json": '{"format": "discrete-bn-1", "nodes": -Infinity}',
        "latin.json": '{"format": "größe"}'.encode("latin-1"),
        "zeros.json": b"\x00" * 40,
        "comma.json": '{"format": "arcwise-graph-1",}',
        "single.json": "{'format': 'arcwise-graph-1'}",
        "text.json.gz": "no gzip",
        # graphs
        "no_names.json": changed(GRAPH, names=None),
        "number_names.json": changed(GRAPH, names=[1, 2]),
        "twice_names.json": changed(GRAPH, names=["rain", "rain"]),
        "unknown_edge.json": changed(GRAPH, edges=[["rain", "snow"]]),
        "loop_edge.json": changed(GRAPH, edges=[["rain", "rain"]]),
        "long_edge.json": changed(GRAPH, edges=[["rain", "wet", "rain"]]),
        "text_edge.json": changed(GRAPH, edges=["rain"]),
        "dict_edges.json": changed(GRAPH, edges={"rain": "wet"}),
        "cycle.json": changed(GRAPH, edges=[["rain", "wet"], ["wet", "rain"]]),
        "tree.json": changed(GRAPH, type="tree"),
        "later.json": changed(GRAPH, format="arcwise-graph-9"),
        "number_format.json": changed(GRAPH, format=3),
        "two_edges.json": changed(PDAG, directed=[["rain", "wet"]]),
        "no_bidirected.json": changed(PDAG, bidirected=None),
        "cycle.dot": "digraph {a -> b; b -> a}",
        "open.dot": "digraph {a -> b",
        "subgraph.dot": "digraph { subgraph s { a } }",
        "port.dot": "digraph { a:n -> b }",
        "html.dot": "digraph { <b>a</b> -> b }",
        "dir.dot": "digraph { a -> b [dir=up] }",
        "empty.dot": "",
        "prose.dot": "once upon a time",
        "loop.dot": "digraph { a -> a }",
        "quote.dot": 'digraph { "a -> b }',
        "twice.dot": "digraph { a -> b; a -> b }",
        "empty.graphml": "",
        "prose.graphml": "once upon a time",
        "open.graphml": "<graphml><graph>",
        "two.graphml": "<graphml><graph/><graph/></graphml>",
        "none.graphml": "<graphml/>",
        "node.graphml": "<graphml><graph><node/></graph></graphml>",
        "edge.graphml": '<graphml><graph><node id="a"/><edge source="a" target="b"/></graph></graphml>',
        "hyper.graphml": "<graphml><graph><hyperedge/></graph></graphml>",
        "bomb.graphml": '<!DOCTYPE b [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><graphml><graph>&c;</graph></graphml>',
        "list.cyjs": "[]",
        "prose.cyjs": "once upon a time",
        "elements.cyjs": '{"elements": 3}',
        "node.cyjs": '{"elements": {"nodes": [{"data": {}}]}}',
        "edge.cyjs": '{"elements": {"nodes": [{"data": {"id": "a"}}], "edges": [{"data": {"source": "a"}}]}}',
        "script.R": "library(bnlearn)",
        "graph.txt": "a b",
        # results
        "result.json": '{"format": "arcwise-result-1"}',
        "later_result.json": '{"format": "arcwise-result-9"}',
        # networks
        "no_nodes.json": changed(NETWORK, nodes=None),
        "number_node.json": changed(NETWORK, nodes=[3]),
        "empty_nodes.json": changed(NETWORK, nodes=[]),
        "no_cpt.json": changed(NETWORK, nodes=[{**NODE, "cpt": None}]),
        "text_cpt.json": changed(NETWORK, nodes=[{**NODE, "cpt": ["0.5", "0.5"]}]),
        "long_cpt.json": changed(NETWORK, nodes=[{**NODE, "cpt": [0.5, 0.25, 0.25]}]),
        "sum_cpt.json": changed(NETWORK, nodes=[{**NODE, "cpt": [3, 4]}]),
        "low_cpt.json": changed(NETWORK, nodes=[{**NODE, "cpt": [0.1, 0.2]}]),
        "negative_cpt.json": changed(NETWORK, nodes=[{**NODE, "cpt": [1.5, -0.5]}]),
        "huge_cpt.json": changed(NETWORK, nodes=[{**NODE, "cpt": [10**400, 1]}]),
        "infinite_cpt.json": changed(NETWORK, nodes=[NODE]).replace("[0.5, 0.5]", "[1e999, 1]"),
        "bool_cpt.json": changed(NETWORK, nodes=[{**NODE, "cpt": [True, False]}]),
        "no_states.json": changed(NETWORK, nodes=[{**NODE, "states": []}]),
        "twice_states.json": changed(NETWORK, nodes=[{**NODE, "states": ["no", "no"]}]),
        "text_states.json": changed(NETWORK, nodes=[{**NODE, "states": "no"}]),
        "unknown_parent.json": changed(NETWORK, nodes=[{**NODE, "parents": ["snow"], "cpt": [0.5] * 4}]),
        "own_parent.json": changed(NETWORK, nodes=[{**NODE, "parents": ["rain"], "cpt": [0.5] * 4}]),
        "two_nodes.json": changed(NETWORK, nodes=[NODE, NODE]),
        "open.bif": "variable x {",
        "empty.bif": "",
        "prose.bif": "once upon a time",
        "no_block.bif": BIF,
        "sum.bif": BIF + "probability ( a ) { table 3, 4; }",
        "low.bif": BIF + "probability ( a ) { table 0.1, 0.2; }",
        "zero.bif": BIF + "probability ( a ) { table 0, 0; }",
        "negative.bif": BIF + "probability ( a ) { table 1.5, -0.5; }",
        "nan.bif": BIF + "probability ( a ) { table nan, 1; }",
        "infinite.bif": BIF + "probability ( a ) { table inf, 1; }",
        "power.bif": BIF + "probability ( a ) { table 1e999, 1; }",
        "short.bif": BIF + "probability ( a ) { table 1; }",
        "semicolon.bif": BIF + "probability ( a ) { table 0.5, 0.5 }",
        "unknown.bif": BIF + "probability ( b ) { table 0.5, 0.5; }",
        "twice.bif": BIF + BIF,
        "states.bif": "variable a { type discrete [ 3 ] { x, y }; }",
        "continuous.bif": "variable a { type continuous; }",
        "comment.bif": BIF + "/* open",
        "quote.bif": 'variable "open {',
        "bomb.bif": BIF + parents + roots + f"probability ( a | {names} ) {{ default 0.5, 0.5; }}",
        "latin.bif": "variable größe { }".encode("latin-1"),
        "text.bif.gz": "no gzip",
        # fitted networks
        "fitted_list.json": changed(FITTED, models=3),
        "fitted_none.json": changed(FITTED, models=[]),
        "fitted_kind.json": changed(FITTED, models=[{**TABLE, "kind": "gausian"}]),
        "fitted_kinds.json": changed(FITTED, models=[{**TABLE, "kind": ["cpt"]}]),
        "fitted_entry.json": changed(FITTED, models=[TABLE]),
        "fitted_text.json": changed(FITTED, models=[{**TABLE, "probabilities": "half"}]),
        "fitted_sum.json": changed(FITTED, models=[{**TABLE, "probabilities": [3, 4]}]),
        "fitted_child.json": changed(FITTED, models=[{**TABLE, "child": "snow", "probabilities": [0.5, 0.5]}]),
        "fitted_levels.json": changed(FITTED, models=[{**TABLE, "levels": {}, "probabilities": [0.5, 0.5]}]),
        "fitted_graph.json": changed(FITTED, graph=[]),
        "fitted_cuts.json": changed(FITTED, intervals=[{"column": "rain"}]),
        "fitted_warnings.json": changed(FITTED, warnings="none"),
        "fitted_old.json": changed(FITTED, format="arcwise-fitted-network-1"),
        # knowledge
        "prose.toml": "not toml",
        "number.toml": "required = 3",
        "needed.toml": 'needed = [["a", "b"]]',
        "half_edge.toml": 'required = ["rain"]',
        "pair.toml": 'required = [["rain"]]',
        "triple.toml": 'required = [["rain", "wet", "warm"]]',
        "numbers.toml": "required = [[1, 2]]",
        "tier.toml": 'tiers = ["rain"]',
        "tier_number.toml": "tiers = [[1]]",
        "deep.toml": "required = " + DEEP,
        "digits.toml": "required = " + "1" * 5000,
        "doubled.toml": "required = []\nrequired = []",
        "nan.toml": "required = [nan]",
        "date.toml": "required = [1979-05-27]",
        "itself.toml": 'forbidden = ["rain -> rain"]',
        "unknown.toml": 'forbidden = ["rain -> snow"]',
        "latin.toml": 'required = ["größe -> b"]'.encode("latin-1"),
        "k.yaml": "required: []",
        "knowledge_list.json": "[]",
        "knowledge_text.json": '{"required": "rain -> wet"}',
        "knowledge_null.json": '{"required": null}',
        "knowledge_nested.json": '{"required": [[["rain"], "wet"]]}',
        "knowledge_kind.json": '{"requird": []}',
        "knowledge_deep.json": '{"required": ' + DEEP + "}",
        "knowledge_twice.json": '{"tiers": [["rain"], ["rain"]]}',
        "knowledge_doubled.json": '{"tiers": [], "tiers": []}',
    }
