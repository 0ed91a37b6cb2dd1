"""With the answers of the true graph PC returns its class; the stable skeleton depends on no order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.constraint import PC
from arcwise.graph.dag import Dag
from arcwise.independence import DSeparation, FisherZ
from arcwise.parts.knowledge import Knowledge
from tests.oracle.graphs import all_dags, classes, random_dag
from tests.oracle.independence import blank, continuous_table, numbers

RNG = np.random.default_rng(0)  # PC draws nothing from it


def ask_the_graph(dag, knowledge=None, **options):
    learner = PC(test=DSeparation(dag), **options)
    return learner.learn(blank(dag.names), rng=RNG, knowledge=knowledge or Knowledge())


def test_every_class_of_four_nodes_is_found_from_every_member():
    found = 0
    for adj in all_dags(4):
        dag = Dag.from_adjacency("badc", adj)
        result = ask_the_graph(dag)
        assert result.cpdag == dag.cpdag()
        assert result.graph.cpdag() == result.cpdag
        found += 1
    assert found == 543


@pytest.mark.parametrize("options", [{"stable": False}, {"conflicts": "first"}, {"conflicts": "priority"}])
def test_every_class_of_four_nodes_is_found_with_every_option(options):
    for members in classes(4):
        dag = Dag.from_adjacency("dbac", members[0])
        assert ask_the_graph(dag, **options).cpdag == dag.cpdag()


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(5, 12), st.booleans())
def test_the_class_of_a_random_graph_is_found(seed, n, stable):
    rng = np.random.default_rng(seed)
    names = rng.permutation([f"v{i:02d}" for i in range(n)]).tolist()
    dag = Dag.from_adjacency(names, random_dag(rng, n, 2.0 / n))
    result = ask_the_graph(dag, stable=stable)
    assert result.cpdag == dag.cpdag()
    assert result.warnings == ()


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(4, 8))
def test_true_knowledge_is_used_to_the_full(seed, n):
    """Required arcs, forbidden directions, pairs kept apart and tiers, all of them true of the graph."""
    rng = np.random.default_rng(seed)
    dag = Dag.from_adjacency([f"v{i}" for i in range(n)], random_dag(rng, n, 0.4))
    arcs = [edge for edge in dag.edges if rng.random() < 0.2]
    others = [(a, b) for a in dag.names for b in dag.names if a != b and (a, b) not in dag.edges]
    forbidden = [edge for edge in others if rng.random() < 0.15]
    known = Knowledge(required=arcs, forbidden=forbidden)
    result = ask_the_graph(dag, known)
    assert result.cpdag == known.bind(dag.names).pattern(dag)


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_the_stable_skeleton_does_not_depend_on_names_or_order(seed):
    rng = np.random.default_rng(seed)
    data = continuous_table(rng, 80, 8)
    other_names = dict(zip(data.names, rng.permutation(data.names).tolist(), strict=True))
    renamed = numbers({other_names[c.name]: c.values for c in data.columns})
    one = PC(test=FisherZ()).learn(data, rng=RNG).cpdag
    two = PC(test=FisherZ()).learn(renamed, rng=RNG).cpdag
    assert {frozenset(other_names[v] for v in pair) for pair in one.skeleton} == {frozenset(p) for p in two.skeleton}
