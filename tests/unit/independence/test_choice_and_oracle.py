"""The test chosen by the columns, and the answers of a known graph."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import GraphError
from arcwise.graph.dag import Dag
from arcwise.independence import ByKind, DSeparation, FisherZ, GSquared, LikelihoodRatio
from arcwise.parts.protocols import IndependenceTest
from arcwise.parts.spec import to_spec
from tests.oracle.graphs import random_dag, separated_by_paths
from tests.oracle.independence import blank

CODES = np.array([0, 1, 2, 0, 1, 2, 1, 0], dtype=np.uint8)
HEIGHT = Column("height", Kind.CONTINUOUS, np.linspace(1, 2, 8))
COLOUR = Column("colour", Kind.DISCRETE, CODES, ("b", "g", "r"))
GRADE = Column("grade", Kind.DISCRETE, CODES, ("1", "2", "3"), ordered=True)
FLAG = Column("flag", Kind.DISCRETE, CODES % 2, ("n", "y"))


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ((HEIGHT,), FisherZ()),
        ((COLOUR, GRADE), GSquared()),
        ((HEIGHT, GRADE, FLAG), FisherZ()),
        ((HEIGHT, COLOUR), LikelihoodRatio()),
    ],
)
def test_the_columns_choose_the_test(columns, expected):
    data = Dataset(columns)
    assert ByKind().resolve(data) == expected
    assert type(ByKind().bind(data)) is type(expected.bind(data))


def test_the_oracle_is_a_part_that_can_be_written_down():
    dag = Dag("abc", [("a", "b"), ("b", "c")])
    part = DSeparation(dag)
    assert isinstance(part, IndependenceTest)
    assert to_spec(part) == {"kind": "d-separation", "dag": [["a", "b", "c"], [["a", "b"], ["b", "c"]]]}
    assert DSeparation(part.dag) == part
    assert hash(DSeparation(dag)) == hash(part)


def test_the_oracle_says_what_paths_say():
    rng = np.random.default_rng(0)
    for _ in range(20):
        adj = random_dag(rng, 5, 0.4)
        bound = DSeparation(Dag.from_adjacency("abcde", adj)).bind(blank("abcde"))
        for x, y in combinations(range(5), 2):
            others = [u for u in range(5) if u not in (x, y)]
            sets = [s for size in range(4) for s in combinations(others, size)]
            padded = np.array([[*s, *[-1] * (3 - len(s))] for s in sets])
            expected = [separated_by_paths(adj, x, y, set(s)) for s in sets]
            assert (bound.p_values(x, y, padded) > DSeparation.level).tolist() == expected


def test_nodes_without_a_column_are_hidden():
    dag = Dag("ahb", [("h", "a"), ("h", "b")])
    bound = DSeparation(dag).bind(blank("ba"))
    assert bound.test(0, 1, []).value == 0.0


def test_a_column_without_a_node_is_named():
    with pytest.raises(GraphError, match="no node for column 'z'"):
        DSeparation(Dag("ab")).bind(blank("az"))
