from __future__ import annotations

from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import numpy as np
import pytest

from arcwise.errors import FileError
from arcwise.networks import BayesianNetwork, load, names, read_bif, write_bif
from arcwise.networks.bif_text import STATE, safe_nodes, safe_states

VARIABLES = """\
network "two words" { property author = "x; {y} // z"; property site = http://example.org/a; }
variable a { type discrete [ 2 ] { x, y }; }
variable b { type discrete [ 3 ] { <5, 5-12, Asy/Patch }; }
variable c { type discrete [ 2 ] { no, yes }; }
"""
ROOTS = "probability ( a ) { table 0.2, 0.8; }\nprobability ( b ) { table 0.1, 0.2, 0.7; }\n"


def parse(tmp_path: Path, text: str) -> BayesianNetwork:
    path = tmp_path / "net.bif"
    path.write_text(text, encoding="utf-8")
    return read_bif(path)


def test_rows_are_read_by_label_in_any_order(tmp_path: Path) -> None:
    """First parent fastest, as public files list them: reading by position would mix the rows up."""
    rows = """probability ( c | a, b ) {
      (x, <5) 0.01, 0.99;        (y, <5) 0.04, 0.96;
      (x, 5-12) 0.02, 0.98;      (y, 5-12) 0.05, 0.95;
      (y, Asy/Patch) 0.06, 0.94; (x, Asy/Patch) 0.03, 0.97;
    }"""
    net = parse(tmp_path, VARIABLES + ROOTS + rows)
    assert net.title == "two words"
    assert net.names == ("a", "b", "c")
    assert net.states[1] == ("<5", "5-12", "Asy/Patch")
    assert net.parents == ((), (), ("a", "b"))
    np.testing.assert_allclose(net.cpt("c")[..., 0], [[0.01, 0.02, 0.03], [0.04, 0.05, 0.06]])


def test_table_of_a_node_with_parents_runs_over_its_own_states_slowest(tmp_path: Path) -> None:
    table = "probability ( c | a, b ) { table 0.1 0.2 0.3 0.4 0.5 0.6  0.9 0.8 0.7 0.6 0.5 0.4; }"
    cpt = parse(tmp_path, VARIABLES + ROOTS + table).cpt("c")
    np.testing.assert_allclose(cpt[..., 0], [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])


def test_default_fills_the_rows_that_are_not_listed(tmp_path: Path) -> None:
    rows = "probability ( c | a, b ) { (y, 5-12) 0.5, 0.5; default 0.9, 0.1; (x, <5) 0, 1; }"
    cpt = parse(tmp_path, VARIABLES + ROOTS + rows).cpt("c")
    np.testing.assert_allclose(cpt[..., 0], [[0.0, 0.9, 0.9], [0.9, 0.5, 0.9]])


def test_comments_properties_blank_space_quotes_and_old_heads(tmp_path: Path) -> None:
    net = parse(
        tmp_path,
        """// a comment with { and "
/* and one over
   lines ; } */
probability("c" "a", b){property p = 1;default
.25e0	7.5E-1;/* } */}  // blocks may precede the variables they mention
network{}
variable"c"{property position = (1, 2);type discrete[2]{"no" "yes"};property q;}
variable a { type discrete [2] { x // first
, /* second: */ y } ; }
variable b { type discrete [ 1 ] { "a \\"quoted\\" {state}; \\\\ // no comment" }; }
probability(a){table .25/* one */ 0.75 // three
;}
probability ( b ) { (  ) 1; }
""",
    )
    assert net.title == ""
    assert net.names == ("c", "a", "b")
    assert net.states == (("no", "yes"), ("x", "y"), ('a "quoted" {state}; \\ // no comment',))
    assert net.parents == (("a", "b"), (), ())
    assert net.cpt("a").tolist() == [0.25, 0.75]
    assert net.cpt("c").tolist() == [[[0.25, 0.75]], [[0.25, 0.75]]]


