from __future__ import annotations

from pathlib import Path

import networkx
import pytest

from arcwise.errors import FileError, GraphError
from arcwise.graph import Dag, Pdag, load, save
from arcwise.graph.io import from_dot, from_graphml, from_json, to_dot

NASTY = (
    *('say "hi"', "back\\slash\\", "a<b&c>", "line\nbreak\r\n", "\ttab ", "größe 温", "graph", "->", "", "n0", "\\n"),
    "&lt;b",
)
DAG = Dag(NASTY, [(NASTY[0], NASTY[1]), (NASTY[1], NASTY[2]), (NASTY[3], NASTY[6])])
PDAG = Pdag(
    NASTY,
    directed=[(NASTY[0], NASTY[1]), (NASTY[7], NASTY[8])],
    undirected=[(NASTY[2], NASTY[3]), (NASTY[9], NASTY[10])],
    bidirected=[(NASTY[4], NASTY[5])],
)


@pytest.mark.parametrize("suffix", [".json", ".dot", ".gv", ".graphml", ".cyjs", ".JSON"])
@pytest.mark.parametrize("graph", [DAG, PDAG, Dag("ab"), Pdag("ab", directed=["ab"]), Dag([])])
def test_round_trip(tmp_path: Path, graph: Dag | Pdag, suffix: str) -> None:
    path = tmp_path / f"graph{suffix}"
    save(graph, path)
    back = load(str(path))
    assert back == graph
    assert type(back) is type(graph)
    assert back.names == graph.names
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_simple_dot_file_of_another_program() -> None:
    text = """
    # made elsewhere
    strict digraph "G" { rankdir=LR; node [shape=box, color="red"];
      /* two
         lines */ a -> b -> c [color=blue; weight=2]
      d [label="Node d"]  // alone
      e -> 3.5 }
    """
    graph = from_dot(text)
    assert graph == Dag(["a", "b", "c", "d", "e", "3.5"], [("a", "b"), ("b", "c"), ("e", "3.5")])


def test_undirected_dot_and_default_directions() -> None:
    assert from_dot("graph { a -- b }") == Pdag("ab", undirected=["ab"])
    assert from_dot("digraph { edge [dir=none]; a -> b; b -> c [dir=back] }") == Pdag("abc", ["cb"], ["ab"])
    assert from_dot("digraph { a -> b [dir=both] }") == Pdag("ab", bidirected=["ab"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("digraph {\n a -> ;\n}", "line 2: found ';' where DOT needs 'a name'"),
        ("digraph {\n\n subgraph x { a }\n}", "line 3: DOT subgraphs"),
        ("digraph {\n a:port -> b }", "line 2: DOT ports"),
        ("digraph {\n a -> b [dir=up] }", "line 2: edge attribute dir='up'"),
        ("digraph {\n a -> <b> }", "line 2: cannot read '<b> }'"),
        ("a -> b", "line 1: found 'a' where DOT needs 'digraph'"),
        ("digraph { a -> b", "found 'end of file'"),
        ("digraph { } more", "found 'more' where DOT needs 'end of file'"),
        ('digraph { graph [comment="arcwise tree"]; }', "graph type 'tree' is unknown"),
        ('digraph { graph [comment="arcwise dag"]; a -> b [dir=none] }', "declared a dag"),
    ],
)
def test_dot_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(FileError) as caught:
        from_dot(text)
    assert message in str(caught.value)


def test_graphml_is_read_by_networkx(tmp_path: Path) -> None:
    path = tmp_path / "g.graphml"
    save(Pdag("abc", ["ab"]), path)
    graph = networkx.read_graphml(path)
    assert [data["name"] for _, data in graph.nodes(data=True)] == ["a", "b", "c"]
    assert list(graph.edges(data="kind")) == [("n0", "n1", "directed")]


def test_graphml_of_networkx_is_read(tmp_path: Path) -> None:
    dag = Dag(["a b", "c"], [("a b", "c")])
    networkx.write_graphml(dag.to_networkx(), tmp_path / "g.graphml")
    assert load(tmp_path / "g.graphml") == dag
    plain = networkx.Graph([("x", "y")])
    assert from_graphml("\n".join(networkx.generate_graphml(plain))) == Pdag("xy", undirected=["xy"])


MIXED = Pdag("abcdef", ["ab", "cb"], ["cd", "de"], ["ef"])


