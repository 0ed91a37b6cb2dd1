"""Scripts for R, as text; tests/peer has R read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from arcwise.errors import FileError
from arcwise.graph import Dag, Pdag, load, save
from arcwise.graph.io import to_r


def code(script: str) -> list[str]:
    return [line for line in script.splitlines() if line and not line.startswith("#")]


def test_a_dag_is_a_model_string() -> None:
    assert code(to_r(Dag(["b", "a", "c"], [("a", "b"), ("b", "c"), ("a", "c")]))) == [
        "library(bnlearn)",
        "graph <- model2network(paste0(",
        '  "[a]",',
        '  "[b|a]",',
        '  "[c|a:b]"',
        "))",
    ]


def test_a_pattern_is_a_list_of_arcs_with_lines_in_both_directions() -> None:
    script = to_r(Pdag("abcd", ["ab"], ["bc"], ["cd"]))
    assert code(script) == [
        "library(bnlearn)",
        "graph <- empty.graph(c(",
        '  "a",',
        '  "b",',
        '  "c",',
        '  "d"',
        "))",
        "arcs(graph, check.cycles = FALSE) <- matrix(c(",
        '  "a", "b",',
        '  "b", "c",',
        '  "c", "b",',
        '  "c", "d",',
        '  "d", "c"',
        '), ncol = 2, byrow = TRUE, dimnames = list(NULL, c("from", "to")))',
    ]
    assert '# Evidence is in conflict, "c" <-> "d": an undirected edge here.' in script.splitlines()


def test_without_edges_no_arcs_are_set() -> None:
    assert not any("arcs(graph" in line for line in code(to_r(Pdag("ab"))))


def test_names_that_no_model_string_holds_go_through_arcs() -> None:
    lines = code(to_r(Dag(["a[1]", "b:c"], [("a[1]", "b:c")])))
    assert lines[1] == "graph <- empty.graph(c("
    assert "arcs(graph) <- matrix(c(" in lines
    assert '  "a[1]", "b:c"' in lines


def test_names_cannot_leave_their_string() -> None:
    names = ['"); system("x', "back\\", "line\nbreak\r# \t", "größe 温 😀", "\x1b\x7f\u202e\u2028"]
    script = to_r(Pdag(names, bidirected=[(names[0], names[2])]))
    assert script.isascii()
    assert code(script)[2:7] == [
        '  "\\"); system(\\"x",',
        '  "back\\\\",',
        '  "line\\nbreak\\r# \\t",',
        '  "gr\\u00f6\\u00dfe \\u6e29 \\U0001f600",',
        '  "\\u001b\\u007f\\u202e\\u2028"',
    ]


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (Dag([]), "no graph without nodes"),
        (Dag(["a", ""]), "node name '' is empty"),
        (Dag(["a\0"]), r"'\\x00' is no character"),
        (Pdag(["\ud800"]), r"'\\ud800' is no character"),
    ],
)
def test_what_r_cannot_hold_is_refused(tmp_path: Path, graph: Dag | Pdag, message: str) -> None:
    with pytest.raises(FileError, match=message):
        save(graph, tmp_path / "g.R")
    assert list(tmp_path.iterdir()) == []


def test_scripts_are_not_read(tmp_path: Path) -> None:
    save(Dag("ab"), tmp_path / "g.R")
    with pytest.raises(FileError, match=r"g\.R: scripts for R are written, not read; give the graph as \.json"):
        load(tmp_path / "g.R")