def test_windows_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "net.bif"
    text = (VARIABLES + ROOTS + "probability ( c ) { table 0.5, 0.5; }\n").replace("\n", "\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert read_bif(path).cpt("c").tolist() == [0.5, 0.5]


C = "probability ( c | a ) { (x) 0.5, 0.5; (y) 0.5, 0.5; }\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("graph g { }", 1, "unknown block 'graph'"),
        (VARIABLES + "variable a { type discrete [ 1 ] { x }; }", 5, "'a' is declared twice"),
        ("network n { }\nvariable a { type continuous; }", 2, "type 'continuous'; only discrete"),
        ("\nvariable a { type discrete [ 3 ] { x, y }; }", 2, "announces 3 states but lists 2"),
        ("variable a { type discrete [ 2 ] { x, x }; }", 1, "a state twice"),
        ("variable a { }", 1, "'a' has no type"),
        ("variable a { kind discrete; }", 1, "'kind' where one 'type' should be"),
        ("variable a {\n type discrete [ 1 ] { x }\n}", 3, "expected ';' but found '}'"),
        ("variable { }", 1, "expected a variable's name but found '{'"),
        (VARIABLES + ROOTS + C + C, 8, "two probability blocks"),
        (VARIABLES + ROOTS + "probability ( c | A ) { default 1, 1; }", 7, "unknown variable 'A'"),
        (VARIABLES + ROOTS + "probability ( c | a, a ) { default 1, 1; }", 7, "names a variable twice"),
        (VARIABLES + ROOTS + "probability ( c | a ) {\n(x) 1, 1; }", 7, "'c' has no row given a='y'"),
        (VARIABLES + ROOTS + "probability ( c | a ) {\n(x) 1, 1;\n(z) 1, 1; }", 9, "unknown state of 'a' 'z'"),
        (VARIABLES + ROOTS + "probability ( c | a ) {\n(x) 1, 1;\n(x) 1, 1; }", 9, "this entry twice"),
        (VARIABLES + ROOTS + "probability ( c | a ) {\n(x) 1, 1;\ntable 1, 1, 1, 1; }", 9, "this entry twice"),
        (VARIABLES + ROOTS + "probability ( c ) {\n default 1, 1;\n default 1, 1; }", 9, "this entry twice"),
        (VARIABLES + ROOTS + "probability ( c | a ) {\n(x, y) 1, 1; }", 8, "2 states for 1 parents"),
        (VARIABLES + ROOTS + "probability ( c | a ) {\n(x) 1, 1, 1; }", 8, "3 numbers instead of 2"),
        (VARIABLES + ROOTS + "probability ( c ) {\ntable 0.5; }", 8, "1 numbers instead of 2"),
        (VARIABLES + ROOTS + "probability ( c ) {\n\ntable 0.5, half; }", 9, "'half', which is no probability"),
        (VARIABLES + ROOTS + "probability ( c ) { table 1.5, -0.5; }", 7, "'-0.5', which is no probability"),
        (VARIABLES + ROOTS + "probability ( c ) { table nan, 1; }", 7, "'nan', which is no probability"),
        (VARIABLES + ROOTS + "probability ( c ) { table 1e999, 1; }", 7, "'1e999', which is no probability"),
        (VARIABLES + ROOTS + "probability ( c ) { table 1_0, 1; }", 7, "'1_0', which is no probability"),
        (VARIABLES + ROOTS + "probability ( c ) { table 0, 0.0; }", 7, "(0, 0), sum to 0 and not to 1"),
        (
            VARIABLES + ROOTS + "probability ( c | a ) { table 0, 1, 0, 1; }",
            7,
            "'c' given a='x', (0, 0), sum to 0",
        ),
        (VARIABLES + ROOTS + "probability ( c ) { rows 1, 1; }", 7, "but found 'rows'"),
        (VARIABLES + ROOTS + "probability ( c ) { table 1, 1 }", 7, "without ';'"),
        (VARIABLES + ROOTS + "probability ( c ) { table 1, 1;", 7, "the file ends"),
        (VARIABLES + "variable d { property never ends }", 5, "property has no ';'"),
        ("network n { }\n\n/* open", 3, "a comment starts here and never ends"),
        ('network n { }\nvariable "open {', 2, "a quotation starts here and never ends"),
        ("network n {", 1, "the file ends"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(FileError) as caught:
        parse(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'net.bif'}, line {line}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("row", "accepted"),
    [
        ("0.5, 0.5", True),
        ("0.33, 0.33, 0.33", True),  # a third in two digits
        ("0.3 0.3 0.3", True),
        ("0.3333 0.3333 0.3333", True),
        ("0.995 0.005001", True),
        ("1.00, 0.01", True),
        ("3.33333e-01, 6.66666e-01", True),
        ("1.23456e-12, 0.999999", True),  # six digits in all
        ("0.333333343267, 0.666666686535", True),  # single precision
        ("0.1, 0.2", False),
        ("3, 4", False),
        ("1, 1", False),
        ("0.3333, 0.3333", False),
        ("0.50, 0.60", False),
        ("0.900, 0.090", False),
        ("0.5, 0.5, 0.5", False),
        ("1e300, 1e300", False),
        ("0.00, 0.00", False),
    ],
)
def test_rows_sum_to_1_but_for_what_few_digits_explain(tmp_path: Path, row: str, accepted: bool) -> None:
    n = len(row.replace(",", " ").split())
    states = ", ".join(f"s{i}" for i in range(n))
    text = f"variable a {{ type discrete [ {n} ] {{ {states} }}; }}\n\nprobability ( a ) {{ table {row}; }}"
    if accepted:
        assert parse(tmp_path, text).cpt("a").sum() == pytest.approx(1, abs=1e-15)
    else:
        with pytest.raises(FileError, match=r"net\.bif, line 3: the probabilities of node 'a', .* sum to .* not to 1"):
            parse(tmp_path, text)


def many_parents(n: int, rows: str) -> str:
    names = [f"p{i}" for i in range(n)]
    lines = [f"variable {name} {{ type discrete [ 2 ] {{ x, y }}; }}" for name in ("c", *names)]
    lines += [f"probability ( {name} ) {{ table 0.5, 0.5; }}" for name in names]
    return "\n".join([*lines, f"probability ( c | {', '.join(names)} ) {{ {rows} }}"])


def test_a_small_file_of_a_huge_table_is_refused_before_there_is_one(tmp_path: Path) -> None:
    assert parse(tmp_path, many_parents(12, "default 0.9, 0.1;")).cpt("c").size == 2**13
    before = getrusage(RUSAGE_SELF).ru_maxrss
    with pytest.raises(FileError, match=r"'c' make a table of 536,870,912 probabilities \(4\.3 GB\)"):
        parse(tmp_path, many_parents(28, "default 0.9, 0.1;"))
    with pytest.raises(FileError, match="'c' has 70 parents; at most 60"):
        parse(tmp_path, many_parents(70, "default 0.9, 0.1;"))
    with pytest.raises(FileError, match="4 numbers instead of 536,870,912"):
        parse(tmp_path, many_parents(28, "table 0.9, 0.1, 0.2, 0.8;"))
    assert getrusage(RUSAGE_SELF).ru_maxrss - before < 200_000  # KiB


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (VARIABLES + ROOTS, "variable 'c' has no probability block"),
        ("", "at least one node"),
        (
            "variable a { type discrete [ 1 ] { x }; }\nvariable b { type discrete [ 1 ] { x }; }\n"
            "probability ( a | b ) { (x) 1; } probability ( b | a ) { (x) 1; }",
            "cycle",
        ),
    ],
)
def test_errors_about_the_whole_name_the_file(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileError, match=rf"net\.bif: .*{message}"):
        parse(tmp_path, text)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"nowhere\.bif"):
        read_bif(tmp_path / "nowhere.bif")
    (tmp_path / "latin.bif").write_bytes(b"variable \xe5 { }")
    with pytest.raises(FileError, match=r"latin\.bif is not UTF-8 text"):
        read_bif(tmp_path / "latin.bif")
    (tmp_path / "plain.bif.gz").write_text("variable a")
    with pytest.raises(FileError, match=r"plain\.bif\.gz"):
        read_bif(tmp_path / "plain.bif.gz")