def test_graphml_of_a_pattern_is_read_by_networkx(tmp_path: Path) -> None:
    """Edges without a direction stand there both ways; networkx refuses files with both kinds."""
    path = tmp_path / "g.graphml"
    save(MIXED, path)
    graph = networkx.read_graphml(path)
    renamed = networkx.relabel_nodes(graph, networkx.get_node_attributes(graph, "name"))
    assert dict(renamed.edges) == dict(MIXED.to_networkx().edges)
    assert renamed.is_directed()
    assert load(path) == MIXED


def test_graphml_of_a_pattern_comes_back_from_networkx(tmp_path: Path) -> None:
    networkx.write_graphml(MIXED.to_networkx(), tmp_path / "g.graphml")
    assert load(tmp_path / "g.graphml") == MIXED


def test_graphml_keeps_a_pattern_that_happens_to_be_directed(tmp_path: Path) -> None:
    pattern = Pdag("abc", ["ab", "cb"])
    save(pattern, tmp_path / "g.graphml")
    assert load(tmp_path / "g.graphml") == pattern
    assert isinstance(load(tmp_path / "g.graphml"), Pdag)


def test_graphml_with_an_edge_given_twice_is_refused() -> None:
    nodes = "<node id='a'/><node id='b'/>"
    twice = "<edge source='a' target='b'/><edge source='b' target='a'/>"
    with pytest.raises(GraphError):
        from_graphml(f"<graphml><graph edgedefault='directed'>{nodes}{twice}</graph></graphml>")
    both = from_graphml(f"<graphml><graph edgedefault='undirected'>{nodes}{twice}</graph></graphml>")
    assert both == Pdag("ab", undirected=["ab"])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("<graph><node id='a'/><node id='a'/></graph>", "node id 'a' is missing or given twice"),
        ("<graph><node id='a'/><edge source='a' target='b'/></graph>", "ends at 'b'"),
        ("<graph><node id='a'><graph/></node></graph>", "nested graphs"),
        ("<graph><hyperedge/></graph>", "hyperedges"),
        ("", "0 GraphML graphs"),
        ("<graph>", "line 1: no XML"),
        (
            "<key id='k' attr.name='kind'/><graph><node id='a'/><node id='b'/>"
            "<edge source='a' target='b'><data key='k'>odd</data></edge></graph>",
            "edge kind 'odd'",
        ),
    ],
)
def test_graphml_that_cannot_be_read(body: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        from_graphml(f"<graphml>{body}</graphml>")


def test_a_name_that_xml_cannot_hold_is_refused_before_writing(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"'a\\x00'.*save as .json"):
        save(Dag(["a\x00"]), tmp_path / "g.graphml")
    assert list(tmp_path.iterdir()) == []
    save(Dag(["a\x00"]), tmp_path / "g.json")
    assert load(tmp_path / "g.json") == Dag(["a\x00"])


@pytest.mark.parametrize(
    ("text", "message"), [("[1]", "holds a list"), ("{", "line 1: not JSON"), ("{}", "format is None")]
)
def test_json_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "g.json"
    path.write_text(text)
    with pytest.raises(FileError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)


def test_a_cycle_in_a_file_names_file_and_cycle(tmp_path: Path) -> None:
    path = tmp_path / "g.dot"
    path.write_text("digraph { a -> b -> a }")
    with pytest.raises(FileError, match=r"g\.dot.*a -> b -> a"):
        load(path)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No such file"):
        load(tmp_path / "none.json")
    with pytest.raises(FileError, match="cannot write"):
        save(DAG, tmp_path / "no" / "folder.json")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot write"):
        save(DAG, tmp_path / "file" / "g.json")
    with pytest.raises(FileError, match=r"unknown suffix '\.txt'; use \.json"):
        save(DAG, tmp_path / "g.txt")
    (tmp_path / "latin.dot").write_bytes('digraph { "\xe4" }'.encode("latin-1"))
    with pytest.raises(FileError, match="not UTF-8"):
        load(tmp_path / "latin.dot")


def test_lone_surrogates_are_refused_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is no character"):
        save(Dag(["\ud800"]), tmp_path / "g.dot")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "g.json"
    save(Dag("ab"), path)

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full_disk)
    with pytest.raises(FileError, match="No space left"):
        save(DAG, path)
    assert load(path) == Dag("ab")
    assert [file.name for file in tmp_path.iterdir()] == ["g.json"]


def test_dot_quotes_every_name() -> None:
    assert to_dot(Dag(['a"b', "c"], [('a"b', "c")])) == (
        'digraph {\n  graph [comment="arcwise dag"];\n  "a\\"b";\n  "c";\n  "a\\"b" -> "c";\n}\n'
    )
    assert from_json('{"format": "arcwise-graph-1", "type": "dag", "names": ["a"], "edges": []}') == Dag("a")
