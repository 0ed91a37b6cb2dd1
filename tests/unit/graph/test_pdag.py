from __future__ import annotations

import pickle

import numpy as np
import pytest

from arcwise.errors import GraphError
from arcwise.graph import Dag, Pdag
from arcwise.graph.equivalence import v_structures
from arcwise.graph.pdag import chosen_directions, chosen_words

MIXED = Pdag("dcbae", directed=["ab", "cb"], undirected=["dc"], bidirected=["ea"])


def test_attributes() -> None:
    assert MIXED.directed == (("a", "b"), ("c", "b"))
    assert MIXED.undirected == (("c", "d"),)
    assert MIXED.bidirected == (("a", "e"),)
    assert MIXED.skeleton == (("a", "b"), ("a", "e"), ("b", "c"), ("c", "d"))
    assert (MIXED.n_nodes, MIXED.n_edges) == (5, 4)
    assert MIXED.undirected_matrix[0, 1]
    assert MIXED.undirected_matrix[1, 0]
    assert MIXED.parents("b") == ("a", "c")
    assert MIXED.children("c") == ("b",)
    assert MIXED.neighbors("c") == ("d",)
    assert MIXED.neighbors("a") == ()
    assert MIXED.adjacent("e", "a")
    assert MIXED.adjacent("b", "a")
    assert not MIXED.adjacent("a", "c")


@pytest.mark.parametrize(
    "edges",
    [
        {"directed": ["ab", "ba"]},
        {"directed": ["ab"], "undirected": ["ba"]},
        {"undirected": ["ab"], "bidirected": ["ab"]},
        {"undirected": ["ab", "ba"]},
        {"directed": ["ab", "ab"]},
    ],
)
def test_two_edges_between_a_pair_are_refused(edges: dict[str, list[str]]) -> None:
    with pytest.raises(GraphError, match="joined by two edges"):
        Pdag("ab", **edges)


def test_matrices_are_checked() -> None:
    one_way, both_ways, none = [[0, 1], [0, 0]], [[0, 1], [1, 0]], [[0, 0], [0, 0]]
    with pytest.raises(GraphError, match="undirected matrix joins 'a' to 'b' one way"):
        Pdag.from_matrices("ab", none, one_way)
    for trio in ((both_ways, none, none), (one_way, both_ways, none), (none, both_ways, both_ways)):
        with pytest.raises(GraphError, match="joined by two edges"):
            Pdag.from_matrices("ab", *trio)
    assert Pdag.from_matrices("ab", one_way).directed == (("a", "b"),)
    assert Pdag.from_matrices("ab", none, bidirected=both_ways).bidirected == (("a", "b"),)


def test_is_dag() -> None:
    assert Pdag.from_dag(Dag("abc", ["ab", "bc"])).is_dag
    assert not Pdag("abc", ["ab", "bc", "ca"]).is_dag
    assert not Pdag("ab", undirected=["ab"]).is_dag
    assert not Pdag("ab", bidirected=["ab"]).is_dag


def test_extension_keeps_arrows_and_runs_free_edges_by_name() -> None:
    chain = Pdag(["c", "b", "a"], undirected=["ab", "bc"])
    assert chain.extension() == Dag("abc", ["ab", "bc"])
    assert chain.extension().names == ("c", "b", "a")
    assert Pdag("abc", ["cb"], ["ab"]).extension() == Dag("abc", ["cb", "ba"])


