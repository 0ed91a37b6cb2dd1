"""Model strings of R's bnlearn."""

from __future__ import annotations

import pytest

from arcwise.errors import GraphError
from arcwise.graph import Dag


def test_parents_come_first_and_are_sorted() -> None:
    dag = Dag(["C", "B", "A", "alone"], [("A", "C"), ("B", "C"), ("A", "B")])
    assert dag.to_modelstring() == "[A][B|A][C|A:B][alone]"
    assert Dag.from_modelstring("[A][B|A][C|A:B][alone]") == dag
    assert Dag.from_modelstring("[C|B:A][alone][B|A][A]") == dag
    assert Dag([]).to_modelstring() == ""
    assert Dag.from_modelstring("") == Dag([])


def test_the_published_string_of_asia() -> None:
    """As the data set `asia` of bnlearn has it."""
    asia = Dag.from_modelstring("[A][S][T|A][L|S][B|S][D|B:E][E|T:L][X|E]")
    assert asia.names == tuple("ASTLBDEX")
    assert asia.edges == tuple(map(tuple, ["AT", "BD", "ED", "EX", "LE", "SB", "SL", "TE"]))
    assert asia.to_modelstring() == "[A][S][B|S][L|S][T|A][E|L:T][D|B:E][X|E]"


def test_names_with_blanks_quotes_and_line_breaks_survive() -> None:
    dag = Dag([" a ", 'say "hi"', "line\nbreak\\", "größe 温"], [(" a ", 'say "hi"'), ("line\nbreak\\", " a ")])
    assert Dag.from_modelstring(dag.to_modelstring()) == dag
    assert Dag.from_modelstring(" [a]\n[b|a]\n") == Dag("ab", ["ab"])


@pytest.mark.parametrize("name", ["a[1]", "a]", "x|y", "a:b"])
def test_a_name_that_cannot_be_held_is_named(name: str) -> None:
    with pytest.raises(GraphError) as caught:
        Dag(["ok", name], [(name, "ok")]).to_modelstring()
    assert str(caught.value) == (
        f"node name {name!r} has one of the signs [ ] | :, which no model string can hold; rename the node, "
        "or save another format"
    )


def test_an_empty_name_cannot_be_held() -> None:
    with pytest.raises(GraphError, match="node name '' is empty"):
        Dag([""]).to_modelstring()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a", "character 1: cannot read 'a'"),
        ("[a][]", r"character 4: cannot read '\[\]'"),
        ("[a|]", "character 1"),
        ("[a][b|a:]", "character 4"),
        ("[a][b|a|c]", "character 4"),
        ("[a][b|a", "character 4"),
        ("[a][a]", "'a' is given twice"),
        ("[a][b|a:a]", "'a' -> 'b' is given twice"),
        ("[a][b|c]", "'c'"),
        ("[a|b][b|a]", "form a cycle"),
        ("[a|a]", "self loop"),
    ],
)
def test_strings_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        Dag.from_modelstring(text)
