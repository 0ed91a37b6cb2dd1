from __future__ import annotations

import math

import numpy as np
import pytest

from arcwise.errors import GraphError, OptionError
from arcwise.graph import Dag, Pdag
from arcwise.metrics import edge_errors, orientation_errors, shd, skeleton_errors

EMPTY = Dag("ABC")
COLLIDER = Dag("ABC", ["AC", "BC"])
CHAIN = Dag("ABC", ["AB", "BC"])


def both(learned: Dag | Pdag, true: Dag | Pdag) -> tuple[int, int]:
    return shd(learned, true), shd(learned, true, convention="fu")


@pytest.mark.parametrize(
    ("learned", "true", "expected"),
    [
        (EMPTY, COLLIDER, (2, 4)),
        (COLLIDER, EMPTY, (2, 4)),
        (EMPTY, CHAIN, (2, 2)),  # the chain's CPDAG is undirected
        (Dag("ABC", ["AB", "CB"]), CHAIN, (2, 2)),
        (Dag("ABC", ["BA", "BC"]), CHAIN, (0, 0)),
        (Dag("ABC", ["CB", "BA"]), CHAIN, (0, 0)),
        # a bidirected edge is a state of its own, and counts as directed when it is extra or missing
        (Pdag("AB", bidirected=["AB"]), Pdag("AB"), (1, 2)),
        (Pdag("AB", bidirected=["AB"]), Pdag("AB", ["AB"]), (1, 1)),
        (Pdag("AB", bidirected=["AB"]), Pdag("AB", undirected=["AB"]), (1, 1)),
        (Pdag("AB", bidirected=["AB"]), Pdag("AB", bidirected=["AB"]), (0, 0)),
        (Pdag("AB", ["AB"]), Pdag("AB", ["BA"]), (1, 1)),
        # a Pdag is taken as it is: A -> B is not the class of A -> B
        (Pdag("AB", ["AB"]), Dag("AB", ["AB"]), (1, 1)),
    ],
)
def test_known_distances(learned: Dag | Pdag, true: Dag | Pdag, expected: tuple[int, int]) -> None:
    assert both(learned, true) == expected


def test_the_order_of_names_does_not_matter() -> None:
    assert shd(COLLIDER.reordered("CAB"), COLLIDER) == 0
    assert shd(Dag("CBA", ["AB"]), COLLIDER.reordered("BCA")) == shd(Dag("ABC", ["AB"]), COLLIDER) == 3


def test_an_unknown_convention_is_refused() -> None:
    with pytest.raises(OptionError, match=r"'convention' of shd must be .* not 'fuu'"):
        shd(EMPTY, CHAIN, convention="fuu")  # type: ignore[arg-type]


@pytest.mark.parametrize("metric", [shd, edge_errors, skeleton_errors, orientation_errors])
def test_different_names_are_refused_by_name(metric: object) -> None:
    with pytest.raises(GraphError, match=r"only the learned graph has 'X'; only the true graph has 'B', 'C'"):
        metric(Dag("AX"), CHAIN)  # type: ignore[operator]
    with pytest.raises(GraphError, match="and 4 more"):
        metric(Dag("ABCDEFGHI"), Dag([]))  # type: ignore[operator]


def test_orientation_errors_by_sort() -> None:
    learned = Pdag("abcdefg", ["ab", "cd"], ["bc", "ef"], ["de"])
    true = Pdag("abcdefg", ["ba", "bc", "de", "fg"], ["cd", "ef"])
    found = orientation_errors(learned, true)
    assert found.correct == (("e", "f"),)
    assert found.reversed == (("a", "b"),)
    assert found.unoriented == (("b", "c"),)
    assert found.overoriented == (("c", "d"),)
    assert found.conflicting == (("d", "e"),)
    assert found.n_wrong == 4


def test_edge_errors_list_and_count() -> None:
    learned = Pdag("abcd", ["ab", "cd"], ["ac"])
    true = Pdag("abcd", ["ba", "cd", "bd"])
    found = edge_errors(learned, true)
    assert (found.correct, found.extra, found.missing) == ((("c", "d"),), (("a", "c"),), (("b", "d"),))
    assert found.reversed == found.misoriented == (("a", "b"),)
    assert (found.n_correct, found.n_extra, found.n_missing, found.n_reversed, found.n_misoriented) == (1, 1, 1, 1, 1)
    assert found.precision == found.recall == found.f1 == pytest.approx(2 / 3)


def test_edge_errors_add_up_to_the_distance() -> None:
    rng = np.random.default_rng(0)
    names = list("abcdefgh")
    for _ in range(40):
        one, other = (Dag.from_adjacency(names, np.triu(rng.random((8, 8)) < 0.4, k=1)) for _ in range(2))
        found = edge_errors(one, other)
        assert found.n_extra + found.n_missing + found.n_misoriented == shd(one, other)
        assert found.n_correct + found.n_misoriented + found.n_extra == one.n_edges
        directed = set(one.cpdag().directed) | set(other.cpdag().directed)
        heavy = [pair for pair in found.extra + found.missing if pair in directed or pair[::-1] in directed]
        assert shd(one, other, convention="fu") == shd(one, other) + len(heavy)


def test_skeleton_ratios() -> None:
    found = skeleton_errors(Dag("abcde", ["ab", "cb", "ae", "de"]), Dag("edcba", ["ba", "cb", "cd", "ad"]))
    assert (found.commission, found.omission) == (2, 2)
    assert found.extra == (("a", "e"), ("d", "e"))
    assert found.missing == (("a", "d"), ("c", "d"))
    assert (found.extra_ratio, found.missing_ratio) == (0.5, 0.5)
    assert (found.precision, found.recall, found.f1) == (0.5, 0.5, 0.5)


def test_skeleton_ratios_of_empty_graphs() -> None:
    nothing = skeleton_errors(EMPTY, EMPTY)
    assert (nothing.extra_ratio, nothing.missing_ratio) == (0.0, 0.0)
    assert (nothing.precision, nothing.recall, nothing.f1) == (1.0, 1.0, 1.0)
    extra = skeleton_errors(CHAIN, EMPTY)
    assert math.isinf(extra.extra_ratio)
    assert (extra.missing_ratio, extra.precision, extra.recall, extra.f1) == (0.0, 0.0, 1.0, 0.0)
    missed = skeleton_errors(EMPTY, CHAIN)
    assert (missed.extra_ratio, missed.missing_ratio, missed.precision, missed.recall) == (0.0, 1.0, 1.0, 0.0)