@pytest.mark.parametrize(
    ("pdag", "message"),
    [
        (Pdag("ab", bidirected=["ba"]), "bidirected edge a <-> b"),
        (Pdag("abc", ["ab", "bc", "ca"]), "cycle a -> b -> c -> a"),
        (Pdag("abcde", ["ea"], undirected=["ab", "bc", "cd", "ad"]), "undirected edge a -- b"),
    ],
)
def test_the_trouble_is_named_when_no_extension_exists(pdag: Pdag, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        pdag.extension()
    dag, consistent = pdag.best_effort_extension()
    assert not consistent
    assert Pdag.from_dag(dag).skeleton == pdag.skeleton


def test_best_effort_keeps_arrows_outside_cycles() -> None:
    square = Pdag("abcde", directed=["ae"], undirected=["ab", "bc", "cd", "da"])
    dag, consistent = square.best_effort_extension()
    assert not consistent
    assert ("a", "e") in dag.edges
    cyclic, _ = Pdag("abcx", ["ab", "bc", "ca", "cx"]).best_effort_extension()
    assert ("c", "x") in cyclic.edges
    assert len({("a", "b"), ("b", "c"), ("c", "a")} & set(cyclic.edges)) == 2


@pytest.mark.parametrize("n", [4, 5, 6, 9])
def test_a_ring_without_chords_gets_one_collider(n: int) -> None:
    """No DAG has the skeleton of a ring and no collider."""
    names = [f"v{i}" for i in range(n)]
    ring = Pdag(names, undirected=[(names[i], names[(i + 1) % n]) for i in range(n)])
    dag, consistent = ring.best_effort_extension()
    assert not consistent
    assert len(v_structures(dag.adjacency)) == 1


def test_arrows_that_lead_to_a_cycle_or_away_from_it_stay() -> None:
    """The names tempt to turn z -> a: z has as few children as the nodes of the cycle, and comes last."""
    dag, _ = Pdag("abcdz", ["za", "ab", "bc", "ca", "cd"]).best_effort_extension()
    assert {("z", "a"), ("c", "d")} <= set(dag.edges)
    assert len({("a", "b"), ("b", "c"), ("c", "a")} & set(dag.edges)) == 2


def test_an_arrow_that_closes_many_cycles_is_the_one_that_is_turned() -> None:
    dag, _ = Pdag("pqabcd", ["pq", "qa", "qb", "qc", "qd", "ap", "bp", "cp", "dp"]).best_effort_extension()
    assert dag.edges == Dag("pqabcd", ["qp", "qa", "qb", "qc", "qd", "ap", "bp", "cp", "dp"]).edges


def test_what_was_chosen_is_told_with_the_reason() -> None:
    pattern = Pdag("abcdefg", ["ab", "bc", "ca", "gf"], undirected=["cd"], bidirected=["de", "ef"])
    dag = Dag("abcdefg", ["ba", "bc", "ca", "gf", "cd", "de", "fe"])
    assert chosen_directions(pattern, dag) == (("b", "a"), ("c", "d"), ("d", "e"), ("f", "e"))
    assert chosen_words(pattern, dag) == (
        "directions chosen by convention: d -> e, f -> e (conflicting evidence); c -> d (fits either direction); "
        "b -> a (turned round: on a cycle)"
    )
    assert chosen_words(Pdag.from_dag(dag), dag) == ""


def test_best_effort_is_consistent_where_an_extension_exists() -> None:
    pattern = Dag("abcd", ["ab", "cb", "bd"]).cpdag()
    assert pattern.best_effort_extension() == (pattern.extension(), True)


def test_cpdag_is_that_of_the_extension() -> None:
    assert Pdag("abc", ["ab"], ["bc"]).cpdag() == Pdag("abc", undirected=["ab", "bc"])
    assert Pdag("abc", ["ab", "cb"]).cpdag() == Pdag("abc", ["ab", "cb"])


def test_equality_text_and_pickle() -> None:
    shuffled = MIXED.reordered("abcde")
    assert shuffled == MIXED
    assert hash(shuffled) == hash(MIXED)
    assert Pdag("abcde") != MIXED
    assert repr(MIXED) == "Pdag(5 nodes, 4 edges: a -> b, c -> b, c -- d, a <-> e)"
    back = pickle.loads(pickle.dumps(MIXED))
    assert back == MIXED
    with pytest.raises(ValueError, match="read-only"):
        back.directed_matrix[0, 0] = True


def test_dictionary_round_trip() -> None:
    assert Pdag.from_dict(MIXED.to_dict()) == MIXED
    with pytest.raises(GraphError, match="type is 'pdag' but must be 'dag'"):
        Dag.from_dict(MIXED.to_dict())


def test_networkx_tells_the_kind_of_every_edge() -> None:
    graph = MIXED.to_networkx()
    assert {(a, b): kind for a, b, kind in graph.edges(data="kind")} == {
        ("a", "b"): "directed",
        ("c", "b"): "directed",
        ("c", "d"): "undirected",
        ("d", "c"): "undirected",
        ("a", "e"): "bidirected",
        ("e", "a"): "bidirected",
    }


def test_the_choice_of_an_extension_does_not_depend_on_column_order() -> None:
    rng = np.random.default_rng(3)
    names = [f"v{i}" for i in range(9)]
    lines = np.triu(rng.random((9, 9)) < 0.3, k=1)
    pdag = Pdag.from_matrices(names, np.zeros((9, 9)), lines | lines.T)
    expected = pdag.best_effort_extension()
    for _ in range(5):
        assert pdag.reordered(rng.permutation(names).tolist()).best_effort_extension() == expected