@pytest.mark.parametrize("name", names())
def test_bundled_networks_round_trip(tmp_path: Path, name: str) -> None:
    net = load(name)
    path = tmp_path / ("net.bif.gz" if name == "mildew" else "net.bif")
    write_bif(net, path)
    back = read_bif(path)
    assert back == net
    assert back.title == net.title
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_written_text(tmp_path: Path) -> None:
    net = BayesianNetwork(
        names=("fog", "a b"),
        states=(("<5", "12+"), ("table", 'say "hi"')),
        parents=((), ("fog",)),
        cpts=(np.array([0.1, 0.9]), np.array([[1 / 3, 2 / 3], [1.0, 0.0]])),
    )
    write_bif(net, tmp_path / "net.bif")
    assert (tmp_path / "net.bif").read_text() == (
        '// arcwise {"node": "fog", "name": "fog", "states": {"lt_5": "<5", "_12_plus": "12+"}}\n'
        '// arcwise {"node": "a_b", "name": "a b", "states": {"table_2": "table", "say_hi": "say \\"hi\\""}}\n'
        "network unknown {\n}\n"
        "variable fog {\n  type discrete [ 2 ] { lt_5, _12_plus };\n}\n"
        "variable a_b {\n  type discrete [ 2 ] { table_2, say_hi };\n}\n"
        "probability ( fog ) {\n  table 0.1, 0.9;\n}\n"
        "probability ( a_b | fog ) {\n"
        "  (lt_5) 0.3333333333333333, 0.6666666666666666;\n  (_12_plus) 1.0, 0.0;\n}\n"
    )


