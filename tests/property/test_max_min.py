"""With the answers of the true graph no edge is lost; the order of rows and columns does not matter."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arcwise.constraint.max_min.max_min import MMPC, PMMS
from arcwise.graph.dag import Dag
from arcwise.independence import DSeparation, FisherZ, GSquared
from arcwise.parts.knowledge import Knowledge
from tests.contract.parts import reorder_rows
from tests.oracle.counting import discrete_table
from tests.oracle.graphs import all_dags, random_dag
from tests.oracle.independence import blank, continuous_table

RNG = np.random.default_rng(0)  # nothing is drawn from it
LEARNERS = st.sampled_from([MMPC, PMMS])


def ask_the_graph(part, dag, knowledge=None, **options):
    return part(test=DSeparation(dag), **options).learn(blank(dag.names), rng=RNG, knowledge=knowledge or Knowledge())


def test_mmpc_finds_the_skeleton_of_every_graph_of_four_nodes():
    found = 0
    for adj in all_dags(4):
        dag = Dag.from_adjacency("badc", adj)
        result = ask_the_graph(MMPC, dag)
        assert np.array_equal(result.cpdag.reordered("badc").adjacency, adj | adj.T)
        found += 1
    assert found == 543


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(3, 10), LEARNERS, st.booleans())
def test_no_edge_of_a_random_graph_is_lost(seed, n, part, symmetric):
    rng = np.random.default_rng(seed)
    names = rng.permutation([f"v{i:02d}" for i in range(n)]).tolist()
    dag = Dag.from_adjacency(names, random_dag(rng, n, 2.5 / n))
    result = ask_the_graph(part, dag, symmetric=symmetric)
    lost = {tuple(sorted(edge)) for edge in dag.edges} - set(result.cpdag.skeleton)
    assert not lost
    assert result.warnings == ()


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(4, 8), LEARNERS)
def test_true_knowledge_loses_no_edge_and_adds_none_that_it_forbids(seed, n, part):
    rng = np.random.default_rng(seed)
    dag = Dag.from_adjacency([f"v{i}" for i in range(n)], random_dag(rng, n, 0.4))
    arcs = [edge for edge in dag.edges if rng.random() < 0.3]
    pairs = [(a, b) for a in dag.names for b in dag.names if a < b]
    apart = [(a, b) for a, b in pairs if (a, b) not in dag.edges and (b, a) not in dag.edges and rng.random() < 0.3]
    known = Knowledge(required=arcs, forbidden=[*apart, *((b, a) for a, b in apart)])
    found = set(ask_the_graph(part, dag, known).cpdag.skeleton)
    assert {tuple(sorted(edge)) for edge in dag.edges} <= found
    assert found.isdisjoint(apart)


@settings(max_examples=15)
@given(st.integers(0, 10_000), LEARNERS, st.booleans())
def test_the_order_of_rows_and_columns_is_immaterial(seed, part, discrete):
    rng = np.random.default_rng(seed)
    data = discrete_table(rng, [2, 3, 2, 4, 2, 3], 250) if discrete else continuous_table(rng, 80, 7)
    learner = part(test=GSquared() if discrete else FisherZ())
    first = learner.learn(data, rng=RNG)
    other = learner.learn(data.select(rng.permutation(data.names)), rng=RNG)
    assert first.cpdag == other.cpdag
    assert first.trace == other.trace
    assert learner.learn(reorder_rows(data, rng.permutation(data.n_rows)), rng=RNG).cpdag == first.cpdag