def test_names_that_are_safe_stay(tmp_path: Path) -> None:
    net = load("child")
    write_bif(net, tmp_path / "net.bif")
    text = (tmp_path / "net.bif").read_text()
    assert all(f"variable {name} {{" in text for name in net.names)
    assert text.count("// arcwise") == sum(any(not STATE.fullmatch(x) for x in own) for own in net.states)


@pytest.mark.parametrize(
    ("names", "nodes", "states"),
    [
        (["a b", "a_b", "a-b"], ["a_b_2", "a_b", "a_b_3"], ["a_b_2", "a_b", "a-b"]),
        (["A", "a"], ["A", "a_2"], ["A", "a_2"]),  # pgmpy does not tell them apart
        (["Größe (cm)", "Länge", "体重", "", " "], ["Gro_e_cm", "Lange", "node", "node_2", "node_3"], None),
        (["1", "-1", "0.5", "-0.5", "1e5", "+3"], None, ["1", "-1", "_0.5", "_-0.5", "_1e5", "plus_3"]),
        (["< 5.5", "5.5 to 7", ">= 7"], ["lt_5_5", "_5_5_to_7", "ge_7"], ["lt_5.5", "_5.5_to_7", "ge_7"]),
        (["table", "Network", "type", "x"], ["table_2", "Network_2", "type_2", "x"], None),
        (["a\nb", 'q"', "{", "}", ",", ";"], ["a_b", "q", "node", "node_2", "node_3", "node_4"], None),
    ],
)
def test_names_as_they_are_written(names: list[str], nodes: list[str] | None, states: list[str] | None) -> None:
    assert nodes is None or safe_nodes(names) == nodes
    assert states is None or safe_states(names) == states


def test_damaged_comments_are_named(tmp_path: Path) -> None:
    text = VARIABLES + ROOTS + "probability ( c ) { table 0.5, 0.5; }\n"
    deep = '{"a":' * 5000 + "0" + "}" * 5000
    for damage in ('{"node": "a"}', '{"node": "a", "name": "x", "states": 3}', "{odd}", deep, '{"network": [1]}'):
        with pytest.raises(FileError, match=r"line 1: the comment with original names is damaged; remove it"):
            parse(tmp_path, f"// arcwise {damage}\n{text}")
    other = parse(tmp_path, f'// arcwise {{"node": "gone", "name": "x", "states": {{}}}}\n{text}')
    assert other == parse(tmp_path, text)  # a node that somebody has removed from the file


def test_titles(tmp_path: Path) -> None:
    for title in ("", "plain", "two words", "unknown", "my probability", "network", "Ü"):
        net = BayesianNetwork(("a",), (("x", "y"),), ((),), (np.array([0.5, 0.5]),), title)
        write_bif(net, tmp_path / "net.bif")
        assert read_bif(tmp_path / "net.bif").title == title


def test_a_name_that_no_text_can_hold_survives(tmp_path: Path) -> None:
    net = load("child").renamed({"Age": "\ud800"})
    write_bif(net, tmp_path / "net.bif")
    assert read_bif(tmp_path / "net.bif") == net
